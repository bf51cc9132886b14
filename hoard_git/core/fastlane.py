"""The common commit, woven in a fraction of the time: one file, and little that changed in it (core.quickpair, core.quickblocks).

It gives what core.weaving gives; a test holds the two together. Half of a real history and most of a long one are commits like this.
"""

from __future__ import annotations

from hoard_git.core.knownfacts import Before, Event, find_known
from hoard_git.core.quickblocks import look_quickly
from hoard_git.core.versions import Piece, Version
from hoard_git.core.weaving import facts_outside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hoard_git.core.knownfacts import Memory
    from hoard_git.core.lineage import FileChange
    from hoard_git.core.units import Unit

    Parent = tuple[int, Mapping[str, Version]]

_new = tuple.__new__  # the constructor of a record takes four times as long


def weave_quickly(
    commit: int, parent: Parent, change: FileChange, memory: Memory, is_ancestor: Callable[[int, int], bool], blob: tuple[str, bytes | None]
) -> tuple[list[Event], Version] | None:
    """Weave a commit that changes one file; None when it is not of the common kind."""
    old, cut = change.old, change.splice
    if old is None or cut is None or not look_quickly(change) or cut.changes is None:
        return None
    if cut.entry is None:
        return _weave_blocks(commit, parent, change, memory, is_ancestor, blob)
    piece, chunk, changes = old.pieces[cut.first], cut.new[0], cut.changes
    gone_at, came_at = cut.entry
    held = memory.all_now(piece.facts)
    count = piece.chunk.heads
    at = count + gone_at if gone_at >= 0 else count + came_at if came_at >= 0 else len(held)
    stop = at + 1 if gone_at >= 0 else at
    gone = held[at] if gone_at >= 0 else 0
    came, back = gone, False
    if came_at >= 0 and (not gone or (changes and changes[0].before is None)):
        before = Before([parent[0]], memory, is_ancestor)
        came = find_known(changes[0].unit, held[:at] + held[stop:], memory, _standing(parent, change, memory), before)
        back = bool(came) and bool(before.removals(came))
        came = came or memory.new_fact()
    if came_at < 0:
        facts = held[:at] + held[stop:] if gone_at >= 0 else held
    else:
        facts = (*held[:at], came, *held[stop:]) if came != gone else held
    above = old.above(cut.first)
    events = []
    for found in changes:
        was, now = found.before, found.after
        if gone_at >= 0 or came_at >= 0:
            fact = came if now is not None else gone
        else:  # the heading has another tag
            fact = held[found.unit.index + (0 if found.unit.is_heading else count)]
        op = "restore" if back and found.kind == "add" else found.kind
        line, end = _span(now or was, above)
        old_line, old_end = _span(was, above)
        owners = _owner(was, fact, held), _owner(now, fact, held)
        event = _new(Event, (fact, op, found.also, was, now, *owners, line, end, old_line, old_end))
        memory.note(event, commit)
        events.append(event)
    return events, old.replaced(blob, cut.first, Piece(chunk, facts))


def _weave_blocks(
    commit: int, parent: Parent, change: FileChange, memory: Memory, is_ancestor: Callable[[int, int], bool], blob: tuple[str, bytes | None]
) -> tuple[list[Event], Version]:
    """Weave a commit by which blocks changed places, and at most one went and one came."""
    old, cut = change.sides
    pieces, order, changes = old.pieces, cut.order, cut.changes or []
    kept = [pieces[number] if number >= 0 else None for number in order]
    facts: list[int] = []
    back: set[int] = set()
    added = [found.after for found in changes if found.after is not None]
    if added:
        taken = {memory.now(fact) for piece in kept if piece is not None for fact in piece.facts}
        before = Before([parent[0]], memory, is_ancestor)
        standing = _standing(parent, change, memory)
        for unit in added:
            fact = find_known(unit, taken, memory, standing, before)
            if fact and before.removals(fact):
                back.add(fact)
            facts.append(fact or memory.new_fact())
            taken.add(facts[-1])
    made = [piece if piece is not None else Piece(chunk, tuple(facts)) for piece, chunk in zip(kept, cut.new, strict=True)]
    version = Version(blob[0], blob[1], [*pieces[: cut.first], *made, *pieces[cut.stop :]])
    events: list[Event] = []
    if added:
        above = version.above(cut.first + order.index(-1))
        for unit, fact in zip(added, facts, strict=True):
            op, owner = "restore" if fact in back else "add", _owner(unit, fact, facts)
            events.append(_new(Event, (fact, op, (), None, unit, 0, owner, *_span(unit, above), 0, 0)))
    lost = [found.before for found in changes if found.before is not None]
    if lost:
        number = next(number for number in range(cut.first, cut.stop) if number not in order)
        held, above = memory.all_now(pieces[number].facts), old.above(number)
        for unit, fact in zip(lost, held, strict=True):
            lines = _span(unit, above)
            events.append(_new(Event, (fact, "remove", (), unit, None, _owner(unit, fact, held), 0, *lines, *lines)))
    for event in events:
        memory.note(event, commit)
    return events, version


def _standing(parent: Parent, change: FileChange, memory: Memory) -> Callable[[str], set[int]]:
    versions = parent[1]

    def standing(path: str) -> set[int]:
        facts = facts_outside(change) if path == change.path else versions[path].facts() if path in versions else set()
        return set(map(memory.now, facts))

    return standing


def _owner(unit: Unit | None, fact: int, held: Sequence[int]) -> int:
    if unit is None:
        return 0
    if unit.provenance.origin == "own":
        return fact
    return held[unit.heading] if unit.heading >= 0 else 0


def _span(unit: Unit | None, above: int) -> tuple[int, int]:
    return (above + unit.line, above + unit.end_line) if unit is not None else (0, 0)
