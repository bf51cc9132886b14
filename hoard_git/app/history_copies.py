"""Whether an entry that came in is a copy of words that memory knew from a lower source."""

from __future__ import annotations

from hoard_git.core.model import RANK
from hoard_git.core.units import core_of, fact_key, is_telling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hoard_git.gitio.blockindex import BlockIndex, EventRow, Side


def find_originals(index: BlockIndex, rows: Iterable[EventRow]) -> dict[int, Side]:
    """For the facts of rows that add an entry: what its words were before, where all that then stood elsewhere had a lower source.

    Where nothing stood, it is what was removed. Left out is a handful of words that anybody may say again, and what has no lower source.
    The same comparison as that of the gate (rule HG302), of whole entries; all rows together cost one pass over the texts.
    """
    fresh = {row.fact: row for row in rows if _is_new(row)}
    if not fresh:
        return {}
    keys = {fact: _key(row) for fact, row in fresh.items()}
    by_key: dict[str, dict[int, list[EventRow]]] = {}
    for event in index.events(index.facts_by_key(lambda text: fact_key(core_of(text)), set(keys.values())), owned=False):
        by_key.setdefault(_key(event), {}).setdefault(event.fact, []).append(event)
    found = {fact: _original(row, by_key.get(keys[fact], {})) for fact, row in fresh.items()}
    return {fact: side for fact, side in found.items() if side is not None}


def _is_new(row: EventRow) -> bool:
    after = row.after
    if row.op != "add" or after is None or row.kind == "heading" or RANK[after.provenance.src] <= RANK["dig"]:
        return False
    return is_telling(core_of(after.text))


def _key(row: EventRow) -> str:
    return fact_key(core_of(row.side.text))


def _original(row: EventRow, others: dict[int, list[EventRow]]) -> Side | None:
    """Among other facts with the same words, newest event first: the best of those that stood, else of those that were gone by then."""
    standing: list[Side] = []
    gone: list[Side] = []
    for fact, events in others.items():
        last = _last_before(row, events) if fact != row.fact else None
        if last is not None and last.side.provenance.src:
            (gone if last.after is None else standing).append(last.side)
    best = max(standing or gone, key=lambda side: RANK[side.provenance.src], default=None)
    return best if best is not None and RANK[best.provenance.src] < RANK[row.side.provenance.src] else None


def _last_before(row: EventRow, events: Sequence[EventRow]) -> EventRow | None:
    return next((event for event in events if event.when < row.when), None)
