"""The wiki pages of a scene: which names they answer to, and whether there are any."""

from __future__ import annotations

from hoard_git.core.files import classify
from hoard_git.core.pagenames import PageNames
from hoard_git.lint.whither import whither

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.lint.scene import Scene
    from hoard_git.lint.whither import Whither

_VAULT = ".obsidian"

_known: list[tuple[Whither, dict[str, PageNames], bool]] = []


def pages_of(scene: Scene, path: str) -> PageNames:
    """The names of the workspace that a file lies in."""
    places, names, _has = _of(scene)
    root = places.root(path)
    if root not in names:
        names[root] = PageNames(places.paths(), root)
    return names[root]


def has_pages(scene: Scene) -> bool:
    """Whether the workspace has wiki pages, or is a vault in which wikilinks are meant as such."""
    return _of(scene)[2]


def _of(scene: Scene) -> tuple[Whither, dict[str, PageNames], bool]:
    places = whither(scene)
    if not _known or _known[0][0] is not places:
        has = any(classify(path, scene.policy) == "wiki" or f"{_VAULT}/" in path for path in places.paths()) or places.has(_VAULT)
        _known[:] = [(places, {}, has)]
    return _known[0]
