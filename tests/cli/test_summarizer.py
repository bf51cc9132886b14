"""`hoard consolidate --summarizer CMD` as people run it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.app.support import AS_AGENT, as_agent
from tests.support.repo import POLICY, Repo, Workspace, run_hoard

FACTS = "".join(f"- Node-{number} is online and serves the wiki of floor {number}\n" for number in range(1, 13))
MEMORY = f"# Memory\n\n## Ada <!-- src:user ts:2026-06-01 -->\n\n- Tea without milk\n\n## Nodes <!-- src:agent ts:2026-06-05 ttl:1y -->\n\n{FACTS}"
SMALL = POLICY + "consolidate: {compress_at: 600, compress_to: 500}\n"
PROGRAM = """\
import json, sys
blocks = json.load(sys.stdin)["blocks"]
assert "Tea" not in str(blocks)
print(json.dumps({"operations": [{"op": "drop", "ids": [b["id"] for b in blocks[:3]]}, {"op": "keep", "ids": [b["id"] for b in blocks[3:]]}]}))
"""


@pytest.fixture
def full(workspace: Workspace) -> Workspace:
    """A MEMORY.md that is over its size."""
    workspace.policy(SMALL)
    workspace.commit("Grow\n", {"MEMORY.md": MEMORY})
    as_agent(workspace)
    return workspace


def summarizer(tmp_path: Path, text: str) -> str:
    path = tmp_path / "bin" / "shorten.py"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    return f"{sys.executable} {path}"


def hoard(repo: Repo, *args: str, env: dict[str, str] | None = None) -> tuple[int, str, str]:
    done = run_hoard("--date", "2026-06-15", "consolidate", "--steps", "compress", *args, cwd=repo, env={**AS_AGENT, **(env or {})})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_what_it_leaves_out_is_archived_in_the_commit(full: Workspace, tmp_path: Path) -> None:
    status, out, err = hoard(full, "--apply", "--summarizer", summarizer(tmp_path, PROGRAM), "--json")
    assert (status, err) == (0, "")
    archived = [action for action in json.loads(out)["actions"] if action["kind"] == "archive"]
    assert [(a["text"], a["reason"]) for a in archived] == [
        (f"- Node-{n} is online and serves the wiki of floor {n}", "left out by the summarizer") for n in (1, 2, 3)
    ]
    archive = full.read("memory/archive/2026-06-15.md")
    assert [f"Node-{n} is online" in archive for n in (1, 2, 3, 4)] == [True, True, True, False]
    assert "- Tea without milk\n" in full.read("MEMORY.md")
    assert run_hoard("check", "--range", "HEAD~1..HEAD", cwd=full).returncode == 0


def test_a_bad_answer_is_said_and_the_plan_goes_on_without_it(full: Workspace, tmp_path: Path) -> None:
    command = summarizer(tmp_path, "print('Sure! Here you are.')")
    status, out, err = hoard(full, "--dry-run", "--summarizer", command)
    assert status == 0
    assert "was not shortened by the summarizer: the answer is not one JSON object in UTF-8." in (out + err).replace("\n  ", " ")
    assert "Node-1" in out + err or "nodes" in out + err  # the section moves out as without it


@pytest.mark.parametrize(
    ("command", "words"), [("none-such", "was not found"), ("./shorten", "lies in the workspace")], ids=["missing", "inside"]
)
def test_a_command_that_may_not_run_ends_with_a_reason(command: str, words: str, full: Workspace) -> None:
    full.write("shorten", "#!/bin/sh\n").chmod(0o755)
    status, _out, err = hoard(full, "--dry-run", "--summarizer", command)
    assert (status, words in err) == (2, True)


def test_below_a_summarizer_nothing_is_consolidated(full: Workspace) -> None:
    before = full.snapshot()
    status, out, err = hoard(full, "--apply", env={"HOARD_IN_SUMMARIZER": "1"})
    assert (status, out) == (2, "")
    assert "inside a summarizer" in err
    assert full.snapshot() == before
