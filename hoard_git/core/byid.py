"""Ids decide which unit is which, whatever core.align makes of the texts."""

from __future__ import annotations

from hoard_git.core.units import Change, kinds_between

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hoard_git.core.units import Unit


def by_id(changes: Iterable[Change]) -> list[Change]:
    """Let ids decide: a pair of two different ids is a removal and an addition, a removal and an addition of one id a pair."""
    listed = list(changes)
    gone: dict[tuple[str, bool], Unit] = {}
    came: set[tuple[str, bool]] = set()
    for change in listed:
        before, after = change.before, change.after
        split = before is not None and after is not None and _differ(before, after)
        if before is not None and before.provenance.id and (after is None or split):
            gone[before.provenance.id, before.is_heading] = before
        if after is not None and after.provenance.id and (before is None or split):
            came.add((after.provenance.id, after.is_heading))
    both = {key: unit for key, unit in gone.items() if key in came}
    found: list[Change] = []
    late: list[Change] = []
    for change in listed:
        before, after = change.before, change.after
        if before is not None and after is not None and not _differ(before, after):
            found.append(change)
            continue
        if after is not None:
            partner = both.get((after.provenance.id, after.is_heading)) if after.provenance.id else None
            found.append(_pair(partner, after) if partner is not None else Change("add", None, after))
        if before is not None and (before.provenance.id, before.is_heading) not in both:
            late.append(Change("remove", before, None))
    return found + late


def _differ(before: Unit, after: Unit) -> bool:
    return bool(before.provenance.id and after.provenance.id and before.provenance.id != after.provenance.id)


def _pair(before: Unit, after: Unit) -> Change:
    """The change of two units of one id: with equal tags core.align would have paired them, so that at least the tag differs."""
    kinds = kinds_between(before, after, moved=(before.path, before.title) != (after.path, after.title))
    kinds = kinds or ["retag"]
    return Change(kinds[0], before, after, tuple(kinds[1:]))
