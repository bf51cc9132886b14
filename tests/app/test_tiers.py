"""`hoard tiers`: what is hot, warm and cold in the work tree, and what the next consolidation would do."""

from __future__ import annotations

import pytest

from hoard_git.app.tiers import Space, read_tiers
from hoard_git.errors import HoardError
from tests.app.support import june, reader_of
from tests.support.repo import POLICY, Workspace

LONG = "# Log\n\n" + "".join(f"- Note {number} about the garden and its beds\n" for number in range(12))


def tiers_of(workspace: Workspace) -> Space:
    (space,) = read_tiers(reader_of(workspace), june)
    return space


def test_logs_with_their_tier_newest_first(workspace: Workspace) -> None:
    for day in ("2026-06-15", "2026-06-01", "2026-05-30", "2026-01-01", "2026-06-16"):
        workspace.write(f"memory/{day}.md", LONG)
    workspace.write("memory/2026-05-30.md", "# Log\n\n- Short\n")
    workspace.write("memory/topic.md", "# Topic <!-- src:agent ts:2026-06-01 -->\n")
    before = workspace.snapshot()
    space = tiers_of(workspace)
    assert workspace.snapshot() == before
    assert [(log.path, log.tier, log.age, log.entries) for log in space.logs] == [
        ("memory/2026-06-16.md", "hot", -1, 12),
        ("memory/2026-06-15.md", "hot", 0, 12),
        ("memory/2026-06-01.md", "warm", 14, 12),
        ("memory/2026-05-30.md", "warm", 16, 1),
        ("memory/2026-01-01.md", "cold", 165, 12),
    ]
    assert space.logs[3].reason == "16 days old, past 7 days; small, so it stays whole"
    assert space.total("hot") == (2, 2 * len(LONG))
    assert [(action.kind, action.path) for action in space.actions] == [
        ("cold", "memory/2026-01-01.md"),
        ("warm", "memory/2026-06-01.md"),
    ]
    assert (space.day, space.notes, space.archived) == ("2026-06-15", (), (0, 0, 0))


def test_what_was_shortened_names_its_original(workspace: Workspace) -> None:
    original = "memory/archive/logs/2026-06-01.md"
    workspace.write("memory/2026-06-01.md", "# Log\n\n- Key\n")
    workspace.write(original, LONG)
    space = tiers_of(workspace)
    assert (space.logs[0].original, space.actions, space.archived) == (original, (), (1, len(LONG), 0))


def test_without_logs_there_is_one_empty_space(workspace: Workspace) -> None:
    assert tiers_of(workspace).logs == ()


def test_each_workspace_by_its_own_limits(workspace: Workspace) -> None:
    workspace.write(".hoard.yaml", POLICY + "memory: {roots: [agents/a, agents/b]}\ntiers: {hot: 30d, warm: 60d}\n")
    for name in "ab":
        workspace.write(f"agents/{name}/memory/2026-06-01.md", LONG)
    spaces = read_tiers(reader_of(workspace), june)
    assert [(space.root, space.limits.hot, space.logs[0].tier) for space in spaces] == [("agents/a/", 30, "hot"), ("agents/b/", 30, "hot")]


def test_a_link_is_not_followed(workspace: Workspace) -> None:
    (workspace.path / "memory").mkdir()
    (workspace.path / "memory/2026-06-01.md").symlink_to(workspace.path / "MEMORY.md")
    assert tiers_of(workspace).logs == ()


def test_a_bad_policy_is_an_error(workspace: Workspace) -> None:
    workspace.write(".hoard.yaml", POLICY + "tiers: {hot: soon}\n")
    with pytest.raises(HoardError, match="hot"):
        tiers_of(workspace)
