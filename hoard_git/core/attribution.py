"""Which commit each line comes from: what `git blame -M -C -C -C` would say, carried from commit to commit.

A line that git's diff finds in the parent keeps its origin. So does a line of an entry or heading that moved, whatever its length: git
gives up on moves of 20 letters and digits or fewer within a file, of 40 or fewer between files, and then names the mover.
"""

from __future__ import annotations

import re

from hoard_git.core.chunks import NO_END
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Trace = tuple[int, int, int, int]
    """A move: its commit, the number of the run in that commit, the weight that git asks for, and the origin before."""

MOVED_WITHIN, MOVED_BETWEEN = 20, 40
"""Letters and digits (ASCII, as git counts) that a run of lines must exceed to count as moved or copied, in a file and between files."""

_SIGNIFICANT = re.compile("[0-9A-Za-z]")
_MOST_RUNS = 400
_MOST_PLACES = 50
_FEW = 3000


class Page:
    """One version of one file by its lines: `rows` (see `rows_of`) and the origin of each, a commit's number or one that stands for a move."""

    __slots__ = ("_places", "data", "oid", "origins", "rows")

    def __init__(self, oid: str, data: bytes, rows: list[str], origins: list[int]) -> None:
        """Keep the values; nobody changes the lists afterwards. `oid` names the blob whose bytes are `data`."""
        self.oid = oid
        self.data = data
        self.rows = rows
        self.origins = origins
        self._places: dict[str, list[int]] | None = None

    def places(self) -> dict[str, list[int]]:
        """Where each line stands, the first fifty places of it."""
        if self._places is None:
            self._places = {}
            for number, row in enumerate(self.rows):
                known = self._places.setdefault(row, [])
                if len(known) < _MOST_PLACES:
                    known.append(number)
        return self._places


class Move(Record):
    """A unit that moved: where it stands (0-based lines, `stop` behind it), and where it stood. `sure` when an id says that it is the same."""

    path: str
    start: int
    stop: int
    old_path: str
    old_start: int
    old_stop: int
    sure: bool


def rows_of(data: bytes) -> list[str]:
    """The lines of a file without their newlines; a last one that has none gets NO_END appended, since git, too, tells the two apart."""
    rows = data.decode("utf-8", "surrogateescape").split("\n")
    if not rows[-1]:
        return rows[:-1]
    return [*rows[:-1], rows[-1] + NO_END]


def attribute(
    commit: int,
    path: str,
    blob: tuple[str, bytes],
    parents: Sequence[Mapping[str, Page]],
    moves: Sequence[Move],
    trace: Callable[[int, int, int], int],
) -> tuple[Page, int, int]:
    """Find the origin of every line of a file that a commit changed.

    `parents` hold, one mapping a parent, the old pages of all files that differ from the commit; `moves` are those into this file. The page
    comes with the number of lines at its top, and at its end, that the first parent's page has at its top and end, with the same origins.
    """
    views = [pages[path] for pages in parents if path in pages]
    rows, head, tail = _spliced(views[0], blob[1]) if views else (rows_of(blob[1]), 0, 0)
    lines = Lines(rows)
    if views:
        head, tail = lines.keep(views[0], head, tail)
    for view in views[1:]:
        if 0 in lines.origins:
            lines.keep(view)
    if 0 in lines.origins:
        for view in views:
            lines.find_moved([view], MOVED_WITHIN, trace)
        for pages in parents:
            others = [pages[other] for other in sorted(pages) if other != path]
            if others and 0 in lines.origins:
                lines.find_moved(others, MOVED_BETWEEN, trace)
        for move in moves:
            for pages in parents:
                if move.old_path in pages:
                    lines.follow(move, pages[move.old_path])
    return Page(blob[0], blob[1], rows, lines.finish(commit)), head, tail


def weight(rows: Sequence[str]) -> int:
    """The score that git gives a run of lines: one and its ASCII letters and digits."""
    return 1 + sum(len(_SIGNIFICANT.findall(row)) for row in rows)


class Lines:
    """The lines of one new version while their origins are being found; 0 stands for "not yet"."""

    __slots__ = ("origins", "rows")

    def __init__(self, rows: Sequence[str]) -> None:
        """Begin with no origin for any line."""
        self.rows = rows
        self.origins = [0] * len(rows)

    def keep(self, old: Page, head: int = 0, tail: int = 0) -> tuple[int, int]:
        """Take the origins of all lines that git's diff against a parent's version keeps, where there is none yet.

        `head` and `tail` are numbers of lines at both ends that are known to be equal; the answer are those that were kept.
        """
        from hoard_git.core.linediff import diff_lines  # what was attributed before is shown without: it is a tenth of a warm blame

        rows, before = self.rows, old.origins
        kept: list[int] = []
        at = 0
        hunks = diff_lines(old.rows, rows, head, tail)
        for old_start, old_stop, new_start, new_stop in hunks:
            kept += before[at:old_start]
            kept += [0] * (new_stop - new_start)
            at = old_stop
        kept += before[at:]
        self.origins = [one or other for one, other in zip(self.origins, kept, strict=True)] if any(self.origins) else kept
        return (hunks[0][2], len(rows) - hunks[-1][3]) if hunks else (len(rows), 0)

    def runs(self) -> list[tuple[int, int]]:
        """The runs of lines that have no origin yet."""
        found: list[tuple[int, int]] = []
        origins = self.origins
        at, count = 0, len(origins)
        while True:
            try:
                at = origins.index(0, at)
            except ValueError:
                return found
            stop = at + 1
            while stop < count and not origins[stop]:
                stop += 1
            found.append((at, stop))
            at = stop

    def follow(self, move: Move, old: Page) -> None:
        """Lines of a unit that moved take the origins of their equals in the unit's old place, in order.

        Unless it is sure which unit it is, a line counts only when the old version has it once.
        """
        at = move.old_start
        for number in range(max(0, move.start), min(move.stop, len(self.origins))):
            if self.origins[number] or not (move.sure or len(old.places().get(self.rows[number], ())) == 1):
                continue
            for there in range(at, min(move.old_stop, len(old.rows))):
                if old.rows[there] == self.rows[number]:
                    self.origins[number] = old.origins[there]
                    at = there + 1
                    break

    def find_moved(self, others: Iterable[Page], least: int, trace: Callable[[int, int, int], int]) -> None:
        """Look for the lines without origin in other versions, the weightiest run first, as git's -M and -C do.

        `trace` gives what stands for "moved in run so-and-so, from this origin"; see `settle`.
        """
        versions = list(others)
        waiting = self.runs()
        for number in range(_MOST_RUNS):
            if not waiting:
                return
            start, stop = waiting.pop()
            rows = self.rows[start:stop]
            if weight(rows) <= least:
                continue
            best = None
            for version in versions:
                found = _best_copy(version, rows)
                if found is not None and found[0] > least:
                    found = _aligned_copy(version, rows)
                if found is not None and (best is None or found[0] >= best[0]):
                    best = (*found, version)
            if best is None or best[0] <= least:
                continue
            _score, at, end, there, version = best
            before = version.origins
            for line in range(at, end):
                self.origins[start + line] = trace(number, least, before[there + line - at])
            waiting += [(start, start + at)] * (at > 0) + [(start + end, stop)] * (start + end < stop)

    def finish(self, commit: int) -> list[int]:
        """Give the rest to the commit itself and return all origins."""
        self.origins = [origin or commit for origin in self.origins]
        return self.origins


def settle(rows: Sequence[str], origins: Sequence[int], find: Callable[[int], Trace | None]) -> list[int]:
    """Turn origins that passed through moves into commits.

    A line with letters or digits comes from where it was before the move. A blank one does so only while enough of the run that moved
    stands around it: git, which looks back from today's lines, gives a lone blank line to the mover.
    """
    found = list(origins)
    while any(traces := [find(origin) for origin in found]):  # a line may have moved any number of times
        at = 0
        while at < len(found):
            trace = traces[at]
            stop = at + 1
            if trace is None:
                at = stop
                continue
            run = [trace]
            while stop < len(found) and (other := traces[stop]) is not None and other[:3] == trace[:3]:
                run.append(other)
                stop += 1
            enough = weight(rows[at:stop]) > trace[2]
            for line, own in enumerate(run, at):
                found[line] = own[3] if enough or _SIGNIFICANT.search(rows[line]) else own[0]
            at = stop
    return found


def _best_copy(version: Page, rows: Sequence[str]) -> tuple[int, int, int, int] | None:
    """The weightiest run of `rows` that stands in a version: (weight, start, stop, start there); the last one of several."""
    known = version.rows
    looked = known if len(known) * len(rows) < _FEW else version.places()
    if not any(row in looked for row in rows if row):
        return None
    places = version.places()
    sums = [0]
    for row in rows:
        sums.append(sums[-1] + len(_SIGNIFICANT.findall(row)))
    best: tuple[int, int, int, int] | None = None
    for at, row in enumerate(rows):
        if sums[at + 1] == sums[at]:
            continue
        for there in places.get(row, ()):
            if at and there and rows[at - 1] == known[there - 1] and sums[at] > sums[at - 1]:
                continue  # part of a run that was measured from its beginning
            start, was, end, last = at, there, at + 1, there + 1
            while start and was and rows[start - 1] == known[was - 1]:
                start -= 1
                was -= 1
            while end < len(rows) and last < len(known) and rows[end] == known[last]:
                end += 1
                last += 1
            score = 1 + sums[end] - sums[start]
            if best is None or score >= best[0]:
                best = score, start, end, was
    return best


def _aligned_copy(version: Page, rows: Sequence[str]) -> tuple[int, int, int, int] | None:
    """The weightiest run of `rows` that git's diff finds in a version, as `_best_copy` gives it.

    git looks no further than its diff: of a list whose blocks all say `owner: lab` it takes no line for the copy of another block's.
    """
    from hoard_git.core.linediff import diff_lines

    best: tuple[int, int, int, int] | None = None
    start = there = 0
    for _old_start, old_stop, new_start, new_stop in (*diff_lines(version.rows, rows), (0, 0, len(rows), 0)):
        if new_start > start:
            score = weight(rows[start:new_start])
            if best is None or score >= best[0]:
                best = score, start, new_start, there
        start, there = new_stop, old_stop
    return best


def _spliced(old: Page, data: bytes) -> tuple[list[str], int, int]:
    """The lines of new bytes, those that did not change taken over, and how many of these stand at either end."""
    from hoard_git.core.versions import common_head, common_tail

    before = old.data
    head = common_head(before, data)
    tail = common_tail(before, data, head)
    top = before.count(b"\n", 0, head)
    below = before.count(b"\n", len(before) - tail) if tail else 0
    start = before.rfind(b"\n", 0, head) + 1
    # the line that the common end begins in belongs to what changed
    rest = len(before) if not below else before.index(b"\n", len(before) - tail) + 1
    new = rows_of(data[start : len(data) - (len(before) - rest)])
    last = before.count(b"\n", rest) + (rest < len(before) and not before.endswith(b"\n"))
    return [*old.rows[:top], *new, *old.rows[len(old.rows) - last :]], top, last
