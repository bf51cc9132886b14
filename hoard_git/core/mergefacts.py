"""Whether a merge commit lies between its parents: it keeps what no side removed, and says nothing that neither side says (HG704)."""

from __future__ import annotations

from hoard_git.core.model import RANK
from hoard_git.core.record import Record
from hoard_git.core.units import core_of, core_text, units

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from hoard_git.core.units import Side, Unit

DROPPED, FOREIGN, RAISED, REVIVED = "dropped", "foreign", "raised", "revived"
"""Kinds of faults: a fact that no side removed is gone, a fact is on neither side, a fact has a higher source than on either side, or a fact
is back that one side removed and the others left as it was."""


class MergeSides(Record):
    """The memory files of a merge that any parent and the result differ in.

    `bases` are the files of each merge base of a pair of parents, by their positions. `excused` are core texts that the recomputed merge, or
    git's clean merge by lines, does without; `settled` are paths whose result is one of these two.
    """

    result: tuple[Side, ...]
    parents: tuple[tuple[Side, ...], ...]
    bases: Mapping[tuple[int, int], tuple[tuple[Side, ...], ...]] = {}
    excused: frozenset[str] = frozenset()
    settled: frozenset[str] = frozenset()


class Fault(Record):
    """One thing that is wrong with a merge; `unit` stands in the result, for DROPPED in the parent that has it."""

    kind: str
    unit: Unit


def find_faults(sides: MergeSides) -> list[Fault]:
    """Return the faults of a merge, dropped facts first, each by path and line."""
    result = _facts(sides.result)
    parents = [_facts(files) for files in sides.parents]
    bases = {pair: _facts(side for files in trees for side in files) for pair, trees in sides.bases.items()}
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
    return [fault for kind in (dropped.values(), foreign, raised, _find_revived(sides)) for fault in sorted(kind, key=_place)]


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


def _find_revived(sides: MergeSides) -> list[Fault]:
    """The facts that one side took out and the result has again, though no other side had touched them since.

    What another side moved, reworded or dated anew stays, as in the merge by entry. What went into the archive is gone from the active files.
    """
    versions = [_standing(files) for files in sides.parents]
    bases = {pair: [_standing(files) for files in trees] for pair, trees in sides.bases.items()}
    found = []
    for key, stands in _standing(sides.result).items():
        unit = next(iter(stands.values()))
        if unit.path in sides.settled:
            continue
        if any(key not in facts and _left_alone(key, number, versions, bases) for number, facts in enumerate(versions)):
            found.append(Fault(REVIVED, unit))
    return found


_Key = tuple[str, bool]
_Standing = dict[_Key, dict[tuple[object, ...], "Unit"]]


def _left_alone(key: _Key, gone: int, versions: Sequence[_Standing], bases: Mapping[tuple[int, int], Sequence[_Standing]]) -> bool:
    """Whether every side that has a fact has it just as all bases with the side that removed it."""
    having = [number for number, facts in enumerate(versions) if key in facts]
    for number in having:
        trees = bases.get((min(number, gone), max(number, gone)), ())
        if not trees or any(key not in facts or not versions[number][key].keys() <= facts[key].keys() for facts in trees):
            return False
    return bool(having)


def _standing(files: Iterable[Side]) -> _Standing:
    """Where each fact stands and as what, by its words and whether that is the archive."""
    found: _Standing = {}
    for side in files:
        for unit in units(side)[1]:
            text = core_text(unit)
            if text:
                found.setdefault((text, side.file_class == "archive"), {})[unit.path, unit.title, unit.text, unit.provenance] = unit
    return found


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
