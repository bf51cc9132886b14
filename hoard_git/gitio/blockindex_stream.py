"""What the block index is built from: one `git log --raw -c` over the memory paths, and blobs in the order in which they are needed."""

from __future__ import annotations

import os
from itertools import pairwise
from sys import intern

from hoard_git.core.messages import is_blank
from hoard_git.core.record import Record
from hoard_git.core.trailers import parse_trailers
from hoard_git.errors import HoardError
from hoard_git.gitio.process import decode_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator, Sequence

    from hoard_git.core.model import Oid
    from hoard_git.gitio.plumbing import PlumbingReader

_FIELDS = ("%x01%H", "%P", "%an", "%ae", "%ad", "%ct", "%B")
_LOG = (
    "-c", "log.showRoot=true", "-c", "log.showSignature=false", "-c", "log.follow=false", "log", "--stdin", "--raw", "-c", "--full-history", "--parents",
    "-z", "--no-renames", "--no-abbrev", "--encoding=UTF-8", "--date=raw", "--no-color", "--no-notes", "--no-ext-diff", "--no-textconv",
    "--no-relative", "--ignore-submodules=none", "-O" + os.devnull, "--no-decorate", "--no-show-signature", "--format=" + "%x00".join(_FIELDS),
)  # fmt: skip
_FEW = 64
_LITTLE = ("-c", "core.deltaBaseCacheLimit=24m")  # a fourth of git's own, as fast where versions come in their order, and 75 MB less
_BUFFER = 1 << 17
_PIPE = 1 << 20  # so that git can read ahead while we compare; where the system does not know sizes it is ignored
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
    reader: PlumbingReader, tip: str, known: Sequence[str], pathspecs: Sequence[str], wanted: Callable[[str], bool]
) -> list[LoggedCommit]:
    """Read every commit behind `tip` that changes a wanted path, and every merge, parents first; not what is behind the `known` commits.

    `pathspecs` narrow what git looks at, none for everything. git gives the newest first, since then it need not walk all of history before
    the first line: we read while it walks.
    """
    stdin = "".join(f"{line}\n" for line in (tip, *(f"^{oid}" for oid in known))).encode()
    tokens = _tokens(start_git(reader, [*_LOG, "--", *pathspecs]), stdin)
    names = Names(wanted)
    found: list[LoggedCommit] = []
    fields: list[bytes] = []
    changes: list[LoggedChange] = []
    for token in tokens:
        if token[:1] == b"\x01":
            if fields:
                found.append(_commit(fields, tuple(changes), names))
                changes = []
            fields = [token[1:], *[next(tokens, b"") for _ in _FIELDS[1:]]]
            continue
        meta = token.lstrip(b"\n")
        if meta[:1] == b":":
            change = _change(meta, next(tokens, b""), names)
            if change is not None:
                changes.append(change)
    if fields:
        found.append(_commit(fields, tuple(changes), names))
    return parents_first(without_bystanders(found))


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
    tokens = _tokens(
        start_git(reader, [*args, "--no-decorate", "--format=" + "%x00".join(_FIELDS), "--"]), "".join(f"{oid}\n" for oid in oids).encode()
    )
    names = Names(lambda _path: False)
    return [_commit([token[1:], *[next(tokens, b"") for _ in _FIELDS[1:]]], (), names) for token in tokens if token[:1] == b"\x01"]


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


def start_git(reader: PlumbingReader, args: Sequence[str], stdin: int | None = None) -> subprocess.Popen[bytes]:
    """Start git with pipes on both ends, or reading from a file; what reads on while it runs is not for `process.start`, which collects everything."""
    import subprocess

    env = {
        **reader.environment(),
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_GRAFT_FILE": os.devnull + "/none",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_FLUSH": "0",  # else git writes after every commit of a log, and waking up for each costs us a tenth of the time
        "LC_ALL": "C",
    }
    words = [os.fsencode(word) for word in ["git", "-C", reader.root(), "-c", "core.quotePath=false", *args]]
    pipe = subprocess.PIPE
    source = pipe if stdin is None else stdin
    return subprocess.Popen(words, bufsize=_BUFFER, stdin=source, stdout=pipe, stderr=subprocess.DEVNULL, env=env, pipesize=_PIPE)


def _tokens(process: subprocess.Popen[bytes], stdin: bytes) -> Iterator[bytes]:
    """The NUL-separated parts of a process's output. Raises HoardError when it fails."""
    try:
        process.stdin.write(stdin)  # type: ignore[union-attr]  # start_git asked for both pipes
        process.stdin.close()  # type: ignore[union-attr]
        rest = b""
        while True:
            part = process.stdout.read1(1 << 18)  # type: ignore[union-attr]
            if not part:
                break
            pieces = (rest + part).split(b"\0")
            rest = pieces.pop()
            yield from pieces
        if rest.strip(b"\n"):
            yield rest
        if process.wait():
            raise HoardError("git could not list the history of the memory files: an object is missing or broken.", "git fsck")
    finally:
        close(process)


def close(process: subprocess.Popen[bytes]) -> None:
    """End a process that may still be running and release its pipes."""
    if process.poll() is None:
        process.terminate()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    process.wait()


class Blobs:
    """Blobs by `cat-file --batch`: those that were announced come in their order, read ahead by a process of their own."""

    def __init__(self, reader: PlumbingReader) -> None:
        """Start nothing before the first blob is asked for."""
        self._reader = reader
        self._single: subprocess.Popen[bytes] | None = None
        self._ahead: subprocess.Popen[bytes] | None = None
        self._announced: list[str] = []

    def announce(self, oids: Sequence[str]) -> None:
        """Say which blobs will be asked for next, in this order; only once, and for a handful it is not worth while."""
        if len(oids) < _FEW:
            return
        from tempfile import TemporaryFile

        with TemporaryFile() as asked:
            asked.write("".join([f"{oid}\n" for oid in oids]).encode())
            asked.seek(0)
            # From a file, so that nobody has to feed git while its answers fill the pipe.
            self._ahead = start_git(self._reader, [*_LITTLE, "cat-file", "--batch", "--buffer"], asked.fileno())
        self._announced = list(reversed(oids))

    def get(self, oid: str) -> bytes:
        """Return a blob. Raises HoardError when it is not there."""
        if self._announced and self._announced[-1] == oid and self._ahead is not None:
            self._announced.pop()
            return self._read(self._ahead, oid)
        if self._single is None:
            self._single = start_git(self._reader, ["cat-file", "--batch"])
        try:
            self._single.stdin.write(f"{oid}\n".encode())  # type: ignore[union-attr]  # start_git asked for the pipe
            self._single.stdin.flush()  # type: ignore[union-attr]
        except BrokenPipeError:
            raise self._missing(oid) from None
        return self._read(self._single, oid)

    def _read(self, process: subprocess.Popen[bytes], oid: str) -> bytes:
        stream = process.stdout
        if stream is None:
            raise self._missing(oid)
        header = stream.readline().split(b" ")
        if len(header) != 3 or header[1] != b"blob":
            raise self._missing(oid)
        size = int(header[2])
        data = stream.read(size)
        if len(data) != size or stream.read(1) != b"\n":
            raise self._missing(oid)
        return data

    def _missing(self, oid: str) -> HoardError:
        hint = "git fsck"
        if any(name.endswith((".promisor", ".partialclonefilter")) for name in self._reader.configs("remote.")):
            hint = "Go online and fetch the missing objects: git fetch --refetch --no-filter"
        return HoardError(f"The file version {oid[:12]} of the history is missing.", hint)

    def close(self) -> None:
        """End the processes."""
        for process in (self._single, self._ahead):
            if process is not None:
                close(process)
        self._single = self._ahead = None
        self._announced = []
