"""What is left of an archive file when a block of it has gone back to active memory (`hoard restore`)."""

from __future__ import annotations

from hoard_git.core.markdown import parse
from hoard_git.core.restoring import block_lines, section_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.core.document import Document, Heading
    from hoard_git.core.restoring import Kept


def take_out(kept: Kept) -> bytes | None:
    """The file without the block, headings that are left with nothing under them, and the blank lines that set it apart. None: nothing is left."""
    document = kept.document
    lines = list(document.lines)
    first, stop = block_lines(kept)
    while stop < len(lines) and not lines[stop].strip() and (first == 1 or not lines[first - 2].strip()):
        stop += 1
    del lines[first - 1 : stop]
    left = parse(_bytes(lines))
    while empty := next((h for h in reversed(left.headings) if h.level > 1 and _is_bare(left, h) and _had_more(document, h)), None):
        stop = empty.line
        while stop < len(left.lines) and not left.lines[stop].strip():
            stop += 1
        left = parse(_bytes([*left.lines[: empty.line - 1], *left.lines[stop:]]))
    if not left.entries and not left.comments and all(heading.level == 1 for heading in left.headings):
        return None
    return _bytes(left.lines)


def _is_bare(document: Document, heading: Heading) -> bool:
    first, last = heading.line, section_end(document, document.headings.index(heading))
    return not any(first <= e.line <= last for e in document.entries) and not any(first < h.line <= last for h in document.headings)


def _had_more(document: Document, heading: Heading) -> bool:
    same = [h for h in document.headings if (h.level, h.title) == (heading.level, heading.title)]
    return any(not _is_bare(document, h) for h in same)


def _bytes(lines: Sequence[str]) -> bytes:
    return "\n".join(lines).encode("utf-8", "surrogateescape")
