"""The reading interface to one git repository, and the values in it. Both readers keep it; one contract test holds them to it."""

from __future__ import annotations

from hoard_git.core.model import Oid, PathChange, RepoPath
from hoard_git.core.record import Record
from hoard_git.errors import HoardError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Literal, Protocol
else:
    Protocol = object

INDEX: Literal["INDEX"] = "INDEX"
"""What `git commit` would record now; in a hook the index that git prepared for this commit (GIT_INDEX_FILE)."""
WORKTREE: Literal["WORKTREE"] = "WORKTREE"
"""The files on disk, of tracked paths."""


class Ident(Record):
    """A name and address of a commit header; `time` is in seconds since 1970 UTC and `zone` like `+0200` (0 and "" in a malformed header).

    Texts are decoded as UTF-8 with surrogateescape (as ISO-8859-1 where the commit's encoding header says so) and are not made safe to print.
    """

    name: str
    email: str
    time: int = 0
    zone: str = ""


class CommitInfo(Record):
    """One commit object as it is stored: no replace refs, no grafts, no re-encoding.

    `parents` of a shallow clone's oldest commit are named although their objects are absent. `headers` has every header line in order, duplicates
    kept, continuation lines joined by newlines. Of doubled headers `author` and `committer` show the last, as git does. `message` is raw bytes.
    """

    oid: Oid
    tree: Oid
    parents: tuple[Oid, ...]
    author: Ident
    committer: Ident
    message: bytes
    headers: tuple[tuple[str, bytes], ...]
    encoding: str = "UTF-8"


class Reader(Protocol):
    """Questions to one repository. Everything raises HoardError when it cannot look; nothing answers "none" for "could not see"."""

    def root(self) -> str:
        """Give the absolute top level of the work tree, or the git dir of a bare repository."""

    def git_dir(self) -> str:
        """Give the absolute git dir; a linked worktree has its own."""

    def common_dir(self) -> str:
        """Give the absolute git dir that all linked worktrees share."""

    def head(self) -> Oid | None:
        """Give the commit of HEAD, None when the branch is unborn; raises when HEAD is broken."""

    def resolve(self, rev: str) -> Oid:
        """Give the commit that `rev` names; never takes it for an option or a range."""

    def commit(self, oid: Oid) -> CommitInfo:
        """Read one commit object."""

    def commits(self, oids: Iterable[Oid]) -> Iterator[CommitInfo]:
        """Read many commit objects, in the order asked for."""

    def rev_list(
        self, include: list[str], exclude: list[str], *, first_parent: bool = False, merges: bool = True, not_refs: str = ""
    ) -> list[Oid]:
        """List commits reachable from `include` and not from `exclude`, parents before children.

        `not_refs` excludes, too, what the refs under that prefix reach, as `refs/` or `refs/remotes/origin/`.
        """

    def merge_base(self, a: str, b: str) -> Oid | None:
        """Give a best common ancestor, None when the histories are unrelated."""

    def changes(self, base: Oid | None, target: Oid | Literal["INDEX", "WORKTREE"]) -> list[PathChange]:
        """List every path that differs, by path bytes, without rename detection, submodule entries included.

        `base` None is the empty tree. Only for WORKTREE: `new_oid` is "" for a file that git has not hashed. Raises on unmerged paths in the index.
        Intent-to-add entries (`git add -N`) are not in the index, as a commit would not record them.
        """

    def tree(self, target: Oid | Literal["INDEX"], paths: Sequence[RepoPath] = ()) -> dict[RepoPath, tuple[int, Oid]]:
        """Map every path to its mode and oid; `paths` limits this to files and directories of these exact names."""

    def blobs(self, oids: Iterable[Oid]) -> dict[Oid, bytes]:
        """Read blobs; raises when one is missing, with the way to get it."""

    def paths_with(self, target: Oid | Literal["INDEX"], needles: Sequence[bytes], paths: Sequence[RepoPath]) -> list[RepoPath]:
        """Tell which of these regular files hold any needle: exact bytes, case counts, binary files too; in the order of `paths`."""

    def author(self) -> Ident:
        """Give who a commit made now would name as its author; honours `--author` and the environment inside a hook."""

    def is_shallow(self) -> bool:
        """Tell whether history was cut off by a shallow clone or fetch."""

    def object_format(self) -> str:
        """Give `sha1` or `sha256`."""

    def config(self, name: str) -> str | None:
        """Give the last value of a configuration variable, None when unset."""

    def configs(self, prefix: str) -> dict[str, str]:
        """Give all variables whose name starts with `prefix`, the last value of each; section and key are in lower case."""


def parse_ident(raw: bytes, encoding: str = "UTF-8") -> Ident:
    """Read `Name <address> seconds zone` as git does: the address ends at the last `>`; a malformed part gives "" or 0."""
    before, _, rest = raw.partition(b"<")
    email, _, when = rest.rpartition(b">")
    seconds, _, zone = when.strip().partition(b" ")
    good = seconds.isdigit() and len(seconds) < 19
    return Ident(
        _text(before.strip(), encoding), _text(email.strip(), encoding), int(seconds) if good else 0, _text(zone, "") if good else ""
    )


def parse_commit(oid: Oid, raw: bytes) -> CommitInfo:
    """Read a commit object's bytes; raises HoardError when there is no tree, author or committer."""
    head, _, message = raw.partition(b"\n\n")
    if raw.startswith(b"\n"):
        head, message = b"", raw[1:]
    parts: list[tuple[str, list[bytes]]] = []  # joined at the end: adding line by line takes minutes for a header of a million lines
    for line in head.split(b"\n"):
        if line.startswith(b" ") and parts:
            parts[-1][1].append(line[1:])
        elif line:
            name, _, value = line.partition(b" ")
            parts.append((_text(name, ""), [value]))
    headers = [(name, b"\n".join(lines)) for name, lines in parts]
    last = dict(headers)
    missing = [name for name in ("tree", "author", "committer") if name not in last]
    if missing:
        raise HoardError(f"Commit {oid[:12]} is malformed: it has no {missing[0]}.", "git fsck")
    encoding = _text(last.get("encoding", b"UTF-8"), "")
    return CommitInfo(
        oid,
        _oid(last["tree"]),
        tuple(_oid(value) for name, value in headers if name == "parent"),
        parse_ident(last["author"], encoding),
        parse_ident(last["committer"], encoding),
        message,
        tuple(headers),
        encoding,
    )


def _oid(raw: bytes) -> Oid:
    return Oid(raw.decode("ascii", "replace"))


def _text(raw: bytes, encoding: str) -> str:
    """Decode without ever failing, and without letting a commit choose among Python's stranger codecs."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        if encoding.lower() in ("iso-8859-1", "iso8859-1", "latin1", "latin-1", "iso-8859-15", "windows-1252"):
            return raw.decode("latin-1")
        return raw.decode("utf-8", "surrogateescape")
