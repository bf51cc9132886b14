"""The dates of commits as moments: what is malformed is no date and never an error."""

from __future__ import annotations

import pytest

from hoard_git.core.moments import iso_day, iso_moment, zone_seconds


@pytest.mark.parametrize(
    ("zone", "seconds"),
    [("+0000", 0), ("+0530", 19_800), ("-0800", -28_800), ("0530", 0), ("+05:30", 0), ("+\u0660530", 0), ("", 0), ("UTC", 0)],
)
def test_zones(zone: str, seconds: int) -> None:
    assert zone_seconds(zone) == seconds


@pytest.mark.parametrize(
    ("date", "moment"),
    [
        ("0 +0000", "1970-01-01T00:00:00+00:00"),
        ("1780000000 +0200", "2026-05-28T22:26:40+02:00"),
        ("1780000000", "2026-05-28T20:26:40+00:00"),
        ("soon +0200", ""),
        ("-5 +0000", ""),
        ("\u0661 +0000", ""),
        ("1" * 16, ""),
        ("999999999999999 +0000", ""),
    ],
)
def test_moments(date: str, moment: str) -> None:
    assert iso_moment(date) == moment
    assert iso_day(date) == moment[:10]
