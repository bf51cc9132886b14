"""An entry of a past day's log was edited or taken out.

## Why

A daily log is what happened, written while it happened. Later sessions and consolidation rely on that, and a changed log changes what seems to
have happened. Today's and yesterday's logs are still open; older ones are only added to, or archived as a whole.

## Bad

    actor: agent
    before: memory/2026-06-01.md
    | # 2026-06-01
    | - The restore test failed
    after: memory/2026-06-01.md
    | # 2026-06-01
    | - The restore test passed

## Good

    actor: agent
    before: memory/2026-06-01.md
    | # 2026-06-01
    | - The restore test failed
    after: memory/2026-06-01.md
    | # 2026-06-01
    | - The restore test failed
    | - Added on 2026-06-15: it failed because the disk was full

Yesterday's log is still open:

    actor: agent
    before: memory/2026-06-14.md
    | - The restore test failed
    after: memory/2026-06-14.md
    | - The restore test failed at 9:40

An old log that is shortened; the whole of it lies in the archive:

    actor: agent
    before: memory/2026-06-01.md
    | # 2026-06-01
    | - The restore test failed
    | - We decided to rent a second disk
    after: memory/2026-06-01.md
    | # 2026-06-01
    | - We decided to rent a second disk
    after: memory/archive/logs/2026-06-01.md
    | # 2026-06-01  <!-- src:agent ts:2026-06-01 -->
    | - The restore test failed
    | - We decided to rent a second disk

A log past its warm days that turns cold: key lines in the archive, the rest in history:

    actor: agent
    before: memory/2026-01-05.md
    | # 2026-01-05
    | - The restore test failed
    | - We decided to rent a second disk
    after: memory/archive/logs/2026-01-05.md
    | # 2026-01-05  <!-- src:agent ts:2026-01-05 -->
    | - We decided to rent a second disk

## Instead

Add an entry that corrects the old one, in the old log or in today's.

## Limits

Regions that another tool manages (`<!-- name:start -->` to `<!-- name:end -->`) are not looked at, nor are new tags and dates. What leaves a log
and stands word for word in `memory/archive/` after the change, or stood there before it, is no loss here, nor is what a log past its warm days
leaves behind when the archive gets what is kept of it, nor a line written anew of one past its hot days whose archived original has the old words.
What leaves the archive is HG310's and HG703's matter.
"""

from __future__ import annotations

from hoard_git.core.files import log_day
from hoard_git.lint.filing import Filing, place_free
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.align import Unit
    from hoard_git.lint.scene import Scene

META = Meta("HG311", "past-log-changed", "warn", "change", nonhuman=True)

_HINT = "add an entry that corrects it, here or in today's log"


def check_change(scene: Scene) -> Iterator[Hit]:
    """Yield one finding for what was edited in each past log, and one for what is gone from it.

    The words hold no number: a merge is judged against each parent, and what is gone is recognised by its words.
    """
    groups: dict[str, list[tuple[Unit, Unit | None]]] = {}
    for change in scene.changes:
        before = change.before
        if before is None or before.is_heading or before.file_class != "daily" or not (change.after is None or change.has("edit")):
            continue
        day = log_day(before.path)
        if day is None or day >= scene.today - 1 or scene.before[before.path].document.in_region(before.line):
            continue
        groups.setdefault(before.path, []).append((before, change.after))
    if not groups:
        return
    archived, filing = _Archived(scene), Filing(scene)
    for path, pairs in groups.items():
        edited = [after for before, after in pairs if after is not None and after.path == path and not filing.is_filed(before)]
        gone = [before for before, after in pairs if after is None or after.path != path]
        removed = [before for before in gone if not filing.is_filed(before) and not archived.holds(before)]
        if edited:
            first, last = min(edited, key=_line), max(edited, key=_line)
            yield Hit("a past day's log was edited", first.line, 1, f"{_count(edited)}; {_HINT}", path, last.end_line)
        if removed:
            unit = min(removed, key=_line)
            yield Hit("entries left a past day's log", unit.line, 1, f"{_count(removed)}; {_HINT}", path, gone=True)


class _Archived:
    """The words in the archive files of a change, before and after it; read only when something has left a log."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._texts: set[str] | None = None

    def holds(self, unit: Unit) -> bool:
        """Whether an entry stands there word for word, links to the same places, whatever the path."""
        if self._texts is None:
            self._texts = set()
            for view in (*self._scene.files, *self._scene.before.values()):
                if view.file_class == "archive":
                    self._texts.update(place_free(entry.text, view.path) for entry in view.document.entries)
        return bool(self._texts) and place_free(unit.text, unit.path) in self._texts


def _line(unit: Unit) -> int:
    return unit.line


def _count(units: list[Unit]) -> str:
    return f"{len(units)} {'entry' if len(units) == 1 else 'entries'}"
