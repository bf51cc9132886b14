"""The index is longer than it should be.

## Why

MEMORY.md is loaded into every session, and it is loaded last: what it takes, the conversation lacks, and what the files before it take, it lacks. An
index that is swept at 15 KB never comes near the limit at which a host cuts it. Of 29 public workspaces half were over 12 KB at some time.

## Bad

```
$ wc -c MEMORY.md
18214 MEMORY.md
$ hoard check
MEMORY.md:1: HG501 warning: the index is 18,214 bytes, over the 15,360 bytes at which it is to be compressed
```

## Good

A change that makes a long index shorter, or leaves it as long as it was, is silent:

    before: MEMORY.md
    | - Backups run at 03:30 <!-- src:agent ts:2026-06-01 -->
    after: MEMORY.md
    | - Backups run at 04:30 <!-- src:agent ts:2026-06-02 -->

## Instead

`hoard consolidate --dry-run` shows which sections would move to files of their own, each with a line in the index that says where. Another size:
`MEMORY.md: 20KB` under `budgets:`, or `compress_at` under `consolidate:`.
"""

from __future__ import annotations

from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import Scene

META = Meta("HG501", "index-too-large", "warn", "path")


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge the index files of the scene by the policy's own number, else by the size at which they are compressed."""
    if not any(view.file_class == "index" for view in scene.files):
        return
    from hoard_git.core.budget import BYTES, INDEX_NAME, Limit
    from hoard_git.lint.room import budget_of, sized_files

    own = dict(budget_of(scene).own).get(INDEX_NAME)
    limit = own or Limit(scene.policy.compress_at, BYTES)
    for sized in sized_files(scene):
        if sized.name == INDEX_NAME and sized.exceeds(limit, scene):
            why = "that the policy gives it" if own else "at which it is to be compressed"
            message = f"the index is {sized.told(limit)}, over the {limit.text()} {why}"
            yield Hit(message, 1, 1, "hoard consolidate --dry-run", sized.view.path)
