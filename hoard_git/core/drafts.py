"""The memory files of a snapshot while a plan is being made: lines that remember where they came from, and never more than one parse a state."""

from __future__ import annotations

from hoard_git.core.markdown import parse
from hoard_git.core.permits import EVERYTHING
from hoard_git.core.provenance import heading_provenances, provenances
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Self

    from hoard_git.core.actions import Review
    from hoard_git.core.document import Document
    from hoard_git.core.duplicates import Statement
    from hoard_git.core.permits import Permits
    from hoard_git.core.policy import Policy
    from hoard_git.core.provenance import Provenance
    from hoard_git.core.tags import Tag


PACKED = ".md.gz"
"""How the names of packed memory files end."""

_LONGEST_NAME = 200
"""Bytes of one part of a path that the plan makes: file systems take 255, and a temporary file beside it needs some of them."""


class Kept(Record):
    """One memory file of the snapshot as it was read: exact bytes, its class, and what it counts as without a tag."""

    path: str
    file_class: str
    data: bytes
    default: Tag | None = None


class Piece(Record):
    """Lines taken out of a draft, each with the place that it had in the snapshot: (path, 1-based line), or None for a line that is new."""

    lines: tuple[str, ...]
    origins: tuple[tuple[str, int] | None, ...]

    @classmethod
    def fresh(cls, lines: Iterable[str]) -> Piece:
        """Lines that the plan writes itself."""
        new = tuple(lines)
        return cls(new, (None,) * len(new))

    def __add__(self, other: Piece) -> Piece:  # type: ignore[override]  # two pieces make one, not a longer tuple
        """One piece behind the other."""
        return Piece(self.lines + other.lines, self.origins + other.origins)


class Draft:
    """One file under revision. Lines are split at `\\n`; the last one is empty when the file ends in a newline, as in Document.

    `document`, `entry_claims` and `heading_claims` are of the lines as they are now and are computed again only after a change.
    """

    def __init__(self, path: str, file_class: str, default: Tag | None, data: bytes | None) -> None:
        """`data` None makes a new, empty file."""
        self.path = path
        self.file_class = file_class
        self.default = default
        self._before = data
        self._document: Document | None = parse(data) if data is not None else None
        self.lines: list[str] = list(self._document.lines) if self._document is not None else [""]
        self.origins: list[tuple[str, int] | None] = [(path, number) for number in range(1, len(self.lines) + 1)]
        if data is None:
            self.origins = [None]
        self._unpacked: tuple[tuple[str, int] | None, ...] = ()
        self._claims: tuple[tuple[Provenance, ...], tuple[Provenance, ...]] | None = None
        self._changed = False
        self.deleted = False
        self.packed = ""
        """The path of the gzip file in the snapshot that this file is unpacked from, '' for none."""
        self.is_closed = False
        """Whether it is known that what is appended will be read by itself (core.archiving)."""

    @property
    def document(self) -> Document:
        """The file as it is now."""
        if self._document is None:
            self._document = parse(self.data)
        return self._document

    @property
    def data(self) -> bytes:
        """The file's bytes as they are now."""
        return "\n".join(self.lines).encode("utf-8", "surrogateescape") if self._changed or self._before is None else self._before

    @property
    def is_changed(self) -> bool:
        """Whether the file's bytes, or its being there, differ from the snapshot."""
        if self.deleted:
            return self._before is not None
        return self._changed and self.data != self._before

    @property
    def entry_claims(self) -> tuple[Provenance, ...]:
        """The effective provenance of each entry, in the document's order."""
        return self._both_claims()[1]

    @property
    def heading_claims(self) -> tuple[Provenance, ...]:
        """The effective provenance of each heading."""
        return self._both_claims()[0]

    def _both_claims(self) -> tuple[tuple[Provenance, ...], tuple[Provenance, ...]]:
        if self._claims is None:
            self._claims = (heading_provenances(self.document, self.default), provenances(self.document, self.default))
        return self._claims

    @classmethod
    def unpack(cls, kept: Kept, path: str) -> Self:
        """The file at `path` that a gzip file of the snapshot holds; a line's place is the one in that. Raises HoardError for damaged gzip."""
        from hoard_git.core.unwrap import unwrap

        lines = (unwrap(kept.data, kept.path) or b"").decode("utf-8", "surrogateescape").split("\n")
        draft = cls(path, "archive", None, None)
        draft.packed = kept.path
        last = len(lines) - (not lines[-1])
        draft._unpacked = tuple((kept.path, number) if number <= last else None for number in range(1, len(lines) + 1))
        draft.rewrite(Piece(tuple(lines), draft._unpacked))
        return draft

    @property
    def length(self) -> int:
        """How many lines the file has in the snapshot, its last line end not counted, packed or not; 0 when it was not there."""
        if self.packed:
            return sum(origin is not None for origin in self._unpacked)
        return len(self._before.removesuffix(b"\n").split(b"\n")) if self._before else 0

    def place(self, line: int) -> tuple[str, int]:
        """Where the 1-based line stood in the snapshot; (path, 0) for one that the plan has written."""
        return self.origins[line - 1] or (self.path, 0)

    def replace(self, line: int, text: str) -> None:
        """Rewrite one 1-based line; it keeps its origin."""
        self.lines[line - 1] = text
        self._touch()

    def copy(self, first: int, last: int) -> Piece:
        """The 1-based lines `first` to `last`, both included."""
        return Piece(tuple(self.lines[first - 1 : last]), tuple(self.origins[first - 1 : last]))

    def cut(self, ranges: Iterable[tuple[int, int]]) -> None:
        """Take out 1-based line ranges, both ends included; they may touch but not overlap."""
        for first, last in sorted(ranges, reverse=True):
            del self.lines[first - 1 : last]
            del self.origins[first - 1 : last]
        if not self.lines:
            self.lines, self.origins = [""], [None]
        self._touch()

    def insert(self, behind: int, piece: Piece) -> None:
        """Put a piece behind the 1-based line `behind`, 0 for the top; its line ends become those of this file."""
        piece = self._fit(piece)
        self.lines[behind:behind] = piece.lines
        self.origins[behind:behind] = piece.origins
        self._touch()

    def append(self, piece: Piece) -> None:
        """Put a piece at the end, set apart by one blank line; the file ends in a newline afterwards. Line ends become this file's."""
        piece = self._fit(piece)
        ending = "\r" if self._is_crlf() else ""
        while self.lines and not self.lines[-1].strip():
            self.lines.pop()
            self.origins.pop()
        if self.lines:
            if ending and not self.lines[-1].endswith("\r"):
                self.lines[-1] += ending
            self.lines.append(ending)
            self.origins.append(None)
        self.lines += [*piece.lines, ""]
        self.origins += [*piece.origins, None]
        self._touch()

    def rewrite(self, piece: Piece) -> None:
        """Replace the whole content."""
        self.lines, self.origins = list(piece.lines), list(piece.origins)
        self._touch()

    def delete(self) -> None:
        """Take the file out of the tree."""
        self.deleted = True

    def restore(self, state: tuple[list[str], list[tuple[str, int] | None]]) -> None:
        """Go back to what `state` was."""
        self.lines, self.origins = list(state[0]), list(state[1])
        self._touch()

    def state(self) -> tuple[list[str], list[tuple[str, int] | None]]:
        """The lines and origins as they are now, for `restore`."""
        return list(self.lines), list(self.origins)

    def _is_crlf(self) -> bool:
        return len(self.lines) > 1 and self.lines[0].endswith("\r")

    def _fit(self, piece: Piece) -> Piece:
        if self._is_crlf():
            return piece._replace(lines=tuple(line if line.endswith("\r") else line + "\r" for line in piece.lines))
        if any(line.endswith("\r") for line in piece.lines):
            return piece._replace(lines=tuple(line.removesuffix("\r") for line in piece.lines))
        return piece

    def _touch(self) -> None:
        self._changed = True
        self.deleted = False
        self._document = None
        self._claims = None


class Drafts:
    """All memory files of one workspace under revision, by path; `today` is the day number (core.dates) that the plan is made for.

    `reviews` gathers what the steps leave to a person, `notes` what they could not do and why, one sentence each. `root` is the workspace's
    directory in the repository, '' or ending in '/'. `taken` holds paths of the tree that are no memory or not readable as such.
    """

    def __init__(
        self,
        files: Iterable[Kept],
        policy: Policy,
        today: int,
        *,
        root: str = "",
        taken: Collection[str] = (),
        frozen: Collection[str] = (),
        permits: Permits = EVERYTHING,
    ) -> None:
        """Parse nothing yet: a file is parsed when a step asks for it. `frozen` are files that no step sees, `permits` what steps may do."""
        self.policy = policy
        self.today = today
        self.root = root
        self.taken = frozenset(path.lower() for path in (*taken, *frozen))
        self._frozen = frozenset(frozen)
        self.permits = permits
        self.reviews: list[Review] = []
        self.notes: list[str] = []
        self._peeked: dict[str, Draft] = {}
        self._originals: dict[str, Document] = {}
        self.statements: dict[str, tuple[Document, Sequence[Statement]]] = {}
        """What deduplication has read out of each file, with the document that it is of: valid until the file changes."""
        self._kept = {file.path: file for file in files}
        self._drafts: dict[str, Draft] = {}

    def __iter__(self) -> Iterator[Draft]:
        """The files that are there now and can be read as text, by path."""
        for path in sorted(path for path in {*self._kept, *self._drafts} if not path.lower().endswith(PACKED)):
            draft = self[path]
            if not draft.deleted:
                yield draft

    def __getitem__(self, path: str) -> Draft:
        """The draft of a file; KeyError when it was never there."""
        if path not in self._drafts:
            kept = self._kept[path]
            self._drafts[path] = Draft(kept.path, kept.file_class, kept.default, kept.data)
        return self._drafts[path]

    def __contains__(self, path: str) -> bool:
        """Whether the file is there now."""
        if path in self._drafts:
            return not self._drafts[path].deleted
        return path in self._kept

    def is_free(self, path: str) -> bool:
        """Whether a file can be made or changed at a path: nothing else has it, or a part of it above, and every part has a length that file systems take."""
        parts = path.split("/")
        above = ["/".join(parts[:count]) for count in range(1, len(parts))]
        if path.lower() in self.taken or any(name.lower() in self.taken or name in self for name in above):
            return False
        return all(0 < len(part.encode("utf-8", "surrogateescape")) <= _LONGEST_NAME for part in parts)

    def of_class(self, *classes: str) -> list[Draft]:
        """The files of these classes that are there now, by path."""
        names = sorted(path for path, kept in self._kept.items() if kept.file_class in classes and path not in self._frozen)
        names += sorted(path for path, draft in self._drafts.items() if path not in self._kept and draft.file_class in classes)
        return [draft for path in names if not (draft := self[path]).deleted]

    def open(self, path: str, file_class: str, default: Tag | None = None) -> Draft:
        """The draft of a file that is made when it is not there."""
        if path not in self:
            self._drafts[path] = Draft(path, file_class, default, self._kept[path].data if path in self._kept else None)
            if path in self._kept:  # it was deleted by an earlier step and comes back empty
                self._drafts[path].rewrite(Piece.fresh([""]))
        return self[path]

    def packed(self) -> list[str]:
        """The gzip files of the snapshot that are there still and may be opened, by path."""
        return sorted(path for path in self._kept if path.lower().endswith(PACKED) and path not in self._frozen and path in self)

    def peek(self, path: str) -> Draft:
        """What a gzip file of the snapshot holds, as an archive file that is in no tree. Raises HoardError for damaged gzip."""
        if path not in self._peeked:
            self._peeked[path] = Draft.unpack(self._kept[path], path[: -len(".gz")])
        return self._peeked[path]

    def unpack(self, path: str) -> Draft:
        """Put what a gzip file of the snapshot holds in its place, under the name without `.gz`."""
        draft = self._drafts[path[: -len(".gz")]] = Draft.unpack(self._kept[path], path[: -len(".gz")])
        self[path].delete()
        return draft

    def repack(self, draft: Draft) -> None:
        """Go back to the gzip file that a draft was unpacked from."""
        del self._drafts[draft.path]
        self[draft.packed].deleted = False

    def original(self, path: str) -> Document:
        """A file of the snapshot as it was read."""
        draft = self._drafts.get(path)
        if draft is None or not draft.is_changed:
            return self[path].document
        if path not in self._originals:
            self._originals[path] = parse(self._kept[path].data)
        return self._originals[path]

    def before(self) -> Mapping[str, Kept]:
        """The snapshot, by path."""
        return self._kept

    def edits(self) -> dict[str, bytes | None]:
        """The files that differ from the snapshot: new bytes, None for one that goes; sorted by path."""
        found: dict[str, bytes | None] = {}
        for path in sorted(self._drafts):
            draft = self._drafts[path]
            if draft.is_changed:
                found[path] = None if draft.deleted else draft.data
        return found
