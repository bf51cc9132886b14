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
    Place = tuple[str, Version]
    """The path and the version of the file that a fact stands in."""
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
        self.held = [self._places(versions) for _number, versions in parents]
        self.after = self._places(result)
        self._units: dict[int, tuple[dict[int, Unit], list[int]]] = {}

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
                left = [n for n in holding if not self._is_results(*self.held[n][fact])]
                if left and not any(self._removed_by(fact, side, holding) for side in lacking):
                    event, group = _gone(fact, self._unit(self.held[left[0]], fact)), 0
            elif lacking and any(self._removed_by(fact, side, holding) for side in lacking):
                event, group = _back(fact, self._unit(self.after, fact)), 1
            elif len(holding) > 1:
                event = self._given_up(fact, holding)
            if event is not None:
                groups[group].append((holding[0], event))
        # By their places: the numbers of facts that came on different branches say which branch was read first.
        return [event for group in groups for _first, event in sorted(group, key=_where)]

    def _places(self, versions: Files) -> dict[int, Place]:
        now = self.memory.now
        return {now(fact): (path, version) for path, version in versions.items() if version is not None for fact in version.facts()}

    def _is_results(self, path: str, version: Version) -> bool:
        """Whether the result has the same file: then nothing in it is gone, though it may count as another fact of the first parent's."""
        there = self.result.get(path)
        return there is not None and there.oid == version.oid

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
        now = self._unit(self.after, fact)
        then = {n: now if self._is_results(*self.held[n][fact]) else self._unit(self.held[n], fact) for n in holding}
        taken = [self.parents[n][0] for n, found in then.items() if not _kinds(found[0], now[0])]
        for n, found in then.items():
            side = self.parents[n][0]
            if taken and side not in taken and any(self._only_there(commit, side, taken) for commit in changes):
                return _changed(fact, found, now)
        return None

    def _unit(self, places: Mapping[int, Place], fact: int) -> Found:
        """A fact's unit in the version that holds it, and the fact of its block."""
        path, version = places[fact]
        key = id(version)  # not its blob: two sides may have made the same bytes, with facts of their own
        if key not in self._units:
            self._units[key] = self._read(path, version)
        found, headings = self._units[key]
        unit = found[fact]
        inside = not unit.is_heading and unit.heading >= 0 and unit.provenance.origin != "own"
        return unit, headings[unit.heading] if inside else fact

    def _read(self, path: str, version: Version) -> tuple[dict[int, Unit], list[int]]:
        now = self.memory.now
        file_class, default = self.describe(path)
        headings, entries = units(Side(path, file_class, parse(version.data), default))
        above = [now(fact) for piece in version.pieces for fact in piece.facts[: piece.chunk.heads]]
        below = [now(fact) for piece in version.pieces for fact in piece.facts[piece.chunk.heads :]]
        return dict(zip([*above, *below], [*headings, *entries], strict=True)), above


def _where(found: tuple[int, Event]) -> tuple[str, int, int]:
    first, event = found
    unit = event.after if event.after is not None else event.before
    return (unit.path, unit.line, first) if unit is not None else ("", 0, first)


def _kinds(before: Unit, after: Unit) -> list[str]:
    return kinds_between(before, after, moved=before.path != after.path)


def _gone(fact: int, found: Found) -> Event:
    unit, owner = found
    return Event(fact, "remove", (), unit, None, owner, 0, unit.line, unit.end_line, unit.line, unit.end_line)


def _back(fact: int, found: Found) -> Event:
    unit, owner = found
    return Event(fact, "restore", (), None, unit, 0, owner, unit.line, unit.end_line, 0, 0)


def _changed(fact: int, was: Found, now: Found) -> Event:
    kinds = _kinds(was[0], now[0])
    lines = now[0].line, now[0].end_line, was[0].line, was[0].end_line
    return Event(fact, kinds[0], tuple(kinds[1:]), was[0], now[0], was[1], now[1], *lines)
