"""An identity file is longer than a file of its kind should be.

## Why

SOUL.md, IDENTITY.md, USER.md and TOOLS.md are loaded into every session, before MEMORY.md. Their length is paid for in every turn, rules that are
buried in pages are followed less, and what they take of the total is missing for the memory, which comes last.

## Bad

```
$ wc -m SOUL.md
15468 SOUL.md
$ hoard check
SOUL.md:1: HG504 warning: 15,468 chars, over the 10,000 chars that are enough for its kind: it is loaded into every session, before MEMORY.md
```

## Good

    file: SOUL.md
    | # Soul
    |
    | Calm, brief, honest.

## Instead

Keep who the agent is, and move procedures to AGENTS.md, notes and facts to `memory/`. Another size: `SOUL.md: 12000 chars` under `budgets:` in the policy.

## Limits

The size is the policy's, else half of what the host loads of a file (three quarters of AGENTS.md). A change is reported when it makes the file
longer than that, or longer still. A profile without a limit for files has no such size either.
"""

from __future__ import annotations

from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import Scene

META = Meta("HG504", "identity-over-budget", "warn", "path")


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge the identity files of the scene that the host loads; one past the host's own limit is HG502's."""
    if not any(view.file_class == "identity" for view in scene.files):
        return
    from hoard_git.lint.room import budget_of, sized_files

    budget = budget_of(scene)
    for sized in sized_files(scene):
        wish = budget.wish(sized.name) if sized.view.file_class == "identity" and sized.name in budget.order else None
        if wish is None or not sized.exceeds(wish, scene):
            continue
        if any(sized.size.of(limit.unit) > limit.amount for limit in budget.limits(sized.name)):
            continue
        why = "that the policy gives it" if sized.name in dict(budget.own) else "that are enough for its kind"
        message = f"{sized.told(wish)}, over the {wish.text()} {why}: it is loaded into every session, before MEMORY.md"
        yield Hit(message, 1, 1, "move procedures to AGENTS.md, facts and notes to memory/", sized.view.path)
