"""A tool wrote memory.

## Why

What a policy lists as `kind: tool` (a formatter, a sync job, a scanner) has no facts of its own to remember. Its output becomes memory when an
agent or a person reads it and writes down what it means, with `src:tool`. A tool that commits to memory by itself goes around both.

## Bad

    actor: tool
    before: MEMORY.md
    | - Node 2 is online <!-- src:tool ts:2026-06-01 -->
    after: MEMORY.md
    | - Node 2 is online <!-- src:tool ts:2026-06-01 -->
    | - Node 3 is online <!-- src:tool ts:2026-06-15 -->

## Good

    actor: agent
    before: MEMORY.md
    | - Node 2 is online <!-- src:tool ts:2026-06-01 -->
    after: MEMORY.md
    | - Node 2 is online <!-- src:tool ts:2026-06-01 -->
    | - Node 3 is online <!-- src:tool ts:2026-06-15 -->

## Instead

Let the agent write what the tool reported: `hoard add TEXT --src tool`. If this address is an agent's after all, a human changes its
`kind` in .hoard.yaml.
"""

from __future__ import annotations

from hoard_git.lint.elsewhere import MEMORY
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import Scene

META = Meta("HG303", "tool-write", "error", "change", nonhuman=True)


def check_change(scene: Scene) -> Iterator[Hit]:
    """Name every memory file that a tool changed, added or deleted."""
    if scene.actor.kind != "tool":
        return
    hint = "let the agent write what the tool reported: hoard add TEXT --src tool"
    after = {file.path: file for file in scene.files}
    for path in sorted({*scene.before, *after}):
        file = after.get(path) or scene.before[path]
        if file.file_class in MEMORY:
            gone = path not in after
            yield Hit("a tool deletes memory" if gone else "a tool writes memory", 0, 0, hint, path, gone=gone)
