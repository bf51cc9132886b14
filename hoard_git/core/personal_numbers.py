"""Numbers that belong to one person and mostly carry a check: cards, accounts, national and passport numbers."""

from __future__ import annotations

from hoard_git.core.lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_IBAN_LENGTHS = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BI": 27, "BR": 29, "BY": 28, "CH": 21, "CR": 22, "CY": 28,
    "CZ": 24, "DE": 22, "DJ": 27, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FK": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23,
    "GL": 18, "GR": 27, "GT": 28, "HN": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28,
    "LC": 32, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MN": 20, "MR": 27, "MT": 31, "MU": 30, "NI": 28,
    "NL": 18, "NO": 15, "OM": 23, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "RU": 33, "SA": 24, "SC": 31, "SD": 18, "SE": 24,
    "SI": 19, "SK": 24, "SM": 27, "SO": 23, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20, "YE": 30,
}  # fmt: skip
"""Characters of an account number by country (ISO 13616 registry)."""

_BEFORE = r"(?<![\w+./#@-])"
_BEHIND = r"(?![\w]|[.,/-][0-9])"
_IBAN = lazy(r"(?<![\w/-])[A-Za-z]{2}[0-9]{2}(?:[ \xa0-]?[A-Za-z0-9]){11,40}")
_CARD = lazy(
    rf"{_BEFORE}(?:[3-6][0-9]{{12,18}}|2[2-7][0-9]{{14}}|[2-6][0-9]{{3}}([ \xa0-])[0-9]{{4}}\1[0-9]{{4}}\1[0-9]{{1,4}}(?:\1[0-9]{{1,3}})?"
    rf"|3[0-9]{{3}}([ \xa0-])[0-9]{{6}}\2[0-9]{{4,5}}){_BEHIND}"
)
_CARD_WORD = lazy(r"\b(?:card|visa|mastercard|amex|diners|maestro|karte|kaart|carte|tarjeta|carta)\b", 2)  # re.IGNORECASE
_STOP = lazy(
    r"\b(?:id|ids|order|chat|channel|user|thread|message|msg|guild|ticket|invoice|sku|part|ean|upc|isbn|ref|tracking|build|snowflake|group|number of|serial)"
    r"(?:[ \t]{0,2}(?:no|nr|number|is))?[.:=#]{0,2}[ \t(#]{0,3}$",
    2,
)
_FILLER = r"(?:[ \t]{0,2}(?:(?i:number|nummer|numéro|número|no\.?|nr\.?|is|ist|est|code)|[:=#|.-]|\([\w ]{2,12}\)|\*\*)){0,4}[ \t]{0,2}"
_VALUE = r"((?:[A-Z]{1,3}[ -]?)?[0-9][0-9A-Z]*(?:[ \xa0.+/-][0-9A-Z]*[0-9][0-9A-Z]*){0,7}(?:[ -][A-Z])?|[A-Z][A-Z0-9]{5,11})(?!\w)"
_LABELLED = lazy(
    r"(?<![^\W_])(?:(?i:passport|paspoort|passeport|pasaporte|passaporto|reisepass(?:nummer)?|(?:personal)?ausweis(?:nummer)?|identity card|id[ -]card|"
    r"identiteitskaart|driver['’]?s? licen[cs]e|driving licen[cs]e|führerschein|rijbewijs|national insurance|burgerservicenummer|"
    r"rijksregister(?:nummer)?|steuer-?id(?:nr)?|steueridentifikationsnummer|tax id|codice fiscale|ahv(?:-nummer)?|pesel|personnummer|cpr-nummer|"
    r"henkilötunnus|aadhaar|sin number|social insurance|nhs number|身份证|身份證|паспорт|снилс|national id|"
    r"(?<!chat )(?<!user )(?<!order )(?<!item )(?<!ticket )(?<!thread )id number)"
    rf"|BSN|NINO|DNI|NIE|NIF|NIR|CPF|CPR|HETU|TFN|INN){_FILLER}{_VALUE}"
)
_SSN_LABELLED = lazy(rf"(?<![^\W_])(?:SSN|ssn|(?i:social security)){_FILLER}([0-9]{{3}}[ -]?[0-9]{{2}}[ -]?[0-9]{{4}})(?![\w-])")
_SSN = lazy(rf"{_BEFORE}[0-9]{{3}}-[0-9]{{2}}-[0-9]{{4}}(?![\w-]|[.,/][0-9])")
_DATE = lazy(
    r"(?:(?:19|20)[0-9]{2}(?:([./ -])[0-9]{1,2}\1[0-9]{1,2}|[01][0-9][0-3][0-9])?|[0-9]{1,2}([./ -])[0-9]{1,2}\2(?:19|20)[0-9]{2}|[01]?[0-9]/(?:19|20)?[0-9]{2})"
)


def find_cards(text: str) -> Iterator[tuple[int, int]]:
    """Yield 0-based spans of payment card numbers: a network's prefix and length, and Luhn's check (ISO/IEC 7812)."""
    for match in _CARD.finditer(text):
        value = match.group()
        if not is_card(value) or _STOP.search(text, max(0, match.start() - 30), match.start()) is not None:
            continue
        spoken = _CARD_WORD.search(text, max(0, match.start() - 60), match.end() + 30) is not None
        if spoken or _is_of_network("".join(filter(str.isdigit, value)), grouped=not value.isdigit()):
            yield match.span()


def is_card(text: str) -> bool:
    """Whether a number of 13 to 19 digits passes Luhn's check (ISO/IEC 7812) and is not one digit over and over."""
    digits = [int(char) for char in text if char.isdigit()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) < 2:
        return False
    doubled = [digit if index % 2 == 0 else digit * 2 - 9 * (digit > 4) for index, digit in enumerate(reversed(digits))]
    return sum(doubled) % 10 == 0


def _is_of_network(digits: str, *, grouped: bool) -> bool:
    """Whether a card network gives out numbers that begin so and are so long: one id in ten passes Luhn's check by chance."""
    first, size = digits[0], len(digits)
    if digits[:2] in ("34", "37"):
        return size == 15
    if digits[:2] in ("36", "38", "30"):
        return size == 14 and grouped or size == 16
    if first == "2":
        return size == 16 and 2221 <= int(digits[:4]) <= 2720
    if first == "5":
        return size == 16 and (digits[1] in "12345" or grouped)
    return size == 16 or grouped and size in (13, 19)


def find_ibans(text: str) -> Iterator[tuple[int, int]]:
    """Yield 0-based spans of bank account numbers: the country's length and check digits mod 97 (ISO 13616, ISO 7064)."""
    for match in _IBAN.finditer(text):
        size = _IBAN_LENGTHS.get(match.group()[:2].upper(), 0)
        ends = [at for at, char in enumerate(match.group(), 1) if char.isalnum()]
        if 0 < size <= len(ends):
            end = match.start() + ends[size - 1]
            if not text[end : end + 1].isalnum() and is_iban(text[match.start() : end]):
                yield match.start(), end


def is_iban(text: str) -> bool:
    """Whether an account number has its country's length and right check digits."""
    plain = "".join(char for char in text.upper() if char.isalnum() and char.isascii())
    if len(plain) != _IBAN_LENGTHS.get(plain[:2]):
        return False
    return int("".join(str(int(char, 36)) for char in plain[4:] + plain[:4])) % 97 == 1


def find_social(text: str) -> Iterator[tuple[int, int]]:
    """Yield 0-based spans of US social security numbers: three groups, none of them one that is never given out."""
    for match in _SSN_LABELLED.finditer(text):
        if _is_social(match[1]):
            yield match.span(1)
    for match in _SSN.finditer(text):
        if _is_social(match.group()) and _STOP.search(text, max(0, match.start() - 30), match.start()) is None:
            yield match.span()


def _is_social(text: str) -> bool:
    digits = "".join(filter(str.isdigit, text))
    return digits[:3] not in ("000", "666") and digits[3:5] != "00" and digits[5:] != "0000"


def find_ids(text: str) -> Iterator[tuple[int, int]]:
    """Yield 0-based spans of national and passport numbers: those with a right check, and what a label announces."""
    from hoard_git.core.personal_checks import SHAPES

    for pattern, check in SHAPES:
        for match in pattern.finditer(text):
            if check(match.group()):
                yield match.span()
    for match in _LABELLED.finditer(text):
        value = match[1]
        digits = sum(map(str.isdigit, value))
        if digits >= 2 and sum(map(str.isalnum, value)) >= 6 and _DATE.fullmatch(value) is None:
            yield match.span(1)
