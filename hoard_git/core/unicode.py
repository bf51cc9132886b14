"""Characters that hide, imitate or reorder text: one table with its own ranges, and the questions that rules ask of it.

Python 3.11 carries Unicode 14 and a newer one something else, so the ranges are pinned here and held against `unicodedata` in tests. A
search by general category would miss the Hangul fillers (Lo), the Braille blank (So), U+034F and the variation selectors (Mn).
"""

from __future__ import annotations

from functools import lru_cache

from hoard_git.core.lazy import lazy
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION = 2
"""Raised when a range changes."""

BIDI, MARK, CONTROL, RETURN, BREAK, TAG, VARIATION, BLANK, WIDTH, JOINER, NONJOINER, HYPHEN, BOM, FORMAT, PRIVATE, NONCHARACTER, MONGOLIAN, PILE, HIEROGLYPH, UNASSIGNED = (
    "bidi", "mark", "control", "return", "break", "tag", "variation", "blank", "zero-width", "joiner", "non-joiner", "hyphen", "bom", "format",
    "private", "noncharacter", "mongolian", "pile", "hieroglyph", "unassigned",
)  # fmt: skip

RANGES: tuple[tuple[int, int, str], ...] = (
    (0x00, 0x08, CONTROL), (0x0B, 0x0C, BREAK), (0x0D, 0x0D, RETURN), (0x0E, 0x1B, CONTROL), (0x1C, 0x1F, BREAK), (0x7F, 0x84, CONTROL),
    (0x85, 0x85, BREAK), (0x86, 0x9F, CONTROL), (0xAD, 0xAD, HYPHEN), (0x034F, 0x034F, WIDTH), (0x061C, 0x061C, MARK), (0x115F, 0x1160, BLANK),
    (0x17B4, 0x17B5, BLANK), (0x180B, 0x180F, MONGOLIAN), (0x200B, 0x200B, WIDTH), (0x200C, 0x200C, NONJOINER), (0x200D, 0x200D, JOINER),
    (0x200E, 0x200F, MARK), (0x2028, 0x2029, BREAK), (0x202A, 0x202E, BIDI), (0x2060, 0x2065, WIDTH), (0x2066, 0x2069, BIDI),
    (0x206A, 0x206F, FORMAT), (0x2800, 0x2800, BLANK), (0x2FE0, 0x2FEF, UNASSIGNED), (0x3164, 0x3164, BLANK), (0xE000, 0xF8FF, PRIVATE), (0xFDD0, 0xFDEF, NONCHARACTER),
    (0xFE00, 0xFE0F, VARIATION), (0xFEFF, 0xFEFF, BOM), (0xFFA0, 0xFFA0, BLANK), (0xFFF0, 0xFFFB, FORMAT), (0xFFFE, 0xFFFF, NONCHARACTER),
    (0x13430, 0x1343F, HIEROGLYPH), (0x14680, 0x160FF, UNASSIGNED), (0x18E00, 0x1AFEF, UNASSIGNED), (0x1B300, 0x1BBFF, UNASSIGNED),
    (0x1BCA0, 0x1BCA3, FORMAT), (0x1BCB0, 0x1CBFF, UNASSIGNED), (0x1D173, 0x1D17A, FORMAT), (0x1DAB0, 0x1DEFF, UNASSIGNED),
    (0x2FA20, 0x2FFFD, UNASSIGNED), (0x33480, 0x3FFFD, UNASSIGNED), (0x40000, 0xDFFFD, UNASSIGNED), (0xE0000, 0xE00FF, TAG),
    (0xE0100, 0xE01EF, VARIATION), (0xE01F0, 0xE0FFF, TAG), (0xE1000, 0xEFFFD, UNASSIGNED), (0xF0000, 0x10FFFD, PRIVATE),
)  # fmt: skip
"""First code point, last code point, kind; in order, without overlap. What is not listed is never odd by itself.

Unassigned are whole blocks and planes that Unicode 17 leaves empty; gaps inside of blocks fill up, and U+1F000-1FFFF, where new emoji
come, is not among them at all.
"""

# Bases that emoji-data lists as Emoji lie in these blocks; the rest of each block is symbols that people follow with U+FE0F all the same.
_EMOJI_BLOCKS = ((0x203C, 0x203C), (0x2049, 0x2049), (0x20E3, 0x20E3), (0x2122, 0x2122), (0x2139, 0x2139), (0x2190, 0x21FF), (0x2300, 0x23FF),
                 (0x24C2, 0x24C2), (0x25A0, 0x27BF), (0x2934, 0x2935), (0x2B00, 0x2BFF), (0x3030, 0x3030), (0x303D, 0x303D), (0x3297, 0x3299),
                 (0x1F000, 0x1FAFF))  # fmt: skip

_JOINING = ((0x0600, 0x06FF), (0x0700, 0x074F), (0x0750, 0x077F), (0x07C0, 0x07FF), (0x0840, 0x085F), (0x0860, 0x08FF), (0x0900, 0x0DFF),
            (0x1000, 0x109F), (0x1780, 0x17FF), (0x1820, 0x18AA), (0x1A20, 0x1AAF), (0x1B00, 0x1B7F), (0xA980, 0xA9DF), (0xFB50, 0xFDCF),
            (0xFDF0, 0xFDFF), (0xFE70, 0xFEFC), (0x11000, 0x1137F))  # fmt: skip
"""Scripts in which U+200C and U+200D change how letters join: Arabic, Syriac, N'Ko, Indic, Myanmar, Khmer, Mongolian and kin."""

_COMBINING = ((0x0300, 0x036F), (0x0483, 0x0489), (0x0591, 0x05BD), (0x0610, 0x061A), (0x064B, 0x065F), (0x0E31, 0x0E31), (0x0E34, 0x0E3A),
              (0x0E47, 0x0E4E), (0x1AB0, 0x1ACE), (0x1DC0, 0x1DFF), (0x20D0, 0x20F0), (0xFE20, 0xFE2F))  # fmt: skip
_NATIVE = ((0x0591, 0x05BD), (0x0610, 0x061A), (0x064B, 0x065F), (0x0E31, 0x0E31), (0x0E34, 0x0E3A), (0x0E47, 0x0E4E))
"""Marks that stand in threes and fours in ordinary Hebrew, Arabic and Thai."""

_SPACES = "\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_STRUCTURE = lazy(f"[ \t{_SPACES}]{{0,12}}(?:#{{1,6}}|[-+*]|[0-9]{{1,9}}[.)])([{_SPACES}])")
_LEADING = lazy(f"[ \t]{{0,12}}([{_SPACES[:-1]}])[ \t\xa0]{{0,12}}(?:#{{1,6}}|[-+*]|[0-9]{{1,9}}[.)])[ \t]")
_DECOMPOSED = lazy("[\u0300-\u036f\u1100-\u11ff\u3099\u309a]")
_FLAG = lazy(
    "\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f"
)

_kinds: dict[str, str] = {}
"""Kinds of the characters met so far. A pattern over the whole table would cost 8 ms to compile on every commit."""

_SHORT = 2000  # characters of a line whose answer is remembered
_harmless: set[str] = set()
"""Characters met so far that are neither in the table nor combining marks."""

_CONTROL_NAMES = {0x00: "NULL", 0x07: "BELL", 0x08: "BACKSPACE", 0x0B: "LINE TABULATION", 0x0C: "FORM FEED", 0x0D: "CARRIAGE RETURN",
                  0x1A: "SUBSTITUTE", 0x1B: "ESCAPE", 0x1C: "FILE SEPARATOR", 0x1D: "GROUP SEPARATOR", 0x1E: "RECORD SEPARATOR",
                  0x1F: "UNIT SEPARATOR", 0x7F: "DELETE", 0x85: "NEXT LINE"}  # fmt: skip


class Odd(Record):
    """One character that does not belong: its 0-based place, its kind, and whether it is `hard` (never innocent where it stands)."""

    at: int
    kind: str
    hard: bool


def kind_of(char: str) -> str:
    """Return the kind of a character of the table, '' for all others. Looks at the character alone, not at what is around it."""
    found = _kinds.get(char)
    if found is None:
        code = ord(char)
        found = next((kind for first, last, kind in RANGES if first <= code <= last), "")
        found = _kinds[char] = NONCHARACTER if code & 0xFFFE == 0xFFFE else found
    return found


def _odd_in(text: str) -> set[str]:
    """The distinct characters of the table that a text holds."""
    return {char for char in set(text) if kind_of(char)}


def is_plain(text: str) -> bool:
    """Whether text is printable ASCII and tabs: nothing in this module has anything to say about it. Costs two scans in C."""
    return text.isascii() and (text.isprintable() or text.replace("\t", "").isprintable())


def find_odd(line: str, number: int = 0, *, last: bool = False) -> Iterator[Odd]:
    """Yield what is hidden, reordering or no character at all in one line, left to right; piled-up combining marks last.

    `number` is the 1-based line, for a byte order mark is at home at the start of line 1; `last` says that no newline follows, where
    a carriage return is not half of a CRLF. Lone surrogates (bytes that are not UTF-8) are left to others.
    """
    if not is_plain(line) and not _harmless.issuperset(line):
        look = _find_odd if len(line) <= _SHORT else _find_odd.__wrapped__
        yield from look(line, first=number == 1, last=last)


@lru_cache(maxsize=1 << 12)
def _find_odd(line: str, *, first: bool, last: bool) -> tuple[Odd, ...]:
    """The same, remembered: two rules ask about each line, and a history brings the same lines again."""
    _harmless.update(char for char in set(line) if not kind_of(char) and not _lies_in(char, _COMBINING))
    return tuple(_look_at(line, first=first, last=last))


def _look_at(line: str, *, first: bool, last: bool) -> Iterator[Odd]:
    odd = _odd_in(line)
    flags = [match.span() for match in _FLAG.finditer(line)] if "\U0001f3f4" in line else []
    for at, char in enumerate(line) if odd else ():
        if char not in odd:
            continue
        kind = kind_of(char)
        if kind == RETURN:
            if last or at + 1 < len(line):
                yield Odd(at, kind, hard=True)
        elif kind == BOM:
            if at or not first:
                yield Odd(at, kind, hard=True)
        elif kind == TAG:
            if not any(start < at < end for start, end in flags):
                yield Odd(at, kind, hard=True)
        elif kind in {VARIATION, JOINER, NONJOINER, HYPHEN, MONGOLIAN, HIEROGLYPH}:
            found = _in_context(line, at, kind)
            if found is not None:
                yield found
        else:
            yield Odd(at, kind, hard=kind not in {MARK, PRIVATE})
    for start, size in _piles(line):
        if size > 4:
            yield Odd(start, PILE, hard=True)


def _piles(line: str) -> list[tuple[int, int]]:
    """Start and length of each run of three or more combining marks."""
    marks = {char for char in set(line) if char >= "\u0300" and _lies_in(char, _COMBINING)}
    if not marks:
        return []
    found, start = [], -1
    for at, char in enumerate(line + " "):
        if char in marks:
            start = at if start < 0 else start
        elif start >= 0:
            if at - start >= 3:
                found.append((start, at - start))
            start = -1
    return found


def _in_context(line: str, at: int, kind: str) -> Odd | None:
    """Judge characters that are right in one place and wrong in another; None where they are right."""
    before = line[at - 1] if at else ""
    after = line[at + 1] if at + 1 < len(line) else ""
    if kind == VARIATION:
        fine = line[at] in "\ufe0e\ufe0f" and before != "" and is_emoji_base(before)
        return None if fine else Odd(at, kind, hard=True)
    if kind == HIEROGLYPH:
        return None if "\U00013000" <= before <= "\U000143ff" else Odd(at, kind, hard=True)
    if kind == MONGOLIAN:
        return None if "\u1820" <= before <= "\u18aa" else Odd(at, kind, hard=True)
    if kind == JOINER:
        emoji = before != "" and (before == "\ufe0f" or is_emoji_base(before))
        if emoji and after and is_emoji_base(after):
            return None
        if before and _lies_in(before, _JOINING):
            return None
        return Odd(at, kind, hard=not emoji)  # a sequence that a log cut off in the middle is untidy, not hostile
    if kind == NONJOINER and before and after and _lies_in(before, _JOINING) and _lies_in(after, _JOINING):
        return None
    # Mail preheaders pasted into logs hold long runs of U+200C between blanks (4,800 in one repository); inside a word it splits the word.
    return Odd(at, kind, hard=before.isalnum() and after.isalnum())


def is_emoji_base(char: str) -> bool:
    """Whether U+FE0F or U+FE0E may follow: an emoji, a symbol of its blocks, or the digit, `#` or `*` of a keycap."""
    return char in "#*0123456789\xa9\xae" or _lies_in(char, _EMOJI_BLOCKS)


def _lies_in(char: str, blocks: tuple[tuple[int, int], ...]) -> bool:
    code = ord(char)
    return any(first <= code <= last for first, last in blocks)


def find_structure_space(line: str) -> int:
    """Return the index of a blank that is no space next to a heading or list marker, where it unmakes the marker; -1 if there is none.

    A bullet sign such as U+2022 is an item with either blank and is not looked at.
    """
    if line.isascii():
        return -1
    match = _STRUCTURE.match(line) or _LEADING.match(line)
    return match.start(1) if match is not None else -1


def find_pile(line: str) -> int:
    """Return the index of three or four combining marks on one base, as only decorated text has them; -1 if there are none."""
    for start, size in _piles(line):
        if size <= 4 and not all(_lies_in(char, _NATIVE) for char in line[start : start + size]):
            return start
    return -1


def find_decomposed(line: str) -> int:
    """Return the index of the first place where the line differs from its composed form (NFC); -1 if it does not."""
    match = _DECOMPOSED.search(line)
    if match is None:
        return -1
    from unicodedata import normalize  # 0.3 ms, and only where a combining mark stands

    composed = normalize("NFC", line)
    if composed == line:
        return -1
    return next((i for i, (a, b) in enumerate(zip(line, composed, strict=False)) if a != b), len(composed))


def describe(char: str) -> str:
    """Name a character for people, such as `U+200B ZERO WIDTH SPACE`; the result is printable ASCII."""
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:
        return f"byte 0x{code - 0xDC00:02X}"
    if code < 0x20 or 0x7F <= code < 0xA0:
        return f"U+{code:04X} {_CONTROL_NAMES.get(code, 'CONTROL CHARACTER')}"
    kind = kind_of(char)
    if kind in {PRIVATE, NONCHARACTER, UNASSIGNED}:
        return f"U+{code:04X} {'PRIVATE USE' if kind == PRIVATE else kind.upper()}"
    from unicodedata import name

    return f"U+{code:04X} {name(char, 'UNNAMED')}"


def visible(text: str) -> str:
    """Return text without the characters that nobody sees; odd line breaks and blanks become spaces. For finding words in."""
    if is_plain(text):
        return text
    odd: dict[str, str | int | None] = {char: " " if kind_of(char) == BREAK else None for char in _odd_in(text)}
    return text.translate(str.maketrans({**odd, **dict.fromkeys(_SPACES, " ")}))


def show(text: str, limit: int = 60) -> str:
    """Return text that may be printed anywhere: odd and non-ASCII characters as `<U+XXXX>`, cut at `limit` characters of the source."""
    cut = text[:limit]
    shown = cut if is_plain(cut) and "\t" not in cut else "".join(c if " " <= c <= "~" else f"<U+{ord(c):04X}>" for c in cut)
    return shown + "..." if len(text) > limit else shown
