"""What a parsed memory file is: lines, headings, entries, tags and comments, each with its place."""

from __future__ import annotations

from hoard_git.core.record import Record
from hoard_git.core.tags import Tag

NO_PARENT = -1

BLANK, HEADING, ITEM, TEXT, CODE, ROW, RULE, QUOTE, HTML, COMMENT, FRONT, REFERENCE = "bhitcrRqHmfd"
"""Line kinds, one letter a line in `Document.kinds`."""


class Heading(Record):
    """An ATX or `===` heading outside quotes and list items.

    `title` is its text without markers, closing hashes and tag. `parent` is the index of the enclosing heading or -1.
    """

    line: int
    level: int
    title: str
    parent: int
    tag: Tag | None = None


class Entry(Record):
    """One fact or other piece of content: what provenance is about.

    `kind` is `item`, `text`, `row`, `code`, `html`, `quote`, `front`, `reference` or `transcript`. Lines are 1-based and inclusive.
    `text` is the exact source with the entry's own tag taken out, lines joined by `\\n`, trailing blanks of the tag's line dropped.
    `heading` indexes the enclosing heading, `parent` the list item that encloses this entry; -1 where there is none.
    """

    kind: str
    line: int
    end_line: int
    text: str
    heading: int
    parent: int = NO_PARENT
    tag: Tag | None = None
    tag_line: int = 0


class TagMark(Record):
    """A comment that means to be a provenance tag.

    `problem` is empty for a good tag. `misplaced` is empty where the tag belongs to a heading, an entry or the block below, else one
    clause about its place. `end_line` differs from `line` only for a comment over several lines. Columns are 1-based characters.
    """

    line: int
    column: int
    end_column: int
    tag: Tag | None
    problem: str
    misplaced: str
    place: str
    inner: str = ""
    end_line: int = 0


class Comment(Record):
    """An HTML comment that is not a provenance tag. `closed` is false when the file ends inside it."""

    line: int
    column: int
    end_line: int
    inner: str
    closed: bool
    place: str = "plain"


class Region(Record):
    """A managed region between `<!-- name:start -->` and `<!-- name:end -->`, markers included; other tools own what is inside."""

    line: int
    end_line: int
    name: str


class Document(Record):
    """A parsed file. `lines` are without their `\\n` (the last one is empty when the file ends in one); `kinds` has one letter a line."""

    lines: tuple[str, ...]
    kinds: str
    headings: tuple[Heading, ...]
    entries: tuple[Entry, ...]
    marks: tuple[TagMark, ...]
    comments: tuple[Comment, ...]
    regions: tuple[Region, ...]
    front: tuple[tuple[str, str, int], ...]
    unclosed_fence: int = 0
    nested_headings: tuple[int, ...] = ()
    depth: int = 0

    def line_end(self) -> str:
        """What new lines end in before their line feed: a carriage return where most lines have one, else ''."""
        ended = self.lines[:-1]
        return "\r" if sum(line.endswith("\r") for line in ended) * 2 > len(ended) else ""

    def in_region(self, line: int) -> bool:
        """Whether a line lies in a managed region."""
        return any(region.line <= line <= region.end_line for region in self.regions)
