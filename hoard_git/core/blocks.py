"""The line scanner: which block every line belongs to (CommonMark 0.31, chapter 5, and GFM tables).

One pass, linear in the bytes. Quotes and list items may be open, and one leaf (paragraph, table, code, fence or HTML) inside them. Where CommonMark and what people mean differ, people win: a line of dashes under text is a rule, a heading in a quote or a
list item is text, a pasted bullet sign begins an item, `§` alone is a rule. A quote is one entry, whatever it holds. A table inside a
list item stays part of the entry that it stands in; after the item's children it becomes rows that have the item as parent.
"""

from __future__ import annotations

from hoard_git.core import document as kind
from hoard_git.core import starts
from hoard_git.core.containers import Containers, behind_quote_sign
from hoard_git.core.document import NO_PARENT
from hoard_git.core.parts import Part, Parts

_STARTERS = frozenset("#>-+*0123456789`~<=_|:\u00a7" + starts.SIGNS)
_BULLETS = frozenset("-+*0123456789")
_NONE, _PARAGRAPH, _TABLE, _CODE, _FENCE, _HTML, _COMMENT = range(7)


class Scanner:
    """Reads lines once and leaves what it found in its public attributes.

    `kinds` has a letter a line. `leaves` has, for each line, the first line of the paragraph, comment or HTML block that it belongs to
    (other lines have their own number): a code span or a comment never crosses that border. `code_lines` are the item and quote lines
    whose text is code, `raw` the leaves that are raw HTML.
    """

    def __init__(self, lines: list[str], *, first: bool = True, last: bool = True) -> None:
        """Take the lines of one file, or of a piece of it that may be its first or last, without their newline characters."""
        self._first = first
        self._last = last
        self.lines = lines
        self.kinds: list[str] = []
        self.leaves: list[int] = []
        self._found = Parts()
        self.parts = self._found.entries
        self.headings = self._found.headings
        self.front: list[tuple[str, str, int]] = []
        self.nested_headings: list[int] = []
        self.code_lines: set[int] = set()
        self.raw: set[int] = set()
        self.unclosed_fence = 0
        self.depth = 0
        self._inside = Containers()
        self._quoted: Part | None = None
        self._leaf = _NONE
        self._leaf_line = 0
        self._part: Part | None = None
        self._text_line = ("", 0)
        self._title_end = ""
        self._fence = ("", 0)
        self._html = ""
        self._item_line = 0
        self._hollow = 0
        self._rules = starts.Rules()

    def run(self) -> None:
        """Scan all lines."""
        lines = self.lines
        count = len(lines) - 1 if self._last and lines[-1] == "" else len(lines)
        number = self._front() if self._first else 0
        if self._first and not number and lines[0].startswith("\ufeff"):
            number = 1
            self._line(1, lines[0][1:])
        for number in range(number + 1, count + 1):  # noqa: B020 - it goes on where the front matter ended
            self._line(number, lines[number - 1])
        if len(self.kinds) < len(lines):
            self.kinds.append(kind.BLANK)
            self.leaves.append(len(lines))
        if self._leaf == _FENCE:
            self.unclosed_fence = self._leaf_line

    @property
    def goes_on(self) -> bool:
        """Whether a fence, comment or HTML block is open that a heading at the start of the next line does not end."""
        return self._leaf >= _FENCE and not self._inside

    def _front(self) -> int:
        found = starts.read_front(self.lines)
        if found is None:
            return 0
        first, last, self.front = found
        self.kinds += [kind.BLANK] * (first - 1) + [kind.FRONT] * (last + 1 - first)
        self.leaves += range(1, last + 1)
        part = Part("front", first, NO_PARENT, NO_PARENT)
        part.end = last
        self.parts.append(part)
        return last

    # ------------------------------------------------------------------ one line

    def _line(self, number: int, line: str) -> None:
        at, column = starts.first_character(line)
        base = matched = 0
        if self._inside:
            at, column, base, matched = self._inside.match(line, at, column)
        blank = starts.is_blank(line, at)
        if self._leaf >= _FENCE:
            if matched < len(self._inside):
                self._leave(matched)
            elif self._in_leaf(number, line, at, column - base, blank=blank):
                return
        if blank:
            self._blank(number, matched)
        else:
            self._start(number, line, at, column, base, matched)

    def _leave(self, matched: int) -> None:
        """Close the containers behind the first ones that a line stays in, and the open leaf with them."""
        if matched < len(self._inside):
            self._inside.leave(matched)
        self._leaf = _NONE

    def _blank(self, number: int, matched: int) -> None:
        if matched < len(self._inside):
            self._leave(matched)
        elif self._hollow == number - 1 and number > 1 and self._inside:
            self._leave(matched - 1)  # an item that is still empty ends at a blank line
        if self._leaf != _CODE:
            self._leaf = _NONE
        if self._inside.in_quote:
            self._emit(number, kind.QUOTE, number, self._quoted)
        else:
            self._emit(number, kind.BLANK, number, None)

    def _emit(self, number: int, letter: str, leaf: int, part: Part | None) -> None:
        """Give the line its letter: the item's on a marker's line, the quote's inside one but for code and HTML."""
        if self._item_line == number:
            if letter == kind.CODE:
                self.code_lines.add(number)
            letter = kind.ITEM
        elif self._inside.in_quote and letter not in (kind.CODE, kind.HTML):
            letter = kind.QUOTE
        if part is not None:
            part.end = number
        self.kinds.append(letter)
        self.leaves.append(leaf)

    def _place(self, what: str, number: int) -> Part:
        """Return the entry that a new leaf belongs to: the quote's or the item's that is being read, else a new one."""
        if self._inside.in_quote and self._quoted is not None:
            return self._quoted
        parent = self._inside.entry
        if parent >= 0 and parent == len(self.parts) - 1:
            return self.parts[parent]
        return self._found.add(what, number, parent)

    # ------------------------------------------------------------------ what a line starts

    def _start(self, number: int, line: str, at: int, column: int, base: int, matched: int) -> None:
        """Open the containers and the leaf that this line starts; a line that starts nothing is text."""
        while True:
            if column - base > 3:
                if self._leaf == _PARAGRAPH:
                    break  # indented text goes on with the paragraph
                self._indented_code(number, matched)
                return
            sign = line[at]
            if sign not in _STARTERS:
                break
            whole = matched == len(self._inside)
            marker = self._item_marker(number, line, at, sign, whole=whole) if sign in _BULLETS else 0
            if marker:
                self._leave(matched)
                at, column, base = self._open_item(number, line, at, column, base, marker)
            elif sign == ">":
                self._leave(matched)
                at, column, base = self._open_quote(number, line, at, column)
            elif self._start_leaf(number, line, at, sign, matched):
                return
            else:
                break
            matched = len(self._inside)
            self.depth = max(self.depth, matched)
            if starts.is_blank(line, at):
                self._hollow = number if marker else 0
                self._emit(number, kind.QUOTE, number, self.parts[-1])
                return
        self._text(number, line, at, matched)

    def _item_marker(self, number: int, line: str, at: int, sign: str, *, whole: bool) -> int:
        """Return the length of the marker of an item that starts here, or 0."""
        marker = starts.item_marker(line, at)
        if not marker:
            return 0
        if sign in "-*" and self._rules.starts_at(number, line, at, sign):
            return 0
        if whole and self._leaf == _PARAGRAPH:
            empty = not line[at + marker :].strip(" \t\r")
            if empty or (marker > 1 and int(line[at : at + marker - 1]) != 1):
                return 0  # an empty item, or a number but 1, does not interrupt a paragraph
        return marker

    def _open_item(self, number: int, line: str, at: int, column: int, base: int, marker: int) -> tuple[int, int, int]:
        """Open a list item; markers behind markers on one line (`- - text`) are one entry."""
        index = NO_PARENT
        if not self._inside.in_quote:
            index = self._inside.entry
            if self._item_line != number:
                self._found.add("item", number, index)
                self._item_line = number
                index = len(self.parts) - 1
        after, stop = starts.skip_blanks(line, at + marker, column + marker)
        gap = stop - column - marker
        if gap > 4 or starts.is_blank(line, after):
            gap = 1
        need = column - base + marker + gap
        self._inside.open_item(need, index)
        return after, stop, base + need

    def _open_quote(self, number: int, line: str, at: int, column: int) -> tuple[int, int, int]:
        if not self._inside.in_quote:
            self._quoted = self._place("quote", number)
        self._inside.open_quote()
        return behind_quote_sign(line, at, column)

    def _start_leaf(self, number: int, line: str, at: int, sign: str, matched: int) -> bool:
        """Start the heading, rule, table, fence, HTML block or sign item that this line starts; false when it is running text."""
        whole = matched == len(self._inside)
        if whole and self._leaf == _PARAGRAPH and sign in "=-|:" and self._underline_or_table(number, line, at, sign):
            return True
        if sign in "-*_" and self._rules.starts_at(number, line, at, sign):
            return self._rule(number, matched)
        if sign == "#":
            return (level := starts.heading_level(line, at)) > 0 and self._heading(number, line, level, matched)
        if sign in "`~":
            return (run := starts.fence_run(line, at)) > 0 and self._open_fence(number, sign, run, matched)
        if sign == "<":
            found = starts.html_end(line, at)
            if found is None or not (found[1] or (self._leaf != _PARAGRAPH and not (whole and self._leaf == _TABLE))):
                return False
            return self._open_html(number, line, at, found[0], matched)
        if sign == "\u00a7":
            return not line[at + 1 :].strip(" \t\r") and self._rule(number, matched)
        return sign in starts.SIGNS and line[at + 1 : at + 2] in (" ", "\t", "\u00a0") and self._sign_item(number, line, at, matched)

    def _rule(self, number: int, matched: int) -> bool:
        self._leave(matched)
        own = self._inside.in_quote or self._item_line == number
        self._emit(number, kind.RULE, number, self.parts[-1] if own else None)
        return True

    def _sign_item(self, number: int, line: str, at: int, matched: int) -> bool:
        self._leave(matched)
        if self._inside.in_quote or self._item_line == number:
            return False
        self._open_paragraph(number, line, at, self._found.add("item", number, self._inside.entry))
        self._emit(number, kind.ITEM, number, self._part)
        return True

    # ------------------------------------------------------------------ headings

    def _heading(self, number: int, line: str, level: int, matched: int) -> bool:
        self._leave(matched)
        if self._inside:
            self.nested_headings.append(number)
            self._emit(number, kind.TEXT, number, self._place("text", number))
            return True
        self._found.add_heading(number, level, starts.heading_title(line))
        self._emit(number, kind.HEADING, number, None)
        return True

    def _underline_or_table(self, number: int, line: str, at: int, sign: str) -> bool:
        """`===` under a paragraph makes it a heading; dashes there are a rule, as people mean them (295 of 295 in real logs)."""
        if sign in "-|:" and starts.is_table_head(line, at, self._text_line[0][self._text_line[1] :]):
            self._open_table(number)
            return True
        if sign not in "=-" or line[at:].rstrip(" \t\r").strip(sign):
            return False
        part = self._part
        if sign == "=" and part is not None and (self._inside or part.kind != "text"):
            self.nested_headings.append(self._leaf_line)
            self._leaf = _NONE
            self._emit(number, kind.TEXT, number, part)
            return True
        if sign == "-" or part is None:
            return self._rule(number, len(self._inside))
        self._leaf = _NONE
        self.parts.pop()
        self.kinds[part.line - 1 :] = [kind.HEADING] * (number - part.line)
        self._found.add_heading(
            part.line, 1, " ".join(text.removeprefix("\ufeff").strip(" \t\r") for text in self.lines[part.line - 1 : number - 1])
        )
        self._emit(number, kind.HEADING, part.line, None)
        return True

    # ------------------------------------------------------------------ text, tables, indented code

    def _text(self, number: int, line: str, at: int, matched: int) -> None:
        if self._leaf == _PARAGRAPH:
            self._text_line = (line, at)
            if self._title_end and line.rstrip(" \t\r").endswith(self._title_end):
                self._leaf = _NONE
            self._emit(number, kind.REFERENCE if self._title_end and not self._inside else kind.TEXT, self._leaf_line, self._part)
            return
        if self._leaf == _TABLE and matched == len(self._inside):
            self._row(number)
            return
        self._leave(matched)
        title_end = starts.reference(line, at) if line[at] == "[" else None
        refers = title_end is not None and not self._inside
        self._open_paragraph(number, line, at, self._place("reference" if refers else "text", number))
        self._title_end = title_end or ""
        if title_end == "":
            self._leaf = _NONE
        self._emit(number, kind.REFERENCE if refers else kind.TEXT, number, self._part)

    def _open_paragraph(self, number: int, line: str, at: int, part: Part) -> None:
        self._leaf = _PARAGRAPH
        self._leaf_line = number
        self._part = part
        self._text_line = (line, at)
        self._title_end = ""

    def _open_table(self, number: int) -> None:
        """Make the paragraph's last line a table's head; what stands above it stays a paragraph."""
        part = self._part
        if part is not None and part.kind == "text" and not self._inside.in_quote:
            if part.line < number - 1:
                part.end = number - 2
                above, part = part, Part("row", number - 1, part.heading, part.parent)
                self.parts.append(part)
                del above
            part.kind = "row"
        if self.kinds[-1] == kind.TEXT:
            self.kinds[-1] = kind.ROW
        self.leaves[-1] = number - 1
        self._leaf = _TABLE
        self._part = part
        self._emit(number, kind.ROW, number, part)

    def _row(self, number: int) -> None:
        part = self._part
        if part is not None and part.kind == "row":
            part = self._part = self._found.add("row", number, part.parent)
        self._emit(number, kind.ROW, number, part)

    def _indented_code(self, number: int, matched: int) -> None:
        if self._leaf != _CODE or matched < len(self._inside):
            self._leave(matched)
            self._leaf = _CODE
            self._part = self._place("code", number)
        self._emit(number, kind.CODE, number, self._part)

    # ------------------------------------------------------------------ fences and HTML

    def _open_fence(self, number: int, sign: str, run: int, matched: int) -> bool:
        self._leave(matched)
        self._leaf = _FENCE
        self._leaf_line = number
        self._fence = (sign, run)
        self._part = self._place("code", number)
        self._emit(number, kind.CODE, number, self._part)
        return True

    def _open_html(self, number: int, line: str, at: int, end: str, matched: int) -> bool:
        """Open an HTML block; a line of whole comments is a comment line, and with text behind them raw HTML."""
        self._leave(matched)
        self._leaf_line = number
        if end == "-->" and not line.startswith(("<!-->", "<!--->"), at):
            close = line.find("-->", at + 4)
            if close < 0 or starts.only_comments(line[close + 3 :]):
                inside = self._inside.in_quote or 0 <= self._inside.entry == len(self.parts) - 1
                self._part = self.parts[-1] if inside else None
                self._leaf = _COMMENT if close < 0 else _NONE
                self._emit(number, kind.COMMENT, number, self._part)
                return True
        self.raw.add(number)
        self._part = self._place("html", number)
        self._html = end
        self._leaf = _HTML if end == starts.UNTIL_BLANK or not starts.ends_html(end, line, at) else _NONE
        self._emit(number, kind.HTML, number, self._part)
        return True

    def _in_leaf(self, number: int, line: str, at: int, relative: int, *, blank: bool) -> bool:
        """Handle a line inside an open fence, comment or HTML block; false when it ends the block by not being part of it."""
        part = self._part if not blank or self._inside.in_quote else None
        if self._leaf == _FENCE:
            sign, run = self._fence
            if not blank and relative < 4 and line[at] == sign and starts.closes_fence(line, at, sign, run):
                self._leaf = _NONE
            self._emit(number, kind.CODE, number, part)
        elif self._leaf == _HTML:
            if self._html == starts.UNTIL_BLANK:
                if blank:
                    return False
            elif starts.ends_html(self._html, line, at):
                self._leaf = _NONE
            self._emit(number, kind.HTML, self._leaf_line, part)
        else:
            close = line.find("-->", at)
            if close >= 0:
                self._leaf = _NONE
                if not starts.only_comments(line[close + 3 :]):
                    self.raw.add(self._leaf_line)
                    self._emit(number, kind.HTML, self._leaf_line, part or self._place("html", number))
                    return True
            self._emit(number, kind.COMMENT, self._leaf_line, part)
        return True
