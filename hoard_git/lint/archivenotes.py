"""The line above an archived block: its exact form, and whether the heading that it names stood there."""

from __future__ import annotations

from hoard_git.core.dates import parse_day
from hoard_git.core.lazy import lazy
from hoard_git.core.slugs import slugs
from hoard_git.core.whereabouts import NONE, escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.lint.scene import Scene

_NOTE = lazy(
    r" hoard:archived from:([^\s#]{1,1000})#([^\s#]{1,1000}) on:([0-9]{4}-[0-9]{2}-[0-9]{2}) reason:(?:expired|duplicate|summarised|warm) "
)


def is_true_note(inner: str, scene: Scene) -> bool:
    """Whether a comment's inner text is such a line.

    A slug is words, so anybody could hide a sentence in one. In a non-human's change the file must be one that the change takes something from,
    and the slug that of a heading which stood in it, where everybody could read it.
    """
    match = _NOTE.fullmatch(inner)
    if match is None or parse_day(match[3]) is None:
        return False
    if not scene.change or scene.actor.is_human:
        return True
    views = [view for path, view in scene.before.items() if escape(path) == match[1] or escape(path).endswith("/" + match[1])]
    return any(match[2] == NONE or any(escape(name) == match[2] for name in slugs(view.document)) for view in views)
