"""The block index: which commit did what to which fact, asked in milliseconds. A cache: enforcement never reads it.

    index = open_index(reader, rules_for, tip, cache_home=…)      gitio.blockindex_open: builds, continues or rebuilds as needed
    index.facts_with_id("k3f9q2")        {"k3f9q2": (17,)}         exact ids, or every id with this beginning (`prefix=True`)
    index.facts_with_heading("Deploy")   (4, 9)                    heading facts that ever had this title
    index.facts_with_text("port 8080")   (17, 31)                  entry facts whose text ever held this
    index.events(facts)                  newest first              what happened to facts, and to what stands in blocks of theirs
    index.path_events(path), index.all_events()
    index.node(seq)                      NodeRow                   the commit of an event
    index.version(path)                  StoredVersion             facts and line origins of a file at the tip
    index.alive(fact)                    path or ''                where a fact stands at the tip

A fact is a number that follows one heading or entry through rewording, renames of its heading, moves between files, archive and return.
Numbers live as long as one index: never keep them. A block is a heading, or an entry with a provenance tag of its own; `owner` of an event
is the block that the unit belongs to. Everything answers for the tip that the index was opened for: commits that it does not reach are
left out. Lines are 1-based. Raises HoardError; `IndexTrouble` names what means "delete and open again", which `blockindex_open.ask` does.
"""

# ruff: noqa: S608 -- the queries are built from column names and marks only

from __future__ import annotations

import re
import sqlite3
from contextlib import suppress

from hoard_git.core.provenance import Provenance
from hoard_git.core.record import Record
from hoard_git.gitio.blockindex_store import Damaged, NodeRow, damaged
from hoard_git.gitio.blockindex_values import text, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from typing import Any

    from hoard_git.gitio.blockindex_store import Store
    from hoard_git.gitio.plumbing import PlumbingReader

IndexTrouble = (sqlite3.DatabaseError, Damaged)
"""Errors that mean the database is broken; a busy one is not among them, since `open_index` waits and then does without."""

_AT_ONCE = 400
_FEW = 12
_MARKS = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)|[*_`~]+")
_EVENT = """
SELECT ev.id, ev.seq, ev.fact, ev.kind, ev.op, ev.also, ev.owner0, ev.owner1, p0.name, p1.name, t0.text, t1.text, b0.text, b1.text,
  ev.prov0, ev.prov1, ev.line, ev.end, ev.line0, ev.end0, n.age, n.oid
FROM ev LEFT JOIN node n ON n.seq = ev.seq LEFT JOIN path p0 ON p0.id = ev.path0 LEFT JOIN path p1 ON p1.id = ev.path1 LEFT JOIN body t0 ON t0.id = ev.title0
LEFT JOIN body t1 ON t1.id = ev.title1 LEFT JOIN body b0 ON b0.id = ev.body0 LEFT JOIN body b1 ON b1.id = ev.body1
"""

_NODE = """
SELECT n.seq, n.oid, p.name, p.email, n.date, n.committed, n.subject, n.op, n.sources, y.files, n.verdict
FROM node n JOIN person p ON p.id = n.person JOIN policy y ON y.id = n.policy WHERE n.seq
"""
_ELSEWHERE = """
SELECT -n.id, n.oid, p.name, p.email, n.date, n.committed, n.subject, n.op, n.sources, y.files, ''
FROM elsewhere n JOIN person p ON p.id = n.person JOIN policy y ON y.id = n.policy WHERE n.id
"""


class Side(Record):
    """A unit on one side of an event. `title` is the enclosing heading's; `text` of a heading begins with its `#`s; lines are 1-based."""

    path: str
    title: str
    text: str
    provenance: Provenance
    line: int
    end: int


class EventRow(Record):
    """What a commit did to one unit. `kind` is `heading` or an entry's kind; `also` are the further kinds of change that apply.

    `before` is None for add and restore, `after` for remove. `owner_before` and `owner_after` are facts of blocks, 0 above all headings.
    `when` sorts events by their commits, parents before children and else by time, however the index came about.
    """

    seq: int
    fact: int
    kind: str
    op: str
    also: tuple[str, ...]
    owner_before: int
    owner_after: int
    before: Side | None
    after: Side | None
    when: tuple[int, str] = (0, "")

    @property
    def side(self) -> Side:
        """The side after the event where there is one, else the one before."""
        found = self.after if self.after is not None else self.before
        if found is None:
            raise damaged()
        return found


class StoredVersion(Record):
    """A file at the tip: its commit, its blob, and for each piece the facts of its units (headings first) and the 0-based numbers of its lines.

    `key` is the number of the version.
    """

    seq: int
    oid: str
    pieces: tuple[tuple[tuple[int, ...], range], ...]
    path: str = ""
    key: int = 0


class BlockIndex:
    """An open index that answers for one tip."""

    def __init__(self, store: Store, tip: str, where: str, reader: PlumbingReader, progress: Callable[[int, int], None]) -> None:
        """`where` is the database's path, ':memory:' for one that lives as long as the process. `reader` and `progress` are for `origins`."""
        self.store = store
        self.tip = tip
        self.where = where
        self._reader = reader
        self._progress = progress
        row = store.db.execute("SELECT seq, nodes, reach FROM tip WHERE oid = ?", (tip,)).fetchone()
        if row is None:
            raise damaged()
        self.seq, self._nodes, self._reach = row
        self._all = self._reach is None and self._nodes >= store.one("SELECT max(seq) FROM node")
        self._provs: dict[int, Provenance] = {}
        self._rows: dict[int, NodeRow] = {}

    def close(self) -> None:
        """Close the database."""
        self.store.db.close()

    # ---------------------------------------------------------------- commits

    def has(self, seq: int) -> bool:
        """Whether the tip reaches a commit of the index."""
        return self._all or (seq <= self._nodes and (self._reach is None or bool(self._reach[seq])))

    def node(self, seq: int) -> NodeRow:
        """The commit with a number."""
        if seq not in self._rows:
            self.read_nodes((seq,))
        found = self._rows.get(seq)
        if found is None:
            raise damaged()
        return found

    def read_nodes(self, seqs: Iterable[int]) -> None:
        """Read the commits with these numbers at once, for `node` to give; 0 is none."""
        wanted = [seq for seq in dict.fromkeys(seqs) if seq and seq not in self._rows]
        for query, numbers in ((_NODE, [seq for seq in wanted if seq > 0]), (_ELSEWHERE, [-seq for seq in wanted if seq < 0])):
            for first in range(0, len(numbers), _AT_ONCE):
                part = numbers[first : first + _AT_ONCE]
                for row in self.store.db.execute(f"{query} IN ({','.join('?' * len(part))})", part):
                    seq, oid, name, email, date, committed, subject, op, sources, policy, verdict = row
                    self._rows[seq] = NodeRow(
                        seq, oid, text(name), text(email), date, committed, text(subject), text(op), text(sources), text(policy), verdict
                    )

    def save_verdicts(self, verdicts: dict[int, str]) -> None:
        """Keep what was found out about commits' trailers; a database that cannot be written only costs time."""
        with suppress(sqlite3.Error):
            self.store.db.execute("PRAGMA busy_timeout = 50")
            self.store.db.executemany("UPDATE node SET verdict = ? WHERE seq = ?", [(verdict, seq) for seq, verdict in verdicts.items()])

    def is_clean(self, mark: str) -> bool:
        """Whether somebody has noted that a text with this name holds no credential; the name says by which rules."""
        return bool(self.store.one("SELECT count(*) FROM clean WHERE mark = ?", mark))

    def note_clean(self, mark: str) -> None:
        """Note it; a database that cannot be written only costs time."""
        with suppress(sqlite3.Error):
            self.store.db.execute("PRAGMA busy_timeout = 50")
            self.store.db.execute("INSERT OR IGNORE INTO clean VALUES(?)", (mark,))

    # ---------------------------------------------------------------- facts

    def facts_with_id(self, name: str, *, prefix: bool = False) -> dict[str, tuple[int, ...]]:
        """Facts by the ids that they ever had: this one, or all that begin with it (lower-case letters and digits)."""
        if not name.isascii() or not name.isalnum():
            return {}
        condition, value = ("name = ?", name) if not prefix else ("name >= ? AND name < ? || 'zz'", name)
        rows = self.store.db.execute(f"SELECT name, fact FROM ident WHERE {condition}", (value,) * (2 if prefix else 1))
        found: dict[str, tuple[int, ...]] = {}
        for key, fact in rows:
            if key.startswith(name) and self._is_seen(fact):
                found[key] = (*found.get(key, ()), fact)
        return found

    def facts_with_heading(self, title: str) -> tuple[int, ...]:
        """Heading facts that ever had this title, case folded, with or without its `#`s."""
        wanted = title.lstrip("#").strip().casefold()
        bodies = [
            i for i, raw in self._bodies(_words(wanted)) if text(raw).startswith("#") and text(raw).lstrip("#").strip().casefold() == wanted
        ]
        return self._facts("kind = 'heading'", bodies)

    def heading_titles(self, word: str) -> dict[str, tuple[int, ...]]:
        """Every title that headings ever had and that holds a word of ASCII letters, with the facts that had it."""
        plain = word if word.isascii() and word.isalnum() else ""
        rows = self.store.db.execute("SELECT id, text FROM body WHERE text LIKE ?", (f"#%{plain}%",))
        titles: dict[str, list[int]] = {}
        for number, raw in rows:
            titles.setdefault(text(raw).lstrip("#").strip(), []).append(number)
        return {title: facts for title, bodies in titles.items() if (facts := self._facts("kind = 'heading'", bodies))}

    def facts_with_text(self, part: str) -> tuple[int, ...]:
        """Entry facts whose text ever held this, case folded, runs of blanks as one; where none did, without the marks of code, emphasis and links."""
        wanted = " ".join(part.casefold().split())
        if not wanted:
            return ()
        bodies = [i for i, raw in self._bodies(_words(wanted)) if wanted in _folded(raw)]
        if not bodies:
            plain = _unmarked(wanted)
            bodies = [i for i, raw in self._bodies(_letters(wanted)) if plain in _unmarked(_folded(raw))] if plain else []
        return self._facts("kind <> 'heading'", bodies)

    def facts_by_key(self, key: Callable[[str], str], wanted: Collection[str]) -> tuple[int, ...]:
        """Entry facts of which a text ever had one of the wanted keys; each key holds the words of its texts, case apart."""
        words = [max(_letters(one), key=len, default="") for one in wanted]
        likes = [f"%{word}%" for word in words] if len(words) <= _FEW else ["%"]
        rows = self.store.db.execute(f"SELECT id, text FROM body WHERE {' OR '.join(['text LIKE ?'] * len(likes))}", likes)
        return self._facts("kind <> 'heading'", [number for number, raw in rows if key(text(raw)) in wanted])

    def _bodies(self, words: Sequence[str]) -> Iterator[tuple[int, str | bytes]]:
        """Texts that may hold some words: SQLite narrows by the longest."""
        like = f"%{max(words, key=len)}%" if words else "%"
        yield from self.store.db.execute("SELECT id, text FROM body WHERE text LIKE ?", (like,))

    def _facts(self, condition: str, bodies: Sequence[int]) -> tuple[int, ...]:
        if not bodies:
            return ()
        wanted = set(bodies)
        rows = self.store.db.execute(f"SELECT seq, fact, body0, body1 FROM ev WHERE {condition} ORDER BY id")
        if len(wanted) < _AT_ONCE:
            marks = ",".join("?" * len(wanted))
            values = (*wanted, *wanted)
            rows = self.store.db.execute(
                f"SELECT seq, fact, body0, body1 FROM ev WHERE {condition} AND (body0 IN ({marks}) OR body1 IN ({marks})) ORDER BY id",
                values,
            )
        found = dict.fromkeys(fact for seq, fact, one, other in rows if (one in wanted or other in wanted) and self.has(seq))
        return tuple(found)

    def _is_seen(self, fact: int) -> bool:
        return any(self.has(seq) for (seq,) in self.store.db.execute("SELECT seq FROM ev WHERE fact = ?", (fact,)))

    def alive(self, fact: int) -> str:
        """The path of the file that holds a fact at the tip, '' when none does."""
        paths = dict.fromkeys(
            text(name) for (name,) in self.store.db.execute(
                "SELECT DISTINCT name FROM ev JOIN path ON path.id = CASE WHEN path1 THEN path1 ELSE path0 END WHERE fact = ?", (fact,)
            )
        )  # fmt: skip
        for path in paths:
            version = self.version(path)
            if version is not None and any(fact in facts for facts, _origins in version.pieces):
                return path
        return ""

    # ---------------------------------------------------------------- events

    def events(self, facts: Collection[int], *, owned: bool = True) -> Iterator[EventRow]:
        """Events of these facts, and with `owned` of all units in blocks of theirs; newest first."""
        wanted = sorted(facts)
        seen: set[int] = set()
        found: list[tuple[object, ...]] = []
        columns = ("fact", "owner0", "owner1") if owned else ("fact",)
        for first in range(0, len(wanted), _AT_ONCE):
            part = wanted[first : first + _AT_ONCE]
            marks = ",".join("?" * len(part))
            for column in columns:
                extra = " AND owner0 <> owner1" if column == "owner0" else ""
                for row in self.store.db.execute(f"{_EVENT} WHERE ev.{column} IN ({marks}){extra}", part):
                    if row[0] not in seen and self.has(row[1]):
                        seen.add(row[0])
                        found.append(row)
        return map(self._event, sorted(found, key=_when, reverse=True))

    def path_events(self, path: str) -> Iterator[EventRow]:
        """Events of units that stood in a file, or in a folder's files, before or after; newest first."""
        like = path.rstrip("/") + "/"
        names = [name for name in self.store.paths() if text(name) == path or text(name).startswith(like)]
        found: dict[int, tuple[object, ...]] = {}
        for name in names:
            number = self.store.path_id(text(name))
            for column in ("path0", "path1"):
                extra = " AND path0 <> path1" if column == "path0" else ""
                for row in self.store.db.execute(f"{_EVENT} WHERE ev.{column} = ?{extra}", (number,)):
                    if self.has(row[1]):
                        found[row[0]] = row
        return map(self._event, sorted(found.values(), key=_when, reverse=True))

    def all_events(self) -> Iterator[EventRow]:
        """Every event; newest first."""
        if self.store.one("SELECT max(seq) FROM ev") > self.store.one("SELECT max(seq) FROM node"):
            raise damaged()
        if self.store.one("SELECT value FROM meta WHERE key = 'plain'") == 1:  # then the numbers are in that order already
            for row in self.store.db.execute(f"{_EVENT} ORDER BY ev.id DESC"):
                if self.has(row[1]):
                    yield self._event(row)
            return
        for (seq,) in self.store.db.execute("SELECT seq FROM node ORDER BY age DESC, oid DESC"):
            if self.has(seq):
                yield from map(self._event, self.store.db.execute(f"{_EVENT} WHERE ev.seq = ? ORDER BY ev.id DESC", (seq,)).fetchall())

    def _event(self, row: tuple[Any, ...]) -> EventRow:
        _id, seq, fact, kind, op, also, owner0, owner1, path0, path1, title0, title1, body0, body1, prov0, prov1, *lines, age, oid = row
        line, end, line0, end0 = lines
        if oid is None or (path0 is None and path1 is None):
            raise damaged()
        before = Side(text(path0), text(title0), text(body0), self._prov(prov0), line0, end0) if path0 is not None else None
        after = Side(text(path1), text(title1), text(body1), self._prov(prov1), line, end) if path1 is not None else None
        return EventRow(seq, fact, kind, op, tuple(also.split()), owner0, owner1, before, after, (age, oid))

    def _prov(self, number: int) -> Provenance:
        found = self._provs.get(number)
        if found is None:
            row = self.store.db.execute("SELECT src, ts, ttl, name, ev, stale, origin FROM prov WHERE id = ?", (number,)).fetchone()
            if row is None:
                raise damaged()
            src, ts, ttl, name, ev, stale, origin = row
            found = self._provs[number] = Provenance(src, ts, ttl, name, ev, bool(stale), origin)
        return found

    # ---------------------------------------------------------------- files

    def version(self, path: str) -> StoredVersion | None:
        """A file at the tip, None when it is not there."""
        for row in self.store.versions(path):
            if self.has(row.seq):
                if not row.oid:
                    return None
                pieces: list[tuple[tuple[int, ...], range]] = []
                line = 0
                for facts, lines in map(self.store.piece, unpack(row.pieces)):
                    pieces.append((facts, range(line, line + lines)))
                    line += lines
                return StoredVersion(row.seq, row.oid, tuple(pieces), path, row.id)
        return None

    def origins(self, version: StoredVersion, rows: Sequence[str]) -> list[int]:
        """The commit number of every line of a version, whose lines these are (`core.attribution.rows_of`).

        The first question after a build, and after new commits, goes through what is new; `progress` hears of it. A number below 0 is a
        commit that touches no memory: the line came from another file.
        """
        from hoard_git.core.attribution import settle
        from hoard_git.gitio.blockindex_origins import read_origins

        found = read_origins(self.store, version.key)
        if found is None:
            from hoard_git.gitio.blockindex_lines import attribute_lines

            attribute_lines(self._reader, self.store, self._progress)
            found = read_origins(self.store, version.key)
        if found is None or len(found.origins) != len(rows):
            raise damaged()
        from hoard_git.gitio.blockindex_outside import follow_outside

        return follow_outside(self._reader, self.store, version.path, rows, settle(rows, found.origins, self.store.trace))

    def knows_path(self, path: str) -> bool:
        """Whether a file, or a folder with files, of this path is or was memory."""
        like = path.rstrip("/") + "/"
        return any(text(name) == path or text(name).startswith(like) for name in self.store.paths())


def _when(row: tuple[Any, ...]) -> tuple[int, str, int]:
    """What sorts rows of `_EVENT`: by commit, and as the commit's events came."""
    age, oid = row[-2:]
    return age or 0, oid or "", row[0]


def _words(wanted: str) -> list[str]:
    """The words of a text that SQLite compares as we do."""
    return [word for word in wanted.split() if word.isascii() and not any(c in word for c in "%_")]


def _letters(wanted: str) -> list[str]:
    """Runs of ASCII letters and digits, which stand in the text with its marks as in the one without (but for emphasis within a word)."""
    return "".join(c if c.isascii() and c.isalnum() else " " for c in wanted).split()


def _folded(raw: str | bytes) -> str:
    return " ".join(text(raw).casefold().split())


def _unmarked(folded: str) -> str:
    """A text as it reads once it is rendered: people and agents ask for what they saw."""
    return " ".join(_MARKS.sub(r"\1", folded).split())
