"""Two more short ways: a heading whose tag alone changed, and sibling blocks of one file that changed places, with one gone or come at most.

They decide as core.align and core.byid do; what does not fit exactly is left to them.
"""

from __future__ import annotations

from hoard_git.core.align import LIKE
from hoard_git.core.likeness import count_words, dice
from hoard_git.core.lineage import equal_pieces
from hoard_git.core.pairing import signs
from hoard_git.core.provenance import Provenance
from hoard_git.core.quickpair import QuickPairs, find_pairs, make_change, make_entry, quick_changes, says_how
from hoard_git.core.units import Unit, heading_text
from hoard_git.core.versions import moves_what_follows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.core.chunks import Chunk
    from hoard_git.core.document import Heading
    from hoard_git.core.lineage import FileChange
    from hoard_git.core.tags import Tag
    from hoard_git.core.units import Change

_new = tuple.__new__  # the constructor of a record takes four times as long


def look_quickly(change: FileChange) -> bool:
    """Find what happened in a commit that changes this file alone, and note it in the splice; false when it takes the long way."""
    old, cut = change.sides
    if cut.is_read:
        return cut.changes is not None
    cut.is_read = True
    if len(cut.new) == 1 and cut.stop - cut.first == 1:
        before, after = old.pieces[cut.first].chunk, cut.new[0]
        pairs = QuickPairs(*cut.entry) if cut.entry is not None else find_pairs(before, after)
        if pairs is not None:
            cut.entry = pairs.gone, pairs.came
            cut.changes = quick_changes(change, pairs, before, after)
            return True
        cut.changes = _retags(change, before, after) if not moves_what_follows(old, cut) else None
        if cut.changes is not None:
            cut.entry = -1, -1
            return True
    if cut.stop - cut.first <= len(cut.new) + 1 and len(cut.new) <= cut.stop - cut.first + 1:
        _blocks(change)
    return cut.changes is not None


def _retags(change: FileChange, before: Chunk, after: Chunk) -> list[Change] | None:
    """The changes of a plain block of which the heading has another tag with the same id, and all else is the same."""
    one, other = before.plain, after.plain
    if one is None or other is None or before.level < 2 or one.lines[1:] != other.lines[1:] or one.items != other.items:
        return None
    old, new = one.headings[0], other.headings[0]
    if old.tag is None or new.tag is None or old.tag.id != new.tag.id or (old.level, old.title) != (new.level, new.title):
        return None
    title = _title_above(change, old.level)
    pairs = [(_heading(change, old, old.tag, title), _heading(change, new, new.tag, title))]
    if (old.tag.src, old.tag.ts, old.tag.ttl, old.tag.stale) != (new.tag.src, new.tag.ts, new.tag.ttl, new.tag.stale):
        inherit = [at for at, item in enumerate(one.items) if item[1] is None]
        pairs += [(make_entry(change, before, at), make_entry(change, after, at)) for at in inherit]
    found: list[Change] = []
    for was, now in pairs:
        kinds = says_how(was, now)
        if kinds:
            found.append(make_change(kinds[0], was, now, tuple(kinds[1:])))
    return found


def _blocks(change: FileChange) -> None:
    """Note in the splice which blocks stand for themselves elsewhere, and that the others went or came."""
    old, cut = change.sides
    before = [(number, old.pieces[number].chunk) for number in range(cut.first, cut.stop)]
    twins = equal_pieces(before, list(enumerate(cut.new)))
    if twins is None or moves_what_follows(old, cut):
        return
    stood = {at: number for number, at in twins.items()}
    order = [stood.get(at, -1) for at in range(len(cut.new))]
    gone = [chunk for number, chunk in before if number not in twins]
    came = [chunk for at, chunk in enumerate(cut.new) if at not in stood]
    if len(gone) > 1 or len(came) > 1:
        return
    went, new = next(iter(gone), None), next(iter(came), None)
    title = _title_above(change, (*gone, *came)[0].level) if gone or came else ""
    lost, added = (_units(change, chunk, title) if chunk is not None else [] for chunk in (went, new))
    if lost is None or added is None or (lost and added and not _are_apart(lost, added)):
        return
    cut.order = order
    cut.changes = [*(make_change("add", None, unit) for unit in added), *(make_change("remove", unit, None) for unit in lost)]


def _units(change: FileChange, chunk: Chunk, title: str) -> list[Unit] | None:
    """The heading and the entries of a plain block with a tag; None of another one."""
    plain = chunk.plain
    heading = plain.headings[0] if plain is not None else None
    if plain is None or heading is None or heading.tag is None:
        return None
    return [_heading(change, heading, heading.tag, title), *(make_entry(change, chunk, at) for at in range(len(plain.items)))]


def _are_apart(lost: Sequence[Unit], added: Sequence[Unit]) -> bool:
    """Whether two blocks with ids of their own have nothing that could be one entry, however near each other it stood."""
    one, other = lost[0].provenance.id, added[0].provenance.id
    if not one or not other or one == other or not signs(lost[1:]).isdisjoint(signs(added[1:])):
        return False
    words = [count_words(unit.text) for unit in added[1:]]
    return all(dice(count_words(unit.text), these) < LIKE[0] for unit in lost[1:] for these in words)


def _heading(change: FileChange, heading: Heading, tag: Tag, title: str) -> Unit:
    """The unit of a plain block's heading, whose tag is its own."""
    provenance = _new(Provenance, (tag.src, tag.ts, tag.ttl, tag.id, tag.ev, tag.stale, "own", heading.line))
    fields = change.path, change.file_class, "heading", heading.line, heading.line, heading_text(heading), title, provenance, 0, -1, -1
    return _new(Unit, fields)


def _title_above(change: FileChange, level: int) -> str:
    """The title of the heading that encloses the changed pieces, which are of one level; '' at the top."""
    old, cut = change.sides
    for number in range(cut.first - 1, -1, -1):
        chunk = old.pieces[number].chunk
        titles = [heading.title for heading in chunk.headings if heading.level < level] if chunk.level < level else []
        if titles:
            return titles[-1]
    return ""
