"""How many columns a terminal draws a text in, cluster by cluster: East Asian wide characters, emoji, combining marks.

The sums are those of Unicode's width property (UAX 11) on the clusters that a reader takes for one character (UAX 29): what current terminals
draw. Ambiguous characters take one column.
"""

from __future__ import annotations

import re
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

JOINER, TEXT_FORM, EMOJI_FORM = "\u200d", "\ufe0e", "\ufe0f"

_JOINING = re.compile("[\u200d\ufe0f\U0001f1e6-\U0001f1ff\U0001f3fb-\U0001f3ff]")
"""What takes other columns beside others than alone."""

_LATER_WIDE = ((0x1F300, 0x1FAFF), (0x20000, 0x3FFFD))
"""Blocks with gaps in the Unicode 14 of Python 3.11, where later versions bring emoji and Han characters."""


def clusters(text: str) -> Iterator[tuple[str, int]]:
    """Yield what stands in one place, a base with all that changes it, and the columns that it takes; joined, the text again."""
    held, columns, last, flag = "", 0, "", False
    for char in text:
        size = _columns(char)
        if held and (size == 0 or _continues(last, char, flag=flag)):
            if char == EMOJI_FORM and columns == 1 and _is_picture(last):
                columns = 2
            elif _is_region(char):
                columns, flag = 2, False
        else:
            if held:
                yield held, columns
            held, columns, flag = "", size, _is_region(char)
        held += char
        last = char
    if held:
        yield held, columns


def width(text: str) -> int:
    """Columns that a terminal draws a text in."""
    if text.isascii():
        return len(text)
    if _JOINING.search(text) is None:
        return sum(map(_columns, text))
    return sum(columns for _cluster, columns in clusters(text))


@lru_cache(maxsize=1 << 12)
def _columns(char: str) -> int:
    """Columns of a character that stands alone: 0 for what only changes the one before it."""
    if " " <= char <= "~":
        return 1
    from unicodedata import category, east_asian_width

    code = ord(char)
    kind = category(char)
    if kind in ("Mn", "Me") or 0x1160 <= code <= 0x11FF or 0xD7B0 <= code <= 0xD7FF:  # vowels and finals of a Hangul syllable
        return 0
    if kind == "Cf":  # the Arabic number signs among them are drawn
        return int(code < 0x2000 or 0x11000 <= code < 0x12000)
    if kind == "Cn":  # of which east_asian_width knows nothing, and says F
        return 2 if any(first <= code <= last for first, last in _LATER_WIDE) else 1
    return 2 if east_asian_width(char) in "WF" else 1


def _continues(last: str, char: str, *, flag: bool) -> bool:
    """Whether a character with a width of its own is drawn into the place of the one before it."""
    if last == JOINER:
        return _is_picture(char)
    if "\U0001f3fb" <= char <= "\U0001f3ff":  # skin tones
        return _is_picture(last) or last == EMOJI_FORM
    return flag and _is_region(last) and _is_region(char)


def _is_region(char: str) -> bool:
    """Whether a character is one half of a flag."""
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _is_picture(char: str) -> bool:
    from hoard_git.core.unicode import is_emoji_base

    return is_emoji_base(char)
