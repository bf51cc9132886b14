"""Decides how an index is brought to a tip: continued, or emptied and built anew; then says what the tip reaches."""

from __future__ import annotations

from hoard_git.errors import HoardError
from hoard_git.gitio.blockindex_build import Builder
from hoard_git.gitio.blockindex_graph import Graph, nearest
from hoard_git.gitio.blockindex_values import text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hoard_git.gitio.blockindex_build import Rules
    from hoard_git.gitio.blockindex_store import Store
    from hoard_git.gitio.plumbing import PlumbingReader

_MOST_UNREACHED = 1000


def update(
    reader: PlumbingReader,
    store: Store,
    rules_for: Callable[[str, str | None], Rules],
    tip: str,
    schema: str,
    most_tips: int,
    progress: Callable[[int, int], None],
) -> None:
    """Index what is new behind `tip`, within the caller's transaction. Commits that it does not reach stay and are left out of answers.

    Built anew when the schema or what counts as memory changed, and when rewritten history has left more than a thousand commits, and a
    tenth of all, that the tip does not reach.
    """
    meta = store.meta()
    if meta.get("schema") == schema:
        if store.one("SELECT count(*) FROM tip WHERE oid = ?", tip):
            return  # another process was faster
        if _continue(reader, store, rules_for, tip, meta, progress):
            _trim(store, most_tips)
            return
    rules = rules_for(tip, None)
    store.reset({"schema": schema, "rules": rules.fingerprint, "policies": rules.policies})
    builder = Builder(reader, store, rules, fresh=True)
    seq = builder.run(tip, (), progress)
    store.add_indexes()
    _add_tip(store, tip, seq, builder)


def _continue(
    reader: PlumbingReader,
    store: Store,
    rules_for: Callable[[str, str | None], Rules],
    tip: str,
    meta: dict[str, str],
    progress: Callable[[int, int], None],
) -> bool:
    """Add the commits behind a tip to what is there; false when it has to be built anew."""
    known = [oid for (oid,) in store.db.execute("SELECT oid FROM tip ORDER BY nodes DESC")]
    present = [oid for oid in known if _exists(reader, oid)] if len(known) > 1 or not _exists(reader, known[0] if known else "") else known
    if not present:
        return False
    rules = rules_for(tip, meta.get("policies", ""))
    if rules.fingerprint != meta.get("rules"):
        return False
    store.db.execute("SAVEPOINT more")
    builder = Builder(reader, store, rules, fresh=False)
    try:
        seq = builder.run(tip, present, progress) or nearest(reader, store, tip)
    except HoardError:
        store.db.execute("ROLLBACK TO more")
        return False
    after = store.db.execute("SELECT files FROM policy WHERE id = (SELECT after FROM node WHERE seq = ?)", (seq,)).fetchone()
    policies = text(after[0]) if after else ""
    if policies != meta.get("policies", ""):
        fresh = rules_for(tip, None)
        if fresh.fingerprint != meta.get("rules"):
            store.db.execute("ROLLBACK TO more")
            return False
        store.db.execute("INSERT OR REPLACE INTO meta VALUES('policies', ?)", (fresh.policies,))
    _add_tip(store, tip, seq, builder)
    reached = store.db.execute("SELECT reach FROM tip WHERE oid = ?", (tip,)).fetchone()[0]
    if reached is not None:
        missing = len(reached) - 1 - sum(reached)
        if missing > _MOST_UNREACHED and missing * 10 > len(reached):
            store.db.execute("ROLLBACK TO more")
            return False
    store.db.execute("RELEASE more")
    return True


def _exists(reader: PlumbingReader, oid: str) -> bool:
    if not oid:
        return False
    try:
        reader.commit(oid)  # type: ignore[arg-type]
    except HoardError:
        return False
    return True


def _add_tip(store: Store, tip: str, seq: int, builder: Builder) -> None:
    """Note what a tip reaches; NULL means every commit up to the number that is kept with it."""
    nodes = store.one("SELECT max(seq) FROM node")
    reach: bytes | None = None
    if not builder.plain:
        graph = builder.graph or Graph(store.parents())
        found = graph.reach([seq] if seq else [])
        reach = None if sum(found) == nodes else bytes(found)
    elif seq != nodes:
        reach = b"\x00" + b"\x01" * seq + b"\x00" * (nodes - seq)
    store.db.execute("INSERT OR REPLACE INTO tip VALUES(?,?,?,?)", (tip, seq, nodes, reach))


def _trim(store: Store, most: int) -> None:
    """Forget the oldest of many tips; what they alone reached stays indexed."""
    rows = store.db.execute("SELECT oid FROM tip ORDER BY nodes DESC, seq DESC").fetchall()
    store.db.executemany("DELETE FROM tip WHERE oid = ?", rows[most:])
