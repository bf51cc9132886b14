"""What a run over many commits keeps at hand: parsed files and blobs by oid, and trees made from their parents' by what changed."""

from __future__ import annotations

from hoard_git.core.anchors import Rows
from hoard_git.core.files import classify
from hoard_git.core.markdown import parse
from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE
from hoard_git.core.shellwords import shell_word
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import Literal

    from hoard_git.core.document import Document
    from hoard_git.core.model import Oid, PathChange, RepoPath
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.reader import Reader

    Entries = dict[RepoPath, tuple[int, Oid]]

LARGEST_FILE = 64 << 20
"""Bytes of a file that is still judged."""

_MOST_LINES = 30_000  # a parsed line takes about 1 KB, and there may be two processes
_MOST_WORDS = 400_000  # different ones of each file; 82 files with 42,000 entries of real memory have 230,000
_MOST_BYTES = 12 << 20
_MOST_TREES = 24


class Shelf:
    """Objects of one repository, each read and parsed once as long as it fits; everything is a copy of what git holds under that name."""

    def __init__(self, reader: Reader, *, many: bool = False) -> None:
        """`many` says that many commits will be asked about, so that whole trees and unchanged files are worth keeping."""
        self.reader = reader
        self.many = many
        self._documents: dict[Oid, Document] = {}
        self._lines = 0
        self._blobs: dict[Oid, bytes] = {}
        self._bytes = 0
        self._trees: dict[str, Entries] = {}
        self._classes: dict[Policy, dict[str, str]] = {}
        self._counts: dict[Oid, int] = {}
        self._words: dict[Oid, Rows] = {}
        self._worded = 0

    # ---------------------------------------------------------------- files

    def document(self, oid: Oid, path: str) -> Document:
        """Parse a blob. Raises HoardError when it is too large to be judged or cannot be read."""
        return self.documents([(oid, path)])[oid]

    def documents(self, wanted: Sequence[tuple[Oid, str]], read: Mapping[Oid, bytes] | None = None) -> dict[Oid, Document]:
        """Parse blobs, reading those that are missing here in one batch; the paths are for messages. `read` holds those that were just read."""
        missing = [(oid, path) for oid, path in wanted if oid not in self._documents]
        blobs = read if read is not None else self.blobs([oid for oid, _path in missing]) if missing else {}
        found = {oid: self._documents.pop(oid) for oid in dict.fromkeys(oid for oid, _path in wanted) if oid in self._documents}
        self._documents.update(found)  # the last ones used stand last
        for oid, path in missing:
            if oid in found:
                continue
            if len(blobs[oid]) > LARGEST_FILE:
                raise HoardError(f"{path!r} is larger than 64 MiB and cannot be judged.", f"git rm --cached -- {shell_word(path)}")
            found[oid] = self._keep(oid, parse(blobs[oid]))
        return found

    def _keep(self, oid: Oid, document: Document) -> Document:
        self._documents[oid] = document
        self._lines += len(document.lines)
        while self._lines > _MOST_LINES and len(self._documents) > 1:
            self._lines -= len(self._documents.pop(next(iter(self._documents))).lines)
        return document

    def blobs(self, oids: Iterable[Oid]) -> dict[Oid, bytes]:
        """Read blobs, in one batch those that are not at hand."""
        wanted = list(oids)
        if not self.many:
            return self.reader.blobs(wanted)
        fresh = self.reader.blobs([oid for oid in wanted if oid not in self._blobs])
        found = {oid: fresh[oid] if oid in fresh else self._blobs[oid] for oid in wanted}
        for oid, data in fresh.items():
            self._blobs[oid] = data
            self._bytes += len(data)
        while self._bytes > _MOST_BYTES:
            self._bytes -= len(self._blobs.pop(next(iter(self._blobs))))
        return found

    def words(self, oids: Collection[Oid]) -> dict[Oid, Rows]:
        """The words of each blob; what is not at hand is read in one batch."""
        found = {oid: known for oid in oids if (known := self._words.get(oid)) is not None}
        for oid, data in self.blobs([oid for oid in dict.fromkeys(oids) if oid not in found]).items() if len(found) < len(oids) else ():
            found[oid] = self._words[oid] = Rows(data.decode("utf-8", "surrogateescape"))
            self._worded += len(found[oid].words)
        while self._worded > _MOST_WORDS and len(self._words) > 1:
            self._worded -= len(self._words.pop(next(iter(self._words))).words)
        return found

    def entry_count(self, oids: Sequence[Oid]) -> int:
        """How many entries these files hold together."""
        missing = [oid for oid in dict.fromkeys(oids) if oid not in self._counts]
        for oid, document in self.documents([(oid, "") for oid in missing]).items():
            self._counts[oid] = len(document.entries)
        return sum(self._counts[oid] for oid in oids)

    # ---------------------------------------------------------------- trees

    def tree(self, target: Oid | Literal["INDEX"]) -> Mapping[RepoPath, tuple[int, Oid]]:
        """Every path of a commit or of the index."""
        if target not in self._trees:
            self._put(target, self.reader.tree(target))
        return self._trees[target]

    def derive(self, parent: Oid | None, target: Oid | Literal["INDEX"], changes: Sequence[PathChange]) -> None:
        """Make the tree of a commit from its parent's by what differs; only worth it, and only done, when many commits follow."""
        if not self.many or target in self._trees:
            return
        entries: Entries = dict(self.tree(parent)) if parent is not None else {}
        for change in changes:
            if change.new_mode:
                entries[change.path] = (change.new_mode, change.new_oid)
            else:
                entries.pop(change.path, None)
        self._put(target, entries)

    def _put(self, target: str, entries: Mapping[RepoPath, tuple[int, Oid]]) -> None:
        self._trees[target] = dict(entries)
        while len(self._trees) > _MOST_TREES:
            self._trees.pop(next(iter(self._trees)))

    def memory(self, target: Oid | Literal["INDEX"], policy: Policy) -> list[tuple[RepoPath, str, Oid]]:
        """The regular memory files of a tree under a policy: path, class and blob, files of no class left out."""
        found = []
        known = self._classes.setdefault(policy, {})
        for path, (mode, oid) in self.tree(target).items():
            if mode not in (MODE_FILE, MODE_EXECUTABLE):
                continue
            file_class = known.get(path)
            if file_class is None:
                file_class = known[path] = classify(path, policy)
            if file_class and file_class != "other":
                found.append((path, file_class, oid))
        return found

    def classify(self, path: str, policy: Policy) -> str:
        """The class of a path, remembered."""
        classes = self._classes.setdefault(policy, {})
        known = classes.get(path)
        if known is None:
            known = classes[path] = classify(path, policy)
        return known
