"""The search index: the passages of memory files as they stand, found by their words; vectors where there are any.

    index = open_search(places)          cachefiles: the git dir, else the user's cache, else memory
    index.files()                        what is indexed, to be compared with what lies on disk
    with index.writing(): index.put_file(path, …), index.drop_file(path), index.put_past(…)
    index.best(query terms, scopes)      the passages with the best bm25, POOL of each scope
    index.counts(terms, scopes)          how many passages hold each term

Tables: `file` is one memory file; `place` one passage in it with its provenance; `block` one passage, whatever the number of its places, with its
two columns of tokens; `live`, `archive` and `past` the full-text indexes over those columns, each passage in one of them; `past` rows stand for
what history alone holds. `vec` has vectors by embedder and by the words alone. Like the block index this is a cache: nothing that judges reads it.
"""

# ruff: noqa: S608 -- the queries are built from table names and marks only

from __future__ import annotations

import sqlite3
from contextlib import contextmanager, suppress

from hoard_git.core.record import Record
from hoard_git.core.terms import HEAD
from hoard_git.gitio.blockindex_values import encode, text
from hoard_git.gitio.cachefiles import connect, open_somewhere
from hoard_git.gitio.searchquery import MANY, any_of, rarest_beside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from hoard_git.core.passages import Passage
    from hoard_git.core.provenance import Provenance
    from hoard_git.core.terms import Term

SCHEMA = 2
"""Raised whenever tables, parser or tokens change: an index of another number is built anew."""

LIVE, ARCHIVE, PAST = "live", "archive", "past"
SCOPES = (LIVE, ARCHIVE, PAST)

POOL = 100
"""Passages that each way of looking hands on, whatever the number of hits asked for."""

SearchTrouble = (sqlite3.DatabaseError,)
"""Errors that mean that the database is broken."""

_TABLES = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE file(id INTEGER PRIMARY KEY, path TEXT UNIQUE, class TEXT, oid TEXT, mark TEXT);
CREATE TABLE block(id INTEGER PRIMARY KEY, key BLOB UNIQUE, unit BLOB, meaning BLOB, text TEXT, words TEXT, pairs TEXT, scope TEXT);
CREATE TABLE place(file INTEGER, block INTEGER, line INTEGER, last INTEGER, kind TEXT, slug TEXT, src TEXT, ts TEXT, ttl TEXT, name TEXT, stale INTEGER);
CREATE TABLE gone(block INTEGER PRIMARY KEY, path TEXT, line INTEGER, last INTEGER, kind TEXT, slug TEXT, src TEXT, ts TEXT, ttl TEXT, name TEXT, stale INTEGER,
  oid TEXT, state TEXT);
CREATE TABLE vec(model TEXT, meaning BLOB, data BLOB, PRIMARY KEY(model, meaning)) WITHOUT ROWID;
CREATE INDEX place_file ON place(file);
CREATE INDEX place_block ON place(block);
CREATE INDEX place_src ON place(src, block);
CREATE INDEX place_name ON place(name) WHERE name <> '';
CREATE INDEX block_unit ON block(unit);
CREATE INDEX block_scope ON block(scope, meaning);
"""
_FULLTEXT = """
CREATE VIRTUAL TABLE {0} USING fts5(words, pairs, content='block', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE {0}_terms USING fts5vocab({0}, 'row');
"""
_NAMES = ("live_terms", "archive_terms", "past_terms", "live", "archive", "past", "meta", "file", "block", "place", "gone", "vec")
_LAST = "\U0010ffff"
_AT_ONCE = 400
_FOUND = "b.id, b.key, b.scope, b.text, b.words, b.pairs"


class FileRow(Record):
    """One indexed file: its blob and a mark of what `stat` said, '' when that cannot be relied on."""

    id: int
    file_class: str
    oid: str
    mark: str


class Place(Record):
    """Where a passage stands: `commit` and `state` ('removed' or 'superseded') only for what history alone holds. Lines are 1-based."""

    path: str
    file_class: str
    line: int
    end_line: int
    kind: str
    slug: str
    src: str
    ts: str
    ttl: str
    id: str
    stale: bool
    commit: str = ""
    state: str = ""


class Found(Record):
    """A passage that may answer: its number, key, scope, text and columns, and bm25 (the smaller, the better; 0 when only its meaning was like)."""

    block: int
    key: bytes
    scope: str
    text: str
    words: str
    pairs: str
    rank: float = 0.0


class SearchIndex:
    """One open index."""

    def __init__(self, connection: sqlite3.Connection, where: str) -> None:
        """Make the tables where they are missing or of another version."""
        self.db = connection
        self.where = where
        self._moved: dict[str, int] = {}
        if self._is_other():
            self._reset()

    def close(self) -> None:
        """Close the database."""
        self.db.close()

    # ---------------------------------------------------------------- state

    def _meta(self) -> dict[str, str]:
        try:
            return dict(self.db.execute("SELECT key, value FROM meta"))
        except sqlite3.OperationalError as error:
            if "no such table" not in str(error):
                raise
            return {}

    def _is_other(self) -> bool:
        """Whether this is no index of our version."""
        if self._meta().get("schema") != str(SCHEMA):
            return True
        have = {name for (name,) in self.db.execute("SELECT name FROM sqlite_master")}
        return not have.issuperset(_NAMES)

    def _reset(self) -> None:
        with self.writing():
            if not self._is_other():
                return  # another process was faster
            for name in _NAMES:
                self.db.execute(f"DROP TABLE IF EXISTS {name}")
            for statement in (_TABLES + "".join(_FULLTEXT.format(scope) for scope in SCOPES)).split(";")[:-1]:
                self.db.execute(statement)
            self.db.execute("INSERT INTO meta VALUES('schema', ?)", (str(SCHEMA),))

    def get(self, key: str) -> str:
        """A value that the index keeps about itself, '' for none."""
        row = self.db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return text(row[0]) if row else ""

    def set(self, key: str, value: str) -> None:
        """Keep such a value."""
        self.db.execute("INSERT OR REPLACE INTO meta VALUES(?,?)", (key, encode(value)))

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction: a killed process leaves what was there before."""
        self.db.execute("BEGIN IMMEDIATE")
        self._moved.clear()
        try:
            yield
            for scope, count in self._moved.items():  # counting a hundred thousand rows takes longer than a search
                self.set(f"passages {scope}", str(self.total([scope]) + count))
            self.db.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self.db.execute("ROLLBACK")
            raise

    # ---------------------------------------------------------------- files

    def files(self) -> dict[str, FileRow]:
        """Every indexed file by path."""
        return {
            text(row[1]): FileRow(row[0], row[2], row[3], row[4]) for row in self.db.execute("SELECT id, path, class, oid, mark FROM file")
        }

    def forget_files(self) -> None:
        """Have every file read anew, for what counts as memory has changed; passages and vectors stay until then."""
        self.db.execute("UPDATE file SET oid = '', mark = ''")

    def mark_file(self, number: int, mark: str) -> None:
        """Note what `stat` says of a file whose content is the same."""
        self.db.execute("UPDATE file SET mark = ? WHERE id = ?", (mark, number))

    def put_file(self, path: str, file_class: str, oid: str, mark: str, passages: Iterable[Passage]) -> None:
        """Index a file as it stands now: passages that it had before are kept, and only those that came or went are written."""
        row = self.db.execute("SELECT id FROM file WHERE path = ?", (encode(path),)).fetchone()
        if row is None:
            number = self.db.execute("INSERT INTO file VALUES(NULL,?,?,?,?)", (encode(path), file_class, oid, mark)).lastrowid or 0
            before = set()
        else:
            number = int(row[0])
            before = {block for (block,) in self.db.execute("SELECT block FROM place WHERE file = ?", row)}
            self.db.execute("DELETE FROM place WHERE file = ?", row)
            self.db.execute("UPDATE file SET class = ?, oid = ?, mark = ? WHERE id = ?", (file_class, oid, mark, number))
        now = set()
        rows = []
        for passage in passages:
            block = self._block(passage)
            now.add(block)
            rows.append((number, block, passage.line, passage.end_line, *_claim(passage)))
        self.db.executemany("INSERT INTO place VALUES(?,?,?,?,?,?,?,?,?,?,?)", rows)
        for block in before ^ now if row is not None else now:
            self._settle(block)

    def drop_file(self, number: int) -> None:
        """Forget a file that is no longer there."""
        before = {block for (block,) in self.db.execute("SELECT block FROM place WHERE file = ?", (number,))}
        self.db.execute("DELETE FROM place WHERE file = ?", (number,))
        self.db.execute("DELETE FROM file WHERE id = ?", (number,))
        for block in before:
            self._settle(block)

    def _block(self, passage: Passage) -> int:
        row = self.db.execute("SELECT id FROM block WHERE key = ?", (passage.key,)).fetchone()
        if row is not None:
            return int(row[0])
        values = (passage.key, passage.unit, passage.meaning, passage.text, passage.words, passage.pairs)
        return int(self.db.execute("INSERT INTO block VALUES(NULL,?,?,?,?,?,?,'')", values).lastrowid or 0)

    def _settle(self, block: int) -> None:
        """Put a passage into the full-text index where it belongs, or take it out of all and forget it."""
        row = self.db.execute("SELECT scope, words, pairs FROM block WHERE id = ?", (block,)).fetchone()
        classes = {
            name
            for (name,) in self.db.execute("SELECT DISTINCT class FROM file WHERE id IN (SELECT file FROM place WHERE block = ?)", (block,))
        }
        scope = LIVE if classes - {ARCHIVE} else ARCHIVE if classes else ""
        if row is None or row[0] == scope:
            return
        self._move(block, row, scope)
        if not scope:
            self.db.execute("DELETE FROM block WHERE id = ?", (block,))

    def _move(self, block: int, row: Sequence[str], scope: str) -> None:
        old, words, pairs = row
        if old:
            self.db.execute(f"INSERT INTO {old}({old}, rowid, words, pairs) VALUES('delete', ?, ?, ?)", (block, words, pairs))
            self._moved[old] = self._moved.get(old, 0) - 1
        if scope:
            self.db.execute(f"INSERT INTO {scope}(rowid, words, pairs) VALUES(?, ?, ?)", (block, words, pairs))
            self._moved[scope] = self._moved.get(scope, 0) + 1
        self.db.execute("UPDATE block SET scope = ? WHERE id = ?", (scope, block))

    # ---------------------------------------------------------------- history

    def put_past(self, rows: Iterable[tuple[Passage, str, str, str]]) -> None:
        """Replace what history holds: passages with path, commit and state. Those that stand somewhere now are left out when they are asked for."""
        before = {block for (block,) in self.db.execute("SELECT block FROM gone")}
        self.db.execute("DELETE FROM gone")
        now = set()
        for passage, path, oid, state in rows:
            block = self._block(passage)
            now.add(block)
            values = (block, encode(path), passage.line, passage.end_line, *_claim(passage), oid, state)
            self.db.execute("INSERT OR IGNORE INTO gone VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)", values)
        for block in before - now:
            row = self.db.execute("SELECT scope, words, pairs FROM block WHERE id = ?", (block,)).fetchone()
            self._move(block, row, "")
            self.db.execute("DELETE FROM block WHERE id = ?", (block,))

    def settle_past(self) -> None:
        """Have in the index of the past what stands nowhere now, and nothing else."""
        standing = "SELECT unit FROM block WHERE scope IN ('live', 'archive')"
        query = "SELECT id, scope, words, pairs FROM block WHERE id IN (SELECT block FROM gone) AND scope {} AND unit {} ({})"
        for condition, within, scope in (("<> 'past'", "NOT IN", PAST), ("= 'past'", "IN", "")):
            for block, *row in self.db.execute(query.format(condition, within, standing)).fetchall():
                self._move(block, row, scope)

    # ---------------------------------------------------------------- questions

    def total(self, scopes: Iterable[str]) -> int:
        """How many passages there are."""
        return sum(int(self.get(f"passages {scope}") or 0) for scope in scopes)

    def counts(self, terms: Iterable[Term], scopes: Iterable[str]) -> dict[Term, int]:
        """How many passages hold each term."""
        found = {}
        for term in terms:
            condition, values = (
                ("term = ?", (term.text,)) if term.kind != HEAD else ("term >= ? AND term < ?", (term.text, term.text + _LAST))
            )
            found[term] = sum(
                int(self.db.execute(f"SELECT sum(doc) FROM {scope}_terms WHERE {condition}", values).fetchone()[0] or 0) for scope in scopes
            )
        return found

    def best(self, counts: Mapping[Term, int], scopes: Iterable[str], src: str | None = None) -> list[Found]:
        """Passages that hold any of the terms, POOL of each scope with the best bm25; equal ones by their key. `src` limits them to a source.

        `counts` are how many passages hold each term. Where that is very many, one of the rarer terms has to be there: ranking all that hold a
        common word took 40 ms of 100,000 passages where this takes 8, and such a word weighs little. Where even the rarest is in very many, another
        one has to be beside it, unless that leaves too few.
        """
        if src is None and len(counts) > 1 and min(counts.values()) > MANY:
            found = self._rank(rarest_beside(counts), scopes, None)
            if len(found) >= POOL:
                return found
        return self._rank(any_of(counts, whole=src is not None), scopes, src)

    def _rank(self, asked: str, scopes: Iterable[str], src: str | None) -> list[Found]:
        """The passages that a full-text query finds, POOL of each scope."""
        found: list[Found] = []
        for scope in scopes if asked else ():
            extra, values = "", [asked]
            if src is not None:
                table = "gone" if scope == PAST else "place"
                if self.db.execute(f"SELECT 1 FROM {table} WHERE src = ? LIMIT 1", (src,)).fetchone() is None:
                    continue
                # `+`, or FTS5 is asked anew for each passage of the source: 5 s for 2,000 of 100,000, where this takes 10 ms
                extra, values = f" AND +rowid IN (SELECT block FROM {table} WHERE src = ?)", [asked, src]
            # bm25() and not the column `rank`: sorted by that, FTS5 counts the passages of every word twice
            query = (
                f"SELECT {_FOUND}, r.rank FROM (SELECT rowid AS id, bm25({scope}) AS rank FROM {scope} WHERE {scope} MATCH ?{extra} "
                f"ORDER BY 2 LIMIT {2 * POOL}) r JOIN block b ON b.id = r.id"
            )
            best = sorted([Found(*row) for row in self.db.execute(query, values)], key=lambda one: (one.rank, one.key))
            found += best[:POOL]
        return found

    def named(self, name: str) -> list[int]:
        """The passages that carry an id of their own of this name."""
        return [block for (block,) in self.db.execute("SELECT DISTINCT block FROM place WHERE name = ? AND name <> ''", (name,))]

    def read(self, blocks: Collection[int]) -> list[Found]:
        """The same for passages by number."""
        found = []
        wanted = sorted(blocks)
        for first in range(0, len(wanted), _AT_ONCE):
            part = wanted[first : first + _AT_ONCE]
            query = f"SELECT {_FOUND} FROM block b WHERE b.id IN ({','.join('?' * len(part))})"
            found += [Found(*row) for row in self.db.execute(query, part)]
        return found

    def places(self, blocks: Collection[int], *, past: bool) -> dict[int, list[Place]]:
        """Where passages stand, or with `past` where history last held them; each by path and line."""
        if past:
            query = "SELECT block, path, '', line, last, kind, slug, src, ts, ttl, name, stale, oid, state FROM gone WHERE block IN ({})"
        else:
            query = (
                "SELECT p.block, f.path, f.class, p.line, p.last, p.kind, p.slug, p.src, p.ts, p.ttl, p.name, p.stale, '', '' "
                "FROM place p JOIN file f ON f.id = p.file WHERE p.block IN ({})"
            )
        found: dict[int, list[Place]] = {}
        wanted = sorted(blocks)
        for first in range(0, len(wanted), _AT_ONCE):
            part = wanted[first : first + _AT_ONCE]
            for block, path, file_class, line, last, kind, slug, src, ts, ttl, name, stale, oid, state in self.db.execute(
                query.format(",".join("?" * len(part))), part
            ):
                place = Place(text(path), file_class, line, last, kind, text(slug), src, ts, ttl, name, bool(stale), oid, state)
                found.setdefault(block, []).append(place)
        for listed in found.values():
            listed.sort(key=lambda place: (place.path, place.line))
        return found


def _claim(passage: Passage) -> tuple[object, ...]:
    claim: Provenance = passage.provenance
    return passage.kind, encode(passage.slug), claim.src, claim.ts, claim.ttl, claim.id, int(claim.stale)


def open_search(places: Sequence[str], prepare: Callable[[SearchIndex], None]) -> SearchIndex:
    """Open the index at the first place that works and bring it up to date by `prepare`; without a place it lives in memory."""
    return open_somewhere(places, lambda where: _open(where, prepare), SearchTrouble)


def _open(where: str, prepare: Callable[[SearchIndex], None]) -> SearchIndex:
    connection = connect(where)
    try:
        index = SearchIndex(connection, where)
        prepare(index)
    except BaseException:
        connection.close()
        raise
    return index
