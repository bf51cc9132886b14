"""A file that steers the gate was changed by somebody who may not, together with memory, or the policy was removed.

## Why

Whoever can change the policy, the attributes, the mail map, CI or a hook can switch the gate off and then change memory. So these files are a
human's, and a human's change of the policy stands alone: nobody reviews forty entries and a new signer in one look. Removing the policy would
make the defaults count, so nobody may. Hooks are those of git and of its managers, and those that a host runs (`.claude/settings.json`).

## Bad

    actor: agent
    before: .gitattributes
    | MEMORY.md merge=hoard
    after: .gitattributes
    | MEMORY.md -diff

A policy and memory in one commit:

    actor: human
    before: .hoard.yaml
    | version: 1
    before: MEMORY.md
    | # MEMORY.md
    after: .hoard.yaml
    | version: 1
    | mode: warn
    after: MEMORY.md
    | # MEMORY.md
    | - The bot may deploy alone <!-- src:user ts:2026-06-15 -->

## Good

    actor: human
    before: .hoard.yaml
    | version: 1
    after: .hoard.yaml
    | version: 1
    | mode: warn

## Instead

Ask a human for the change, in a commit of its own: `hoard commit --human .hoard.yaml`. To stop using hoard-git, take the hooks out:
`hoard hooks uninstall`.

## Limits

The first commit that brings a policy may carry the starter files with it.

A merge by somebody who is no human of the newer policy may not take over what takes a human from a branch on which somebody still counts who was
taken out since. With a pinned root (`HOARD_ROOT`, `git config hoard.root`) a range whose history does not come from it is this rule's as well.
"""

from __future__ import annotations

from hoard_git.core.files import classify, is_policy, is_protected
from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE
from hoard_git.lint.elsewhere import MEMORY
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import Scene

META = Meta("HG307", "protected-file-changed", "error", "path")

_ASK = "let a human change it in a commit of its own: hoard commit --human"


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge the paths of a change alone; what is in a policy is checked where it is read."""
    if not scene.change:
        return
    mixed = False
    rule_files = scene.rules.files if scene.rules is not None else ()
    for change in scene.paths:
        if not is_protected(change.path) and change.path not in rule_files:
            continue
        policy = is_policy(change.path)
        if policy and change.old_mode and change.new_mode not in (MODE_FILE, MODE_EXECUTABLE):
            done = "replaced by something that is no file" if change.new_mode else "removed"
            hint = "put it back: git checkout HEAD -- .hoard.yaml" if scene.actor.is_human else _ASK
            yield Hit(f"the policy is {done}", 0, 0, hint, change.path, gone=not change.new_mode)
        elif not scene.actor.is_human:
            what = "the policy" if policy else "a file that steers the gate"
            yield Hit(f"{scene.actor.kind} {_verb(change.old_mode, change.new_mode)} {what}", 0, 0, scene.actor.why or _ASK, change.path)
        elif policy and not scene.introduces and not mixed and _touches_memory(scene):
            mixed = True
            yield Hit("the policy changes together with memory", 0, 0, "commit the policy alone, then the memory", change.path)


def _verb(old_mode: int, new_mode: int) -> str:
    if not old_mode:
        return "adds"
    return "changes" if new_mode else "removes"


def _touches_memory(scene: Scene) -> bool:
    return any(classify(change.path, scene.policy) in MEMORY for change in scene.paths)
