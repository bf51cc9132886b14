"""A date or ttl was raised while the words stayed the same and nothing says what was checked.

## Why

Expiry is what removes a wrong fact that nobody looks at. Moving its date forward keeps it for another term, and search ranks it as news. That
is right when somebody has looked again, so say where: `ev:` names the page, the command or the file.

## Bad

    actor: agent
    before: MEMORY.md
    | - Node 2 is the primary <!-- src:web ts:2026-03-01 -->
    after: MEMORY.md
    | - Node 2 is the primary <!-- src:web ts:2026-06-01 -->

A full stop, letter case or emphasis makes no new words:

    actor: agent
    before: MEMORY.md
    | - Node 2 is the primary. <!-- src:web ts:2026-03-01 -->
    after: MEMORY.md
    | - **node 2 is the primary** <!-- src:web ts:2026-06-01 -->

A heading's date counts for all that stands under it:

    actor: agent
    before: MEMORY.md
    | ## Servers  <!-- src:agent ts:2026-03-01 ttl:90d -->
    | - Node 2 is the primary
    after: MEMORY.md
    | ## Servers  <!-- src:agent ts:2026-03-01 ttl:1y -->
    | - Node 2 is the primary

## Good

    actor: agent
    before: MEMORY.md
    | - Node 2 is the primary <!-- src:web ts:2026-03-01 -->
    after: MEMORY.md
    | - Node 2 is the primary <!-- src:web ts:2026-06-01 ev:status.example/nodes -->

New words with a new date:

    actor: agent
    before: MEMORY.md
    | - Node 2 is the primary <!-- src:agent ts:2026-03-01 -->
    after: MEMORY.md
    | - Node 3 is the primary <!-- src:agent ts:2026-06-01 -->

## Instead

Add `ev:` with where you looked, or leave the date and let consolidation ask.

## Limits

A first date in place of `ts:unknown` is no renewal; `ts:unknown` in place of a date is one, because it never expires. A user's dates
are HG301's, a lost tag is HG101's. Taking off the `\u26a0\ufe0f stale` mark alone is none: age decides what is stale, and consolidation puts the mark back;
`git revert` of a consolidation takes it off.
"""

from __future__ import annotations

from hoard_git.core.align import core_text
from hoard_git.core.dates import parse_day, ttl_days
from hoard_git.core.provenance import deciding_tag
from hoard_git.core.units import fact_key
from hoard_git.lint.filing import Filing
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.align import Unit
    from hoard_git.core.policy import Policy
    from hoard_git.lint.scene import Scene

META = Meta("HG306", "renewed-without-evidence", "warn", "change", nonhuman=True)

_FOREVER = 10_000_000


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge each tag once by the units whose term it raised."""
    seen = set()
    for change in scene.changes:
        before, after = change.before, change.after
        if before is None or after is None or not change.has("retime", "retag"):
            continue
        if before.text != after.text and fact_key(core_text(before)) != fact_key(core_text(after)):
            continue
        sources = (before.provenance.src, after.provenance.src)
        if "user" in sources or "" in sources:
            continue
        what = _renewal(before, after, scene.policy)
        place = (after.path, after.provenance.line)
        if not what or place in seen or (after.file_class == "archive" and Filing(scene).is_own(after)):
            continue
        seen.add(place)
        if not _has_new_evidence(scene, before, after):
            line = after.provenance.line or after.line
            yield Hit(f"{what} with no new evidence", line, 1, "add ev: with where you looked, or leave the date", after.path, line)


def _renewal(before: Unit, after: Unit, policy: Policy) -> str:
    old, new = before.provenance, after.provenance
    was, now = parse_day(old.ts), parse_day(new.ts)
    if was is not None and now is None:
        return "the date is taken away"
    if was is not None and now is not None and now > was:
        return f"ts goes from {old.ts} to {new.ts}"
    old_ttl, new_ttl = old.ttl or policy.ttl_default(old.src), new.ttl or policy.ttl_default(new.src)
    if _days(new_ttl) > _days(old_ttl):
        return f"ttl goes from {old_ttl} to {new_ttl}"
    return ""


def _days(ttl: str) -> int:
    days = ttl_days(ttl)
    return _FOREVER if days is None else days


def _has_new_evidence(scene: Scene, before: Unit, after: Unit) -> bool:
    view = scene.view(after.path)
    new = deciding_tag(view.document, after.provenance) if view is not None else None
    if new is None or not new.ev:
        return False
    old = deciding_tag(scene.before[before.path].document, before.provenance)
    return old is None or old.ev != new.ev
