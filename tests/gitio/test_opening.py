"""Where HEAD is, told from files: the same as git says, or nothing."""

from __future__ import annotations

import os

import pytest

from hoard_git.app.history import with_index
from hoard_git.errors import HoardError
from hoard_git.gitio.blockindex import BlockIndex
from hoard_git.gitio.opening import read_head
from hoard_git.gitio.plumbing import PlumbingReader
from tests.gitio.shapes import SHAPES, Shape
from tests.support.repo import Repo


def _read(repo: Repo) -> str:
    return read_head(PlumbingReader(str(repo.path)))


def _tip(index: BlockIndex) -> str:
    return index.tip


@pytest.mark.parametrize("shape", list(SHAPES), indirect=True)
def test_it_is_what_git_says(shape: Shape) -> None:
    asked = shape.repo.git("config", "--local", "--get-regexp", "^extensions[.]", check=False).stdout or not shape.born
    assert _read(shape.repo) == ("" if asked else shape.repo.head())


def test_loose_refs_go_before_packed_ones(repo: Repo) -> None:
    old = repo.commit("one\n", {"MEMORY.md": "- a\n"})
    repo.git("branch", "mai")
    repo.git("pack-refs", "--all")
    assert not (repo.path / ".git/refs/heads/main").exists()
    assert _read(repo) == old
    new = repo.commit("two\n", {"MEMORY.md": "- b\n"})
    assert _read(repo) == new
    repo.git("pack-refs", "--all")
    assert _read(repo) == new
    repo.git("symbolic-ref", "HEAD", "refs/heads/mai")
    assert _read(repo) == old


@pytest.mark.parametrize("name", ["topic/a b\u00e9".replace(" ", "-"), "main.lock2", "deep/er/still"])
def test_names_of_branches(repo: Repo, name: str) -> None:
    repo.commit("one\n", {"MEMORY.md": "- a\n"})
    repo.git("checkout", "-q", "-b", name)
    oid = repo.commit("two\n", {"MEMORY.md": "- b\n"})
    assert _read(repo) == oid
    repo.git("pack-refs", "--all")
    assert _read(repo) == oid


def test_branches_that_follow_another_are_left_to_git(repo: Repo) -> None:
    oid = repo.commit("one\n", {"MEMORY.md": "- a\n"})
    repo.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    repo.git("symbolic-ref", "HEAD", "refs/heads/alias")
    assert _read(repo) == ""
    assert with_index(PlumbingReader(str(repo.path)), _tip) == oid


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ref: refs/heads/../../outside\n",
        "ref: refs/heads//main\n",
        "ref: refs/remotes/origin/main\n",
        "ref: refs/heads/gone\n",
        "ref: refs/heads\n",
        "ref: /etc/hostname\n",
        "f" * 39 + "\n",
        "F" * 40 + "\n",
        "f" * 40 + " and more\n",
    ],
)
def test_odd_heads_are_left_to_git(repo: Repo, text: str) -> None:
    oid = repo.commit("one\n", {"MEMORY.md": "- a\n"})
    (repo.path / ".git/outside").write_text(oid + "\n")
    reader = PlumbingReader(str(repo.path))
    assert read_head(reader) == oid
    (repo.path / ".git/HEAD").write_text(text)
    assert read_head(reader) == ""


def test_other_ways_of_keeping_refs_are_left_to_git(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    oid = repo.commit("one\n", {"MEMORY.md": "- a\n"})
    assert _read(repo) == oid
    monkeypatch.setenv("GIT_REFERENCE_BACKEND", "reftable")
    assert _read(repo) == ""
    monkeypatch.delenv("GIT_REFERENCE_BACKEND")
    config = repo.path / ".git/config"
    config.write_text(config.read_text() + "[Extensions]\n\tRefStorage = files\n")
    assert _read(repo) == ""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory away")
@pytest.mark.parametrize("path", [".", ".git"])
def test_somebody_elses_repository_is_left_to_git(repo: Repo, path: str) -> None:
    oid = repo.commit("one\n", {"MEMORY.md": "- a\n"})
    reader = PlumbingReader(str(repo.path))
    assert with_index(reader, _tip) == oid
    os.chown(repo.path / path, 65534, 65534)
    assert read_head(reader) == ""
    with pytest.raises(HoardError, match="ownership"):
        with_index(reader, _tip)


def test_a_repository_of_another_user_is_left_to_git(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    oid = repo.commit("one\n", {"MEMORY.md": "- a\n"})
    reader = PlumbingReader(str(repo.path))
    assert read_head(reader) == oid
    user = os.geteuid()
    monkeypatch.setattr("os.geteuid", lambda: user + 1)
    assert read_head(reader) == ""


def test_a_commit_that_was_lost_is_no_tip(repo: Repo) -> None:
    known = repo.commit("one\n", {"MEMORY.md": "- a\n"})
    reader = PlumbingReader(str(repo.path))
    assert with_index(reader, _tip) == known
    lost = repo.commit("two\n", {"MEMORY.md": "- b\n"})
    (repo.path / ".git/objects" / lost[:2] / lost[2:]).unlink()
    assert _read(repo) == lost
    with pytest.raises(HoardError, match="HEAD is broken"):
        with_index(reader, _tip)
    repo.git("update-ref", "HEAD", known)
    assert with_index(reader, _tip) == known


def test_a_head_that_moved_while_the_index_was_opened_is_asked_for_again(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit("one\n", {"MEMORY.md": "- a\n"})
    newest = repo.commit("two\n", {"MEMORY.md": "- b\n"})
    monkeypatch.setattr("hoard_git.app.history.read_head", lambda _reader: repo.head("HEAD~1"))
    assert with_index(PlumbingReader(str(repo.path)), _tip) == newest
