"""What a merge did without changing a file against every parent: facts that it dropped, removals that it undid, changes that it gave up."""

from __future__ import annotations

from hoard_git.core.knownfacts import Event
from hoard_git.core.markdown import parse
from hoard_git.core.units import Side, kinds_between, units

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hoard_git.core.knownfacts import Memory
    from hoard_git.core.tags import Tag
    from hoard_git.core.units import Unit
    from hoard_git.core.versions import Version

    Files = Mapping[str, Version | None]
    Found = tuple[Unit, int]
    """A unit and the fact of the block that it belongs to."""


def settle_merge(
    parents: Sequence[tuple[int, Files]],
    result: Files,
    memory: Memory,
    is_ancestor: Callable[[int, int], bool],
    known: set[int],
    describe: Callable[[str], tuple[str, Tag | None]],
) -> list[Event]:
    """List what a merge did to facts of one of its sides: `remove`, then `restore`, then what a given-up change was, each by path and line.

    Each mapping holds the paths in which any two parents or the result differ. A fact is dropped when nobody had removed it before, or the
    side that lacks it never had it; kept when one side had removed it; a change is given up when a side had made it and those sides whose
    version stands had not. `known` are facts that the merge's own events speak of. `describe` gives a file's class and what it counts as.
    """
    return _Merge(parents, result, memory, is_ancestor, describe).events(known)


class _Merge:
    """One merge at work."""

    def __init__(
        self,
        parents: Sequence[tuple[int, Files]],
        result: Files,
        memory: Memory,
        is_ancestor: Callable[[int, int], bool],
        describe: Callable[[str], tuple[str, Tag | None]],
    ) -> None:
        self.parents = parents
        self.result = result
        self.memory = memory
        self.is_ancestor = is_ancestor
        self.describe = describe
        self.held = [self._paths(versions) for _number, versions in parents]
        self.after = self._paths(result)
        self._units: dict[tuple[str, str], tuple[dict[int, Unit], list[int]]] = {}

    def events(self, known: set[int]) -> list[Event]:
        """List them."""
        groups: tuple[list[tuple[int, Event]], ...] = ([], [], [])
        for fact in {fact for facts in self.held for fact in facts} | self.after.keys():
            holding = [n for n, facts in enumerate(self.held) if fact in facts]
            lacking = [n for n, facts in enumerate(self.held) if fact not in facts]
            if not holding or fact in known:
                continue
            event: Event | None = None
            group = 2
            if fact not in self.after:
                if not any(self._removed_by(fact, side, holding) for side in lacking):
                    event, group = _event(fact, self._unit(self.parents[holding[0]][1], self.held[holding[0]], fact), None), 0
            elif lacking and any(self._removed_by(fact, side, holding) for side in lacking):
                event, group = _event(fact, None, self._unit(self.result, self.after, fact)), 1
            elif len(holding) > 1:
                event = self._given_up(fact, holding)
            if event is not None:
                groups[group].append((holding[0], event))
        # By their places: the numbers of facts that came on different branches say which branch was read first.
        return [event for group in groups for _first, event in sorted(group, key=_where)]

    def _paths(self, versions: Files) -> dict[int, str]:
        now = self.memory.now
        return {now(fact): path for path, version in versions.items() if version is not None for fact in version.facts()}

    def _removed_by(self, fact: int, side: int, holding: Sequence[int]) -> bool:
        owners = [self.parents[n][0] for n in holding]
        return any(self._only_there(gone, self.parents[side][0], owners) for gone in self.memory.removals(fact))

    def _only_there(self, commit: int, side: int, others: Sequence[int]) -> bool:
        return self.is_ancestor(commit, side) and not any(self.is_ancestor(commit, other) for other in others)

    def _given_up(self, fact: int, holding: Sequence[int]) -> Event | None:
        """The change back from what one side had made of a fact, where the merge took it as another side had it."""
        changes = self.memory.changes(fact)
        numbers = [self.parents[n][0] for n in holding]
        if all(all(self.is_ancestor(commit, number) for number in numbers) for commit in changes):
            return None
        now = self._unit(self.result, self.after, fact)
        then = {n: self._unit(self.parents[n][1], self.held[n], fact) for n in holding}
        if now is None:
            return None
        taken = [self.parents[n][0] for n, found in then.items() if found is not None and not _kinds(found[0], now[0])]
        for n, found in then.items():
            side = self.parents[n][0]
            if taken and found is not None and side not in taken and any(self._only_there(commit, side, taken) for commit in changes):
                return _event(fact, found, now)
        return None

    def _unit(self, versions: Files, paths: Mapping[int, str], fact: int) -> Found | None:
        """A fact's unit in one version, and the fact of its block; None when that version does not hold it."""
        path = paths[fact]
        version = versions[path]
        if version is None:
            return None
        key = path, version.oid
        if key not in self._units:
            self._units[key] = self._read(path, version)
        found, headings = self._units[key]
        unit = found.get(fact)
        if unit is None:
            return None
        inside = not unit.is_heading and unit.heading >= 0 and unit.provenance.origin != "own"
        return unit, headings[unit.heading] if inside else fact

    def _read(self, path: str, version: Version) -> tuple[dict[int, Unit], list[int]]:
        now = self.memory.now
        file_class, default = self.describe(path)
        headings, entries = units(Side(path, file_class, parse(version.data), default))
        above = [now(fact) for piece in version.pieces for fact in piece.facts[: piece.chunk.heads]]
        below = [now(fact) for piece in version.pieces for fact in piece.facts[piece.chunk.heads :]]
        return dict(zip([*above, *below], [*headings, *entries], strict=False)), above


def _where(found: tuple[int, Event]) -> tuple[str, int, int]:
    first, event = found
    unit = event.after if event.after is not None else event.before
    return (unit.path, unit.line, first) if unit is not None else ("", 0, first)


def _kinds(before: Unit, after: Unit) -> list[str]:
    return kinds_between(before, after, moved=before.path != after.path)


def _event(fact: int, before: Found | None, after: Found | None) -> Event | None:
    """The event of a fact whose unit was one and is the other."""
    if before is None and after is None:
        return None
    kinds = ["remove"] if after is None else ["restore"] if before is None else _kinds(before[0], after[0])
    old, owner_before = before or (None, 0)
    new, owner_after = after or (None, 0)
    here, there = new or old, old or new
    if not kinds or here is None or there is None:
        return None
    return Event(
        fact, kinds[0], tuple(kinds[1:]), old, new, owner_before, owner_after, here.line, here.end_line, there.line, there.end_line
    )
