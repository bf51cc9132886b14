"""What the index answers, and in which order, follows from the commits; and what merges may and may not make of two facts."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence

import pytest

from hoard_git.app.history import with_index
from hoard_git.gitio.blockindex import BlockIndex
from hoard_git.gitio.plumbing import PlumbingReader
from tests.app.history_repos import Importer, block, folder, log, memory, story
from tests.gitio.test_blockindex_ways import tangled
from tests.support.repo import Repo


def told(repo: Repo) -> list[tuple[object, ...]]:
    """The whole log, newest first, without the numbers of the index."""
    return [(event.node.oid, *event.change[:2], event.change.block[1:], *event.change[3:]) for event in reversed(log(repo))]


@pytest.mark.parametrize("seed", range(6))
def test_the_log_of_an_index_that_grew_is_that_of_one_built_at_once(repo: Repo, seed: int) -> None:
    tangled(repo, seed, 40)
    at_once = told(repo)
    shutil.rmtree(folder(repo))
    reader = PlumbingReader(str(repo.path))
    for oid in repo.line("rev-list", "--reverse", "--date-order", "HEAD").split()[::3]:
        with_index(reader, lambda index: index.tip, rev=oid)
    grown = told(repo)
    assert sorted(map(repr, grown)) == sorted(map(repr, at_once))
    assert grown == at_once


ALPHA, BETA = block("Alpha", "one long line of the first block"), block("Beta", "one long line of the second block")
DELTA = block("Delta", "words that a side brings and the merge keeps")


@pytest.mark.parametrize("first", [0, 1])
def test_a_merge_of_one_file_drops_nothing_that_it_keeps(repo: Repo, first: int) -> None:
    importer = Importer(repo)
    base = importer.commit({"MEMORY.md": memory(ALPHA, BETA)})
    changed = ALPHA.replace("one long", "another long")
    sides = [
        importer.commit({"MEMORY.md": memory(changed, BETA)}, "x", [base]),
        importer.commit({"MEMORY.md": memory(ALPHA, BETA, DELTA)}, "y", [base]),
    ]
    importer.commit({"MEMORY.md": memory(changed, BETA, DELTA)}, "main", [sides[first], sides[1 - first]])
    importer.finish()
    assert [(event.node.subject, event.change.event) for event in log(repo)] == [
        ("commit 1", "add"),
        ("commit 1", "add"),
        ("commit 1", "add"),
        ("commit 2", "edit"),
        ("commit 3", "add"),
    ]
    assert story(repo, "Delta") == [("commit 3", "add")]


def test_a_merge_that_takes_one_side_knows_the_other_sides_twin(repo: Repo) -> None:
    importer = Importer(repo)
    base = importer.commit({"MEMORY.md": memory(ALPHA)})
    one = importer.commit({"MEMORY.md": memory(ALPHA, DELTA)}, "x", [base])
    two = importer.commit({"MEMORY.md": memory(ALPHA, DELTA, BETA)}, "y", [base])
    importer.commit({"MEMORY.md": memory(ALPHA, DELTA, BETA)}, "main", [one, two])
    importer.finish()
    assert [event.change.event for event in log(repo)] == ["add"] * 5
    assert story(repo, "Delta") == [("commit 2", "add"), ("commit 3", "add")]


LINE = "- owner: the lab and nobody else"


def jobs(*titles: str, more: str = "") -> str:
    """A list of jobs that all say the same."""
    return "# Board\n\n" + "".join(f"## {title}\n\n{LINE}\n\n" for title in titles) + more


def repeated(repo: Repo, revs: Sequence[str]) -> dict[str, list[int]]:
    """For each revision the facts that its MEMORY.md has twice."""

    def ask(index: BlockIndex) -> list[int]:
        version = index.version("MEMORY.md")
        assert version is not None
        facts = [fact for piece, _lines in version.pieces for fact in piece]
        return sorted({fact for fact in facts if facts.count(fact) > 1})

    reader = PlumbingReader(str(repo.path))
    return {rev: with_index(reader, ask, rev=rev) for rev in revs}


def third_branch(repo: Repo, order: str) -> None:
    """Two branches write the same line; one branch has both lines, another one takes them for one; `order` says which of these is older."""
    importer = Importer(repo)
    base = importer.commit({"MEMORY.md": "# Board\n\n"})
    one = importer.commit({"MEMORY.md": jobs("Jobs")}, "x", [base])
    two = importer.commit({"MEMORY.md": jobs("Work")}, "y", [base])
    marks = {}
    for name in order:
        if name == "z":  # both stand here
            marks[name] = importer.commit({"MEMORY.md": jobs("Jobs", "Work")}, "z", [one, two])
        else:  # here one block stands for both
            renamed = importer.commit({"MEMORY.md": jobs("Jobs")}, "y", [two])
            marks[name] = importer.commit({"MEMORY.md": jobs("Jobs", more="- by the merge\n")}, "m", [one, renamed])
    importer.commit({"MEMORY.md": jobs("Jobs", "Work", more="- by the merge\n")}, "main", [marks["m"], marks["z"]])
    importer.finish()


@pytest.mark.parametrize("order", ["zm", "mz"])
@pytest.mark.parametrize("steps", [1, 9])
def test_facts_that_a_third_branch_has_side_by_side_are_two(repo: Repo, order: str, steps: int) -> None:
    third_branch(repo, order)
    reader = PlumbingReader(str(repo.path))
    revs = repo.line("rev-list", "--reverse", "--topo-order", "HEAD").split()
    for oid in revs[::steps]:
        with_index(reader, lambda index: index.tip, rev=oid)
    assert repeated(repo, revs) == {rev: [] for rev in revs}
    grown = told(repo)
    shutil.rmtree(folder(repo))
    assert told(repo) == grown
    assert repeated(repo, revs) == {rev: [] for rev in revs}
    lines = log(repo, LINE[2:])
    assert {event.node.subject for event in lines if event.change.event == "add"} == {"commit 2", "commit 3"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform has no fork")
@pytest.mark.parametrize("order", ["zm", "mz"])
def test_several_processes_keep_them_apart_too(repo: Repo, order: str, monkeypatch: pytest.MonkeyPatch) -> None:
    third_branch(repo, order)
    alone = told(repo)
    shutil.rmtree(folder(repo))
    monkeypatch.setattr("hoard_git.gitio.blockindex_update.MANY", 1)
    monkeypatch.setattr("hoard_git.gitio.blockindex_update.has_second_processor", lambda: True)
    assert told(repo) == alone


def test_twins_of_one_version_stay_two_when_each_side_removes_one(repo: Repo) -> None:
    importer = Importer(repo)
    base = importer.commit({"MEMORY.md": jobs("Jobs", "Work")})
    one = importer.commit({"MEMORY.md": jobs("Jobs")}, "x", [base])
    two = importer.commit({"MEMORY.md": jobs("Work").replace("Work", "Jobs")}, "y", [base])
    importer.commit({"MEMORY.md": jobs("Jobs", more="- by the merge\n")}, "main", [one, two])
    importer.finish()
    revs = repo.line("rev-list", "HEAD").split()
    assert repeated(repo, revs) == {rev: [] for rev in revs}
