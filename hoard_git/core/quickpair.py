"""The short way for the most common change: one piece of one file, the same headings, at most one entry gone and one come.

It decides as core.align does; what does not fit exactly this pattern is left to it.
"""

from __future__ import annotations

from hoard_git.core.align import LIKE
from hoard_git.core.likeness import count_words, dice
from hoard_git.core.provenance import NOTHING, Provenance, file_provenance, passed_on
from hoard_git.core.units import Change, Unit, core_of, plain_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.document import Document, Entry
    from hoard_git.core.lineage import FileChange

    Pair = tuple[int, int]


class QuickPairs:
    """`same` pairs entry numbers of the two pieces; `gone` and `came` are the entry on either side that differs, -1 for none."""

    __slots__ = ("came", "gone", "same")

    def __init__(self, same: list[Pair], gone: int, came: int) -> None:
        """Keep the values as they are."""
        self.same = same
        self.gone = gone
        self.came = came


def find_pairs(before: Document, after: Document) -> QuickPairs | None:
    """Compare two pieces; None when more differs than one entry."""
    if before.front or after.front or before.headings != after.headings and _heads(before) != _heads(after):
        return None
    old, new = before.entries, after.entries
    most = min(len(old), len(new))
    if abs(len(old) - len(new)) > 1:
        return None
    head = 0
    while head < most and _equal(old[head], new[head]):
        head += 1
    tail = 0
    while tail < most - head and _equal(old[-1 - tail], new[-1 - tail]):
        tail += 1
    gone, came = len(old) - tail - head, len(new) - tail - head
    if gone > 1 or came > 1:
        return None
    one, other = old[head] if gone else None, new[head] if came else None
    for entry, entries in ((one, old), (other, new)):
        if entry is not None and (entry.parent >= 0 or any(later.parent == head for later in entries[head + 1 :])):
            return None  # a list in a list: what is inherited may change with it
    if one is not None and other is not None and one.heading != other.heading:
        return None
    same = [(at, at) for at in range(head)] + [(len(old) - at, len(new) - at) for at in range(tail, 0, -1)]
    return QuickPairs(same, head if gone else -1, head if came else -1)


def _heads(document: Document) -> list[tuple[object, ...]]:
    return [(heading.level, heading.title, heading.tag) for heading in document.headings]


def _equal(one: Entry, other: Entry) -> bool:
    return one.text == other.text and one.tag == other.tag and one.heading == other.heading and one.kind == other.kind


def quick_changes(change: FileChange, pairs: QuickPairs, before: Document, after: Document, base: tuple[int, int]) -> list[Change]:
    """The changes that the pairs stand for: none, one, or a removal beside an addition.

    `base` are the numbers of headings and entries of the file above the piece.
    """
    old = _unit(change, before, pairs.gone, base) if pairs.gone >= 0 else None
    new = _unit(change, after, pairs.came, base) if pairs.came >= 0 else None
    if old is None and new is None:
        return []
    if old is None:
        return [Change("add", None, new)]
    if new is None:
        return [Change("remove", old, None)]
    if not _one_fact(old, new):
        return [Change("add", None, new), Change("remove", old, None)]
    kinds = [kind for kind, differs in _differences(old, new) if differs]
    if not kinds and old.provenance.claim != new.provenance.claim:
        kinds = ["retag"]
    return [Change(kinds[0], old, new, tuple(kinds[1:]))] if kinds else []


def _differences(old: Unit, new: Unit) -> tuple[tuple[str, bool], ...]:
    one, other = old.provenance, new.provenance
    timed = (one.ts, one.ttl, one.stale) != (other.ts, other.ttl, other.stale)
    return ("retag", one.src != other.src), ("edit", old.text != new.text), ("retime", timed)


def _one_fact(old: Unit, new: Unit) -> bool:
    one, other = old.provenance.id, new.provenance.id
    if one and other:
        return one == other
    if old.text == new.text:
        return True
    core = core_of(old.text)
    return (bool(core) and core == core_of(new.text)) or dice(count_words(old.text), count_words(new.text)) >= LIKE[0]


def _unit(change: FileChange, document: Document, at: int, base: tuple[int, int]) -> Unit:
    entry = document.entries[at]
    title = document.headings[entry.heading].title if entry.heading >= 0 else ""
    heading = entry.heading + base[0] if entry.heading >= 0 else -1
    return Unit(
        change.path, change.file_class, entry.kind, entry.line, entry.end_line, plain_text(entry), title,
        _provenance(change, document, entry), at + base[1], heading, -1,
    )  # fmt: skip


def _provenance(change: FileChange, document: Document, entry: Entry) -> Provenance:
    """What an entry claims: its own tag, its heading's in the piece, that of a heading above the piece, the file's."""
    tag = entry.tag
    if tag is not None:
        return Provenance(tag.src, tag.ts, tag.ttl, tag.id, tag.ev, tag.stale, "own", entry.tag_line)
    at = entry.heading
    level = 7
    while at >= 0:
        found = document.headings[at]
        if found.tag is not None:
            return Provenance(found.tag.src, found.tag.ts, found.tag.ttl, "", "", found.tag.stale, "heading", found.line)
        level = min(level, found.level)
        at = found.parent
    return _above(change, level)


def _above(change: FileChange, level: int) -> Provenance:
    old, cut = change.old, change.splice
    if old is None or cut is None:
        return NOTHING
    for number in range(cut.first - 1, -1, -1):
        for heading in reversed(old.pieces[number].chunk.document.headings):
            if heading.level < level:
                level = heading.level
                if heading.tag is not None:
                    return passed_on(
                        Provenance(heading.tag.src, heading.tag.ts, heading.tag.ttl, "", "", heading.tag.stale, "own", heading.line)
                    )
    first = old.pieces[0].chunk.document
    if cut.first == 0 and cut.new:
        first = cut.new[0].document
    return file_provenance(first, change.default)
