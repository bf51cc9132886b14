"""National identity numbers that prove themselves: a shape that nothing else has, and a check that belongs to it."""

from __future__ import annotations

from hoard_git.core.lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

_NO = r"(?<![\w+./#@-])"
_END = r"(?![\w]|[.,/-][0-9])"
_ODD = dict(
    zip("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23), strict=True)
)  # fmt: skip
"""What a character at an odd place adds to the check letter of a codice fiscale (D.M. 23 December 1976)."""


def _numbers(text: str) -> list[int]:
    return [int(char) for char in text if char.isdigit()]


def _belgian(text: str) -> bool:
    """Two digits complement the rest to 97; those born since 2000 count with a 2 in front."""
    digits = "".join(filter(str.isdigit, text))
    return any((97 - int(lead + digits[:9]) % 97) == int(digits[9:]) for lead in ("", "2"))


def _italian(text: str) -> bool:
    total = sum(_ODD[char] if index % 2 == 0 else int(char, 36) - (10 if char.isalpha() else 0) for index, char in enumerate(text[:15]))
    return chr(65 + total % 26) == text[15]


def _swiss(text: str) -> bool:
    """EAN-13."""
    digits = _numbers(text)
    return (10 - sum(digit * (1 if index % 2 == 0 else 3) for index, digit in enumerate(digits[:12]))) % 10 == digits[12]


def _brazilian(text: str) -> bool:
    digits = _numbers(text)
    if len(set(digits)) == 1:
        return False
    first = sum(digit * weight for digit, weight in zip(digits, range(10, 1, -1), strict=False)) * 10 % 11 % 10
    second = sum(digit * weight for digit, weight in zip(digits, range(11, 1, -1), strict=False)) * 10 % 11 % 10
    return digits[9:] == [first, second]


def _chinese(text: str) -> bool:
    """ISO 7064 mod 11-2 over a place, a birthday and a number (GB 11643-1999)."""
    if not (1900 <= int(text[6:10]) <= 2099 and 1 <= int(text[10:12]) <= 12 and 1 <= int(text[12:14]) <= 31):
        return False
    total = sum(int(digit) * pow(2, 17 - index, 11) for index, digit in enumerate(text[:17]))
    return "10X98765432"[total % 11] == text[17].upper()


def _finnish(text: str) -> bool:
    return "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(text[:6] + text[7:10]) % 31] == text[10]


def _french(text: str) -> bool:
    """97 less the rest; Corsica's departments 2A and 2B count as 19 and 18."""
    plain = text.replace(" ", "").replace("2A", "19").replace("2B", "18")
    return 97 - int(plain[:13]) % 97 == int(plain[13:])


def _spanish(text: str) -> bool:
    plain = text.replace("-", "")
    number = {"X": "0", "Y": "1", "Z": "2"}.get(plain[0], plain[0]) + plain[1:8]
    is_day = plain[0].isdigit() and plain[:2] in ("19", "20") and 1 <= int(plain[4:6]) <= 12 and 1 <= int(plain[6:8]) <= 31
    return not is_day and "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23] == plain[8]


def _anyway(text: str) -> bool:
    del text
    return True


SHAPES: tuple[tuple[re.Pattern[str], Callable[[str], bool]], ...] = (
    (lazy(rf"{_NO}[0-9]{{2}}\.[0-9]{{2}}\.[0-9]{{2}}-[0-9]{{3}}\.[0-9]{{2}}{_END}"), _belgian),
    (lazy(rf"{_NO}[A-Z]{{6}}[0-9]{{2}}[A-EHLMPR-T][0-9]{{2}}[A-Z][0-9]{{3}}[A-Z]{_END}"), _italian),
    (lazy(rf"{_NO}756\.[0-9]{{4}}\.[0-9]{{4}}\.[0-9]{{2}}{_END}"), _swiss),
    (lazy(rf"{_NO}[0-9]{{3}}\.[0-9]{{3}}\.[0-9]{{3}}-[0-9]{{2}}{_END}"), _brazilian),
    (lazy(rf"{_NO}[1-9][0-9]{{16}}[0-9Xx]{_END}"), _chinese),
    # a letter at the end: six digits, a dash and four digits are a time as often
    (lazy(rf"{_NO}[0-3][0-9][01][0-9]{{3}}[-+A][0-9]{{3}}[A-FHJ-NPR-Y]{_END}"), _finnish),
    (lazy(rf"{_NO}[12] [0-9]{{2}} [0-9]{{2}} (?:[0-9]{{2}}|2[AB]) [0-9]{{3}} [0-9]{{3}} [0-9]{{2}}{_END}"), _french),
    (lazy(rf"{_NO}(?:[0-9]{{8}}|[XYZ]-?[0-9]{{7}})-?[A-Z]{_END}"), _spanish),
    # British: pairs of digits between letters, in groups; the prefixes that are never given out are left aside
    (lazy(rf"{_NO}(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] [0-9]{{2}} [0-9]{{2}} [0-9]{{2}} [A-D]{_END}"), _anyway),
    # the first line of a passport's machine-readable zone, and the second one with its number (ICAO 9303)
    (lazy(rf"{_NO}P[A-Z<][A-Z]{{3}}[A-Z<]{{39}}(?![\w<])"), _anyway),
    (lazy(rf"{_NO}[A-Z0-9<]{{9}}[0-9][A-Z<]{{3}}[0-9]{{7}}[MFX<][0-9]{{7}}[A-Z0-9<]{{14}}[0-9<][0-9](?![\w<])"), _anyway),
)
"""Each shape with the check that a match must pass."""
