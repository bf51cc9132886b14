"""Whose tag is whose: turns the scanner's parts into entries with their own tags and lists what stands in the wrong place."""

from __future__ import annotations

from bisect import bisect_right

from hoard_git.core import document as kind
from hoard_git.core import starts
from hoard_git.core.blocks import Scanner
from hoard_git.core.document import Comment, Document, Entry, Heading, TagMark
from hoard_git.core.inline import InlineComment, find_comments, find_raw_comments
from hoard_git.core.model import RANK
from hoard_git.core.parts import Part, name_transcripts
from hoard_git.core.record import Record
from hoard_git.core.regions import find_regions
from hoard_git.core.tags import Tag, looks_like_tag, parse_tag

_PLACES = {
    "code": "it stands in code",
    "escaped": "it is escaped and counts for nothing",
    "title": "it stands in a link",
    "target": "it stands in a link",
    "attribute": "it stands in an HTML attribute",
    "html": "it stands in raw HTML",
    "front": "it stands in front matter",
}
_REAL = ("plain", "empty", "open", "html")
_NOT_LAST = "it does not end its line"
_SECOND = "the %s already has a tag"


class _Spot(Record):
    """One comment at its place, lines 1-based, columns 0-based.

    `alone` when its line holds nothing else, `last` when only comments follow it there.
    """

    line: int
    start: int
    end_line: int
    end: int
    inner: str
    place: str
    alone: bool
    last: bool


class _Claim(Record):
    """A well-formed tag that stands as a comment of its owner; one in the wrong place can lower trust, never give it."""

    tag: Tag
    good: bool
    spot: _Spot


class _Marker:
    """Collects marks and comments of one file, then builds its Document."""

    def __init__(self, scanner: Scanner) -> None:
        self.scanner = scanner
        self.lines = scanner.lines
        self.kinds = scanner.kinds
        self.parts = scanner.parts
        self.marks: list[TagMark] = []
        self.comments: list[Comment] = []
        self.heading_claims: dict[int, list[_Claim]] = {}
        self.heading_spots: dict[int, list[_Spot]] = {}
        self.part_claims: dict[int, list[_Claim]] = {}

    def build(self) -> Document:
        """Look at every leaf that may hold a comment, in the order of the file."""
        scanner = self.scanner
        seen = 0
        for number, line in enumerate(self.lines, 1):
            if "!--" in line and ("<!--" in line or ";!--" in line):
                leaf = scanner.leaves[number - 1]
                if leaf != seen and self.kinds[number - 1] != kind.CODE and number not in scanner.code_lines:
                    seen = leaf
                    for spot in self._spots(leaf):
                        self._judge(spot)
        name_transcripts(self.lines, self.parts)
        return Document(
            tuple(self.lines),
            "".join(self.kinds),
            tuple(map(self._heading, scanner.headings)) if self.heading_spots else tuple(scanner.headings),
            tuple(map(self._entry, range(len(self.parts)), self.parts)),
            tuple(sorted(self.marks, key=_place)),
            tuple(sorted(self.comments, key=_place)),
            find_regions(self.comments),
            tuple(scanner.front),
            scanner.unclosed_fence,
            tuple(scanner.nested_headings),
            scanner.depth,
        )

    # ---------------------------------------------------------------- finding

    def _spots(self, first: int) -> list[_Spot]:
        """Find the comments of one leaf."""
        leaves = self.scanner.leaves
        numbers = [first]
        while numbers[-1] < len(leaves) and leaves[numbers[-1]] == first:
            numbers.append(numbers[-1] + 1)
        texts = [self._inner_text(number, first) for number in numbers]
        offsets = [0]
        for text in texts:
            offsets.append(offsets[-1] + len(text) + 1)
        raw = first in self.scanner.raw
        found = (find_raw_comments if raw else find_comments)("\n".join(texts))
        front = self.kinds[first - 1] == kind.FRONT
        spots: list[_Spot] = []
        later: _Spot | None = None
        for comment in reversed(found):
            row = bisect_right(offsets, comment.start) - 1
            end_row = bisect_right(offsets, comment.end - 1) - 1
            start, end = comment.start - offsets[row], min(comment.end - offsets[end_row], len(texts[end_row]))
            place = "front" if front and comment.place == "plain" else comment.place
            later = self._spot(numbers[row], start, numbers[end_row], end, comment._replace(place=place), later)
            spots.append(later)
        return spots[::-1]

    def _inner_text(self, number: int, first: int) -> str:
        """Return a line with the quote signs that continue a quote blanked out: they are no part of its text."""
        line = self.lines[number - 1]
        if number == first or self.kinds[number - 1] not in (kind.QUOTE, kind.HTML):
            return line
        rest = line.lstrip(" \t>")
        return " " * (len(line) - len(rest)) + rest

    def _spot(self, line: int, start: int, end_line: int, end: int, comment: InlineComment, later: _Spot | None) -> _Spot:
        """Say how a comment stands on its line; `later` is the comment behind it."""
        text = self.lines[end_line - 1]
        last = alone = False
        if later is None or later.line != end_line:
            last = not text[end:].strip(" \t\r")
            alone = last and line == end_line and not text[:start].removeprefix("\ufeff").strip(" \t")
        elif later.last and later.place in _REAL:
            last = not text[end : later.start].strip(" \t\r")
        return _Spot(line, start, end_line, end, comment.inner, comment.place, alone, last)

    # ---------------------------------------------------------------- judging

    def _judge(self, spot: _Spot) -> None:
        """Record a comment, or a tag with its problem, its misplacement or its owner."""
        inner = spot.inner
        if not looks_like_tag(inner):
            if spot.place in _REAL:
                self.comments.append(Comment(spot.line, spot.start + 1, spot.end_line, inner, spot.place != "open", spot.place))
            return
        parsed = parse_tag(inner)
        problem = parsed if isinstance(parsed, str) else ""
        if spot.place == "open":
            problem = "the comment has no end"
        elif spot.end_line != spot.line:
            problem = "a tag stands on one line"
        tag = parsed if isinstance(parsed, Tag) and not problem else None
        misplaced = _PLACES.get(spot.place, "") or self._find_owner(spot, tag)
        end = spot.end if spot.end_line == spot.line else len(self.lines[spot.line - 1])
        self.marks.append(TagMark(spot.line, spot.start + 1, end + 1, tag, problem, misplaced, spot.place, inner, spot.end_line))

    def _find_owner(self, spot: _Spot, tag: Tag | None) -> str:
        """Give a tag to its heading or entries; return a clause when it stands in the wrong place for that."""
        letter = self.kinds[spot.line - 1]
        if letter == kind.HEADING:
            heading = self.scanner.leaves[spot.line - 1]
            self.heading_spots.setdefault(heading, []).append(spot)
            return self._claim([self.heading_claims.setdefault(heading, [])], spot, tag, "heading")
        if letter == kind.COMMENT:
            owners = self._owners_of_line(spot.line)
            if not owners:
                return "no paragraph, table, code or quote stands right below it"
            claims = [self.part_claims.setdefault(owner, []) for owner in owners]
            return self._claim(claims, spot, tag, "entry", "" if spot.alone else "it shares its line with another comment")
        low = bisect_right(self.parts, spot.line, key=_line_of) - 1  # no line with text is outside of all entries
        wrong = "a table's tag stands alone on the line above the table" if letter == kind.ROW else ""
        return self._claim([self.part_claims.setdefault(low, [])], spot, tag, "entry", wrong)

    @staticmethod
    def _claim(claims: list[list[_Claim]], spot: _Spot, tag: Tag | None, what: str, wrong: str = "") -> str:
        """Add a tag to what its owners are told; only the first tag at a line's end is in its place."""
        misplaced = wrong or ("" if spot.last else _NOT_LAST)
        if not misplaced and any(claim.good for claim in claims[0]):
            misplaced = _SECOND % what
        if tag is not None:
            for told in claims:
                told.append(_Claim(tag, not misplaced, spot))
        return misplaced

    def _owners_of_line(self, number: int) -> list[int]:
        """Return whose an own-line tag is: the item's that it is indented into, else all rows or the one entry right below."""
        parts = self.parts
        low = bisect_right(parts, number, key=_line_of)
        if low and parts[low - 1].end >= number:
            return [low - 1]
        gap = 1 if number < len(self.kinds) and self.kinds[number] == kind.BLANK else 0
        if low == len(parts) or parts[low].line != number + 1 + gap or parts[low].kind in ("item", "front"):
            return []
        owners = [low]
        while (
            parts[low].kind == "row" and low + 1 < len(parts) and parts[low + 1].kind == "row" and parts[low + 1].line == parts[low].end + 1
        ):
            low += 1
            owners.append(low)
        return owners

    # ---------------------------------------------------------------- building

    def _heading(self, heading: Heading) -> Heading:
        """Take tags, broken ones too, out of the title and give the heading the one that counts."""
        spots = self.heading_spots.get(heading.line)
        if not spots:
            return heading
        last = heading.line
        while last < len(self.lines) and self.scanner.leaves[last] == heading.line:
            last += 1
        lines = list(self.lines[heading.line - 1 : last])
        for spot in reversed(spots):
            if spot.end_line == spot.line:
                at = spot.line - heading.line
                lines[at] = lines[at][: spot.start] + lines[at][spot.end :]
        title = starts.heading_title(lines[0])
        if len(lines) > 1:
            title = " ".join(line.removeprefix("\ufeff").strip(" \t\r") for line in lines[:-1])
        counted = _counted(self.heading_claims[heading.line])
        return heading._replace(title=title, tag=counted.tag if counted else None)

    def _entry(self, index: int, part: Part) -> Entry:
        lines = self.lines
        claims = self.part_claims.get(index)
        counted = _counted(claims) if claims else None
        if counted is None:
            text = lines[part.line - 1] if part.end == part.line else "\n".join(lines[part.line - 1 : part.end])
            return Entry(part.kind, part.line, part.end, text, part.heading, part.parent)
        spot = counted.spot
        kept = lines[part.line - 1 : part.end]
        at = spot.line - part.line
        if at >= 0 and self.kinds[spot.line - 1] == kind.COMMENT:
            del kept[at]
        elif at >= 0:
            rest = kept[at][spot.end :].lstrip(" \t")
            before = kept[at][: spot.start]
            kept[at] = (before if rest.strip("\r") else before.rstrip(" \t")) + rest
        return Entry(part.kind, part.line, part.end, "\n".join(kept), part.heading, part.parent, counted.tag, spot.line)


def _counted(claims: list[_Claim]) -> _Claim | None:
    """Return the claim that counts: the lowest source, once there is a tag in its place at all."""
    if not any(claim.good for claim in claims):
        return None
    return min(claims, key=lambda claim: (RANK[claim.tag.src], not claim.good))


def _line_of(part: Part) -> int:
    return part.line


def _place(found: TagMark | Comment) -> tuple[int, int]:
    return found.line, found.column


def place_tags(scanner: Scanner) -> Document:
    """Build the Document of a finished scan."""
    return _Marker(scanner).build()
