"""Work in a second process that hands plain values over while it goes on: two processors halve a long wait."""

from __future__ import annotations

import gc
import marshal
import os
from contextlib import contextmanager, suppress

from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType
    from typing import Any, BinaryIO

    Send = Callable[[object], None]

_MORE, _LAST, _REFUSED = b"M", b"L", b"E"
_SIZE = 8  # bytes that say how long a message is
_PIPE = 1 << 20


class BrokenOff(Exception):  # noqa: N818 - it says what happened
    """The second process ended before it had said everything: it was killed, or it met a fault that the same work here would meet again."""


def has_second_processor() -> bool:
    """Whether work can go to a process of its own and is faster there."""
    return hasattr(os, "fork") and _processors() > 1


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Messages:
    """What another process sends, in order; `result` is there when all of it was read."""

    def __init__(self, pipe: BinaryIO, codec: ModuleType, child: int) -> None:
        """Read nothing yet."""
        self._pipe = pipe
        self._codec = codec
        self._child = child
        self.result: Any = None

    def __iter__(self) -> Iterator[Any]:
        """Wait for one message after the other. Raises HoardError and BrokenOff."""
        while True:
            head = self._pipe.read(1 + _SIZE)
            size = int.from_bytes(head[1:], "big")
            body = self._pipe.read(size)
            if len(head) <= _SIZE or len(body) < size:
                raise BrokenOff
            value = self._codec.loads(body)  # our own process has written it: nothing of the repository is unpickled
            if head[:1] == _REFUSED:
                raise HoardError(*value)
            if head[:1] == _LAST:
                self.result = value
                return
            yield value

    def end(self) -> None:
        """End the process early; whoever reads finds that it broke off. For as long as the context is open."""
        with suppress(ProcessLookupError):
            os.kill(self._child, 9)  # whatever it has started ends when nobody reads its output


@contextmanager
def apart(work: Callable[[Send], object], codec: ModuleType = marshal, *, kill: bool = True) -> Iterator[Messages]:
    """Let a copy of this process do the work, and iterate over what it sends; at the end the answer has its result.

    What is sent must be what `codec` takes: `marshal` numbers, texts, bytes, and tuples, lists and dictionaries of such; `pickle` records, too,
    at a price. A HoardError of the work is raised here; for anything else that ends it early the iteration raises BrokenOff. Leaving the
    context ends the process, or without `kill` waits for its end, where it has to clear up after itself.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _work(writing, work, codec)
    os.close(writing)
    pipe = os.fdopen(reading, "rb")
    messages = Messages(pipe, codec, child)
    try:
        with pipe:
            yield messages
    finally:
        if kill:
            messages.end()
        os.waitpid(child, 0)


@contextmanager
def without_collections() -> Iterator[None]:
    """Do not look for cycles of garbage, where none are made and much is kept: it costs a tenth of the time."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def _work(pipe: int, work: Callable[[Send], object], codec: ModuleType) -> None:
    """Work, send and end; it never returns, and leaves what is registered for the program's end alone."""

    def send(value: Any, kind: bytes = _MORE) -> None:
        data = codec.dumps(value)
        file.write(kind + len(data).to_bytes(_SIZE, "big"))
        file.write(data)
        file.flush()

    status = 1
    gc.disable()  # for good: switched on again it would look through all that was made, a second for 100,000 commits, just before the end
    try:
        with suppress(Exception):
            import fcntl

            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)  # so that neither side waits for the other one's every step
        with os.fdopen(pipe, "wb") as file:
            try:
                send(work(send), _LAST)
            except HoardError as error:
                send((error.message, error.hint), _REFUSED)
        status = 0
    finally:
        os._exit(status)
