"""The commands of the how-to about purging do what the page says; the plan's own are carried out in tests/cli/test_purge.py."""

from __future__ import annotations

import re
from pathlib import Path

from hoard_git.core.secrets import fingerprint
from tests.support.environment import ROOT
from tests.support.repo import POLICY, Workspace, run

PAGE = (ROOT / "docs/how-to/purge-a-leaked-value.md").read_text(encoding="utf-8")
VALUE = "tR7#mQ2v-" + "Lx9pWz"


def test_the_commands_of_the_page_run(workspace: Workspace, programs: Path) -> None:
    workspace.policy(POLICY + 'secrets: {salt: "pepper"}\n')
    workspace.commit("Leak\n", {"memory/a.md": f"- The database password is {VALUE}\n"})
    blocks = [block.strip() for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)]
    assert len(blocks) == 2
    for block in blocks:
        (mark,) = re.findall(r"hgs1:\w+", block) or [""]
        line = block.replace(mark, fingerprint(VALUE, "pepper")) if mark else block
        done = run(["bash", "-c", f'PATH="{programs}:$PATH"; {line}'], cwd=workspace, input=f"{VALUE}\n")
        assert (done.returncode, b"1 time in 1 of" in done.stdout) == (0, True), done.stdout + done.stderr
        assert VALUE.encode() not in done.stdout + done.stderr


def test_the_page_names_what_the_plan_makes(workspace: Workspace, programs: Path) -> None:
    for word in ("replacements.txt", "git-filter-repo", "0600", "trailers --repair", "--regex", "--json"):
        assert word in PAGE
    known = run([programs / "hoard", "purge", "--help"], cwd=workspace).stdout.decode()
    assert {"--plan", "--regex", "--json"} <= set(re.findall(r"--[a-z]+", known))


def test_the_page_says_that_masking_does_not_clean() -> None:
    assert "does not clean history" in PAGE
    assert PAGE.index("Rotate the value first") < PAGE.index("## See where it is")
