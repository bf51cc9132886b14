"""Answers a rule's questions about the rest of the repository, each when it is asked (lint.scene.Lookup)."""

from __future__ import annotations

from hoard_git.core.anchors import needle_of, pairs, plain_words, row_of
from hoard_git.core.files import ACTIVE, file_default, memory_pathspecs
from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, Oid, RepoPath
from hoard_git.gitio.plumbing import PlumbingReader
from hoard_git.gitio.process import GitError, encode_path
from hoard_git.gitio.rawformat import is_oid
from hoard_git.gitio.reader import INDEX
from hoard_git.lint.scene import FileView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Literal

    from hoard_git.app.gate import Versions
    from hoard_git.app.past import History
    from hoard_git.app.shelf import Shelf
    from hoard_git.core.document import Document
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.process import Running
    from hoard_git.lint.scene import Gone, Past

    Row = tuple[RepoPath, str, Oid]
    """A memory file: path, class and blob."""

_MOST_NEEDLES = 64
_FEW_NEEDLES = 4 * _MOST_NEEDLES
"""Up to here a few runs of git grep are cheaper than reading all memory."""


class GateLookup:
    """Looks beyond the changed files of one change, under one policy."""

    def __init__(self, shelf: Shelf, versions: Versions, target: Oid | Literal["INDEX"], policy: Policy, history: History | None) -> None:
        """Nothing is read before a question comes."""
        self._shelf = shelf
        self._versions = versions
        self._target = target
        self._policy = policy
        self._history = history
        self._views: dict[tuple[str, ...], list[FileView]] = {}
        self._past: dict[str, Past | None] = {}
        self._behind: dict[Oid, bool] = {}
        self._started: tuple[Sequence[str], Running] | None = None

    def paths(self) -> Collection[str]:
        """Every path of the tree after the change."""
        return self._shelf.tree(self._target).keys()

    def views_with(self, needles: Sequence[str]) -> list[FileView]:
        """Unchanged memory files that hold any of these texts, parsed: their words in a row, however lines are broken.

        Of a long text its beginning is looked for. The rule compares what is found.
        """
        wanted = _texts_of(needles)
        if wanted not in self._views:
            self._views[wanted] = self._search(wanted)
        return self._views[wanted]

    def expect(self, needles: Sequence[str]) -> None:
        """Start to look for texts that a rule will ask about; harmless when none does. `close` ends what nobody collected."""
        wanted = _texts_of(needles)
        reader = self._shelf.reader
        specs = memory_pathspecs(self._policy)
        if wanted and specs and len(wanted) <= _MOST_NEEDLES and not self._shelf.many and isinstance(reader, PlumbingReader):
            self._started = wanted, reader.start_search(self._target, _pairs_of(wanted), specs)

    def close(self) -> None:
        """End a search that nobody collected."""
        if self._started is not None:
            self._started[1].abandon()
            self._started = None

    def _search(self, wanted: Sequence[str]) -> list[FileView]:
        if not wanted:
            return []
        reader = self._shelf.reader
        if not self._shelf.many and len(wanted) <= _FEW_NEEDLES and isinstance(reader, PlumbingReader):
            rows = self._search_by_git(reader, wanted)
        else:
            rows = sorted(row for row in self._shelf.memory(self._target, self._policy) if row[0] not in self._versions.after)
            rows = self._search_here(rows, wanted)
        blobs = self._shelf.blobs([oid for _path, _class, oid in rows]) if rows else {}
        documents = self._shelf.documents([(oid, path) for path, _class, oid in rows], blobs)
        return [FileView(path, name, documents[oid], file_default(path, name, self._policy)) for path, name, oid in rows]

    def _search_here(self, files: Sequence[Row], wanted: Sequence[str]) -> list[Row]:
        """Search the files themselves: over many commits they are at hand, and a process for each commit would cost more.

        Texts are looked up by their words; what is one word, such as an id, is searched for letter by letter.
        """
        lone = [text.encode("utf-8", "surrogateescape") for text in wanted if " " not in text]
        asked = [plain_words(text) for text in wanted if " " in text]
        rows = [([*map(hash, sorted(words, key=len, reverse=True))], row_of(words)) for words in asked]
        oids = [oid for _path, _class, oid in files]
        blobs = self._shelf.blobs(oids) if lone else {}
        words = self._shelf.words(oids) if rows else {}
        found = []
        for file in files:
            there = words.get(file[2])
            if (there is not None and any(there.words.issuperset(numbers) and there.holds(row) for numbers, row in rows)) or any(
                needle in blobs[file[2]] for needle in lone
            ):
                found.append(file)
        return found

    def _search_by_git(self, reader: PlumbingReader, texts: Sequence[str]) -> list[Row]:
        """Let `git grep` search, so that one commit lists, reads and parses only the files that hold something."""
        specs, wanted = memory_pathspecs(self._policy), texts
        found: set[RepoPath] = set()
        if self._started is not None and self._started[0] == wanted:
            asked, self._started = self._started[1], None
            found.update(reader.searched(asked, self._target))
            wanted = ()
        for first in range(0, len(wanted) if specs else 0, _MOST_NEEDLES):
            needles = _pairs_of(wanted[first : first + _MOST_NEEDLES])
            found.update(reader.searched(reader.start_search(self._target, needles, specs), self._target))
        names = {path: self._shelf.classify(path, self._policy) for path in sorted(found) if path not in self._versions.after}
        paths = [path for path, name in names.items() if name not in ("", "other")]
        entries = reader.tree(self._target, paths) if paths else {}
        rows = [(path, names[path], entries[path][1]) for path in paths if entries[path][0] in (MODE_FILE, MODE_EXECUTABLE)]
        return self._search_here(rows, texts)  # a pair stands in more files than all words do, and parsing costs far more than looking

    def sizes(self, paths: Sequence[str]) -> Mapping[str, int]:
        """Bytes of those of these files that are there after the change; one small process where files are not at hand."""
        reader = self._shelf.reader
        if self._shelf.many or not isinstance(reader, PlumbingReader):
            return {path: len(data) for path, data in self.texts(paths).items()}
        wanted = [path for path in paths if "\n" not in path]
        tree = "" if self._target == INDEX else str(self._target)
        asked = b"".join(encode_path(f"{tree}:{path}\n") for path in wanted)
        said = reader.git(("cat-file", "--batch-check=%(objecttype) %(objectsize)"), stdin=asked).finish().split(b"\n")
        rows = [line.split(b" ") for line in said]
        return {path: int(row[1]) for path, row in zip(wanted, rows, strict=False) if row[0] == b"blob"}

    def texts(self, paths: Sequence[str]) -> Mapping[str, bytes]:
        """Content of those of these files that are there after the change."""
        names = [RepoPath(path) for path in paths]
        entries = self._shelf.tree(self._target) if self._shelf.many else self._shelf.reader.tree(self._target, names) if names else {}
        found = {path: entries[path] for path in names if path in entries}
        oids = {path: oid for path, (mode, oid) in found.items() if mode in (MODE_FILE, MODE_EXECUTABLE)}
        blobs = self._shelf.blobs(oids.values()) if oids else {}
        return {path: blobs[oid] for path, oid in oids.items()}

    def active_entries(self) -> int:
        """Entries of all active memory files before the change."""
        base = self._versions.base
        if base is None:
            return 0
        files = self._shelf.memory(base, self._policy)
        return self._shelf.entry_count([oid for _path, file_class, oid in files if file_class in ACTIVE])

    def past(self, texts: Sequence[str]) -> Mapping[str, Past] | None:
        """What history knows about entries with these core texts; None in a local hook."""
        if self._history is None:
            return None
        fresh = [text for text in texts if text not in self._past]
        if fresh:
            answers = self._history.past(self._versions.base, fresh, self._policy)
            self._past.update((text, answers.get(text)) for text in fresh)
        return {text: known for text in texts if (known := self._past[text]) is not None}

    def lines_at(self, oid: str, path: str, first: int, last: int) -> Sequence[str] | None:
        """Lines of a file in a commit that lies behind the change; None where there is no such commit, file or line.

        Raises HoardError where a clone is partial and the commit may be missing for that reason.
        """
        if oid == self._versions.base and path in self._versions.before:
            document = self._versions.before[path].document
            return document.lines[first - 1 : last] if last <= len(document.lines) else None
        known = Oid(oid)
        try:
            if not is_oid(oid) or "\0" in path or not self._is_behind(known):
                return None
            mode, blob = self._shelf.reader.tree(known, [RepoPath(path)]).get(RepoPath(path), (0, Oid("")))
            if mode not in (MODE_FILE, MODE_EXECUTABLE):
                return None
            lines = self._shelf.document(blob, path).lines
        except GitError:  # git does not have it, so it does not lie behind the change
            return None
        return lines[first - 1 : last] if last <= len(lines) else None

    def has(self, path: str) -> bool:
        """Whether a file or folder is there after the change."""
        tree = self._shelf.tree(self._target)
        return RepoPath(path) in tree or any(known.startswith(path + "/") for known in tree)

    def document(self, path: str) -> Document | None:
        """A regular file after the change, parsed; None where there is none, or one too large to be a page."""
        from hoard_git.core.pagenames import LARGEST_PAGE

        mode, oid = self._shelf.tree(self._target).get(RepoPath(path), (0, Oid("")))
        if mode not in (MODE_FILE, MODE_EXECUTABLE) or len(self._shelf.blobs([oid])[oid]) > LARGEST_PAGE:
            return None
        return self._shelf.document(oid, path)

    def linking(self) -> list[FileView]:
        """Unchanged memory files that may hold a link, parsed."""
        from hoard_git.core.pagenames import holds_link

        files = [row for row in self._shelf.memory(self._target, self._policy) if row[0] not in self._versions.after]
        blobs = self._shelf.blobs([oid for _path, _class, oid in files])
        rows = [row for row in files if holds_link(blobs[row[2]])]
        documents = self._shelf.documents([(oid, path) for path, _class, oid in rows])
        return [FileView(path, name, documents[oid], file_default(path, name, self._policy)) for path, name, oid in rows]

    def gone(self, path: str) -> Gone | None:
        """What history knows about a file that is not there; None in a local hook."""
        return self._history.gone(self._versions.base, path) if self._history is not None else None

    def _is_behind(self, oid: Oid) -> bool:
        if oid not in self._behind:
            tip = self._versions.base if self._target == INDEX else self._target
            self._behind[oid] = tip is not None and oid != self._target and self._shelf.reader.merge_base(oid, tip) == oid
        return self._behind[oid]


def _texts_of(needles: Sequence[str]) -> tuple[str, ...]:
    """What is looked for, each once, sorted."""
    return tuple(sorted({text for needle in needles if (text := needle_of(needle))}))


def _pairs_of(texts: Sequence[str]) -> list[bytes]:
    return [pair.encode("utf-8", "surrogateescape") for pair in dict.fromkeys(pair for text in texts for pair in pairs(text))]
