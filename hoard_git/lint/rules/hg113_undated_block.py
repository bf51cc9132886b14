"""A tag says `ts:unknown`.

## Why

Content without a day never expires and is never the newest. Over the years an index fills up with facts of which nobody knows whether they hold.

## Bad

    file: MEMORY.md
    | ## Servers  <!-- src:agent ts:unknown -->
    | - Node 1 runs the queue

## Good

    file: MEMORY.md
    | ## Servers  <!-- src:agent ts:2026-06-01 -->
    | - Node 1 runs the queue

## Instead

Check that it still holds and write today's day, or take the day from the log in which it was learned: `hoard why TEXT`.

## Limits

Only MEMORY.md and topic files are judged.
"""

from __future__ import annotations

from hoard_git.lint.rules.hg105_future_timestamp import stamps
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG113", "undated-block", "info", "file", trigger=("unknown",))

MOST = 5
"""So many undated tags of one file are reported one by one; an adopted workspace has hundreds."""


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Yield a hit for each undated tag, or one for the file."""
    del scene
    if file.file_class not in ("index", "topic"):
        return
    found = [(line, column) for ts, line, column in stamps(file) if ts == "unknown" and file.judges(line)]
    hint = "check that it still holds, and date it"
    if len(found) > MOST:
        line, column = found[0]
        yield Hit(f"the tag gives no day, and {len(found) - 1} more in this file give none", line, column, hint)
        return
    for line, column in found:
        yield Hit("the tag gives no day", line, column, hint)
