"""Reads file versions ahead of a build of the block index, in a process of its own: what each differs by from the one before of its path.

Reading and cutting versions needs nothing that is known about facts. So the build forks a reader that goes through a list of versions in
the build's order, and gets for each a cut: the pieces that changed, and, where one entry is all, what happened to it. A cut is worth
something only while the build has the version before, too; where histories branch it looks for itself.
"""

from __future__ import annotations

from array import array
from itertools import chain

from hoard_git.core.chunks import Chunk
from hoard_git.core.lineage import FileChange
from hoard_git.core.provenance import Provenance
from hoard_git.core.quickblocks import look_quickly
from hoard_git.core.units import Change, Unit
from hoard_git.core.versions import Piece, Splice, Version, splice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hoard_git.core.chunks import Chunks
    from hoard_git.core.tags import Tag
    from hoard_git.gitio.blockindex_log import LoggedCommit
    from hoard_git.gitio.blockindex_stream import Blobs

    Kind = Callable[[str], tuple[str, Tag | None, bool]]
    """The class of a path, what it counts as untagged, and whether it is a policy (`Builder._kind`)."""

    PieceValues = tuple[bytes, int, int, int]
    """The bytes of a piece, its lines, headings and units."""

    UnitValues = tuple[object, ...]

    CutValues = tuple[
        int,
        int,
        list[PieceValues | int],
        tuple[int, int] | None,
        list[tuple[str, UnitValues | None, UnitValues | None, tuple[str, ...]]] | None,
    ]
    """First and last piece, what stands there now (a piece that stood elsewhere by its old number), the entry that differs, and what happened;
    None for the last where more differs."""

_AT_ONCE = 200
_make = tuple.__new__


class Plan:
    """The versions that a build will ask for, in few values: a process that is forked off then need not touch the list of commits."""

    __slots__ = ("_alone", "_oids", "_paths", "_places")

    def __init__(self, commits: Sequence[LoggedCommit], kind: Kind) -> None:
        """Note every change of memory by a commit with one parent or none."""
        numbers: dict[str, int] = {}
        oids: list[str] = []
        self._alone = bytearray()
        self._places = array("I")
        for commit in commits:
            listed = [change for change in commit.changes if kind(change.path)[0]] if len(commit.parents) < 2 else []
            for path, oid in listed:
                self._alone.append(len(listed) == 1)
                self._places.append(numbers.setdefault(path, len(numbers)))
                oids.append(oid)
        self._oids = "\n".join(oids)
        self._paths = list(numbers)

    def blobs(self) -> list[str]:
        """The versions that are there, in order."""
        return self._oids.split()

    def __iter__(self) -> Iterator[tuple[int, str, str]]:
        """Whether it is all that a commit changed, its path and its blob, '' where the file went."""
        if self._alone:
            yield from zip(self._alone, map(self._paths.__getitem__, self._places), self._oids.split("\n"), strict=True)


def read_ahead(plan: Plan, blobs: Blobs, chunks: Chunks, kind: Kind, send: Callable[[object], None]) -> None:
    """Send a cut for every version of the plan that is there, in its order. Raises HoardError for one that is missing."""
    blobs.announce(plan.blobs())
    last: dict[str, Version] = {}
    found: list[CutValues] = []
    try:
        for alone, path, oid in plan:
            if not oid:
                last.pop(path, None)
                continue
            data, old = blobs.get(oid), last.get(path)
            cut = splice(old, data, chunks)
            changes = None
            if alone and old is not None:
                file_class, default, _is_policy = kind(path)
                if look_quickly(_make(FileChange, (path, file_class, default, old, cut, ()))):
                    changes = [_written(one) for one in cut.changes or ()]
            found.append((cut.first, cut.stop, _pieces(cut), cut.entry if changes is not None else None, changes))
            last[path] = _next(old, oid, data, cut)
            if len(found) >= _AT_ONCE:
                send(found)
                found = []
        send(found)
    finally:
        blobs.close()


def _pieces(cut: Splice) -> list[PieceValues | int]:
    if cut.order:
        return [
            number if number >= 0 else (chunk.data, chunk.lines, chunk.heads, chunk.size)
            for chunk, number in zip(cut.new, cut.order, strict=True)
        ]
    return [(chunk.data, chunk.lines, chunk.heads, chunk.size) for chunk in cut.new]


def _next(old: Version | None, oid: str, data: bytes, cut: Splice) -> Version:
    new = [Piece(chunk, ()) for chunk in cut.new]
    if old is None:
        return Version(oid, data, new)
    if len(new) == 1 and cut.stop - cut.first == 1:
        return old.replaced((oid, data), cut.first, new[0])
    return Version(oid, data, [*old.pieces[: cut.first], *new, *old.pieces[cut.stop :]])


def _written(change: Change) -> tuple[str, UnitValues | None, UnitValues | None, tuple[str, ...]]:
    kind, before, after, also, _carried = change
    return kind, _unit_values(before), _unit_values(after), also


def _unit_values(unit: Unit | None) -> UnitValues | None:
    return (*unit[:7], unit[7][:], *unit[8:]) if unit is not None else None


class Cuts:
    """The cuts that another process sends, on the side of the build."""

    __slots__ = ("_chunks", "_cuts", "_last")

    def __init__(self, messages: Iterable[list[CutValues]], chunks: Chunks) -> None:
        """Read nothing yet. Pieces are parsed by `chunks`, those that somebody asks for."""
        self._cuts = chain.from_iterable(messages)
        self._chunks = chunks
        self._last: dict[str, str] = {}

    def take(self, path: str, oid: str, old: Version | None) -> Splice | None:
        """The cut of the next version of the plan; None where it was made against another version than `old`."""
        before = self._last.pop(path, "")
        if not oid:
            return None
        first, stop, pieces, entry, changes = next(self._cuts)
        self._last[path] = oid
        if before != (old.oid if old is not None else ""):
            return None
        read = self._chunks.read
        if old is not None and changes is not None and entry is None:
            new = [old.pieces[values].chunk if isinstance(values, int) else Chunk.unread(*values, read) for values in pieces]
            found = Splice(first, stop, new)
            found.order = [values if isinstance(values, int) else -1 for values in pieces]
        else:
            found = Splice(first, stop, [Chunk.unread(*values, read) for values in pieces if not isinstance(values, int)], entry)
        found.changes = [_change(*values) for values in changes] if changes is not None else None
        found.is_read = True
        return found


def _change(kind: str, before: UnitValues | None, after: UnitValues | None, also: tuple[str, ...]) -> Change:
    return _make(Change, (kind, _unit(before), _unit(after), also, False))


def _unit(values: UnitValues | None) -> Unit | None:
    return _make(Unit, (*values[:7], _make(Provenance, values[7]), *values[8:])) if values is not None else None  # type: ignore[arg-type]  # as _unit_values gives them
