"""`hoard log`: what happened to blocks, one event a block and commit (INTERFACE, "JSON")."""

from __future__ import annotations

from itertools import groupby

from hoard_git.app.history import Authors
from hoard_git.app.history_query import ALL, BLOCK, PATH, last_event, title_of
from hoard_git.core.provenance import Provenance
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hoard_git.app.history_query import Target
    from hoard_git.core.model import Actor
    from hoard_git.gitio.blockindex import BlockIndex, EventRow, Side
    from hoard_git.gitio.blockindex_store import NodeRow
    from hoard_git.gitio.plumbing import PlumbingReader

ORDER = ("add", "restore", "archive", "move", "retag", "edit", "retime", "remove")
"""Events in the order in which the first that applies is chosen."""

FILE = "(file)"
"""The title of what stands above all headings of a file."""


class Block(Record):
    """The block that an event is about. `id` is '' where it has none."""

    fact: int
    id: str
    title: str
    path: str


class Range(Record):
    """Lines, 1-based, that a commit wrote."""

    path: str
    line: int
    end: int
    text: str


class BlockChange(Record):
    """What happened to one block. `added` and `removed` are exact texts of entries, and of the heading where that changed.

    `before` is where it stood and what it claimed until then, None where it was not there or only its entries changed.
    """

    event: str
    also: tuple[str, ...]
    block: Block
    provenance: Provenance
    added: tuple[str, ...]
    removed: tuple[str, ...]
    written: tuple[Range, ...] = ()
    before: Side | None = None


class LogEvent(Record):
    """What one commit did to one block. `trailers` is `ok`, `missing` or `mismatch`."""

    node: NodeRow
    actor: Actor
    change: BlockChange
    trailers: str


class Filter(Record):
    """Which events to show. Times are seconds since 1970, 0 for no limit; `most` 0 is all."""

    most: int = 0
    since: int = 0
    until: int = 0
    src: str = ""
    kind: str = ""
    op: str = ""


def read_log(
    index: BlockIndex, reader: PlumbingReader, target: Target, wanted: Filter, trailers: Callable[[BlockIndex, NodeRow], str]
) -> Iterator[LogEvent]:
    """List the events of a target, newest first. `trailers` gives the verdict about a commit's trailers."""
    titles = Titles(index)
    authors = Authors(reader)
    asked = frozenset(target.facts)
    count = 0
    for seq, rows in groupby(_rows(index, target), key=lambda row: row.seq):
        node = index.node(seq)
        if (wanted.since and node.committed < wanted.since) or (wanted.until and node.committed > wanted.until):
            continue
        for change in block_changes(list(rows)[::-1], titles, asked):
            actor = authors.actor(node.email, node.policy, change.block.path, node.oid)
            if not _fits(change, actor, node, wanted):
                continue
            yield LogEvent(node, actor, change, trailers(index, node))
            count += 1
            if count == wanted.most:
                return


def _rows(index: BlockIndex, target: Target) -> Iterator[EventRow]:
    if target.kind == PATH:
        return index.path_events(target.path)
    if target.kind == ALL:
        return index.all_events()
    return index.events(target.facts, owned=target.kind == BLOCK)


def _fits(change: BlockChange, actor: Actor, node: NodeRow, wanted: Filter) -> bool:
    if wanted.src and change.provenance.src != ("" if wanted.src == "untagged" else wanted.src):
        return False
    if wanted.kind and actor.kind != wanted.kind:
        return False
    return not wanted.op or wanted.op in (change.event, node.op)


def block_fact(row: EventRow, *, after: bool) -> int | None:
    """The fact of the block that a unit belongs to on one side, None where the unit is not on that side."""
    side = row.after if after else row.before
    if side is None:
        return None
    if row.kind == "heading":
        return row.fact
    return row.owner_after if after else row.owner_before


def _is_within(row: EventRow, fact: int, *, after: bool) -> bool:
    """Whether a unit counts as content of a block on one side.

    An entry that stays where it is and gets, or loses, a tag of its own becomes a block, or ceases to be one: to the block around it, nothing came or went.
    """
    here = block_fact(row, after=after)
    if here == fact:
        return True
    return here == row.fact != fact and block_fact(row, after=not after) == fact and "move" not in {row.op, *row.also}


def block_changes(rows: Sequence[EventRow], titles: Titles, asked: frozenset[int] = frozenset()) -> Iterator[BlockChange]:
    """Sum one commit's rows, in the order of the files, up by block.

    With `asked`, only blocks of these facts; entries that were asked for are blocks of their own.
    """
    found: dict[tuple[int, str], list[EventRow]] = {}
    for row in rows:
        keys: dict[tuple[int, str], None] = {}
        if row.fact in asked and row.kind != "heading":
            keys[row.fact, ""] = None
        else:
            for after in (True, False):
                fact = block_fact(row, after=after)
                side = row.after if after else row.before
                if fact is not None and side is not None and (not asked or fact in asked):
                    keys[fact, "" if fact else side.path] = None
            if [fact for fact, _file in keys] == [0, 0]:
                keys.popitem()  # from above all headings of one file to there in another: told once, where it is now
        for key in keys:
            found.setdefault(key, []).append(row)
    for (fact, file), parts in found.items():
        change = _sum(fact, file, parts, titles)
        if change is not None:
            yield change


def _sum(fact: int, file: str, rows: Sequence[EventRow], titles: Titles) -> BlockChange | None:
    own = next((row for row in rows if row.fact == fact), None)
    kinds: set[str] = set()
    added: list[str] = []
    removed: list[str] = []
    written: list[Range] = []
    for row in rows:
        kinds |= _kinds(row, fact, own)
        before = row.before is not None and (row is own or _is_within(row, fact, after=False))
        after = row.after is not None and (row is own or _is_within(row, fact, after=True))
        old = row.before.text if row.before is not None and before else None
        new = row.after.text if row.after is not None and after else None
        if old != new:
            added += [new] if new is not None else []
            written += [Range(row.after.path, row.after.line, row.after.end, new)] if row.after is not None and new is not None else []
            removed += [old] if old is not None else []
    if not kinds:
        return None
    first, *also = [kind for kind in ORDER if kind in kinds]
    at = own or next((row for row in rows if block_fact(row, after=True) == fact), rows[0])
    block = titles.block(fact, file or _path(at, fact), own, at)
    provenance = at.side.provenance
    if own is None:
        provenance = provenance._replace(id=block.id, ev="")
    earlier = at.before if own is not None or not kinds <= {"edit"} else None
    return BlockChange(first, tuple(also), block, provenance, tuple(added), tuple(removed), tuple(written), earlier)


def _path(row: EventRow, fact: int) -> str:
    if row.after is not None and (row.fact == fact or block_fact(row, after=True) == fact):
        return row.after.path
    return row.before.path if row.before is not None else row.side.path


def _kinds(row: EventRow, fact: int, own: EventRow | None) -> set[str]:
    """What a row says about a block: its own kinds for the block itself, the block's text otherwise."""
    kinds = {row.op, *row.also}
    if row is own:
        return kinds
    if own is not None and own.op in ("add", "restore", "remove"):
        return set()
    if row.before is None or row.after is None or not (_is_within(row, fact, after=True) and _is_within(row, fact, after=False)):
        return {"edit"}
    found = kinds & {"edit", "retag", "retime"}
    if own is None and row.before.path != row.after.path:
        found |= kinds & {"archive", "restore", "move"}
    return found


class Titles:
    """Names of blocks, looked up once each."""

    def __init__(self, index: BlockIndex | None) -> None:
        """Without an index, a block is called as the rows themselves say."""
        self._index = index
        self._known: dict[int, EventRow | None] = {}

    def block(self, fact: int, path: str, own: EventRow | None, row: EventRow) -> Block:
        """The block of a fact, from its own row, else from its last event."""
        if not fact:
            return Block(0, "", FILE, path)
        found = own or self._last(fact)
        if found is None:
            return Block(fact, "", row.side.title, path)
        return Block(fact, found.side.provenance.id, title_of(found), path)

    def _last(self, fact: int) -> EventRow | None:
        if self._index is None:
            return None
        if fact not in self._known:
            self._known[fact] = last_event(self._index, fact)
        return self._known[fact]
