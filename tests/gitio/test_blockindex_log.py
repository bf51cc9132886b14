"""Reading git's log for the block index: from one end or from both, in parts of any size, whatever messages and paths hold."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from hoard_git.errors import HoardError
from hoard_git.gitio import blockindex_log
from hoard_git.gitio.blockindex_log import LoggedCommit, read_commits, read_log
from hoard_git.gitio.blockindex_stream import start_git
from hoard_git.gitio.plumbing import PlumbingReader
from tests.app.history_repos import linear
from tests.gitio.test_blockindex_ways import tangled
from tests.support.repo import Repo


def _read(repo: Repo, pathspecs: Sequence[str] = (), *, twice: bool = False, known: Sequence[str] = ()) -> list[LoggedCommit]:
    reader = PlumbingReader(str(repo.path))
    return read_log(reader, repo.line("rev-parse", "HEAD"), known, pathspecs, lambda path: path.endswith(".md"), twice=twice)


@pytest.mark.parametrize("part", [1, 97, 1 << 18])
@pytest.mark.parametrize("pathspecs", [(), (":(glob)**/*.md",)])
def test_two_gits_that_meet_have_read_what_one_reads(
    repo: Repo, part: int, pathspecs: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tangled(repo, 3, 40)
    once = _read(repo, pathspecs)
    monkeypatch.setattr(blockindex_log, "_PART", part)
    assert _read(repo, pathspecs, twice=True) == once
    assert _read(repo, pathspecs) == once
    known = [repo.line("rev-parse", "HEAD~2")]
    assert _read(repo, pathspecs, twice=True, known=known) == _read(repo, pathspecs, known=known)


def _spoil(monkeypatch: pytest.MonkeyPatch, is_spoiled: bool) -> None:
    """Let git refuse what lists from the oldest commit on, or the other one."""

    def spoiled(reader: PlumbingReader, args: Sequence[str]) -> object:
        return start_git(reader, ["log", "--no-such-option"] if ("--reverse" in args) == is_spoiled else args)

    monkeypatch.setattr(blockindex_log, "start_git", spoiled)


def test_a_second_git_that_fails_is_done_without(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    linear(repo, 20, 1)
    once = _read(repo)
    monkeypatch.setattr(blockindex_log, "_PART", 97)
    _spoil(monkeypatch, is_spoiled=True)
    assert _read(repo, twice=True) == once


def test_a_first_git_that_fails_is_told(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    linear(repo, 3, 1)
    _spoil(monkeypatch, is_spoiled=False)
    with pytest.raises(HoardError, match="could not list the history"):
        _read(repo, twice=True)


@pytest.mark.parametrize("part", [1, 7, 1 << 18])
def test_a_message_that_looks_like_the_list_is_a_message(repo: Repo, part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    head = "\x01" + "a" * 40
    repo.write("MEMORY.md", "# One\n")
    repo.git("add", "MEMORY.md")
    repo.git("commit", "-q", "-m", head)
    repo.write("\x01" + "b" * 40 + ".md", "# Two\n")
    repo.write(":100644 100644 odd.md", "# Three\n")
    repo.git("add", "-A")
    repo.git("commit", "-q", "-m", f":100644 100644 words\n\n{head}\n\nMemory-Op: add\n")
    monkeypatch.setattr(blockindex_log, "_PART", part)
    first, second = _read(repo)
    assert (first.subject, second.subject, second.op) == (head, ":100644 100644 words", "add")
    assert [change.path for change in first.changes] == ["MEMORY.md"]
    assert sorted(change.path for change in second.changes) == ["\x01" + "b" * 40 + ".md", ":100644 100644 odd.md"]

    reader = PlumbingReader(str(repo.path))
    assert [(one.oid, one.subject) for one in read_commits(reader, [second.oid, first.oid])] == [
        (second.oid, second.subject),
        (first.oid, head),
    ]
