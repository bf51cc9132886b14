"""A user's content was changed by an author who says to be a human and does not prove it.

## Why

An author's name and address are free text. Under `authority: signature` the policy asks for the human's key, so a commit with a human's address
and no good signature of a listed key counts as an agent's. This rule speaks in place of HG301, because the way out is another one: the change
may be right and only lacks its signature. `git rebase`, `cherry-pick` and `commit --amend` drop signatures without a word.

## Bad

```
# .hoard.yaml says authority: signature; the commit's author is ada@example.org, a human, and it has no signature
-- Two people approve every release <!-- src:user ts:2026-01-10 -->
+- One person approves every release <!-- src:user ts:2026-01-10 -->
```

## Good

    actor: human
    before: MEMORY.md
    | - Two people approve every release <!-- src:user ts:2026-01-10 -->
    after: MEMORY.md
    | - One person approves every release <!-- src:user ts:2026-01-10 -->

## Instead

Sign the commit with a key that .hoard.yaml lists: `git commit --amend -S`; for several commits `git rebase --exec 'git commit --amend -S
--no-edit' BASE`.
"""

from __future__ import annotations

from hoard_git.lint.rules.hg301_user_content_changed import hit, is_unproven
from hoard_git.lint.scene import Meta
from hoard_git.lint.user_changes import find_user_changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import Hit, Scene

META = Meta("HG308", "unproven-human", "error", "change", nonhuman=True)


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge what HG301 judges, where only the proof is missing."""
    if not is_unproven(scene):
        return
    for act in find_user_changes(scene):
        yield hit(scene, act, "an unproven human")
