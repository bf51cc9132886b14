"""Builds and continues the block index: streams git's log, weaves commit after commit (core.weaving) and writes what comes out."""

from __future__ import annotations

from hoard_git.core.chunks import Chunks
from hoard_git.core.fastlane import weave_quickly
from hoard_git.core.knownfacts import Event
from hoard_git.core.lineage import FileChange
from hoard_git.core.settling import settle_merge
from hoard_git.core.versions import Piece, Version, splice
from hoard_git.core.weaving import join_apart, weave
from hoard_git.gitio.apart import apart, without_collections
from hoard_git.gitio.blockindex_ahead import Cuts, Plan, read_ahead
from hoard_git.gitio.blockindex_graph import Growing, nearest
from hoard_git.gitio.blockindex_log import read_log
from hoard_git.gitio.blockindex_memory import Facts
from hoard_git.gitio.blockindex_rows import Rows
from hoard_git.gitio.blockindex_store import Store, damaged
from hoard_git.gitio.blockindex_stream import Blobs
from hoard_git.gitio.blockindex_tree import Tree, disputed
from hoard_git.gitio.blockindex_values import pack, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import Protocol

    from hoard_git.core.tags import Tag
    from hoard_git.gitio.blockindex_log import LoggedChange, LoggedCommit
    from hoard_git.gitio.blockindex_rows import Batch, Ending
    from hoard_git.gitio.plumbing import PlumbingReader

    class Rules(Protocol):
        """What is memory, under all policies of one commit."""

        @property
        def pathspecs(self) -> Sequence[str]:
            """Pathspecs of git that cover all memory files and policies."""

        @property
        def fingerprint(self) -> str:
            """Equal for two that answer everything alike."""

        @property
        def policies(self) -> str:
            """The policy files, as lines of path, tab and blob, sorted."""

        def classify(self, path: str) -> str:
            """The class of a path, '' for what the index leaves out."""

        def default(self, path: str, file_class: str) -> Tag | None:
            """What an untagged file counts as."""

        def is_policy(self, path: str) -> bool:
            """Whether a path is a policy file."""


_FLUSH_EVERY = 500
_make = tuple.__new__  # the constructor of a record takes four times as long


class Builder:
    """One build or continuation, inside the caller's transaction."""

    def __init__(self, reader: PlumbingReader, store: Store, rules: Rules, *, fresh: bool, parted: Collection[frozenset[int]] = ()) -> None:
        """Prepare; nothing is read from git yet. A `fresh` build never asks the store, which is empty: it may run in another process.

        `parted` are pairs of facts that an earlier fresh build of the same history has joined wrongly.
        """
        self.reader = reader
        self.store = store
        self.rows = Rows(1 if fresh else store.one("SELECT max(id) FROM piece") + 1)
        self.rules = rules
        self.fresh = fresh
        self.chunks = Chunks()
        self.graph = Growing(store, fresh=fresh)
        self.facts = Facts(store, self.graph.is_ancestor, fresh=fresh, parted=parted)
        self.blobs = Blobs(reader)
        self.cuts: Cuts | None = None
        self.trees: dict[int, Tree] = {}
        self.children: dict[str, int] = {}
        self.seqs: dict[str, int] = {}
        self._kinds: dict[str, tuple[str, Tag | None, bool]] = {}
        self.last = 0 if fresh else store.one("SELECT max(seq) FROM node")

    # ---------------------------------------------------------------- the run

    def run(self, tip: str, known: Sequence[str], send: Callable[[Batch, int, int], None], *, ahead: bool = False) -> Ending:
        """Index everything behind `tip` that is not behind the known commits. `send` gets what comes out, and how many commits of how many are done.

        With `ahead` another process reads the files. Raises HoardError, and JoinedWrongly when everything has to be done anew.
        """
        with without_collections():
            try:
                return self._run(tip, known, send, ahead=ahead)
            finally:
                self.blobs.close()

    def _run(self, tip: str, known: Sequence[str], send: Callable[[Batch, int, int], None], *, ahead: bool) -> Ending:
        commits = read_log(self.reader, tip, known, self.rules.pathspecs, self._is_known, twice=ahead)
        for commit in commits:
            for parent in commit.parents:
                self.children[parent] = self.children.get(parent, 0) + 1
        newest = commits[-1].oid if commits else ""
        if ahead:
            plan = Plan(commits, self._kind)
            with apart(lambda send_cuts: read_ahead(plan, self.blobs, self.chunks, self._kind, send_cuts)) as messages:
                self.cuts = Cuts(messages, self.chunks)
                self._go(commits, send)
        else:
            if self.fresh:
                self.blobs.announce([change.new for commit in commits for change in commit.changes if self._is_read(change)])
            self._go(commits, send)
        return self.seqs[newest] if newest else 0, self.graph.plain, *self.facts.learned()

    def _go(self, commits: list[LoggedCommit], send: Callable[[Batch, int, int], None]) -> None:
        """Weave them; the list is emptied, so that their memory serves what they become."""
        count = len(commits)
        commits.reverse()
        for number in range(1, count + 1):
            self._commit(commits.pop())
            if number % _FLUSH_EVERY == 0:
                send(self.rows.take(self.facts.new_texts()), number, count)
        send(self.rows.take(self.facts.new_texts()), count, count)

    def _kind(self, path: str) -> tuple[str, Tag | None, bool]:
        """The class of a file, '' for what is left out, what it counts as untagged, and whether it is a policy."""
        found = self._kinds.get(path)
        if found is None:
            is_policy = self.rules.is_policy(path)
            file_class = "" if is_policy else self.rules.classify(path)
            found = self._kinds[path] = file_class, self.rules.default(path, file_class) if file_class else None, is_policy
        return found

    def _is_known(self, path: str) -> bool:
        file_class, _default, is_policy = self._kind(path)
        return bool(file_class) or is_policy

    def _is_read(self, change: LoggedChange) -> bool:
        return bool(change.new and self._kind(change.path)[0])

    def _seq(self, oid: str) -> int:
        """The number of a parent, or of the nearest commit before it that the index has; 0 when there is none."""
        found = self.seqs.get(oid, 0)
        if not found and not self.fresh:  # a fresh build has seen every parent before
            found = self.store.seq_of(oid) or nearest(self.reader, self.store, oid)
        self.seqs[oid] = found
        return found

    def _commit(self, commit: LoggedCommit) -> None:
        if not self.fresh and (seq := self.store.seq_of(commit.oid)):
            self.seqs[commit.oid] = seq
            return
        seq = self.last = self.last + 1
        parents = tuple(dict.fromkeys([number for oid in commit.parents if (number := self._seq(oid))]))
        self.seqs[commit.oid] = seq
        self.graph.add(seq, parents)
        age = max([commit.committed, *[self.facts.age(number)[0] + 1 for number in parents]])
        first = self.facts.begin(age, commit.oid)
        trees = [self.trees.get(number) or self._tree(number) for number in parents]
        children = self.children
        for oid in commit.parents:
            if oid in children:
                children[oid] -= 1
        tree = self._result(commit, parents, trees)
        changes, policies = [], False
        for change in commit.changes:
            file_class, _default, is_policy = self._kinds.get(change.path) or self._kind(change.path)
            policies = policies or is_policy
            if file_class:
                changes.append(change)
        in_force = (trees[0].policies if trees else {}) or (self._brought(commit) if policies else {})
        before = _listed(in_force) if in_force else ""
        if policies or len(trees) > 1:
            self._policies(tree, commit, trees)
        self.rows.add_node(seq, commit, parents, (before, _listed(tree.policies) if tree.policies else ""), (age, first))
        if len(trees) > 1:
            self._merge(seq, commit, parents, trees, tree, changes)
        elif changes:
            self._plain(seq, parents, trees, tree, changes, self.cuts if len(commit.parents) < 2 else None)
        self.trees[seq] = tree

    def _brought(self, commit: LoggedCommit) -> dict[str, str]:
        return {change.path: change.new for change in commit.changes if self._kind(change.path)[2] and change.new}

    def _policies(self, tree: Tree, commit: LoggedCommit, trees: Sequence[Tree]) -> None:
        for change in commit.changes:
            if self._kind(change.path)[2]:
                tree.policies.pop(change.path, None)
                if change.new:
                    tree.policies[change.path] = change.new
        if len(trees) > 1 and any(other.policies != trees[0].policies for other in trees[1:]):
            names = sorted({name for other in trees for name in other.policies})
            now = self.reader.tree(commit.oid, names)  # type: ignore[arg-type]  # plain text, as git gave them
            tree.policies = {str(path): str(oid) for path, (_mode, oid) in now.items() if self.rules.is_policy(path)}

    def _result(self, commit: LoggedCommit, parents: Sequence[int], trees: Sequence[Tree]) -> Tree:
        """The tree to change: the first parent's own when nobody else needs it any more."""
        if not trees:
            return Tree(self._load, 0, {})
        for oid in commit.parents[1:]:
            number = self.seqs.get(oid, 0)
            if number in parents and self.children.get(oid, 0) <= 0 and number != parents[0]:
                self.trees.pop(number, None)
        if len(trees) == 1 and self.children.get(commit.parents[0], 0) <= 0:
            self.trees.pop(parents[0], None)
            return trees[0]
        found = trees[0].copy()
        if self.children.get(commit.parents[0], 0) <= 0:
            self.trees.pop(parents[0], None)
        return found

    def _tree(self, seq: int) -> Tree:
        tree = self.trees.get(seq)
        if tree is None:
            files = self.store.db.execute("SELECT files FROM policy WHERE id = (SELECT after FROM node WHERE seq = ?)", (seq,)).fetchone()
            lines = [line.split("\t") for line in str(files[0] if files else "").split("\n") if "\t" in line]
            self.trees[seq] = tree = Tree(self._load, seq, dict(lines))
        return tree

    # ---------------------------------------------------------------- comparing

    def _change(self, tree: Tree, path: str, new: bytes | None) -> FileChange:
        file_class, default, _is_policy = self._kind(path)
        old = tree.get(path)
        return FileChange(path, file_class, default, old, splice(old, new, self.chunks) if new is not None else None)

    def _plain(
        self, seq: int, parents: Sequence[int], trees: Sequence[Tree], tree: Tree, changes: Sequence[LoggedChange], cuts: Cuts | None
    ) -> None:
        parent = trees[0] if trees else Tree(self._load, 0, {})
        blobs: dict[str, tuple[str, bytes | None]] = {}
        listed: list[FileChange] = []
        for path, oid in changes:
            old = parent.get(path)
            cut = cuts.take(path, oid, old) if cuts is not None else None
            if oid:
                data = self.blobs.get(oid) if cut is None else None
                blobs[path] = oid, data
                if data is not None:
                    cut = splice(old, data, self.chunks)
            if old is not None or cut is not None:
                file_class, default, _is_policy = self._kind(path)
                listed.append(_make(FileChange, (path, file_class, default, old, cut, ())))
        before: tuple[int, Mapping[str, Version]] = (parents[0] if parents else 0, parent)  # type: ignore[assignment]  # a Tree does what weaving asks of a mapping
        quick = (
            weave_quickly(seq, before, listed[0], self.facts, self.graph.is_ancestor, blobs[listed[0].path])
            if len(listed) == 1 and blobs
            else None
        )
        if quick is not None:
            events, found = quick[0], {listed[0].path: quick[1]}
        else:
            events, found = weave(seq, [before], [listed], self.facts, self.graph.is_ancestor, blobs)
        for event in events:
            self.rows.add_event(seq, event)
        for change in listed:
            self._keep(seq, tree, change.path, found.get(change.path))

    def _keep(self, seq: int, tree: Tree, path: str, version: Version | None) -> None:
        """Write a version and put it into the tree."""
        tree.files[path] = version
        if version is None:
            self.rows.add_version(path, seq, "", b"")
            return
        at, keys = version.changed, version.keys
        if keys and at >= 0:
            piece = version.pieces[at]
            piece.key = self.rows.add_piece(piece.facts, piece.chunk.lines)
            keys = b"".join((keys[: 4 * at], piece.key.to_bytes(4, "little"), keys[4 * at + 4 :]))
        elif not keys:
            for piece in version.pieces:
                if not piece.key:
                    piece.key = self.rows.add_piece(piece.facts, piece.chunk.lines)
            keys = pack([piece.key for piece in version.pieces])
        version.keys, version.changed = keys, -1
        self.rows.add_version(path, seq, version.oid, keys)

    # ---------------------------------------------------------------- merges

    def _merge(
        self, seq: int, commit: LoggedCommit, parents: Sequence[int], trees: Sequence[Tree], tree: Tree, changes: Sequence[LoggedChange]
    ) -> None:
        listed = {change.path for change in changes}
        differing = [path for path in self._all_paths(trees) if path not in listed and len({_oid(t.get(path)) for t in trees}) > 1]
        same = [path for path in self._all_paths(trees) if path not in listed and path not in set(differing)]
        for path in same:
            self._unify([version for t in trees if (version := t.get(path)) is not None])
        chosen = self._choose(commit.oid, trees, differing)
        blobs = {change.path: (change.new, self.blobs.get(change.new)) for change in changes if change.new}
        woven = [*(change.path for change in changes), *disputed(trees, chosen)]
        blobs.update({path: (version.oid, version.data) for path in woven if (version := chosen.get(path)) is not None})
        views = [[self._change(t, path, blobs[path][1] if path in blobs else None) for path in woven] for t in trees]
        events: list[Event] = []
        found: dict[str, Version] = {}
        pairs = list(zip(parents, trees, strict=True))
        if woven:
            events, found = weave(seq, pairs, views, self.facts, self.graph.is_ancestor, blobs)  # type: ignore[arg-type]  # the same: a Tree
        for event in events:
            self.rows.add_event(seq, event)
        olds = [(number, {path: t.get(path) for path in (*listed, *differing)}) for number, t in pairs]
        for path, version in {**chosen, **{path: found.get(path) for path in woven}}.items():
            self._keep(seq, tree, path, version)  # also one that is the first parent's: the newest row of a path is what a commit has
        if olds[0][1]:
            self.facts.merged(fact for path in olds[0][1] if (version := tree.get(path)) is not None for fact in version.facts())
            known = {event.fact for event in events}
            result = {path: tree.get(path) for path in olds[0][1]}
            for event in settle_merge(olds, result, self.facts, self.graph.is_ancestor, known, lambda path: self._kind(path)[:2]):
                self.facts.note(event, seq)
                self.rows.add_event(seq, event)

    def _all_paths(self, trees: Sequence[Tree]) -> list[str]:
        """The paths that any of the trees has changed; with a stored base that differs, every path."""
        names = {path for tree in trees for path in tree.files}
        if len({tree.base for tree in trees}) > 1:
            names.update(self.store.paths())
        return sorted(names)

    def _unify(self, versions: Sequence[Version]) -> None:
        """Sides that have the same bytes hold the same facts, however they came by them."""
        first = versions[0] if versions else None
        for other in versions[1:]:
            if first is None or other is first or len(other.pieces) != len(first.pieces):
                continue
            differing = [(a, b) for a, b in zip(first.pieces, other.pieces, strict=True) if a is not b and a.facts != b.facts]
            held = [set(map(self.facts.now, version.facts())) for version in (first, other)] if differing else []
            for one, two in differing:
                for a, b in zip(one.facts, two.facts, strict=False):
                    join_apart(a, b, held, self.facts)

    def _choose(self, oid: str, trees: Sequence[Tree], paths: Sequence[str]) -> dict[str, Version | None]:
        """Which parent's version a merge took of the paths that git does not list, since they equal one of the parents."""
        if not paths:
            return {}
        entries = self.reader.tree(oid, paths)  # type: ignore[arg-type]  # plain text, as git gave them
        found: dict[str, Version | None] = {}
        for path in paths:
            entry = entries.get(path)  # type: ignore[call-overload]  # the same
            found[path] = None
            if entry is None:
                continue
            equal = [version for tree in trees if (version := tree.get(path)) is not None and version.oid == entry[1]]
            self._unify(equal)
            found[path] = equal[0] if equal else None
        return found

    # ---------------------------------------------------------------- loading

    def _load(self, path: str, base: int) -> Version | None:
        """The version of a path at a commit of the store."""
        for row in self.store.versions(path):
            if row.seq > base:
                continue
            if not self.graph.is_ancestor(row.seq, base):
                continue
            return self._version(row.oid, row.pieces) if row.oid else None
        return None

    def _version(self, oid: str, raw: bytes) -> Version:
        data = self.blobs.get(oid)
        numbers = unpack(raw)
        cut = self.chunks.cut(data)
        if len(cut) != len(numbers):
            raise damaged()
        pieces = []
        for chunk, number in zip(cut, numbers, strict=True):
            facts, lines = self.store.written_piece(number)
            if len(facts) != chunk.size or lines != chunk.lines:
                raise damaged()
            pieces.append(Piece(chunk, facts, key=number))
        return Version(oid, data, pieces)


def _listed(policies: Mapping[str, str]) -> str:
    return "\n".join(f"{path}\t{oid}" for path, oid in sorted(policies.items()))


def _oid(version: Version | None) -> str:
    return version.oid if version is not None else ""
