"""Many entries from tools, the web or old history came in with one change.

## Why

One page that is saved as eighty facts outweighs what the user said: search finds it first, consolidation counts repeats as importance, and
nobody reads eighty lines of a review. `limits: low_trust_entries` says how many are normal.

## Bad

```
- a page, cut into 31 entries, each with <!-- src:web ts:2026-06-15 -->, in one commit
```

## Good

    actor: agent
    before: MEMORY.md
    | # MEMORY.md
    after: MEMORY.md
    | # MEMORY.md
    | - The page says that the fast mirror moved <!-- src:web ts:2026-06-15 ev:news.example/mirror -->

## Instead

Write down the few facts that matter, with `ev:` for the page; keep long material outside the memory. If this is normal here, a human raises the
limit in .hoard.yaml.
"""

from __future__ import annotations

from hoard_git.core.model import LOW_TRUST
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import Scene

META = Meta("HG313", "flood", "warn", "change", nonhuman=True)


def check_change(scene: Scene) -> Iterator[Hit]:
    """Count the added entries of low trust; one finding, where the most of them are."""
    counts: dict[str, int] = {}
    for change in scene.changes:
        unit = change.after
        if change.before is None and unit is not None and not unit.is_heading and unit.provenance.src in LOW_TRUST:
            counts[unit.path] = counts.get(unit.path, 0) + 1
    total, limit = sum(counts.values()), scene.policy.low_trust_entries
    if total > limit:
        path = max(sorted(counts), key=lambda p: counts[p])
        message = f"{total} new entries from tool, web and dig, more than {limit}"
        yield Hit(message, 0, 0, "keep the few that matter, or let a human raise limits: low_trust_entries", path)
