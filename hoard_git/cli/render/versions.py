"""The versions of files that events speak of, read in batches, so that what is shown of them is masked as a whole version has to be.

    versions = Versions(reader, index)
    versions.ahead(events, oid_of, texts_of)   the events; the commits of the next ones are read together
    versions.of(event.node.oid)                what may be shown of the two sides of that commit

Where the index has noted that a commit changed nothing with a credential in it, git is not started at all.
"""

from __future__ import annotations

from hoard_git import __version__
from hoard_git.cli.render.masking import ALONE, Sheet, View
from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, Oid, RepoPath
from hoard_git.gitio.plumbing import RAW
from hoard_git.gitio.rawformat import checked_oid, parse_raw
from hoard_git.gitio.reader import WORKTREE
from hoard_git.gitio.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from typing import TypeVar

    from hoard_git.core.model import PathChange
    from hoard_git.gitio.blockindex import BlockIndex
    from hoard_git.gitio.plumbing import PlumbingReader

    Item = TypeVar("Item")

_FIRST, _MOST = 8, 128  # commits read ahead: few before the first line is shown, then more at once
_AT_ONCE = 16
_WHOLE = 1 << 20
"""Characters of versions that are looked at as a whole, to note that they are clean; beyond, only around what is shown. About 0.4 s."""

_REGULAR = (MODE_FILE, MODE_EXECUTABLE)


class Versions:
    """Views of the memory files that commits changed. With an index, what holds no credential is noted and not read again."""

    def __init__(self, reader: PlumbingReader, index: BlockIndex | None = None, paths: Collection[str] = ()) -> None:
        """The files that count are those that the index knows, else `paths`."""
        self._reader = reader
        self._index = index
        self._paths = frozenset(paths if index is None else _known_paths(index))
        self._commits: dict[str, tuple[Oid, ...] | None] = {}
        self._sheets: dict[str, Sheet | None] = {}
        self._views: dict[str, View] = {}
        self._left = _WHOLE

    # ---------------------------------------------------------------- commits

    def ahead(
        self, items: Iterable[Item], oid_of: Callable[[Item], str], texts_of: Callable[[Item], Iterable[str]] = lambda _item: ()
    ) -> Iterator[Item]:
        """The same items; the commits of the next ones are read together, and the texts of one commit looked at together."""
        source = iter(items)
        size = _FIRST
        more = True
        while more:
            waiting: list[Item] = []
            oids: dict[str, list[str]] = {}
            while more and len(oids) < size and len(waiting) < _AT_ONCE * size:
                item = next(source, None)
                if item is None:
                    more = False
                else:
                    waiting.append(item)
                    oids.setdefault(oid_of(item), []).extend(texts_of(item))
            self.load(oids)
            for oid, texts in oids.items():
                self.of(oid, texts)
            yield from waiting
            size = min(size * 4, _MOST)

    def load(self, oids: Iterable[str]) -> None:
        """Read what these commits changed, and forget the others. Raises HoardError for a missing object."""
        wanted = dict.fromkeys(oids)
        fresh = [checked_oid(oid) for oid in wanted if not self._is_clean(oid)]
        listed = self._list(fresh)
        self._read(side for sides in listed.values() for side in sides)
        self._views.clear()
        self._commits = dict.fromkeys(wanted)
        for oid, sides in listed.items():
            self._commits[oid] = sides
            if sides and all(self._sheets[side] is None for side in sides):
                self._note_clean(oid)

    def _list(self, oids: Sequence[Oid]) -> dict[str, tuple[Oid, ...]]:
        """The blobs on both sides of each commit, against each of its parents."""
        if not oids:
            return {}
        args = ("diff-tree", "--stdin", "--root", "-m", "-r", *RAW)
        fields = iter(self._reader.git(args, stdin="".join(f"{oid}\n" for oid in oids).encode()).finish().split(b"\0"))
        found: dict[str, list[Oid]] = {oid: [] for oid in oids}
        listed: list[Oid] = []
        for field in fields:
            if field.startswith(b":"):
                (change,) = parse_raw(b"\0".join((field, next(fields, b""), b"")))
                listed += _sides(change) if change.path in self._paths else ()
            elif field:
                listed = found[field.decode("ascii")]
        return {oid: tuple(dict.fromkeys(sides)) for oid, sides in found.items()}

    def of(self, oid: str, texts: Iterable[str] = ()) -> View:
        """What may be shown of the versions before and after a commit; all `texts` that will be are looked at together."""
        if oid not in self._commits:
            self.load([oid])
        view = self._views.get(oid)
        if view is None:
            view = self._views[oid] = self._view(self._commits[oid])
        view.look(texts)
        return view

    def _view(self, sides: tuple[Oid, ...] | None) -> View:
        if not sides:
            return View(()) if sides is None else ALONE
        sheets = [sheet for side in sides if (sheet := self._sheets[side]) is not None]
        return View(sheets, mixed=len(sheets) < len(sides))

    # ---------------------------------------------------------------- files

    def between(self, before: Oid | None, after: Oid | None) -> View:
        """The same for two commits; None for `before` is an empty tree, for `after` the work tree."""
        from hoard_git.app.history import memory_rules

        governing = after or before
        rules = memory_rules(self._reader, governing, None) if governing else memory_rules(self._reader, "", "")
        changes = [change for change in self._reader.changes(before, after or WORKTREE) if rules.classify(change.path)]
        self._read(side for change in changes for side in _sides(change))
        sheets = [sheet for sheet in self._sheets.values() if sheet is not None]
        on_disk = [change.path for change in changes if change.new_mode in _REGULAR and not change.new_oid]
        fresh = [Sheet(_lines(read_file(self._reader.root(), path) or b"")) for path in on_disk]
        return View([*sheets, *fresh], mixed=len(sheets) < len(self._sheets))

    def standing(self, commit: str, path: str) -> View:
        """What may be shown of a file at a commit."""
        entry = self._reader.tree(checked_oid(commit), [RepoPath(path)]).get(RepoPath(path))
        if entry is None or entry[0] not in _REGULAR:
            return ALONE
        self._read([entry[1]])
        sheet = self._sheets[entry[1]]
        return View([sheet] if sheet is not None else ())

    def _read(self, oids: Iterable[Oid]) -> None:
        """Make the sheets of these versions, and forget the others; None stands for one without a credential."""
        wanted = dict.fromkeys(oids)
        self._sheets = {oid: sheet for oid, sheet in self._sheets.items() if oid in wanted}
        for oid in wanted:
            if oid not in self._sheets and self._is_clean(oid):
                self._sheets[oid] = None
        todo = [oid for oid in wanted if oid not in self._sheets]
        for first in range(0, len(todo), _AT_ONCE):
            for oid, data in self._reader.blobs(todo[first : first + _AT_ONCE]).items():
                self._sheets[oid] = self._sheet(oid, data)

    def _sheet(self, oid: str, data: bytes) -> Sheet | None:
        sheet = Sheet(_lines(data))
        if len(data) > self._left:
            return sheet
        self._left -= len(data)
        if sheet.scan():
            return sheet
        self._note_clean(oid)
        return None

    # ---------------------------------------------------------------- notes

    def _is_clean(self, oid: str) -> bool:
        return self._index is not None and self._index.is_clean(f"{__version__} {oid}")

    def _note_clean(self, oid: str) -> None:
        """Note that a version, or all that a commit changed, holds no credential; `hoard blame` does so for a version, too."""
        if self._index is not None:
            self._index.note_clean(f"{__version__} {oid}")


def _known_paths(index: BlockIndex) -> Iterator[str]:
    for name in index.store.paths():
        yield name.decode("utf-8", "surrogatepass") if isinstance(name, bytes) else name


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8", "surrogateescape").split("\n")


def _sides(change: PathChange) -> Iterator[Oid]:
    for mode, oid in ((change.old_mode, change.old_oid), (change.new_mode, change.new_oid)):
        if mode in _REGULAR and oid:
            yield oid
