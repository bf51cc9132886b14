"""Which places of the memory lead to which files: every link, wikilink and pointer that leads somewhere, turned round."""

from __future__ import annotations

from hoard_git.core.record import Record
from hoard_git.lint.pages import pages_of
from hoard_git.lint.references import find_links_of, find_pointers, find_wikilinks
from hoard_git.lint.whither import whither

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.references import Reference
    from hoard_git.lint.scene import FileView, Scene


class Backlink(Record):
    """One reference that leads to a file: where it stands, and what kind it is."""

    source: str
    file_class: str
    line: int
    column: int
    kind: str
    target: str


class Backlinks:
    """The references of all memory files of a scene, the unchanged ones included, by the file that they lead to."""

    def __init__(self, scene: Scene) -> None:
        """Every file that may hold a link is looked at once."""
        self.scene = scene
        self._by_target: dict[str, list[Backlink]] = {}
        self._by_source: dict[str, list[Backlink]] = {}
        judged = {file.path for file in scene.files}
        others = [view for view in scene.lookup.linking() if view.path not in judged]
        for file in [*scene.files, *others]:
            for reference, target in _leads(file._replace(touched=None), scene):
                link = Backlink(file.path, file.file_class, reference.line, reference.column, reference.kind, target)
                self._by_target.setdefault(target, []).append(link)
                self._by_source.setdefault(file.path, []).append(link)

    def to(self, path: str) -> list[Backlink]:
        """The references of other files to a file, by place."""
        return sorted(link for link in self._by_target.get(path, ()) if link.source != path)

    def of(self, path: str) -> list[Backlink]:
        """The references of a file to other files, by place."""
        return sorted(link for link in self._by_source.get(path, ()) if link.target != path)


_last: list[Backlinks] = []


def backlinks(scene: Scene) -> Backlinks:
    """The references of a scene: one object for the rule and for whoever shows them."""
    if not _last or _last[0].scene is not scene:
        _last[:] = [Backlinks(scene)]
    return _last[0]


def _leads(file: FileView, scene: Scene) -> Iterator[tuple[Reference, str]]:
    """Yield each reference of a file that leads to a file, with that file's path."""
    if file.file_class in ("other", "binary"):
        return
    places = whither(scene)
    for reference in [*find_links_of(file), *find_pointers(file)]:
        if reference.target and (found := places.find(file.path, reference.target)):
            yield reference, found
    names = None
    for reference in find_wikilinks(file):
        names = names or pages_of(scene, file.path)
        if reference.target:
            yield from ((reference, found) for found in names.find(reference.target, file.path))
