"""Many commits: two processes say what one says, failures in either are failures, and the work grows with the commits."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from functools import partial

import pytest

from hoard_git.app import rows
from hoard_git.app.check import Report, check_commits, find_range
from hoard_git.app.clock import Days
from hoard_git.app.netresult import ends_of_range
from hoard_git.core.model import Oid
from hoard_git.core.policy import Policy
from hoard_git.errors import HoardError
from hoard_git.gitio.opening import open_reader
from tests.app.support import june
from tests.support.effort import count_calls
from tests.support.repo import MEMORY, Workspace


def history(workspace: Workspace, count: int) -> None:
    """Commits of the agent that each replace one fact of twenty; every seventh drops a user's fact, the next puts it back."""
    facts = [f"- Machine {n} stands in room {n * 3}." for n in range(20)]
    parts = []
    for number in range(count):
        facts[number % 20] = f"- Machine {number % 20} went to room {number * 7}."
        text = MEMORY + "\n".join(facts) + "\n"
        if number % 7 == 6:
            text = text.replace("- The newsletter goes out on Tuesdays.\n", "")
        parts.append(f"commit refs/heads/main\ncommitter clawd <clawd@agents.example> {1781000000 + number} +0000\ndata 2\nw\n")
        if not number:
            parts.append(f"from {workspace.head('main')}\n")
        parts.append(f"M 100644 inline MEMORY.md\ndata {len(text.encode())}\n{text}\n")
    workspace.git("fast-import", "--quiet", "--force", input="".join(parts))


def judged(workspace: Workspace, revisions: str) -> Report:
    reader = open_reader(str(workspace.path), batch=True)
    return check_commits(reader, find_range(reader, revisions), june, revisions, ends=ends_of_range(reader, revisions))


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take two processes for few commits already, whatever the machine has."""
    if not hasattr(os, "fork"):
        pytest.skip("this platform has no fork")
    monkeypatch.setattr(rows, "MANY", 30)
    monkeypatch.setattr(rows, "has_second_processor", lambda: True)


def test_two_processes_say_what_one_says(workspace: Workspace, two: None, monkeypatch: pytest.MonkeyPatch) -> None:
    start = workspace.head()
    history(workspace, 60)
    together = judged(workspace, f"{start}..main")
    monkeypatch.setattr(rows, "MANY", 1000)

    assert together == judged(workspace, f"{start}..main")
    assert [f.code for f in together.findings if f.severity == "error"].count("HG301") == 16  # gone eight times, and put back by an agent
    assert together.commits == 60


def test_what_the_second_process_cannot_judge_is_told(workspace: Workspace, two: None) -> None:
    history(workspace, 40)
    reader = open_reader(str(workspace.path), batch=True)
    oids = find_range(reader, "main")

    def days(policy: Policy) -> Days:
        if os.getpid() != mine:
            raise HoardError("No day here.", "hoard status")
        return june(policy)

    mine = os.getpid()
    with pytest.raises(HoardError) as caught:
        check_commits(reader, oids, days, "main")
    assert (caught.value.message, caught.value.hint) == ("No day here.", "hoard status")


@pytest.mark.parametrize("end", [lambda: os._exit(0), lambda: os.kill(os.getpid(), 9), lambda: 1 / 0])
def test_a_second_process_that_ends_early_is_no_verdict(workspace: Workspace, two: None, end: Callable[[], object]) -> None:
    history(workspace, 40)
    reader = open_reader(str(workspace.path), batch=True)
    mine = os.getpid()

    def days(policy: Policy) -> Days:
        if os.getpid() != mine:
            end()
        return june(policy)

    with pytest.raises(HoardError, match="Half of the commits could not be judged"):
        check_commits(reader, find_range(reader, "main"), days, "main")


def test_twice_the_commits_are_twice_the_work(workspace: Workspace) -> None:
    history(workspace, 320)
    calls = []
    programs = set()
    judged(workspace, "main~20..main")  # what is loaded once is not counted
    for count in (80, 160, 320):
        called, started = count_calls(partial(judged, workspace, f"main~{count}..main"), frozenset({"posix_spawnp"}))
        calls.append(called)
        programs.add(started)
    assert calls[2] - calls[1] <= 2.2 * (calls[1] - calls[0]), calls
    assert len(programs) == 1


def test_ancestors_are_told_without_a_walk_each(workspace: Workspace) -> None:
    from hoard_git.app.past import _Graph

    names = [Oid(str(number)) for number in range(6)]
    graph = _Graph(names, [[], [0], [0], [1, 2], [], [3, 4]])
    fresh = [_Graph(names, graph.parents).ancestors(name) for name in names]

    assert [graph.ancestors(name) for name in names] == fresh == [0b1, 0b11, 0b101, 0b1111, 0b10000, 0b111111]
    assert graph.ancestors(Oid("unknown")) == 0


def test_both_processes_collect_their_garbage(workspace: Workspace, two: None) -> None:
    history(workspace, 40)
    reader = open_reader(str(workspace.path))
    oids = reader.rev_list(["HEAD"], [])

    found = rows.judge_all(
        reader, oids, lambda info: rows.Row(info.oid, info.parents, (), gc.isenabled(), (), os.getpid()), alone=False, close=lambda: None
    )

    assert [row.oid for row in found if row is not None] == oids
    assert len({row.lines for row in found if row is not None}) == 2, "not judged by two processes"
    assert all(row.introduces for row in found if row is not None)
