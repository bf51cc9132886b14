"""A file is longer than the host loads: its middle or its end never reaches the agent.

## Why

The host cuts without a word to the user. The file on disk is whole, so everybody believes that the agent knows what stands in it; what fell into the
cut is neither used nor missed. It is the middle that goes where start and end are kept, so the newest and the oldest entries look fine.

## Bad

```
$ wc -m MEMORY.md
25120 MEMORY.md
$ hoard check
MEMORY.md:181: HG502 lines 181 to 244 are not loaded: the file is 25,120 chars, openclaw-2026.8 loads 20,000 chars
```

## Good

A change that makes a file shorter, or leaves it as long as it was, is silent:

    before: MEMORY.md
    | - Backups run at 03:30 <!-- src:agent ts:2026-06-01 -->
    after: MEMORY.md
    | - Backups run at 04:30 <!-- src:agent ts:2026-06-02 -->

## Instead

For the index `hoard consolidate`, which moves sections out and loses nothing; the others are yours to shorten. If your host loads more, say so:
`budgets:` takes a profile (`openclaw-2026.2`, `claude-code`, …) or numbers (`{file: 40000 chars, total: 80000 chars}`). `hoard doctor` reads the host's
own configuration, and names the blocks in the cut.

## Limits

In a commit or a range the policy's numbers count, never a file of this machine. Only a change that crosses the limit, or goes further past it, is
reported. Where nothing but provenance tags came, a limit that they cross is a warning: an adopted file is not refused for being tagged.
"""

from __future__ import annotations

from hoard_git.core.files import LOADED
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.budget import Budget
    from hoard_git.lint.room import Sized
    from hoard_git.lint.scene import Scene

META = Meta("HG502", "file-over-bootstrap-limit", "error", "path")


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge the loaded files of the scene, each by the limits that the host puts on it."""
    if not any(view.file_class in LOADED for view in scene.files):
        return
    from hoard_git.lint.room import budget_of, sized_files

    budget = budget_of(scene)
    for sized in sized_files(scene):
        limits = budget.limits(sized.name) if sized.name in budget.order else ()
        if any(sized.size.bytes > limit.amount for limit in limits):  # no file has fewer bytes than characters or lines
            yield from _judge(scene, sized, budget)


def _judge(scene: Scene, sized: Sized, budget: Budget) -> Iterator[Hit]:
    """Load the file alone, as the host would."""
    from hoard_git.core.markdown import render
    from hoard_git.core.window import load
    from hoard_git.lint.room import words_of

    alone = budget._replace(total=None)
    path = sized.view.path
    row = load({sized.name: (path, sized.data)}, alone).rows[0]
    if not row.is_over or row.limit is None:
        return
    severity = ""
    if scene.change and sized.before is not None:
        before = scene.before[path]
        old = load({sized.name: (path, render(before.document))}, alone).rows[0]
        only_tagged = words_of(sized.view) <= words_of(before)
        if old.is_over and (only_tagged or row.counted <= old.counted):
            return
        severity = "warn" if only_tagged else ""
    first, last = row.first_lost, row.last_lost
    lost = f"lines {first} to {last} are not loaded" if first != last else f"a part of line {first} is not loaded"
    if not last:
        lost = "the host writes nothing more into it"
    message = f"{lost}: the file is {row.told()}, {budget.name} loads {row.limit.text()}"
    hint = "hoard consolidate --dry-run" if sized.view.file_class == "index" else f"shorten {path}, or move what is no rule to memory/"
    yield Hit(message, max(first, 1), 1, hint, path, max(last, 1), severity)
