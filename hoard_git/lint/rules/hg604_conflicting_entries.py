"""Two entries say different things of the same subject.

## Why

An agent that reads "the lock timeout is 5 seconds" and "the lock timeout is 15 seconds" takes the one that it sees first, or the one that a web
page has put there. The newer one is not always right: a low source may contradict what the user said.

## Bad

    file: MEMORY.md
    | ## Database  <!-- src:agent ts:2026-06-01 -->
    | - Lock timeout is 5 seconds
    | - Lock timeout is 15 seconds

Something new against what the user said:

    before: MEMORY.md
    | ## Rules  <!-- src:agent ts:2026-06-01 -->
    | - Deploys are not allowed on Friday <!-- src:user ts:2026-01-10 -->
    after: MEMORY.md
    | ## Rules  <!-- src:agent ts:2026-06-01 -->
    | - Deploys are not allowed on Friday <!-- src:user ts:2026-01-10 -->
    | - Deploys are allowed on Friday <!-- src:web ts:2026-06-10 -->

## Good

    file: MEMORY.md
    | ## Ports  <!-- src:agent ts:2026-06-01 -->
    | - Port 8123 is open
    | - Port 8132 is open

The same words of two things:

    file: MEMORY.md
    | ## Router  <!-- src:agent ts:2026-06-01 -->
    | - The port is 8080
    | ## Proxy  <!-- src:agent ts:2026-06-01 -->
    | - The port is 9090

## Instead

Find out which one is true, correct it with `ev:`, and delete the other. Where both are, say what makes them differ. `hoard consolidate --dry-run`
lists all such pairs; the most trusted comes first, then the newest. Nothing is changed by itself.

## Limits

Words alone are compared: under the same heading, or two sentences of six words or more. Only differences of numbers, versions, units, dates,
negations, opposites, and of the one value that a thing has (`is named …`, `Owner: …`) count. Daily logs are left out. Of a change, only the changed files
are compared.
"""

from __future__ import annotations

from hoard_git.lint.scene import Hit, Meta
from hoard_git.lint.twins import pick_close, place, statements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.duplicates import Statement
    from hoard_git.core.nearness import Near
    from hoard_git.lint.scene import Scene

META = Meta("HG604", "conflicting-entries", "warn", "path")

_CLASSES = ("index", "topic")
_HINT = "find out which one is true, and delete the other"


def check_change(scene: Scene) -> Iterator[Hit]:
    """Compare the files as they stand, or what a change adds and alters with the files that it changes."""
    for found in statements(scene, _CLASSES, pick_close):
        from hoard_git.core.nearness import CONFLICT, find_near

        judged = {(one.path, one.number) for one in found if _is_judged(scene, one)} if scene.change else None
        for item in find_near(found, about=judged):
            if item.kind == CONFLICT:
                yield from _changed(scene, item) if scene.change else _standing(item)


def _standing(item: Near) -> Iterator[Hit]:
    """One hit for all entries that contradict each other, at the one behind the most trusted."""
    first, second, *rest = item.statements
    more = f", and so do {len(rest)} more" if rest else ""
    yield _hit(second, first, item.reason, more)


def _changed(scene: Scene, item: Near) -> Iterator[Hit]:
    one = next(one for one in item.statements if _is_judged(scene, one))
    yield _hit(one, next(two for two in item.statements if two is not one), item.reason, "")


def _is_judged(scene: Scene, one: Statement) -> bool:
    file = scene.view(one.path)
    return file is not None and file.judges(one.line, one.end_line)


def _hit(one: Statement, other: Statement, reason: str, more: str) -> Hit:
    trust = ", the user's" if other.src == "user" and one.src != "user" else ""
    message = f"the entry contradicts {place(one, other)}{trust}{more}: {reason}"
    return Hit(message, one.line, 1, _HINT, one.path, one.end_line)
