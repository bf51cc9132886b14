"""Personal data masked in the lines of a cold log; comments, tags among them, stay as they are."""

from __future__ import annotations

from hoard_git.core.document import COMMENT
from hoard_git.core.drafts import Piece
from hoard_git.core.markdown import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def mask_piece(piece: Piece, mask: Callable[[str], str]) -> tuple[Piece, int]:
    """Mask line by line, and say how many lines that changed."""
    kinds = parse("\n".join(piece.lines).encode("utf-8", "surrogateescape")).kinds
    lines = [line if kind == COMMENT else _outside_comments(line, mask) for line, kind in zip(piece.lines, kinds, strict=True)]
    masked = sum(one != other for one, other in zip(lines, piece.lines, strict=True))
    return Piece(tuple(lines), piece.origins), masked


def _outside_comments(line: str, mask: Callable[[str], str]) -> str:
    parts = []
    while line:
        start = line.find("<!--")
        end = line.find("-->", start)
        if start < 0 or end < 0:
            break
        parts += [_inner(line[:start], mask), line[start : end + 3]]
        line = line[end + 3 :]
    return "".join([*parts, _inner(line, mask)])


def _inner(text: str, mask: Callable[[str], str]) -> str:
    """Mask a text without its outer blanks; a token before a colon at its start would read as the definition of a link."""
    inner = text.strip(" \t\r")
    if not inner:
        return text
    at = text.index(inner)
    fresh = mask(inner)
    if fresh == inner or "\n" in fresh:
        return text
    return text[:at] + fresh.replace("]:", "] :") + text[at + len(inner) :]
