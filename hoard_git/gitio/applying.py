"""A commit put in place of the one that is checked out: branch by compare-and-swap, then the files that nobody has touched meanwhile.

A journal in the git dir says what is under way, so that whoever comes after a crash can finish it: the branch is either at the old commit or at
the new one, and a file is brought along only while it holds what it held in the old one.
"""

# ruff: noqa: PTH103, PTH105, PTH108, PTH118, PTH120, PTH123 -- repository paths are text, and these functions keep odd bytes as they are

from __future__ import annotations

import contextlib
import json
import os

from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, Oid, RepoPath
from hoard_git.core.record import Record
from hoard_git.errors import HoardError
from hoard_git.gitio.locks import wait_for_lock, with_patience
from hoard_git.gitio.process import decode_path, encode_path
from hoard_git.gitio.reader import INDEX
from hoard_git.gitio.worktree import read_file, remove_file, remove_leftovers, write_file
from hoard_git.gitio.writer import update_ref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from hoard_git.gitio.plumbing import PlumbingReader

_BUSY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply", "BISECT_LOG")


class Journal(Record):
    """What is under way: the commit that was checked out, the one that takes its place, and the ref that moves."""

    base: Oid
    commit: Oid
    ref: str


class Finished(Record):
    """How a journal that was left behind was settled. `moved` is true when the branch had moved and the files were brought along.

    `elsewhere` is true when it had moved and the work tree is at another commit now, which has no part in it. `kept` are paths that somebody had
    changed meanwhile and that stay as they are.
    """

    journal: Journal
    moved: bool
    kept: tuple[str, ...] = ()
    elsewhere: bool = False


def current_ref(reader: PlumbingReader) -> str:
    """The full name of the branch that is checked out, or HEAD when it is detached."""
    found = reader.git(("symbolic-ref", "-q", "HEAD")).finish((0, 1)).decode().strip()
    return found or "HEAD"


def checked_out(reader: PlumbingReader) -> frozenset[str]:
    """The full names of the branches that this work tree and the linked ones have checked out: moved alone, they would no longer fit their files."""
    out = reader.git(("worktree", "list", "--porcelain")).finish((0, 128)).decode("utf-8", "surrogateescape")
    return frozenset(line[7:] for line in out.split("\n") if line.startswith("branch "))


def is_bare(reader: PlumbingReader) -> bool:
    """Whether the repository has no work tree."""
    return reader.git(("rev-parse", "--is-bare-repository")).finish().strip() == b"true"


def find_busy(reader: PlumbingReader) -> str:
    """The name of a merge, rebase or the like that is under way in this work tree; '' when there is none."""
    return next((name for name in _BUSY if os.path.lexists(reader.git_path(name))), "")


def find_dirty(reader: PlumbingReader, paths: Iterable[str]) -> list[str]:
    """Those of the paths that differ from HEAD in the index or the work tree, or lie there untracked, or have something such on the way."""
    wanted = {encode_path(path) for path in paths}
    if not wanted:
        return []
    out = reader.git(
        ("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignored=matching"), at_root=True
    ).finish()
    found = {field[3:] for field in out.split(b"\0") if len(field) > 3}
    below = tuple(name.rstrip(b"/") + b"/" for name in found)
    return sorted(decode_path(name) for name in wanted if name in found or (below and name.startswith(below)))


def move_to(reader: PlumbingReader, journal: Journal, *, reason: str) -> tuple[str, ...]:
    """Move the branch from `base` to `commit` and bring index and work tree along; return the paths that somebody changed meanwhile.

    Raises, with nothing changed, RefMovedError when the branch has moved and HoardError when a file cannot be reached, for example through a
    symlink, or another process keeps the index locked. Raises HoardError when a file or the index cannot be written after that; the journal then
    says what is left to do. A bare repository has no files to bring along.
    """
    place = _journal_path(reader)
    if not is_bare(reader):
        wait_for_lock(reader.git_path("index"))
        for change in reader.changes(journal.base, journal.commit):
            read_file(reader.root(), change.path)
    _write_journal(place, journal)
    try:
        update_ref(reader, journal.ref, journal.commit, journal.base, reason=reason)
    except BaseException:
        _forget(place)
        raise
    try:
        kept = _bring_along(reader, journal)
    except HoardError as error:
        why = error.message.replace("; nothing was changed", "").removesuffix(".")
        raise HoardError(
            f"Commit {journal.commit[:12]} was made, but files or index could not be brought along: {why}.",
            f"hoard doctor --fix   (what is in the way: {error.hint or 'see above'})",
        ) from None
    _forget(place)
    return kept


def find_interrupted(reader: PlumbingReader) -> Journal | None:
    """What an earlier run has left unfinished in this work tree."""
    try:
        with open(_journal_path(reader), encoding="utf-8") as file:
            told = json.load(file)
        return Journal(Oid(told["base"]), Oid(told["commit"]), told["ref"])
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        return Journal(Oid(""), Oid(""), "")  # cut off while it was written: nothing had moved yet


def finish(reader: PlumbingReader) -> Finished | None:
    """Settle what an earlier run has left behind: bring the files along when the branch had moved, forget it when not. None: nothing was."""
    journal = find_interrupted(reader)
    if journal is None:
        return None
    kept: tuple[str, ...] = ()
    moved = has_moved(reader, journal)
    if moved:
        kept = _bring_along(reader, journal)
    _forget(_journal_path(reader))
    return Finished(journal, moved, kept, not moved and is_elsewhere(reader, journal))


def has_moved(reader: PlumbingReader, journal: Journal) -> bool:
    """Whether what is checked out holds the new commit, by whatever name: a branch may have been left for its commit meanwhile."""
    return bool(journal.ref) and _holds(reader, "HEAD", journal.commit)


def is_elsewhere(reader: PlumbingReader, journal: Journal) -> bool:
    """Whether the branch has moved and is not what is checked out now."""
    return bool(journal.ref) and not has_moved(reader, journal) and _holds(reader, journal.ref, journal.commit)


def _holds(reader: PlumbingReader, ref: str, commit: Oid) -> bool:
    out = reader.git(("rev-parse", "-q", "--verify", f"{ref}^{{commit}}")).finish((0, 1)).decode("ascii", "replace").strip()
    return out == commit or (bool(out) and reader.merge_base(commit, Oid(out)) == commit)


def _bring_along(reader: PlumbingReader, journal: Journal) -> tuple[str, ...]:
    """Write the files of the new commit over those of the old one, each only while it still is what it was."""
    if is_bare(reader):
        return ()
    changes = [change for change in reader.changes(journal.base, journal.commit) if _is_file(change.old_mode) and _is_file(change.new_mode)]
    plain = not _converts(reader, [change.path for change in changes])
    blobs = reader.blobs({oid for change in changes for oid in (change.old_oid, change.new_oid) if oid})
    staged = reader.tree(INDEX, [change.path for change in changes])
    root, kept, lines = reader.root(), [], []
    for change in changes:
        remove_leftovers(root, change.path)
        old = blobs[change.old_oid] if change.old_oid else None
        new = blobs[change.new_oid] if change.new_oid else None
        if not _replace(reader, root, change.path, old, new, plain=plain):
            kept.append(str(change.path))
            continue
        entry = staged.get(change.path)
        if (entry[1] if entry else "") == change.old_oid:
            zero = "0" * len(journal.commit)
            head = f"{change.new_mode:o} {change.new_oid}" if change.new_oid else f"0 {zero}"
            lines.append(f"{head}\t".encode() + encode_path(change.path) + b"\0")
    if lines:
        with_patience(lambda: reader.git(("update-index", "-z", "--index-info"), stdin=b"".join(lines), at_root=True).finish())
        with contextlib.suppress(HoardError):
            reader.git(("update-index", "-q", "--refresh"), at_root=True).finish((0, 1))
    return tuple(kept)


def _is_file(mode: int) -> bool:
    return mode in (0, MODE_FILE, MODE_EXECUTABLE)


def _replace(reader: PlumbingReader, root: str, path: RepoPath, old: bytes | None, new: bytes | None, *, plain: bool) -> bool:
    """Put one file's new content in place of its old one; false, with nothing changed, when it holds neither.

    Raises HoardError when it cannot be written.
    """
    there = read_file(root, path)
    if not plain:
        old = _smudged(reader, path, old)
        new = _smudged(reader, path, new)
    if there == new:
        return True
    if there != old:
        return False
    if new is None:
        remove_file(root, path, old or b"")
    else:
        write_file(root, path, new, old)
    return True


def _converts(reader: PlumbingReader, paths: Collection[RepoPath]) -> bool:
    """Whether git changes content on its way to the work tree: line ends, filters, encodings."""
    if (reader.config("core.autocrlf") or "false") != "false" or (reader.config("core.eol") or "native") == "crlf":
        return True
    names = b"".join(encode_path(path) + b"\0" for path in paths)
    asked = ("check-attr", "-z", "--stdin", "text", "eol", "filter", "working-tree-encoding", "ident", "crlf")
    out = reader.git(asked, stdin=names, at_root=True).finish()
    fields = out.split(b"\0")
    return any(value not in (b"unspecified", b"unset", b"") for value in fields[2::3])


def _smudged(reader: PlumbingReader, path: RepoPath, data: bytes | None) -> bytes | None:
    """Content as git would write it into the work tree."""
    if data is None:
        return None
    oid = reader.git(("hash-object", "--no-filters", "-w", "--stdin"), stdin=data).finish().strip().decode()
    return reader.git(["cat-file", "--filters", b"--path=" + encode_path(path), oid], at_root=True).finish()


def _journal_path(reader: PlumbingReader) -> str:
    return os.path.join(reader.git_dir(), "hoard", "applying.json")


def _write_journal(place: str, journal: Journal) -> None:
    os.makedirs(os.path.dirname(place), exist_ok=True)
    told: Mapping[str, str] = {"base": journal.base, "commit": journal.commit, "ref": journal.ref}
    with open(place + ".new", "w", encoding="utf-8") as file:
        json.dump(told, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(place + ".new", place)


def _forget(place: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(place)
