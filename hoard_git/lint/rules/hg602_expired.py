"""A claim is older than twice its ttl, and still among the active memory.

## Why

What nobody renewed for twice its time is more likely wrong than right, and it takes room in every session. `hoard consolidate` moves it to the
archive, where it is still found. What the user says is never retired by a program, so it is shown here until the user decides. At exactly
twice the ttl a claim is still stale (HG601).

## Bad

    file: MEMORY.md
    | - The mirror is pkg.example <!-- src:web ts:2026-04-15 ttl:30d -->

An entry that was expired on the day it was written:

    actor: agent
    before: MEMORY.md
    | # Memory
    after: MEMORY.md
    | # Memory
    | - The mirror is pkg.example <!-- src:web ts:2026-02-01 ttl:30d -->

## Good

    file: MEMORY.md
    | - The mirror is pkg.example <!-- src:web ts:2026-04-16 ttl:30d -->

In the archive:

    file: memory/archive/2026-06-01.md
    | - The mirror is pkg.example <!-- src:web ts:2026-01-15 ttl:30d -->

## Instead

`hoard consolidate` archives it. If you have looked again, renew `ts` and name what you saw in `ev:`.

## Limits

As HG601: one finding for each tag; daily logs without a tag, the archive, and what is undated or untagged are not judged.
"""

from __future__ import annotations

from hoard_git.core.freshness import EXPIRED
from hoard_git.lint.ageing import find_aged, find_written, hit, told
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG602", "expired", "warn", "entry")

_HINT = "hoard consolidate archives it; if you looked again, renew ts with ev:"
_OF_THE_USER = "only the user retires it: change the date or ttl in its tag, or delete it"


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Judge the tags of a file as it stands."""
    for claim, count in find_aged(file, scene, EXPIRED):
        yield hit(claim, count, scene, "expired", _OF_THE_USER if claim.src == "user" else _HINT)


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge what the change adds or edits."""
    for path, line, end_line, claim in find_written(scene, EXPIRED):
        yield Hit(f"written expired: {told(claim, scene)}", line, 1, "give it the day on which it was learned", path, end_line)
