from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from hoard_git.core.model import RepoPath
from hoard_git.errors import HoardError
from hoard_git.gitio import worktree
from hoard_git.gitio.worktree import read_file, remove_file, remove_leftovers, write_file

OUTSIDE = ["/etc/passwd", "../x", "a/../../x", "", ".", "a//b", "./a", "a/", "nul\0", ".git/config", "sub/.GIT/config", ".git. /x"]


def names(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*"))


@pytest.mark.parametrize("path", ["MEMORY.md", "memory/deep/a.md", "memory/ü \t\n.md", os.fsdecode(b"bad-\xff.md")])
def test_what_is_written_is_read(tmp_path: Path, path: str) -> None:
    assert read_file(str(tmp_path), RepoPath(path)) is None
    write_file(str(tmp_path), RepoPath(path), b"\xff\r\none", None)
    assert read_file(str(tmp_path), RepoPath(path)) == b"\xff\r\none"
    write_file(str(tmp_path), RepoPath(path), b"", b"\xff\r\none")
    assert read_file(str(tmp_path), RepoPath(path)) == b""
    assert [n for n in names(tmp_path) if "hoard" in n] == []


def test_the_mode_stays_and_a_new_file_gets_the_usual_one(tmp_path: Path) -> None:
    write_file(str(tmp_path), RepoPath("new.md"), b"a", None)
    old = tmp_path / "old.md"
    old.write_bytes(b"a")
    old.chmod(0o750)
    write_file(str(tmp_path), RepoPath("old.md"), b"b", b"a")
    assert stat.S_IMODE(old.stat().st_mode) == 0o750
    (tmp_path / "plain").write_bytes(b"")
    assert (tmp_path / "new.md").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("expected", [b"other", None])
def test_a_lost_update_is_refused(tmp_path: Path, expected: bytes | None) -> None:
    (tmp_path / "a.md").write_bytes(b"theirs")
    with pytest.raises(HoardError, match="since it was read; nothing was written"):
        write_file(str(tmp_path), RepoPath("a.md"), b"ours", expected)
    with pytest.raises(HoardError, match="has gone since"):
        write_file(str(tmp_path), RepoPath("gone.md"), b"ours", b"x")
    assert (tmp_path / "a.md").read_bytes() == b"theirs"
    assert names(tmp_path) == ["a.md"]


@pytest.mark.parametrize("expected", [b"old", None])
def test_a_change_during_the_write_is_noticed(tmp_path: Path, expected: bytes | None, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.md"
    if expected is not None:
        target.write_bytes(expected)
    write = worktree._write_beside

    def slow(*args: object) -> bytes:
        made = write(*args)  # type: ignore[arg-type]
        target.write_bytes(b"theirs")
        return made

    monkeypatch.setattr(worktree, "_write_beside", slow)
    with pytest.raises(HoardError, match="nothing was written"):
        write_file(str(tmp_path), RepoPath("a.md"), b"ours", expected)
    assert target.read_bytes() == b"theirs"
    assert names(tmp_path) == ["a.md"]


def test_of_many_writers_of_a_new_file_one_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Barrier(2)
    place = worktree._place_new

    def together(directory: int, temporary: bytes, name: bytes, path: RepoPath) -> None:
        gate.wait(10)
        place(directory, temporary, name, path)

    monkeypatch.setattr(worktree, "_place_new", together)
    numbers = iter((1, 2))  # two processes
    monkeypatch.setattr(os, "getpid", lambda: next(numbers))
    won: list[bytes] = []

    def writer(data: bytes) -> None:
        try:
            write_file(str(tmp_path), RepoPath("a.md"), data, None)
            won.append(data)
        except HoardError:
            pass

    threads = [threading.Thread(target=writer, args=(data,)) for data in (b"one", b"two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert won == [(tmp_path / "a.md").read_bytes()]


def test_no_link_is_followed(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (outside / "a.md").write_bytes(b"theirs")
    (root / "link.md").symlink_to(outside / "a.md")
    (root / "folder").symlink_to(outside)
    (root / "dangling.md").symlink_to("nowhere")
    for path in map(RepoPath, ("link.md", "folder/a.md", "dangling.md")):
        acts: list[Callable[[], object]] = [
            partial(read_file, str(root), path),
            partial(write_file, str(root), path, b"ours", b"theirs"),
            partial(write_file, str(root), path, b"ours", None),
            partial(remove_file, str(root), path, b"theirs"),
        ]
        for act in acts:
            with pytest.raises(HoardError, match="symlink"):
                act()
    with pytest.raises(HoardError, match="symlink"):
        write_file(str(root), RepoPath("folder/new.md"), b"ours", None)
    assert (outside / "a.md").read_bytes() == b"theirs"
    assert names(outside) == ["a.md"]


@pytest.mark.parametrize("path", OUTSIDE)
def test_paths_outside_or_inside_a_git_dir_are_refused(tmp_path: Path, path: str) -> None:
    acts: list[Callable[[], object]] = [
        partial(read_file, str(tmp_path), RepoPath(path)),
        partial(write_file, str(tmp_path), RepoPath(path), b"", None),
        partial(remove_file, str(tmp_path), RepoPath(path), b""),
    ]
    for act in acts:
        with pytest.raises(HoardError, match=r"inside the repository|inside a git directory"):
            act()
    assert names(tmp_path) == []


def test_only_regular_files_of_sane_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for path in ("pipe", "folder"):
        with pytest.raises(HoardError, match=r"not a regular file|Is a directory"):
            read_file(str(tmp_path), RepoPath(path))
    monkeypatch.setattr(worktree, "MAX_BYTES", 3 << 20)
    (tmp_path / "fits").write_bytes(b"x" * (3 << 20))
    (tmp_path / "large").write_bytes(b"x" * ((3 << 20) + 1))
    assert len(read_file(str(tmp_path), RepoPath("fits")) or b"") == 3 << 20
    with pytest.raises(HoardError, match="larger than 3 MiB"):
        read_file(str(tmp_path), RepoPath("large"))


def test_a_file_in_the_place_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "memory").write_bytes(b"")
    with pytest.raises(HoardError, match="not a directory"):
        write_file(str(tmp_path), RepoPath("memory/a.md"), b"", None)


def test_removing_compares_too(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"new")
    with pytest.raises(HoardError, match="was changed by someone else"):
        remove_file(str(tmp_path), RepoPath("a.md"), b"old")
    remove_file(str(tmp_path), RepoPath("a.md"), b"new")
    assert names(tmp_path) == []
    with pytest.raises(HoardError, match="has gone"):
        remove_file(str(tmp_path), RepoPath("a.md"), b"new")


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.md").write_bytes(b"old")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(HoardError, match="cannot be written: No space left"):
        write_file(str(tmp_path), RepoPath("a.md"), b"new", b"old")
    assert (tmp_path / "a.md").read_bytes() == b"old"
    assert names(tmp_path) == ["a.md"]


def test_a_file_system_without_links_still_takes_new_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*args: object, **kwargs: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    write_file(str(tmp_path), RepoPath("a.md"), b"new", None)
    assert (tmp_path / "a.md").read_bytes() == b"new"


def test_where_links_cannot_be_refused_nothing_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worktree, "_NOFOLLOW", 0)
    with pytest.raises(HoardError, match="without following links"):
        read_file(str(tmp_path), RepoPath("a.md"))


def test_leftovers_of_a_killed_process_go_and_others_stay(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    dead = subprocess.Popen([sys.executable, "-c", "pass"])
    dead.wait()
    names = (f".a.md.{dead.pid}.hoard-tmp", f".a.md.{os.getpid()}.hoard-tmp", f".b.md.{dead.pid}.hoard-tmp", ".a.md.x.hoard-tmp", "a.md")
    for name in names:
        (tmp_path / "memory" / name).write_bytes(b"")

    remove_leftovers(str(tmp_path), RepoPath("memory/a.md"))
    remove_leftovers(str(tmp_path), RepoPath("gone/a.md"))

    assert sorted(path.name for path in (tmp_path / "memory").iterdir()) == sorted(names[1:])
