"""A branch of one's own that is pushed again after it has taken in what the main branch did meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hooks.conftest import AS_AGENT, AS_HUMAN
from tests.hooks.server import TODAY, Server, agent_commit, make_server, push, with_note, without_user_fact
from tests.support.repo import POLICY, Workspace, run_hook

FACT = f"\n## Wishes <!-- src:user ts:{TODAY} -->\n\n- Ada wants one report a week.\n"


@pytest.fixture
def server(workspace: Workspace, tmp_path: Path) -> Server:
    """`work` is on the server with a commit of the agent; meanwhile Ada has changed the policy and told a fact on main."""
    made = make_server(workspace, tmp_path / "server.git")
    workspace.git("remote", "set-head", "origin", "main")
    workspace.git("checkout", "-q", "-b", "work")
    agent_commit(workspace, with_note(workspace, 1, "memory/jobs.md"))
    assert push(workspace, "work")[0] == 0
    workspace.git("checkout", "-q", "main")
    workspace.commit("Policy\n", {".hoard.yaml": POLICY + "limits: {line: 1500}\n"}, env=AS_HUMAN)
    workspace.commit("Wish\n", {"MEMORY.md": workspace.read("MEMORY.md") + FACT}, env=AS_HUMAN, options=("--no-verify",))
    assert push(workspace, "main")[0] == 0
    workspace.git("checkout", "-q", "work")
    return made


def pushed(workspace: Workspace, *options: str) -> tuple[int, str]:
    """What the hook of the clone says first, then the server."""
    old, new = workspace.head("origin/work"), workspace.head("work")
    told = f"refs/heads/work {new} refs/heads/work {old}\n".encode()
    early = run_hook("pre-push", "origin", "x", cwd=workspace, env={"HOARD_DATE": TODAY}, input=told)
    status, said = push(workspace, "work", options=options)
    assert early.returncode == status, early.stdout + early.stderr
    return status, said


def test_a_branch_that_was_merged_and_goes_on_from_main(server: Server, workspace: Workspace) -> None:
    workspace.git("checkout", "-q", "main")
    workspace.git("merge", "-q", "--no-edit", "work", env=AS_AGENT)
    assert push(workspace, "main")[0] == 0
    workspace.git("checkout", "-q", "work")
    workspace.git("merge", "-q", "--ff-only", "main")
    agent_commit(workspace, with_note(workspace, 2, "memory/jobs.md"))

    status, said = pushed(workspace)
    assert status == 0, said


def test_a_rebase_says_only_what_it_loses(server: Server, workspace: Workspace) -> None:
    workspace.git("rebase", "-q", "main", env=AS_AGENT)

    status, said = pushed(workspace, "--force")
    assert status == 1
    assert "HG706" in said
    assert "HG307" not in said
    assert "HG301" not in said


def test_a_branch_that_has_merged_main(server: Server, workspace: Workspace) -> None:
    workspace.git("merge", "-q", "--no-edit", "main", env=AS_AGENT)
    agent_commit(workspace, with_note(workspace, 2, "memory/jobs.md"))

    status, said = pushed(workspace)
    assert status == 0, said


def test_what_main_has_excuses_nothing_else(server: Server, workspace: Workspace) -> None:
    workspace.git("merge", "-q", "--no-edit", "main", env=AS_AGENT)
    agent_commit(workspace, without_user_fact(workspace))

    status, said = pushed(workspace)
    assert status == 1
    assert "HG301 agent deletes a user's content" in said


def test_mains_policy_is_nobodys_to_change_on_the_way(server: Server, workspace: Workspace) -> None:
    workspace.git("merge", "-q", "--no-edit", "main", env=AS_AGENT)
    agent_commit(workspace, {".hoard.yaml": POLICY + "limits: {line: 9000}\n"})

    status, said = pushed(workspace)
    assert status == 1
    assert "HG307 agent changes the policy" in said
