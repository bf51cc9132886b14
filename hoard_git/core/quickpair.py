"""The short way for the most common change: one piece of one file, the same headings, at most one entry gone and one come.

It decides as core.align does; what does not fit exactly this pattern is left to it.
"""

from __future__ import annotations

from hoard_git.core.align import LIKE
from hoard_git.core.likeness import count_words, dice
from hoard_git.core.provenance import Provenance, file_provenance, passed_on
from hoard_git.core.units import Change, Unit, core_of, kinds_between, plain_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.core.chunks import Chunk
    from hoard_git.core.document import Document, Entry, Heading
    from hoard_git.core.lineage import FileChange

    Pair = tuple[int, int]

_new = tuple.__new__  # the constructor of a record takes four times as long


class QuickPairs:
    """What differs between two pieces: `gone` and `came` are the numbers of the entry on either side, -1 for none."""

    __slots__ = ("came", "gone")

    def __init__(self, gone: int, came: int) -> None:
        """Keep the values as they are."""
        self.gone = gone
        self.came = came

    def same(self, before: int, after: int) -> Iterator[Pair]:
        """The other entries by their numbers, where the pieces have so many."""
        head = self.gone if self.gone >= 0 else self.came if self.came >= 0 else before
        yield from zip(range(head), range(head), strict=True)
        yield from zip(range(head + (self.gone >= 0), before), range(head + (self.came >= 0), after), strict=True)


def find_pairs(before: Chunk, after: Chunk) -> QuickPairs | None:
    """Compare two pieces; None when more differs than one entry."""
    one, other = before.plain, after.plain
    if one is not None and other is not None:
        if one.headings != other.headings:
            return None
        return _span(one.items, other.items)
    return _find_in_documents(before.document, after.document)


def _span(old: Sequence[object], new: Sequence[object]) -> QuickPairs | None:
    """Where two sequences differ, when it is one place of one value at most."""
    longer = len(new) - len(old)
    if not -1 <= longer <= 1:
        return None
    most = min(len(old), len(new))
    head = 0
    while head < most and old[head] == new[head]:
        head += 1
    if head == most and not longer:
        return QuickPairs(-1, -1)
    if longer > 0:
        return QuickPairs(-1, head) if old[head:] == new[head + 1 :] else None
    if longer < 0:
        return QuickPairs(head, -1) if old[head + 1 :] == new[head:] else None
    return QuickPairs(head, head) if old[head + 1 :] == new[head + 1 :] else None


def _find_in_documents(before: Document, after: Document) -> QuickPairs | None:
    if before.front or after.front or (before.headings != after.headings and _heads(before) != _heads(after)):
        return None
    pairs = _span([_said(entry) for entry in before.entries], [_said(entry) for entry in after.entries])
    if pairs is None:
        return None
    one = before.entries[pairs.gone] if pairs.gone >= 0 else None
    other = after.entries[pairs.came] if pairs.came >= 0 else None
    for entry, entries, at in ((one, before.entries, pairs.gone), (other, after.entries, pairs.came)):
        if entry is not None and (entry.parent >= 0 or any(later.parent == at for later in entries[at + 1 :])):
            return None  # a list in a list: what is inherited may change with it
    if one is not None and other is not None and one.heading != other.heading:
        return None
    return pairs


def _heads(document: Document) -> list[tuple[object, ...]]:
    return [(heading.level, heading.title, heading.tag) for heading in document.headings]


def _said(entry: Entry) -> tuple[object, ...]:
    return entry.text, entry.tag, entry.heading, entry.kind


def quick_changes(change: FileChange, pairs: QuickPairs, before: Chunk, after: Chunk) -> list[Change]:
    """The changes that the pairs stand for: none, one, or a removal beside an addition. Lines and indices count in the piece."""
    old = make_entry(change, before, pairs.gone) if pairs.gone >= 0 else None
    new = make_entry(change, after, pairs.came) if pairs.came >= 0 else None
    if old is None and new is None:
        return []
    if old is None:
        return [make_change("add", None, new)]
    if new is None:
        return [make_change("remove", old, None)]
    if not _one_fact(old, new):
        return [make_change("add", None, new), make_change("remove", old, None)]
    kinds = says_how(old, new)
    return [make_change(kinds[0], old, new, tuple(kinds[1:]))] if kinds else []


def make_change(kind: str, before: Unit | None, after: Unit | None, also: tuple[str, ...] = ()) -> Change:
    """A change of what stands in the same file, made fast."""
    return _new(Change, (kind, before, after, also, False))


def says_how(old: Unit, new: Unit) -> list[str]:
    """What happened to a unit that stands where it stood."""
    one, other = old.provenance, new.provenance
    if one[:7] == other[:7]:
        return ["edit"] if old.text != new.text else []
    return kinds_between(old, new, moved=False) or ["retag"]


def _one_fact(old: Unit, new: Unit) -> bool:
    if old.text == new.text or (old.provenance.id and old.provenance.id == new.provenance.id):
        return True
    core = core_of(old.text)
    return (bool(core) and core == core_of(new.text)) or dice(count_words(old.text), count_words(new.text)) >= LIKE[0]


def make_entry(change: FileChange, chunk: Chunk, at: int) -> Unit:
    """The unit of one entry of a changed piece; lines and indices count in the piece."""
    entry = chunk.entry(at)
    headings = chunk.headings
    kind, line, end, _text, heading, *_rest = entry
    title = headings[heading].title if heading >= 0 else ""
    provenance = _provenance(change, headings, entry)
    fields = (change.path, change.file_class, kind, line, end, plain_text(entry), title, provenance, at, heading, -1)
    return _new(Unit, fields)


def _provenance(change: FileChange, headings: Sequence[Heading], entry: Entry) -> Provenance:
    """What an entry claims: its own tag, its heading's in the piece, that of a heading above the piece, the file's."""
    tag = entry.tag
    if tag is not None:
        return _new(Provenance, (tag.src, tag.ts, tag.ttl, tag.id, tag.ev, tag.stale, "own", entry.tag_line))
    at = entry.heading
    level = 7
    while at >= 0:
        found = headings[at]
        if found.tag is not None:
            return _new(Provenance, (found.tag.src, found.tag.ts, found.tag.ttl, "", "", found.tag.stale, "heading", found.line))
        level = min(level, found.level)
        at = found.parent
    return _above(change, level)


def _above(change: FileChange, level: int) -> Provenance:
    old, cut = change.sides
    for number in range(cut.first - 1, -1, -1):
        for heading in reversed(old.pieces[number].chunk.headings):
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
