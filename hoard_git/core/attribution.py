"""Which commit each line comes from: what `git blame -M -C -C -C` would say, kept up to date from commit to commit.

A line that git's diff finds in the parent keeps its origin. So does a line of an entry or heading that moved, whatever its length: git
gives up on moves of 20 letters and digits or fewer within a file, of 40 or fewer between files, and then names the mover.
"""

from __future__ import annotations

import re

from hoard_git.core.linediff import diff_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hoard_git.core.versions import Version

    Trace = tuple[int, int, int, int]
    """A move: its commit, the number of the run in that commit, the weight that git asks for, and the origin before."""

MOVED_WITHIN, MOVED_BETWEEN = 20, 40
"""Letters and digits (ASCII, as git counts) that a run of lines must exceed to count as moved or copied, in a file and between files."""

_SIGNIFICANT = re.compile("[0-9A-Za-z]")
_MOST_RUNS = 400
_FEW = 3000


def weight(rows: Sequence[str]) -> int:
    """The score that git gives a run of lines: one and its ASCII letters and digits."""
    return 1 + sum(len(_SIGNIFICANT.findall(row)) for row in rows)


class Lines:
    """The lines of one new version while their origins are being found; 0 stands for "not yet"."""

    __slots__ = ("first", "origins", "rows")

    def __init__(self, rows: Sequence[str], first: int = 0) -> None:
        """Begin with no origin for any line; `first` is the 0-based number of the first of them in its file."""
        self.rows = rows
        self.first = first
        self.origins = [0] * len(rows)

    def keep(self, old: Version) -> None:
        """Take the origins of all lines that git's diff against a parent's version keeps, where there is none yet."""
        rows, origins, before = self.rows, self.origins, old.origins()
        at = was = 0
        for _old_start, old_stop, new_start, new_stop in diff_lines(old.rows, rows):
            _fill(origins, at, new_start, before, was)
            at, was = new_stop, old_stop
        _fill(origins, at, len(rows), before, was)

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

    def follow(self, start: int, stop: int, old: Version, old_start: int, old_stop: int, *, sure: bool) -> None:
        """Lines of a unit that moved take the origins of their equals in the unit's old place, in order.

        Unless it is `sure` which unit it is, a line counts only when the old version has it once.
        """
        before: list[int] | None = None
        at = old_start
        for number in range(start, min(stop, len(self.origins))):
            if self.origins[number] or not (sure or len(old.places().get(self.rows[number], ())) == 1):
                continue
            for there in range(at, old_stop):
                if old.rows[there] == self.rows[number]:
                    before = before or old.origins()
                    self.origins[number] = before[there]
                    at = there + 1
                    break

    def find_moved(self, others: Iterable[Version], least: int, trace: Callable[[int, int, int], int]) -> None:
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
                if found is not None and (best is None or found[0] >= best[0]):
                    best = (*found, version)
            if best is None or best[0] <= least:
                continue
            _score, at, end, there, version = best
            before = version.origins()
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
    for _ in range(_MOST_RUNS):
        traces = [find(origin) for origin in found]
        if not any(traces):
            break
        at = 0
        while at < len(found):
            trace = traces[at]
            stop = at + 1
            if trace is None:
                at = stop
                continue
            while stop < len(found) and (other := traces[stop]) is not None and other[:3] == trace[:3]:
                stop += 1
            enough = weight(rows[at:stop]) > trace[2]
            for line in range(at, stop):
                own = traces[line]
                if own is not None:
                    found[line] = own[3] if enough or _SIGNIFICANT.search(rows[line]) else own[0]
            at = stop
    return found


def _fill(origins: list[int], start: int, stop: int, before: Sequence[int], was: int) -> None:
    if 0 not in origins[start:stop]:
        return
    for number in range(start, stop):
        if not origins[number]:
            origins[number] = before[was + number - start]


def _best_copy(version: Version, rows: Sequence[str]) -> tuple[int, int, int, int] | None:
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


def moved_rows(versions: Mapping[str, Version], path: str) -> list[Version]:
    """The versions to look for copies from other files in: all but the file's own, in the order of their paths."""
    return [versions[other] for other in sorted(versions) if other != path]
