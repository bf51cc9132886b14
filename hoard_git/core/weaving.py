"""Weaves one commit after the other into the history: facts get their numbers, changes become events.

Pure: what is known about facts so far comes from and goes to a `Memory`. A commit is compared with each of its parents; something is an
event only where it differs from every one of them, as with `git log -c`.
"""

from __future__ import annotations

from hoard_git.core.knownfacts import Before, Event, find_known
from hoard_git.core.lineage import Comparison, unit_lines
from hoard_git.core.versions import Piece, Version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from hoard_git.core.knownfacts import Memory
    from hoard_git.core.lineage import FileChange, Place, Step
    from hoard_git.core.versions import Splice


def weave(
    commit: int,
    parents: Sequence[tuple[int, Mapping[str, Version]]],
    changes: Sequence[Sequence[FileChange]],
    memory: Memory,
    is_ancestor: Callable[[int, int], bool],
    blobs: Mapping[str, tuple[str, bytes | None]],
) -> tuple[list[Event], dict[str, Version]]:
    """Compare a commit with each parent and return its events and the new versions of the changed files.

    `parents` are their numbers and versions by path, at least one (number 0 and no versions for a root). `changes` has one list a parent,
    each of the same files. `blobs` gives oid and bytes of the new versions, None where the pieces have them. A file without a new version is absent from the answer.
    """
    comparisons = [Comparison(listed) for listed in changes]
    loom = _Loom(commit, comparisons, memory, is_ancestor, parents, changes)
    found: dict[str, Version] = {}
    for number, change in enumerate(changes[0]):
        if change.splice is not None:
            views = [listed[number] for listed in changes]
            base = next((view.sides for view in views if view.old is not None), (None, change.splice))
            found[change.path] = loom.make_version(change.path, base, blobs[change.path])
    return loom.events(found), found


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
        self.told: dict[Place, int] = {}  # as the first parent that has it calls it, before two turned out to be one
        self.kept: dict[tuple[str, int], Piece] = {}
        self.changes = {view[0].path: list(view) for view in zip(*changes, strict=True)}
        self._held: list[set[int]] | None = None
        for comparison, listed in zip(comparisons, changes, strict=True):
            by_place: dict[Place, Step] = {}
            self._keep_same(comparison)
            if len(comparisons) > 1:
                self._keep_outside(listed)
            for step in comparison.steps:
                if step.after is not None:
                    by_place[step.after] = step
                    if step.fact:
                        self._is(step.after, step.fact)
            self.steps.append(by_place)
        self.back: set[int] = set()
        if len(comparisons) > 1:
            self._part_twins()
        self._number_new()

    def _keep_same(self, comparison: Comparison) -> None:
        facts, fact, now = self.facts, comparison.fact, self.memory.now
        if len(self.comparisons) == 1:
            for old, new in comparison.same:
                facts[new] = now(fact(old))
            self.kept = {(path, new): comparison.piece(path, old) for path, old, new in comparison.kept}
            return
        for old, new in comparison.same:
            self._is(new, fact(old))
        for path, before, after in comparison.kept:
            for unit, number in enumerate(comparison.piece(path, before).facts):
                self._is((path, after, unit), number)

    def _keep_outside(self, listed: Sequence[FileChange]) -> None:
        """What a parent and the merge have alike: it may be what another parent lacks, or has as a fact of its own."""
        for change in listed:
            for at, piece in outside(change):
                for unit, fact in enumerate(piece.facts):
                    self._is((change.path, at, unit), fact)

    def _is(self, place: Place, fact: int) -> None:
        known = self.facts.get(place)
        if known is None:
            self.facts[place] = self.memory.now(fact)
            self.told[place] = fact
            return
        if self._held is None:
            self._held = [_facts_of(versions, self.changes, self.memory.now) for _number, versions in self.parents]
        self.facts[place] = join_apart(known, fact, self._held, self.memory)

    def _part_twins(self) -> None:
        """Where the parents disagree about which of several like units is which, the first parent is right, and the others become new facts."""
        now = self.memory.now
        for path, views in self.changes.items():
            base = next((view for view in views if view.old is not None), views[0])
            still = {at for at, _piece in outside(base)}
            seen: dict[int, int] = {}
            places = [place for place in self.facts if place[0] == path]
            for place in sorted(places, key=lambda place: place[1] not in still):
                fact = now(self.facts[place])
                if fact in seen:
                    self.memory.part(seen[fact], self.told[place])
                    fact = self.memory.new_fact()
                self.facts[place] = fact
                seen[fact] = self.told.get(place, fact)

    def _number_new(self) -> None:
        """Give the units that no parent has a number: that of a fact that was there before, or a new one."""
        new = [(step, step.after) for step in self.comparisons[0].steps if step.after is not None and step.after not in self.facts]
        before = Before([number for number, _versions in self.parents], self.memory, self.is_ancestor)
        taken = set(self.facts.values()) if new else set()
        taken.update(self.memory.now(fact) for piece in self.kept.values() for fact in piece.facts)
        for step, place in new:
            fact = find_known(step.change.unit, taken, self.memory, self._standing, before)
            if fact and before.removals(fact):
                self.back.add(fact)
            fact = fact or self.memory.new_fact()
            taken.add(fact)
            self.facts[place] = fact

    def _standing(self, path: str) -> set[int]:
        """The facts that a file holds outside of what changed in it."""
        found: set[int] = set()
        for change, (_number, versions) in zip((self.changes.get(path) or [None] * len(self.parents)), self.parents, strict=True):
            version = versions[path] if change is None and path in versions else None
            found |= facts_outside(change) if change is not None else version.facts() if version is not None else set()
        return set(map(self.memory.now, found))

    def make_version(self, path: str, base: tuple[Version | None, Splice], blob: tuple[str, bytes | None]) -> Version:
        """Put a new version together: `base` is that of the first parent that has the file, and what became of it."""
        version, cut = base
        old = version.pieces if version is not None else []
        pieces = list(old[: cut.first])
        if len(self.comparisons) > 1:
            pieces = [self._joined(path, at, piece) for at, piece in enumerate(pieces)]
        for number, chunk in enumerate(cut.new, cut.first):
            kept = self.kept.get((path, number))
            if kept is not None:
                pieces.append(kept)
                continue
            facts = tuple([self.facts.get((path, number, unit)) or self.memory.new_fact() for unit in range(chunk.size)])
            pieces.append(Piece(chunk, facts))
        behind: Sequence[Piece] = old[cut.stop :]
        if len(self.comparisons) > 1:
            behind = [self._joined(path, at, piece) for at, piece in enumerate(behind, len(pieces))]
        return Version(blob[0], blob[1], [*pieces, *behind])

    def _joined(self, path: str, at: int, piece: Piece) -> Piece:
        """A piece of the first parent that the merge kept, with what its facts turned out to be."""
        facts = tuple([self.facts[path, at, unit] for unit in range(len(piece.facts))])
        return piece if facts == self.memory.all_now(piece.facts) else Piece(piece.chunk, facts)

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
            line, end = unit_lines(found[step.after[0]], step.after[1], step.after[2])
        else:
            line, end = old_line, old_end
        owners = self.memory.now(comparison.fact(step.owner_before)), self.memory.now(self._owner(step.owner_after, found))
        return Event(fact, op, change.also, change.before, change.after, *owners, line, end, old_line, old_end)

    def _owner(self, place: Place | None, found: Mapping[str, Version]) -> int:
        if place is None:
            return 0
        return self.facts.get(place) or found[place[0]].pieces[place[1]].facts[place[2]]


def join_apart(one: int, other: int, held: Sequence[set[int]], memory: Memory) -> int:
    """Join two facts that turn out to be one, unless a version of `held`, or any other one, has both; return the number that stands.

    Lists of tasks say `created: today` under every heading. Two branches that sort them differently would make all of these one fact.
    """
    one, other = memory.now(one), memory.now(other)
    if one == other or any(one in facts and other in facts for facts in held) or memory.met(one, other):
        return one
    stays = memory.join(one, other)
    goes = other if stays == one else one
    for facts in held:
        if goes in facts:
            facts.remove(goes)
            facts.add(stays)
    return stays


def _facts_of(versions: Mapping[str, Version], paths: Iterable[str], now: Callable[[int], int]) -> set[int]:
    return {now(fact) for path in paths if path in versions for fact in versions[path].facts()}


def outside(change: FileChange) -> Iterator[tuple[int, Piece]]:
    """The pieces of a changed file that did not change, by their numbers in the new version; none of a file that came or went."""
    old, cut = change.old, change.splice
    if old is not None and cut is not None:
        yield from enumerate(old.pieces[: cut.first])
        yield from enumerate(old.pieces[cut.stop :], cut.first + len(cut.new))


def facts_outside(change: FileChange) -> set[int]:
    """The facts of a changed file that stand outside of what changed."""
    return {fact for _at, piece in outside(change) for fact in piece.facts}
