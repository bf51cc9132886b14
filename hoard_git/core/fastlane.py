"""The common commit, woven in a quarter of the time: one file, one piece, at most one entry gone and one come, no line that could slide.

It gives what core.weaving gives; a test holds the two together. Half of a real history and most of a long one are commits like this.
"""

from __future__ import annotations

from hoard_git.core.attribution import MOVED_WITHIN, Lines
from hoard_git.core.quickpair import find_pairs, quick_changes
from hoard_git.core.versions import Piece, Version
from hoard_git.core.weaving import Event, facts_outside, find_known, was_removed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hoard_git.core.lineage import FileChange
    from hoard_git.core.units import Unit
    from hoard_git.core.weaving import Memory

    Parent = tuple[int, Mapping[str, Version]]


def weave_quickly(
    commit: int, parent: Parent, change: FileChange, memory: Memory, is_ancestor: Callable[[int, int], bool], blob: tuple[str, bytes]
) -> tuple[list[Event], Version] | None:
    """Weave a commit that changes one file; None when it is not of the common kind."""
    old, cut = change.old, change.splice
    if old is None or cut is None or len(cut.new) != 1 or cut.stop - cut.first != 1:
        return None
    piece, chunk = old.pieces[cut.first], cut.new[0]
    rows = _changed_rows(old, cut.first, chunk.rows)
    if rows is None:
        return None
    before, after = piece.chunk.document, chunk.document
    pairs = find_pairs(before, after)
    if pairs is None:
        return None
    count = len(before.headings)
    facts = list(piece.facts[: count + (pairs.gone if pairs.gone >= 0 else pairs.came)])
    tail = piece.facts[count + pairs.gone + 1 :] if pairs.gone >= 0 else piece.facts[len(facts) :]
    changes = quick_changes(change, pairs, before, after, (0, 0))
    gone = memory.now(piece.facts[count + pairs.gone]) if pairs.gone >= 0 else 0
    came, back = gone, False
    if pairs.came >= 0 and (not gone or (changes and changes[0].before is None)):
        unit = changes[0].unit
        held = {memory.now(fact) for fact in (*facts, *tail)}
        number, versions = parent

        def standing(path: str) -> set[int]:
            facts = facts_outside(change) if path == change.path else versions[path].facts() if path in versions else set()
            return set(map(memory.now, facts))

        came = find_known(unit, held, memory, standing)
        back = bool(came) and was_removed(came, memory, is_ancestor, [number])
        came = came or memory.new_fact()
    if pairs.came >= 0:
        facts.append(came)
    facts += tail
    start = old.starts[cut.first]
    events = []
    for found in changes:
        fact = came if found.after is not None else gone
        op = "restore" if found.kind == "add" and back else found.kind
        was, now = (_owner(unit, fact, piece.facts, memory) for unit in (found.before, found.after))
        line, end = _span(found.after or found.before, start)
        old_line, old_end = _span(found.before, start)
        event = Event(fact, op, found.also, found.before, found.after, was, now, line, end, old_line, old_end)
        memory.note(event, commit)
        events.append(event)
    head, stop, fresh = rows
    lines = Lines(chunk.rows[head : head + fresh])
    if fresh:
        lines.find_moved([old], MOVED_WITHIN, lambda run, least, origin: memory.trace(commit, run, least, origin))
    origins = (*piece.origins[:head], *lines.finish(commit), *piece.origins[stop:])
    return events, old.replaced(blob, cut.first, Piece(chunk, tuple(facts), origins))


def _changed_rows(old: Version, number: int, new: tuple[str, ...] | list[str]) -> tuple[int, int, int] | None:
    """First and last changed row of the old piece, and how many came instead; None when the change could slide or is not one run."""
    rows = old.pieces[number].chunk.rows
    most = min(len(rows), len(new))
    head = 0
    while head < most and rows[head] == new[head]:
        head += 1
    tail = 0
    while tail < most - head and rows[-1 - tail] == new[-1 - tail]:
        tail += 1
    stop, fresh = len(rows) - tail, len(new) - tail - head
    if stop - head > 1 or fresh > 1 or not head or not tail:
        return None
    for side, last in ((rows, stop), (new, head + fresh)):
        if last > head and (side[head - 1] == side[last - 1] or side[head] == side[last]):
            return None
    return head, stop, fresh


def _owner(unit: Unit | None, fact: int, facts: tuple[int, ...], memory: Memory) -> int:
    if unit is None:
        return 0
    if unit.provenance.origin == "own":
        return fact
    return memory.now(facts[unit.heading]) if unit.heading >= 0 else 0


def _span(unit: Unit | None, start: int) -> tuple[int, int]:
    return (start + unit.line, start + unit.end_line) if unit is not None else (0, 0)
