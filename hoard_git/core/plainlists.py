"""A short cut for the most common piece of memory: a heading and one-line bullets. It reads what core.markdown reads, many times faster.

Only a piece whose every line is blank, a heading at its top or `- ` with a letter or digit behind it is taken, since then no line has a
say in how another one is read; each line is parsed once by the real scanner where it holds anything but plain words.
"""

from __future__ import annotations

import re

from hoard_git.core.document import NO_PARENT, Document, Entry, Heading
from hoard_git.core.markdown import read_piece
from hoard_git.core.tags import Tag, looks_like_tag, parse_tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    Item = tuple[str, Tag | None, int]
    """Text, tag, and 1 where the tag stands on the line."""

_PIECE = re.compile(r"#{1,6} [^\n\r]*+(?:\n(?:- [^\W_][^\n\r]*+)?+)*+", re.ASCII)
_LINE = re.compile(r"- [^\W_][^\n\r]*+", re.ASCII)
_SPECIAL = re.compile(r"[<&\x00\x0b\x0c\x1c-\x1f\x85\u2028\u2029]")
_TAGGED = re.compile(r"(#{1,6}) ([A-Za-z0-9][A-Za-z0-9.,:/-]*+(?: ++[A-Za-z0-9.,:/-]++)*+) <!-- ([^\n<>-]++(?:-[^\n<>-]++)*+)-->")
_MOST_KEPT = 20_000


class Plain:
    """A plain piece: its lines without newlines (the last one empty when it ends in one), its heading alone, and its items."""

    __slots__ = ("headings", "items", "lines")

    def __init__(self, lines: list[str], headings: tuple[Heading, ...], items: list[Item]) -> None:
        """Keep the values as they are."""
        self.lines = lines
        self.headings = headings
        self.items = items

    def entry(self, number: int) -> Entry:
        """One item; its lines count from the piece's first one, which is the heading."""
        at = number + 1
        while (more := number + 1 + self.lines[: at + 1].count("")) != at:
            at = more
        return _entry(self.items[number], at + 1)

    def document(self) -> Document:
        """The Document of the piece, without marks and comments."""
        places = [place for place, line in enumerate(self.lines, 1) if line]
        entries = tuple([_entry(item, at) for item, at in zip(self.items, places[1:], strict=True)])
        return Document(tuple(self.lines), "", self.headings, entries, (), (), (), ())


def _entry(item: Item, at: int) -> Entry:
    # Half of the time of this function would go into the record's constructor.
    return tuple.__new__(Entry, ("item", at, at, item[0], 0, NO_PARENT, item[1], at if item[2] else 0))


class PlainLists:
    """Reads plain pieces, and remembers the lines that it has read."""

    def __init__(self) -> None:
        """Start empty; the memory is emptied when it holds 20,000 lines."""
        self._items: dict[str, Item] = {}
        self._headings: dict[str, tuple[Heading, ...]] = {}

    def read(self, text: str) -> Plain | None:
        """Read a piece; None when it is not as plain as that."""
        if _PIECE.fullmatch(text) is None:
            return None
        lines = text.split("\n")
        known = self._items
        if len(known) + len(self._headings) > _MOST_KEPT:
            known.clear()
            self._headings.clear()
        headings = self._headings.get(lines[0]) or self._heading(lines[0])
        if headings is None:
            return None
        items: list[Item] = []
        for line in lines[1:]:
            if line:
                item = known.get(line) or self._item(line)
                if item is None:
                    return None
                items.append(item)
        return Plain(lines, headings, items)

    def change(self, plain: Plain, text: str) -> tuple[Plain, int, int] | None:
        """Read a piece that differs from a plain one by one item that went, came, or stands for another; None when it is not so.

        Also gives the numbers of the item that went and of the one that came, -1 for none. None, too, where the item beside it is the same, so
        that it is a matter of taste which one came or went.
        """
        rows, lines = plain.lines, text.split("\n")
        longer = len(lines) - len(rows)
        if not -1 <= longer <= 1 or lines[-1] != rows[-1]:
            return None
        at, most = 0, len(lines) - (longer == 1) - 1
        while at < most and lines[at] == rows[at]:
            at += 1
        gone, came = longer <= 0, longer >= 0
        if not at or (gone and not rows[at]) or rows[at + gone :] != lines[at + came :]:
            return None
        number = at - 1 - rows[1:at].count("")
        items = plain.items.copy()
        before = items.pop(number) if gone else None
        beside = items[number] if number < len(items) else None
        if came:
            line = lines[at]
            item = self._items.get(line) or (self._item(line) if _LINE.fullmatch(line) else None)
            if item is None or item in (before, beside if before is None else None):
                return None
            items.insert(number, item)
        elif before == beside:
            return None
        return Plain(lines, plain.headings, items), number if gone else -1, number if came else -1

    def _heading(self, line: str) -> tuple[Heading, ...] | None:
        found = _plain_heading(line)
        if not found:
            document = _parse(line)
            if document is None or len(document.headings) != 1 or document.entries:
                return None
            found = document.headings
        self._headings[line] = found
        return found

    def _item(self, line: str) -> Item | None:
        if _SPECIAL.search(line) is None:
            plain: Item = (line, None, 0)
            self._items[line] = plain
            return plain
        document = _parse(line)
        if document is None or document.headings or len(document.entries) != 1 or document.entries[0].kind != "item":
            return None
        entry = document.entries[0]
        found = self._items[line] = entry.text, entry.tag, entry.tag_line
        return found


def _plain_heading(line: str) -> tuple[Heading, ...]:
    """A heading of plain words with a sound tag behind them, as the scanner reads it; () for any other line."""
    match = _TAGGED.fullmatch(line)
    if match is None or not looks_like_tag(match[3]):
        return ()
    tag = parse_tag(match[3])
    return (Heading(1, len(match[1]), match[2], NO_PARENT, tag),) if isinstance(tag, Tag) else ()


def _parse(line: str) -> Document | None:
    """One line by the real scanner; None when a comment stays open in it."""
    if line.count("<!--") != line.count("-->"):
        return None
    return read_piece([line]).document
