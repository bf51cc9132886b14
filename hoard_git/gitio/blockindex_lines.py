"""Which commit each line of a memory file comes from (core.attribution), found when `blame` first asks and then continued.

The build of the index leaves it out, since it is half of the work and most questions are about blocks. One row a version: what the version
before it has at its top and end, and the origins of the lines between; every 32nd row is whole.
"""

from __future__ import annotations

from hoard_git.core.attribution import Move, Page, attribute, rows_of
from hoard_git.core.knownfacts import says
from hoard_git.gitio.apart import without_collections
from hoard_git.gitio.blockindex_graph import Graph
from hoard_git.gitio.blockindex_origins import read_origins
from hoard_git.gitio.blockindex_store import TRACES, damaged
from hoard_git.gitio.blockindex_stream import Blobs
from hoard_git.gitio.blockindex_values import pack, text
from hoard_git.gitio.blockindex_writing import writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hoard_git.gitio.blockindex_store import Store
    from hoard_git.gitio.plumbing import PlumbingReader

    Row = tuple[int, str, str]
    """A version: its number, path and blob ('' when the file went)."""

_MOST_LINKS = 32
_FLUSH_EVERY = 500
_MOVES = """
SELECT e.seq, p1.name, e.line, e.end, p0.name, e.line0, e.end0, v.name, b.text
FROM ev e JOIN path p0 ON p0.id = e.path0 JOIN path p1 ON p1.id = e.path1 JOIN prov v ON v.id = e.prov1 JOIN body b ON b.id = e.body1
WHERE e.seq > ? AND (e.op IN ('move', 'archive', 'restore') OR e.also LIKE '%move%' OR e.also LIKE '%archive%' OR e.also LIKE '%restore%')
ORDER BY e.id
"""
_LEAST = 8


class Leaf:
    """A page with the number of its version, and how many rows of the database it takes to put it together."""

    __slots__ = ("key", "links", "page")

    def __init__(self, key: int, page: Page, links: int) -> None:
        """Keep the values as they are."""
        self.key = key
        self.page = page
        self.links = links


class _Tree:
    """The leaves of one commit by path, read from the store when they are asked for."""

    __slots__ = ("base", "leaves")

    def __init__(self, base: int, leaves: dict[str, Leaf | None]) -> None:
        """`base` is the commit whose files the store is asked for, 0 for none."""
        self.base = base
        self.leaves = leaves


def attribute_lines(reader: PlumbingReader, store: Store, progress: Callable[[int, int], None]) -> None:
    """Bring the origins of lines up to the last commit of the index, in one transaction."""
    with writing(store, ("line", "trace", "meta")), without_collections():
        _Attributor(reader, store).run(progress)


class _Attributor:
    """One run over the commits that came since the last one."""

    def __init__(self, reader: PlumbingReader, store: Store) -> None:
        self.store = store
        self.blobs = Blobs(reader)
        self.done = store.one("SELECT value FROM meta WHERE key = 'lines'")
        self.last = store.one("SELECT max(seq) FROM node")
        self.plain = store.one("SELECT value FROM meta WHERE key = 'plain'") == 1
        self.graph = None if self.plain else Graph(store.parents())
        self.trees: dict[int, _Tree] = {}
        self.children: dict[int, int] = {}
        self.moves: dict[int, list[Move]] = {}
        self.next_trace = max(TRACES, store.one("SELECT max(id) FROM trace") + 1)
        self._lines: list[tuple[object, ...]] = []
        self._traces: dict[tuple[int, int, int, int], int] = {}

    def run(self, progress: Callable[[int, int], None]) -> None:
        """Do all of them."""
        commits = dict(self._commits())
        self._read_moves()
        if self.graph is not None:
            for seq in range(self.done + 1, self.last + 1):
                for parent in self.graph.parents(seq):
                    self.children[parent] = self.children.get(parent, 0) + 1
        self.blobs.announce([oid for rows in commits.values() for _key, _path, oid in rows if oid])
        try:
            listed = list(commits) if self.plain else range(self.done + 1, self.last + 1)
            tree = _Tree(self.done, {})
            for number, seq in enumerate(listed, 1):
                rows = commits.get(seq, [])
                if self.graph is None:
                    self._commit(seq, rows, [tree], tree)
                else:
                    self._branch(seq, rows, self.graph.parents(seq))
                if number % _FLUSH_EVERY == 0:
                    self._flush()
                    progress(number, len(listed))
        finally:
            self.blobs.close()
        self._flush()
        self.store.db.execute("INSERT OR REPLACE INTO meta VALUES('lines', ?)", (str(self.last),))

    def _commits(self) -> Iterator[tuple[int, list[Row]]]:
        """The versions that each commit made, oldest first."""
        query = "SELECT v.seq, v.id, p.name, v.oid FROM version v JOIN path p ON p.id = v.path WHERE v.seq > ? ORDER BY v.seq, v.id"
        current = 0
        rows: list[Row] = []
        for seq, key, path, oid in self.store.db.execute(query, (self.done,)):
            if seq != current and rows:
                yield current, rows
                rows = []
            current = seq
            rows.append((key, text(path), oid))
        if rows:
            yield current, rows

    def _read_moves(self) -> None:
        for seq, path, line, end, old_path, old_line, old_end, name, body in self.store.db.execute(_MOVES, (self.done,)):
            if name or says(text(body), _LEAST):
                move = Move(text(path), line - 1, end, text(old_path), old_line - 1, old_end, bool(name))
                self.moves.setdefault(seq, []).append(move)

    # ---------------------------------------------------------------- one commit

    def _branch(self, seq: int, rows: Sequence[Row], parents: Sequence[int]) -> None:
        """A commit of a history with branches: its tree is the first parent's own when nobody else needs that any more."""
        trees = [self.trees.get(number) or _Tree(number, {}) for number in parents]
        for number, tree in zip(parents, trees, strict=True):
            self.trees[number] = tree
            self.children[number] = self.children.get(number, 1) - 1
        if not trees:
            tree = _Tree(0, {})
        elif self.children[parents[0]] <= 0 and len(trees) == 1:
            tree = trees[0]
        else:
            tree = _Tree(trees[0].base, dict(trees[0].leaves))
        for number in parents:
            if self.children[number] <= 0:
                self.trees.pop(number, None)
        self._commit(seq, rows, trees or [tree], tree)
        self.trees[seq] = tree

    def _commit(self, seq: int, rows: Sequence[Row], trees: Sequence[_Tree], tree: _Tree) -> None:
        """Find the leaves that a commit changed. `tree` is made its own; it may be the only one of `trees`."""
        if not rows:
            return
        before: list[dict[str, Page]] = [{} for _tree in trees]
        found: dict[str, Leaf | None] = {}
        changed: list[tuple[int, str, str, Leaf | None]] = []
        data = {path: self.blobs.get(oid) for _key, path, oid in rows if oid}
        for key, path, oid in rows:
            olds = [self._leaf(one, path) for one in trees]
            equal = next((old for old in olds if old is not None and old.page.oid == oid), None)
            if equal is not None:
                leaf = found[path] = Leaf(key, equal.page, equal.links + 1)
                self._keep(leaf, equal, len(equal.page.origins), 0)
                continue
            if not oid and None in olds and len(olds) > 1:
                found[path] = None
                continue
            for pages, old in zip(before, olds, strict=True):
                if old is not None:
                    pages[path] = old.page
            changed.append((key, path, oid, next((old for old in olds if old is not None), None)))
        moves = self.moves.get(seq, ())
        for key, path, oid, base in changed:
            if not oid:
                found[path] = None
                continue
            here = [move for move in moves if move.path == path]
            page, head, tail = attribute(
                seq, path, (oid, data[path]), before, here, lambda run, least, origin: self._trace(seq, run, least, origin)
            )
            leaf = found[path] = Leaf(key, page, base.links + 1 if base is not None else 1)
            self._keep(leaf, base, head, tail)
        tree.leaves.update(found)

    def _leaf(self, tree: _Tree, path: str) -> Leaf | None:
        if path not in tree.leaves:
            tree.leaves[path] = self._load(path, tree.base) if tree.base else None
        return tree.leaves[path]

    def _load(self, path: str, base: int) -> Leaf | None:
        """The leaf of a path at a commit of an earlier run."""
        for row in self.store.versions(path):
            if row.seq > base or not (self.graph is None or self.graph.is_ancestor(row.seq, base)):
                continue
            if not row.oid:
                return None
            found = read_origins(self.store, row.id)
            data = self.blobs.get(row.oid)
            rows = rows_of(data)
            if found is None or len(found.origins) != len(rows):
                raise damaged()
            return Leaf(row.id, Page(row.oid, data, rows, found.origins), found.links)
        return None

    # ---------------------------------------------------------------- writing

    def _keep(self, leaf: Leaf, base: Leaf | None, head: int, tail: int) -> None:
        origins = leaf.page.origins
        if base is None or leaf.links > _MOST_LINKS:
            leaf.links = 1
            self._lines.append((leaf.key, 0, 0, 0, pack(origins)))
        else:
            self._lines.append((leaf.key, base.key, head, tail, pack(origins[head : len(origins) - tail])))

    def _trace(self, seq: int, run: int, least: int, origin: int) -> int:
        key = (seq, run, least, origin)
        found = self._traces.get(key)
        if found is None:
            found = self._traces[key] = self.next_trace
            self.next_trace += 1
        return found

    def _flush(self) -> None:
        self.store.db.executemany("INSERT INTO line VALUES(?,?,?,?,?)", self._lines)
        self.store.db.executemany("INSERT INTO trace VALUES(?,?,?,?,?)", [(number, *key) for key, number in self._traces.items()])
        self._lines.clear()
        self._traces.clear()
