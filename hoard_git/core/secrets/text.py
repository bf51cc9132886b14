"""Text as a reader sees it, with a way back to the original columns.

Zero-width and soft-hyphen characters are dropped, full-width and mathematical letters folded to ASCII, and look-alike letters of other
scripts replaced where they stand inside a word of ASCII letters and digits. An ASCII text comes back unchanged and without a map.
"""

from __future__ import annotations

from bisect import bisect_right

from hoard_git.core.lazy import lazy
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from array import array
    from collections.abc import Sequence


class View(Record):
    """A text and where its characters come from.

    `back` has one offset into the parent text for each character and one for the end, or is None where both are the same.
    """

    text: str
    back: Sequence[int] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the parent's offsets of a span; the end is exclusive."""
        if self.back is None or end <= start:
            return start, end
        return self.back[start], self.back[end - 1] + 1


# Format characters (Unicode Cf), variation selectors, fillers and joiners that show nothing.
_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_FOLDED = "\u00a0\u2000-\u200a\u2010-\u2015\u2024\u202f\u205f\u2070-\u209c\u2100-\u214f\u2212\u2460-\u24ff\u3000\ufe30-\ufe6f\uff01-\uff5e\U0001d400-\U0001d7ff\U0001f130-\U0001f189"
_ODD = lazy(f"[{_UNSEEN}{_FOLDED}]")
_NEVER = lazy(f"[{_UNSEEN}]")
_LIKE_FROM = "аеорсухіјѕһԁԛԝҽɡɩоАВЕКМНОРСТУХЅІЈҮԌαοερνικυτχωΑΒΕΖΗΙΚΜΝΟΡΤΥΧıℓⅰⅼＯ٠۰"
_LIKE_TO = "aeopcyxijshdqwegioABEKMHOPCTYXSIJYGaoepvikutxwABEZHIKMNOPTYXililO00"
_LIKE = dict(zip(_LIKE_FROM, _LIKE_TO, strict=True))
_MIXED = lazy(f"[0-9A-Za-z_{_LIKE_FROM}-]{{3,400}}")
_FOREIGN = lazy(f"[{_LIKE_FROM}]")


def normalise(text: str) -> View:
    """Return the visible form of a text."""
    if text.isascii():
        return View(text)
    if _ODD.search(text) is None:
        return View(_unmask(text))
    from unicodedata import normalize

    out: list[str] = []
    back = _offsets()
    last = 0
    for match in _ODD.finditer(text):
        at = match.start()
        out.append(text[last:at])
        back.extend(range(last, at))
        last = at + 1
        char = match.group()
        if _NEVER.match(char) is not None:
            continue
        plain = "-" if "\u2010" <= char <= "\u2013" or char == "\u2212" else char if char in "\u2014\u2015" else normalize("NFKC", char)
        out.append(plain)
        back.extend([at] * len(plain))
    out.append(text[last:])
    back.extend(range(last, len(text) + 1))
    return View(_unmask("".join(out)), back)


def _offsets() -> array[int]:
    """A list for offsets, 4 bytes each: as objects they take 36, 110 MB for the 3 MB that a host keeps in one file."""
    from array import array

    return array("i")


def _unmask(text: str) -> str:
    """Replace look-alikes inside words that also hold ASCII letters; the length stays the same."""
    if _FOREIGN.search(text) is None:
        return text
    return _MIXED.sub(_unmask_word, text)


def _unmask_word(match: re.Match[str]) -> str:
    word = match.group()
    if word.isascii():
        return word
    ascii_letters = sum(c.isascii() and c.isalnum() for c in word)
    foreign = sum(c in _LIKE for c in word)
    if ascii_letters < 2 or ascii_letters < foreign:
        return word
    return "".join(_LIKE.get(c, c) for c in word)


def lower(text: str) -> str:
    """Return the lower-case form of a text, character for character."""
    low = text.lower()
    if len(low) != len(text):  # a letter whose lower case is longer, such as the dotted I
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return low


def plain(low: str) -> str:
    """Return a text with a question mark for whatever is not ASCII: Python searches it several times faster, and places stay."""
    return low if low.isascii() else low.encode("ascii", "replace").decode("ascii")


class Positions:
    """Offsets of a block of joined lines, as lines and columns."""

    def __init__(self, lines: Sequence[str], first: int) -> None:
        """Take the lines of the block and the 1-based number of the first."""
        self.first = first
        self.starts = [0]
        for line in lines:
            self.starts.append(self.starts[-1] + len(line) + 1)

    def place(self, offset: int) -> tuple[int, int]:
        """Return the 1-based line and column of an offset."""
        index = bisect_right(self.starts, offset) - 1
        return self.first + index, offset - self.starts[index] + 1


# What may be put between two pieces of one key: blanks, line ends with list marks, quotes, backticks, plus signs, backslashes, emphasis.
_GLUE = lazy(r"""[\s`"'+\\*,|>&]{1,12}|\s{0,4}\.{0,1}\s{1,4}|<br ?/?>|<wbr>|&shy;|&#8203;|\(cont(?:inued|'d|\.)?\)""")
_PIECE = lazy(r"[0-9A-Za-z_./:=~#$%!@^?{}|-]{1,600}")


def glued(text: str, start: int, limit: int) -> tuple[str, list[int], list[int]]:
    """Return the text from `start` with what looks like glue taken out, its offsets, and the ends of its pieces (as lengths of the glued text)."""
    out: list[str] = []
    back: list[int] = []
    ends: list[int] = []
    at = start
    stop = min(len(text), start + limit)
    lines = 0
    while at < stop:
        piece = _PIECE.match(text, at, stop)
        if piece is not None:
            chunk = piece.group()
            if ends and at > 0 and text[at - 1] == "\n" and chunk == "-":
                at = piece.end()
                continue
            out.append(chunk)
            back.extend(range(at, piece.end()))
            ends.append(len(back))
            at = piece.end()
            continue
        glue = _GLUE.match(text, at, stop)
        if glue is None or not glue.group():
            break
        lines += glue.group().count("\n")
        if lines > 3 or "\n\n" in glue.group():
            break
        at = glue.end()
        # a list mark at the start of the next line
        if at + 2 < stop and text[at - 1] in "\n " and text[at : at + 2] in {"- ", "* ", "+ "}:
            at += 2
    return "".join(out), back, ends


_ESCAPED = lazy(r"(?<=[0-9A-Za-z])\\(?=[_*~.#+-]{1,2}[0-9A-Za-z])")
_EMPHASIS = lazy(r"(?<=[0-9A-Za-z_-])(?:\*\*|__|\*|<b>|</b>|<i>|</i>|<!-- ?-->|<wbr ?/?>|<span>|</span>)(?=[0-9A-Za-z_-])")


def unescape(text: str) -> tuple[str, Sequence[int]] | None:
    """Return the lines that have markdown escapes or emphasis inside words, without them, and their offsets; None where there are none."""
    cuts = [match.span() for match in _ESCAPED.finditer(text)] if "\\" in text else []
    if "*" in text or "<" in text or "__" in text:
        cuts += [match.span() for match in _EMPHASIS.finditer(text)]
    if not cuts:
        return None
    cuts.sort()
    out: list[str] = []
    back = _offsets()
    last = line_end = -1
    for start, end in cuts:
        if start > line_end:
            if line_end >= 0:
                out.append(text[last : line_end + 1])
                back.extend(range(last, line_end + 1))
            last = text.rfind("\n", 0, start) + 1
            line_end = text.find("\n", start)
            line_end = len(text) if line_end < 0 else line_end
        out.append(text[last:start])
        back.extend(range(last, start))
        last = end
    out.append(text[last:line_end])
    back.extend(range(last, line_end + 1))
    return "".join(out), back
