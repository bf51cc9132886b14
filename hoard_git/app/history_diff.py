"""`hoard diff`: what changed between two commits, or a commit and the work tree, block by block. Needs no index."""

from __future__ import annotations

import os
from contextlib import suppress

from hoard_git.app.history import memory_rules
from hoard_git.app.history_log import BlockChange, Titles, block_changes
from hoard_git.core.chunks import Chunks
from hoard_git.core.knownfacts import Event
from hoard_git.core.lineage import FileChange
from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, Oid, RepoPath
from hoard_git.core.shellwords import shell_word
from hoard_git.core.versions import Piece, Version, splice
from hoard_git.core.weaving import weave
from hoard_git.errors import HoardError
from hoard_git.gitio.blockindex import EventRow, Side
from hoard_git.gitio.reader import WORKTREE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.core.units import Unit
    from hoard_git.gitio.plumbing import PlumbingReader

_REGULAR = (MODE_FILE, MODE_EXECUTABLE)


class _Forgetful:
    """A memory of facts that knows nothing: two trees are compared without what was before them."""

    def __init__(self) -> None:
        self._next = 0

    def new_fact(self) -> int:
        self._next += 1
        return self._next

    def by_id(self, _name: str) -> Sequence[int]:
        return ()

    def by_text(self, _title: str, _text: str) -> Sequence[int]:
        return ()

    def places(self, _fact: int) -> Sequence[str]:
        return ()

    def born(self, _fact: int) -> Sequence[int]:
        return ()

    def age(self, _commit: int) -> tuple[int, str]:
        return 0, ""

    def met(self, _one: int, _other: int) -> bool:
        return False

    def removals(self, _fact: int) -> Sequence[int]:
        return ()

    def changes(self, _fact: int) -> Sequence[int]:
        return ()

    def note(self, event: Event, commit: int) -> None:
        pass

    def now(self, fact: int) -> int:
        return fact

    def all_now(self, facts: tuple[int, ...]) -> tuple[int, ...]:
        return facts

    def part(self, _one: int, _other: int) -> None:
        pass

    def join(self, one: int, _other: int) -> int:
        return one


def find_ends(reader: PlumbingReader, text: str | None, path: str = "") -> tuple[Oid | None, Oid | None]:
    """Resolve `A..B`, `A...B`, `A` (to the work tree) or nothing (HEAD to the work tree); None for the second is the work tree.

    `path` is the text as a repository path, should it be one. Raises HoardError for what is no commit, and where there is no work tree.
    """
    if (text is None or ".." not in text) and reader.root() == reader.git_dir():
        raise HoardError("There are no files here to compare with: the repository is bare.", "hoard diff --at HEAD")
    if text is None:
        return reader.head(), None
    if path and os.path.lexists(os.path.join(reader.root(), path)):  # noqa: PTH118 - text paths
        with suppress(HoardError):
            return reader.resolve(text), None
        raise HoardError(f"{text[:80]!r} is a path; hoard diff compares commits.", f"hoard log -n 5 -- {shell_word(path)}")
    if "..." in text:
        start, _, end = text.partition("...")
        one, other = reader.resolve(start or "HEAD"), reader.resolve(end or "HEAD")
        base = reader.merge_base(one, other)
        if base is None:
            raise HoardError(f"The two ends of {text[:80]!r} have no common ancestor.", "hoard diff A..B")
        return base, other
    if ".." in text:
        start, _, end = text.partition("..")
        return reader.resolve(start or "HEAD"), reader.resolve(end or "HEAD")
    return reader.resolve(text), None


def read_diff(reader: PlumbingReader, before: Oid | None, after: Oid | None) -> list[BlockChange]:
    """Compare two commits (None for `before` is an empty tree, for `after` the work tree), in the order of the files."""
    listed = reader.changes(before, after or WORKTREE)
    governing = after or before
    rules = memory_rules(reader, governing, None) if governing else memory_rules(reader, "", "")
    listed = [change for change in listed if rules.classify(change.path)]
    oids = {c.old_oid for c in listed if c.old_mode in _REGULAR} | {c.new_oid for c in listed if c.new_mode in _REGULAR and c.new_oid}
    blobs = reader.blobs(sorted(oids))
    chunks, memory = Chunks(), _Forgetful()
    changes: list[FileChange] = []
    versions: dict[str, Version] = {}
    news: dict[str, tuple[str, bytes]] = {}
    for change in listed:
        file_class = rules.classify(change.path)
        old = None
        if change.old_mode in _REGULAR:
            data = blobs[change.old_oid]
            pieces = [Piece(c, tuple(memory.new_fact() for _ in range(c.size))) for c in chunks.cut(data)]
            old = versions[change.path] = Version(change.old_oid, data, pieces)
        cut = None
        new = _new_bytes(reader, change.path, change.new_oid, blobs) if change.new_mode in _REGULAR else None
        if new is not None:
            cut = splice(old, new, chunks)
            news[change.path] = (str(change.new_oid), new)
        if old is not None or cut is not None:
            changes.append(FileChange(change.path, file_class, rules.default(change.path, file_class), old, cut))
    if not changes:
        return []
    events, _versions = weave(2, [(1, versions)], [changes], memory, lambda _one, _other: False, news)
    return list(block_changes([_row(event) for event in events], Titles(None)))


def _new_bytes(reader: PlumbingReader, path: RepoPath, oid: Oid, blobs: dict[Oid, bytes]) -> bytes | None:
    if oid:
        return blobs[oid]
    from hoard_git.gitio.worktree import read_file

    return read_file(reader.root(), path)


def _row(event: Event) -> EventRow:
    return EventRow(
        2,
        event.fact,
        next(unit.kind for unit in (event.after, event.before) if unit is not None),
        event.op,
        event.also,
        event.owner_before,
        event.owner_after,
        _side(event.before, event.old_line, event.old_end),
        _side(event.after, event.line, event.end),
    )


def _side(unit: Unit | None, line: int, end: int) -> Side | None:
    return Side(unit.path, unit.title, unit.text, unit.provenance, line, end) if unit is not None else None
