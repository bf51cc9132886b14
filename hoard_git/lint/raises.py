"""Whether a change gives a unit more trust than it had."""

from __future__ import annotations

from hoard_git.core.trust import is_raised

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.align import Change
    from hoard_git.lint.scene import Scene


def is_raise(scene: Scene, change: Change) -> bool:
    """Whether a unit ended up with a higher source than it had, beyond a first one that the actor may give."""
    if change.before is None or change.after is None:
        return False
    return is_raised(change.before.provenance.src, change.after.provenance.src, scene.actor.kind)
