"""Text in columns on a terminal: cutting, filling and wrapping by the width that is drawn."""

from __future__ import annotations

import os
import re
import sys

from hoard_git.cli.render.masking import mask_lines, mask_secrets
from hoard_git.cli.render.text import safe
from hoard_git.cli.render.width import clusters, width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["cut", "fill", "indented", "mask_lines", "mask_secrets", "plain", "terminal_width", "width", "wrap"]

_DEFAULT = 80
_NARROWEST = 40
_MARKER = re.compile(r" *(?:(?:[-*+>]|[0-9]{1,3}[.)]) +)*(?:\[[ xX]\] +)?")

_CLOSING = frozenset(
    "\u3001\u3002\uff0c\uff0e\uff01\uff1f\uff1b\uff1a\uff09\u300d\u300f\u3011\u300b\u3009\u3015\uff3d\uff5d\u30fc\u3005\u2026\u30fb\u2019\u201d,.!?;:)]}\u3063\u3083\u3085\u3087\u30c3\u30e3\u30e5\u30e7"
)
_OPENING = frozenset("\uff08\u300c\u300e\u3010\u300a\u3008\u3014\uff3b\uff5b\u2018\u201c([{")
"""What no line begins with, and what none ends with, in Chinese and Japanese print (JIS X 4051)."""


def terminal_width(piped: int = _DEFAULT) -> int:
    """Columns to write in: COLUMNS, else the terminal's; `piped` where the output goes elsewhere."""
    given = os.environ.get("COLUMNS", "")
    if given.isascii() and given.isdigit() and int(given):
        return max(_NARROWEST, int(given))
    for stream in (sys.__stdout__,):
        try:
            if stream is not None and stream.isatty():
                columns = os.get_terminal_size(stream.fileno()).columns
                return max(_NARROWEST, columns) if columns else _DEFAULT  # 0: nobody told the pseudo terminal (cron, expect)
        except (OSError, ValueError):
            continue
    return piped


def cut(text: str, columns: int) -> str:
    """A text in at most so many columns, the last an ellipsis when something was left out."""
    if len(text) * 2 <= columns or width(text) <= columns:
        return text
    return _head(text, columns - 1).rstrip() + "\u2026"


def fill(text: str, columns: int) -> str:
    """A text in exactly so many columns, cut or filled with blanks."""
    text = cut(text, columns)
    return text + " " * (columns - width(text))


def wrap(text: str, columns: int, hang: int | None = None) -> Iterator[str]:
    """Lines of at most so many columns, broken at blanks and beside wide characters, in a longer run between any two clusters.

    What follows the first line is indented as far as its words, behind blanks and list markers, where that leaves room; or by `hang` blanks,
    within which the text has to be ASCII.
    """
    if len(text) * 2 <= columns or width(text) <= columns:
        yield text
        return
    if hang is None:
        marker = _MARKER.match(text)
        hang = marker.end() if marker is not None and marker.end() * 3 <= columns else 0
    room = columns - hang
    line, taken, empty = text[:hang], 0, True
    # the last cluster: a joiner at the start of a piece is drawn with what stands before it, and so is half a flag
    before = edge = line[-1:]
    for piece, spaced in _pieces(text[hang:]):
        gap = " " if spaced and not empty else ""
        size = width(before + gap + piece) - width(before)
        if taken + size <= room:
            line += gap + piece
            taken, empty, before = taken + size, False, _last(before + gap + piece)
            continue
        if not empty:
            yield line.rstrip()
            line = " " * hang
        rest = piece
        while width(rest) > room:
            head = _head(rest, room) or next(clusters(rest))[0]
            yield line + head
            rest = rest[len(head) :]
            line = " " * hang
        line, taken, empty, before = line + rest, width(edge + rest) - len(edge), False, _last(edge + rest)
    yield line


def indented(text: str, columns: int, first: int = 2, rest: int = 4) -> Iterator[str]:
    """The lines of a text of one line, the first behind `first` blanks and the others behind `rest`."""
    whole = " " * first + safe(text)
    if rest >= first and whole[:rest].isascii() and whole[rest : rest + 1].isascii():
        yield from wrap(whole, columns, rest)
        return
    for number, line in enumerate(wrap(safe(text), columns - max(first, rest))):
        yield " " * (rest if number else first) + line


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """What a line may be broken between, with whether a blank stands before it: words, and in Chinese and Japanese each character."""
    for number, word in enumerate(text.split(" ")):
        if word.isascii() or width(word) == len(word):
            yield word, number > 0
            continue
        held, closed, spaced = "", False, number > 0
        for cluster, size in clusters(word):
            breaks = (closed or size == 2) and cluster[0] not in _CLOSING and held[-1:] not in _OPENING
            if held and breaks:
                yield held, spaced
                held, spaced = "", False
            held += cluster
            closed = size == 2
        yield held, spaced


def _head(text: str, columns: int) -> str:
    """As much of the beginning as fits."""
    if text.isascii():
        return text[:columns]
    total = end = 0
    for cluster, size in clusters(text):
        total += size
        if total > columns:
            break
        end += len(cluster)
    return text[:end]


def _last(text: str) -> str:
    """The last cluster."""
    if text.isascii():
        return text[-1:]
    *_, (last, _size) = clusters(text)
    return last


def plain(text: str) -> str:
    """A text of one line that stands alone, such as a name or a path: escaped, credentials masked."""
    return safe(mask_secrets(text))
