"""Reviewing a consolidation: proposals as they are, the accepted actions alone in one commit, and nothing written over what has moved."""

from __future__ import annotations

import os

import pytest

from hoard_git.app.consolidate import Wanted, plan_head
from hoard_git.app.review import FOREIGN, MOVED, READY, TAKEN, Changed, Moved, drop, find_proposal, list_proposals, replan, take
from hoard_git.core.actions import Action
from hoard_git.core.model import Oid
from hoard_git.errors import HoardError
from tests.app.consolidating import DAY, december, hoard
from tests.app.support import reader_of
from tests.support.repo import Repo, Workspace, run_hoard

BRANCH = f"hoard/consolidate/{DAY}"
TWICE = """\
# Memory

## A <!-- src:agent ts:2026-12-01 -->

- Deploys happen on Tuesday after the backup has run
- Deploys happen on Tuesday after the backup has run.

## B <!-- src:web ts:2026-01-01 -->

- The library is at version 3
"""


def actions(workspace: Repo, wanted: Wanted | None = None) -> list[Action]:
    outcome = plan_head(reader_of(workspace), wanted or Wanted(), december, os.environ)
    return [action for plan in outcome.plans for action in plan.actions]


def test_a_proposal_is_ready_until_head_moves_and_foreign_once_somebody_worked_on_it(aged: Workspace) -> None:
    assert list_proposals(reader_of(aged)) == []
    hoard(aged)
    (found,) = list_proposals(reader_of(aged))
    assert (found.name, found.base, found.day, found.state) == (BRANCH, aged.head(), DAY, READY)
    assert found.commit == aged.head(BRANCH)
    aged.commit("More\n", {"notes.txt": "x\n"})
    assert [proposal.state for proposal in list_proposals(reader_of(aged))] == [MOVED]
    own = aged.line("commit-tree", "HEAD^{tree}", "-p", BRANCH, "-m", "mine")
    aged.git("branch", "-f", BRANCH, own)
    assert find_proposal(reader_of(aged), BRANCH).state == FOREIGN
    aged.git("branch", "-f", BRANCH, own + "^")
    aged.git("merge", "-q", "-m", "Take it", BRANCH)
    assert find_proposal(reader_of(aged), BRANCH).state == TAKEN
    with pytest.raises(HoardError, match="There is no proposal 'main'"):
        find_proposal(reader_of(aged), "main")


def test_the_actions_of_a_proposal_are_known_again(aged: Workspace) -> None:
    hoard(aged)
    reader = reader_of(aged)
    found = replan(reader, find_proposal(reader, BRANCH), lambda policy: december(policy)._replace(today=1), os.environ)
    assert found is not None
    assert [(a.kind, a.line) for plan in found[1].plans for a in plan.actions] == [("archive", 7), ("stale", 12)]


@pytest.mark.parametrize("steps", ["expire", "dedupe", "expire,dedupe,compress,promote,tiers"])
def test_so_are_those_made_with_other_steps(aged: Workspace, steps: str) -> None:
    aged.commit("Grow\n", {"MEMORY.md": TWICE}, author=Workspace.agent)
    hoard(aged, "--steps", steps)
    reader = reader_of(aged)
    assert replan(reader, find_proposal(reader, BRANCH), december, os.environ) is not None


def test_a_proposal_with_a_tree_of_its_own_is_not_taken_apart(aged: Workspace) -> None:
    hoard(aged)
    aged.git("checkout", "-q", BRANCH)
    aged.stage({"MEMORY.md": aged.read("MEMORY.md").replace("03:30", "04:30").replace("version 3", "version 4")})
    aged.git("commit", "-q", "--amend", "--no-edit", "--no-verify")
    aged.git("checkout", "-q", "main")
    reader = reader_of(aged)
    found = find_proposal(reader, BRANCH)
    assert found.state == READY
    assert replan(reader, found, december, os.environ) is None


def test_only_what_was_accepted_is_committed_and_its_proof_holds(aged: Workspace) -> None:
    archive, stale = actions(aged)
    base = aged.head()
    done = take(reader_of(aged), Wanted(), Oid(base), [archive], december, os.environ)
    assert done.commit == aged.head()
    assert aged.head("HEAD^") == base
    assert aged.line("status", "--short") == ""
    assert "\u26a0" not in aged.read("MEMORY.md")
    assert "Backups run at 03:30." in aged.read(f"memory/archive/{DAY}.md")
    assert aged.message().startswith(f"Consolidate memory {DAY}: 1 archived\n")
    checked = run_hoard("check", "--range", f"{base}..HEAD", "--strict", cwd=aged, env={"HOARD_DATE": DAY})
    assert checked.returncode == 0, checked.stdout.decode()
    assert [action.kind for action in actions(aged)] == [stale.kind]


def test_head_that_moved_is_told_and_not_overwritten(aged: Workspace) -> None:
    base, accepted = aged.head(), actions(aged)
    aged.commit("More\n", {"notes.txt": "x\n"})
    before = aged.snapshot()
    with pytest.raises(Moved, match="HEAD has moved to"):
        take(reader_of(aged), Wanted(), Oid(base), accepted, december, os.environ)
    assert aged.snapshot() == before


def test_a_part_that_comes_to_something_else_is_told_with_what_it_is(workspace: Workspace) -> None:
    three = TWICE.replace(
        "- Deploys happen on Tuesday after the backup has run.\n", "- Deploys happen on Tuesday after the backup has run.\n" * 2
    )
    workspace.commit("Grow\n", {"MEMORY.md": three})
    whole = [action for action in actions(workspace) if action.kind == "dedupe"]
    assert len(whole) == 2
    odd = [whole[0]._replace(reason="another one")]
    before = workspace.snapshot()
    with pytest.raises(Changed) as raised:
        take(reader_of(workspace), Wanted(), Oid(workspace.head()), odd, december, os.environ)
    assert [a for plan in raised.value.outcome.plans for a in plan.actions] == [whole[0]]
    assert workspace.snapshot() == before


def test_nothing_accepted_is_nothing_to_commit(aged: Workspace) -> None:
    with pytest.raises(HoardError, match="Nothing is accepted"):
        take(reader_of(aged), Wanted(), Oid(aged.head()), [], december, os.environ)


def test_changes_that_are_not_committed_are_in_the_way(aged: Workspace) -> None:
    accepted = actions(aged)
    aged.write("MEMORY.md", aged.read("MEMORY.md") + "\n- mine\n")
    before = aged.snapshot()
    with pytest.raises(HoardError, match="not committed; nothing was changed"):
        take(reader_of(aged), Wanted(), Oid(aged.head()), accepted, december, os.environ)
    assert aged.snapshot() == before


def test_a_proposal_is_dropped_only_as_it_was_seen(aged: Workspace) -> None:
    hoard(aged)
    reader = reader_of(aged)
    found = find_proposal(reader, BRANCH)
    with pytest.raises(HoardError, match="is no proposal"):
        drop(reader, "refs/heads/main", found.commit)
    with pytest.raises(HoardError, match="moved by someone else"):
        drop(reader, found.ref, Oid(aged.head()))
    aged.git("checkout", "-q", BRANCH)
    with pytest.raises(HoardError, match="is checked out"):
        drop(reader, found.ref, found.commit)
    aged.git("checkout", "-q", "main")
    drop(reader, found.ref, found.commit)
    assert list_proposals(reader) == []
    assert aged.git("cat-file", "-e", found.commit).returncode == 0
