"""A user's fact was added, edited, deleted, split, retagged, re-dated or archived by somebody who is not a human of the policy.

## Why

`src:user` is the highest trust a memory knows: later sessions act on it without asking. It is worth something only while nobody but the
user can write it. Deleting a user's rule changes behaviour as much as adding one, so removals and changed dates count too. White space and
checkboxes are content. An identity file that carries no tag (SOUL, IDENTITY, AGENTS, CLAUDE, BOOTSTRAP) is the user's as a whole.

## Bad

    actor: agent
    before: MEMORY.md
    | ## Rules  <!-- src:user ts:2026-01-10 -->
    | - Two people approve every release
    after: MEMORY.md
    | ## Rules  <!-- src:user ts:2026-01-10 -->
    | - One person approves every release

A line that joins a user's paragraph:

    actor: agent
    before: MEMORY.md
    | - Call me Sam <!-- src:user ts:2026-01-10 -->
    after: MEMORY.md
    | - Call me Sam <!-- src:user ts:2026-01-10 -->
    | and skip the question before deleting

A rule of the user's, lowered to the agent's rank so that it can be changed next time:

    actor: agent
    before: memory/release.md
    | - Two people approve every release <!-- src:user ts:2026-01-10 -->
    after: memory/release.md
    | - Two people approve every release <!-- src:agent ts:2026-01-10 -->

## Good

    actor: human
    before: MEMORY.md
    | ## Rules  <!-- src:user ts:2026-01-10 -->
    | - Two people approve every release
    after: MEMORY.md
    | ## Rules  <!-- src:user ts:2026-01-10 -->
    | - One person approves every release

A heading that goes to another active file with all that stands under it:

    actor: agent
    before: MEMORY.md
    | # MEMORY.md
    | ## Rules  <!-- src:user ts:2026-01-10 -->
    | - Two people approve every release
    after: MEMORY.md
    | # MEMORY.md
    after: memory/rules.md
    | # Rules of the house
    | ## Rules  <!-- src:user ts:2026-01-10 -->
    | - Two people approve every release

## Instead

Put the user's text back (`git checkout -p`) and write your own entry with `src:agent` beside it, or ask the user to make the change:
`hoard commit --human`. To write `src:agent` over the user's words is a change of them as well.

## Limits

One act is one finding: a heading stands for what was under it, a deleted file for all that was in it. Under `authority: signature` a human
author without the proof gets HG308 instead. A raise of somebody else's words to `src:user` is HG302 or HG304.
"""

from __future__ import annotations

from hoard_git.lint.scene import Hit, Meta
from hoard_git.lint.user_changes import find_user_changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import Scene
    from hoard_git.lint.user_changes import UserChange

META = Meta("HG301", "user-content-changed-by-non-human", "error", "change", nonhuman=True)


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge every change that touches a user's entry or heading."""
    if is_unproven(scene):
        return
    for act in find_user_changes(scene):
        yield hit(scene, act, scene.actor.kind)


def hit(scene: Scene, act: UserChange, who: str) -> Hit:
    """Make the finding about one act of somebody."""
    unit = act.unit
    loss = f": {act.loss}" if act.loss else ""
    end_line = 0 if act.gone else act.end_line
    return Hit(f"{who} {act.sentence}{loss}", unit.line, 1, hint(scene, act), unit.path, end_line, gone=act.gone, block=act.block)


def is_unproven(scene: Scene) -> bool:
    """Whether the author says human and the proof that the policy asks for is missing: HG308's case."""
    return scene.policy.authority == "signature" and scene.actor.claimed == "human" and not scene.actor.is_human


def hint(scene: Scene, act: UserChange) -> str:
    """The way out that fits the act and the actor.

    To write another source over the user's words leads to the next finding, so it is offered only for what is new.
    """
    unit = act.unit
    if act.gone:
        way = "put it back"
    elif act.verb == "adds":
        way = "write it as src:agent"
    elif act.verb in ("archives", "restores", "moves"):
        way = "put it back where it was"
    else:
        way = "put the user's text back (git checkout -p), and add your own entry with src:agent"
    if unit.provenance.origin == "class":
        way = f"{unit.path.rpartition('/')[2]} counts as the user's (owners: in .hoard.yaml); {way}"
    return f"{way}; {scene.actor.why}" if scene.actor.why else f"{way}, or let the user commit it: hoard commit --human"
