"""Versions of memory files as the history keeps them: pieces with the fact number of every unit.

A unit is a heading or an entry; its fact number stays with it through rewording, moves and returns. All of it is plain values: reading
git and storing is gitio's, deciding what is the same is core.lineage's.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate

from hoard_git.core.chunks import may_have_front

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.chunks import Chunk, Chunks
    from hoard_git.core.units import Change


class Piece:
    """One piece of one version. `facts` are those of its headings, then of its entries.

    `key` is the number under which a store has kept it, 0 while it has not.
    """

    __slots__ = ("chunk", "facts", "key")

    def __init__(self, chunk: Chunk, facts: tuple[int, ...], key: int = 0) -> None:
        """Keep the values as they are."""
        self.chunk = chunk
        self.facts = facts
        self.key = key


class Version:
    """One version of one file. `oid` names its blob.

    `keys` are for a store: the numbers of the pieces as it writes them down. Only the piece `changed` has another one, -1 when `keys` fit or
    are empty. `tops` are the numbers of lines above the pieces, None until somebody asks.
    """

    __slots__ = ("_data", "_ends", "changed", "keys", "oid", "pieces", "tops")

    def __init__(self, oid: str, data: bytes | None, pieces: list[Piece]) -> None:
        """Keep the pieces; without `data` they are joined when somebody asks for it."""
        self.oid = oid
        self._data = data
        self.pieces = pieces
        self._ends: list[int] | None = None
        self.keys: bytes = b""
        self.changed = -1
        self.tops: list[int] | None = None

    @property
    def data(self) -> bytes:
        """All of its bytes."""
        if self._data is None:
            self._data = b"".join([piece.chunk.data for piece in self.pieces])
        return self._data

    @property
    def ends(self) -> list[int]:
        """The byte offsets behind its pieces."""
        if self._ends is None:
            self._ends = list(accumulate([len(piece.chunk.data) for piece in self.pieces]))
        return self._ends

    def replaced(self, blob: tuple[str, bytes | None], number: int, piece: Piece) -> Version:
        """The version that has another piece at one place, made without joining everything again; `blob` is its oid and bytes."""
        found = Version.__new__(Version)
        found.oid, found._data = blob  # noqa: SLF001 - its own class
        pieces = found.pieces = self.pieces.copy()
        found.keys, found.changed = self.keys, number
        gone, came = pieces[number].chunk, piece.chunk
        longer, more = len(came.data) - len(gone.data), came.lines - gone.lines
        pieces[number] = piece
        ends = self._ends
        if longer and ends is not None:
            ends = ends[:number] + [at + longer for at in ends[number:]]
        found._ends = ends  # noqa: SLF001 - its own class
        tops = self.tops
        found.tops = tops if not more or tops is None else tops[: number + 1] + [top + more for top in tops[number + 1 :]]
        return found

    def above(self, number: int) -> int:
        """How many lines stand above a piece."""
        if self.tops is None:
            self.tops = [0, *accumulate([piece.chunk.lines for piece in self.pieces])]
        return self.tops[number]

    def facts(self) -> set[int]:
        """The facts of all units."""
        return {fact for piece in self.pieces for fact in piece.facts}


class Splice:
    """How a new version differs from an old one by pieces: `old[first:stop]` became `new`.

    Where that is one piece for one and an entry is all that differs, `entry` has its numbers before and after, -1 for none. `is_read` says
    that somebody has looked already what happened in a commit that changed nothing else (core.quickblocks): `changes` are it where little is
    all. Then without `entry` blocks changed places: `order` has the old number of each of `new`, -1 for one that came.
    """

    __slots__ = ("changes", "entry", "first", "is_read", "new", "order", "stop")

    def __init__(self, first: int, stop: int, new: list[Chunk], entry: tuple[int, int] | None = None) -> None:
        """Keep the values as they are."""
        self.changes: list[Change] | None = None
        self.entry = entry
        self.is_read = False
        self.order: list[int] = []
        self.first = first
        self.stop = stop
        self.new = new


def splice(old: Version | None, data: bytes, chunks: Chunks) -> Splice:
    """Cut only what differs between a version and new bytes; linear in what changed, apart from finding it. All of a file that is new."""
    if old is None:
        return Splice(0, 0, list(chunks.cut(data)))
    before = old.data
    pieces = old.pieces
    if not pieces or may_have_front(data) or may_have_front(before):
        return _shrink(old, Splice(0, len(pieces), chunks.cut(data)))
    ends = old.ends
    quick = _one_item(old, data, chunks)
    if quick is not None:
        return quick
    head = common_head(before, data)
    tail = common_tail(before, data, head)
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


def _one_item(old: Version, data: bytes, chunks: Chunks) -> Splice | None:
    """The splice of a version that differs by one item of a plain list: most are like that, and then nothing needs to be read again."""
    before, ends = old.data, old.ends
    start, number, high = 0, 0, len(ends)
    while number < high:
        middle = (number + high) // 2
        end = ends[middle]
        if data.startswith(before[start:end], start):
            number, start = middle + 1, end
        else:
            high = middle
    if number == len(ends):
        return None
    stop = ends[number] + len(data) - len(before)
    if stop <= start or not data.endswith(before[ends[number] :]):
        return None
    found = chunks.change(old.pieces[number].chunk, data[start:stop])
    return Splice(number, number + 1, [found[0]], found[1:]) if found is not None else None


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


def common_head(one: bytes, other: bytes) -> int:
    """The length of the common beginning."""
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


def common_tail(one: bytes, other: bytes, head: int) -> int:
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


def moves_what_follows(old: Version, cut: Splice) -> bool:
    """Whether the pieces behind a splice of siblings stand under another heading now, or under the same one with another tag.

    Of siblings, which are pieces of one heading each, all of one level, only the last encloses anything behind the splice.
    """
    if cut.stop >= len(old.pieces):
        return False
    before, after = old.pieces[cut.first : cut.stop], cut.new
    last = after[-1] if after else before[-1].chunk if before else None
    following = old.pieces[cut.stop].chunk
    level = following.level or (following.headings[0].level if following.heads else 0)
    if last is None or level <= last.level:
        return False
    if not before or not after:
        return True
    # none in what stands above the first heading, several where one is underlined
    one, other = ([(found.level, found.title, found.tag) for found in chunk.headings] for chunk in (before[-1].chunk, after[-1]))
    return one != other
