"""The open quotes and list items of a scan, outermost first, and which of them a line stays in (CommonMark 0.31, 5.1 and 5.2)."""

from __future__ import annotations

from hoard_git.core import starts
from hoard_git.core.document import NO_PARENT

_QUOTE = 0


class Containers:
    """A stack that is walked from the outside, so that a line costs no more than the levels that it is indented for."""

    def __init__(self) -> None:
        self._stack: list[tuple[int, int]] = []  # the columns that a line needs to stay inside (0 for a quote), and the item's entry
        self._quotes: list[int] = []  # where in the stack quotes stand

    def __len__(self) -> int:
        return len(self._stack)

    @property
    def in_quote(self) -> bool:
        """Whether one of them is a quote."""
        return bool(self._quotes)

    @property
    def entry(self) -> int:
        """The index of the innermost item's entry, or -1."""
        return self._stack[-1][1] if self._stack else NO_PARENT

    def match(self, line: str, at: int, column: int) -> tuple[int, int, int, int]:
        """Find what a line stays in, given its first character; return the first character inside, the inner edge, and the number.

        The first character is an offset and a column, the edge a column.
        """
        base = matched = quotes = 0
        stack = self._stack
        blank = starts.is_blank(line, at)
        while matched < len(stack):
            if blank:  # a blank line stays in every item, but in no further quote
                matched = self._quotes[quotes] if quotes < len(self._quotes) else len(stack)
                break
            need = stack[matched][0]
            if need:
                if column - base < need:
                    break
                base += need
            else:
                if column - base > 3 or line[at] != ">":
                    break
                at, column, base = behind_quote_sign(line, at, column)
                blank = starts.is_blank(line, at)
                quotes += 1
            matched += 1
        return at, column, base, matched

    def leave(self, matched: int) -> None:
        """Close those behind the first ones."""
        del self._stack[matched:]
        while self._quotes and self._quotes[-1] >= matched:
            self._quotes.pop()

    def open_quote(self) -> None:
        """Open a quote inside the innermost."""
        self._quotes.append(len(self._stack))
        self._stack.append((_QUOTE, NO_PARENT))

    def open_item(self, need: int, entry: int) -> None:
        """Open an item whose text is indented by `need` columns from the edge around it."""
        self._stack.append((need, entry))


def behind_quote_sign(line: str, at: int, column: int) -> tuple[int, int, int]:
    """Skip a `>`; one column of blank behind it belongs to it. Return the next character's offset and column, and the new edge."""
    base = column + 1
    if line[at + 1 : at + 2] in (" ", "\t"):
        base += 1
    at, column = starts.skip_blanks(line, at + 1, column + 1)
    return at, column, base
