"""Which day it is: asked for, or by the clock in the policy's zone."""

from __future__ import annotations

import os
import time

import pytest
from freezegun import freeze_time

from hoard_git.app.clock import read_days, zone_offset
from hoard_git.core.dates import format_day
from hoard_git.core.policy import DEFAULT
from hoard_git.errors import HoardError


def today(zone: str = "", asked: str = "", environ: dict[str, str] | None = None) -> tuple[str, str]:
    days = read_days(DEFAULT._replace(timezone=zone), asked, environ or {})
    return format_day(days.today), format_day(days.latest)


@freeze_time("2026-06-15T23:30:00Z")
@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("UTC", "2026-06-15"),
        ("Europe/Berlin", "2026-06-16"),
        ("America/Los_Angeles", "2026-06-15"),
        ("Pacific/Kiritimati", "2026-06-16"),
        ("Etc/GMT+12", "2026-06-15"),
    ],
)
def test_the_day_in_the_policys_zone(zone: str, day: str) -> None:
    before = os.environ.get("TZ")

    assert today(zone) == (day, day)
    assert os.environ.get("TZ") == before
    assert time.localtime(0).tm_hour == 0  # the process is back in its own zone


@freeze_time("2026-06-15T10:30:00Z")
def test_without_a_zone_tomorrow_begins_where_the_world_is_farthest() -> None:
    assert today() == ("2026-06-15", "2026-06-16")


def test_a_day_that_was_asked_for_comes_first() -> None:
    assert today("Europe/Berlin", "2020-02-29", {"HOARD_DATE": "2021-01-01"}) == ("2020-02-29", "2020-02-29")
    assert today("Europe/Berlin", "", {"HOARD_DATE": "2021-01-01"}) == ("2021-01-01", "2021-01-01")


@pytest.mark.parametrize("text", ["2026-02-30", "today", "20260615", "2026-6-15", "\x1b[31m"])
def test_what_is_no_day(text: str) -> None:
    with pytest.raises(HoardError) as caught:
        today(asked=text)
    assert caught.value.message.isprintable()


def test_a_zone_that_nobody_knows() -> None:
    with pytest.raises(HoardError, match="Mars/Olympus"):
        zone_offset("Mars/Olympus", 0.0)


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "UTC"])
@pytest.mark.parametrize("when", ["2026-01-15", "2026-03-29T01:00:00Z", "2026-07-15"])
def test_both_ways_to_ask_for_an_offset_agree(zone: str, when: str) -> None:
    with freeze_time(when):
        now = time.time()
        before, after = zone_offset(zone, now), read_days(DEFAULT._replace(timezone=zone), "", {}).today
        assert after == 719163 + int((now + before) // 86400)
