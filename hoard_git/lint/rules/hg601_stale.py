"""A claim is older than its ttl: what it says may not be so any more.

## Why

A fact about a price, a host or a person is true for a while. Its `ttl`, or the default of its source, says how long; after that it is read with
a grain of salt, and after twice that it goes to the archive (HG602). Dates are calendar days in the policy's time zone, and at exactly the ttl a
claim still holds.

## Bad

    file: MEMORY.md
    | ## Infrastructure <!-- src:agent ts:2026-03-01 ttl:90d -->
    | - Node 2 runs the cache

## Good

    file: MEMORY.md
    | ## Infrastructure <!-- src:agent ts:2026-03-17 ttl:90d -->
    | - Node 2 runs the cache

What the user says holds until the user says otherwise:

    file: MEMORY.md
    | - Answers are short <!-- src:user ts:2020-01-10 -->

## Instead

Look again and write what you saw, with its date and `ev:`; or let `hoard consolidate` mark it.

## Limits

One finding for each tag, however many entries go by it. Daily logs that carry no tag and the archive are left to the tiers; what is undated or
untagged never expires.
"""

from __future__ import annotations

from hoard_git.core.freshness import STALE
from hoard_git.lint.ageing import find_aged, find_written, hit, told
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG601", "stale", "info", "entry")

_HINT = "look again and renew ts with ev:, or let hoard consolidate mark it"
_OF_THE_USER = "only the user renews it: change the date in its tag"


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Judge the tags of a file as it stands."""
    for claim, count in find_aged(file, scene, STALE):
        yield hit(claim, count, scene, "stale", _OF_THE_USER if claim.src == "user" else _HINT)


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge what the change adds or edits."""
    for path, line, end_line, claim in find_written(scene, STALE):
        yield Hit(f"written stale: {told(claim, scene)}", line, 1, "give it the day on which it was learned", path, end_line)
