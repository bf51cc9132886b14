"""Which lines of two versions are the same, decided as git decides it: so that our blame names the commits that git's does.

The steps of git's xdiff: lines without a partner are set aside, Myers' algorithm from both ends on the rest, then groups of changes are
slid to where git's indent heuristic wants them. Of git's ways to save time on long differences only the last one, a limit, is here.
"""

from __future__ import annotations

from collections import Counter

from hoard_git.core.chunks import NO_END
from hoard_git.core.middle import find_middle, rough_root
from hoard_git.core.versions import common_tail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Hunk = tuple[int, int, int, int]

_WINDOW = 100
_MOST = 6_000_000
_TRIMMED = 1024


def diff_lines(old: Sequence[str], new: Sequence[str], head: int = 0, tail: int = 0) -> list[Hunk]:
    """Return the hunks that differ: (old start, old stop, new start, new stop), 0-based, in order. Rows are as of `attribution.rows_of`.

    `head` and `tail` are numbers of lines at both ends that the caller knows to be equal.
    """
    most = min(len(old), len(new))
    same = tail
    tail = min(tail, most - head)  # what is equal at both ends may overlap where lines repeat
    while head < most - tail and old[head] == new[head]:
        head += 1
    while tail < most - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    a, b = len(old) - tail, len(new) - tail
    if head == a and head == b:
        return []
    fixed = (head == a or not _may_slide(old, head, a)) and (head == b or not _may_slide(new, head, b))
    if fixed and (head in (a, b) or (a - head == 1 and b - head == 1)):
        return [(head, a, head, b)]
    unseen = _unseen(old, new, max(same, tail)) if not fixed else 0
    if unseen:
        old, new = old[: len(old) - unseen], new[: len(new) - unseen]
        head = min(head, len(old), len(new))
        tail = min(max(0, tail - unseen), len(old) - head, len(new) - head)
        a, b = len(old) - tail, len(new) - tail
    gone, came = _marks(old, new, head, a, b)
    return _compacted(old, new, gone, came, head, tail)


def _unseen(old: Sequence[str], new: Sequence[str], same: int) -> int:
    """How many lines at the end git does not look at; of at least `same` it is known that they are equal.

    It takes off what is equal there in blocks of 1,024 bytes, but for what is left of the line that the last one begins in: so a change among
    lines that repeat does not slide into them (trim_common_tail in xdiff-interface.c, for blame as for diff -U0).
    """
    most = min(len(old), len(new))
    while same < most and old[-1 - same] == new[-1 - same]:
        same += 1
    if not same or sum(map(len, old[-same:])) + same + len(old[-1 - same] if same < len(old) else "") < _TRIMMED // 4:
        return 0
    data = _bytes(old[-same:])
    one, two = (_bytes(side[-1 - same : len(side) - same]) for side in (old, new))
    trimmed = (len(data) + common_tail(one, two, 0)) // _TRIMMED * _TRIMMED
    if trimmed > len(data):
        return same
    end = data.find(b"\n", len(data) - trimmed) + 1 if trimmed else 0
    return data.count(b"\n", end) + (not data.endswith(b"\n")) if end else 0


def _bytes(rows: Sequence[str]) -> bytes:
    """Rows as they stand in the file; the mark of a last line without a newline is none of its bytes."""
    text = "".join([f"{row}\n" for row in rows])
    return text.removesuffix(f"{NO_END}\n").encode("utf-8", "surrogateescape")


def _may_slide(lines: Sequence[str], start: int, stop: int) -> bool:
    return (start > 0 and lines[start - 1] == lines[stop - 1]) or (stop < len(lines) and lines[start] == lines[stop])


# ---------------------------------------------------------------- which lines are changed


def _marks(old: Sequence[str], new: Sequence[str], head: int, a: int, b: int) -> tuple[bytearray, bytearray]:
    """Mark the changed lines of both sides with 1; each array has a zero more at its end."""
    gone, came = bytearray(len(old) + 1), bytearray(len(new) + 1)
    if head in (a, b) or (a - head) * (b - head) > _MOST:
        gone[head:a] = b"\x01" * (a - head)
        came[head:b] = b"\x01" * (b - head)
        return gone, came
    left = _kept(old, new, head, a, gone)
    right = _kept(new, old, head, b, came)
    boxes = [(0, len(left), 0, len(right))]
    one, other = [old[i] for i in left], [new[i] for i in right]
    while boxes:
        off1, lim1, off2, lim2 = boxes.pop()
        while off1 < lim1 and off2 < lim2 and one[off1] == other[off2]:
            off1 += 1
            off2 += 1
        while off1 < lim1 and off2 < lim2 and one[lim1 - 1] == other[lim2 - 1]:
            lim1 -= 1
            lim2 -= 1
        if off1 == lim1 or off2 == lim2:
            for i in range(off1, lim1):
                gone[left[i]] = 1
            for i in range(off2, lim2):
                came[right[i]] = 1
            continue
        i1, i2 = find_middle(one, off1, lim1, other, off2, lim2)
        boxes += [(off1, i1, off2, i2), (i1, lim1, i2, lim2)]
    return gone, came


def _kept(lines: Sequence[str], others: Sequence[str], start: int, stop: int, marks: bytearray) -> list[int]:
    """The lines worth comparing; those with no partner, and frequent ones among such, are marked as changed right away."""
    limit = min(rough_root(len(lines)), 1024)
    counts = Counter(others)
    ranks = bytearray([0 if not (n := counts[line]) else 2 if n >= limit else 1 for line in lines[start:stop]])
    kept = []
    for at, rank in enumerate(ranks):
        if rank == 1 or (rank == 2 and not _is_lost(ranks, at)):
            kept.append(start + at)
        else:
            marks[start + at] = 1
    return kept


def _is_lost(ranks: bytearray, at: int) -> bool:
    """Whether a frequent line stands among lines that have no partner."""
    alone, frequent = 0, 0
    for step, last in ((-1, max(0, at - _WINDOW) - 1), (1, min(len(ranks) - 1, at + _WINDOW) + 1)):
        here = 0
        frequent += 1
        for i in range(at + step, last, step):
            if ranks[i] == 1:
                break
            if ranks[i]:
                frequent += 1
            else:
                here += 1
        if not here:
            return False
        alone += here
    return frequent * 4 < frequent + alone


# ---------------------------------------------------------------- where a group of changes stands


class _Group:
    """A run of changed lines of one side, or the empty place between two unchanged lines."""

    __slots__ = ("count", "end", "lines", "marks", "start")

    def __init__(self, lines: Sequence[str], marks: bytearray, at: int) -> None:
        self.lines, self.marks = lines, marks
        self.count = len(lines)
        self.start = self.end = at
        while marks[self.end]:
            self.end += 1

    def next(self) -> bool:
        if self.end == self.count:
            return False
        self.start = self.end = self.end + 1
        while self.marks[self.end]:
            self.end += 1
        return True

    def previous(self) -> None:
        self.start = self.end = self.start - 1
        while self.start and self.marks[self.start - 1]:
            self.start -= 1

    def slide_down(self) -> bool:
        if self.end >= self.count or self.lines[self.start] != self.lines[self.end]:
            return False
        self.marks[self.start], self.marks[self.end] = 0, 1
        self.start += 1
        self.end += 1
        while self.marks[self.end]:
            self.end += 1
        return True

    def slide_up(self) -> bool:
        if self.start == 0 or self.lines[self.start - 1] != self.lines[self.end - 1]:
            return False
        self.start -= 1
        self.end -= 1
        self.marks[self.start], self.marks[self.end] = 1, 0
        while self.start and self.marks[self.start - 1]:
            self.start -= 1
        return True


def _compacted(old: Sequence[str], new: Sequence[str], gone: bytearray, came: bytearray, head: int, tail: int) -> list[Hunk]:
    """Slide the groups of both sides, then list the hunks.

    Lines far from any change are not walked over: a window around the changes is, and a larger one when a group slides to its border.
    """
    width = 12
    before, after = len(old), len(new)
    while True:
        low, high = max(0, head - width), max(0, tail - width)
        window = (old[low : before - high], new[low : after - high])
        marks = (gone[low : before - high] + b"\x00", came[low : after - high] + b"\x00")
        whole = low == 0 and high == 0
        for mine in (0, 1):
            _slide(window[mine], marks[mine], window[1 - mine], marks[1 - mine])
        if whole or not ((low and _is_near(window, marks, 1)) or (high and _is_near(window, marks, -1))):
            return _hunks(*marks, low)
        width *= 8


def _is_near(window: tuple[Sequence[str], Sequence[str]], marks: tuple[bytearray, bytearray], step: int) -> bool:
    """Whether a group has come so near to an end of the window (1: the first line, -1: the last) that what lies behind it could matter.

    Where to slide is told by the nearest lines that are not blank, so a run of blank lines at the end does not count as distance.
    """
    for lines, mine in zip(window, marks, strict=True):
        blank = 0
        for line in lines[::step]:
            if _indent(line) != -1:
                break
            blank += 1
        inner = blank + 2
        if any(mine[:inner] if step > 0 else mine[-1 - inner : -1]):
            return True
    return False


def _slide(lines: Sequence[str], marks: bytearray, other_lines: Sequence[str], other_marks: bytearray) -> None:
    group, other = _Group(lines, marks, 0), _Group(other_lines, other_marks, 0)
    while True:
        if group.end > group.start:
            _slide_one(group, other)
        if not group.next():
            return
        other.next()


def _slide_one(group: _Group, other: _Group) -> None:
    while True:
        size = group.end - group.start
        matching = -1
        while group.slide_up():
            other.previous()
        earliest = group.end
        if other.end > other.start:
            matching = group.end
        while group.slide_down():
            other.next()
            if other.end > other.start:
                matching = group.end
        if size == group.end - group.start:
            break
    if group.end == earliest:
        return
    if matching != -1:
        while other.end == other.start:
            group.slide_up()
            other.previous()
        return
    best, best_score = -1, (0, 0)
    for shift in range(max(earliest, group.end - size - 1, group.end - 100), group.end + 1):
        one, two = _score(group.lines, shift), _score(group.lines, shift - size)
        score = one[0] + two[0], one[1] + two[1]
        if best < 0 or 60 * ((score[0] > best_score[0]) - (score[0] < best_score[0])) + score[1] - best_score[1] <= 0:
            best, best_score = shift, score
    while group.end > best:
        group.slide_up()
        other.previous()


def _indent(line: str) -> int:
    """Columns of leading white space, -1 for a blank line. To git a form feed is no white space, and a carriage return has no width."""
    column = 0
    for char in line:
        if char == " ":
            column += 1
        elif char == "\t":
            column += 8 - column % 8
        elif char != "\r":
            return -1 if char == "\x00" and len(line) - line.index(char) == 1 else column
        if column >= 200:
            return 200
    return -1


def _around(lines: Sequence[str], at: int, step: int, last: int) -> tuple[int, int]:
    """Blank lines from `at` on in one direction, and the indent of the line behind them."""
    blank = 0
    for i in range(at, last, step):
        indent = _indent(lines[i])
        if indent != -1:
            return blank, indent
        blank += 1
        if blank == 20:
            return blank, 0
    return blank, -1


def _score(lines: Sequence[str], split: int) -> tuple[int, int]:
    """How good a place to split is, as (indent, penalty) of git's heuristic: the smaller the better."""
    at_end = split >= len(lines)
    indent = -1 if at_end else _indent(lines[split])
    pre_blank, pre_indent = _around(lines, split - 1, -1, -1)
    post_blank, post_indent = _around(lines, split + 1, 1, len(lines))
    penalty = (1 if pre_indent == -1 and not pre_blank else 0) + (21 if at_end else 0)
    after = 1 + post_blank if indent == -1 else 0
    total = pre_blank + after
    penalty += -30 * total + 6 * after
    if indent == -1:
        indent = post_indent
    if indent == -1 or pre_indent in (-1, indent):
        pass
    elif indent > pre_indent:
        penalty += 10 if total else -4
    elif post_indent > indent:
        penalty += 17 if total else 24
    else:
        penalty += 17 if total else 23
    return indent, penalty


def _hunks(gone: bytearray, came: bytearray, offset: int) -> list[Hunk]:
    """Turn marks into hunks."""
    found: list[Hunk] = []
    i = j = 0
    stop_i, stop_j = len(gone) - 1, len(came) - 1
    while i < stop_i or j < stop_j:
        if not gone[i] and not came[j]:
            i += 1
            j += 1
            continue
        start_i, start_j = i, j
        while gone[i]:
            i += 1
        while came[j]:
            j += 1
        found.append((offset + start_i, offset + i, offset + start_j, offset + j))
    return found
