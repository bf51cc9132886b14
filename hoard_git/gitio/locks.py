"""Waiting for git's lock files, and a lock of our own. git's are never deleted here: only the owner knows whether it still works."""

from __future__ import annotations

import contextlib
import os
import re
import time
from pathlib import Path

from hoard_git.core.record import Record
from hoard_git.core.shellwords import shell_word
from hoard_git.errors import HoardError
from hoard_git.gitio.process import GitError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeVar

    T = TypeVar("T")

PATIENCE = 5.0
"""Seconds of waiting for somebody else's lock."""

TURN = 30.0
"""Seconds of waiting for another commit of ours: its hooks and its signing may take a while."""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.01, 0.2
_LOCK = re.compile(r"Unable to create '(?P<path>[^'\n]{1,4096}\.lock)': File exists")
_MOVED = re.compile(r"cannot lock ref '[^'\n]{1,1024}+': (?:is at [0-9a-f]{40,64} but expected|reference already exists)")


def branch_moved(error: GitError) -> bool:
    """Tell whether git failed because the branch moved under it."""
    return bool(_MOVED.search(error.output))


def with_patience(act: Callable[[], T], *, again: Callable[[GitError], bool] | None = None) -> T:
    """Run `act` again while it fails because of another git process, for at most PATIENCE seconds.

    `again` names further failures that are worth a repetition, such as `branch_moved` where `act` looks at the branch anew.
    The pauses double from 10 ms to 200 ms, without a random part. Any other failure is raised at once. Raises HoardError that names the lock when
    it outlasts the patience.
    """
    start, pause = time.monotonic(), _FIRST_PAUSE
    while True:
        try:
            return act()
        except GitError as error:
            held = _LOCK.search(error.output)
            if not held and not (again and again(error)):
                raise
            if time.monotonic() - start + pause > PATIENCE:
                raise (_still_locked(held["path"]) if held else error) from None
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


def wait_for_lock(target: str) -> None:
    """Wait until nobody holds git's lock on a file, such as the index; it may be taken again right away. Raises as `with_patience`."""

    def look() -> None:
        if os.path.lexists(f"{target}.lock"):  # repository paths are text
            said = f"Unable to create '{target}.lock': File exists"
            raise GitError(f"{said}.", "Wait for the other git process.", output=said)

    with_patience(look)


@contextlib.contextmanager
def turn(git_dir: str) -> Iterator[None]:
    """Let one writer of ours at a time into a work tree; the kernel lets go when the process ends, so nothing is left over from a crash.

    git alone does not do: `git commit --only` reads the index before it locks it (seen with 2.39), so of two at once the second may write an index
    without the first one's entries, and the next commit takes the first one back. Raises HoardError after TURN seconds.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    handle = os.open(git_dir, os.O_RDONLY | os.O_CLOEXEC)
    try:
        end = time.monotonic() + TURN
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > end:
                    raise HoardError(
                        "Another hoard command has been committing here for a while.", "Wait for it, or end it: ps -A | grep hoard"
                    ) from None
                time.sleep(_FIRST_PAUSE)
            except OSError:  # a file system without such locks
                break
        yield
    finally:
        os.close(handle)


class Version(Record):
    """What a file held, and its time of change in nanoseconds since 1970."""

    data: bytes
    mtime_ns: int


def version_of(path: Path) -> Version | None:
    """Read a file and its time, None when there is none."""
    try:
        return Version(path.read_bytes(), path.stat().st_mtime_ns)
    except FileNotFoundError:
        return None


def replace_locked(target: Path, new: Version | None, expected: Version | None) -> bool:
    """Write `new` over one of git's files under git's own lock protocol, if it still holds `expected`'s bytes; false when it does not.

    None means "no file". The time is set as well: a file of the same size that was changed in the very tick in which the index was written is
    noticed by git only because it is not older than the index. Raises GitError in git's words when the lock is held, so that `with_patience` waits for it.
    """
    lock = target.with_name(target.name + ".lock")
    try:
        handle = os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    except FileExistsError:
        said = f"Unable to create '{lock}': File exists"
        raise GitError(f"{said}.", "Wait for the other git process.", output=said) from None
    try:
        with os.fdopen(handle, "wb") as file:
            current = version_of(target)
            if (current and current.data) != (expected and expected.data):
                return False
            if new is not None:
                file.write(new.data)
                file.flush()
                if current is not None:
                    os.fchmod(handle, target.stat().st_mode & 0o777)
                os.fsync(handle)
                os.utime(handle, ns=(new.mtime_ns, new.mtime_ns))
        if new is None:
            target.unlink(missing_ok=True)
        else:
            lock.replace(target)
    finally:
        lock.unlink(missing_ok=True)
    return True


def _still_locked(path: str) -> HoardError:
    try:
        age = f", {max(0, int(time.time() - Path(path).stat().st_mtime))} seconds old"
    except OSError:
        age = ""
    return HoardError(
        f"Another git process holds {path}{age}; nothing was changed.",
        f"Let it end and run the command again. If no git process is running (ps -A | grep git), it is left over from a crash: rm {shell_word(path)}",
    )
