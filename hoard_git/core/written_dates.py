"""Dates as people write them, where there is only one way to read them; `03/04/2026` has two, and `2026.2.14` may be a version."""

from __future__ import annotations

import re

from hoard_git.core.dates import parse_day

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
_YEAR = r"20[0-9]{2}"
_FORMS = (
    rf"(?P<y1>{_YEAR})-(?P<m1>[0-9]{{2}})-(?P<d1>[0-9]{{2}})(?![0-9])"
    rf"|(?P<y2>{_YEAR})/(?P<m2>[0-9]{{1,2}})/(?P<d2>[0-9]{{1,2}})(?![0-9/])"
    rf"|(?P<y3>{_YEAR})\u5e74(?P<m3>[0-9]{{1,2}})\u6708(?P<d3>[0-9]{{1,2}})\u65e5"
    rf"|(?P<m4>{_MONTH})\ (?P<d4>[0-9]{{1,2}})(?:st|nd|rd|th)?,?\ (?P<y4>{_YEAR})(?![0-9])"
    rf"|(?P<d5>[0-9]{{1,2}})(?:st|nd|rd|th)?\.?\ (?P<m5>{_MONTH})\ (?P<y5>{_YEAR})(?![0-9])"
)
_FLAGS = re.ASCII | re.IGNORECASE
_ANYWHERE = re.compile(rf"(?<![0-9A-Za-z/.-])(?:{_FORMS})", _FLAGS)
_FIRST = re.compile(rf"\s*(?:(?:[-+*\u2022]|[0-9]{{1,9}}[.)])\s+)?(?:\[[ xX~]\]\s+)?[\[(*`_]{{0,3}}(?:{_FORMS})", _FLAGS)
_LAST = re.compile(rf"[(\[](?:{_FORMS})[)\]](?:\s[a-z]{{1,20}}:[^\s:]{{1,80}}){{0,6}}[.\s]*$", _FLAGS)
_LONGEST = 2000


def find_date(text: str) -> str:
    """Return the first date in a title as ISO, or ''."""
    return _iso(_ANYWHERE.search(text[:_LONGEST]))


def own_date(first: str) -> str:
    """Return the date that the first line of an entry begins with, after its marker, or ends with in brackets (words such as `ttl:90d` may follow), as ISO; else ''."""
    return _iso(_FIRST.match(first)) or _iso(_LAST.search(first[-_LONGEST:]))


def file_date(name: str) -> str:
    """Return the ISO date in a file name, or ''."""
    match = re.search(rf"(?<![0-9])({_YEAR}-[0-9]{{2}}-[0-9]{{2}})(?![0-9])", name, re.ASCII)
    return match[1] if match and parse_day(match[1]) is not None else ""


def _iso(match: re.Match[str] | None) -> str:
    if match is None:
        return ""
    groups = match.groupdict()
    n = next(n for n in "12345" if groups["y" + n])  # one of the forms has matched
    year, month, day = groups["y" + n], groups["m" + n], groups["d" + n]
    number = int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1
    text = f"{year}-{number:02d}-{int(day):02d}"
    return text if parse_day(text) is not None else ""
