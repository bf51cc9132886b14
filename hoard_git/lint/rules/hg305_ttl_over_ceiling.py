"""A ttl is longer than the policy allows for its source, or a shorter one was taken away.

## Why

What came from the web or from old history is kept for a while and then looked at again. `ttl:never` on a web page's sentence makes it permanent
in one word. A tag without a ttl has its source's default, so taking a short one out is a change as well.

## Bad

    actor: agent
    before: MEMORY.md
    | # MEMORY.md
    after: MEMORY.md
    | # MEMORY.md
    | - The mirror is pkg.fast.example <!-- src:web ts:2026-06-01 ttl:never -->

A longer one on what is there:

    actor: agent
    before: MEMORY.md
    | ## Mirrors  <!-- src:web ts:2026-06-01 ttl:30d -->
    | - The mirror is pkg.fast.example
    after: MEMORY.md
    | ## Mirrors  <!-- src:web ts:2026-06-01 ttl:2y -->
    | - The mirror is pkg.fast.example

## Good

    actor: agent
    before: MEMORY.md
    | # MEMORY.md
    after: MEMORY.md
    | # MEMORY.md
    | - The mirror is pkg.fast.example <!-- src:web ts:2026-06-01 ttl:90d -->

What was there before is not judged again:

    actor: agent
    before: MEMORY.md
    | - The mirror is pkg.fast.example <!-- src:web ts:2026-06-01 ttl:2y -->
    after: MEMORY.md
    | - The mirror is now pkg.fast.example <!-- src:web ts:2026-06-01 ttl:2y -->

## Instead

Use a ttl within the ceiling and renew it with new evidence (`ev:`), or let a human change `ttl: ceilings:` in .hoard.yaml.
"""

from __future__ import annotations

from hoard_git.core.dates import ttl_days
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.align import Unit
    from hoard_git.core.policy import Policy
    from hoard_git.lint.scene import Scene

META = Meta("HG305", "ttl-over-ceiling", "error", "change", nonhuman=True)


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge each tag once whose source or ttl is new to something that has it."""
    ceilings = {source: days for source, ttl in scene.policy.ttl_ceilings if (days := ttl_days(ttl)) is not None}
    seen = set()
    for change in scene.changes:
        unit = change.after
        if unit is None or unit.provenance.src not in ceilings:
            continue
        source = unit.provenance.src
        ttl = effective_ttl(unit, scene.policy)
        days = ttl_days(ttl)
        if days is not None and days <= ceilings[source]:
            continue
        before = change.before
        if before is not None and (before.provenance.src, effective_ttl(before, scene.policy)) == (source, ttl):
            continue
        line = unit.provenance.line or unit.line
        if (unit.path, line) in seen:
            continue
        seen.add((unit.path, line))
        without = "" if unit.provenance.ttl else " (the default)"
        message = f"a ttl of {ttl}{without} is over the ceiling of {ceilings[source]}d for {source}"
        yield Hit(message, line, 1, f"write ttl:{ceilings[source]}d at most", unit.path, line)


def effective_ttl(unit: Unit, policy: Policy) -> str:
    """The ttl of a unit as written, else its source's default."""
    return unit.provenance.ttl or policy.ttl_default(unit.provenance.src)
