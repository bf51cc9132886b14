"""Whether a change gives a unit more trust than it had."""

from __future__ import annotations

from hoard_git.core.model import RANK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.align import Change
    from hoard_git.lint.scene import Scene


def may_vouch(scene: Scene) -> int:
    """The rank of the highest source that the actor may write."""
    return RANK[{"human": "user", "tool": "tool"}.get(scene.actor.kind, "agent")]


def is_raise(scene: Scene, change: Change) -> bool:
    """Whether a unit ended up with a higher source than it had, beyond a first one that the actor may give."""
    if change.before is None or change.after is None:
        return False
    old, new = change.before.provenance.src, change.after.provenance.src
    if RANK[new] <= RANK[old]:
        return False
    return bool(old) or RANK[new] > may_vouch(scene)
