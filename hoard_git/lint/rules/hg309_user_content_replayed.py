"""Words that the user once wrote and then replaced or deleted came back by somebody who is not a human of the policy.

## Why

A genuine old sentence is the best forgery: it reads like the user because it was the user. When the user has replaced "the deploy key is K1" by
"the deploy key is K2", nobody else may bring K1 back, under whatever source. Only history can tell, so this rule speaks in `hoard check
--range`, in CI and on the server, not in a local hook.

## Bad

```
commit 1, Ada (human):   +- The deploy key is K1 <!-- src:user ts:2026-01-10 -->
commit 2, Ada (human):   -- The deploy key is K1 <!-- src:user ts:2026-01-10 -->
                         +- The deploy key is K2 <!-- src:user ts:2026-05-02 -->
commit 3, clawd (agent): +- The deploy key is K1 <!-- src:agent ts:2026-06-15 -->
```

## Good

    actor: agent
    before: MEMORY.md
    | - The deploy key is K2 <!-- src:user ts:2026-05-02 -->
    after: MEMORY.md
    | - The deploy key is K2 <!-- src:user ts:2026-05-02 -->
    | - The key server was slow today <!-- src:agent ts:2026-06-15 -->

## Instead

Ask the user to bring it back: `hoard restore`, or `hoard why TEXT` to see who took it away and when.
"""

from __future__ import annotations

from hoard_git.core.align import core_text
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.align import Change
    from hoard_git.lint.scene import Scene

META = Meta("HG309", "user-content-replayed", "error", "change", nonhuman=True)


def check_change(scene: Scene) -> Iterator[Hit]:
    """Ask history about every text that the change brings in."""
    brought = [(change.unit, core_text(change.unit)) for change in scene.changes if _brings_words(change)]
    known = scene.lookup.past(sorted({core for _unit, core in brought if core})) if brought else None
    if not known:
        return
    for unit, core in brought:
        past = known.get(core)
        if past is not None and past.user_gone:
            message = f"{scene.actor.kind} brings back what a user took away (commit {past.commit[:12]})"
            hint = "let the user bring it back" + (f"; {scene.actor.why}" if scene.actor.why else ": hoard commit --human")
            yield Hit(message, unit.line, 1, hint, unit.path, unit.end_line)


def _brings_words(change: Change) -> bool:
    before, after = change.before, change.after
    if after is None or after.is_heading:
        return False
    core = core_text(after)
    return (before is None or core_text(before) != core) and not _is_label(core)


def _is_label(core: str) -> bool:
    """Whether a text only announces what follows, as `**Example:**` does; it says nothing that could be replayed."""
    return core.rstrip("*_ ").endswith((":", "\uff1a")) and len(core.split()) <= 3
