"""Running a program that the user named: without a shell, in an empty folder of its own, for a limited time and with limited output.

The program is trusted to run, since the user's command line names it; what it prints is not.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import FrameType
    from typing import IO

_STDERR = 1 << 16
_CHUNK = 1 << 16
_LOOK = 0.05
"""Seconds between two looks at whether it has ended."""
_GRACE = 2.0
"""Seconds for what is in the pipes after the program has ended: a process that it left behind may hold them open."""


class Ended(Record):
    """How a program ended. `status` is its exit status, negative the signal; `late` and `loud` say that it was killed, for time or output."""

    status: int
    stdout: bytes
    stderr: bytes
    late: bool = False
    loud: bool = False


class _Drain(threading.Thread):
    """Reads a pipe to its end, keeps the first `limit` bytes and closes it; late, when something that left the group still holds it open."""

    def __init__(self, pipe: IO[bytes], limit: int, full: threading.Event | None = None) -> None:
        super().__init__(daemon=True)
        self.data = bytearray()
        self._pipe = pipe
        self._limit = limit
        self._full = full

    def run(self) -> None:
        descriptor = self._pipe.fileno()
        try:
            while chunk := os.read(descriptor, _CHUNK):
                room = self._limit - len(self.data)
                self.data += chunk[: max(0, room)]
                if len(chunk) > room and self._full is not None:
                    self._full.set()
                    return
        finally:
            self._pipe.close()


def run_confined(words: Sequence[str], environment: Mapping[str, str], stdin: bytes, *, seconds: float, limit: int) -> Ended:
    """Run a program and wait for it; `words[0]` is an absolute path, `environment` all that it gets besides TMPDIR and PWD.

    It runs as a process group of its own, which is killed when it ends, takes longer than `seconds` or writes more than `limit` bytes.
    The folder that it runs in is removed. Raises OSError when it cannot be started.
    """
    with _interruptible():
        home = tempfile.mkdtemp(prefix="hoard-")
        try:
            full = {**environment, "TMPDIR": home, "PWD": home, "GIT_CEILING_DIRECTORIES": str(Path(home).parent)}
            pipe = subprocess.PIPE
            process = subprocess.Popen(
                list(words), bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, cwd=home, env=full, start_new_session=True
            )
            try:
                return _attend(process, stdin, seconds, limit)
            except BaseException:
                _kill(process)
                raise
        finally:
            shutil.rmtree(home, ignore_errors=True)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Turn the signals that end us into an exception meanwhile, so that the program and its folder go with us."""
    main = threading.current_thread() is threading.main_thread()
    signals = [signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)] if main else []
    before = {number: signal.signal(number, _interrupt) for number in signals if signal.getsignal(number) == signal.SIG_DFL}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _attend(process: subprocess.Popen[bytes], stdin: bytes, seconds: float, limit: int) -> Ended:
    if process.stdin is None or process.stdout is None or process.stderr is None:  # pragma: no cover - all three were asked for
        raise OSError("the program has no pipes")
    end = time.monotonic() + seconds
    full = threading.Event()
    out, err = _Drain(process.stdout, limit, full), _Drain(process.stderr, _STDERR)
    feeder = threading.Thread(target=_feed, args=(process.stdin, stdin), daemon=True)
    for thread in (out, err, feeder):
        thread.start()
    while process.poll() is None and not full.is_set() and (left := end - time.monotonic()) > 0:
        out.join(min(_LOOK, left))
        if not out.is_alive():  # it has closed its output, so it is about to end
            with suppress(subprocess.TimeoutExpired):
                process.wait(min(_LOOK, max(0.0, end - time.monotonic())))
    late = process.poll() is None and not full.is_set()
    _kill(process)
    for thread in (out, err, feeder):
        thread.join(_GRACE)
    said = bytes(err.data)
    if len(said) == _STDERR:
        said = said[: said.rfind(b"\n") + 1]  # half a line may be half a secret, which nothing recognises
    return Ended(process.returncode, bytes(out.data), said, late, full.is_set())


def _feed(pipe: IO[bytes], data: bytes) -> None:
    rest = memoryview(data)
    with pipe, suppress(OSError):  # it has ended, or does not want to read: its status and its answer will say
        while rest:
            rest = rest[os.write(pipe.fileno(), rest[:_CHUNK]) :]


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the program and what it started; harmless when both are gone."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:  # pragma: no cover - Windows has no process groups
            process.kill()
    process.wait()
