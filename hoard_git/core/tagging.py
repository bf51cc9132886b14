"""Where untagged content gets its tags: a plan of pure insertions of comments, with the reason of every date (`hoard tag`)."""

from __future__ import annotations

import re

from hoard_git.core.dates import format_day, parse_day
from hoard_git.core.markdown import parse, render
from hoard_git.core.model import RANK
from hoard_git.core.promoted import SCORE
from hoard_git.core.provenance import provenances
from hoard_git.core.record import Record
from hoard_git.core.tags import Tag, is_ttl, render_tag
from hoard_git.core.written_dates import file_date, find_date, own_date

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hoard_git.core.document import Document, Entry

UNTOUCHED = ("front", "reference", "transcript")
"""Kinds of entries that are somebody else's to write; a managed region is, too."""

_PROMOTION = re.compile(r"\s*openclaw-memory-promotion:memory:(\S{1,300}?):([0-9]{1,7}):([0-9]{1,7})\s*", re.ASCII)
_TTL_WORD = re.compile(r"(?<![\w`])ttl:([0-9A-Za-z]{1,6})(?![\w`])", re.ASCII)
_SOURCE_WORD = re.compile(r"(?<![\w`])source:\s?(web|tool|agent|dig)(?![\w`-])", re.ASCII)


UNCOMMITTED = 0
"""What stands for the day of lines that are not committed: they were written now, so today is theirs."""


class Insertion(Record):
    """One comment to insert. `column` is a 0-based character offset in the line, or -1 for a new line above it.

    `date_from` says where the date was found: own, evidence (the day of the log that a promotion names), heading, file name, commit, or
    uncommitted (today, for lines that no commit has); '' for no date.
    """

    line: int
    column: int
    text: str
    tag: Tag
    date_from: str


class TagPlan(Record):
    """What `hoard tag` would do to one file: the insertions in order, and the lines that had to be left alone with the reason."""

    insertions: tuple[Insertion, ...]
    left: tuple[tuple[int, str], ...]
    data: bytes


class Question(Record):
    """What a file's tags depend on besides its text.

    `default` is what the file counts as without a tag, `source` what the tags are to claim at most, `today` a day number: a later date in
    the text is about something to come, not the day on which it was learned. `day_of(first, last)` gives the day that git knows for these
    lines, None when only a bulk commit does, UNCOMMITTED when one of them is in no commit.
    """

    path: str
    file_class: str
    default: Tag | None
    source: str
    today: int
    day_of: Callable[[int, int], int | None]


def plan_tags(document: Document, asked: Question) -> TagPlan:
    """Plan the tags of one file.

    Headings are tagged where they can speak for what stands under them, single entries where they have a date, ttl, source or evidence of
    their own or no heading at all. A date is, in this order: the entry's own, its heading's, the file name's, git's, else `unknown`.
    Other people's conventions are read and stay as they are.
    """
    return _apply(document, _Tagger(document, asked).insertions())


class _Told(Record):
    """What an entry says about itself in words of other conventions; empty where it says nothing."""

    day: str = ""
    day_from: str = ""
    ttl: str = ""
    source: str = ""
    evidence: str = ""


class _Tagger:
    def __init__(self, document: Document, asked: Question) -> None:
        self.document = document
        self.asked = asked
        self.file_day = self._past(file_date(asked.path.rsplit("/", 1)[-1]))
        self.promotions = {c.end_line + 1: m for c in document.comments if (m := _PROMOTION.fullmatch(c.inner))}
        self.of_headings: dict[int, Tag] = {}
        self.of_entries: dict[int, Tag] = {}

    def insertions(self) -> list[Insertion]:
        """Every comment that is wanted, in the order of the file."""
        document = self.document
        found = provenances(document, self.asked.default)
        wanted = [
            index
            for index, entry in enumerate(document.entries)
            if not found[index].src and entry.kind not in UNTOUCHED and not document.in_region(entry.line)
        ]
        members: dict[int, list[int]] = {}
        for index in wanted:
            owner = self._owner(document.entries[index])
            if owner >= 0:
                members.setdefault(owner, []).append(index)
        planned = []
        for heading, indexes in members.items():
            planned.append(self._tag_heading(heading, indexes))
            planned += self._dated_below(heading, indexes)
        planned += [own for index in wanted if (own := self._tag_entry(index)) is not None]
        return sorted(planned, key=lambda i: (i.line, i.column))

    # ---------------------------------------------------------------- headings

    def _owner(self, entry: Entry) -> int:
        """The heading that is tagged for an entry: in the index the section below the title, elsewhere the outermost one."""
        headings = self.document.headings
        at = entry.heading
        while at >= 0:
            above = headings[at].parent
            if above < 0 or (self.asked.file_class == "index" and headings[above].level == 1):
                return -1 if self.document.in_region(headings[at].line) else at
            at = above
        return -1

    def _tag_heading(self, heading: int, members: Sequence[int]) -> Insertion:
        date, why = self._date(heading, members)
        tag = self.of_headings[heading] = Tag(self.asked.source, date)
        return self._at_end(self.document.headings[heading].line, tag, why, "  ")

    def _dated_below(self, owner: int, members: Sequence[int]) -> list[Insertion]:
        """Headings under the tagged one with a date of their own in the title."""
        found = []
        for heading in sorted({self.document.entries[index].heading for index in members}):
            at = heading
            while at >= 0 and at != owner and at not in self.of_headings:
                day = self._past(find_date(self.document.headings[at].title))
                if day and day != self.of_headings[owner].ts and not self.document.in_region(self.document.headings[at].line):
                    tag = self.of_headings[at] = Tag(self.asked.source, day)
                    found.append(self._at_end(self.document.headings[at].line, tag, "heading", "  "))
                at = self.document.headings[at].parent
        return found

    def _heading_day(self, heading: int) -> str:
        while heading >= 0:
            day = self._past(find_date(self.document.headings[heading].title))
            if day:
                return day
            heading = self.document.headings[heading].parent
        return ""

    # ---------------------------------------------------------------- entries

    def _tag_entry(self, index: int) -> Insertion | None:
        """A tag of the entry's own: when it says something that what stands above it does not, or when nothing does."""
        entry = self.document.entries[index]
        told = self._told(entry)
        above = self._above(entry)
        if not told.day and above is not None and self._is_newer(index, entry):
            told = told._replace(day=format_day(self.asked.today), day_from="uncommitted")
        said = [self.asked.source, told.source, above.src if above is not None else ""]
        source = min(filter(None, said), key=RANK.__getitem__)  # what is part of an item from the web is from there, too
        says_more = told.evidence or told.ttl or (told.day and (above is None or told.day != above.ts))
        if above is not None and not says_more and source == above.src:
            return None
        if told.day:
            day, why = told.day, told.day_from
        elif above is not None:
            day, why = above.ts, "heading"
        else:
            day, why = self._date(-1, [index])
        tag = Tag(source, day, told.ttl, "", told.evidence)
        if entry.kind == "item":
            self.of_entries[index] = tag
            return self._at_end(entry.line, tag, why, " ")
        return Insertion(entry.line, -1, render_tag(tag), tag, why)

    def _is_newer(self, index: int, entry: Entry) -> bool:
        """Whether an entry is in no commit, under a heading whose date git gave for others."""
        dated = entry.parent in self.of_entries or self.file_day or self._heading_day(entry.heading)
        return not dated and entry.kind == "item" and self._git_day(index) == UNCOMMITTED

    def _above(self, entry: Entry) -> Tag | None:
        """What an entry will inherit: from the item around it, else from its nearest heading."""
        if entry.parent in self.of_entries:
            return self.of_entries[entry.parent]
        at = entry.heading
        while at >= 0:
            if at in self.of_headings:
                return self.of_headings[at]
            at = self.document.headings[at].parent
        return None

    def _told(self, entry: Entry) -> _Told:
        if entry.kind not in ("item", "text"):
            return _Told()
        own = self._past(own_date(entry.text.split("\n", 1)[0]))
        why = "own" if own else ""
        evidence = ""
        promotion, score = self.promotions.get(entry.line), SCORE.search(entry.text)
        if promotion is not None:
            evidence = f"{promotion[1]}:{promotion[2]}-{promotion[3]}"
        elif score is not None:
            evidence = score[1]
        if not all("!" <= c <= "~" for c in evidence) or "--" in evidence:
            evidence = ""
        if evidence and not own:
            own = self._past(file_date(evidence.rsplit(":", 1)[0]))
            why = "evidence" if own else ""
        lifetime, named = _TTL_WORD.search(entry.text), _SOURCE_WORD.search(entry.text)
        ttl = lifetime[1] if lifetime and is_ttl(lifetime[1]) else ""
        return _Told(own, why, ttl, named[1] if named else "", evidence)

    # ---------------------------------------------------------------- dates and places

    def _date(self, heading: int, members: Sequence[int]) -> tuple[str, str]:
        """A date and where it is from."""
        day = self._heading_day(heading)
        if day:
            return day, "heading"
        if self.file_day:
            return self.file_day, "file name"
        known = [found for index in members if (found := self._git_day(index)) != UNCOMMITTED]
        if members and not known:
            return format_day(self.asked.today), "uncommitted"
        days = [found for found in known if found is not None]
        if days and len(days) == len(known):
            return format_day(min(max(days), self.asked.today)), "commit"
        return "unknown", ""

    def _git_day(self, index: int) -> int | None:
        entry = self.document.entries[index]
        return self.asked.day_of(entry.line, entry.end_line)

    def _past(self, day: str) -> str:
        """The day unless it is still to come."""
        number = parse_day(day) if day else None
        return day if number is not None and number <= self.asked.today else ""

    def _at_end(self, line: int, tag: Tag, why: str, gap: str) -> Insertion:
        column = len(self.document.lines[line - 1].rstrip(" \t\r"))
        return Insertion(line, column, gap + render_tag(tag), tag, why)


# -------------------------------------------------------------------- applying


def _apply(document: Document, insertions: list[Insertion]) -> TagPlan:
    """Insert all; if the result does not read as meant, leave alone what would not be read as a tag."""
    whole = _with(document, insertions)
    if _good(document, whole, insertions):
        return TagPlan(tuple(insertions), (), whole)
    left: list[tuple[int, str]] = []
    kept = _place(document, [], insertions, left)
    return TagPlan(tuple(kept), tuple(left), _with(document, kept))


def _place(document: Document, kept: list[Insertion], part: list[Insertion], left: list[tuple[int, str]]) -> list[Insertion]:
    """Keep as many as possible, by halves: a few bad places in a large file cost a few readings each."""
    both = sorted([*kept, *part], key=lambda i: (i.line, i.column))
    if _good(document, _with(document, both), both):
        return both
    if len(part) == 1:
        left.append((part[0].line, "a comment here would not be read as a tag"))
        return kept
    middle = len(part) // 2
    return _place(document, _place(document, kept, part[:middle], left), part[middle:], left)


def _with(document: Document, insertions: Sequence[Insertion]) -> bytes:
    lines = list(document.lines)
    for insertion in sorted(insertions, key=lambda i: (-i.line, -i.column)):
        index = insertion.line - 1
        line = lines[index]
        if insertion.column < 0:
            lines.insert(index, insertion.text + ("\r" if line.endswith("\r") else ""))
        else:
            lines[index] = line[: insertion.column] + insertion.text + line[insertion.column :]
    return render(document._replace(lines=tuple(lines)))


def _good(document: Document, data: bytes, insertions: Sequence[Insertion]) -> bool:
    """Everything reads as before, and every inserted tag belongs to something."""
    after = parse(data)
    before, now = (
        ([(e.kind, e.text) for e in it.entries], [(h.level, h.title) for h in it.headings], [(c.inner, c.closed) for c in it.comments])
        for it in (document, after)
    )
    old = sum(not mark.misplaced and mark.tag is not None for mark in document.marks)
    new = sum(not mark.misplaced and mark.tag is not None for mark in after.marks)
    return before == now and new == old + len(insertions)
