"""Where a removed block goes when it comes back: to its old neighbours, below its old headings, read back to be sure of it (`hoard restore`)."""

from __future__ import annotations

from hoard_git.core.document import COMMENT, HEADING, ITEM, ROW
from hoard_git.core.markdown import parse
from hoard_git.core.provenance import heading_provenances, provenances
from hoard_git.core.record import Record
from hoard_git.core.tags import Tag, render_tag
from hoard_git.core.units import core_of
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.core.document import Document, Entry
    from hoard_git.core.provenance import Provenance

_TOP = -1


class Kept(Record):
    """One block of one version of a file. `at` counts headings or entries; `default` is what the untagged file counts as.

    `alone` leaves the sub-items of a list item out.
    """

    document: Document
    default: Tag | None
    is_heading: bool
    at: int
    alone: bool = False

    @property
    def line(self) -> int:
        """The 1-based line of its heading or of its first words."""
        return self.document.headings[self.at].line if self.is_heading else self.document.entries[self.at].line

    @property
    def provenance(self) -> Provenance:
        """What it claims to be."""
        found = heading_provenances if self.is_heading else provenances
        return found(self.document, self.default)[self.at]


class Returned(Record):
    """A file with the block in it again, on lines `line` to `end`.

    `along` are the titles of headings and the first words of list items that had to come back with it. `tagged` says that it got a tag of
    its own, since what it would inherit there now differs.
    """

    data: bytes
    line: int
    end: int
    along: tuple[str, ...] = ()
    tagged: bool = False


def put_back(kept: Kept, old: bytes | None, default: Tag | None) -> Returned:
    """Insert a block into a file (None: there is none) and return the new bytes; nothing else in the file changes.

    It goes behind the neighbour that stood before it, else in front of the one behind it, else to the end of what stands under its heading.
    Headings and list items that it stood under and that are gone come back with it, line by line as they were. Raises HoardError where
    it would not be read as it was.
    """
    document = parse(old or b"")
    if not kept.is_heading and kept.document.entries[kept.at].kind == "item":
        kept = kept._replace(alone=not missing_words(kept, document, below=True))
    for spaced in (False, True):
        placed = _insert(kept, document, spaced=spaced)
        fresh = placed if _reads_as_before(kept, document, placed, default) else _with_tag(kept, document, placed, default)
        if fresh is not None:
            return fresh
    raise HoardError(
        "Where it stood, it would not be read as it was: its surroundings have changed.",
        "Name another file for it, new or old: --to memory/restored.md",
    )


def find_twin(kept: Kept, document: Document) -> int:
    """The line on which the block stands already under its heading, with its words or, for a heading, its title; 0 when it does not."""
    entry = None if kept.is_heading else kept.document.entries[kept.at]
    if entry is None:
        found = _match(kept.document, kept.at, document)
        return document.headings[found].line if found >= 0 else 0
    above = _match(kept.document, entry.heading, document) if entry.heading >= 0 else _TOP
    if entry.heading >= 0 and above < 0:
        return 0
    return next((e.line for e in document.entries if e.heading == above and core_of(e.text) == core_of(entry.text)), 0)


def missing_words(kept: Kept, document: Document, *, below: bool = False) -> list[str]:
    """The entries of a block that stand nowhere in a document, by their words; `below` leaves the block's own out."""
    first, last = block_lines(kept)
    first = kept.line + 1 if below else first
    there = {core_of(entry.text) for entry in document.entries}
    return [core for e in kept.document.entries if first <= e.line <= last and (core := core_of(e.text)) and core not in there]


# -------------------------------------------------------------------- what comes back


def block_lines(kept: Kept) -> tuple[int, int]:
    """First and last line of a block with all that stands under it: sections of a heading, sub-items of a list item."""
    document = kept.document
    if kept.is_heading:
        return _with_remarks(document, document.headings[kept.at].line), section_end(document, kept.at)
    end = document.entries[kept.at].end_line if kept.alone else _subtree_end(document, kept.at)
    return _first_line(document, kept.at), end


def _first_line(document: Document, index: int) -> int:
    """An entry's first line, a tag alone on the line above counted when it is this entry's and no other's."""
    entry = document.entries[index]
    first = entry.line
    if 0 < entry.tag_line < entry.line and (index == 0 or document.entries[index - 1].tag_line != entry.tag_line):
        first = entry.tag_line
    return _with_remarks(document, first)


def _with_remarks(document: Document, line: int) -> int:
    """Count comments of ours right above, such as an exception with its reason."""
    while line > 1 and document.kinds[line - 2] == COMMENT and document.lines[line - 2].lstrip().startswith("<!-- hoard:"):
        line -= 1
    return line


def section_end(document: Document, at: int) -> int:
    """The last line of a heading's section that is not blank."""
    stop = len(document.lines)
    heading = document.headings[at]
    following = (document.headings[number] for number in range(at + 1, len(document.headings)))
    stop = next((_with_remarks(document, h.line) - 1 for h in following if h.level <= heading.level), stop)
    while stop > heading.line and not document.lines[stop - 1].strip():
        stop -= 1
    return stop


def _pieces(kept: Kept, now: Document) -> tuple[list[tuple[int, int]], int, int, tuple[str, ...]]:
    """The line ranges to bring back, from the topmost thing that is missing on, and where they go.

    Then follow the heading and the entry of `now` under which they go, -1 for none, and in words what comes along with the block.
    """
    then = kept.document
    chain = []
    at = then.headings[kept.at].parent if kept.is_heading else then.entries[kept.at].heading
    while at >= 0 and _match(then, at, now) < 0:
        chain.append(at)
        at = then.headings[at].parent
    above = _match(then, at, now) if at >= 0 else _TOP
    pieces = [(_with_remarks(then, then.headings[h].line), then.headings[h].line) for h in reversed(chain)]
    along = [then.headings[h].title.strip() for h in reversed(chain)]
    holder = _TOP
    if not kept.is_heading:
        holder, lost = _holders(kept, now, _TOP if chain else above, fresh=bool(chain))
        pieces += [(_first_line(then, e), then.entries[e].end_line) for e in lost]
        along += [core_of(then.entries[e].text)[:60] for e in lost]
    return [*pieces, block_lines(kept)], above, holder, tuple(along)


def _holders(kept: Kept, now: Document, above: int, *, fresh: bool) -> tuple[int, list[int]]:
    """The entry of `now` that an entry goes under, and the enclosing items and table head that are gone, outermost first."""
    then = kept.document
    outer = []
    entry = then.entries[kept.at]
    at = entry.parent
    while at >= 0:
        outer.append(at)
        at = then.entries[at].parent
    if entry.kind == "row" and (head := _table_head(then, kept.at)) != kept.at:
        outer.insert(0, head)
    lost: list[int] = []
    for index in outer:
        found = _TOP if fresh else _find_entry(now, above, then.entries[index], last=True)
        if found >= 0:
            return found, lost[::-1]
        lost.append(index)
    return _TOP, lost[::-1]


def _table_head(document: Document, index: int) -> int:
    entries = document.entries
    while index > 0 and entries[index].line == entries[index].end_line and entries[index - 1].kind == "row" \
            and entries[index - 1].end_line == entries[index].line - 1:  # fmt: skip
        index -= 1
    return index


# -------------------------------------------------------------------- where it goes


def _match(then: Document, at: int, now: Document) -> int:
    """The heading of `now` that one of `then` is: by id, else by title under the same heading. -1 when there is none."""
    heading = then.headings[at]
    if at == 0 and heading.level == 1 and now.headings and now.headings[0].level == 1:
        return 0  # the title of the file, whatever it is called now
    name = heading.tag.id if heading.tag is not None else ""
    outer = _match(then, heading.parent, now) if heading.parent >= 0 else _TOP
    found = _TOP
    for index, other in enumerate(now.headings):
        if now.in_region(other.line):
            continue
        if name and other.tag is not None and other.tag.id == name:
            return index
        if found < 0 and other.level == heading.level and outer in (_TOP, other.parent) and _plain(other.title) == _plain(heading.title):
            found = index
    return found


def _plain(title: str) -> str:
    return " ".join(title.split()).casefold()


def _find_entry(document: Document, above: int, wanted: Entry, *, last: bool) -> int:
    text = wanted.text.replace("\r", "")
    found = [i for i, e in enumerate(document.entries) if e.heading == above and e.kind == wanted.kind and e.text.replace("\r", "") == text]
    return (found[-1] if last else found[0]) if found else -1


def _entry_anchor(kept: Kept, now: Document, above: int, holder: int) -> int:
    """The line behind which an entry goes, 0 for the top."""
    then = kept.document
    index = kept.at
    parent = then.entries[index].parent
    if holder < 0 and parent >= 0:  # the item around it comes along, and goes where that stood
        while parent >= 0:
            index, parent = parent, then.entries[parent].parent
    beside = [i for i, e in enumerate(then.entries) if e.parent == parent and e.heading == then.entries[index].heading]
    for other in reversed([i for i in beside if i < index]):
        found = _find_entry(now, above, then.entries[other], last=True)
        if found >= 0:
            return _subtree_end(now, found)
    if holder >= 0:
        return now.entries[holder].end_line
    for other in [i for i in beside if i > index]:
        found = _find_entry(now, above, then.entries[other], last=False)
        if found >= 0:
            return _behind(now, _first_line(now, found))
    inside = [e.end_line for e in now.entries if e.heading == above]
    return max([now.headings[above].line if above >= 0 else 0, *inside])


def _heading_anchor(kept: Kept, now: Document, above: int) -> int:
    """The line behind which a section goes, 0 for the top."""
    then = kept.document
    at = kept.at if kept.is_heading else then.entries[kept.at].heading
    while then.headings[at].parent >= 0 and _match(then, then.headings[at].parent, now) < 0:
        at = then.headings[at].parent
    beside = [i for i, h in enumerate(then.headings) if h.parent == then.headings[at].parent]
    for other in reversed([i for i in beside if i < at]):
        found = _match(then, other, now)
        if found >= 0 and now.headings[found].level == then.headings[other].level:
            return section_end(now, found)
    for other in [i for i in beside if i > at]:
        found = _match(then, other, now)
        if found >= 0:
            return _behind(now, _with_remarks(now, now.headings[found].line))
    return section_end(now, above) if above >= 0 else _behind(now, len(now.lines) + 1)


def _behind(document: Document, line: int) -> int:
    """The last line before this one that is not blank."""
    line -= 1
    while line > 0 and not document.lines[line - 1].strip():
        line -= 1
    return line


def _subtree_end(document: Document, index: int) -> int:
    inside = {index}
    end = document.entries[index].end_line
    for number, other in enumerate(document.entries[index + 1 :], index + 1):
        if other.parent in inside:
            inside.add(number)
            end = max(end, other.end_line)
    return end


def _insert(kept: Kept, now: Document, *, spaced: bool) -> Returned:
    """Put the pieces in, with the blank lines that were around them; those that are still there count."""
    then = kept.document
    pieces, above, holder, along = _pieces(kept, now)
    is_section = kept.is_heading or then.kinds[pieces[0][1] - 1] == HEADING
    at = _heading_anchor(kept, now, above) if is_section else _entry_anchor(kept, now, above, holder)
    ending = "\r" if then.lines[pieces[0][0] - 1].endswith("\r") else ""
    fresh: list[str] = []
    for number, (first, last) in enumerate(pieces):
        if number:
            fresh += [ending] * _blanks_behind(then, pieces[number - 1][1])
        start = len(fresh)
        fresh += then.lines[first - 1 : last]
    lead = pieces[0][0] - 1 - _behind(then, pieces[0][0])
    trail = _blanks_behind(then, pieces[-1][1])
    if at and now.kinds[at - 1] == ITEM == then.kinds[pieces[0][0] - 1] and then.kinds[_behind(then, pieces[0][0]) - 1] != ITEM:
        lead = 0  # behind another item than in the old file, where it was the first of its list
    at_end = pieces[-1][1] + trail >= len(then.lines)
    lines = list(now.lines)
    there = _blanks_from(lines, at)
    follows = at + there < len(lines)
    if not at:
        lead = 0
    elif spaced or _behind(then, pieces[0][0]) == 0:
        lead = max(lead, 1)
    after_then = then.kinds[pieces[-1][1] + trail] if not at_end else ""
    if follows and not there and not spaced and now.kinds[at] == then.kinds[pieces[-1][1] - 1] and now.kinds[at] in (ITEM, ROW):
        trail = 0  # it was the last of its list or table, and is so no more: a blank line would split a table
    elif follows and (spaced or (after_then != now.kinds[at + there] and now.kinds[at + there] != ITEM)):
        trail = max(trail, 1)
    behind, tail = (max(trail, there - lead), lines[at + there :]) if follows else (0, lines[at + min(lead, max(0, there - 1)) :] or [""])
    if not follows and tail == [""] and at_end and then.lines[-1].strip():
        tail = []  # the file ended without a newline
    if tail and ending and not fresh[-1].endswith("\r"):
        fresh[-1] += ending
    head = lines[:at]
    if head and at == len(lines) and any(line.endswith("\r") for line in head[:-1]):
        head[-1] += "\r"  # the last line had no end at all; it gets the file's
    data = _bytes([*head, *([ending] * lead), *fresh, *([ending] * behind), *tail])
    return Returned(data, at + lead + start + 1, at + lead + len(fresh), along)


def _blanks_from(lines: Sequence[str], at: int) -> int:
    count = 0
    while at + count < len(lines) and not lines[at + count].strip():
        count += 1
    return count


def _blanks_behind(document: Document, line: int) -> int:
    """Blank lines behind a line; what follows the file's last newline is none."""
    return min(_blanks_from(document.lines, line), max(0, len(document.lines) - 1 - line))


def _bytes(lines: Sequence[str]) -> bytes:
    return "\n".join(lines).encode("utf-8", "surrogateescape")


# -------------------------------------------------------------------- reading back


def _reads_as_before(kept: Kept, now: Document, placed: Returned, default: Tag | None) -> bool:
    """The block reads as it did, with the claims that it had, and everything else in the file as it does now."""
    after = parse(placed.data)
    wanted = list(_told(kept.document, kept.default, *block_lines(kept)))
    ours = list(_told(after, default, placed.line, placed.end))
    if ours != wanted:
        return False
    pieces = len(after.entries) + len(after.headings) - len(now.entries) - len(now.headings)
    old = list(_told(now, default, 1, len(now.lines)))
    new = list(_told(after, default, 1, len(after.lines)))
    rest = iter(new)
    return pieces == len(ours) + len(placed.along) and all(one in rest for one in old)


def _unit_lines(document: Document) -> list[int]:
    return sorted([heading.line for heading in document.headings] + [entry.line for entry in document.entries])


def _told(document: Document, default: Tag | None, first: int, last: int) -> Iterator[tuple[object, ...]]:
    """What a reader learns from these lines: headings and entries with their claims, in the file's order."""
    headings = zip(document.headings, heading_provenances(document, default), strict=True)
    entries = zip(document.entries, provenances(document, default), strict=True)
    rows: list[tuple[int, tuple[object, ...]]] = []
    rows += [(h.line, ("heading", f"{h.level} {h.title.strip()}", p.claim[:6])) for h, p in headings if first <= h.line <= last]
    rows += [(e.line, (e.kind, e.text.replace("\r", ""), p.claim[:6])) for e, p in entries if first <= e.line <= last]
    return (row for _line, row in sorted(rows, key=lambda row: row[0]))


def _with_tag(kept: Kept, now: Document, placed: Returned, default: Tag | None) -> Returned | None:
    """The block with a tag of its own that says what it used to inherit; None when it has one already or had none to inherit."""
    claim = kept.provenance
    kind = HEADING if kept.is_heading else kept.document.entries[kept.at].kind
    own = kept.document.headings[kept.at].tag if kept.is_heading else kept.document.entries[kept.at].tag
    if own is not None or not claim.src:
        return None
    tag = render_tag(Tag(claim.src, claim.ts, claim.ttl, "", "", claim.stale))
    lines = placed.data.decode("utf-8", "surrogateescape").split("\n")
    after = parse(placed.data)
    at = next((line for line in _unit_lines(after) if placed.line <= line <= placed.end), 0)
    if not at:
        return None
    line = lines[at - 1]
    body = line.rstrip(" \t\r")
    gap = "  " if kept.is_heading else " "
    if kind in (HEADING, "item"):
        lines[at - 1] = body + gap + tag + line[len(body) :].lstrip(" \t")
        tagged = placed._replace(data=_bytes(lines), tagged=True)
    else:
        lines.insert(at - 1, tag + ("\r" if line.endswith("\r") else ""))
        tagged = placed._replace(data=_bytes(lines), end=placed.end + 1, tagged=True)
    return tagged if _reads_as_before(kept, now, tagged, default) else None
