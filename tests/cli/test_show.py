"""`hoard show`, `hoard why` and `hoard diff` as a user runs them."""

from __future__ import annotations

import json

from tests.app.history_repos import AGENT, block, memory
from tests.support.repo import MEMORY, Workspace, run_hoard

TEXT = block("Deploys", "The deploy job runs at noon every weekday.", src="web", name="depl01")


def _grown(workspace: Workspace) -> Workspace:
    workspace.commit("Add\n", {"memory/d.md": memory(TEXT)}, author=AGENT)
    workspace.commit("Raise\n", {"memory/d.md": memory(TEXT.replace("src:web", "src:agent"))}, author=AGENT)
    workspace.commit("Edit\n", {"memory/d.md": memory(TEXT.replace("src:web", "src:agent").replace("noon", "dusk"))}, author=AGENT)
    return workspace


def test_show_prints_the_block_as_it_stands(workspace: Workspace) -> None:
    out = run_hoard("show", "depl01", cwd=_grown(workspace)).stdout.decode()
    assert "memory/d.md:3-5" in out
    assert "runs at dusk" in out and "runs at noon" not in out
    data = json.loads(run_hoard("show", "memory/d.md#deploys", "--json", cwd=workspace).stdout)
    assert (data["alive"], data["line"], data["end_line"], data["block"]["id"]) == (True, 3, 5, "depl01")
    assert data["text"].split("\n")[0] == "## Deploys <!-- src:agent ts:2026-06-05 ttl:90d id:depl01 -->"
    assert (data["expires"], data["events"]) == ("2026-09-03", 3)


def test_show_prints_a_removed_block_as_it_last_stood(workspace: Workspace) -> None:
    _grown(workspace)
    before = workspace.head()
    workspace.commit("Remove\n", {"memory/d.md": None}, author=AGENT)
    data = json.loads(run_hoard("show", "depl01", "--json", cwd=workspace).stdout)
    assert (data["alive"], data["commit"], data["line"], data["end_line"]) == (False, before, 3, 5)
    assert "runs at dusk" in data["text"]
    assert run_hoard("show", "no such block", cwd=workspace).returncode == 2


def test_show_at_an_older_commit(workspace: Workspace) -> None:
    out = run_hoard("show", "depl01", "--at", "HEAD~2", "--json", cwd=_grown(workspace)).stdout
    assert "runs at noon" in json.loads(out)["text"]


def test_why_tells_the_whole_story_and_that_the_source_rose(workspace: Workspace) -> None:
    _grown(workspace)
    (line,) = run_hoard("why", "the deploy job", "--json", cwd=workspace).stdout.decode().splitlines()
    told = json.loads(line)
    assert [chapter["event"] for chapter in told["events"]] == ["add", "retag", "edit"]
    assert (told["rose"], told["rises"], told["alive"]) == (True, [workspace.head("HEAD~1")], True)
    assert told["first"]["after"]["provenance"]["src"] == "web"
    out = run_hoard("why", "depl01", cwd=workspace).stdout.decode()
    assert "Its source rose" in out
    assert run_hoard("why", "nobody ever said this", cwd=workspace).returncode == 2


def test_why_of_a_fact_that_never_rose(workspace: Workspace) -> None:
    out = run_hoard("why", "Tuesdays", cwd=workspace).stdout.decode()
    assert "Its source never rose." in out and "first seen in MEMORY.md under Preferences" in out


def test_diff_of_two_commits_and_of_the_work_tree(workspace: Workspace) -> None:
    _grown(workspace)

    def events(*options: str) -> list[tuple[str, str]]:
        result = run_hoard("diff", "--json", *options, cwd=workspace)
        assert result.returncode == 0, result.stderr
        return [(found["event"], found["block"]["title"]) for found in map(json.loads, result.stdout.decode().splitlines())]

    assert events("HEAD~1..HEAD") == events("--at", "HEAD") == [("edit", "Deploys")]
    assert events("HEAD~2..HEAD") == [("retag", "Deploys")]
    assert events() == []
    workspace.write("MEMORY.md", MEMORY.replace("Tuesdays", "Mondays"))
    assert events() == [("edit", "Preferences")]
    shown = run_hoard("diff", cwd=workspace).stdout.decode()
    assert "- - The newsletter goes out on Tuesdays." in shown
    assert run_hoard("diff", "HEAD..nowhere", cwd=workspace).returncode == 2
