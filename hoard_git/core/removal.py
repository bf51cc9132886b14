"""Taking entries and whole sections out of a draft: with what belongs to them, and without changing how the rest reads."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from hoard_git.core.document import COMMENT
from hoard_git.core.restoring import section_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from hoard_git.core.document import Document, Entry
    from hoard_git.core.drafts import Draft


def subtree(document: Document, index: int) -> list[int]:
    """An entry and all entries that stand under it (sub-items, code in an item), in the document's order."""
    inside = {index}
    for number in range(index + 1, len(document.entries)):
        if document.entries[number].parent not in inside:
            break
        inside.add(number)
    return sorted(inside)


def whole_trees(document: Document, wanted: Collection[int]) -> set[int]:
    """Those of the wanted entries whose whole subtree is wanted: the others hold something that stays."""
    held: set[int] = set()
    for number in range(len(document.entries) - 1, -1, -1):
        entry = document.entries[number]
        if (number not in wanted or number in held) and entry.parent >= 0:
            held.add(entry.parent)
    return {number for number in wanted if number not in held}


def tops(document: Document, wanted: Collection[int]) -> list[int]:
    """The roots of the trees that a set of whole trees holds, in the document's order."""
    return sorted(number for number in wanted if document.entries[number].parent not in wanted)


def entry_lines(document: Document, index: int) -> tuple[int, int]:
    """First and last line of one entry without what stands under it; a tag alone on the line above counts when it is this entry's alone."""
    entry = document.entries[index]
    first = entry.line
    if 0 < entry.tag_line < entry.line and (index == 0 or document.entries[index - 1].tag_line != entry.tag_line):
        first = entry.tag_line
    while first > 1 and document.kinds[first - 2] == COMMENT and document.lines[first - 2].lstrip().startswith("<!-- hoard:"):
        first -= 1
    return first, entry.end_line


def tree_lines(document: Document, index: int) -> tuple[int, int]:
    """First and last line of an entry with all that stands under it."""
    first, last = entry_lines(document, index)
    return first, max(last, document.entries[subtree(document, index)[-1]].end_line)


def section_lines(document: Document, heading: int) -> tuple[int, int]:
    """First and last line of a heading's section, blank lines behind it not counted."""
    return document.headings[heading].line, section_end(document, heading)


def section_entries(document: Document, heading: int) -> list[int]:
    """The entries of a heading's section, sections inside it included."""
    first, last = section_lines(document, heading)
    entries = document.entries
    return list(range(bisect_left(entries, first, key=_line_of), bisect_right(entries, last, key=_line_of)))


def _line_of(entry: Entry) -> int:
    return entry.line


def tables(document: Document) -> list[list[int]]:
    """The entries of each table: its head and the rows right below, row by row."""
    found: list[list[int]] = []
    for number, entry in enumerate(document.entries):
        if entry.kind != "row":
            continue
        before = document.entries[number - 1] if found and found[-1][-1] == number - 1 else None
        # a row that ends on a later line is a head with its delimiter row, and starts a table of its own
        if before is not None and before.end_line == entry.line - 1 and entry.line == entry.end_line:
            found[-1].append(number)
        else:
            found.append([number])
    return found


def remove_entries(draft: Draft, wanted: Collection[int]) -> bool:
    """Take entries out, each with its own tag line; their headings stay. All of `wanted` must be whole trees.

    False, with nothing changed, when what is left would not read as it did, such as two paragraphs that would become one.
    """
    document = draft.document
    ranges = [tree_lines(document, number) for number in tops(document, wanted)]
    return _remove(draft, ranges, [told for number, told in enumerate(_told(draft)) if number not in wanted])


def remove_sections(draft: Draft, headings: Collection[int]) -> bool:
    """Take headings out, none of which stands under another, with all that stands under them.

    False, with nothing changed, when what is left would not read as it did.
    """
    document = draft.document
    ranges = []
    gone: set[int] = set()
    for heading in sorted(headings):
        gone.update(section_entries(document, heading))
        first, last = section_lines(document, heading)
        while first > 1 and document.kinds[first - 2] == COMMENT and document.lines[first - 2].lstrip().startswith("<!-- hoard:"):
            first -= 1
        ranges.append((first, last))
    return _remove(draft, ranges, [told for number, told in enumerate(_told(draft)) if number not in gone])


def _told(draft: Draft) -> list[tuple[object, ...]]:
    """What a reader learns from each entry: its words and what it claims."""
    pairs = zip(draft.document.entries, draft.entry_claims, strict=True)
    return [(entry.kind, entry.text.strip(), *claim[:6]) for entry, claim in pairs]


def _remove(draft: Draft, ranges: Sequence[tuple[int, int]], rest: list[tuple[object, ...]]) -> bool:
    before = draft.state()
    for spaced in (False, True):
        _cut(draft, ranges, spaced=spaced)
        if _told(draft) == rest:
            return True
        draft.restore(before)
    return False


def _cut(draft: Draft, ranges: Iterable[tuple[int, int]], *, spaced: bool) -> None:
    """Cut line ranges, and with each the blank lines behind it where blank lines or the file's top stand before it, too.

    `spaced` leaves one blank line where each stood.
    """
    merged: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if merged and not any(line.strip() for line in draft.lines[merged[-1][1] : first - 1]):
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    wide = []
    for first, last in merged:
        stop = last
        if first == 1 or not draft.lines[first - 2].strip():
            while stop < len(draft.lines) - 1 and not draft.lines[stop].strip():
                stop += 1
        if spaced and stop == last:
            draft.replace(first, "\r" if draft.lines[first - 1].endswith("\r") else "")
            first += 1  # noqa: PLW2901 - the first line of the range stays, as the blank one
        if first <= stop:
            wide.append((first, stop))
    draft.cut(wide)


def remove_husks(draft: Draft, candidates: Collection[str]) -> None:
    """Take out headings of these texts (as they stand in the line) that have nothing under them any more; a title of level 1 stays.

    They stay, too, where something else would claim another thing without them.
    """
    told = _told(draft)
    while True:
        document = draft.document
        bare = [
            (heading.line, heading.line)
            for number, heading in enumerate(document.headings)
            if heading.level > 1 and draft.lines[heading.line - 1] in candidates and _is_bare(document, number)
        ]
        if not bare:
            return
        before = draft.state()
        _cut(draft, bare, spaced=False)
        if _told(draft) != told:
            draft.restore(before)
            return


def _is_bare(document: Document, heading: int) -> bool:
    first, last = section_lines(document, heading)
    return not any(line.strip() for line in document.lines[first:last])
