"""Letters, digits and signs that look like others: Cyrillic, Greek, Armenian, Cherokee and styled ones beside ASCII (after Unicode TR 39)."""

from __future__ import annotations

from hoard_git.core.lazy import lazy
from hoard_git.core.unicode import RANGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator

_ALIKE = {
    "a": "\u0430\u03b1\u0251", "b": "\u042c", "c": "\u0441\u03f2\u1d04\uabaf", "d": "\u0501\u13e7", "e": "\u0435\u04bd\u212e", "f": "\u03dd", "g": "\u0261\u0581", "h": "\u04bb\u0570\u13c2",
    "i": "\u0456\u03b9\u0131\u2170\u13a5\uab75", "j": "\u0458\u03f3\u0575", "k": "\u03ba", "l": "\u04cf\u2113\u217c", "n": "\u03b7\u0578", "o": "\u043e\u03bf\u0585",
    "p": "\u0440\u03c1", "q": "\u051b\u0566", "r": "\u0433\uab81", "s": "\u0455\u017f\uabaa", "t": "\u03c4", "u": "\u03c5\u057d", "v": "\u03bd\u0475\u2174\uaba9",
    "w": "\u051d\u03c9\u0461\uab83", "x": "\u0445\u03c7\u2179", "y": "\u0443\u03b3\u04af", "z": "\u1d22\uab93",
    "A": "\u0410\u0391\u13aa", "B": "\u0412\u0392\u13f4", "C": "\u0421\u03f9\u13df", "D": "\u13a0", "E": "\u0415\u0395\u13ac", "G": "\u050c\u13c0\u13f3", "H": "\u041d\u0397\u13bb", "I": "\u0406\u0399\u04c0",
    "J": "\u0408\u13ab", "K": "\u041a\u039a\u212a\u13e6", "L": "\u13de", "M": "\u041c\u039c\u13b7", "N": "\u039d", "O": "\u041e\u039f\u0555", "P": "\u0420\u03a1\u13e2", "Q": "\u051a", "R": "\u13a1", "S": "\u0405\u054f\u13da",
    "T": "\u0422\u03a4\u13a2", "U": "\u054d", "V": "\u0474\u13d9", "W": "\u051c\u13b3\u13d4", "X": "\u0425\u03a7", "Y": "\u0423\u03a5\u13bd", "Z": "\u0396\u13c3",
}  # fmt: skip
_WEAK = {
    "k": "\u043a",
    "m": "\u043c",
    "h": "\u043d",
    "t": "\u0442",
    "b": "\u0432",
    "n": "\u043f",
    "3": "\u0437\u0417",
    "e": "\u0454\u03b5",
    "u": "\u0438",
}
"""Likenesses that a reader notices but a word list does not survive; for folding only."""

_SIGNS = {":": "\ua789\u2236\u05c3\ufe55", "-": "\u2010\u2011\u2212\ufe63", ".": "\u2024", "/": "\u2044\u2215", "|": "\u01c0\u2223", "'": "\u2019\u2018\u02bc",
          '"': "\u201c\u201d", "<": "\u2039", ">": "\u203a", "_": "\u2581"}  # fmt: skip

_tables: dict[str, dict[int, int | None]] = {}

_SUSPECT_RANGES = ((0x0370, 0x03FF), (0x0400, 0x052F), (0x0531, 0x0587), (0x13A0, 0x13FF), (0x1F00, 0x1FFF), (0x2170, 0x217C), (0xAB70, 0xABBF),
                   (0xFF21, 0xFF5A), (0x1D400, 0x1D7FF))  # fmt: skip
_SUSPECT_LETTERS = "\u0131\u017f\u0251\u0261\u1d04\u1d22\u2113\u212a\u212e"
_suspects: set[str] = set()

_TOKEN = lazy(r"[^\s|<>()\[\]{}\"'`,;!?\u00ab\u00bb\u201c-\u201e\u3000-\u303f]+")
_PIECE = lazy(r"[^\W_]+")
_HOST = lazy(r"[^\W_](?:@|\.)[^\W_]|://")
_STYLED = "\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff"
_STYLED_BESIDE = lazy(f"[A-Za-z][{_STYLED}]|[{_STYLED}][A-Za-z]")
_LATIN = lazy("[A-Za-z\u00c0-\u024f]")
_FOREIGN = lazy("[\u0370-\u03ff\u0400-\u052f\u0531-\u0587\u13a0-\u13ff\u1f00-\u1fff\uab70-\uabbf\u0251\u0261]")
_ALPHABETS = lazy("[\u0400-\u052f\u0531-\u0587\u13a0-\u13ff\uab70-\uabbf]")
"""Of these no letter is a sign in formulas and units, as Greek ones are."""

_STOPS = "\u2024\u3002\ufe52\uff0e\uff61"
_ATS = "\ufe6b\uff20"
_DOTTED = lazy(f"(?<![A-Za-z0-9.{_STOPS}-])[A-Za-z0-9-]{{1,63}}(?:[.{_STOPS}][A-Za-z0-9-]{{1,63}}){{1,10}}")
_MAIL = lazy(f"[A-Za-z0-9._%+-]{{1,64}}[{_ATS}][A-Za-z0-9-]{{1,63}}[.{_STOPS}][A-Za-z]", 0)
_DIGITS = lazy(r"[0-9][.:]?(?![0-9])\d|(?![0-9])\d[.:]?[0-9]")
_TOP = frozenset({
    "com", "net", "org", "io", "ai", "app", "dev", "co", "me", "sh", "xyz", "info", "biz", "cloud", "online", "site", "top", "cn", "tw", "hk", "jp", "kr", "ru", "ua",
    "de", "fr", "uk", "eu", "us", "in", "nl", "ch", "at", "it", "es", "pl", "se", "no", "br", "au", "ca", "local", "lan", "internal", "home", "test", "example",
})  # fmt: skip


def _table(name: str) -> dict[int, int | None]:
    """Build a translation table once: `skeleton` for likeness, `fold` for finding words."""
    table = _tables.get(name)
    if table is not None:
        return table
    table = {ord(char): ord(plain) for plain, alike in _ALIKE.items() for char in alike}
    for offset in range(0x5E):
        table[0xFF01 + offset] = 0x21 + offset
    for index in range(0x1D400, 0x1D6A4):
        letter = (index - 0x1D400) % 52
        table[index] = ord("A") + letter if letter < 26 else ord("a") + letter - 26
    for index in range(0x1D7CE, 0x1D800):
        table[index] = ord("0") + (index - 0x1D7CE) % 10
    if name == "fold":
        for group in (_WEAK, _SIGNS):
            table.update({ord(char): ord(plain) for plain, alike in group.items() for char in alike})
        for first, last, kind in RANGES:
            if last - first < 0x1000 and kind not in {"private", "break", "return", "unassigned"}:
                table.update(dict.fromkeys(range(first, last + 1)))
        table.update(dict.fromkeys(range(0x300, 0x370)))
        table.update(dict.fromkeys((0xA0, 0x202F, 0x205F, 0x3000, 0x85, 0x2028, 0x2029, *range(0x2000, 0x200B)), 0x20))
    _tables[name] = table
    return table


def skeleton(text: str) -> str:
    """Replace every look-alike by the ASCII letter that it imitates, keeping case; ASCII text comes back as it is."""
    return text if text.isascii() else text.translate(_table("skeleton"))


def fold(text: str) -> str:
    """Return text for finding words in: look-alikes replaced, invisible characters and combining accents dropped, odd blanks as spaces."""
    return text if text.isascii() else text.translate(_table("fold"))


class Likeness:
    """One token that is not what it seems: where it stands, and why. `start` and `end` are 0-based indices into the line."""

    __slots__ = ("end", "reason", "start", "text")

    def __init__(self, start: int, end: int, text: str, reason: str) -> None:
        """Keep the place, the text as written and one clause about it."""
        self.start = start
        self.end = end
        self.text = text
        self.reason = reason


def may_imitate(line: str) -> bool:
    """Whether a line holds any letter that could be taken for another one."""
    return not line.isascii() and any(char in _suspects or _is_suspect(char) for char in set(line) if char > "\x7f")


def _is_suspect(char: str) -> bool:
    """Whether a letter has a Latin twin or belongs to a script that has some; remembered when it has."""
    code = ord(char)
    if any(first <= code <= last for first, last in _SUSPECT_RANGES) or char in _SUSPECT_LETTERS:
        _suspects.add(char)
        return True
    return False


def find_likenesses(line: str, known: Container[str]) -> Iterator[Likeness]:
    """Yield words, hosts, addresses and keys whose letters come from two scripts or imitate an ASCII word of `known` (lower case).

    Words that join scripts openly (a hyphen, an inflection such as Cyrillic endings on a Latin name, a Greek sign in a formula) are
    none: what counts is that every foreign letter of a piece has a Latin twin, so that the piece reads as plain ASCII.
    """
    if not may_imitate(line):
        return
    for token in _TOKEN.finditer(line):
        text = token.group()
        if not may_imitate(text):
            continue
        host = _HOST.search(text) is not None
        pieces = list(_PIECE.finditer(text))
        plain = any(piece.group().isascii() and not piece.group().isdigit() for piece in pieces)
        for piece in pieces:
            reason = _judge(piece.group(), host=host, plain=plain, known=known)
            if reason:
                yield Likeness(token.start() + piece.start(), token.start() + piece.end(), text, reason)
                break


def _judge(piece: str, *, host: bool, plain: bool, known: Container[str]) -> str:
    if piece.isascii():
        return ""
    if host and _ALPHABETS.search(piece) and _LATIN.search(piece):
        return "mixes letters of two scripts"
    bones = skeleton(piece)
    if bones == piece:
        return ""
    if _STYLED_BESIDE.search(piece):
        return "mixes styled and plain letters"
    foreign = _FOREIGN.search(piece) is not None
    if foreign and _LATIN.search(piece) and bones.isascii() and (len(piece) >= 4 or host):
        return "mixes letters of two scripts"
    if not bones.isascii():
        return ""
    if len(bones) >= 4 and bones.lower() in known and bones.lower() != bones.upper():
        return "looks like a word of this file in other letters"
    return "imitates Latin letters in a name or address" if host and plain and len(piece) >= 3 else ""


def find_odd_signs(line: str) -> Iterator[Likeness]:
    """Yield hosts and addresses with a dot or an at-sign of another script, and numbers with digits of two scripts.

    A Chinese or Japanese full stop ends sentences right behind a word; it stands in a host when the words around it are lower case and
    the last is a top-level domain, or an ASCII dot follows.
    """
    if line.isascii():
        return
    if any(stop in line for stop in _STOPS):
        for match in _DOTTED.finditer(line):
            text = match.group()
            if not text.isascii() and _is_host(text, line[match.start() - 1 : match.start()]):
                yield Likeness(match.start(), match.end(), text, "holds a dot that is none in a host's name")
    if any(at in line for at in _ATS):
        for match in _MAIL.finditer(line):
            yield Likeness(match.start(), match.end(), match.group(), "holds an at-sign that is none in an address")
    for match in _DIGITS.finditer(line):
        yield Likeness(match.start(), match.end(), match.group(), "holds digits of two scripts in one number")


def _is_host(text: str, before: str) -> bool:
    if "\u2024" in text:
        return True  # no language ends its sentences with a one dot leader
    if text != text.lower():
        return False
    last = max(text.rfind(stop) for stop in _STOPS)
    tail = text[last + 1 :]
    return before in {"@", "/"} or tail in _TOP or "." in tail or text.replace(text[last], ".", 1).rpartition(".")[2] in _TOP
