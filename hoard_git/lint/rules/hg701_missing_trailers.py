"""A commit that changes memory carries no Memory-* trailers, or not all of them.

## Why

The trailers say in the commit itself what happened to the memory: which operation, which sources, and a digest that anybody can recompute.
`hoard log` does not need them, since it compares the trees; whoever reads the history with plain git does. They get lost without a word:
`git commit --amend -m`, `git revert`, `git merge --squash` and a squash on a forge drop them or bury them in the body. Missing ones are a
warning, for nothing is believed because of them.

## Bad

The message of a commit that added an agent's entry to MEMORY.md:

```text
Note where the wiki runs
```

The same after a squash. The lines are there, but git reads trailers in the last paragraph only:

```text
Squashed commit of the following:

    Note where the wiki runs

    Memory-Op: write
    Memory-Source: agent
```

## Good

```text
Note where the wiki runs

Memory-Op: write
Memory-Source: agent
Memory-Block: add - agent 2026-06-05 90d MEMORY.md#infrastructure
Memory-Digest: sha256:DIGEST
```

## Instead

`hoard hooks install` adds them to every commit from then on. `hoard trailers --repair RANGE` derives them anew for commits that were not
pushed yet.

## Limits

A commit that touches no memory file needs none and is not judged.
"""

from __future__ import annotations

from hoard_git.core.trailercheck import MISSING, compare_trailers
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import Scene

META = Meta("HG701", "missing-trailers", "warn", "commit")

HINT = "hoard trailers --repair RANGE"


def check_change(scene: Scene) -> Iterator[Hit]:
    """Report each trailer that the commit should have."""
    text = scene.text
    if text is None:
        return
    for problem in compare_trailers(text.trailers, text.expected, text.message, complete=text.complete):
        if problem.kind == MISSING:
            yield Hit(problem.message, hint=HINT)
