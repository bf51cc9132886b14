"""Commits that are made again or joined: amend, merge, cherry-pick, and whose they are then."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.hooks.committing import GOOD, append, commit, edited_user_fact, settle, trailers, vendor_key
from tests.hooks.conftest import AS_AGENT, AS_HUMAN
from tests.support.repo import Workspace, run_hoard


@pytest.mark.parametrize("message", [("--no-edit",), ("-m", "Another subject")], ids=["no-edit", "message"])
def test_amend_is_judged_against_the_parents_and_keeps_true_trailers(hooked: Workspace, message: Sequence[str]) -> None:
    append(hooked, GOOD)
    assert commit(hooked, "-qam", "First")[0] == 0
    append(hooked, "- Node-4 is new.\n")

    status, said = commit(hooked, "-a", "--amend", *message)

    assert status == 0, said
    assert hooked.line("rev-list", "--count", "HEAD") == "2"
    assert len([line for line in trailers(hooked) if line.startswith("Memory-Digest:")]) == 1
    assert run_hoard("check", "--commit", "HEAD", "--strict", cwd=hooked).returncode == 0


def test_amend_that_changes_only_the_message_keeps_trailers(hooked: Workspace) -> None:
    append(hooked, GOOD)
    assert commit(hooked, "-qam", "First")[0] == 0
    before = trailers(hooked)

    assert commit(hooked, "-q", "--amend", "-m", "Better subject")[0] == 0

    assert trailers(hooked) == before


def test_amend_with_bad_content_is_refused(hooked: Workspace) -> None:
    append(hooked, GOOD)
    assert commit(hooked, "-qam", "First")[0] == 0
    vendor_key(hooked)
    settle(hooked)
    before = hooked.snapshot()

    assert commit(hooked, "-a", "--amend", "--no-edit")[0] == 1
    assert hooked.snapshot() == before


def test_merge_commit_is_judged_and_labelled(hooked: Workspace) -> None:
    hooked.git("checkout", "-qb", "side")
    hooked.commit("Side", {"memory/side.md": "# Side <!-- src:agent ts:2026-06-05 -->\n\n- One.\n"}, env=AS_AGENT)
    hooked.git("checkout", "-q", "main")
    append(hooked, GOOD)
    assert commit(hooked, "-qam", "Main")[0] == 0

    done = hooked.git("merge", "-q", "--no-ff", "-m", "Merge side", "side", env=AS_AGENT, check=False)

    assert done.returncode == 0, done.stderr
    assert trailers(hooked)[0] == "Memory-Op: merge"


def test_merge_by_an_agent_of_a_humans_branch(hooked: Workspace) -> None:
    hooked.git("checkout", "-qb", "side")
    edited_user_fact(hooked)
    assert commit(hooked, "-qam", "Mine", env=AS_HUMAN)[0] == 0
    hooked.git("checkout", "-q", "main")
    append(hooked, GOOD)
    assert commit(hooked, "-qam", "Main")[0] == 0

    done = hooked.git("merge", "-q", "-m", "Merge side", "side", env=AS_AGENT, check=False)

    assert done.returncode == 0, done.stderr


def test_evil_merge_is_refused(hooked: Workspace) -> None:
    hooked.git("checkout", "-qb", "side")
    hooked.commit("Side", {"memory/side.md": "# Side <!-- src:agent ts:2026-06-05 -->\n\n- One.\n"}, env=AS_AGENT)
    hooked.git("checkout", "-q", "main")
    append(hooked, GOOD)
    assert commit(hooked, "-qam", "Main")[0] == 0
    hooked.git("merge", "-q", "--no-commit", "--no-ff", "side", env=AS_AGENT)
    edited_user_fact(hooked)

    status, said = commit(hooked, "-qam", "Merge")

    assert status == 1
    assert "HG301" in said


def test_cherry_pick_carries_true_trailers(hooked: Workspace) -> None:
    hooked.git("checkout", "-qb", "side")
    append(hooked, GOOD)
    assert commit(hooked, "-qam", "Side")[0] == 0
    hooked.git("checkout", "-q", "main")
    hooked.commit("Main", {"memory/m.md": "# M <!-- src:agent ts:2026-06-05 -->\n\n- One.\n"}, env=AS_AGENT)

    hooked.git("cherry-pick", "side", env=AS_AGENT)

    assert run_hoard("check", "--range", "main~2..main", "--strict", cwd=hooked).returncode == 0


def test_an_agents_amend_of_the_users_commit_is_the_agents(hooked: Workspace) -> None:
    edited_user_fact(hooked)
    assert commit(hooked, "-qam", "Mine", env=AS_HUMAN)[0] == 0
    committer = {key: value for key, value in AS_AGENT.items() if key.startswith("GIT_COMMITTER")}
    append(hooked, GOOD)

    status, said = commit(hooked, "-a", "--amend", "--no-edit", env=committer)

    assert status == 1, said
    assert "HG301" in said
    assert commit(hooked, "-qam", "The agent's own commit")[0] == 0


def test_an_agent_that_takes_over_the_users_authorship_is_an_agent(hooked: Workspace) -> None:
    committer = {key: value for key, value in AS_AGENT.items() if key.startswith("GIT_COMMITTER")}
    edited_user_fact(hooked)

    status, said = commit(hooked, "-a", "-C", "HEAD", env=committer)

    assert status == 1, said
    assert "HG301" in said
