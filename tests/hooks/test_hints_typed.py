"""What a hook says to type works where git was called: git runs hooks at the top, wherever the user is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.hooks.conftest import AS_AGENT
from tests.support.repo import Workspace, run

UNTAGGED = "# Tea\n\n- Tea is at four.\n"


@pytest.fixture
def environment(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{programs}:/usr/local/bin:/usr/bin:/bin")


@pytest.mark.parametrize("folder", ["", "memory", "memory/deep"])
def test_a_finding_of_a_commit_from_below(hooked: Workspace, environment: None, folder: str) -> None:
    hooked.stage({"memory/it's tea.md": UNTAGGED})
    here = hooked.path / folder
    here.mkdir(exist_ok=True)
    refused = run(["git", "commit", "-qm", "Tea"], cwd=here, env=AS_AGENT)
    assert refused.returncode == 1
    said = (refused.stdout + refused.stderr).decode()
    found = re.search(r"or run: (hoard .*)", said)
    assert found is not None, said
    assert run(["sh", "-c", found[1]], cwd=here, env=AS_AGENT).returncode == 0
    assert run(["git", "commit", "-qam", "Tea"], cwd=here, env=AS_AGENT).returncode == 0


@pytest.mark.parametrize("first", [False, True], ids=["later", "the first commit"])
def test_trailers_that_an_amend_lost_are_repaired_as_it_says(hooked: Workspace, environment: None, first: bool) -> None:
    if first:
        hooked.git("switch", "-q", "--orphan", "other")
    hooked.commit("Tea\n", {"memory/tea.md": "# Tea <!-- src:agent ts:2026-06-05 -->\n\n- Tea is at four.\n"}, env=AS_AGENT)
    amended = hooked.git("commit", "-q", "--amend", "--no-verify", "-m", "Salt", env={**AS_AGENT, "GIT_EDITOR": "true"})
    said = amended.stderr.decode()
    if "lost" not in said:  # prepare-commit-msg has put them in again
        hooked.git("-c", "core.hooksPath=/nowhere", "commit", "-q", "--amend", "-m", "Salt", env=AS_AGENT)
        old = hooked.line("rev-parse", "HEAD@{1}")
        said = run(["sh", ".git/hooks/post-rewrite", "amend"], cwd=hooked, input=f"{old} {hooked.head()}\n").stderr.decode()
    found = re.search(r"lost their Memory trailers, first \w+: (hoard .*)", said)
    assert found is not None, said
    assert run(["sh", "-c", found[1]], cwd=hooked, env=AS_AGENT).returncode == 0
    assert "Memory-Op" in hooked.message()
