from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoard_git.core.dates import EPOCH, format_day, parse_day, ttl_days


def test_the_epoch_is_the_first_of_january_1970() -> None:
    assert dt.date(1970, 1, 1).toordinal() == EPOCH


@given(st.dates())
def test_days_are_those_of_the_calendar(date: dt.date) -> None:
    assert parse_day(date.isoformat()) == date.toordinal()
    assert format_day(date.toordinal()) == date.isoformat()


@pytest.mark.parametrize("text", ["0001-01-01", "9999-12-31", "2000-02-29", "1900-02-28", "2024-12-31"])
def test_the_edges_come_back(text: str) -> None:
    day = parse_day(text)
    assert day is not None
    assert format_day(day) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "20260605",
        "2026-W23-5",
        "2026-6-5",
        "2026-02-29",
        "1900-02-29",
        "2026-13-01",
        "2026-00-10",
        "2026-06-00",
        "2026-06-31",
        "0000-01-01",
        "2026/06/05",
        "2026-06-05 ",
        " 2026-06-05",
        "2026-06-5x",
        "+026-06-05",
        "２０２６-06-05",
        "२०२६-06-05",
        "2026-06-05T10:00",
    ],
)
def test_nothing_else_is_a_date(text: str) -> None:
    assert parse_day(text) is None


@pytest.mark.parametrize(("ttl", "days"), [("90d", 90), ("2w", 14), ("1y", 365), ("9999y", 9999 * 365), ("never", None), ("", None)])
def test_a_ttl_is_a_number_of_days(ttl: str, days: int | None) -> None:
    assert ttl_days(ttl) == days
