"""Hot, warm and cold at their boundaries, in days of the calendar."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoard_git.core.policy import DEFAULT
from hoard_git.core.tiers import COLD, HOT, WARM, Limits, Log, day_of, is_packed_log, place_logs, tier_limits
from tests.support.upkeep import day_number

TODAY = day_number("2026-06-15")
LIMITS = tier_limits(DEFAULT)


def log(age: int, size: int = 100, path: str = "") -> Log:
    return Log(path or f"memory/{age}.md", TODAY - age, size)


def tier_of(age: int, limits: Limits = LIMITS, *others: Log) -> tuple[str, str]:
    found = {placed.log.path: placed for placed in place_logs([log(age), *others], limits, TODAY)}[f"memory/{age}.md"]
    return found.tier, found.reason


def test_the_defaults_of_the_policy() -> None:
    assert Limits(7, 50 * 1024, 90, None) == LIMITS
    given = DEFAULT._replace(tiers=(("hot", "2w"), ("hot_max", "8 KB"), ("warm", "1y"), ("gzip_after", "2y")))
    assert tier_limits(given) == Limits(14, 8192, 365, 730)
    assert tier_limits(
        DEFAULT._replace(tiers=(("hot", "never"), ("hot_max", "1KB"), ("warm", "never"), ("gzip_after", "never")))
    ) == Limits(None, 1024, None, None)


@pytest.mark.parametrize(
    ("age", "tier", "reason"),
    [
        (-3, HOT, "a day to come"),
        (0, HOT, "today's, still open"),
        (1, HOT, "yesterday's, still open"),
        (2, HOT, "2 days old, within 7 days"),
        (7, HOT, "7 days old, within 7 days"),
        (8, WARM, "8 days old, past 7 days"),
        (90, WARM, "90 days old, past 7 days"),
        (91, COLD, "91 days old, past 90 days"),
        (4000, COLD, "4000 days old, past 90 days"),
    ],
)
def test_the_boundaries(age: int, tier: str, reason: str) -> None:
    assert tier_of(age) == (tier, reason)


def test_hot_logs_together_stay_under_the_limit_and_have_no_holes() -> None:
    limits = LIMITS._replace(hot_max=1000)
    logs = [log(0, 300), log(2, 300), log(3, 500), log(4, 100), log(5, 1)]
    found = [(placed.log.path, placed.tier) for placed in place_logs(logs, limits, TODAY)]
    assert found == [("memory/0.md", HOT), ("memory/2.md", HOT), ("memory/3.md", WARM), ("memory/4.md", WARM), ("memory/5.md", WARM)]
    assert tier_of(4, limits._replace(hot_max=2048), log(0, 3000)) == (WARM, "4 days old, and newer logs fill the 2 KB of hot memory")


def test_exactly_the_limit_still_fits() -> None:
    assert tier_of(3, LIMITS._replace(hot_max=400), log(2, 300))[0] == HOT
    assert tier_of(3, LIMITS._replace(hot_max=399), log(2, 300))[0] == WARM


def test_open_logs_are_hot_however_large() -> None:
    limits = LIMITS._replace(hot_max=1024)
    placed = place_logs([log(0, 5000), log(1, 5000), log(2, 1)], limits, TODAY)
    assert [p.tier for p in placed] == [HOT, HOT, WARM]
    assert placed[0].reason == "today's, still open, though hot memory is over 1 KB"


def test_several_logs_of_one_day_are_placed_by_themselves() -> None:
    one, other = log(3, 600, "memory/a.md"), log(3, 600, "memory/b.md")
    assert [(p.log.path, p.tier) for p in place_logs([other, one], LIMITS._replace(hot_max=1000), TODAY)] == [
        ("memory/a.md", HOT),
        ("memory/b.md", WARM),
    ]


def test_tiers_without_an_end() -> None:
    assert tier_of(5000, Limits(None, 1 << 20, 90, None)) == (HOT, "5000 days old; hot logs have no age limit")
    assert tier_of(5000, Limits(7, 1 << 20, None, None)) == (WARM, "5000 days old, past 7 days")


def test_the_day_is_the_name_not_anything_else() -> None:
    assert day_of("a/memory/2026-06-15-notes.md") == TODAY
    assert day_of("memory/2026-02-30.md") is None
    assert day_of("memory/notes-2026-06-15.md") is None


@given(
    st.lists(st.tuples(st.integers(-5, 200), st.integers(0, 60_000)), max_size=30),
    st.integers(1, 30),
    st.integers(0, 100_000),
)
def test_a_newer_log_is_never_colder(found: list[tuple[int, int]], hot: int, most: int) -> None:
    logs = [Log(f"memory/{number}.md", TODAY - age, size) for number, (age, size) in enumerate(found)]
    placed = place_logs(logs, Limits(hot, most, 90, None), TODAY)
    assert sorted(p.log.path for p in placed) == sorted(one.path for one in logs)
    ranks = [(HOT, WARM, COLD).index(p.tier) for p in placed]
    assert ranks == sorted(ranks)
    late = sum(p.log.size for p in placed if p.tier == HOT and p.age > 1)
    early = sum(p.log.size for p in placed if p.age <= 1)
    assert not late or late + early <= most


@pytest.mark.parametrize(
    ("path", "packed"),
    [
        ("memory/archive/logs/2026-01-01.md.gz", True),
        ("memory/archive/logs/2026-01-01-notes.MD.GZ", True),
        ("memory/archive/logs/2026-01-01.md", False),
        ("memory/archive/logs/2026-13-01.md.gz", False),
        ("memory/archive/logs/notes.md.gz", False),
        ("memory/archive/logs/2026-01-01.gz", False),
    ],
)
def test_which_files_are_packed_logs(path: str, packed: bool) -> None:
    assert is_packed_log(path) is packed
