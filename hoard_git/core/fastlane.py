"""The common commit, woven in a fraction of the time: one file, one piece, at most one entry gone and one come.

It gives what core.weaving gives; a test holds the two together. Half of a real history and most of a long one are commits like this.
"""

from __future__ import annotations

from hoard_git.core.quickpair import QuickPairs, find_pairs, quick_changes
from hoard_git.core.versions import Piece, Version
from hoard_git.core.weaving import Event, facts_outside, find_known, was_removed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hoard_git.core.lineage import FileChange
    from hoard_git.core.units import Unit
    from hoard_git.core.weaving import Memory

    Parent = tuple[int, Mapping[str, Version]]

_new = tuple.__new__  # the constructor of a record takes four times as long


def weave_quickly(
    commit: int, parent: Parent, change: FileChange, memory: Memory, is_ancestor: Callable[[int, int], bool], blob: tuple[str, bytes]
) -> tuple[list[Event], Version] | None:
    """Weave a commit that changes one file; None when it is not of the common kind."""
    old, cut = change.old, change.splice
    if old is None or cut is None or len(cut.new) != 1 or cut.stop - cut.first != 1:
        return None
    piece, chunk = old.pieces[cut.first], cut.new[0]
    pairs = QuickPairs(*cut.entry) if cut.entry is not None else find_pairs(piece.chunk, chunk)
    if pairs is None:
        return None
    held = piece.facts
    count = piece.chunk.heads
    at = count + pairs.gone if pairs.gone >= 0 else count + pairs.came if pairs.came >= 0 else len(held)
    stop = at + 1 if pairs.gone >= 0 else at
    changes = quick_changes(change, pairs, piece.chunk, chunk)
    gone = memory.now(held[at]) if pairs.gone >= 0 else 0
    came, back = gone, False
    if pairs.came >= 0 and (not gone or (changes and changes[0].before is None)):
        number, versions = parent

        def standing(path: str) -> set[int]:
            facts = facts_outside(change) if path == change.path else versions[path].facts() if path in versions else set()
            return set(map(memory.now, facts))

        came = find_known(changes[0].unit, lambda: {memory.now(fact) for fact in (*held[:at], *held[stop:])}, memory, standing)
        back = bool(came) and was_removed(came, memory, is_ancestor, [number])
        came = came or memory.new_fact()
    facts = (*held[:at], came, *held[stop:]) if pairs.came >= 0 else held[:at] + held[stop:]
    above = old.above(cut.first)
    events = []
    for found in changes:
        fact = came if found.after is not None else gone
        op = "restore" if found.kind == "add" and back else found.kind
        was, now = _owner(found.before, fact, held, memory), _owner(found.after, fact, held, memory)
        line, end = _span(found.after or found.before, above)
        old_line, old_end = _span(found.before, above)
        event = _new(Event, (fact, op, found.also, found.before, found.after, was, now, line, end, old_line, old_end))
        memory.note(event, commit)
        events.append(event)
    return events, old.replaced(blob, cut.first, Piece(chunk, facts))


def _owner(unit: Unit | None, fact: int, facts: tuple[int, ...], memory: Memory) -> int:
    if unit is None:
        return 0
    if unit.provenance.origin == "own":
        return fact
    return memory.now(facts[unit.heading]) if unit.heading >= 0 else 0


def _span(unit: Unit | None, above: int) -> tuple[int, int]:
    return (above + unit.line, above + unit.end_line) if unit is not None else (0, 0)
