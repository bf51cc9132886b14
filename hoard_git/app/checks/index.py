"""index: whether the block index, a cache of history, is sound."""

# ruff: noqa: PTH110 -- paths come from git as text

from __future__ import annotations

import os

from hoard_git.app.checks.base import OK, WARN, Check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.checks.base import Look


def check(look: Look) -> Check:
    """A missing or old index is no fault: it is made when history is asked. A damaged one is made anew by the next question."""
    where = _place(look)
    if not where:
        return Check("index", OK, "none yet; it is made when history is asked")
    fault = _fault(where)
    if fault:
        return Check("index", WARN, f"the block index {fault}; it is a cache and is made anew when it is needed", "hoard doctor --fix")
    size = os.stat(where).st_size  # noqa: PTH116
    return Check("index", OK, f"{size / 1024:,.0f} KB")


def repair(look: Look) -> tuple[str, ...]:
    """Throw a damaged index away; everything in it is made anew from history."""
    from hoard_git.gitio.cachefiles import discard

    where = _place(look)
    if not where or not _fault(where):
        return ()
    discard(where)
    return ("threw a damaged block index away",)


def _place(look: Look) -> str:
    from hoard_git.app.history import cache_home
    from hoard_git.gitio.cachefiles import cache_paths

    places = cache_paths(look.reader.common_dir(), cache_home(), "index.sqlite")
    return next((place for place in places if os.path.exists(place)), "")


def _fault(where: str) -> str:
    """What is wrong with the file, in words; '' for nothing. Another process that is writing to it is nothing."""
    from hoard_git.gitio.blockindex_probe import probe

    return probe(where)
