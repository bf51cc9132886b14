"""Text in columns on a terminal: how wide a character is drawn, cutting, filling and wrapping by that width."""

from __future__ import annotations

import os
import sys

from hoard_git.cli.render.text import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_DEFAULT = 80
_NARROWEST = 40


def terminal_width(piped: int = _DEFAULT) -> int:
    """Columns to write in: COLUMNS, else the terminal's; `piped` where the output goes elsewhere."""
    given = os.environ.get("COLUMNS", "")
    if given.isascii() and given.isdigit() and int(given):
        return max(_NARROWEST, int(given))
    for stream in (sys.__stdout__,):
        try:
            if stream is not None and stream.isatty():
                return max(_NARROWEST, os.get_terminal_size(stream.fileno()).columns)
        except (OSError, ValueError):
            continue
    return piped


def width(text: str) -> int:
    """Columns that a terminal draws a text in: East Asian wide characters and emoji take two, combining marks none."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    total = last = 0
    for char in text:
        if char == "\ufe0f":  # asks for the emoji form of the character before, which is two columns wide
            total += 2 - last if last == 1 else 0
            last = 2
            continue
        if combining(char) or "\ufe00" <= char <= "\ufe0e" or "\u0300" <= char <= "\u036f" or "\U0001f3fb" <= char <= "\U0001f3ff":
            continue
        last = 2 if east_asian_width(char) in "WF" else 1
        total += last
    return total


def cut(text: str, columns: int) -> str:
    """A text in at most so many columns, the last an ellipsis when something was left out."""
    if width(text) <= columns:
        return text
    end = len(text)
    total = 0
    for at, char in enumerate(text):
        total += width(char) if char != "\ufe0f" else 1
        if total > columns - 1:
            end = at
            break
    return text[:end].rstrip() + "\u2026"


def fill(text: str, columns: int) -> str:
    """A text in exactly so many columns, cut or filled with blanks."""
    text = cut(text, columns)
    return text + " " * (columns - width(text))


def wrap(text: str, columns: int) -> Iterator[str]:
    """Lines of at most so many columns, broken at blanks where there are some, between any characters where there are none."""
    line = ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if width(joined) <= columns:
            line = joined
            continue
        if line:
            yield line
        while width(word) > columns:
            head = cut(word, columns + 1).removesuffix("\u2026") or word[:1]
            yield head
            word = word[len(head) :]  # noqa: PLW2901 - the rest of the same word
        line = word
    yield line


def plain(text: str) -> str:
    """A text that is safe on one line: escaped, credentials masked."""
    return safe(mask_secrets(text))


_masked: dict[str, str] = {}


def mask_secrets(text: str) -> str:
    """A text with every credential in it shown by its kind and length only."""
    known = _masked.get(text)
    if known is None:
        known = _masked[text] = "\n".join(line for line in mask_lines(text.split("\n")) if line is not None)
    return known


def mask_lines(lines: Sequence[str]) -> list[str | None]:
    """The same for the lines of a file, judged together; a line that went into the masked one above it is None."""
    from hoard_git.core.secrets import find_secrets, mask

    found: list[str | None] = list(lines)
    for match in reversed(find_secrets(lines)):
        first, last = match.line - 1, match.end_line - 1
        head, tail = (found[first] or "")[: match.column - 1], (found[last] or lines[last])[match.end_column - 1 :]
        found[first : last + 1] = [head + mask(match.value) + tail, *[None] * (last - first)]
    return found
