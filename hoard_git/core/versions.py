"""Versions of memory files as the history keeps them: pieces with the fact number of every unit and the commit number of every line.

A unit is a heading or an entry; its fact number stays with it through rewording, moves and returns. All of it is plain values: reading
git and storing is gitio's, deciding what is the same is core.lineage's.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate

from hoard_git.core.chunks import may_have_front

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.core.chunks import Chunk, Chunks

_MOST_PLACES = 50


class Piece:
    """One piece of one version. `facts` are those of its headings, then of its entries; `origins` the commit of each line.

    `key` is the number under which a store has kept it, 0 while it has not.
    """

    __slots__ = ("chunk", "facts", "key", "origins")

    def __init__(self, chunk: Chunk, facts: tuple[int, ...], origins: tuple[int, ...], key: int = 0) -> None:
        """Keep the values as they are."""
        self.chunk = chunk
        self.facts = facts
        self.origins = origins
        self.key = key


class Version:
    """One version of one file. `oid` names its blob."""

    __slots__ = ("_places", "data", "ends", "oid", "pieces", "rows", "starts")

    def __init__(self, oid: str, data: bytes, pieces: list[Piece], rows: list[str] | None = None) -> None:
        """Join the pieces' lines, or take them as `rows` where they are known.

        `starts` are the 0-based numbers of the pieces' first lines, and the number of lines; `ends` the byte offsets behind the pieces.
        """
        self.oid = oid
        self.data = data
        self.pieces = pieces
        self.rows: list[str] = [row for piece in pieces for row in piece.chunk.rows] if rows is None else rows
        self.starts: list[int] = [0, *accumulate([len(piece.chunk.rows) for piece in pieces])]
        self.ends: list[int] = list(accumulate([len(piece.chunk.data) for piece in pieces]))
        self._places: dict[str, list[int]] | None = None

    def replaced(self, blob: tuple[str, bytes], number: int, piece: Piece) -> Version:
        """The version that has another piece at one place, made without joining everything again; `blob` is its oid and bytes."""
        old = self.pieces[number]
        found = Version.__new__(Version)
        found.oid, found.data = blob
        found.pieces = self.pieces.copy()
        found.pieces[number] = piece
        start, stop = self.starts[number], self.starts[number + 1]
        found.rows = self.rows.copy()
        found.rows[start:stop] = piece.chunk.rows
        more, longer = len(piece.chunk.rows) - (stop - start), len(piece.chunk.data) - len(old.chunk.data)
        found.starts = self.starts if not more else self.starts[: number + 1] + [at + more for at in self.starts[number + 1 :]]
        found.ends = self.ends if not longer else self.ends[:number] + [at + longer for at in self.ends[number:]]
        found._places = None  # noqa: SLF001 - its own class
        return found

    def places(self) -> dict[str, list[int]]:
        """Where each line stands, the first fifty places of it."""
        if self._places is None:
            self._places = {}
            for number, row in enumerate(self.rows):
                known = self._places.setdefault(row, [])
                if len(known) < _MOST_PLACES:
                    known.append(number)
        return self._places

    def origins(self) -> list[int]:
        """The commit number of every line."""
        return [origin for piece in self.pieces for origin in piece.origins]

    def facts(self) -> set[int]:
        """The facts of all units."""
        return {fact for piece in self.pieces for fact in piece.facts}


class Splice:
    """How a new version differs from an old one by pieces: `old[first:stop]` became `new`."""

    __slots__ = ("first", "new", "stop")

    def __init__(self, first: int, stop: int, new: list[Chunk]) -> None:
        """Keep the values as they are."""
        self.first = first
        self.stop = stop
        self.new = new


def splice(old: Version, data: bytes, chunks: Chunks) -> Splice:
    """Cut only what differs between a version and new bytes; linear in what changed, apart from finding it."""
    before = old.data
    pieces = old.pieces
    if not pieces or may_have_front(data) or may_have_front(before):
        return _shrink(old, Splice(0, len(pieces), chunks.cut(data)))
    ends = old.ends
    head = _common_head(before, data)
    tail = _common_tail(before, data, head)
    first = min(bisect_right(ends, head), len(pieces) - 1)
    if first and head == ends[first - 1]:
        first -= 1
    start = ends[first - 1] if first else 0
    stop = min(bisect_left(ends, len(before) - tail) + 1, len(pieces))
    shift = len(data) - len(before)
    while stop < len(pieces) and (ends[stop - 1] + shift <= start or data[ends[stop - 1] + shift - 1] != 10):
        stop += 1
    found = Splice(first, stop, [])

    def following() -> Iterator[bytes]:
        while found.stop < len(pieces):
            found.stop += 1
            yield pieces[found.stop - 1].chunk.data

    found.new = chunks.cut(data[start : ends[stop - 1] + shift], following(), top=start == 0)
    return _shrink(old, found)


def _shrink(old: Version, found: Splice) -> Splice:
    """Leave out what is the same at both ends."""
    new, pieces = found.new, old.pieces
    head = 0
    while found.first < found.stop and head < len(new) and pieces[found.first].chunk.data == new[head].data:
        found.first += 1
        head += 1
    stop = len(new)
    while found.first < found.stop and stop > head and pieces[found.stop - 1].chunk.data == new[stop - 1].data:
        found.stop -= 1
        stop -= 1
    found.new = new[head:stop]
    return found


def _common_head(one: bytes, other: bytes) -> int:
    low, high = 0, min(len(one), len(other))
    if one[:high] == other[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle
    return low


def _common_tail(one: bytes, other: bytes, head: int) -> int:
    """The length of the common end behind the common head."""
    low, high = 0, min(len(one), len(other)) - head
    a, b = len(one), len(other)
    if not high or one[a - high :] == other[b - high :]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if one[a - middle : a - low] == other[b - middle : b - low]:
            low = middle
        else:
            high = middle
    return low


def whole(chunks: Sequence[Chunk]) -> Splice:
    """The splice of a file that was not there before."""
    return Splice(0, 0, list(chunks))
