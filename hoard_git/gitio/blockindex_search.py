"""Asks git whose the lines are that a commit brought into memory from files that are no memory; see blockindex_outside."""

from __future__ import annotations

import os
from array import array

from hoard_git.core.attribution import MOVED_BETWEEN, rows_of, settle, weight
from hoard_git.core.model import Oid
from hoard_git.gitio.blockindex_graph import nearest
from hoard_git.gitio.blockindex_log import read_commits
from hoard_git.gitio.blockindex_origins import read_origins
from hoard_git.gitio.blockindex_store import damaged
from hoard_git.gitio.blockindex_values import text
from hoard_git.gitio.process import decode_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hoard_git.gitio.blockindex_store import Store
    from hoard_git.gitio.plumbing import PlumbingReader

_LIST = (
    "diff-tree", "--stdin", "-r", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative",
    "--ignore-submodules=none", "-O" + os.devnull,
)  # fmt: skip
_BLAME = ("-c", "blame.ignoreRevsFile=", "blame", "--porcelain", "--root", "--no-textconv", "--no-progress", "-M", "-C", "-C", "-C")
_REGULAR = (b"100644", b"100755")
_MOST_SOURCES = 50
_MOST_RANGES = 200


class Listed:
    """What one commit changed, beside its memory: the files that it made, and the old blobs of the others that are no memory."""

    __slots__ = ("made", "sources")

    def __init__(self) -> None:
        """Nothing yet."""
        self.made: set[str] = set()
        self.sources: list[Oid] = []


class Search:
    """Looks at commits that nobody has looked at yet."""

    def __init__(self, reader: PlumbingReader, store: Store) -> None:
        """Nothing is read yet but the names of memory files."""
        self.reader = reader
        self.store = store
        self.memory = {text(path) for path in store.paths()}

    def look(self, places: Sequence[tuple[int, int]]) -> None:
        """Look at commits and the file in question of each, 0 for all; keep what was found, and that they were looked at."""
        oids = {seq: self._oid(seq) for seq, _place in places}
        listed = self._list(oids.values())
        self.store.db.executemany("INSERT OR IGNORE INTO outside VALUES(?,?,x'','')", places)
        for seq, place in places:
            beside = listed.get(oids[seq])
            if beside is None or not (beside.made or beside.sources):
                continue
            query = "SELECT v.id, v.path, p.name, v.oid FROM version v JOIN path p ON p.id = v.path WHERE v.seq = ? AND v.oid <> ''"
            for key, path, name, blob in self.store.db.execute(query, (seq,)).fetchall():
                if place in (0, path):
                    self._follow(seq, oids[seq], beside, (key, path, text(name), blob))

    def _oid(self, seq: int) -> str:
        row = self.store.db.execute("SELECT oid FROM node WHERE seq = ?", (seq,)).fetchone()
        if row is None:
            raise damaged()
        return str(row[0])

    def _list(self, oids: Iterable[str]) -> dict[str, Listed]:
        """What commits changed; merges and those without a parent are left out."""
        out = self.reader.git(_LIST, stdin="".join(f"{oid}\n" for oid in oids).encode(), at_root=True).finish()
        found: dict[str, Listed] = {}
        current = Listed()
        tokens = iter(out.split(b"\0"))
        for token in tokens:
            for line in token.split(b"\n"):
                if line[:1] != b":":
                    if line:
                        current = found[line.decode("ascii")] = Listed()
                    continue
                old_mode, _mode, old, _new, status = line[1:].split(b" ")
                path = decode_path(next(tokens, b""))
                if status == b"A" and path in self.memory:
                    current.made.add(path)
                elif old_mode in _REGULAR and path not in self.memory:
                    current.sources.append(Oid(old.decode("ascii")))
        return found

    def _follow(self, seq: int, oid: str, beside: Listed, version: tuple[int, int, str, str]) -> None:
        """Ask git about the lines of a version that its commit is the origin of."""
        key, path, name, blob = version
        rows = rows_of(self.reader.blobs([Oid(blob)])[Oid(blob)])
        found = read_origins(self.store, key)
        if found is None or len(found.origins) != len(rows):
            raise damaged()
        own = [number for number, origin in enumerate(settle(rows, found.origins, self.store.trace)) if origin == seq]
        if weight([rows[number] for number in own]) <= 1 or not (name in beside.made or self._is_there(beside, [rows[n] for n in own])):
            return
        said = self._blame(oid, name, own)
        if all(said.get(number, oid) == oid for number in own):
            return
        numbers = self._numbers({said[number] for number in own if number in said})
        kept = array("i", [numbers.get(said.get(number, oid), seq) for number in own])
        self.store.add_outside(seq, path, kept.tobytes(), "\n".join([rows[number] for number in own]))

    def _is_there(self, beside: Listed, rows: Sequence[str]) -> bool:
        """Whether the other files of the commit held enough of these lines before it."""
        if not beside.sources or weight(rows) <= MOVED_BETWEEN:
            return False
        blobs = self.reader.blobs(list(dict.fromkeys(beside.sources[:_MOST_SOURCES])))
        return any(weight([row for row in rows if row in held]) > MOVED_BETWEEN for held in (set(rows_of(data)) for data in blobs.values()))

    def _blame(self, oid: str, path: str, lines: Sequence[int]) -> dict[int, str]:
        """Whose git says these lines of a version are, by their 0-based numbers."""
        ranges: list[list[int]] = []
        for number in lines:
            if ranges and ranges[-1][1] == number:
                ranges[-1][1] += 1
            else:
                ranges.append([number, number + 1])
        options = [f"-L{start + 1},{stop}" for start, stop in ranges] if len(ranges) <= _MOST_RANGES else []
        out = self.reader.git((*_BLAME, *options, oid, "--", path), at_root=True).finish()
        found: dict[int, str] = {}
        for line in out.split(b"\n"):
            words = line.split(b" ")
            if len(words) >= 3 and len(words[0]) == len(oid) and words[2].isdigit() and not line.startswith(b"\t"):
                found[int(words[2]) - 1] = words[0].decode("ascii")
        return found

    def _numbers(self, oids: Iterable[str]) -> dict[str, int]:
        """The numbers of commits; those that the index does not have get one below 0."""
        found: dict[str, int] = {}
        fresh: list[str] = []
        for oid in sorted(oids):
            found[oid] = self.store.seq_of(oid) or -self.store.one("SELECT id FROM elsewhere WHERE oid = ?", oid)
            if not found[oid]:
                fresh.append(oid)
        for commit in read_commits(self.reader, fresh):
            near = nearest(self.reader, self.store, commit.oid)
            found[commit.oid] = -self.store.add_elsewhere(commit, near)
        return found
