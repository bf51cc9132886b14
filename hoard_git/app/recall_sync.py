"""Bringing the search index up to date: with the work tree as it stands, with a commit, with what history alone holds.

A file whose `stat` is the same is not read, one whose blob is the same is not parsed, and of one that changed only the passages that came or went
are written. A file that cannot be read is named and never passed over in silence.
"""

# ruff: noqa: PTH118 -- repository paths are text, and these functions keep odd bytes as they are

from __future__ import annotations

import os
import time
from contextlib import suppress
from hashlib import sha1

from hoard_git.app.history import find_tip, memory_rules, with_index
from hoard_git.app.spaces import find_spaces, space_of
from hoard_git.app.workspace import find_memory
from hoard_git.core.files import OTHER, classify, file_default
from hoard_git.core.markdown import parse
from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, MODE_LINK, Oid, RepoPath
from hoard_git.core.passages import Passage, bare, digest, find_passages, make_passage
from hoard_git.core.record import Record
from hoard_git.core.slugs import slug
from hoard_git.core.unwrap import unwrap
from hoard_git.errors import HoardError
from hoard_git.gitio.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.app.policies import Policies
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.blockindex import BlockIndex
    from hoard_git.gitio.plumbing import PlumbingReader
    from hoard_git.gitio.searchindex import FileRow, SearchIndex

_RACY = 2_000_000_000
"""Nanoseconds: a file changed this shortly before it was read may change again without another time stamp (git calls it racy)."""
_AT_ONCE = 200
_LINK = "is a symlink, which is not followed"


class Synced(Record):
    """What an update did: files parsed, and the files that could not be read with the reason of each."""

    parsed: int = 0
    unread: tuple[tuple[str, str], ...] = ()


class _File(Record):
    """A file to be indexed anew: content, or None when only its mark changes."""

    path: str
    file_class: str
    oid: str
    mark: str
    data: bytes | None
    number: int


def search_class(path: str, file_class: str, policy: Policy) -> str:
    """The class that a file is searched under: a packed log counts as what it would be unpacked; '' for what is not searched."""
    if file_class == OTHER:
        lower = path.lower()
        found = classify(path[:-3], policy) if lower.endswith((".md.gz", ".markdown.gz")) else ""
        return "" if found == OTHER else found
    return file_class


def read_text(raw: bytes, path: str) -> bytes:
    """What a reader of a file would see: unpacked, as UTF-8. Raises HoardError for damaged gzip."""
    found = unwrap(raw, path)
    return raw if found is None else found


def rules_mark(policies: Policies) -> str:
    """A text that changes when what counts as memory, and as whose, does."""
    governed = [policy for _prefix, policy in policies.by_prefix] or [policies.default]
    return repr([(p.prefix, p.globs, p.roots, p.owners) for p in governed])


def sync_worktree(index: SearchIndex, root: str, policies: Policies, space: str | None) -> Synced:
    """Make the index say what lies in the work tree now, committed or not; `space` limits it to one workspace."""
    known = index.files()
    if index.get("rules") != rules_mark(policies):
        with index.writing():
            index.forget_files()
            index.set("rules", rules_mark(policies))
        known = index.files()
    unread: list[tuple[str, str]] = []
    changed: list[_File] = []
    seen: set[str] = set()
    spaces = find_spaces(policies)
    for path, lying in find_memory(root, policies).items():
        file_class = search_class(path, lying.file_class, policies.govern(path))
        if space is not None and space_of(path, spaces) != space:
            continue
        if lying.mode == MODE_LINK:
            unread.append((path, _LINK))
            continue
        if not file_class:
            continue
        try:
            found = _look(root, path, file_class, known.get(path))
        except HoardError as error:
            unread.append((path, error.message.rstrip(".")))
            continue
        if found is not None:
            seen.add(path)
            if found.oid:
                changed.append(found)
    gone = [row.id for path, row in known.items() if path not in seen]
    return _write(index, changed, gone, unread, policies)


def _look(root: str, path: str, file_class: str, row: FileRow | None) -> _File | None:
    """Compare a file with what is indexed: None when it is not there any more, no oid when nothing is to be done. Raises HoardError."""
    now = time.time_ns()
    try:
        status = os.lstat(os.path.join(os.fsencode(root), path.encode("utf-8", "surrogateescape")))
    except OSError:
        return None
    mark = f"{status.st_mtime_ns} {status.st_ctime_ns} {status.st_size} {status.st_ino}"
    if row is not None and row.mark == mark and row.file_class == file_class:
        return _File(path, file_class, "", mark, None, row.id)
    if now - max(status.st_mtime_ns, status.st_ctime_ns) < _RACY:
        mark = ""
    raw = read_file(root, RepoPath(path))
    if raw is None:
        return None
    oid = sha1(b"blob %d\0" % len(raw) + raw, usedforsecurity=False).hexdigest()
    number = row.id if row is not None else 0
    if row is not None and row.oid == oid and row.file_class == file_class:
        return _File(path, file_class, oid if row.mark != mark else "", mark, None, number)
    return _File(path, file_class, oid, mark, read_text(raw, path), number)


def _write(index: SearchIndex, changed: list[_File], gone: list[int], unread: list[tuple[str, str]], policies: Policies) -> Synced:
    parsed = 0
    if changed or gone:
        with index.writing():
            for file in changed:
                if file.data is None:
                    index.mark_file(file.number, file.mark)
                    continue
                parsed += 1
                _put(index, file.path, file.file_class, file.oid, file.mark, file.data, policies.govern(file.path))
            for number in gone:
                index.drop_file(number)
    return Synced(parsed, tuple(unread))


def _put(index: SearchIndex, path: str, file_class: str, oid: str, mark: str, data: bytes, policy: Policy) -> None:
    plain = path[:-3] if path.lower().endswith(".gz") else path
    index.put_file(path, file_class, oid, mark, find_passages(parse(data), file_default(plain, file_class, policy)))


def sync_commit(index: SearchIndex, reader: PlumbingReader, commit: Oid, policies: Policies, space: str | None) -> Synced:
    """Fill an empty index with the memory files of a commit."""
    spaces = find_spaces(policies)
    wanted: list[tuple[str, str, Oid]] = []
    unread: list[tuple[str, str]] = []
    for name, (mode, oid) in sorted(reader.tree(commit).items()):
        path = str(name)
        policy = policies.govern(path)
        file_class = search_class(path, classify(path, policy), policy)
        if not file_class or (space is not None and space_of(path, spaces) != space):
            continue
        if mode in (MODE_FILE, MODE_EXECUTABLE):
            wanted.append((path, file_class, oid))
        else:
            unread.append((path, _LINK if mode == MODE_LINK else "is not a regular file"))
    with index.writing():
        for first in range(0, len(wanted), _AT_ONCE):
            part = wanted[first : first + _AT_ONCE]
            blobs = reader.blobs([oid for _path, _class, oid in part])
            for path, file_class, oid in part:
                try:
                    data = read_text(blobs[oid], path)
                except HoardError as error:
                    unread.append((path, error.message.rstrip(".")))
                    continue
                _put(index, path, file_class, oid, "", data, policies.govern(path))
    return Synced(len(wanted), tuple(unread))


def sync_past(index: SearchIndex, reader: PlumbingReader, rev: str, space: str | None, spaces: list[str]) -> None:
    """Make the index know every entry that history holds up to a revision. Raises HoardError in a shallow clone."""
    tip = find_tip(reader, rev)
    if index.get("past") != tip:
        rows = with_index(reader, lambda found: list(_past(found, space, spaces)), rev=rev)
        with index.writing():
            index.put_past(rows)
            index.set("past", tip)
    with index.writing():
        index.settle_past()


def _past(history: BlockIndex, space: str | None, spaces: list[str]) -> Iterator[tuple[Passage, str, str, str]]:
    """Each text that an entry ever had, once, at the newest commit that brought it there."""
    seen: set[bytes] = set()
    newest: dict[int, bytes] = {}
    for event in history.all_events():
        side = event.after
        if side is None:
            newest.setdefault(event.fact, b"")
            continue
        if event.kind == "heading":
            continue
        made = make_passage(side.text, [bare(side.title)] if side.title else ())
        last = newest.setdefault(event.fact, made[1])
        if made[1] in seen or not (made[4] or made[5]) or (space is not None and space_of(side.path, spaces) != space):
            continue
        seen.add(made[1])
        state = "removed" if last in (b"", made[1]) else "superseded"
        passage = Passage(digest("past", made[1].hex()), *made[1:], event.kind, side.line, side.end, slug(side.title), side.provenance)
        yield passage, side.path, history.node(event.seq).oid, state


def policies_at(reader: PlumbingReader, commit: Oid) -> Policies:
    """The policies of a commit's tree; of the work tree's own nothing counts there."""
    return memory_rules(reader, commit, None).all


def read_version(reader: PlumbingReader, path: str, commit: str) -> list[str]:
    """The lines of a file as it stands in the work tree, or at a commit; none where it cannot be read any more."""
    raw: bytes | None = None
    if commit:
        entry = reader.tree(Oid(commit), [RepoPath(path)]).get(RepoPath(path))
        raw = reader.blobs([entry[1]])[entry[1]] if entry is not None else None
    else:
        with suppress(HoardError):
            raw = read_file(reader.root(), RepoPath(path))
    return [] if raw is None else read_text(raw, path).decode("utf-8", "surrogateescape").split("\n")
