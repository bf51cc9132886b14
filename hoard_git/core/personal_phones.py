"""Phone numbers in running text: international form, national forms that cannot be anything else, and any form behind a word for phone.

A memory is full of numbers that are nobody's phone: epochs, ids, versions, dates, sizes, ports. Patterns propose and `_*_good` disposes, by
ITU-T E.164 lengths, the North American plan and what stands in front. In doubt it is no phone number.
"""

from __future__ import annotations

from itertools import pairwise

from hoard_git.core.lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_LENGTHS = {
    "1": (10, 10), "7": (10, 10), "20": (8, 10), "27": (9, 9), "30": (10, 10), "31": (9, 9), "32": (8, 9), "33": (9, 9), "34": (9, 9), "36": (8, 9),
    "39": (6, 11), "40": (9, 9), "41": (9, 9), "43": (5, 13), "44": (9, 10), "45": (8, 8), "46": (7, 10), "47": (8, 8), "48": (9, 9), "49": (5, 12),
    "51": (8, 9), "52": (10, 11), "53": (8, 8), "54": (10, 11), "55": (10, 11), "56": (9, 9), "57": (8, 10), "58": (10, 10), "60": (8, 10),
    "61": (9, 9), "62": (8, 12), "63": (8, 10), "64": (8, 10), "65": (8, 8), "66": (8, 9), "81": (9, 10), "82": (8, 10), "84": (9, 10), "86": (9, 11),
    "90": (10, 10), "91": (10, 10), "92": (9, 10), "93": (9, 9), "94": (9, 9), "95": (7, 10), "98": (10, 10),
}  # fmt: skip
"""Digits behind the country code, fewest and most, for codes of one and two digits (ITU-T E.164 and national plans)."""

_CODES = "21 22 23 24 25 26 29 35 37 38 42 50 59 67 68 69 80 85 88 96 97 99"
_LONG_CODES = tuple(_CODES.split())
"""How country codes of three digits begin; behind them stand 6 to 11 more, with 9 in most countries."""

_PLUS = lazy(r"(?<![^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])(?<![+.-])\+[1-9](?:[ \xa0./()-]{0,2}[0-9]){6,16}(?![\w])")
_ZEROS = lazy(r"(?<![\w+./#=@-])00 ?[1-9](?:[ \xa0./()-]{0,2}[0-9]){6,16}(?![\w])")
_ZERO = lazy(
    r"(?<![\w+./#=@-])(?<![0-9]:)(?:\(0[1-9][0-9]{0,4}\) ?|0[1-9][0-9]{0,4}(?: / |[ \xa0./-]|\. ))[0-9]{2,9}(?:[ \xa0.-]?[0-9]{1,5}){0,6}(?![\w]|[.,:/-][0-9])"
)
_NANP = lazy(
    r"(?<![\w+./:#=@-])(?:1[ .-])?(?:\(([2-9][0-9]{2})\) ?[2-9][0-9]{2}[ .-]|([2-9][0-9]{2})([.-])[2-9][0-9]{2}\3)[0-9]{4}(?![\w]|[.,:/-][0-9])"
)
_BRAZIL = lazy(r"(?<![\w+./:#=@-])\([1-9][0-9]\) ?9?[0-9]{4}-[0-9]{4}(?![\w]|[.,:/-][0-9])")
_RUSSIA = lazy(r"(?<![\w+./:#=@-])8[ -]?(?:\([0-9]{3}\) ?|[0-9]{3}[ -])[0-9]{3}-[0-9]{2}-[0-9]{2}(?![\w]|[.,:/-][0-9])")
_WORD = (
    r"phone|tel|telephone|telefoon|telefon|telefono|teléfono|téléphone|mobile|mobiel|mobil|cell|cellphone|cellulare|celular|gsm|handy|fax|whats ?app|sms|"
    r"móvil|portable|тел|телефон|моб|手机|电话|電話|携帯|전화|☎|📞|📱"
)
_LABELLED = lazy(
    rf"(?<![^\W_])(?:{_WORD})((?:[ \t]{{0,2}}(?:number|nummer|numéro|no\.?|nr\.?|is|ist|est|[:=|.-]|\([a-z]{{2,8}}\)|\*\*))"
    r"{0,4})[ \t]{0,2}(\(?[0-9](?:[ \xa0./()-]{0,2}[0-9]){6,14})(?![\w]|[.,:/-][0-9])",
    2,  # re.IGNORECASE
)
_TOLD = lazy(
    r"(?<![^\W_])(?:call|ring|dial|text|phone|reach)\b[^.;:\n0-9]{0,40}\b(?:at|on|under)[ \t]{1,2}([0-9]{10,11}|[2-9][0-9]{2}[ -]?[0-9]{4}|"
    r"[2-9][0-9]{2} [2-9][0-9]{2} [0-9]{4})(?![\w]|[.,:/-][0-9])",
    2,
)
_STOP = lazy(
    r"(?:\b(?:id|ids|order|ticket|invoice|rechnung|factuur|facture|customer|kunde|case|ref|reference|sku|part|isbn|ean|upc|build|version|commit|ports?|chat|"
    r"code|codes|serial|hex|slots?|steps?|rows|bytes|bits|sizes?|numbers|lotto|range|lines|pages?|track(?:ing)?|parcel|paket|job|lat|lon|comunicado|circular|expediente|radicado)"
    r"(?:[ \t]{0,2}(?:no|nr|number|is|are))?[.:=#]{0,2}[ \t(#]{0,3}|[#$€£])$",
    2,
)
_DATE = lazy(r"\(?(?:(?:19|20)[0-9]{2}([./ -])[0-9]{1,2}\1[0-9]{1,2}|[0-9]{1,2}([./ -])[0-9]{1,2}\2(?:19|20)[0-9]{2})(?![0-9])")
_DAY = lazy(r"(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:[0-9]{4}|[0-9]{6})?")


def find_phones(text: str) -> Iterator[tuple[int, int]]:
    """Yield 0-based spans of phone numbers; they may overlap, and none crosses a line end."""
    for match in _PLUS.finditer(text):
        yield from _trimmed(match)
    for match in _ZEROS.finditer(text):
        if not match.group()[2:].strip().isdigit():
            yield from _trimmed(match)
    for match in _ZERO.finditer(text):
        if _is_national(match.group()) and not _stopped(text, match.start()) and not _runs_on(text, match.end()):
            yield match.span()
    for match in _NANP.finditer(text):
        area = match[1] or match[2]
        if area not in ("200", "300", "400") and area[1:] != "11" and not _stopped(text, match.start()):
            yield match.span()
    for pattern in (_BRAZIL, _RUSSIA):
        for match in pattern.finditer(text):
            if not _stopped(text, match.start()):
                yield match.span()
    yield from _labelled(text)


def _labelled(text: str) -> Iterator[tuple[int, int]]:
    for match in _LABELLED.finditer(text):
        said, value = match[1].strip(), match[2]
        count = sum(map(str.isdigit, value))
        sure = said or value[0] in "(0" or count >= 9
        if sure and _DATE.match(value) is None and _DAY.fullmatch(value) is None and not _is_round(value):
            yield match.span(2)
    for match in _TOLD.finditer(text):
        digits = "".join(filter(str.isdigit, match[1]))
        fits = digits[0] == "0" or len(digits) == 7 or len(digits) == 10 and digits[0] > "1" and digits[3] > "1"
        if fits and not _is_round(digits):
            yield match.span(1)


def _trimmed(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Take groups off the end until what is left has the length that its country code asks for: a year may stand behind a number."""
    whole = match.group()
    while True:
        if _is_international(whole):
            yield match.start(), match.start() + len(whole)
            return
        cut = max(whole.rfind(c) for c in " \xa0./-(")
        if cut < 6:
            return
        whole = whole[:cut].rstrip(" \xa0./-(")


def _is_international(text: str) -> bool:
    text = text.replace("(0)", "") if text[0] == "+" else text
    digits = "".join(filter(str.isdigit, text))
    digits = digits if text[0] == "+" else digits[2:]
    if text.count("(") != text.count(")") or _is_round(digits):
        return False
    for size in (1, 2):
        bounds = _LENGTHS.get(digits[:size])
        if bounds is not None:
            rest = digits[size:]
            if size == 1 and digits[0] == "1" and (rest[:1] < "2" or rest[3:4] < "2"):
                return False
            return bounds[0] <= len(rest) <= bounds[1]
    return digits.startswith(_LONG_CODES) and 9 <= len(digits) <= 14


def _is_national(text: str) -> bool:
    """Whether a number with a leading zero, written in groups, has the size of a phone number and is no date, address or row of numbers."""
    digits = "".join(filter(str.isdigit, text))
    longest = 12 if "-" in text and " " in text else 11  # 030 12345-6789: an extension behind a German number
    if not 9 <= len(digits) <= longest or _DATE.match(text) is not None or _is_round(digits):
        return False
    groups = "".join(c if c.isdigit() else " " for c in text).split()
    signs = {c for c in text[len(groups[0]) + 1 :] if not c.isdigit()} - set("() ")
    slash_and_dash = text[len(groups[0]) : len(groups[0]) + 1] == "/" and "-" in signs  # a file number
    if len(signs) > 1 or slash_and_dash or len(groups) == 4 and "." in signs and all(int(group) < 256 for group in groups):
        return False
    if len(groups[0]) == 2 and len(groups[1]) == 4 and groups[1][:2] in ("19", "20"):
        return False
    if len(groups) > 2 and len({len(group) for group in groups}) == 1:  # 01 02 03 04 05 counts up; French numbers are five pairs
        steps = {int(b) - int(a) for a, b in pairwise(groups)}
        return len(steps) > 1 and (len(groups[0]) > 2 or len(groups) == 5)
    return True


def _is_round(text: str) -> bool:
    """Whether it is a round number or one digit over and over."""
    digits = "".join(filter(str.isdigit, text))
    return digits.endswith("000000") or len(set(digits[-7:])) == 1


def _stopped(text: str, at: int) -> bool:
    """Whether the word in front says that the number is something else."""
    return _STOP.search(text, max(0, at - 40), at) is not None


def _runs_on(text: str, at: int) -> bool:
    """Whether another pair of hex digits follows, as in a dump."""
    tail = text[at : at + 4]
    return len(tail) > 2 and tail[0] in " -" and all(c in "0123456789abcdefABCDEF" for c in tail[1:3]) and not tail[3:4].isalnum()
