"""A memory file as a tree that can be merged: headings hold what stands under them, list items their nested items, and every line has one owner."""

from __future__ import annotations

from hoard_git.core.document import HEADING
from hoard_git.core.provenance import NOTHING, Provenance, heading_provenances, provenances
from hoard_git.core.record import Record
from hoard_git.core.units import heading_text, plain_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.core.document import Document
    from hoard_git.core.tags import Tag

ROOT, SECTION, REGION, OTHER, FRONT = "root", "heading", "region", "other", "front"
"""Kinds of nodes beside those of entries. `other` are comments, rules and whatever else is no entry, a line or a comment each."""


class CannotMerge(Exception):  # noqa: N818 -- it is an answer: git's own merge takes over
    """Why versions are not merged by entry; the text is one clause without any content of the files."""


class Node:
    """One heading, entry or other piece of one version.

    `raw` are its lines as they stand, `words` what they say without the tag, `blanks` the blank lines above, `claim` the effective
    provenance. `span` is the place of its own tag in `raw`: line index, first and last column, 0-based and half open.
    """

    __slots__ = ("blanks", "children", "claim", "key", "kind", "parent", "raw", "span", "tag", "words")

    def __init__(self, kind: str, raw: tuple[str, ...], words: str) -> None:
        """Make a node that stands nowhere yet; `key` is given when versions are compared."""
        self.kind = kind
        self.raw = raw
        self.words = words
        self.claim: Provenance = NOTHING
        self.tag: Tag | None = None
        self.span: tuple[int, int, int] | None = None
        self.blanks: tuple[str, ...] = ()
        self.children: list[Node] = []
        self.parent = self  # until it is placed
        self.key = 0

    @property
    def is_fact(self) -> bool:
        """Whether it is an entry: something that provenance is about."""
        return self.kind not in (ROOT, SECTION, REGION, OTHER, FRONT)

    def below(self) -> Iterator[Node]:
        """Yield all that stands under it, in the order of the file."""
        stack = self.children[::-1]
        while stack:
            node = stack.pop()
            yield node
            stack += node.children[::-1]


class Tree:
    """One version of a file, cut into nodes; `sections` has the node of each heading, a region's for a heading inside it."""

    __slots__ = ("document", "nodes", "root", "sections", "tail")

    def __init__(self, document: Document, default: Tag | None) -> None:
        """Cut a text whose line ends are of one kind. Raises CannotMerge for what cannot be cut without doubt."""
        self.document = document
        self.root = Node(ROOT, (), "")
        self.nodes: list[Node] = []
        self.sections: list[Node] = []
        self.tail: tuple[str, ...] = ()
        pieces = _find_pieces(self.document)
        self._cut(pieces)
        self._place(pieces)
        self._claim(pieces, default)
        if list(self.root.below()) != self.nodes:
            raise CannotMerge("something stands between a list item and what belongs to it")

    def _cut(self, pieces: Sequence[_Piece]) -> None:
        """Make the nodes; blank lines belong to what follows."""
        lines = self.document.lines
        blanks: list[str] = []
        at = 0
        for piece in pieces:
            while at < piece.start:
                blanks.append(lines[at])
                at += 1
            node = Node(piece.kind, lines[piece.start : piece.stop], piece.words)
            node.blanks = tuple(blanks)
            blanks.clear()
            at = piece.stop
            self.nodes.append(node)
        last = len(lines) - (1 if len(lines) > 1 and not lines[-1] else 0)
        self.tail = tuple(lines[at:last])

    def _place(self, pieces: Sequence[_Piece]) -> None:
        """Find what each node stands under."""
        document = self.document
        entries: dict[int, Node] = {}
        waiting: list[Node] = []
        over = self.root
        for piece, node in zip(pieces, self.nodes, strict=True):
            if piece.kind == OTHER:
                waiting.append(node)
                continue
            above = over
            if piece.kind == SECTION:
                parent = document.headings[piece.index].parent
                above = self.sections[parent] if parent >= 0 else self.root
                self.sections.append(node)
            elif piece.kind == REGION:
                inside = [h for h in document.headings if piece.start < h.line <= piece.stop]
                if inside:
                    above = self.sections[inside[0].parent] if inside[0].parent >= 0 else self.root
                self.sections += [node] * len(inside)
            elif document.entries[piece.index].parent >= 0:
                known = entries.get(document.entries[piece.index].parent)
                if known is None:
                    raise CannotMerge("a managed region cuts through a list")
                above = known
            entries[piece.index if node.is_fact else -1] = node
            for other in waiting:
                other.parent = above if node.is_fact else over
            waiting.clear()
            node.parent = above
            if piece.kind in (SECTION, REGION) and self.sections and self.sections[-1] is node:
                over = node
        for other in waiting:
            other.parent = over
        for node in self.nodes:
            node.parent.children.append(node)

    def _claim(self, pieces: Sequence[_Piece], default: Tag | None) -> None:
        """Note the tags and what they come to."""
        document = self.document
        headings, entries = heading_provenances(document, default), provenances(document, default)
        spans = {(mark.line, mark.column): mark for mark in document.marks if mark.tag is not None and not mark.problem}
        for piece, node in zip(pieces, self.nodes, strict=True):
            if piece.index < 0:
                continue
            owner = document.headings[piece.index] if piece.kind == SECTION else document.entries[piece.index]
            node.claim = (headings if piece.kind == SECTION else entries)[piece.index]
            if owner.tag is None or node.claim.origin not in ("own", "file"):
                continue
            mark = next((m for (line, _c), m in spans.items() if piece.start < line <= piece.stop and m.tag == owner.tag), None)
            if mark is not None and mark.end_line == mark.line:
                node.tag = owner.tag
                node.span = (mark.line - 1 - piece.start, mark.column - 1, mark.end_column - 1)


class _Piece(Record):
    """Lines `start` to `stop`, 0-based and half open; `index` is that of the heading or entry, -1 for what is neither."""

    start: int
    stop: int
    kind: str
    index: int  # type: ignore[assignment] # tuple.index is not used on pieces
    words: str


def _find_pieces(document: Document) -> list[_Piece]:
    """Every line that is not blank in one piece."""
    regions = [_Piece(r.line - 1, r.end_line, REGION, -1, r.name) for r in _outer_regions(document)]
    found = [*regions, *(piece for piece in _owned(document) if not _inside(piece, regions))]
    found.sort()
    comments = {comment.line - 1: comment.end_line for comment in document.comments}
    pieces: list[_Piece] = []
    at = 0
    for piece in [*found, _Piece(len(document.lines), len(document.lines), "", -1, "")]:
        while at < piece.start:
            if document.lines[at].strip():
                stop = min(max(comments.get(at, 0), at + 1), piece.start)
                pieces.append(_Piece(at, stop, OTHER, -1, "\n".join(document.lines[at:stop])))
                at = stop
            else:
                at += 1
        if piece.kind:
            pieces.append(piece)
        at = piece.stop
    return pieces


def _owned(document: Document) -> Iterator[_Piece]:
    """The lines of headings and entries; a tag alone above a paragraph or code block belongs to it, one above a table stands for itself."""
    starts = {heading.line for heading in document.headings}
    for index, heading in enumerate(document.headings):
        stop = heading.line
        while stop < len(document.lines) and document.kinds[stop] == HEADING and stop + 1 not in starts:
            stop += 1
        yield _Piece(heading.line - 1, stop, SECTION, index, heading_text(heading))
    for index, entry in enumerate(document.entries):
        start = entry.line - 1
        if entry.kind != "row" and entry.tag_line and entry.tag_line == entry.line - 1:
            start -= 1
        yield _Piece(start, entry.end_line, entry.kind, index, plain_text(entry))


def _outer_regions(document: Document) -> list[_Span]:
    kept: list[_Span] = []
    for region in document.regions:
        if kept and region.line <= kept[-1].end_line:
            if region.end_line > kept[-1].end_line:
                raise CannotMerge("managed regions overlap")
            continue
        kept.append(_Span(region.line, region.end_line, region.name))
    return kept


class _Span(Record):
    line: int
    end_line: int
    name: str


def _inside(piece: _Piece, regions: Sequence[_Piece]) -> bool:
    for region in regions:
        if region.start <= piece.start and piece.stop <= region.stop:
            return True
        if piece.start < region.stop and region.start < piece.stop:
            raise CannotMerge("a managed region cuts through an entry")
    return False
