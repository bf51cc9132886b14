"""The long part of a page, done by a copy of this process, so that other pages are answered meanwhile."""

from __future__ import annotations

import os
import pickle
import signal
import warnings
from functools import partial

import anyio
import anyio.to_thread

from hoard_git.gitio.apart import BrokenOff, apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from hoard_git.gitio.apart import Messages


async def work_ahead(work: Callable[[], object], turn: anyio.CapacityLimiter) -> object | None:
    """What a piece of work comes to, which `pickle` has to take; None where it ended early or there can be no other process.

    Then the page does it itself, and says what is wrong. The copy is made when it is our turn, while no page is worked on, so that it finds
    nothing half done. Raises HoardError as the work does. When nobody waits for the answer any more, the copy is ended.
    """
    if not hasattr(os, "fork"):
        return None
    manager = apart(partial(_alone, work), pickle)
    messages = await anyio.to_thread.run_sync(_start, manager, limiter=turn)
    try:
        return await anyio.to_thread.run_sync(_read, messages, abandon_on_cancel=True)
    except BrokenOff:
        return None
    finally:
        messages.end()  # before the pipe is closed, of which a reader that was abandoned still waits for the end
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(manager.__exit__, None, None, None)


def _start(manager: AbstractContextManager[Messages]) -> Messages:
    with warnings.catch_warnings():  # Python 3.12 warns of threads that hold a lock for ever in the copy: here all of them rest
        warnings.simplefilter("ignore", DeprecationWarning)
        return manager.__enter__()


def _read(messages: Messages) -> object:
    for _message in messages:
        pass
    found: object = messages.result
    return found


def _alone(work: Callable[[], object], _send: Callable[[object], None]) -> object:
    """Work in the copy, in which the server's own answers to signals would do nothing but wake the server up."""
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    return work()
