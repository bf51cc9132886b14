"""The reader over git's plumbing commands: right in every repository that git itself can open, and cheap to start.

The hook imports this module on every commit, so it takes nothing but the standard library's cheapest modules.
"""

# ruff: noqa: PTH100, PTH110, PTH118 -- importing pathlib costs 8 ms where a bare interpreter starts in 6

from __future__ import annotations

import os

from hoard_git.core.model import Oid, PathChange, RepoPath
from hoard_git.core.record import Record
from hoard_git.errors import HoardError
from hoard_git.gitio import layout
from hoard_git.gitio.process import GitError, clean_env, decode_path, encode_path, failure, own_env, start
from hoard_git.gitio.rawformat import checked_oid, is_oid, parse_raw, portions, ref_glob
from hoard_git.gitio.reader import INDEX, WORKTREE, CommitInfo, Ident, parse_commit, parse_ident

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Literal

    from hoard_git.gitio.process import Running

# Raw output with full object names: config may not reorder, shorten, colour, rename or hide anything. The submodule option also overrules
# `ignore = all` in .gitmodules, which otherwise hides a changed gitlink even from diff-tree.
RAW = (
    *("--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative"),
    *("--ignore-submodules=none", "--ita-invisible-in-index", "-O" + os.devnull),
)
_BATCH_LIMIT = 1 << 30
_CACHE_BYTES = 16 << 20
_COMMITS_AT_ONCE = 2000


class Staged(Record):
    """What the commit being made would change: `base` (None on an unborn branch) against the index."""

    base: Oid | None
    changes: list[PathChange]


class PlumbingReader:
    """A `Reader` that runs git. `foreign` means a repository other than the one a hook runs in: the hook's GIT_* variables are not passed on."""

    def __init__(self, path: str = ".", *, foreign: bool = False) -> None:
        self._path = path
        self.foreign = foreign
        self._known: dict[str, str] = {}
        self._configs: dict[str, str] | None = None
        self._cache: dict[Oid, bytes] = {}
        self._cache_bytes = 0

    def environment(self) -> dict[str, str]:
        """Give the environment that git runs with here, for the writers of this room."""
        return clean_env() if self.foreign else own_env()

    def git(
        self,
        args: Sequence[str | bytes],
        *,
        stdin: bytes = b"",
        extra: Mapping[str, str] | None = None,
        at_root: bool = False,
        fixed: bool = True,
    ) -> Running:
        """Start git in this repository; `extra` is added to the environment, `at_root` makes paths relative to the top level."""
        env: dict[str, str] | None = None
        if extra or self.foreign:
            env = {**self.environment(), **(extra or {})}
        return start(args, stdin=stdin, env=env, cwd=self.root() if at_root else self._path, fixed=fixed)

    # -- where things are

    def root(self) -> str:
        """See `Reader.root`."""
        return self._once("root", self._find_root)

    def git_dir(self) -> str:
        """See `Reader.git_dir`."""
        return self._once("git_dir", self._find_git_dir)

    def common_dir(self) -> str:
        """See `Reader.common_dir`."""
        return self._once("common_dir", lambda: layout.find_common_dir(self.git_dir(), self.environment()))

    def git_path(self, name: str) -> str:
        """Give the absolute place of `index`, `hooks` and the like, as environment, core.hooksPath and linked worktrees decide it."""
        return os.path.abspath(os.path.join(self._path, self._line("rev-parse", "--git-path", name)))

    def object_format(self) -> str:
        """See `Reader.object_format`."""
        return self._once("object_format", lambda: self._line("rev-parse", "--show-object-format"))

    def is_shallow(self) -> bool:
        """See `Reader.is_shallow`."""
        if self.environment().get("GIT_SHALLOW_FILE"):
            return self._line("rev-parse", "--is-shallow-repository") == "true"
        return os.path.exists(os.path.join(self.common_dir(), "shallow"))

    def _once(self, name: str, find: Callable[[], str]) -> str:
        if name not in self._known:
            self._known[name] = find()
        return self._known[name]

    def _find_git_dir(self) -> str:
        quick = layout.find_git_dir(self._path, self.environment())
        return quick or self._line("rev-parse", "--absolute-git-dir")

    def _find_root(self) -> str:
        quick = layout.find_root(self._path, self.environment())
        if quick:
            return quick
        try:
            return self._line("rev-parse", "--show-toplevel")
        except GitError as error:
            if "work tree" not in error.output:
                raise
        return self.git_dir()

    def _line(self, *args: str) -> str:
        return os.fsdecode(self.git(args).finish().rstrip(b"\n"))

    # -- revisions

    def head(self) -> Oid | None:
        """See `Reader.head`."""
        asked = self.git(("rev-parse", "--verify", "--quiet", "HEAD^{commit}"))
        return self._head_from(asked)

    def _head_from(self, asked: Running) -> Oid | None:
        said = asked.finish((0, 1)).strip().decode()
        if said:
            return checked_oid(said)
        hint = "Run `git fsck`, then point HEAD at a good commit: git update-ref HEAD COMMIT"
        branch = self.git(("symbolic-ref", "--quiet", "HEAD")).finish((0, 1)).strip()
        stored = self.git(("rev-parse", "--verify", "--quiet", "HEAD")).finish((0, 1)).strip()
        listing = self.git(("for-each-ref", "--format=%(refname)", branch or b"HEAD"))
        listed = listing.finish()
        if not branch or stored or listed.strip() or listing.stderr.strip():
            raise HoardError("HEAD is broken: it names no commit that git can read.", hint)
        return None

    def resolve(self, rev: str) -> Oid:
        """See `Reader.resolve`."""
        shown = repr(rev)[1:-1][:80]
        unknown = HoardError(f"Unknown revision '{shown}'.", "List what there is: git log --oneline --all | head")
        if not rev or rev[0] in "-^" or ".." in rev.partition(":")[0] or any(c in rev for c in "\n\0\r"):
            raise unknown
        said = self.git(("rev-parse", "--verify", "--quiet", rev + "^{commit}")).finish((0, 1, 128)).strip().decode("ascii", "replace")
        if is_oid(said):
            return Oid(said)
        if self.is_shallow():
            raise HoardError(f"Unknown revision '{shown}' in a shallow clone.", "git fetch --unshallow")
        if rev.startswith("HEAD") and self.head() is None:
            raise HoardError("There is no commit yet.", "hoard init")
        raise unknown

    def rev_list(
        self, include: list[str], exclude: list[str], *, first_parent: bool = False, merges: bool = True, not_refs: str = ""
    ) -> list[Oid]:
        """See `Reader.rev_list`."""
        wanted = [self._as_oid(rev) for rev in include]
        hidden = ["^" + self._as_oid(rev) for rev in exclude]
        if not wanted:
            return []
        args = ["rev-list", "--topo-order", "--reverse", "--stdin"]
        if first_parent:
            args.append("--first-parent")
        if not merges:
            args.append("--no-merges")
        if not_refs:
            args += ["--not", "--all" if not_refs == "refs/" else f"--glob={ref_glob(not_refs)}", "--not"]
        try:
            out = self.git(args, stdin="".join(f"{rev}\n" for rev in wanted + hidden).encode()).finish()
        except GitError as error:
            raise self.explain_missing(error) from None
        return [Oid(line) for line in out.decode("ascii").split("\n") if line]

    def merge_base(self, a: str, b: str) -> Oid | None:
        """See `Reader.merge_base`."""
        try:
            out = self.git(("merge-base", self._as_oid(a), self._as_oid(b))).finish((0, 1)).strip().decode()
        except GitError as error:
            raise self.explain_missing(error) from None
        if not out and self.is_shallow():
            raise HoardError("No common ancestor is in this shallow clone.", "git fetch --unshallow")
        return checked_oid(out) if out else None

    def _as_oid(self, rev: str) -> str:
        """Let full object names through without asking: a missing one is git's own error later."""
        return rev if is_oid(rev) else self.resolve(rev)

    # -- commits and blobs

    def commit(self, oid: Oid) -> CommitInfo:
        """See `Reader.commit`."""
        return next(iter(self.commits([oid])))

    def commits(self, oids: Iterable[Oid]) -> Iterator[CommitInfo]:
        """See `Reader.commits`."""
        todo = list(oids)
        for first in range(0, len(todo), _COMMITS_AT_ONCE):
            part = todo[first : first + _COMMITS_AT_ONCE]
            raw = self._objects(part, "commit")
            for oid in part:
                yield parse_commit(oid, raw[oid])

    def blobs(self, oids: Iterable[Oid]) -> dict[Oid, bytes]:
        """See `Reader.blobs`."""
        todo = dict.fromkeys(oids)
        fresh = self._objects([oid for oid in todo if oid not in self._cache], "blob")
        found = {oid: fresh[oid] if oid in fresh else self._cache[oid] for oid in todo}
        for oid, data in fresh.items():
            self.remember(oid, data)
        return found

    def remembers(self, oid: Oid) -> bool:
        """Whether a blob is at hand."""
        return oid in self._cache

    def remember(self, oid: Oid, data: bytes) -> None:
        """Keep a blob, within bounds, so that it is not read again."""
        if len(data) > _CACHE_BYTES // 4:
            return
        self._cache[oid] = data
        self._cache_bytes += len(data)
        while self._cache_bytes > _CACHE_BYTES:
            self._cache_bytes -= len(self._cache.pop(next(iter(self._cache))))

    def _objects(self, oids: Sequence[Oid], kind: str) -> dict[Oid, bytes]:
        """Read objects of one type with a single `cat-file --batch`."""
        if not oids:
            return {}
        for oid in oids:
            checked_oid(oid)
        try:
            out = self.git(("cat-file", "--batch", "--buffer"), stdin="\n".join((*oids, "")).encode()).finish(limit=_BATCH_LIMIT)
        except GitError as error:
            raise self.explain_missing(error) from None
        found: dict[Oid, bytes] = {}
        at = 0
        for oid in oids:
            end = out.find(b"\n", at)
            header = out[at:end].split(b" ")
            if end < 0 or len(header) != 3:
                raise self.explain_missing(GitError(f"Object {oid} is missing.", "git fsck"))
            if header[0] != oid.encode() or header[1] != kind.encode():
                raise HoardError(f"Object {oid[:12]} is a {header[1].decode('ascii', 'replace')}, not a {kind}.", f"git cat-file -t {oid}")
            size = int(header[2])
            found[oid] = out[end + 1 : end + 1 + size]
            at = end + 1 + size + 1
        return found

    def explain_missing(self, error: GitError) -> HoardError:
        """Say why an object may be absent here, and how to get it."""
        if self.is_shallow():
            return HoardError(f"{error.message} This clone is shallow, so history is incomplete.", "git fetch --unshallow")
        if any(name.endswith((".promisor", ".partialclonefilter")) for name in self.configs("remote.")):
            hint = "Go online and fetch the missing objects: git fetch --refetch --no-filter"
            return HoardError(f"{error.message} This is a partial clone, and the object was not fetched.", hint)
        return error

    # -- trees and differences

    def changes(self, base: Oid | None, target: Oid | Literal["INDEX", "WORKTREE"]) -> list[PathChange]:
        """See `Reader.changes`."""
        before = checked_oid(base) if base else self._empty_tree()
        if target == INDEX:
            args = ["diff-index", "--cached", *RAW, before, "--"]
        elif target == WORKTREE:
            # The porcelain form, since it refreshes stat data in memory: diff-index reports every touched file as changed.
            args = ["-c", "diff.autoRefreshIndex=true", "diff", *RAW, before, "--"]
        else:
            args = ["diff-tree", "-r", *RAW, before, checked_oid(target), "--"]
        try:
            return parse_raw(self.git(args).finish())
        except GitError as error:
            raise self.explain_missing(error) from None

    def staged(self, base: Oid | Literal["HEAD"] | None = "HEAD") -> Staged:
        """Compare `base` with the index that the commit in progress will record: two processes at once when `base` is HEAD.

        `git diff --cached` knows the empty tree of any object format by itself on an unborn branch.
        """
        if base != "HEAD":
            return Staged(base, self.changes(base, INDEX))
        asked = self.git(("rev-parse", "--verify", "--quiet", "HEAD^{commit}"))
        try:
            listing = self.git(("diff", "--cached", *RAW, "--"))
        except BaseException:
            asked.abandon()
            raise
        try:
            head = self._head_from(asked)
        except BaseException:
            listing.abandon()
            raise
        try:
            return Staged(head, parse_raw(listing.finish()))
        except GitError as error:
            raise self.explain_missing(error) from None

    def tree(self, target: Oid | Literal["INDEX"], paths: Sequence[RepoPath] = ()) -> dict[RepoPath, tuple[int, Oid]]:
        """See `Reader.tree`."""
        if target == INDEX:
            # ls-files cannot tell intent-to-add entries from empty files.
            entries = {c.path: (c.new_mode, c.new_oid) for c in self.changes(None, INDEX)}
            exact, below = set(paths), tuple(path + "/" for path in paths)
            return {p: e for p, e in entries.items() if not paths or p in exact or p.startswith(below)}
        found: dict[RepoPath, tuple[int, Oid]] = {}
        for part in portions(paths) if paths else [()]:
            try:
                args = ("ls-tree", "-r", "-z", "--full-tree", checked_oid(target), "--", *part)
                out = self.git(args, extra={"GIT_LITERAL_PATHSPECS": "1"}).finish()
            except GitError as error:
                raise self.explain_missing(error) from None
            for line in out.split(b"\0")[:-1]:
                meta, _, path = line.partition(b"\t")
                mode, _kind, oid = meta.decode("ascii").split(" ")
                found[RepoPath(decode_path(path))] = int(mode, 8), Oid(oid)
        return found

    def _empty_tree(self) -> str:
        """Ask git for the empty tree's name: it differs between sha1 and sha256 repositories. Writes no object."""
        return self._once("empty_tree", lambda: self._line("hash-object", "-t", "tree", "--stdin"))

    def paths_with(self, target: Oid | Literal["INDEX"], needles: Sequence[bytes], paths: Sequence[RepoPath]) -> list[RepoPath]:
        """See `Reader.paths_with`."""
        found: set[bytes] = set()
        if needles and paths:
            for part in portions(paths):
                found |= self._grepped(self._start_grep(target, needles, part, {"GIT_LITERAL_PATHSPECS": "1"}), target)
        return [path for path in paths if encode_path(path) in found]

    def start_search(self, target: Oid | Literal["INDEX"], needles: Sequence[bytes], pathspecs: Sequence[str]) -> Running:
        """Start to look for regular files under these pathspecs that hold any needle, as `paths_with` does; `searched` collects them."""
        return self._start_grep(target, needles, [encode_path(spec) for spec in pathspecs], {})

    def searched(self, asked: Running, target: Oid | Literal["INDEX"]) -> list[RepoPath]:
        """Collect a search that was started before: paths sorted by their bytes."""
        return [RepoPath(decode_path(path)) for path in sorted(self._grepped(asked, target))]

    def _start_grep(
        self, target: Oid | Literal["INDEX"], needles: Sequence[bytes], pathspecs: Sequence[bytes], extra: Mapping[str, str]
    ) -> Running:
        if any(not n or b"\n" in n or b"\0" in n for n in needles):
            raise HoardError("A text to look for may not be empty and may not hold a line end.", "Look for one line at a time.")
        where = b"--cached" if target == INDEX else checked_oid(target).encode()
        options = ["grep", "-z", "-l", "-F", "-a", "--full-name", "--no-color", "--no-textconv", "--no-recurse-submodules", "--threads=1"]
        words: list[str | bytes] = [*options, *(word for needle in needles for word in (b"-e", needle)), where, b"--", *pathspecs]
        return self.git(words, extra=extra, at_root=True)

    def _grepped(self, asked: Running, target: Oid | Literal["INDEX"]) -> set[bytes]:
        out = asked.finish((0, 1))
        if b"error:" in asked.stderr or b"fatal:" in asked.stderr:
            # git grep reports an unreadable blob and goes on as if it held nothing
            raise self.explain_missing(failure([b"git", b"grep"], 128, asked.stderr))
        return {name[0 if target == INDEX else len(target) + 1 :] for name in out.split(b"\0") if name}

    # -- people and settings

    def author(self) -> Ident:
        """See `Reader.author`."""
        return self.author_from(self.git(("var", "GIT_AUTHOR_IDENT")))

    def author_from(self, asked: Running) -> Ident:
        """Collect the answer of a `git var GIT_AUTHOR_IDENT` that was started before."""
        try:
            return parse_ident(asked.finish().strip(b"\n"))
        except GitError as error:
            if "tell me who you are" in error.output or "ident" in error.output:
                raise no_identity() from None
            raise

    def config(self, name: str) -> str | None:
        """See `Reader.config`."""
        section, _, rest = name.partition(".")
        middle, dot, key = rest.rpartition(".")
        return self.configs("").get(f"{section.lower()}.{middle}{dot}{key.lower()}")

    def configs(self, prefix: str) -> dict[str, str]:
        """See `Reader.configs`."""
        if self._configs is None:
            out = self.git(("config", "--list", "-z"), fixed=False).finish()
            self._configs = {}
            for item in out.split(b"\0")[:-1]:
                name, newline, value = item.partition(b"\n")
                self._configs[decode_path(name)] = decode_path(value) if newline else "true"
        return {name: value for name, value in self._configs.items() if name.startswith(prefix)}


def no_identity() -> HoardError:
    """Say that git does not know who the user is."""
    hint = 'git config user.email "you@example.org" && git config user.name "Your Name"'
    return HoardError("git does not know who you are: no name or address is configured.", hint)
