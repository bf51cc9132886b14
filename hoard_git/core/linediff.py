"""Which lines of two versions are the same, decided as git decides it: so that our blame names the commits that git's does.

The steps of git's xdiff: lines without a partner are set aside, Myers' algorithm from both ends on the rest, then groups of changes are
slid to where git's indent heuristic wants them. Of git's ways to save time on long differences only the last one, a limit, is here.
"""

from __future__ import annotations

from collections import Counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Hunk = tuple[int, int, int, int]

_FAR = 1 << 60
_WINDOW = 100
_MOST = 6_000_000


def diff_lines(old: Sequence[str], new: Sequence[str], head: int = 0, tail: int = 0) -> list[Hunk]:
    """Return the hunks that differ: (old start, old stop, new start, new stop), 0-based, in order.

    `head` and `tail` are numbers of lines at both ends that the caller knows to be equal.
    """
    most = min(len(old), len(new))
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
    gone, came = _marks(old, new, head, a, b)
    return _compacted(old, new, gone, came, head, tail)


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
        i1, i2 = _split(one, off1, lim1, other, off2, lim2)
        boxes += [(off1, i1, off2, i2), (i1, lim1, i2, lim2)]
    return gone, came


def _kept(lines: Sequence[str], others: Sequence[str], start: int, stop: int, marks: bytearray) -> list[int]:
    """The lines worth comparing; those with no partner, and frequent ones among such, are marked as changed right away."""
    limit = min(_rough_root(len(lines)), 1024)
    counts = Counter(others)
    ranks = bytearray([0 if not (n := counts[line]) else 2 if n >= limit else 1 for line in lines[start:stop]])
    kept = []
    for at, rank in enumerate(ranks):
        if rank == 1 or (rank == 2 and not _is_lost(ranks, at)):
            kept.append(start + at)
        else:
            marks[start + at] = 1
    return kept


def _rough_root(n: int) -> int:
    i = 1
    while n > 0:
        i <<= 1
        n >>= 2
    return i


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


def _split(one: Sequence[str], off1: int, lim1: int, other: Sequence[str], off2: int, lim2: int) -> tuple[int, int]:
    """Find the middle of a shortest way from one side to the other: the point that git finds, of several."""
    dmin, dmax = off1 - lim2, lim1 - off2
    fmid, bmid = off1 - off2, lim1 - lim2
    odd = (fmid - bmid) & 1
    forward, backward = {fmid: off1}, {bmid: lim1}
    fmin = fmax = fmid
    bmin = bmax = bmid
    limit = max(256, _rough_root(lim1 - off1 + lim2 - off2 + 3))
    cost = 0
    while True:
        cost += 1
        if fmin > dmin:
            fmin -= 1
            forward[fmin - 1] = -1
        else:
            fmin += 1
        if fmax < dmax:
            fmax += 1
            forward[fmax + 1] = -1
        else:
            fmax -= 1
        for d in range(fmax, fmin - 1, -2):
            i1 = forward[d - 1] + 1 if forward[d - 1] >= forward[d + 1] else forward[d + 1]
            i2 = i1 - d
            while i1 < lim1 and i2 < lim2 and one[i1] == other[i2]:
                i1 += 1
                i2 += 1
            forward[d] = i1
            if odd and bmin <= d <= bmax and backward[d] <= i1:
                return i1, i2
        if bmin > dmin:
            bmin -= 1
            backward[bmin - 1] = _FAR
        else:
            bmin += 1
        if bmax < dmax:
            bmax += 1
            backward[bmax + 1] = _FAR
        else:
            bmax -= 1
        for d in range(bmax, bmin - 1, -2):
            i1 = backward[d - 1] if backward[d - 1] < backward[d + 1] else backward[d + 1] - 1
            i2 = i1 - d
            while i1 > off1 and i2 > off2 and one[i1 - 1] == other[i2 - 1]:
                i1 -= 1
                i2 -= 1
            backward[d] = i1
            if not odd and fmin <= d <= fmax and i1 <= forward[d]:
                return i1, i2
        if cost >= limit:
            return _farthest((off1, lim1, off2, lim2), forward, range(fmax, fmin - 1, -2), backward, range(bmax, bmin - 1, -2))


def _farthest(
    box: tuple[int, int, int, int], forward: dict[int, int], ahead: range, backward: dict[int, int], behind: range
) -> tuple[int, int]:
    """Give up on the shortest way, as git does after 256 steps: the point that either end has come farthest to."""
    off1, lim1, off2, lim2 = box
    most, at = -1, 0
    for d in ahead:
        i1 = min(forward[d], lim1)
        if i1 - d > lim2:
            i1 = lim2 + d
        if most < 2 * i1 - d:
            most, at = 2 * i1 - d, i1
    least, there = _FAR, 0
    for d in behind:
        i1 = max(off1, backward[d])
        if i1 - d < off2:
            i1 = off2 + d
        if 2 * i1 - d < least:
            least, there = 2 * i1 - d, i1
    if lim1 + lim2 - least < most - off1 - off2:
        return at, most - at
    return there, least - there


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

    def previous(self) -> bool:
        if self.start == 0:
            return False
        self.start = self.end = self.start - 1
        while self.start and self.marks[self.start - 1]:
            self.start -= 1
        return True

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
        inner = 2 if not whole else 0
        edges = any(any(side[:inner]) or any(side[-1 - inner : -1]) for side in marks) if inner else False
        if whole or not (edges and ((low and any(any(m[:2]) for m in marks)) or (high and any(any(m[-3:-1]) for m in marks)))):
            return _hunks(*marks, low)
        width *= 8


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
    """Columns of leading white space, -1 for a blank line."""
    column = 0
    for char in line:
        if char == " ":
            column += 1
        elif char == "\t":
            column += 8 - column % 8
        elif char not in "\r\n\v\f":
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
