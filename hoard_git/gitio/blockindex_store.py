"""The tables of the block index, and reading and writing them. SQLite in WAL mode; a cache that may be deleted at any time."""

# ruff: noqa: S608 -- the queries are built from table names and marks only

from __future__ import annotations

import sqlite3
from itertools import groupby
from operator import itemgetter

from hoard_git.core.record import Record
from hoard_git.errors import HoardError
from hoard_git.gitio.blockindex_values import encode, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hoard_git.gitio.blockindex_log import LoggedCommit
    from hoard_git.gitio.blockindex_rows import Claim

SCHEMA = 13
"""Raised whenever tables, parser, alignment or attribution change: an index of another number is built anew."""

_TABLES = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, email TEXT);
CREATE TABLE policy(id INTEGER PRIMARY KEY, files TEXT);
CREATE TABLE node(seq INTEGER PRIMARY KEY, oid TEXT, parents BLOB, person INTEGER, date TEXT, committed INTEGER, subject TEXT,
  op TEXT, sources TEXT, policy INTEGER, after INTEGER, age INTEGER, facts INTEGER, verdict TEXT);
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
CREATE TABLE namesake(key INTEGER, fact INTEGER, PRIMARY KEY(key, fact)) WITHOUT ROWID;
CREATE TABLE ident(name TEXT, fact INTEGER, PRIMARY KEY(name, fact)) WITHOUT ROWID;
CREATE TABLE joined(fact INTEGER PRIMARY KEY, into_fact INTEGER);
CREATE TABLE tip(oid TEXT PRIMARY KEY, seq INTEGER, nodes INTEGER, reach BLOB) WITHOUT ROWID;
"""
_INDEXES = """
CREATE UNIQUE INDEX node_oid ON node(oid);
CREATE INDEX ev_fact ON ev(fact);
CREATE INDEX ev_owner0 ON ev(owner0) WHERE owner0 <> owner1;
CREATE INDEX ev_owner1 ON ev(owner1);
CREATE INDEX ev_path0 ON ev(path0) WHERE path0 <> path1;
CREATE INDEX ev_path1 ON ev(path1);
CREATE INDEX ev_seq ON ev(seq);
CREATE INDEX version_path ON version(path, seq);
"""
_INDEX_OF_BRANCHES = "CREATE INDEX node_age ON node(age, oid);"
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
    "namesake",
    "ident",
    "joined",
    "tip",
)


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


class Store:
    """One open index, and the one place that knows its columns."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Nothing is read at once."""
        self.db = connection
        self._paths: dict[str, int] = {}
        self._provs: dict[Claim, int] = {}
        self._people: dict[tuple[str, str], int] = {}
        self._policies: dict[str, int] = {}
        self._fresh = False

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
        for known in (self._paths, self._provs, self._people, self._policies):
            known.clear()

    def add_indexes(self) -> None:
        """Make the indexes that a database lacks; cheaper at the end than kept up to date all the way."""
        have = {name for (name,) in self.db.execute("SELECT name FROM sqlite_master WHERE type = 'index'")}
        plain = self.one("SELECT value FROM meta WHERE key = 'plain'") == 1
        for statement in (_INDEXES + (_INDEX_OF_BRANCHES if not plain else "")).split(";")[:-1]:
            if statement.partition(" INDEX ")[2].split()[0] not in have:
                self.db.execute(statement)

    def one(self, query: str, *values: object) -> int:
        """The first column of the first row as a number, 0 when there is none."""
        row = self.db.execute(query, values).fetchone()
        return int(row[0] or 0) if row else 0

    # ---------------------------------------------------------------- writing

    def person_id(self, who: tuple[str, str]) -> int:
        """The number of somebody with a name and address, made when there is none; so it is with the others."""
        return self._people.get(who) or self._intern(self._people, who, "person", "name = ? AND email = ?", tuple(map(encode, who)))

    def policy_id(self, files: str) -> int:
        """The number of a listing of policies."""
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

    def claim_id(self, claim: Claim) -> int:
        """The number of what a unit claims (`Provenance.claim`)."""
        known = self._provs.get(claim)
        if known is None:
            where = "src = ? AND ts = ? AND ttl = ? AND name = ? AND ev = ? AND stale = ? AND origin = ?"
            known = self._intern(self._provs, claim, "prov", where, (*claim[:5], int(claim[5]), claim[6]))
        return known

    def add_outside(self, seq: int, path: int, numbers: bytes, rows: str) -> None:
        """Keep whose the lines are that a commit brought into a file from outside of memory."""
        self.db.execute("INSERT OR REPLACE INTO outside VALUES(?,?,?,?)", (seq, path, numbers, encode(rows)))

    def add_elsewhere(self, commit: LoggedCommit, near: int) -> int:
        """Keep a commit that touches no memory; `near` is the commit of the index that is nearest before it, 0 for none."""
        policy = self.one("SELECT after FROM node WHERE seq = ?", near) or self.policy_id("")
        values = (
            commit.oid,
            self.person_id((commit.name, commit.email)),
            commit.date,
            commit.committed,
            encode(commit.subject),
            encode(commit.op),
            encode(commit.sources),
        )
        return int(self.db.execute("INSERT INTO elsewhere VALUES(NULL,?,?,?,?,?,?,?,?)", (*values, policy)).lastrowid or 0)

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
        facts, lines = self.written_piece(number)
        return tuple(map(self.now, facts)), lines

    def written_piece(self, number: int) -> tuple[tuple[int, ...], int]:
        """The same with the facts as they were called when the piece was written."""
        row = self.db.execute("SELECT facts, lines FROM piece WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise damaged()
        return unpack(row[0]), int(row[1])

    def trace(self, origin: int) -> tuple[int, int, int, int] | None:
        """The move that an origin stands for, None when it is a commit. Raises HoardError when the index is damaged."""
        if origin < TRACES:
            return None
        row = self.db.execute("SELECT seq, run, least, origin FROM trace WHERE id = ?", (origin,)).fetchone()
        if row is None or row[3] >= origin:  # a move leads to what was there before, or `settle` would never end
            raise damaged()
        return int(row[0]), int(row[1]), int(row[2]), int(row[3])

    def now(self, fact: int) -> int:
        """The number that stands for a fact after two turned out to be one."""
        if self._joined is None:
            self._joined = self.joined()
        while fact in self._joined:
            fact = self._joined[fact]
        return fact

    _joined: dict[int, int] | None = None

    def forget_joined(self) -> None:
        """Read the joined facts again at the next question."""
        self._joined = None

    def joined(self) -> dict[int, int]:
        """The facts that turned out to be another one, with that one."""
        return dict(self.db.execute("SELECT fact, into_fact FROM joined ORDER BY fact"))

    def known(self, key: int) -> tuple[int, ...]:
        """The facts that had a text, by its number (`blockindex_memory.text_key`), as they were called then."""
        query = "SELECT fact FROM known WHERE key = ?1 UNION SELECT fact FROM namesake WHERE key = ?1 ORDER BY 1"
        return tuple([fact for (fact,) in self.db.execute(query, (key,))])

    def merged(self, since: int) -> Iterator[set[int]]:
        """The facts of the files that each merge from a commit on has listed, as they were called then. Raises HoardError for a damaged index."""
        query = (
            "SELECT v.seq, v.pieces FROM node n JOIN version v ON v.seq = n.seq WHERE n.seq >= ? AND length(n.parents) > 4 ORDER BY v.seq"
        )
        for _seq, versions in groupby(self.db.execute(query, (since,)).fetchall(), key=itemgetter(0)):
            yield {fact for _, raw in versions for number in unpack(raw) for fact in self.written_piece(number)[0]}

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
    return Damaged(
        "The block index is damaged.",
        'Delete it and run the command again: rm "$(git rev-parse --path-format=absolute --git-common-dir)"/hoard/index.sqlite*',
    )
