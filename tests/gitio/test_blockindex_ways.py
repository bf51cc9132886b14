"""Every way of building the index writes the same rows: in one process or two, with pathspecs or without, by the short way or the long one."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable

import pytest

from hoard_git.app.history import with_index
from hoard_git.errors import HoardError
from hoard_git.gitio.apart import BrokenOff, apart
from hoard_git.gitio.blockindex import BlockIndex
from hoard_git.gitio.blockindex_build import Builder
from hoard_git.gitio.plumbing import PlumbingReader
from tests.app.history_repos import Importer, Life, dump, folder, linear, story
from tests.support.repo import Repo

TABLES = ("node", "person", "policy", "path", "prov", "body", "ev", "version", "piece", "known", "ident", "joined", "tip", "meta")


def tables(repo: Repo) -> dict[str, list[tuple[object, ...]]]:
    """All rows of an index that is built anew."""
    shutil.rmtree(folder(repo), ignore_errors=True)
    with_index(PlumbingReader(str(repo.path)), lambda index: index.tip)
    connection = sqlite3.connect(folder(repo) / "index.sqlite")
    try:
        return {name: connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in TABLES}
    finally:
        connection.close()


def _as_files(life: Life, gone: set[str]) -> dict[str, str | None]:
    return {**dict.fromkeys(sorted(gone)), **life.texts()}


def tangled(repo: Repo, seed: int, commits: int = 70) -> None:
    """Branches, merges of two and three, a second root, renamed and removed files, and commits that touch no memory."""
    chance, importer = random.Random(seed), Importer(repo)
    life = Life(seed, ids=seed % 2 == 0)
    tops = [importer.commit({**life.texts(), "code.py": "a = 0\n"})]
    gone: set[str] = set()
    for number in range(commits):
        act, at = chance.random(), chance.randrange(len(tops))
        if act < 0.12 and len(tops) < 4:
            tops.append(tops[at])
        elif act < 0.3 and len(tops) > 1:
            count = min(len(tops), chance.choice([2, 2, 3]))
            merged = chance.sample(range(len(tops)), count)
            if chance.random() < 0.5:
                life.step()  # a merge that differs from all of its parents
            mark = importer.commit(_as_files(life, gone), f"b{merged[0]}", [tops[n] for n in merged])
            tops = [mark, *[top for n, top in enumerate(tops) if n not in merged]]
        elif act < 0.4:
            tops[at] = importer.commit({"code.py": f"a = {number}\n"}, f"b{at}", [tops[at]])
        elif act < 0.45:
            tops.append(
                importer.commit({"memory/root.md": f"# Root {number}\n\n- a fact of another root, number {number}\n"}, f"r{number}", [])
            )
        elif act < 0.55:
            name = chance.choice(sorted(life.files))
            fresh = f"memory/renamed{number}.md"
            life.files[fresh] = life.files.pop(name)
            gone.add(name)
            tops[at] = importer.commit(_as_files(life, gone), f"b{at}", [tops[at]])
        else:
            life.step()
            tops[at] = importer.commit(_as_files(life, gone), f"b{at}", [tops[at]])
    importer.commit(life.texts(), "main", list(dict.fromkeys(tops)))
    importer.finish()


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take two processes for few commits already, whatever the machine has."""
    if not hasattr(os, "fork"):
        pytest.skip("this platform has no fork")
    monkeypatch.setattr("hoard_git.gitio.blockindex_update.MANY", 1)
    monkeypatch.setattr("hoard_git.gitio.blockindex_update.has_second_processor", lambda: True)
    monkeypatch.setattr("hoard_git.gitio.blockindex_build._FLUSH_EVERY", 7)


@pytest.mark.parametrize("seed", range(6))
def test_all_ways_write_the_same_rows(repo: Repo, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    tangled(repo, seed)
    plain = tables(repo)
    assert len(plain["ev"]) > 50
    assert len(plain["node"]) < int(repo.line("rev-list", "--count", "HEAD"))

    with monkeypatch.context() as patch:
        patch.setattr("hoard_git.app.history._MUCH", 0)
        assert tables(repo) == plain  # git narrows by pathspecs

    with monkeypatch.context() as patch:
        patch.setattr("hoard_git.gitio.blockindex_build.weave_quickly", lambda *_args: None)
        patch.setattr("hoard_git.core.versions._one_item", lambda *_args: None)
        patch.setattr("hoard_git.core.lineage.Comparison._quick", lambda *_args: False)
        assert tables(repo) == plain


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_two_processes_write_what_one_writes(repo: Repo, seed: int, two: None, monkeypatch: pytest.MonkeyPatch) -> None:
    tangled(repo, seed)
    both = tables(repo)
    monkeypatch.setattr("hoard_git.gitio.blockindex_update.has_second_processor", lambda: False)
    assert tables(repo) == both


def test_progress_is_heard_from_the_other_process(repo: Repo, two: None) -> None:
    linear(repo, 30, 1)
    heard: list[tuple[int, int]] = []
    with_index(PlumbingReader(str(repo.path)), lambda index: index.tip, progress=lambda *done: heard.append(done))
    assert heard == [(7, 29), (14, 29), (21, 29), (28, 29)]  # one of the thirty changes nothing


@pytest.mark.parametrize("how", ["killed", "fault"])
def test_a_second_process_that_ends_early_is_done_without(repo: Repo, two: None, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    linear(repo, 30, 2)
    expected = dump(repo)
    shutil.rmtree(folder(repo))
    here, commit = os.getpid(), Builder._commit

    def die(self: Builder, logged: object) -> None:
        if os.getpid() != here and self.last == 10:
            if how == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            raise ValueError(how)
        commit(self, logged)  # type: ignore[arg-type]  # handed on as it came

    monkeypatch.setattr(Builder, "_commit", die)
    assert dump(repo) == expected


def test_a_missing_object_is_told_by_the_other_process(repo: Repo, two: None) -> None:
    linear(repo, 30, 3)
    repo.git("repack", "-q", "-a", "-d")
    repo.git("unpack-objects", "-q", check=False)
    blob = repo.line("rev-parse", "HEAD~9:MEMORY.md")
    for pack in (repo.path / ".git/objects/pack").glob("*.pack"):
        data = pack.read_bytes()
        for file in (repo.path / ".git/objects/pack").iterdir():
            file.unlink()
        repo.git("unpack-objects", "-q", input=data)
    loose = repo.path / ".git/objects" / blob[:2] / blob[2:]
    loose.chmod(0o600)
    loose.unlink()
    with pytest.raises(HoardError, match="is missing"):
        story(repo, "b00001")


def test_what_is_sent_comes_in_order_and_leaving_ends_the_process() -> None:
    if not hasattr(os, "fork"):
        pytest.skip("this platform has no fork")

    def few(send: Callable[[object], None]) -> str:
        for number in range(3):
            send((number, "\udcff", b"\0"))
        return "done"

    def many(send: Callable[[object], None]) -> None:
        while True:
            send(bytes(1 << 16))

    with apart(few) as messages:
        assert list(messages) == [(0, "\udcff", b"\0"), (1, "\udcff", b"\0"), (2, "\udcff", b"\0")]
    assert messages.result == "done"

    with apart(many) as endless:
        assert next(iter(endless)) == bytes(1 << 16)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)  # nobody is left behind

    with apart(lambda _send: sys.exit(3)) as quiet, pytest.raises(BrokenOff):
        list(quiet)


def _boards(repo: Repo, seed: int) -> None:
    """Branches of a task list whose blocks all say the same, sorted differently and merged again and again."""
    chance, importer = random.Random(seed), Importer(repo)
    names = [f"### Task {n}" for n in range(4)]

    def text(order: list[str]) -> str:
        return "# Board\n\n" + "".join(f"{name}\n- owner: lab\n- created: today\n- owner: desk\n\n" for name in order)

    sides = [(importer.commit({"MEMORY.md": text(names)}), names)] * 2
    for number in range(25):
        at = number % 2
        mark, order = sides[at]
        order = chance.sample(order, len(order))
        order[chance.randrange(len(order))] = f"### Job {chance.randrange(12)} of {chance.choice('abc')}"
        if chance.random() < 0.4:
            order.insert(chance.randrange(len(order)), f"### Fresh {number}")
        parents = [mark] if chance.random() < 0.6 else [mark, sides[1 - at][0]]
        order = list(dict.fromkeys(order))
        after = importer.commit({"MEMORY.md": text(order)}, f"b{at}", list(dict.fromkeys(parents)))
        sides = [(after, order) if n == at else side for n, side in enumerate(sides)]
    importer.commit({"MEMORY.md": text(sides[0][1])}, "main", [mark for mark, _order in sides])
    importer.finish()


@pytest.mark.parametrize("seed", range(4))
def test_no_version_has_a_fact_twice(repo: Repo, seed: int) -> None:
    _boards(repo, seed)

    def repeated(index: BlockIndex) -> list[int]:
        version = index.version("MEMORY.md")
        assert version is not None
        facts = [fact for piece, _lines in version.pieces for fact in piece]
        return [fact for fact in facts if facts.count(fact) > 1]

    reader = PlumbingReader(str(repo.path))
    for rev in repo.line("rev-list", "HEAD").split()[::5]:
        assert with_index(reader, repeated, rev=rev) == [], rev
