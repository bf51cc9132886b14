"""New content is dated long before today, or a tag was given an earlier day while its text stayed the same.

## Why

A fact with an early date expires early: to set a true fact's `ts` back is a quiet way to have it archived. New content under an old date looks
as if it had stood there, unquestioned, for months.

## Bad

    before: MEMORY.md
    | - Two people approve a release <!-- src:agent ts:2026-06-01 ttl:90d -->
    after: MEMORY.md
    | - Two people approve a release <!-- src:agent ts:2026-01-01 ttl:90d -->

New content under an old date:

    before: MEMORY.md
    | # Memory
    after: MEMORY.md
    | # Memory
    | ## Releases  <!-- src:agent ts:2026-01-01 -->
    | - One person approves a release

## Good

    before: MEMORY.md
    | # Memory
    after: MEMORY.md
    | # Memory
    | - Two people approve a release <!-- src:agent ts:2026-06-01 ttl:90d -->

Old content that gets its first tag:

    before: MEMORY.md
    | - Two people approve a release
    after: MEMORY.md
    | - Two people approve a release <!-- src:agent ts:2026-01-01 -->

## Instead

Date new content with the day on which it was learned. Write the day on which something happened into the text.

## Limits

The archive is not looked at: what is put there is old. Content that moves or comes back out of the archive keeps its date without a finding, and so do `ts:unknown` and what a first policy brings in.
A new entry under a heading that already stood there is not reported.
"""

from __future__ import annotations

from hoard_git.core.align import core_text
from hoard_git.core.dates import parse_day
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.align import Change, Unit
    from hoard_git.lint.scene import Scene

META = Meta("HG106", "backdated-timestamp", "warn", "change")

LONGEST = 30
"""Days before today that new content may be dated; 99 % of real logs are committed within a week of the day they are about."""


def check_change(scene: Scene) -> Iterator[Hit]:
    """Yield at most one hit for each tag."""
    seen: set[tuple[str, int]] = set()
    suspects: list[tuple[Unit, int]] = []
    new_tags = {(c.unit.path, c.unit.provenance.line) for c in scene.changes if c.kind == "add" and c.unit.provenance.origin == "own"}
    for change in scene.changes:
        after = change.after
        if after is None or after.file_class == "archive":
            continue
        if change.before is None:
            days = _age(after, scene)
            if days > LONGEST and not after.is_heading and not scene.introduces and _dates_itself(after, new_tags, scene):
                suspects.append((after, days))
            continue
        message = _set_back(change)
        place = _place(change)
        if message and place not in seen:
            seen.add(place)
            yield Hit(message, place[1], 1, "ts is the day on which it was learned; leave it as it was", after.path)
    known = _archived(scene, [unit for unit, _days in suspects]) if suspects else set()
    for unit, days in suspects:
        place = (unit.path, unit.provenance.line)
        if core_text(unit) not in known and place not in seen:
            seen.add(place)
            message = f"new content is dated {unit.provenance.ts}, {days} days back"
            yield Hit(message, unit.provenance.line, 1, "date it with the day on which it was learned", unit.path)


def _age(unit: Unit, scene: Scene) -> int:
    day = parse_day(unit.provenance.ts)
    return scene.today - day if day is not None else 0


def _dates_itself(unit: Unit, new_tags: set[tuple[str, int]], scene: Scene) -> bool:
    """Whether the change wrote the date: in a tag of its own, in that of a heading or item that came with it, or in a new file."""
    provenance = unit.provenance
    return (unit.path, provenance.line) in new_tags or (provenance.origin == "file" and unit.path not in scene.before)


def _set_back(change: Change) -> str:
    before, after = change.before, change.after
    if before is None or after is None or before.text != after.text or not before.provenance.src:
        return ""
    if change.has("move", "restore", "archive") and (before.provenance.origin, after.provenance.origin) != ("own", "own"):
        return ""
    old, new = parse_day(before.provenance.ts), parse_day(after.provenance.ts)
    if old is None or new is None or new >= old:
        return ""
    return f"ts went back from {before.provenance.ts} to {after.provenance.ts} while the text stayed the same"


def _place(change: Change) -> tuple[str, int]:
    """The line of the tag that decides; where another one decides than before, the unit's own line."""
    unit = change.unit
    before = change.before
    moved_on = before is not None and before.provenance.origin != unit.provenance.origin
    return (unit.path, unit.line if moved_on or not unit.provenance.line else unit.provenance.line)


def _archived(scene: Scene, units: list[Unit]) -> set[str]:
    """The core texts among these that stand in the archive: what comes back from there brings its date along."""
    needles = [unit.text.split("\n", 1)[0].strip() for unit in units]
    known = set()
    for view in scene.lookup.views_with([needle for needle in needles if needle]):
        if view.file_class == "archive":
            for entry in view.document.entries:
                known.add(core_text(units[0]._replace(text=entry.text.replace("\r\n", "\n").removesuffix("\r"))))
    return known & {core_text(unit) for unit in units}
