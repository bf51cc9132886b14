"""What of a workspace's files a host puts into a session's window: which are whole, which are cut and where, which are dropped.

The text is counted as the host counts it: OpenClaw is JavaScript, which takes a character beyond U+FFFF (most emoji) for two and drops blanks at
the end first. What is shown to people are code points and bytes, as `wc -m` and `wc -c` count them.
"""

from __future__ import annotations

from hoard_git.core.budget import AROUND, BYTES, CHARS, DIGEST, HEAD, LINES, MANUAL_NAME, REFUSE, WITHIN, Limit
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hoard_git.core.budget import Budget
    from hoard_git.core.document import Document, Heading

WHOLE, CUT, DROPPED = "whole", "cut", "dropped"
FILE, TOTAL = "file", "total"

NEAR = 85
"""Percent of a limit from which OpenClaw itself warns."""

_BLANKS = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
"""What JavaScript's trimEnd takes away."""
_LEAST = 64
"""With less room left in the total than this, OpenClaw stops loading files."""
_MARK, _MARK_NAMES = 78, 2
"""Characters of OpenClaw's mark around what it cut out, without the numbers in it, and how often the file's name stands there."""
_SHARES = {AROUND: (70, 20), "": (75, 25), MANUAL_NAME: (45, 15)}
"""Percent from the start and from the end that are kept."""


class Size(Record):
    """A file's size: code points (bytes that are no UTF-8 count for nothing, as with `wc -m`), bytes, and lines."""

    chars: int = 0
    bytes: int = 0
    lines: int = 0

    def of(self, unit: str) -> int:
        """The size in one unit."""
        return self.bytes if unit == BYTES else self.lines if unit == LINES else self.chars


class Row(Record):
    """One file of the window.

    `limit` is the host's for this file, None without one; `first_lost` to `last_lost` are the 1-based lines that are not loaded, wholly or in
    part, 0 without; `why` says which limit did it: `file` or `total`. `counted` is how long the host finds the file, in the limit's unit.
    `room` is what it is cut to, None where it is not cut: what the files before it have left when that is less than the limit.
    """

    path: str
    name: str
    size: Size
    limit: Limit | None
    outcome: str = WHOLE
    first_lost: int = 0
    last_lost: int = 0
    why: str = ""
    counted: int = 0
    room: Limit | None = None

    @property
    def percent(self) -> int:
        """How much of the limit the file takes, rounded down; 0 without a limit."""
        return 0 if self.limit is None else self.size.of(self.limit.unit) * 100 // self.limit.amount

    @property
    def is_over(self) -> bool:
        """Whether the file itself is over its limit, whatever the others take."""
        return self.why == FILE

    def told(self) -> str:
        """The file's size in the limit's unit, in words; with the host's own count where that alone is over the limit."""
        if self.limit is None:
            return f"{self.size.chars:,} chars"
        size = self.limit._replace(amount=self.size.of(self.limit.unit)).text()
        odd = self.size.of(self.limit.unit) <= self.limit.amount < self.counted
        return f"{size} ({self.counted:,} for the host, which takes an emoji for two)" if odd else size


class Window(Record):
    """The files of one workspace in load order. `total` is what they take together, each up to its own limit; `limit` that of the budget."""

    budget: Budget
    rows: tuple[Row, ...]
    total: int = 0

    @property
    def percent(self) -> int:
        """How much of the total limit the files want, rounded down; 0 without one."""
        limit = self.budget.total
        return 0 if limit is None else self.total * 100 // limit.amount

    @property
    def is_over(self) -> bool:
        """Whether the files together want more than the host loads."""
        limit = self.budget.total
        return limit is not None and self.total > limit.amount


def measure(data: bytes) -> Size:
    """Measure a file."""
    lines = data.count(b"\n") + (not data.endswith(b"\n") and data != b"")
    return Size(len(data.decode("utf-8", "ignore")), len(data), lines)


def load(files: Mapping[str, tuple[str, bytes]], budget: Budget) -> Window:
    """Load files as the host does: `files` maps a name of the budget's order to path and bytes; names that are not there take no room."""
    rows: list[Row] = []
    left = budget.total
    wanted = 0
    full = False
    for name in budget.order:
        if name not in files:
            continue
        path, data = files[name]
        text = data.decode("utf-8", "replace")
        if budget.cut in (AROUND, WITHIN, DIGEST):
            text = text.rstrip(_BLANKS)
        row, taken, wish = _place(Row(path, name, measure(data), None), text, budget, left)
        full = full or (left is not None and left.amount < _least(budget) and bool(text))
        if full and text:
            row = row._replace(outcome=DROPPED, why=row.why or TOTAL, first_lost=1, last_lost=max(row.size.lines, 1))
        elif left is not None:
            left = left._replace(amount=max(left.amount - taken, 0))
        wanted += wish
        rows.append(row)
    return Window(budget, tuple(rows), wanted)


def _least(budget: Budget) -> int:
    return _LEAST if budget.total is not None and budget.total.unit == CHARS else 1


def _place(row: Row, text: str, budget: Budget, left: Limit | None) -> tuple[Row, int, int]:
    """Judge one file; returns its row, the room it takes in the unit of the total, and the room it would take were the total endless."""
    limits = budget.limits(row.name)
    worst = max(limits, key=lambda limit: row.size.of(limit.unit) / limit.amount, default=None)
    row = row._replace(limit=worst, counted=_length(text, worst.unit) if worst is not None else 0)
    unit = budget.total.unit if budget.total is not None else CHARS
    length = _length(text, unit)
    over = next((limit for limit in sorted(limits, key=lambda limit: limit.unit) if _length(text, limit.unit) > limit.amount), None)
    if over is not None and budget.cut == REFUSE:
        return row._replace(why=FILE), length, length
    wish = length
    if over is not None:
        tight = _tightest(text, limits)
        row, wish = _cut(row._replace(why=FILE), text, budget.cut, tight, unit)
    if left is None or wish <= left.amount:
        return row, wish, wish
    cut, taken = _cut(row._replace(why=row.why or TOTAL), text, budget.cut, left, unit)
    return cut, min(taken, left.amount), wish


def _tightest(text: str, limits: Iterable[Limit]) -> Limit:
    """Of several limits the one that leaves the least of the text."""
    return min(limits, key=lambda limit: _head(text, limit.amount, limit.unit))


def _cut(row: Row, text: str, style: str, limit: Limit, unit: str) -> tuple[Row, int]:
    """Cut a text to a limit: the row with what is lost, and what the rest takes in `unit`."""
    count = limit.amount
    if style == HEAD or limit.unit == LINES:
        head, tail, mark = _head(text, count, limit.unit), len(text), 0
    else:
        first, last = _SHARES.get(style, _SHARES.get(row.name, _SHARES[""]) if style == DIGEST else _SHARES[""])
        length = _length(text, limit.unit)
        mark = _mark(row.name, count * first // 100, count * last // 100, length)
        room = count if style == AROUND or first + last < 100 else max(count - mark, 0)
        head, tail = _head(text, room * first // 100, limit.unit), _tail(text, room * last // 100, limit.unit)
    row = row._replace(
        outcome=CUT, room=limit, first_lost=text.count("\n", 0, head) + 1, last_lost=text.count("\n", 0, max(tail - 1, head)) + 1
    )
    if style == DIGEST and row.name == MANUAL_NAME and limit.unit == unit:
        return row, count
    return row, _length(text[:head], unit) + _length(text[tail:], unit) + mark


def _mark(name: str, head: int, tail: int, length: int) -> int:
    """How long the mark is that stands for what was cut: it names the file twice and three numbers."""
    return _MARK + _MARK_NAMES * len(name) + sum(len(str(number)) for number in (head, tail, length))


def _length(text: str, unit: str) -> int:
    """How long the host finds a text: UTF-16 code units, bytes of UTF-8, or lines."""
    if unit == BYTES:
        return len(text.encode("utf-8", "replace"))
    if unit == LINES:
        return text.count("\n") + (not text.endswith("\n") and text != "")
    return len(text) if text.isascii() else len(text) + sum(c > "\uffff" for c in text)


def _head(text: str, count: int, unit: str) -> int:
    """How many code points the longest start of a text has that is no longer than `count` units."""
    if unit == LINES:
        at = 0
        for _ in range(count):
            at = text.find("\n", at) + 1
            if not at:
                return len(text)
        return at
    if unit == CHARS and (text.isascii() or max(text) <= "\uffff"):
        return min(count, len(text))
    if unit == BYTES:
        return len(text.encode("utf-8", "replace")[:count].decode("utf-8", "ignore"))
    return len(text.encode("utf-16-le", "replace")[: 2 * count].decode("utf-16-le", "ignore"))


def _tail(text: str, count: int, unit: str) -> int:
    """Where the longest end of a text begins that is no longer than `count` units."""
    return len(text) - _head(text[::-1], count, unit)


def lost_headings(document: Document, row: Row) -> list[Heading]:
    """The headings of a file under which something is lost, each with lines of its own there, in order."""
    if not row.last_lost:
        return []
    starts = [heading.line for heading in document.headings]
    found = []
    for number, heading in enumerate(document.headings):
        end = starts[number + 1] - 1 if number + 1 < len(starts) else len(document.lines)
        if heading.line <= row.last_lost and end >= row.first_lost:
            found.append(heading)
    return found
