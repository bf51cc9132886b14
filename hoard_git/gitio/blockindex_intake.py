"""Writes what a build has gathered (blockindex_rows) to the database, repeated texts as numbers."""

from __future__ import annotations

from hoard_git.gitio.blockindex_memory import text_key
from hoard_git.gitio.blockindex_values import encode, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.gitio.blockindex_rows import Batch, Ending, EventValues, NodeValues, SideValues
    from hoard_git.gitio.blockindex_store import Store

_KEPT_BODIES = 100_000
_NOWHERE = (0, 0, 0, 0)


class Intake:
    """One build's way into the database, inside the caller's transaction."""

    def __init__(self, store: Store) -> None:
        """Continue the numbers of what is there."""
        self._store = store
        self._bodies: dict[str, int] = {}
        self._new_bodies: list[tuple[int, str | bytes]] = []
        self._next_body = store.one("SELECT max(id) FROM body") + 1
        self._fresh = not store.one("SELECT count(*) FROM known")

    def write(self, batch: Batch) -> None:
        """Write what has gathered."""
        nodes, events, pieces, versions, texts = batch
        store, many = self._store, self._store.db.executemany
        many("INSERT OR IGNORE INTO node VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)", [self._node(values) for values in nodes])
        many("INSERT INTO ev VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", [self._event(values) for values in events])
        many("INSERT INTO piece VALUES(?,?,?)", pieces)
        many("INSERT INTO version VALUES(NULL,?,?,?,?)", [(store.path_id(path), *rest) for path, *rest in versions])
        many("INSERT INTO body VALUES(?,?)", self._new_bodies)
        self._new_bodies.clear()
        firsts = sorted(zip(map(text_key, texts[0]), unpack(texts[1]), strict=True))
        many("INSERT OR IGNORE INTO known VALUES(?,?)", firsts)
        if not self._fresh:
            many("INSERT OR IGNORE INTO namesake VALUES(?,?)", firsts)

    def finish(self, ending: Ending) -> None:
        """Write what was learned about facts, and give joined ones one number everywhere but in packed pieces."""
        _seq, plain, more, names, following, joined = ending
        db = self._store.db
        db.executemany("INSERT OR IGNORE INTO namesake VALUES(?,?)", sorted((text_key(text), fact) for text, fact in more))
        db.executemany("INSERT OR IGNORE INTO ident VALUES(?,?)", sorted(names))
        db.executemany("INSERT OR REPLACE INTO meta VALUES(?,?)", [("facts", str(following)), ("plain", str(int(plain)))])
        if not joined:
            return
        pairs = [(stays, goes) for goes, stays in joined]
        db.executemany("INSERT OR REPLACE INTO joined VALUES(?,?)", joined)
        for column in ("fact", "owner0", "owner1"):
            db.executemany(f"UPDATE ev SET {column} = ? WHERE {column} = ?", pairs)  # noqa: S608 - a column of ours
        db.executemany("UPDATE OR IGNORE ident SET fact = ? WHERE fact = ?", pairs)
        self._store.forget_joined()

    def _node(self, values: NodeValues) -> tuple[object, ...]:
        seq, oid, parents, who, date, committed, subject, op, sources, policy, after, age, facts = values
        store = self._store
        rule = store.policy_id(policy)
        rest = rule if after == policy else store.policy_id(after)
        return (
            seq,
            oid,
            parents,
            store.person_id(who),
            date,
            committed,
            encode(subject),
            encode(op),
            encode(sources),
            rule,
            rest,
            age,
            facts,
            "",
        )

    def _event(self, values: EventValues) -> tuple[object, ...]:
        seq, fact, kind, op, also, owner0, owner1, before, after, *lines = values
        path0, title0, body0, prov0 = self._side(before) if before is not None else _NOWHERE
        path1, title1, body1, prov1 = self._side(after) if after is not None else _NOWHERE
        return (
            None, seq, fact, kind, op, also, owner0, owner1, path0, path1, title0, title1, body0, body1, prov0, prov1, *lines,
        )  # fmt: skip

    def _side(self, side: SideValues) -> tuple[int, int, int, int]:
        path, title, body, claim = side
        bodies = self._bodies
        at, said = bodies.get(title) or self._body(title), bodies.get(body) or self._body(body)
        return self._store.path_id(path), at, said, self._store.claim_id(claim)

    def _body(self, text: str) -> int:
        known = self._bodies.get(text)
        if known is None:
            if len(self._bodies) >= _KEPT_BODIES:
                self._bodies.clear()
            known = self._bodies[text] = self._next_body
            self._next_body += 1
            self._new_bodies.append((known, encode(text)))
        return known
