"""Follows every heading and entry from one commit to the next: which unit of the new version is which unit of the old one.

core.align decides, over the changed pieces only. An entry without a provenance tag of its own is part of its block; an entry with one is
a block of its own (`owner`).
"""

from __future__ import annotations

from hoard_git.core.align import Alignment, Side
from hoard_git.core.byid import by_id
from hoard_git.core.document import NO_PARENT, Document, Entry, Heading
from hoard_git.core.quickpair import QuickPairs, find_pairs, quick_changes
from hoard_git.core.record import Record
from hoard_git.core.versions import moves_what_follows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hoard_git.core.chunks import Chunk
    from hoard_git.core.sections import File
    from hoard_git.core.tags import Tag
    from hoard_git.core.units import Change, Unit
    from hoard_git.core.versions import Piece, Splice, Version

    Place = tuple[str, int, int]
    """Path, number of the piece in its version, number of the unit in its piece (headings first)."""


class FileChange(Record):
    """One changed file: `old` is None for a new one, `splice` None for one that went, with `new` the pieces of the whole new version."""

    path: str
    file_class: str
    default: Tag | None
    old: Version | None
    splice: Splice | None
    new: Sequence[Chunk] = ()

    @property
    def sides(self) -> tuple[Version, Splice]:
        """The old version and what became of it; ValueError for a file that is new or went."""
        if self.old is None or self.splice is None:
            raise ValueError("a file that is new or went has one side")
        return self.old, self.splice


class Step(Record):
    """What happened to one unit. `fact` is its number, 0 for one that nobody has seen; places and lines are 0 or None where it is not.

    `owner_before` and `owner_after` are places of the block that it belongs to, None for what stands above all headings.
    """

    change: Change
    fact: int
    before: Place | None
    after: Place | None
    owner_before: Place | None
    owner_after: Place | None


class _Half:
    """The changed part of one side of one file as a Document, with the way back from its units to places."""

    def __init__(
        self, change: FileChange, pieces: Sequence[tuple[int, Chunk]], prefix: Sequence[tuple[Place, Heading, str]], front: Chunk | None
    ) -> None:
        self.path = change.path
        self.places: tuple[list[Place], list[Place]] = ([], [])
        headings: list[Heading] = []
        entries: list[Entry] = []
        lines: list[str] = []
        self.hidden = 0
        front_pairs: tuple[tuple[str, str, int], ...] = ()
        if front is not None:
            entry = front.document.entries[0]
            front_pairs = front.document.front
            lines += front.document.lines[: entry.end_line]
            entries.append(entry)
            self.places[1].append((self.path, 0, len(front.document.headings)))
            self.hidden = 1
        for place, heading, row in prefix:
            lines.append(row)
            self._add_heading(headings, heading, len(lines), place)
        self.prefix = len(headings)
        for at_piece, (number, chunk) in enumerate(pieces):
            document = chunk.document
            base, above, under, count = len(lines), len(headings), len(entries), len(document.headings)
            for at, heading in enumerate(document.headings):
                self._add_heading(headings, heading, base + heading.line, (self.path, number, at))
            outside = above - 1  # only a file's first piece has no heading at its top
            for at, entry in enumerate(document.entries):
                entries.append(
                    Entry(
                        entry.kind, base + entry.line, base + entry.end_line, entry.text,
                        entry.heading + above if entry.heading >= 0 else outside, entry.parent + under if entry.parent >= 0 else NO_PARENT,
                        entry.tag, entry.tag_line + base if entry.tag_line else 0,
                    )
                )  # fmt: skip
                self.places[1].append((self.path, number, count + at))
            if number == 0 and not front_pairs:
                front_pairs = document.front
            rows = document.lines
            lines += rows[:-1] if at_piece < len(pieces) - 1 and not rows[-1] else rows
        self.document = Document(tuple(lines) or ("",), "", tuple(headings), tuple(entries), (), (), (), front_pairs)
        self.side = Side(change.path, change.file_class, self.document, change.default)
        self.size = len(headings) + len(entries) - self.prefix - self.hidden

    def _add_heading(self, headings: list[Heading], heading: Heading, line: int, place: Place) -> None:
        parent = len(headings) - 1
        while parent >= 0 and headings[parent].level >= heading.level:
            parent = headings[parent].parent
        headings.append(Heading(line, heading.level, heading.title, parent, heading.tag))
        self.places[0].append(place)

    def place(self, unit: Unit) -> Place:
        return self.places[0 if unit.is_heading else 1][unit.index]

    def owner(self, unit: Unit) -> Place | None:
        """The place of the block that a unit belongs to."""
        if unit.is_heading:
            return self.places[0][unit.index]
        entries = self.document.entries
        at = unit.index
        while at >= 0:
            if entries[at].tag is not None and entries[at].kind != "front":
                return self.places[1][at]
            at = entries[at].parent
        return self.places[0][unit.heading] if unit.heading >= 0 else None


class Comparison:
    """Pairs the units of all files that differ from one parent."""

    def __init__(self, changes: Iterable[FileChange]) -> None:
        """Compare at once.

        `steps` are what changed, `same` pairs of places of which nothing is to be said, `kept` whole pieces of that kind by path and number
        on either side.
        """
        self._before: dict[str, _Half] = {}
        self._after: dict[str, _Half] = {}
        self._old: dict[str, Version] = {}
        self.steps: list[Step] = []
        self.same: list[tuple[Place, Place]] = []
        self.kept: list[tuple[str, int, int]] = []
        listed = list(changes)
        if len(listed) == 1 and self._quick(listed[0]):
            return
        for change in listed:
            self._add(change)
        if any(half.size for half in (*self._before.values(), *self._after.values())):
            self._align()

    def _quick(self, change: FileChange) -> bool:
        """Take the short way where it leads to the same answer; false when it does not."""
        old, cut = change.old, change.splice
        if old is None or cut is None or len(cut.new) != 1 or cut.stop - cut.first != 1:
            return False
        before, after = old.pieces[cut.first].chunk, cut.new[0]
        if cut.is_read and cut.entry is None:
            return False
        pairs = QuickPairs(*cut.entry) if cut.entry is not None else find_pairs(before, after)
        if pairs is None:
            return False
        path, number = change.path, cut.first
        self._old[path] = old
        count = len(before.headings)
        self.same = [((path, number, n), (path, number, n)) for n in range(count)]
        same = pairs.same(before.size - count, after.size - count)
        self.same += [((path, number, count + one), (path, number, count + other)) for one, other in same]
        for found in quick_changes(change, pairs, before, after):
            places: list[Place | None] = []
            owners: list[Place | None] = []
            for unit in (found.before, found.after):
                place = (path, number, count + unit.index) if unit is not None else None
                places.append(place)
                own = unit is not None and unit.provenance.origin == "own"
                owners.append(place if own else (path, number, unit.heading) if unit is not None and unit.heading >= 0 else None)
            self.steps.append(Step(found, self.fact(places[0]), *places, *owners))
        if pairs.gone >= 0 and pairs.came >= 0 and not self.steps:
            self.same.append(((path, number, count + pairs.gone), (path, number, count + pairs.came)))
        return True

    def _add(self, change: FileChange) -> None:
        old, cut = change.old, change.splice
        if old is not None:
            self._old[change.path] = old
        first = cut.first if cut is not None else 0
        stop = cut.stop if cut is not None else len(old.pieces) if old is not None else 0
        before = [(number, old.pieces[number].chunk) for number in range(first, stop)] if old is not None else []
        after = list(enumerate(cut.new, first)) if cut is not None else []
        twins = equal_pieces(before, after)
        if twins is not None and not (old is not None and cut is not None and moves_what_follows(old, cut)):
            before, after = self._set_aside(change.path, before, after, twins)
            if not before and not after:
                return
        elif old is not None and cut is not None:
            more = _reach(old, cut)
            before += [(number, old.pieces[number].chunk) for number in range(stop, stop + more)]
            shift = first + len(cut.new) - stop
            after += [(number + shift, old.pieces[number].chunk) for number in range(stop, stop + more)]
        prefix, front = _prefix(change.path, old, first) if old is not None and first else ([], None)
        if old is not None:
            self._before[change.path] = _Half(change, before, prefix, front)
        if cut is not None:
            self._after[change.path] = _Half(change, after, prefix, front)

    def _set_aside(
        self, path: str, before: list[tuple[int, Chunk]], after: list[tuple[int, Chunk]], twins: dict[int, int]
    ) -> tuple[list[tuple[int, Chunk]], list[tuple[int, Chunk]]]:
        """Pair pieces that only changed their order, which is no event, and return the others."""
        for number, _chunk in before:
            if number in twins:
                self.kept.append((path, number, twins[number]))
        taken = set(twins.values())
        return [pair for pair in before if pair[0] not in twins], [pair for pair in after if pair[0] not in taken]

    def piece(self, path: str, number: int) -> Piece:
        """A piece of the old side."""
        return self._old[path].pieces[number]

    def fact(self, place: Place | None) -> int:
        """The fact number of a place of the old side, 0 for None."""
        if place is None:
            return 0
        path, piece, unit = place
        return self._old[path].pieces[piece].facts[unit]

    def span(self, place: Place) -> tuple[int, int]:
        """First and last line, 1-based, of a place of the old side."""
        path, number, unit = place
        return unit_lines(self._old[path], number, unit)

    def _align(self) -> None:
        alignment = Alignment([half.side for half in self._before.values()], [half.side for half in self._after.values()])
        gone: set[tuple[str, bool, int]] = set()
        came: set[tuple[str, bool, int]] = set()
        for change in by_id(alignment.run()):
            before, after = change.before, change.after
            old = new = owner_old = owner_new = None
            if before is not None:
                half = self._before[before.path]
                old, owner_old = half.place(before), half.owner(before)
                gone.add((before.path, before.is_heading, before.index))
            if after is not None:
                half = self._after[after.path]
                new, owner_new = half.place(after), half.owner(after)
                came.add((after.path, after.is_heading, after.index))
            self.steps.append(Step(change, self.fact(old), old, new, owner_old, owner_new))
        for file in alignment.new:
            for section, partner in enumerate(file.partner):
                if partner is not None:
                    self._unchanged(partner, (file, section), gone, came)

    def _unchanged(
        self, old: tuple[File, int], new: tuple[File, int], gone: set[tuple[str, bool, int]], came: set[tuple[str, bool, int]]
    ) -> None:
        """Pair what core.align found nothing to say about: equal texts of one section, in their order."""
        file, at = old
        other, there = new
        before, after = self._before[file.side.path], self._after[other.side.path]
        if at and there and at - 1 >= before.prefix and (other.side.path, True, there - 1) not in came:
            self.same.append((before.places[0][at - 1], after.places[0][there - 1]))
        waiting: dict[str, list[int]] = {}
        texts = file.texts(at)
        for n in range(len(texts) - 1, -1, -1):
            index = file.first[at] + n
            if (file.side.path, False, index) not in gone:
                waiting.setdefault(texts[n], []).append(index)
        for n, text in enumerate(other.texts(there)):
            index = other.first[there] + n
            if (other.side.path, False, index) not in came and waiting.get(text):
                self.same.append((before.places[1][waiting[text].pop()], after.places[1][index]))


def equal_pieces(before: Sequence[tuple[int, Chunk]], after: Sequence[tuple[int, Chunk]]) -> dict[int, int] | None:
    """The pieces of the old side, by number, with the number of an equal one on the new side.

    None unless all pieces are siblings, each one heading of the same level with what stands under it: then no piece says anything about
    another one, and their order means nothing.
    """
    levels = {chunk.level for _number, chunk in (*before, *after)}
    if levels in ({0}, {1}) or len(levels) != 1:
        return None
    waiting: dict[bytes, list[int]] = {}
    for number, chunk in reversed(after):
        waiting.setdefault(chunk.data, []).append(number)
    return {number: waiting[chunk.data].pop() for number, chunk in before if waiting.get(chunk.data)}


def unit_lines(version: Version, number: int, unit: int) -> tuple[int, int]:
    """First and last line, 1-based, of a unit of a piece of a version."""
    chunk = version.pieces[number].chunk
    above = version.above(number)
    headings = chunk.headings
    if unit < len(headings):
        return above + headings[unit].line, above + headings[unit].line
    entry = chunk.entry(unit - len(headings))
    return above + entry.line, above + entry.end_line


def _reach(old: Version, cut: Splice) -> int:
    """How many pieces behind the changed ones stand under a heading that changed: what they inherit may have changed with it."""
    before = [heading for piece in old.pieces[cut.first : cut.stop] for heading in piece.chunk.headings]
    after = [heading for chunk in cut.new for heading in chunk.headings]
    if cut.first == 0 and _tops(before) != _tops(after):
        return len(old.pieces) - cut.stop  # the tag of a file's first heading is the whole file's
    one, other = ([(h.level, h.title, h.tag) for h in side] for side in (before, after))
    while one and other and one[0] == other[0]:
        del one[0], other[0]
    while one and other and one[-1] == other[-1]:
        del one[-1], other[-1]
    if not one and not other:
        return 0
    lowest = min(level for level, _title, _tag in (*one, *other))
    more = 0
    for piece in old.pieces[cut.stop :]:
        headings = piece.chunk.headings
        if headings and headings[0].level <= lowest:
            break
        more += 1
    return more


def _tops(headings: Sequence[Heading]) -> tuple[int, Tag | None] | None:
    first = headings[0] if headings else None
    return (first.level, first.tag) if first is not None and first.level == 1 else None


def _prefix(path: str, old: Version, first: int) -> tuple[list[tuple[Place, Heading, str]], Chunk | None]:
    """What stands above the changed pieces and says something about them: front matter, a title, the enclosing headings."""
    top = old.pieces[0].chunk
    front = top if top.plain is None and top.document.front and top.document.entries and top.document.entries[0].kind == "front" else None
    stack: list[tuple[Place, Heading, str]] = []
    low = 7
    for number in range(first - 1, -1, -1):
        chunk = old.pieces[number].chunk
        if chunk.level >= low:
            continue  # it encloses nothing, and need not be read
        for at in range(len(chunk.headings) - 1, -1, -1):
            if chunk.headings[at].level < low:
                low = chunk.headings[at].level
                stack.append(_heading_at(path, number, chunk, at))
        if low == 1:
            break
    stack.reverse()
    number = next((number for number in range(first) if old.pieces[number].chunk.heads), -1)
    if number >= 0:
        chunk = old.pieces[number].chunk
        if chunk.headings[0].level == 1 and (not stack or stack[0][0] != (path, number, 0)):
            stack.insert(0, _heading_at(path, number, chunk, 0))
    return stack, front


def _heading_at(path: str, number: int, chunk: Chunk, at: int) -> tuple[Place, Heading, str]:
    """A heading of a piece with its place and its line."""
    heading = chunk.headings[at]
    lines = chunk.plain.lines if chunk.plain is not None else chunk.document.lines
    return (path, number, at), heading, lines[heading.line - 1]
