"""What the block index is built from: one `git log --raw -c` over the memory paths."""

from __future__ import annotations

import os
from itertools import pairwise
from sys import intern

from hoard_git.core.messages import is_blank
from hoard_git.core.record import Record
from hoard_git.core.trailers import parse_trailers
from hoard_git.errors import HoardError
from hoard_git.gitio.blockindex_stream import close, start_git
from hoard_git.gitio.process import decode_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Self

    from hoard_git.core.model import Oid
    from hoard_git.gitio.plumbing import PlumbingReader

_FIELDS = ("%x01%H", "%P", "%an", "%ae", "%ad", "%ct", "%B")
_LOG = (
    "-c", "log.showRoot=true", "-c", "log.showSignature=false", "-c", "log.follow=false", "log", "--stdin", "--raw", "-c", "--full-history", "--parents",
    "-z", "--no-renames", "--no-abbrev", "--encoding=UTF-8", "--date=raw", "--no-color", "--no-notes", "--no-ext-diff", "--no-textconv",
    "--no-relative", "--ignore-submodules=none", "-O" + os.devnull, "--no-decorate", "--no-show-signature", "--format=" + "%x00".join(_FIELDS),
)  # fmt: skip
_PART = 1 << 18
_REGULAR = (b"100644", b"100755")
_make = tuple.__new__  # the constructor of a record takes four times as long


class LoggedChange(Record):
    """One path of one commit, and its blob there, '' where it is no regular file any more."""

    path: str
    new: str


class LoggedCommit(Record):
    """One commit of the log. `parents` are the nearest ancestors in the log. `sources` is '-' without Memory trailers."""

    oid: Oid
    parents: tuple[str, ...]
    name: str
    email: str
    date: str
    committed: int
    subject: str
    op: str
    sources: str
    changes: tuple[LoggedChange, ...]


def read_log(
    reader: PlumbingReader, tip: str, known: Sequence[str], pathspecs: Sequence[str], wanted: Callable[[str], bool], *, twice: bool = False
) -> list[LoggedCommit]:
    """Read every commit behind `tip` that changes a wanted path, and every merge, parents first; not what is behind the `known` commits.

    `pathspecs` narrow what git looks at, none for everything. git gives the newest first, since then it need not walk all of history before
    the first line: we read while it walks. With `twice` another git, for a second processor, begins at the other end; where they meet all
    was read.
    """
    stdin = "".join(f"{line}\n" for line in (tip, *(f"^{oid}" for oid in known))).encode()
    names = Names(wanted)
    with _Log(reader, [*_LOG, "--", *pathspecs], stdin, names) as log:
        if not twice:
            while log.read():
                pass
            return parents_first(without_bystanders(log.found))
        with _Log(reader, [*_LOG, "--reverse", "--", *pathspecs], stdin, names) as other:
            return parents_first(without_bystanders(_read_both(log, other)))


class _Log:
    """The output of one git log, read piece by piece; `found` are the commits that are there whole, in git's order."""

    def __init__(self, reader: PlumbingReader, args: Sequence[str], stdin: bytes, names: Names) -> None:
        """Start git."""
        self.found: list[LoggedCommit] = []
        self._names = names
        self._stdin = stdin
        self._tokens: list[bytes] = []
        self._rest = b""
        self._fields: list[bytes] = []
        self._changes: list[LoggedChange] = []
        self._process = start_git(reader, args)

    def __enter__(self) -> Self:
        """Tell git what to list."""
        try:
            self._process.stdin.write(self._stdin)  # type: ignore[union-attr]  # start_git asked for both pipes
            self._process.stdin.close()  # type: ignore[union-attr]  # the same
        except BrokenPipeError:
            pass  # it has failed: its exit status will say so
        except BaseException:
            close(self._process)
            raise
        return self

    def __exit__(self, *_what: object) -> None:
        """End git, whether or not it was done."""
        close(self._process)

    def fileno(self) -> int:
        """What `select` waits for."""
        return self._process.stdout.fileno()  # type: ignore[union-attr]  # start_git asked for both pipes

    def read(self) -> bool:
        """Wait for some more output and read it; false at the end. Raises HoardError when git fails."""
        part = os.read(self.fileno(), _PART)
        pieces = (self._rest + part).split(b"\0")
        self._rest = pieces.pop()
        if not part:
            pieces.append(self._rest)
        self._take([*self._tokens, *pieces], at_end=not part)
        if not part:
            if self._process.wait():
                raise HoardError("git could not list the history of the memory files: an object is missing or broken.", "git fsck")
            self._end_commit()
        return bool(part)

    def _take(self, tokens: list[bytes], *, at_end: bool) -> None:
        """Read the tokens that belong together, and keep the others until more have come."""
        at, count, size = 0, len(tokens), len(_FIELDS)
        while at < count:
            token = tokens[at]
            is_head = token[:1] == b"\x01"
            if not at_end and at + (size if is_head else 2) > count:
                break
            if is_head:
                self._end_commit()
                self._fields = [token[1:], *tokens[at + 1 : at + size]]
                at += size
                continue
            meta = token.lstrip(b"\n")
            at += 1
            if meta[:1] == b":" and at < count:
                change = _change(meta, tokens[at], self._names)
                at += 1
                if change is not None:
                    self._changes.append(change)
        self._tokens = tokens[at:]

    def _end_commit(self) -> None:
        if self._fields:
            self._fields += [b""] * (len(_FIELDS) - len(self._fields))
            self.found.append(_commit(self._fields, tuple(self._changes), self._names))
            self._fields, self._changes = [], []


def _read_both(newest: _Log, oldest: _Log) -> list[LoggedCommit]:
    """Read one log from both its ends until they meet. The order of `--reverse` is that of all commits turned round, whatever the history is."""
    from select import select

    known: tuple[set[str], set[str]] = set(), set()
    logs: list[_Log] = [newest, oldest]
    is_met = False
    while not is_met:
        for log in select(logs, (), ())[0]:
            own, others = known if log is newest else known[::-1]
            before = len(log.found)
            try:
                is_met = not log.read() or is_met
            except HoardError:
                if log is newest:
                    raise
                logs.remove(log)  # it may have had no room for the whole list
                log.found.clear()
                known[1].clear()
                continue
            own.update(commit.oid for commit in log.found[before:])
            is_met = is_met or any(commit.oid in others for commit in log.found[before:])
    return [*newest.found, *(commit for commit in reversed(oldest.found) if commit.oid not in known[0])]


def read_commits(reader: PlumbingReader, oids: Sequence[str]) -> list[LoggedCommit]:
    """Read single commits, without what they changed, in any order."""
    if not oids:
        return []
    args = [
        "-c",
        "log.showSignature=false",
        "log",
        "--no-walk",
        "--stdin",
        "-s",
        "--encoding=UTF-8",
        "--date=raw",
        "--no-color",
        "--no-notes",
        "-z",
    ]
    stdin = "".join(f"{oid}\n" for oid in oids).encode()
    with _Log(reader, [*args, "--no-decorate", "--format=" + "%x00".join(_FIELDS), "--"], stdin, Names(lambda _path: False)) as log:
        while log.read():
            pass
    return log.found


def parents_first(newest: Sequence[LoggedCommit]) -> list[LoggedCommit]:
    """Commits that come roughly newest first, so turned that every one stands behind its parents, and a line of them together."""
    if all(later.parents == (earlier.oid,) for later, earlier in pairwise(newest)):
        return list(reversed(newest))
    by_oid: dict[str, LoggedCommit] = {commit.oid: commit for commit in newest}
    children: dict[str, int] = dict.fromkeys(by_oid, 0)
    for commit in newest:
        for parent in commit.parents:
            if parent in children:
                children[parent] += 1
    waiting: list[str] = [commit.oid for commit in reversed(newest) if not children[commit.oid]]
    found: list[LoggedCommit] = []
    while waiting:
        commit = by_oid[waiting.pop()]
        found.append(commit)
        for parent in commit.parents:
            if parent in children:
                children[parent] -= 1
                if not children[parent]:
                    waiting.append(parent)
    found.reverse()
    return found


def without_bystanders(newest: Sequence[LoggedCommit]) -> list[LoggedCommit]:
    """Leave out commits that change nothing and join nothing, and let their children have their parents; the order stays.

    It is what git does with pathspecs and --full-history, in a third of the time where most of a repository is memory anyway.
    """
    if all(commit.changes or len(commit.parents) > 1 for commit in newest):
        return list(newest)
    instead: dict[str, tuple[str, ...]] = {}
    parents: dict[str, tuple[str, ...]] = {}
    for commit in parents_first(newest):
        found = commit.parents
        if len(found) > 1 or (found and found[0] in instead):
            found = tuple(dict.fromkeys([other for oid in found for other in instead.get(oid, (oid,))]))
        if not commit.changes and len(found) < 2:
            instead[commit.oid] = found
        elif found != commit.parents:
            parents[commit.oid] = found
    if not instead:
        return list(newest)
    kept = [commit for commit in newest if commit.oid not in instead]
    return [commit._replace(parents=parents[commit.oid]) if commit.oid in parents else commit for commit in kept]


def _commit(fields: Sequence[bytes], changes: tuple[LoggedChange, ...], names: Names) -> LoggedCommit:
    oid, parents, name, email, date, committed, body = fields
    subject = body.partition(b"\n")[0]
    if is_blank(subject):
        subject = next((line for line in body.split(b"\n") if not is_blank(line)), b"")
    op, sources = "", "-"
    if b"emory-" in body or b"MEMORY-" in body:
        trailers = [(t.key.lower(), t.value) for t in parse_trailers(body)]
        if any(key.startswith("memory-") for key, _value in trailers):
            op = next((value for key, value in trailers if key == "memory-op"), "")[:40]
            sources = ",".join(value for key, value in trailers if key == "memory-source")[:200]
    return _make(LoggedCommit, (
        intern(oid.decode("ascii")), tuple([intern(parent) for parent in parents.decode("ascii").split()]),
        names.text(name), names.text(email), _text(date),
        int(committed) if committed.isdigit() else 0, _text(subject)[:400], intern(op), intern(sources), changes,
    ))  # fmt: skip


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


class Names:
    """The names and paths of a log, one object for each; a path that is not wanted is ''."""

    __slots__ = ("_paths", "_texts", "_wanted")

    def __init__(self, wanted: Callable[[str], bool]) -> None:
        """Start empty."""
        self._wanted = wanted
        self._texts: dict[bytes, str] = {}
        self._paths: dict[bytes, str] = {}

    def text(self, raw: bytes) -> str:
        """A name of a person."""
        found = self._texts.get(raw)
        if found is None:
            found = self._texts[raw] = _text(raw)
        return found

    def path(self, raw: bytes) -> str:
        """A path, '' for one that is not wanted."""
        found = self._paths.get(raw)
        if found is None:
            path = decode_path(raw)
            found = self._paths[raw] = path if self._wanted(path) else ""
        return found


def _change(meta: bytes, raw: bytes, names: Names) -> LoggedChange | None:
    """Read `:mode mode oid oid S` or, with a colon a parent, the combined form of a merge; None for what is not wanted, or no file on any side."""
    path = names.path(raw)
    if not path:
        return None
    count = len(meta) - len(meta.lstrip(b":"))
    words = meta[count:].split(b" ")
    if count == 1 and len(words) == 5 and words[1] in _REGULAR:
        return _make(LoggedChange, (path, words[3].decode("ascii")))
    if len(words) != 2 * count + 3:
        raise HoardError("git gave a list of changes that cannot be read.", "git --version")
    had = any(mode in _REGULAR for mode in words[:count])
    new = words[2 * count + 1].decode("ascii") if words[count] in _REGULAR else ""
    if not new and not had:
        return None
    return LoggedChange(path, new)
