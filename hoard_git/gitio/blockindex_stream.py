"""Git processes that are read while they run, and the blobs of the block index, in the order in which they are needed."""

from __future__ import annotations

import os

from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Sequence

    from hoard_git.gitio.plumbing import PlumbingReader

_FEW = 64
_LITTLE = ("-c", "core.deltaBaseCacheLimit=24m")  # a fourth of git's own, as fast where versions come in their order, and 75 MB less
_BUFFER = 1 << 17
_PIPE = 1 << 20  # so that git can read ahead while we compare; where the system does not know sizes it is ignored


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
            self._single.stdin.flush()  # type: ignore[union-attr]  # the same
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
