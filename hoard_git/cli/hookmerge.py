"""`hoard-hook merge-driver %O %A %B %L %P`: what git calls for a memory file that both sides changed.

Exit 0 is a clean merge, 1 a conflict with markers in the file. git takes every other status for a conflict too, but then the file would hold
ours alone and `git add` would drop theirs; so the command that `hoard init` configures merges by lines after any other status.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_BROKEN = 3


class _TooLong(BaseException):
    """The time is up; no `except Exception` on the way may keep it."""


def main(arguments: Sequence[str]) -> int:
    """Merge one file; any failure at all ends in git's merge of lines."""
    try:
        if not 4 <= len(arguments) <= 5:
            sys.stderr.write("hoard: merge-driver needs what git hands over: %O %A %B %L %P\n  next: hoard hooks install\n")
            return _BROKEN
        from hoard_git.app.merge import SECONDS, Files, merge_files

        base, ours, theirs, size = arguments[:4]
        path = arguments[4] if len(arguments) == 5 and arguments[4] != "%P" else ""  # an old git hands %P over as it is
        signal.signal(signal.SIGALRM, _stop)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            outcome = merge_files(Files(base, ours, theirs, size, path), os.environ)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except _TooLong:
        return _by_lines(arguments, "the merge by entry took too long")
    except Exception as error:  # whatever broke, both sides' text has to be in the file
        if os.environ.get("HOARD_DEBUG"):
            raise
        return _by_lines(arguments, f"the merge by entry broke ({type(error).__name__})")
    if outcome.note:
        sys.stderr.write(f"hoard: {outcome.note}\n")
    return outcome.status


def _stop(_number: int, _frame: object) -> None:
    raise _TooLong


def _by_lines(arguments: Sequence[str], why: str) -> int:
    try:
        from hoard_git.app.merge import Files, fall_back

        base, ours, theirs, size = arguments[:4]
        outcome = fall_back(Files(base, ours, theirs, size, ""), why)
    except Exception:  # noqa: BLE001 -- the configured command has one more way
        return _BROKEN
    sys.stderr.write(f"hoard: {outcome.note}\n")
    return outcome.status
