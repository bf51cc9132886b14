"""Long output through git's own pager, on a terminal only."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hoard_git.cli.context import Context


@contextmanager
def paged(context: Context) -> Iterator[Callable[[str], None]]:
    """Give a function that writes one line: to git's pager on a terminal, else straight to stdout."""
    if not sys.stdout.isatty():
        yield _direct
        return
    command = os.fsdecode(context.plumbing.git(("var", "GIT_PAGER")).finish().strip())
    if command in ("", "cat"):
        yield _direct
        return
    import subprocess

    env = {"LESS": "FRX", "LV": "-c", **os.environ}  # what git sets for its own pager
    process = subprocess.Popen(command, shell=True, stdin=subprocess.PIPE, env=env)  # noqa: S602 - git runs it so, from its own configuration
    stream = process.stdin
    if stream is None:
        yield _direct
        return

    def write(line: str) -> None:
        stream.write(line.encode("utf-8", "backslashreplace") + b"\n")

    try:
        with suppress(BrokenPipeError):  # the reader has seen enough
            yield write
    finally:
        with suppress(BrokenPipeError):
            stream.close()
        process.wait()


def _direct(line: str) -> None:
    data = line.encode("utf-8", "backslashreplace") + b"\n"
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(data.decode())
        return
    buffer.write(data)
