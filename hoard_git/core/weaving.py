"""Weaves one commit after the other into the history: facts get their numbers, changes become events, lines their origins.

Pure: what is known about facts so far comes from and goes to a `Memory`. A commit is compared with each of its parents; something is an
event only where it differs from every one of them, as with `git log -c`.
"""

from __future__ import annotations

from bisect import bisect_right

from hoard_git.core.attribution import MOVED_BETWEEN, MOVED_WITHIN, Lines, moved_rows
from hoard_git.core.lineage import Comparison
from hoard_git.core.linediff import diff_lines
from hoard_git.core.record import Record
from hoard_git.core.units import core_text
from hoard_git.core.versions import Piece, Version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence
    from typing import Protocol

    from hoard_git.core.lineage import FileChange, Place, Step
    from hoard_git.core.units import Unit
    from hoard_git.core.versions import Splice

    class Memory(Protocol):
        """What is known about facts: by id, by text, where they stood last, and in which commits they were removed."""

        def new_fact(self) -> int:
            """Give a number that no fact has."""

        def by_id(self, name: str) -> int:
            """The fact that had this id last, 0 if none."""

        def by_text(self, title: str, text: str) -> int:
            """The fact that had this text (under this heading where `title` is not empty), 0 if none."""

        def place(self, fact: int) -> str:
            """The path where a fact stood last."""

        def removals(self, fact: int) -> Sequence[int]:
            """The commits that removed it."""

        def note(self, event: Event, commit: int) -> None:
            """Remember an event."""

        def now(self, fact: int) -> int:
            """The number that stands for a fact after joins."""

        def join(self, one: int, other: int) -> int:
            """Two numbers turn out to be one fact; return the number that stays."""

        def trace(self, commit: int, run: int, least: int, origin: int) -> int:
            """Give the number that stands for a move in `core.attribution`."""


class Event(Record):
    """What one commit did to one unit. `op` is the first kind that applies, `also` the others; owners are facts of blocks, 0 above all headings.

    `line` to `end` are 1-based lines of the side that exists, the new one where both do; `old_line` to `old_end` those of the old side.
    """

    fact: int
    op: str
    also: tuple[str, ...]
    before: Unit | None
    after: Unit | None
    owner_before: int
    owner_after: int
    line: int
    end: int
    old_line: int
    old_end: int


def weave(
    commit: int,
    parents: Sequence[tuple[int, Mapping[str, Version]]],
    changes: Sequence[Sequence[FileChange]],
    memory: Memory,
    is_ancestor: Callable[[int, int], bool],
    blobs: Mapping[str, tuple[str, bytes]],
) -> tuple[list[Event], dict[str, Version]]:
    """Compare a commit with each parent and return its events and the new versions of the changed files.

    `parents` are their numbers and versions by path, at least one (number 0 and no versions for a root). `changes` has one list a parent,
    each of the same files. `blobs` gives oid and bytes of the new versions. A file without a new version is absent from the answer.
    """
    comparisons = [Comparison(listed) for listed in changes]
    loom = _Loom(commit, comparisons, memory, is_ancestor, parents, changes)
    found: dict[str, Version] = {}
    for number, change in enumerate(changes[0]):
        if change.splice is not None:
            found[change.path] = loom.make_version(change, [listed[number] for listed in changes], blobs[change.path])
    events = loom.events(found)
    _attribute(commit, found, changes, comparisons, memory)
    return events, found


class _Loom:
    """One commit at work."""

    def __init__(
        self,
        commit: int,
        comparisons: Sequence[Comparison],
        memory: Memory,
        is_ancestor: Callable[[int, int], bool],
        parents: Sequence[tuple[int, Mapping[str, Version]]],
        changes: Sequence[Sequence[FileChange]],
    ) -> None:
        self.commit = commit
        self.memory = memory
        self.is_ancestor = is_ancestor
        self.parents = parents
        self.comparisons = comparisons
        self.steps: list[dict[Place, Step]] = []
        self.facts: dict[Place, int] = {}
        for comparison in comparisons:
            by_place: dict[Place, Step] = {}
            self._keep_same(comparison)
            for step in comparison.steps:
                if step.after is not None:
                    by_place[step.after] = step
                    if step.fact:
                        self._is(step.after, step.fact)
            self.steps.append(by_place)
        self.back: set[int] = set()
        self.changes = {view[0].path: list(view) for view in zip(*changes, strict=True)}
        self._number_new()

    def _keep_same(self, comparison: Comparison) -> None:
        facts, fact, now = self.facts, comparison.fact, self.memory.now
        if len(self.comparisons) == 1:
            for old, new in comparison.same:
                facts[new] = now(fact(old))
            return
        for old, new in comparison.same:
            self._is(new, fact(old))

    def _is(self, place: Place, fact: int) -> None:
        known, fact = self.facts.get(place), self.memory.now(fact)
        self.facts[place] = fact if known is None or self.memory.now(known) == fact else self.memory.join(known, fact)

    def _number_new(self) -> None:
        """Give the units that no parent has a number: that of a fact that was there before, or a new one."""
        taken: set[int] | None = None
        for step in self.comparisons[0].steps:
            if step.after is None or step.after in self.facts:
                continue
            if taken is None:
                taken = set(self.facts.values())
            unit = step.change.unit
            fact = find_known(unit, taken, self.memory, self._standing)
            if fact and was_removed(fact, self.memory, self.is_ancestor, [number for number, _versions in self.parents]):
                self.back.add(fact)
            fact = fact or self.memory.new_fact()
            taken.add(fact)
            self.facts[step.after] = fact

    def _standing(self, path: str) -> set[int]:
        """The facts that a file holds outside of what changed in it."""
        found: set[int] = set()
        for change, (_number, versions) in zip((self.changes.get(path) or [None] * len(self.parents)), self.parents, strict=True):
            version = versions[path] if change is None and path in versions else None
            found |= facts_outside(change) if change is not None else version.facts() if version is not None else set()
        return set(map(self.memory.now, found))

    def make_version(self, change: FileChange, views: Sequence[FileChange], blob: tuple[str, bytes]) -> Version:
        """Put a new version together; origins are filled in later."""
        base = next((view for view in views if view.old is not None), change)
        cut = base.splice
        if cut is None:
            raise ValueError("a version needs a new side")
        old = base.old.pieces if base.old is not None else []
        pieces = list(old[: cut.first])
        for number, chunk in enumerate(cut.new, cut.first):
            facts = tuple([self.facts.get((change.path, number, unit)) or self.memory.new_fact() for unit in range(chunk.size)])
            pieces.append(Piece(chunk, facts, ()))
        pieces += old[cut.stop :]
        rows: list[str] | None = None
        if base.old is not None:
            known = base.old
            rows = known.rows[: known.starts[cut.first]]
            rows += [row for chunk in cut.new for row in chunk.rows]
            rows += known.rows[known.starts[cut.stop] :]
        return Version(blob[0], blob[1], pieces, rows)

    def events(self, found: Mapping[str, Version]) -> list[Event]:
        """List what differs from every parent, in the order of the comparison with the first one."""
        first, *others = self.comparisons
        events: list[Event] = []
        for step in first.steps:
            if step.after is None:
                if not others:
                    events.append(self._event(step, first, found))
            elif all(step.after in by_place for by_place in self.steps):
                steps = [by_place[step.after] for by_place in self.steps]
                chosen = next((n for n, s in enumerate(steps) if s.fact), 0)
                events.append(self._event(steps[chosen], self.comparisons[chosen], found))
        for event in events:
            self.memory.note(event, self.commit)
        return events

    def _event(self, step: Step, comparison: Comparison, found: Mapping[str, Version]) -> Event:
        change = step.change
        fact = self.memory.now(self.facts[step.after] if step.after is not None else step.fact)
        op = "restore" if change.kind == "add" and fact in self.back else change.kind
        line = end = old_line = old_end = 0
        if change.before is not None and step.before is not None:
            old_line, old_end = comparison.span(step.before)
        if change.after is not None and step.after is not None:
            start = found[step.after[0]].starts[step.after[1]]
            line, end = _lines(found[step.after[0]].pieces[step.after[1]], step.after[2], start)
        else:
            line, end = old_line, old_end
        owner = self._owner(step.owner_after, found)
        return Event(
            fact, op, change.also, change.before, change.after, comparison.fact(step.owner_before), owner, line, end, old_line, old_end
        )

    def _owner(self, place: Place | None, found: Mapping[str, Version]) -> int:
        if place is None:
            return 0
        return self.facts.get(place) or found[place[0]].pieces[place[1]].facts[place[2]]


def facts_outside(change: FileChange) -> set[int]:
    """The facts of a changed file that stand outside of what changed."""
    old, cut = change.old, change.splice
    if old is None or cut is None:
        return set()
    return {fact for piece in (*old.pieces[: cut.first], *old.pieces[cut.stop :]) for fact in piece.facts}


def find_known(unit: Unit, taken: Container[int], memory: Memory, standing: Callable[[str], Container[int]]) -> int:
    """The fact that a unit is which no parent has: one that once had its id or its text, and stands nowhere now; 0 for none.

    `taken` are facts that the changed parts hold; `standing` gives those that a file holds elsewhere.
    """
    name = unit.provenance.id
    text = unit.text if unit.is_heading else core_text(unit)
    candidates = [memory.by_id(name)] if name else []
    candidates.append(memory.by_text("#" if unit.is_heading else unit.title, text))
    if not unit.is_heading and _says(text, 12):
        candidates.append(memory.by_text("", text))
    for fact in candidates:
        if fact and fact not in taken and fact not in standing(memory.place(fact)):
            return fact
    return 0


def was_removed(fact: int, memory: Memory, is_ancestor: Callable[[int, int], bool], parents: Sequence[int]) -> bool:
    """Whether a commit before one of the parents removed a fact: then it comes back."""
    return any(is_ancestor(gone, parent) for gone in memory.removals(fact) for parent in parents)


def _says(text: str, least: int) -> bool:
    """Whether a text has enough letters and digits to be known again by."""
    return len(text) >= 3 * least or sum(map(str.isalnum, text)) >= least


def _lines(piece: Piece, unit: int, start: int) -> tuple[int, int]:
    document = piece.chunk.document
    if unit < len(document.headings):
        line = document.headings[unit].line
        return start + line, start + line
    entry = document.entries[unit - len(document.headings)]
    return start + entry.line, start + entry.end_line


def _attribute(
    commit: int, found: Mapping[str, Version], changes: Sequence[Sequence[FileChange]], comparisons: Sequence[Comparison], memory: Memory
) -> None:
    """Find the origin of every line of the new versions."""

    def trace(run: int, least: int, origin: int) -> int:
        return memory.trace(commit, run, least, origin)

    olds: list[dict[str, Version]] = [{c.path: c.old for c in listed if c.old is not None} for listed in changes]
    for path, version in found.items():
        views = [next(c for c in listed if c.path == path) for listed in changes]
        low, high = 0, len(version.pieces)
        if len(views) == 1 and views[0].old is not None and views[0].splice is not None:
            lines, low, high = _part(version, views[0].old, views[0].splice)
        else:
            lines = Lines(version.rows)
            for view in views:
                if view.old is not None and 0 in lines.origins:
                    lines.keep(view.old)
        if 0 in lines.origins:
            for old in olds:
                if path in old and 0 in lines.origins:
                    lines.find_moved([old[path]], MOVED_WITHIN, trace)
            for old in olds:
                others = moved_rows(old, path)
                if others and 0 in lines.origins:
                    lines.find_moved(others, MOVED_BETWEEN, trace)
            _follow(lines, path, version, comparisons)
        origins = lines.finish(commit)
        for number in range(low, high):
            piece = version.pieces[number]
            part = tuple(origins[version.starts[number] - lines.first : version.starts[number + 1] - lines.first])
            if part != piece.origins:
                version.pieces[number] = Piece(piece.chunk, piece.facts, part)


def _part(version: Version, old: Version, cut: Splice) -> tuple[Lines, int, int]:
    """The lines around what changed, with the origins that git's diff keeps, and the pieces that they make up."""
    hunks = (
        diff_lines(old.rows, version.rows, old.starts[cut.first], len(old.rows) - old.starts[cut.stop])
        if cut.new or cut.first < cut.stop
        else []
    )
    if not hunks:
        return Lines(()), 0, 0
    # Sliding may have taken the changes out of the spliced pieces, into their neighbours.
    low = min(cut.first, max(0, bisect_right(version.starts, hunks[0][2]) - 1), max(0, bisect_right(old.starts, hunks[0][0]) - 1))
    end = cut.first + len(cut.new)
    high = end
    while high < len(version.pieces) and version.starts[high] < hunks[-1][3]:
        high += 1
    stop = cut.stop + high - end
    while stop < len(old.pieces) and old.starts[stop] < hunks[-1][1]:
        stop += 1
        high += 1
    before = [origin for piece in old.pieces[low:stop] for origin in piece.origins]
    first, last, was = version.starts[low], version.starts[high], old.starts[low]
    origins: list[int] = []
    at = was
    for old_start, old_stop, new_start, new_stop in hunks:
        origins += before[at - was : old_start - was]
        origins += [0] * (new_stop - new_start)
        at = old_stop
    origins += before[at - was :]
    lines = Lines(version.rows[first:last], first)
    lines.origins = origins
    return lines, low, high


def _follow(lines: Lines, path: str, version: Version, comparisons: Sequence[Comparison]) -> None:
    for comparison in comparisons:
        for step in comparison.steps:
            change = step.change
            if step.after is None or step.before is None or step.after[0] != path or not change.has("move", "archive", "restore"):
                continue
            text = change.unit.text
            if not change.unit.provenance.id and not _says(text, 8):
                continue
            start, stop = _lines(version.pieces[step.after[1]], step.after[2], version.starts[step.after[1]])
            old, (old_start, old_stop) = comparison.version(step.before), comparison.span(step.before)
            lines.follow(
                max(0, start - 1 - lines.first), stop - lines.first, old, old_start - 1, old_stop, sure=bool(change.unit.provenance.id)
            )
