"""The reader over libgit2, for batches: objects and trees come from libgit2, everything else from plumbing.

Only the object database is asked. libgit2's index, status, config, refs and work tree each differ from git's somewhere that matters
(GIT_INDEX_FILE, sparse and split index, skip-worktree, `git -c`, reftable); its object reading does not, and is 30 times faster than a process.
"""

from __future__ import annotations

import pygit2
from pygit2.enums import DiffFlag, DiffOption, ObjectType, RepositoryOpenFlag

from hoard_git.core.model import Oid, PathChange, RepoPath
from hoard_git.errors import HoardError
from hoard_git.gitio.process import decode_path, encode_path
from hoard_git.gitio.reader import INDEX, WORKTREE, CommitInfo, Ident, parse_commit

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Literal

    from hoard_git.gitio.plumbing import PlumbingReader

_CACHE_BYTES = 8 << 20
_TROUBLE = (pygit2.GitError, KeyError, ValueError, TypeError, OSError)  # what pygit2 raises for absent, broken and odd objects


class LibgitReader:
    """A `Reader` with libgit2's object access; what libgit2 does not have or cannot read is asked of `plumbing`."""

    def __init__(self, plumbing: PlumbingReader) -> None:
        self._plumbing = plumbing
        flags = RepositoryOpenFlag.NO_SEARCH | RepositoryOpenFlag.NO_DOTGIT
        if not plumbing.foreign:
            flags |= RepositoryOpenFlag.FROM_ENV  # a quarantine's object directories
        try:
            self._repository = pygit2.Repository(plumbing.git_dir(), flags)
        except _TROUBLE as error:
            raise HoardError("libgit2 cannot open this repository.", "git rev-parse --git-dir") from error
        self._cache: dict[Oid, bytes] = {}
        self._cache_bytes = 0

    def root(self) -> str:
        """See `Reader.root`."""
        return self._plumbing.root()

    def git_dir(self) -> str:
        """See `Reader.git_dir`."""
        return self._plumbing.git_dir()

    def common_dir(self) -> str:
        """See `Reader.common_dir`."""
        return self._plumbing.common_dir()

    def head(self) -> Oid | None:
        """See `Reader.head`."""
        return self._plumbing.head()

    def resolve(self, rev: str) -> Oid:
        """See `Reader.resolve`."""
        return self._plumbing.resolve(rev)

    def rev_list(
        self, include: list[str], exclude: list[str], *, first_parent: bool = False, merges: bool = True, not_refs: str = ""
    ) -> list[Oid]:
        """See `Reader.rev_list`; git's own walk uses the commit-graph, libgit2's does not."""
        return self._plumbing.rev_list(include, exclude, first_parent=first_parent, merges=merges, not_refs=not_refs)

    def merge_base(self, a: str, b: str) -> Oid | None:
        """See `Reader.merge_base`; of several best ones git and libgit2 may name different ones, so git is asked."""
        return self._plumbing.merge_base(a, b)

    def author(self) -> Ident:
        """See `Reader.author`."""
        return self._plumbing.author()

    def is_shallow(self) -> bool:
        """See `Reader.is_shallow`."""
        return self._plumbing.is_shallow()

    def object_format(self) -> str:
        """See `Reader.object_format`."""
        return self._plumbing.object_format()

    def config(self, name: str) -> str | None:
        """See `Reader.config`."""
        return self._plumbing.config(name)

    def configs(self, prefix: str) -> dict[str, str]:
        """See `Reader.configs`."""
        return self._plumbing.configs(prefix)

    def paths_with(self, target: Oid | Literal["INDEX"], needles: Sequence[bytes], paths: Sequence[RepoPath]) -> list[RepoPath]:
        """See `Reader.paths_with`."""
        return self._plumbing.paths_with(target, needles, paths)

    # -- what libgit2 is here for

    def commit(self, oid: Oid) -> CommitInfo:
        """See `Reader.commit`."""
        raw = self._raw(oid, ObjectType.COMMIT)
        return self._plumbing.commit(oid) if raw is None else parse_commit(oid, raw)

    def commits(self, oids: Iterable[Oid]) -> Iterator[CommitInfo]:
        """See `Reader.commits`."""
        return (self.commit(oid) for oid in oids)

    def blobs(self, oids: Iterable[Oid]) -> dict[Oid, bytes]:
        """See `Reader.blobs`."""
        found: dict[Oid, bytes] = {}
        absent: list[Oid] = []
        for oid in dict.fromkeys(oids):
            data = self._cache.get(oid)
            if data is None:
                data = self._raw(oid, ObjectType.BLOB)
                if data is None:  # promised in a partial clone, or really missing: git knows
                    absent.append(oid)
                    continue
                self._remember(oid, data)
            found[oid] = data
        found.update(self._plumbing.blobs(absent))
        return found

    def tree(self, target: Oid | Literal["INDEX"], paths: Sequence[RepoPath] = ()) -> dict[RepoPath, tuple[int, Oid]]:
        """See `Reader.tree`."""
        root = self._tree(target) if target != INDEX else None
        if root is None or not all(map(_is_plain, paths)):
            return self._plumbing.tree(target, paths)
        try:
            found = _named(root, paths) if paths else _walk(root, b"")
            return {RepoPath(decode_path(path)): entry for path, entry in found}
        except _TROUBLE:
            return self._plumbing.tree(target, paths)

    def changes(self, base: Oid | None, target: Oid | Literal["INDEX", "WORKTREE"]) -> list[PathChange]:
        """See `Reader.changes`."""
        if target in (INDEX, WORKTREE):
            return self._plumbing.changes(base, target)
        before, after = self._tree(base) if base else None, self._tree(Oid(target))
        if after is None or (base and before is None):
            return self._plumbing.changes(base, target)
        flags = DiffOption.INCLUDE_TYPECHANGE | DiffOption.SKIP_BINARY_CHECK
        try:
            # swap turns "what would empty this tree" round, since an absent tree can only be the second one.
            diff = after.diff_to_tree(flags=flags, swap=True) if before is None else before.diff_to_tree(after, flags=flags)
            found = [_change(delta) for delta in diff.deltas]
        except _TROUBLE:
            return self._plumbing.changes(base, target)
        found.sort(key=lambda change: encode_path(change.path))
        return found

    def _tree(self, oid: Oid) -> pygit2.Tree | None:
        """Give the tree of a commit or tree, None where plumbing has to look."""
        try:
            found = self._repository[oid]
            return found if isinstance(found, pygit2.Tree) else found.peel(pygit2.Tree)
        except _TROUBLE:
            return None

    def _raw(self, oid: Oid, kind: ObjectType) -> bytes | None:
        """Give an object's bytes, None when it is not there or of another type."""
        try:
            if len(oid) not in (40, 64):  # libgit2 completes abbreviations
                return None
            found, data = self._repository.read(oid)
        except _TROUBLE:
            return None
        return data if found == kind else None

    def _remember(self, oid: Oid, data: bytes) -> None:
        if len(data) > _CACHE_BYTES // 4:
            return
        self._cache[oid] = data
        self._cache_bytes += len(data)
        while self._cache_bytes > _CACHE_BYTES:
            self._cache_bytes -= len(self._cache.pop(next(iter(self._cache))))


def _walk(tree: pygit2.Tree, prefix: bytes) -> Iterator[tuple[bytes, tuple[int, Oid]]]:
    for entry in tree:
        path = prefix + (entry.raw_name or b"")
        if isinstance(entry, pygit2.Tree):
            yield from _walk(entry, path + b"/")
        else:
            yield path, (int(entry.filemode), Oid(str(entry.id)))


def _is_plain(path: str) -> bool:
    """Whether libgit2 finds a path as git does: it takes names as text of this process's encoding, and `.`, `..` and nothing for names."""
    return path.isascii() and not {"", ".", ".."} & set(path.split("/"))


def _named(root: pygit2.Tree, paths: Iterable[str]) -> Iterator[tuple[bytes, tuple[int, Oid]]]:
    """Entries of these exact names, and what is below them. Goes down step by step, for libgit2 says the same of a lost tree as of no entry."""
    for path in paths:
        at: pygit2.Object | None = root
        for name in path.split("/"):
            at = at[name] if isinstance(at, pygit2.Tree) and name in at else None
        if isinstance(at, pygit2.Tree):
            yield from _walk(at, path.encode() + b"/")
        elif at is not None:
            yield path.encode(), (int(at.filemode), Oid(str(at.id)))


def _change(delta: pygit2.DiffDelta) -> PathChange:
    old, new = delta.old_file, delta.new_file
    gone, came = not old.flags & DiffFlag.EXISTS, not new.flags & DiffFlag.EXISTS
    return PathChange(
        RepoPath(decode_path(new.raw_path or old.raw_path)),
        0 if gone else int(old.mode),
        Oid("" if gone else str(old.id)),
        0 if came else int(new.mode),
        Oid("" if came else str(new.id)),
    )
