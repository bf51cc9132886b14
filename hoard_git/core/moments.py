"""Moments as git writes them (`seconds zone`) in the forms that people and programs read."""

from __future__ import annotations

from hoard_git.core.dates import EPOCH, format_day


def zone_seconds(zone: str) -> int:
    """Seconds east of UTC of a zone such as `+0530`; 0 for a malformed one."""
    digits = zone[1:]
    if len(zone) != 5 or zone[0] not in "+-" or not (digits.isascii() and digits.isdigit()):
        return 0
    seconds = int(digits[:2]) * 3600 + int(digits[2:]) * 60
    return -seconds if zone[0] == "-" else seconds


def iso_moment(date: str) -> str:
    """`1780000000 +0200` as an ISO 8601 moment with that zone; '' for a malformed date."""
    text, _, zone = date.partition(" ")
    if not (text.isascii() and text.isdigit()) or len(text) > 15:
        return ""
    offset = zone_seconds(zone)
    day, second = divmod(int(text) + offset, 86400)
    if not 0 < day + EPOCH <= 3652059:
        return ""
    sign, ahead = ("-", -offset) if offset < 0 else ("+", offset)
    clock = f"{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}"
    return f"{format_day(day + EPOCH)}T{clock}{sign}{ahead // 3600:02d}:{ahead // 60 % 60:02d}"


def iso_day(date: str) -> str:
    """The calendar day of such a moment in its own zone; '' for a malformed date."""
    return iso_moment(date)[:10]
