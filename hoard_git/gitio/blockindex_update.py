"""Decides how an index is brought to a tip: continued, or emptied and built anew; then says what the tip reaches."""

from __future__ import annotations

from hoard_git.core.knownfacts import JoinedWrongly
from hoard_git.errors import HoardError
from hoard_git.gitio.apart import BrokenOff, apart, has_second_processor, without_collections
from hoard_git.gitio.blockindex_build import Builder
from hoard_git.gitio.blockindex_graph import Graph, nearest
from hoard_git.gitio.blockindex_intake import Intake
from hoard_git.gitio.blockindex_values import text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hoard_git.gitio.blockindex_build import Rules
    from hoard_git.gitio.blockindex_rows import Batch, Ending
    from hoard_git.gitio.blockindex_store import Store
    from hoard_git.gitio.plumbing import PlumbingReader

MANY = 2000
"""Commits from which a second process is worth its start."""

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
    _build(reader, store, rules_for(tip, None), tip, schema, progress)


def _build(reader: PlumbingReader, store: Store, rules: Rules, tip: str, schema: str, progress: Callable[[int, int], None]) -> None:
    """Build anew: of a long history a second process reads and compares, while this one writes."""
    meta = {"schema": schema, "rules": rules.fingerprint, "policies": rules.policies}
    store.reset(meta)
    builder = Builder(reader, store, rules, fresh=True)
    ending: Ending | None = None
    if has_second_processor() and _is_long(reader, tip):
        try:
            ending = _run_apart(builder, store, tip, progress)
        except BrokenOff:  # it was killed, or met a fault that shows better here
            store.reset(meta)
    parted: set[frozenset[int]] = set()
    while ending is None:
        try:
            ending = _run(builder, store, tip, (), progress)
        except JoinedWrongly as found:  # every round keeps one pair more apart
            parted.add(found.pair)
            store.reset(meta)
            builder = Builder(reader, store, rules, fresh=True, parted=parted)
    store.add_indexes()
    _add_tip(store, tip, ending, builder)


def _run(builder: Builder, store: Store, tip: str, known: Sequence[str], progress: Callable[[int, int], None]) -> Ending:
    intake = Intake(store)
    ending = builder.run(tip, known, lambda *message: _take(intake, message, progress))
    intake.finish(ending)
    return ending


def _run_apart(builder: Builder, store: Store, tip: str, progress: Callable[[int, int], None]) -> Ending:
    intake = Intake(store)
    with apart(lambda send: builder.run(tip, (), lambda *message: send(message), ahead=True)) as messages, without_collections():
        for message in messages:
            _take(intake, message, progress)
    ending: Ending = messages.result
    intake.finish(ending)
    return ending


def _take(intake: Intake, message: tuple[Batch, int, int], progress: Callable[[int, int], None]) -> None:
    batch, done, count = message
    intake.write(batch)
    if done < count:
        progress(done, count)


def _is_long(reader: PlumbingReader, tip: str) -> bool:
    """Whether there are so many commits that a second process is worth its start."""
    out = reader.git(("rev-list", "--count", f"--max-count={MANY}", tip, "--")).finish()
    return int(out) >= MANY


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
        ending = _run(builder, store, tip, present, progress)
        seq = ending[0] or nearest(reader, store, tip)
    except (HoardError, JoinedWrongly):
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
    _add_tip(store, tip, (seq, *ending[1:]), builder)
    reached = store.db.execute("SELECT reach FROM tip WHERE oid = ?", (tip,)).fetchone()[0]
    if reached is not None:
        missing = len(reached) - 1 - sum(reached)
        if missing > _MOST_UNREACHED and missing * 10 > len(reached):
            store.db.execute("ROLLBACK TO more")
            return False
    store.add_indexes()
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


def _add_tip(store: Store, tip: str, ending: Ending, builder: Builder) -> None:
    """Note what a tip reaches; NULL means every commit up to the number that is kept with it."""
    nodes = store.one("SELECT max(seq) FROM node")
    reach: bytes | None = None
    seq, is_plain, *_learned = ending
    if not is_plain:
        made = builder.graph.made
        graph = made if made is not None and builder.seqs else Graph(store.parents())
        found = graph.reach([seq] if seq else [])
        reach = None if sum(found) == nodes else bytes(found)
    elif seq != nodes:
        reach = b"\x00" + b"\x01" * seq + b"\x00" * (nodes - seq)
    store.db.execute("INSERT OR REPLACE INTO tip VALUES(?,?,?,?)", (tip, seq, nodes, reach))


def _trim(store: Store, most: int) -> None:
    """Forget the oldest of many tips; what they alone reached stays indexed."""
    rows = store.db.execute("SELECT oid FROM tip ORDER BY nodes DESC, seq DESC").fetchall()
    store.db.executemany("DELETE FROM tip WHERE oid = ?", rows[most:])
