"""A short cut for the most common piece of memory: a heading and one-line bullets. It reads what core.markdown reads, five times faster.

Only a piece whose every line is blank, a heading at its top or `- ` with a letter or digit behind it is taken, since then no line has a
say in how another one is read; each line is parsed once by the real scanner where it holds anything but plain words.
"""

from __future__ import annotations

import re

from hoard_git.core.blocks import Scanner
from hoard_git.core.document import NO_PARENT, Document, Entry, Heading
from hoard_git.core.marks import place_tags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.tags import Tag

    Line = tuple[str, Tag | None, int, int]

_PIECE = re.compile(r"#{1,6} [^\n\r]*+(?:\n(?:- [^\W_][^\n\r]*+)?+)*+", re.ASCII)
_SPECIAL = re.compile(r"[<&\x00\x0b\x0c\x1c-\x1f\x85\u2028\u2029]")
_MOST_KEPT = 20_000


class PlainLists:
    """Reads plain pieces, and remembers the lines that it has read."""

    def __init__(self) -> None:
        """Start empty; the memory is emptied when it holds 20,000 lines."""
        self._known: dict[str, Line] = {}

    def read(self, text: str) -> Document | None:
        """The Document of a piece, without marks and comments; None when it is not as plain as that."""
        if _PIECE.fullmatch(text) is None:
            return None
        lines = text.split("\n")
        if len(self._known) > _MOST_KEPT:
            self._known.clear()
        known = self._known
        first = lines[0]
        found = known.get(first) or self._heading(first)
        if found is None:
            return None
        headings = (Heading(1, found[2], found[0], NO_PARENT, found[1]),)
        entries: list[Entry] = []
        new = tuple.__new__  # half of the time of this function would go into the record's constructor
        for number in range(1, len(lines)):
            line = lines[number]
            if not line:
                continue
            found = known.get(line)
            if found is None:
                found = self._item(line)
                if found is None:
                    return None
            at = number + 1
            entries.append(new(Entry, ("item", at, at, found[0], 0, NO_PARENT, found[1], at if found[3] else 0)))
        return Document(tuple(lines), "", headings, tuple(entries), (), (), (), ())

    def _heading(self, line: str) -> Line | None:
        document = _parse(line)
        if document is None or len(document.headings) != 1 or document.entries:
            return None
        heading = document.headings[0]
        found = self._known[line] = heading.title, heading.tag, heading.level, 0
        return found

    def _item(self, line: str) -> Line | None:
        if _SPECIAL.search(line) is None:
            plain: Line = (line, None, 0, 0)
            self._known[line] = plain
            return plain
        document = _parse(line)
        if document is None or document.headings or len(document.entries) != 1 or document.entries[0].kind != "item":
            return None
        entry = document.entries[0]
        found = self._known[line] = entry.text, entry.tag, 0, entry.tag_line
        return found


def _parse(line: str) -> Document | None:
    """One line by the real scanner; None when a comment stays open in it."""
    if line.count("<!--") != line.count("-->"):
        return None
    scanner = Scanner([line])
    scanner.run()
    return place_tags(scanner)
