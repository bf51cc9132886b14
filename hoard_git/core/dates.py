"""Calendar days as ISO strings and day numbers, without importing datetime on the hot path."""

from __future__ import annotations

from functools import lru_cache

_DAYS_BEFORE = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
_DAYS_IN = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

EPOCH = 719163
"""The day number of 1970-01-01, from which git and the clock count seconds."""

TTL_UNITS = {"d": 1, "w": 7, "y": 365}
"""Days per ttl unit; a year is 365 days (DESIGN, "Upkeep")."""


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


@lru_cache(maxsize=1 << 12)
def parse_day(text: str) -> int | None:
    """Return the proleptic Gregorian ordinal of an exact ASCII `YYYY-MM-DD`, or None.

    `date.fromisoformat` is not used: since Python 3.11 it takes `20260605` and `2026-W23-5`, and `int` takes other scripts' digits.
    """
    if len(text) != 10 or text[4] != "-" or text[7] != "-":
        return None
    digits = text[:4] + text[5:7] + text[8:]
    if not (digits.isascii() and digits.isdigit()):
        return None
    year, month, day = int(text[:4]), int(text[5:7]), int(text[8:])
    if year < 1 or not 1 <= month <= 12:
        return None
    longest = 29 if month == 2 and _is_leap(year) else _DAYS_IN[month - 1]
    if not 1 <= day <= longest:
        return None
    past = year - 1
    leap = 1 if month > 2 and _is_leap(year) else 0
    return past * 365 + past // 4 - past // 100 + past // 400 + _DAYS_BEFORE[month - 1] + leap + day


def format_day(ordinal: int) -> str:
    """Return the ISO date of a day number made by `parse_day`; the two are inverse from 0001-01-01 to 9999-12-31."""
    year = min((ordinal * 400) // 146097 + 2, 9999)
    first = parse_day(f"{year:04d}-01-01")
    while first is None or first > ordinal:
        year -= 1
        first = parse_day(f"{year:04d}-01-01")
    month, rest = 1, ordinal - first
    while True:
        length = 29 if month == 2 and _is_leap(year) else _DAYS_IN[month - 1]
        if rest < length:
            return f"{year:04d}-{month:02d}-{rest + 1:02d}"
        rest -= length
        month += 1


def ttl_days(ttl: str) -> int | None:
    """Return the days of a well-formed ttl (`90d`, `2w`, `1y`), or None for `never`; the caller has validated the form."""
    if ttl == "never" or not ttl:
        return None
    return int(ttl[:-1]) * TTL_UNITS[ttl[-1]]
