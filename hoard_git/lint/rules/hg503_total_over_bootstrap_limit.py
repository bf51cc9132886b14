"""The files that are loaded at the start of a session want more room together than the host gives them.

## Why

A host loads files in a fixed order until its total is used up. What comes last is cut to what is left or dropped whole, and last is MEMORY.md. So
a manual that grew takes the memory away, and nobody has touched MEMORY.md.

## Bad

```
$ cat AGENTS.md SOUL.md TOOLS.md IDENTITY.md USER.md HEARTBEAT.md MEMORY.md | wc -m
68450
$ hoard check
MEMORY.md:1: HG503 warning: all loaded files want 66,210 chars, openclaw-2026.8 loads 60,000 chars: MEMORY.md is cut
```

## Good

A change that makes the files smaller is silent, and so is one to files that are not loaded:

    before: memory/notes.md
    | - Backups run at 03:30 <!-- src:agent ts:2026-06-01 -->
    after: memory/notes.md
    | - Backups run at 04:30 <!-- src:agent ts:2026-06-02 -->

## Instead

Shorten the longest file of those that are loaded first; `hoard doctor` lists them in that order with what each takes.

## Limits

Files count up to their own limit, as more of them is not loaded anyway. Files that a plugin of the host adds are not known here.
"""

from __future__ import annotations

from hoard_git.core.files import LOADED
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hoard_git.core.budget import Budget
    from hoard_git.lint.room import Sized
    from hoard_git.lint.scene import Scene

META = Meta("HG503", "total-over-bootstrap-limit", "warn", "path")


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge each workspace of which the scene holds a loaded file; in a change only when one of them has grown."""
    if not any(view.file_class in LOADED for view in scene.files):
        return
    from hoard_git.core.files import local_path
    from hoard_git.lint.room import budget_of, sized_files

    budget = budget_of(scene)
    rooms: dict[str, list[Sized]] = {}
    for sized in sized_files(scene):
        if sized.name in budget.order:
            inside = local_path(sized.view.path, scene.policy) or ""
            rooms.setdefault(sized.view.path[: len(sized.view.path) - len(inside)], []).append(sized)
    for top, here in rooms.items():
        if not scene.change or any(one.before is None or one.size.bytes > one.before.bytes for one in here):
            yield from _judge(scene, top, here, budget)


def _judge(scene: Scene, top: str, here: list[Sized], budget: Budget) -> Iterator[Hit]:
    limit = budget.total
    others = _others(scene, top, here, budget)
    if limit is None or others is None:
        return
    from hoard_git.core.markdown import render
    from hoard_git.core.window import DROPPED, WHOLE, load

    window = load({**others, **{one.name: (one.view.path, one.data) for one in here}}, budget)
    if not window.is_over:
        return
    if scene.change:
        old = {one.name: (one.view.path, render(scene.before[one.view.path].document)) for one in here if one.view.path in scene.before}
        if load({**others, **old}, budget).total >= window.total:
            return
    lost = [f"{row.path} is {'dropped' if row.outcome == DROPPED else 'cut'}" for row in window.rows if row.outcome != WHOLE]
    wanted = limit._replace(amount=window.total).text()
    message = f"all loaded files want {wanted}, {budget.name} loads {limit.text()}: {', '.join(lost) or 'nothing more is written'}"
    at = next((row.path for row in window.rows if row.outcome != WHOLE), here[-1].view.path)
    yield Hit(message, 1, 1, "hoard doctor", at if not scene.change else max(here, key=_growth).view.path)


def _growth(one: Sized) -> int:
    return one.size.bytes - (one.before.bytes if one.before is not None else 0)


def _others(scene: Scene, top: str, here: list[Sized], budget: Budget) -> Mapping[str, tuple[str, bytes]] | None:
    """The loaded files that the scene does not hold; None when all of them together are too small to matter, by their bytes alone."""
    from hoard_git.core.budget import INDEX_NAME, LINES
    from hoard_git.core.files import index_name

    known = {one.name for one in here}
    paths = {top + (index_name(scene.policy) if name == INDEX_NAME else name): name for name in budget.order if name not in known}
    gone = {change.path for change in scene.paths if not change.new_mode}
    asked = [path for path in paths if path not in gone]
    limit = budget.total
    if limit is not None and limit.unit != LINES:
        sizes = scene.lookup.sizes(asked)
        if sum(sizes.values()) + sum(one.size.bytes for one in here) <= limit.amount:
            return None
    return {paths[path]: (path, data) for path, data in scene.lookup.texts(asked).items()}
