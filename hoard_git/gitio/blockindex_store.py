"""The tables of the block index, and reading and writing them. SQLite in WAL mode; a cache that may be deleted at any time."""

# ruff: noqa: PTH103, PTH118, PTH120, S608 -- paths come from git as text; the queries are built from table names and marks only

from __future__ import annotations

import os
import sqlite3
from hashlib import sha256

from hoard_git.core.provenance import Provenance
from hoard_git.core.record import Record
from hoard_git.errors import HoardError
from hoard_git.gitio.blockindex_values import encode, pack, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hoard_git.core.units import Unit
    from hoard_git.core.weaving import Event
    from hoard_git.gitio.blockindex_stream import LoggedCommit

SCHEMA = 7
"""Raised whenever tables, parser, alignment or attribution change: an index of another number is built anew."""

_TABLES = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, email TEXT);
CREATE TABLE policy(id INTEGER PRIMARY KEY, files TEXT);
CREATE TABLE node(seq INTEGER PRIMARY KEY, oid TEXT UNIQUE, parents BLOB, person INTEGER, date TEXT, committed INTEGER, subject TEXT,
  op TEXT, sources TEXT, policy INTEGER, after INTEGER, verdict TEXT);
CREATE TABLE path(id INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE prov(id INTEGER PRIMARY KEY, src TEXT, ts TEXT, ttl TEXT, name TEXT, ev TEXT, stale INTEGER, origin TEXT);
CREATE TABLE body(id INTEGER PRIMARY KEY, text TEXT);
CREATE TABLE ev(id INTEGER PRIMARY KEY, seq INTEGER, fact INTEGER, kind TEXT, op TEXT, also TEXT, owner0 INTEGER, owner1 INTEGER,
  path0 INTEGER, path1 INTEGER, title0 INTEGER, title1 INTEGER, body0 INTEGER, body1 INTEGER, prov0 INTEGER, prov1 INTEGER,
  line INTEGER, end INTEGER, line0 INTEGER, end0 INTEGER);
CREATE TABLE version(id INTEGER PRIMARY KEY, path INTEGER, seq INTEGER, oid TEXT, pieces BLOB);
CREATE TABLE piece(id INTEGER PRIMARY KEY, facts BLOB, lines INTEGER);
CREATE TABLE line(id INTEGER PRIMARY KEY, base INTEGER, head INTEGER, tail INTEGER, middle BLOB);
CREATE TABLE clean(mark TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE trace(id INTEGER PRIMARY KEY, seq INTEGER, run INTEGER, least INTEGER, origin INTEGER);
CREATE TABLE outside(seq INTEGER, path INTEGER, numbers BLOB, rows TEXT, PRIMARY KEY(seq, path)) WITHOUT ROWID;
CREATE TABLE elsewhere(id INTEGER PRIMARY KEY, oid TEXT UNIQUE, person INTEGER, date TEXT, committed INTEGER, subject TEXT, op TEXT,
  sources TEXT, policy INTEGER);
CREATE TABLE known(key INTEGER PRIMARY KEY, fact INTEGER);
CREATE TABLE ident(name TEXT, fact INTEGER, PRIMARY KEY(name, fact)) WITHOUT ROWID;
CREATE TABLE joined(fact INTEGER PRIMARY KEY, into_fact INTEGER);
CREATE TABLE tip(oid TEXT PRIMARY KEY, seq INTEGER, nodes INTEGER, reach BLOB) WITHOUT ROWID;
"""
_INDEXES = """
CREATE INDEX ev_fact ON ev(fact);
CREATE INDEX ev_owner0 ON ev(owner0) WHERE owner0 <> owner1;
CREATE INDEX ev_owner1 ON ev(owner1);
CREATE INDEX ev_path0 ON ev(path0) WHERE path0 <> path1;
CREATE INDEX ev_path1 ON ev(path1);
CREATE INDEX ev_seq ON ev(seq);
CREATE INDEX version_path ON version(path, seq);
"""
TRACES = 1 << 31
"""Origins from this number on are no commits but moves (core.attribution)."""

_NAMES = (
    "meta",
    "clean",
    "trace",
    "line",
    "outside",
    "elsewhere",
    "person",
    "policy",
    "node",
    "path",
    "prov",
    "body",
    "ev",
    "version",
    "piece",
    "known",
    "ident",
    "joined",
    "tip",
)
_WAIT_SECONDS = 5.0
_KEPT_BODIES = 100_000
_NOWHERE = (0, 0, 0, 0)


class NodeRow(Record):
    """One commit as the index keeps it. `sources` is '-' without Memory trailers; `policy` lists `path<tab>blob` lines."""

    seq: int
    oid: str
    name: str
    email: str
    date: str
    committed: int
    subject: str
    op: str
    sources: str
    policy: str
    verdict: str


class VersionRow(Record):
    """One version of a file: its number, its commit's, its blob ('' when the file went), the numbers of its pieces."""

    id: int
    seq: int
    oid: str
    pieces: bytes


def index_paths(common_dir: str, cache_home: str) -> list[str]:
    """Where the index may lie: in the git dir that all worktrees share, else in the user's cache."""
    name = sha256(os.fsencode(os.path.realpath(common_dir))).hexdigest()[:20]
    return [os.path.join(common_dir, "hoard", "index.sqlite"), os.path.join(cache_home, "hoard-git", name, "index.sqlite")]


def connect(path: str) -> sqlite3.Connection:
    """Open or make the database file. Raises sqlite3.Error or OSError."""
    if path != ":memory:":
        os.makedirs(os.path.dirname(path), exist_ok=True)
    connection = sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)
    try:
        connection.text_factory = _decode
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("PRAGMA cache_size=-32000")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogatepass")


class Store:
    """One open index, and the one place that knows its columns."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Nothing is read at once."""
        self.db = connection
        self._bodies: dict[str, int] = {}
        self._paths: dict[str, int] = {}
        self._provs: dict[tuple[object, ...], int] = {}
        self._people: dict[tuple[str, str], int] = {}
        self._policies: dict[str, int] = {}
        self._rows: list[tuple[object, ...]] = []
        self._pieces: list[tuple[object, ...]] = []
        self._bodies_new: list[tuple[object, ...]] = []
        self._versions: list[tuple[object, ...]] = []
        self._nodes: list[tuple[object, ...]] = []
        self._fresh = False
        self.next_piece = 0
        self.next_body = 0

    # ---------------------------------------------------------------- state

    def meta(self) -> dict[str, str]:
        """What the index says about itself; empty when it has no tables."""
        try:
            return dict(self.db.execute("SELECT key, value FROM meta"))
        except sqlite3.OperationalError:
            return {}

    def reset(self, meta: dict[str, str]) -> None:
        """Drop everything and make empty tables. Within the caller's transaction."""
        for name in _NAMES:
            self.db.execute(f"DROP TABLE IF EXISTS {name}")
        for statement in _TABLES.split(";")[:-1]:
            self.db.execute(statement)
        self.db.executemany("INSERT INTO meta VALUES(?,?)", meta.items())
        self._fresh = True
        for known in (self._bodies, self._paths, self._provs, self._people, self._policies):
            known.clear()

    def add_indexes(self) -> None:
        """Make the indexes that a new database lacks; cheaper at the end than kept up to date all the way."""
        have = {name for (name,) in self.db.execute("SELECT name FROM sqlite_master WHERE type = 'index'")}
        for statement in _INDEXES.split(";")[:-1]:
            if statement.split()[2] not in have:
                self.db.execute(statement)

    def begin_writing(self) -> None:
        """Continue the numbers of what is there."""
        self.next_piece = (self.one("SELECT max(id) FROM piece") or 0) + 1
        self.next_body = (self.one("SELECT max(id) FROM body") or 0) + 1

    def one(self, query: str, *values: object) -> int:
        """The first column of the first row as a number, 0 when there is none."""
        row = self.db.execute(query, values).fetchone()
        return int(row[0] or 0) if row else 0

    # ---------------------------------------------------------------- writing

    def add_node(self, seq: int, commit: LoggedCommit, parents: Sequence[int], policy: str, after: str) -> None:
        """Keep a commit; `policy` lists the policies in force for it, `after` those in its tree."""
        person, rule, rest = self._person(commit), self._policy(policy), self._policy(after)
        subject = encode(commit.subject)
        self._nodes.append(
            (
                seq,
                commit.oid,
                pack(parents),
                person,
                commit.date,
                commit.committed,
                subject,
                encode(commit.op),
                encode(commit.sources),
                rule,
                rest,
                "",
            )
        )

    def _person(self, commit: LoggedCommit) -> int:
        who = (commit.name, commit.email)
        return self._people.get(who) or self._intern(self._people, who, "person", "name = ? AND email = ?", tuple(map(encode, who)))

    def _policy(self, files: str) -> int:
        return self._policies.get(files) or self._intern(self._policies, files, "policy", "files = ?", (encode(files),))

    def _intern(self, known: dict, key: object, table: str, where: str, values: tuple[object, ...]) -> int:  # type: ignore[type-arg]
        # What a new database has is known; asking it for every new value would take the square of their number.
        row = self.db.execute(f"SELECT id FROM {table} WHERE {where}", values).fetchone() if not self._fresh else None
        if row is None:
            marks = ",".join("?" * len(values))
            row = (self.db.execute(f"INSERT INTO {table} VALUES(NULL,{marks})", values).lastrowid or 0,)
        known[key] = row[0]
        return int(row[0])

    def path_id(self, path: str) -> int:
        """The number of a path, made when it has none."""
        return self._paths.get(path) or self._intern(self._paths, path, "path", "name = ?", (encode(path),))

    def _prov_id(self, found: Provenance) -> int:
        known = self._provs.get(found.claim)
        if known is None:
            where = "src = ? AND ts = ? AND ttl = ? AND name = ? AND ev = ? AND stale = ? AND origin = ?"
            known = self._intern(self._provs, found.claim, "prov", where, (*found[:5], int(found.stale), found.origin))
        return known

    def _body_id(self, text: str) -> int:
        known = self._bodies.get(text)
        if known is None:
            if len(self._bodies) >= _KEPT_BODIES:
                self._bodies.clear()
            known = self._bodies[text] = self.next_body
            self.next_body += 1
            self._bodies_new.append((known, encode(text)))
        return known

    def add_event(self, seq: int, event: Event) -> None:
        """Keep an event."""
        before, after = event.before, event.after
        unit = after if after is not None else before
        if unit is None:
            raise ValueError("an event has at least one side")
        path0, title0, body0, prov0 = self._side(before) if before is not None else _NOWHERE
        path1, title1, body1, prov1 = self._side(after) if after is not None else _NOWHERE
        self._rows.append(
            (None, seq, event.fact, unit.kind, event.op, " ".join(event.also), event.owner_before, event.owner_after, path0, path1, title0, title1,
             body0, body1, prov0, prov1, event.line, event.end, event.old_line, event.old_end)
        )  # fmt: skip

    def _side(self, unit: Unit) -> tuple[int, int, int, int]:
        return self.path_id(unit.path), self._body_id(unit.title), self._body_id(unit.text), self._prov_id(unit.provenance)

    def add_outside(self, seq: int, path: int, numbers: bytes, rows: str) -> None:
        """Keep whose the lines are that a commit brought into a file from outside of memory."""
        self.db.execute("INSERT OR REPLACE INTO outside VALUES(?,?,?,?)", (seq, path, numbers, encode(rows)))

    def add_elsewhere(self, commit: LoggedCommit, near: int) -> int:
        """Keep a commit that touches no memory; `near` is the commit of the index that is nearest before it, 0 for none."""
        policy = self.one("SELECT after FROM node WHERE seq = ?", near) or self._policy("")
        values = (
            commit.oid,
            self._person(commit),
            commit.date,
            commit.committed,
            encode(commit.subject),
            encode(commit.op),
            encode(commit.sources),
        )
        return int(self.db.execute("INSERT INTO elsewhere VALUES(NULL,?,?,?,?,?,?,?,?)", (*values, policy)).lastrowid or 0)

    def add_piece(self, facts: Iterable[int], lines: int) -> int:
        """Keep the facts of one piece and the number of its lines, and return the piece's number."""
        number = self.next_piece
        self.next_piece += 1
        self._pieces.append((number, pack(facts), lines))
        return number

    def add_version(self, path: str, seq: int, oid: str, pieces: bytes) -> None:
        """Keep a version of a file, `pieces` packed; an empty `oid` says that the file went."""
        self._versions.append((self.path_id(path), seq, oid, pieces))

    def flush(self) -> None:
        """Send what has gathered to the database."""
        self.db.executemany("INSERT OR IGNORE INTO node VALUES(?,?,?,?,?,?,?,?,?,?,?,?)", self._nodes)
        self.db.executemany("INSERT INTO ev VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", self._rows)
        self.db.executemany("INSERT INTO piece VALUES(?,?,?)", self._pieces)
        self.db.executemany("INSERT INTO version VALUES(NULL,?,?,?,?)", self._versions)
        self.db.executemany("INSERT INTO body VALUES(?,?)", self._bodies_new)
        for rows in (self._nodes, self._rows, self._pieces, self._versions, self._bodies_new):
            rows.clear()

    # ---------------------------------------------------------------- reading

    def seq_of(self, oid: str) -> int:
        """The number of a commit, 0 when the index has it not."""
        return self.one("SELECT seq FROM node WHERE oid = ?", oid)

    def parents(self) -> list[tuple[int, ...]]:
        """The parents of every commit, by number; place 0 is unused."""
        found: list[tuple[int, ...]] = [()]
        for seq, raw in self.db.execute("SELECT seq, parents FROM node ORDER BY seq"):
            found += [()] * (seq - len(found))
            found.append(unpack(raw))
        return found

    def piece(self, number: int) -> tuple[tuple[int, ...], int]:
        """Facts of a piece and the number of its lines. Raises HoardError when the index is damaged."""
        row = self.db.execute("SELECT facts, lines FROM piece WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise damaged()
        facts = unpack(row[0])
        return tuple([self.now(fact) for fact in facts]), int(row[1])

    def trace(self, origin: int) -> tuple[int, int, int, int] | None:
        """The move that an origin stands for, None when it is a commit. Raises HoardError when the index is damaged."""
        if origin < TRACES:
            return None
        row = self.db.execute("SELECT seq, run, least, origin FROM trace WHERE id = ?", (origin,)).fetchone()
        if row is None:
            raise damaged()
        return int(row[0]), int(row[1]), int(row[2]), int(row[3])

    def now(self, fact: int) -> int:
        """The number that stands for a fact after two turned out to be one."""
        if self._joined is None:
            self._joined = dict(self.db.execute("SELECT fact, into_fact FROM joined"))
        while fact in self._joined:
            fact = self._joined[fact]
        return fact

    _joined: dict[int, int] | None = None

    def forget_joined(self) -> None:
        """Read the joined facts again at the next question."""
        self._joined = None

    def versions(self, path: str) -> Iterable[VersionRow]:
        """All versions of a path, newest first."""
        query = "SELECT id, seq, oid, pieces FROM version WHERE path = (SELECT id FROM path WHERE name = ?) ORDER BY seq DESC, id DESC"
        for row in self.db.execute(query, (encode(path),)):
            yield VersionRow(*row)

    def paths(self) -> list[str]:
        """Every path that ever was."""
        return [name for (name,) in self.db.execute("SELECT name FROM path")]


class Damaged(HoardError):  # noqa: N818 - it says what the index is
    """The index contradicts itself; it is made anew once before anybody hears of it."""


def damaged() -> Damaged:
    """Say that the index contradicts itself."""
    return Damaged("The block index is damaged.", "Delete it and run the command again: rm .git/hoard/index.sqlite*")
