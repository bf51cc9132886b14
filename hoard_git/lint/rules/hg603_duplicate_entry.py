"""An entry says again what another entry of the same workspace says.

## Why

Copies cost room in a file that is cut at its limit, and they drift apart: one is corrected, the other keeps saying the old thing. Five copies
of a sentence also look like five witnesses.

## Bad

    file: MEMORY.md
    | ## Infrastructure  <!-- src:agent ts:2026-06-01 -->
    | - The NAS is called osprey
    | - Backups run at night
    | - **The NAS** is called osprey.

A sentence that stands in a sidecar as well:

    before: MEMORY.md
    | ## Infrastructure  <!-- src:agent ts:2026-06-01 -->
    after: MEMORY.md
    | ## Infrastructure  <!-- src:agent ts:2026-06-01 -->
    after: memory/backup.md
    | # Backup  <!-- src:agent ts:2026-06-01 -->
    | - The nightly backup of the NAS goes to the storage box
    | ## Copies
    | - The nightly backup of the NAS goes to the storage box

## Good

    file: MEMORY.md
    | ## Router  <!-- src:agent ts:2026-06-01 -->
    | - port 8080
    | ## Proxy  <!-- src:agent ts:2026-06-01 -->
    | - port 8080

Numbers, units and negations are never overlooked:

    file: MEMORY.md
    | ## Power  <!-- src:agent ts:2026-06-01 -->
    | - The plant makes 5 mW
    | - The plant makes 5 MW

What is promoted from a daily log stands in both:

    file: MEMORY.md
    | ## Infrastructure  <!-- src:agent ts:2026-06-01 -->
    | - The nightly backup of the NAS goes to the storage box
    file: memory/2026-06-01.md
    | - The nightly backup of the NAS goes to the storage box

## Instead

Delete the copy with the lower source or the older date: `hoard consolidate --steps dedupe` does that, and keeps every copy of the user's. To
confirm a fact, raise the date of the entry that is there and say where you saw it (`ev:`).

## Limits

Only what is certainly the same: the same words but for bullets, emphasis, blanks, the final full stop, the case of plain words and articles. Short
entries count under the same heading only. Of a change, only the changed files are compared. Table rows, code, quotes and numbered steps never count.
"""

from __future__ import annotations

from hoard_git.lint.scene import Hit, Meta
from hoard_git.lint.twins import pick_equal, place, statements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.duplicates import Group, Statement
    from hoard_git.lint.scene import Scene

META = Meta("HG603", "duplicate-entry", "warn", "path")

_CLASSES = ("index", "topic", "daily")
_HINT = "delete the copy, or let hoard consolidate --steps dedupe do it"
_USERS = "both are the user's, so only the user may delete one"


def check_change(scene: Scene) -> Iterator[Hit]:
    """Compare the files as they stand, or what a change adds and alters with the files that it changes."""
    for found in statements(scene, _CLASSES, pick_equal):
        from hoard_git.core.duplicates import find_groups

        for group in find_groups(found):
            yield from _changed(scene, group) if scene.change else _standing(group)


def _copies(group: Group) -> list[Statement]:
    users = [one for one in group.others if one.src == "user" == group.keeper.src]
    return sorted([*group.goes, *users], key=lambda one: (one.path, one.line))


def _standing(group: Group) -> Iterator[Hit]:
    """One hit a file for all copies in it: a log may say the same thing a hundred times."""
    by_path: dict[str, list[Statement]] = {}
    for one in _copies(group):
        by_path.setdefault(one.path, []).append(one)
    for copies in by_path.values():
        more = f", and {len(copies) - 1} more in this file do" if len(copies) > 1 else ""
        yield _hit(copies[0], group.keeper, more)


def _changed(scene: Scene, group: Group) -> Iterator[Hit]:
    """A hit for each copy that the change adds; when the one to keep is new, the old ones are its copies."""
    members = [group.keeper, *_copies(group)]
    judged = [one for one in members if _is_judged(scene, one)]
    rest = [one for one in members if one not in judged]
    for one in judged if rest else judged[1:]:
        yield _hit(one, rest[0] if rest else judged[0], "")


def _is_judged(scene: Scene, one: Statement) -> bool:
    file = scene.view(one.path)
    return file is not None and file.judges(one.line, one.end_line)


def _hit(one: Statement, other: Statement, more: str) -> Hit:
    hint = _USERS if one.src == other.src == "user" else _HINT
    return Hit(f"the entry repeats {place(one, other)}{more}", one.line, 1, hint, one.path, one.end_line)
