"""What the block index is built from: one `git log --raw -c` over the memory paths, and blobs in the order in which they are needed."""

from __future__ import annotations

import os
from sys import intern

from hoard_git.core.messages import is_blank
from hoard_git.core.model import Oid
from hoard_git.core.record import Record
from hoard_git.core.trailers import parse_trailers
from hoard_git.errors import HoardError
from hoard_git.gitio.process import decode_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator, Sequence

    from hoard_git.gitio.plumbing import PlumbingReader

_FIELDS = ("%x01%H", "%P", "%an", "%ae", "%ad", "%ct", "%B")
_LOG = (
    "-c", "log.showRoot=true", "-c", "log.showSignature=false", "log", "--stdin", "--raw", "-c", "--full-history", "--parents", "-z", "--no-renames",
    "--no-abbrev", "--topo-order", "--reverse", "--encoding=UTF-8", "--date=raw", "--no-color", "--no-notes", "--no-ext-diff", "--no-textconv",
    "--no-relative", "--ignore-submodules=none", "-O" + os.devnull, "--no-decorate", "--no-show-signature", "--format=" + "%x00".join(_FIELDS),
)  # fmt: skip
_AT_ONCE = 256
_PIPE = 1 << 20  # so that git can read ahead while we compare; where the system does not know sizes it is ignored
_REGULAR = (b"100644", b"100755")


class LoggedChange(Record):
    """One path of one commit: the blobs of every parent and of the commit, '' where there is no regular file."""

    path: str
    old: tuple[str, ...]
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


def read_log(reader: PlumbingReader, tip: str, known: Sequence[str], pathspecs: Sequence[str]) -> Iterator[LoggedCommit]:
    """Read every commit behind `tip` that touches the paths, and every merge, parents first; not what is behind the `known` commits."""
    stdin = "".join(f"{line}\n" for line in (tip, *(f"^{oid}" for oid in known))).encode()
    process = start_git(reader, [*_LOG, "--", *pathspecs])
    tokens = _tokens(process, stdin)
    pending: LoggedCommit | None = None
    changes: list[LoggedChange] = []
    for token in tokens:
        if token[:1] == b"\x01":
            if pending is not None:
                yield pending._replace(changes=tuple(changes))
            changes = []
            pending = _header([token[1:], *(next(tokens, b"") for _ in _FIELDS[1:])])
            continue
        meta = token.lstrip(b"\n")
        if meta[:1] == b":":
            change = _change(meta, next(tokens, b""))
            if change is not None:
                changes.append(change)
    if pending is not None:
        yield pending._replace(changes=tuple(changes))


def _header(fields: Sequence[bytes]) -> LoggedCommit:
    oid, parents, name, email, date, committed, body = fields
    subject = next((line for line in body.split(b"\n") if not is_blank(line)), b"")
    op, sources = "", "-"
    if b"emory-" in body or b"MEMORY-" in body:
        trailers = [(t.key.lower(), t.value) for t in parse_trailers(body)]
        if any(key.startswith("memory-") for key, _value in trailers):
            op = next((value for key, value in trailers if key == "memory-op"), "")[:40]
            sources = ",".join(value for key, value in trailers if key == "memory-source")[:200]
    return LoggedCommit(
        Oid(intern(oid.decode("ascii"))), tuple([intern(parent) for parent in parents.decode("ascii").split()]), intern(_text(name)), intern(_text(email)), _text(date),
        int(committed) if committed.isdigit() else 0, _text(subject)[:400], intern(op), intern(sources), (),
    )  # fmt: skip


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _change(meta: bytes, path: bytes) -> LoggedChange | None:
    """Read `:mode mode oid oid S` or, with a colon a parent, the combined form of a merge."""
    count = len(meta) - len(meta.lstrip(b":"))
    words = meta[count:].split(b" ")
    if len(words) != 2 * count + 3:
        raise HoardError("git gave a list of changes that cannot be read.", "git --version")
    oids = [intern(oid.decode("ascii")) if mode in _REGULAR else "" for mode, oid in zip(words, words[count + 1 :], strict=False)]
    old, new = oids[:count], oids[count]
    if not new and not any(old):
        return None
    return LoggedChange(intern(decode_path(path)), tuple(old), new)


def start_git(reader: PlumbingReader, args: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start git with pipes on both ends; what reads on while it runs is not for `process.start`, which collects everything."""
    import subprocess

    env = {
        **reader.environment(),
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_GRAFT_FILE": os.devnull + "/none",
        "GIT_OPTIONAL_LOCKS": "0",
        "LC_ALL": "C",
    }
    words = ["git", "-C", reader.root(), "-c", "core.quotePath=false", *args]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [os.fsencode(word) for word in words], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=env, pipesize=_PIPE
    )


def _tokens(process: subprocess.Popen[bytes], stdin: bytes) -> Iterator[bytes]:
    """The NUL-separated parts of a process's output. Raises HoardError when it fails."""
    if process.stdin is None or process.stdout is None:
        raise HoardError("git could not be started.", "git --version")
    try:
        process.stdin.write(stdin)
        process.stdin.close()
        rest = b""
        while True:
            part = process.stdout.read1(1 << 18)  # type: ignore[attr-defined]
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
    """Blobs by one `cat-file --batch`; announced ones are asked for ahead, so that git reads while we work."""

    def __init__(self, reader: PlumbingReader) -> None:
        """Start nothing before the first blob is asked for."""
        self._reader = reader
        self._process: subprocess.Popen[bytes] | None = None
        self._asked: list[str] = []
        self._waiting: dict[str, bytes] = {}
        self._ahead: list[str] = []

    def announce(self, oids: Sequence[str]) -> None:
        """Say which blobs will be asked for, in this order."""
        self._ahead += oids

    def get(self, oid: str) -> bytes:
        """Return a blob. Raises HoardError when it is not there."""
        data = self._waiting.pop(oid, None)
        while data is None:
            if not self._asked:
                part = self._take()
                self._ask(part if oid in part else [oid, *part])
            if self._ahead and len(self._asked) < _AT_ONCE // 2:  # git's input pipe takes this much without anyone reading
                self._ask(self._take())
            name, found = self._read()
            if name == oid:
                data = found
            else:
                self._waiting[name] = found
        return data

    def _take(self) -> list[str]:
        part = self._ahead[:_AT_ONCE]
        del self._ahead[:_AT_ONCE]
        return part

    def _ask(self, oids: Sequence[str]) -> None:
        if self._process is None:
            self._process = start_git(self._reader, ["cat-file", "--batch"])
        if self._process.stdin is None:
            raise HoardError("git could not be started.", "git --version")
        self._asked += oids
        try:
            self._process.stdin.write("".join(f"{oid}\n" for oid in oids).encode())
            self._process.stdin.flush()
        except BrokenPipeError:
            raise self._missing(oids[0]) from None

    def _read(self) -> tuple[str, bytes]:
        process = self._process
        if process is None or process.stdout is None:
            raise HoardError("git could not be started.", "git --version")
        expected = self._asked.pop(0)
        header = process.stdout.readline().split(b" ")
        if len(header) != 3 or header[1] != b"blob":
            raise self._missing(expected)
        size = int(header[2])
        data = process.stdout.read(size + 1)
        if len(data) != size + 1:
            raise self._missing(expected)
        return expected, data[:-1]

    def _missing(self, oid: str) -> HoardError:
        hint = "git fsck"
        if any(name.endswith((".promisor", ".partialclonefilter")) for name in self._reader.configs("remote.")):
            hint = "Go online and fetch the missing objects: git fetch --refetch --no-filter"
        return HoardError(f"The file version {oid[:12]} of the history is missing.", hint)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            close(self._process)
            self._process = None
