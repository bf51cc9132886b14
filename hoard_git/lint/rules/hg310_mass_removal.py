"""A large part of the active memory leaves it in one change.

## Why

A clean-up that goes wrong, a file written from a truncated context, or a hostile rewrite all look alike: many entries are gone at once. Git
still has them, but the next session does not. So more than a quarter of the entries of the workspace, of the index or of one daily log stops for
a human; `consolidate: max_loss` says how much.

## Bad

    actor: agent
    before: MEMORY.md
    | - Node 1 runs the queue <!-- src:agent ts:2026-06-01 -->
    | - Node 2 runs the cache <!-- src:agent ts:2026-06-01 -->
    | - Node 3 runs the mail <!-- src:agent ts:2026-06-01 -->
    | - Node 4 runs the tests <!-- src:agent ts:2026-06-01 -->
    | - Node 5 runs the wiki <!-- src:agent ts:2026-06-01 -->
    | - Node 6 runs the proxy <!-- src:agent ts:2026-06-01 -->
    | - Backups go to disk two <!-- src:agent ts:2026-06-01 -->
    | - The printer is upstairs <!-- src:agent ts:2026-06-01 -->
    | - Lunch is at noon <!-- src:agent ts:2026-06-01 -->
    | - Invoices go out on Friday <!-- src:agent ts:2026-06-01 -->
    after: MEMORY.md
    | # MEMORY.md

## Good

    actor: agent
    before: MEMORY.md
    | - Node 1 runs the queue <!-- src:agent ts:2026-06-01 -->
    | - Node 2 runs the cache <!-- src:agent ts:2026-06-01 -->
    | - Node 3 runs the mail <!-- src:agent ts:2026-06-01 -->
    after: MEMORY.md
    | - Node 1 runs the queue <!-- src:agent ts:2026-06-01 -->

## Instead

Remove less at a time, move instead of delete, or let a human commit it: `hoard commit --human`. `hoard consolidate` proposes what can go and says
where it went.

## Limits

Fewer than ten entries are no mass. Moves among active files do not count, nor do copies whose twin stays. Entries that go to the archive count,
except from a daily log that is past its hot days, where that is the ordinary way.
"""

from __future__ import annotations

from hoard_git.core.align import core_text
from hoard_git.core.dates import ttl_days
from hoard_git.core.files import ACTIVE, log_day
from hoard_git.core.units import core_of
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.align import Change
    from hoard_git.lint.scene import Scene

META = Meta("HG310", "mass-removal", "error", "change", nonhuman=True)

FEWEST = 10
"""Entries that have to leave before this rule says anything."""


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge the whole workspace, then the index and each daily log by itself."""
    leaving = [change for change in scene.changes if _leaves(change)]
    if len(leaving) < FEWEST:
        return
    leaving = _without_twins(scene, leaving)
    counts = {path: len(view.document.entries) for path, view in scene.before.items() if view.file_class in ACTIVE}
    limit = scene.policy.max_loss
    if _is_mass(len(leaving), sum(counts.values()), limit):
        total = max(scene.lookup.active_entries(), sum(counts.values()))
        if _is_mass(len(leaving), total, limit):
            by_path = _by_path(leaving)
            path = max(sorted(by_path), key=lambda p: len(by_path[p]))
            yield _hit(len(leaving), total, limit, "the active memory", path)
            return
    for path, changes in sorted(_by_path(leaving).items()):
        file_class = scene.before[path].file_class
        lost = [change for change in changes if change.after is None or not _is_past_hot(scene, path)] if file_class == "daily" else changes
        if file_class in ("index", "daily") and _is_mass(len(lost), counts[path], limit):
            yield _hit(len(lost), counts[path], limit, "this file", path)


def _leaves(change: Change) -> bool:
    before, after = change.before, change.after
    if before is None or before.is_heading or before.file_class not in ACTIVE:
        return False
    return after is None or after.file_class not in ACTIVE


def _is_mass(lost: int, total: int, limit: float) -> bool:
    return lost >= FEWEST and lost > limit * total


def _without_twins(scene: Scene, leaving: list[Change]) -> list[Change]:
    """Leave out copies: the same words still stand in a changed active file, or in an unchanged one."""
    staying = {
        core_of(entry.text.replace("\r", "")) for view in scene.files if view.file_class in ACTIVE for entry in view.document.entries
    }
    rest = [change for change in leaving if core_text(change.unit) not in staying]
    if len(rest) < FEWEST:
        return rest
    needles = sorted({core_text(change.unit) for change in rest} - {""})
    views = scene.lookup.views_with(needles)
    staying = {core_of(entry.text.replace("\r", "")) for view in views if view.file_class in ACTIVE for entry in view.document.entries}
    return [change for change in rest if core_text(change.unit) not in staying]


def _by_path(leaving: list[Change]) -> dict[str, list[Change]]:
    found: dict[str, list[Change]] = {}
    for change in leaving:
        if change.before is not None:
            found.setdefault(change.before.path, []).append(change)
    return found


def _is_past_hot(scene: Scene, path: str) -> bool:
    day = log_day(path)
    hot = ttl_days(dict(scene.policy.tiers).get("hot", "7d"))
    return day is not None and hot is not None and day < scene.today - hot


def _hit(lost: int, total: int, limit: float, where: str, path: str) -> Hit:
    message = f"{lost} of {total} entries leave {where}, more than {round(limit * 100)}%"
    return Hit(message, 0, 0, "remove less at a time, or let a human commit it: hoard commit --human", path)
