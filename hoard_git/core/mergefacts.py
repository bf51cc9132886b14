"""Whether a merge commit lies between its parents: it keeps what no side removed, and says nothing that neither side says (HG704)."""

from __future__ import annotations

from hoard_git.core.model import RANK
from hoard_git.core.record import Record
from hoard_git.core.units import core_of, core_text, units

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from hoard_git.core.units import Side, Unit

DROPPED, FOREIGN, RAISED = "dropped", "foreign", "raised"
"""Kinds of faults: a fact that no side removed is gone, a fact is on neither side, a fact has a higher source than on either side."""


class MergeSides(Record):
    """The memory files of a merge that any parent and the result differ in.

    `bases` are the files of all merge bases of a pair of parents, by their positions. `excused` are core texts that the recomputed merge, or
    git's clean merge by lines, does without; `settled` are paths whose result is one of these two.
    """

    result: tuple[Side, ...]
    parents: tuple[tuple[Side, ...], ...]
    bases: Mapping[tuple[int, int], tuple[Side, ...]] = {}
    excused: frozenset[str] = frozenset()
    settled: frozenset[str] = frozenset()


class Fault(Record):
    """One thing that is wrong with a merge; `unit` stands in the result, for `dropped` in the parent that has it."""

    kind: str
    unit: Unit


def find_faults(sides: MergeSides) -> list[Fault]:
    """Return the faults of a merge, dropped facts first, each by path and line."""
    result = _facts(sides.result)
    parents = [_facts(files) for files in sides.parents]
    bases = {pair: _facts(files) for pair, files in sides.bases.items()}
    dropped: dict[str, Fault] = {}
    for number, facts in enumerate(parents):
        for text, unit in facts.items():
            if text not in result and text not in sides.excused and not _was_removed(text, number, parents, bases):
                dropped.setdefault(text, Fault(DROPPED, unit))
    foreign: list[Fault] = []
    raised: list[Fault] = []
    for text, unit in result.items():
        known = [RANK[facts[text].provenance.src] for facts in parents if text in facts]
        rank = RANK[unit.provenance.src]
        if not known:
            if unit.path not in sides.settled:
                foreign.append(Fault(FOREIGN, unit))
        elif rank > max(known) and not (
            rank == RANK["dig"] and max(known) == 0
        ):  # the driver marks what was untagged with the lowest source
            raised.append(Fault(RAISED, unit))
    return [*sorted(dropped.values(), key=_place), *sorted(foreign, key=_place), *sorted(raised, key=_place)]


def _place(fault: Fault) -> tuple[str, int]:
    return fault.unit.path, fault.unit.line


def _was_removed(
    text: str, number: int, parents: Sequence[Mapping[str, Unit]], bases: Mapping[tuple[int, int], Mapping[str, Unit]]
) -> bool:
    """Whether another side had a fact of this one before and has it no more."""
    for other, facts in enumerate(parents):
        pair = (min(number, other), max(number, other))
        if other != number and text not in facts and text in bases.get(pair, {}):
            return True
    return False


def _facts(files: Iterable[Side]) -> dict[str, Unit]:
    """The entries by their words, of several that say the same the one with the highest source."""
    found: dict[str, Unit] = {}
    for side in files:
        for unit in units(side)[1]:
            text = core_text(unit)
            known = found.get(text)
            if text and (known is None or RANK[unit.provenance.src] > RANK[known.provenance.src]):
                found[text] = unit
    return found


def texts_of(files: Iterable[Side], *, in_regions: bool = False) -> frozenset[str]:
    """The core texts of files, or only of what stands in their managed regions."""
    return frozenset(core_text(unit) for side in files for unit in units(side)[1] if not in_regions or side.document.in_region(unit.line))


def cores(words: Collection[str]) -> frozenset[str]:
    """The core texts of entries as the merge gives them."""
    return frozenset(core_of(text) for text in words)
