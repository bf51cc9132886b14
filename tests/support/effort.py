"""Work counted instead of timed: function calls do not depend on how busy the machine is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def count_calls(run: Callable[[], object], starts: frozenset[str] = frozenset()) -> tuple[int, int]:
    """How many functions `run` calls, and how many of them are built-in ones with a name in `starts`."""
    calls = named = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls, named
        if event in {"call", "c_call"}:
            calls += 1
            named += event == "c_call" and getattr(argument, "__name__", "") in starts

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(before)
    return calls, named
