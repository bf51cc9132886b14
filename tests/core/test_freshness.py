"""The HOARD table at its boundaries, with the policy's defaults and ceilings."""

from __future__ import annotations

import pytest

from hoard_git.core.dates import format_day
from hoard_git.core.freshness import expiry_day, freshness, lifetime
from hoard_git.core.policy import DEFAULT
from hoard_git.core.provenance import Provenance
from tests.support.upkeep import day_number

START = day_number("2026-06-05")


@pytest.mark.parametrize(
    ("src", "ttl", "age", "state"),
    [
        ("agent", "", 0, "fresh"),
        ("agent", "", 90, "fresh"),
        ("agent", "", 91, "stale"),
        ("agent", "", 180, "stale"),
        ("agent", "", 181, "expired"),
        ("tool", "", 90, "fresh"),
        ("tool", "", 181, "expired"),
        ("web", "", 30, "fresh"),
        ("web", "", 31, "stale"),
        ("web", "", 60, "stale"),
        ("web", "", 61, "expired"),
        ("dig", "", 61, "expired"),
        ("agent", "1y", 365, "fresh"),
        ("agent", "1y", 366, "stale"),
        ("agent", "1y", 731, "expired"),
        ("agent", "2w", 14, "fresh"),
        ("agent", "2w", 15, "stale"),
        ("agent", "2w", 29, "expired"),
        ("agent", "never", 100_000, "endless"),
        ("user", "", 100_000, "endless"),
        ("user", "30d", 31, "stale"),
        ("user", "30d", 61, "expired"),
        ("agent", "", -3, "fresh"),
        ("", "", 5000, "untagged"),
        ("web", "1y", 90, "fresh"),  # the ceiling of web is 90d
        ("web", "1y", 91, "stale"),
        ("dig", "never", 181, "expired"),
    ],
)
def test_the_table(src: str, ttl: str, age: int, state: str) -> None:
    assert freshness(Provenance(src, format_day(START), ttl), DEFAULT, START + age) == state


def test_an_unknown_day_never_expires() -> None:
    assert freshness(Provenance("agent", "unknown"), DEFAULT, START) == "undated"
    assert expiry_day(Provenance("agent", "unknown"), DEFAULT) == ""


def test_the_policy_decides() -> None:
    policy = DEFAULT._replace(ttl_defaults=(("agent", "10d"), ("user", "never")), ttl_ceilings=(("agent", "20d"),))

    assert lifetime(Provenance("agent", "2026-06-05"), policy) == 10
    assert lifetime(Provenance("agent", "2026-06-05", "1y"), policy) == 20
    assert lifetime(Provenance("user", "2026-06-05", "1y"), policy) == 365
    assert lifetime(Provenance("web", "2026-06-05"), policy) is None


def test_the_last_fresh_day() -> None:
    assert expiry_day(Provenance("agent", "2026-06-05"), DEFAULT) == "2026-09-03"
    assert expiry_day(Provenance("web", "2026-06-05", "1y"), DEFAULT) == "2026-09-03"
    assert expiry_day(Provenance("user", "2026-06-05"), DEFAULT) == ""
    assert expiry_day(Provenance("agent", "9999-12-31"), DEFAULT) == ""


def test_what_has_no_source_has_no_last_day() -> None:
    assert expiry_day(Provenance("", "2026-06-05", "9d", "", "", False, "own", 1), DEFAULT) == ""
    assert expiry_day(Provenance("agent", "2026-06-05", "9d", "", "", False, "own", 1), DEFAULT) == "2026-06-14"
