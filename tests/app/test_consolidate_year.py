"""A workspace of the founding texts' own examples, walked through a year by the clock: what the HOARD tables say on each day, in every zone."""

from __future__ import annotations

import datetime as dt
import os

import pytest
from freezegun import freeze_time

from hoard_git.app.clock import read_days
from hoard_git.app.consolidate import Outcome, Wanted, apply
from hoard_git.core.dates import format_day
from hoard_git.core.policy import DEFAULT
from tests.app.support import as_agent, reader_of
from tests.support.repo import POLICY, Workspace
from tests.support.upkeep import day_number

MEMORY = """\
# MEMORY.md \u2014 Persistent Facts

## 2026-06-05 Infrastructure  <!-- src:agent ts:2026-06-05 ttl:90d -->
- Gateway on 127.0.0.1:18789, loopback only
- Node-2 is online, SSH access restored
- GWS MCP live, search live

## 2026-06-04 Project Status  <!-- src:user ts:2026-06-04 -->
- v3.1.0 shipped
- VOID game: phases 1-3 complete, phase 4 building

## People  <!-- src:user ts:2026-01-15 ttl:never -->
- Hilary: wife

## Leads
- The county publishes listings on Fridays <!-- src:web ts:2026-06-10 -->
- A dig found two more lots <!-- src:dig ts:2026-06-12 -->
- The tool counted 12 nodes <!-- src:tool ts:2026-06-01 -->
- The office holds the deeds <!-- src:agent ts:2026-06-01 ttl:never -->
"""
HOUSING = """\
# memory/housing.md  <!-- src:agent ts:2026-06-05 ttl:30d -->

## Search Criteria
- 4BR, 2+ bath, 1+ acre, Wells County
- Current lease ends Oct 2026

## Known Listings (as of 2026-06-05)
- 1690 E 250 N, Bluffton: 4BR/2.5BA, 2.25 acres
"""
# What each deciding tag does, by the table: the first day on which it is marked, and the first on which it is archived.
TABLE = {
    "MEMORY.md 2026-06-05 Infrastructure": ("2026-09-04", "2026-12-03"),  # 90d: 91 and 181 days old
    "MEMORY.md The county publishes listings on Fridays": ("2026-07-11", "2026-08-10"),  # web, 30d: 31 and 61 days
    "MEMORY.md A dig found two more lots": ("2026-07-13", "2026-08-12"),
    "MEMORY.md The tool counted 12 nodes": ("2026-08-31", "2026-11-29"),
    "memory/housing.md memory/housing.md": ("2026-07-06", "2026-08-05"),  # 30d as the file says
}


def start(workspace: Workspace, zone: str) -> None:
    workspace.commit(
        "Begin\n", {".hoard.yaml": POLICY.replace("timezone: UTC", f"timezone: {zone}"), "MEMORY.md": MEMORY, "memory/housing.md": HOUSING}
    )
    as_agent(workspace)


def named(outcome: Outcome) -> list[tuple[str, str]]:
    found = []
    for action in outcome.plans[0].actions:
        first = action.text.split("\n", 1)[0].split("<!--", 1)[0].strip().lstrip("#-").strip()
        found.append((action.kind, f"{action.path} {first}"))
    return found


def expected_on(day: str) -> list[tuple[str, str]]:
    return sorted(
        ("stale" if marked == day else "archive", name) for name, (marked, archived) in TABLE.items() if day in (marked, archived)
    )


@pytest.mark.slow
@pytest.mark.parametrize("zone", ["Pacific/Midway", "UTC", "Pacific/Kiritimati"])
def test_each_day_does_what_the_table_says(workspace: Workspace, zone: str) -> None:
    start(workspace, zone)
    reader = reader_of(workspace)
    turning = {day for pair in TABLE.values() for day in pair}
    wanted = Wanted(("expire",))
    seen = []
    for number in range(day_number("2026-06-12"), day_number("2027-06-12")):
        day = format_day(number)
        near = any(abs(number - day_number(other)) <= 1 for other in turning)
        if not near and number % 30:
            continue
        # noon in the zone is on another UTC day at both ends of the world
        shift = {"Pacific/Midway": -11, "UTC": 0, "Pacific/Kiritimati": 14}[zone]
        noon = dt.datetime.combine(dt.date.fromisoformat(day), dt.time(12)) - dt.timedelta(hours=shift)
        with freeze_time(noon):
            outcome = apply(reader, wanted, lambda policy: read_days(policy, "", {}), dict(os.environ))
        assert sorted(named(outcome)) == expected_on(day), day
        seen += named(outcome)
    assert sorted(seen) == sorted((kind, name) for name in TABLE for kind in ("archive", "stale"))
    memory = workspace.read("MEMORY.md")
    assert "Project Status" in memory
    assert "Hilary" in memory
    assert memory.count("src:agent") == 1
    assert "The office holds the deeds" in memory
    assert not (workspace.path / "memory/housing.md").exists()


@pytest.mark.parametrize(
    ("zone", "moment", "marked"),
    [
        # 2026-09-03 is day 90, the last fresh one; the mark comes with local midnight
        ("Pacific/Midway", "2026-09-04T10:59:59Z", False),
        ("Pacific/Midway", "2026-09-04T11:00:00Z", True),
        ("UTC", "2026-09-03T23:59:59Z", False),
        ("UTC", "2026-09-04T00:00:00Z", True),
        ("Pacific/Kiritimati", "2026-09-03T09:59:59Z", False),
        ("Pacific/Kiritimati", "2026-09-03T10:00:00Z", True),
        ("Europe/Berlin", "2026-09-03T21:59:59Z", False),
        ("Europe/Berlin", "2026-09-03T22:00:00Z", True),
    ],
)
def test_the_mark_comes_at_local_midnight(workspace: Workspace, zone: str, moment: str, marked: bool) -> None:
    start(workspace, zone)
    with freeze_time(moment):
        outcome = apply(reader_of(workspace), Wanted(("expire",)), lambda policy: read_days(policy, "", {}), dict(os.environ))
    assert (("stale", "MEMORY.md 2026-06-05 Infrastructure") in named(outcome)) == marked


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        # Berlin, 25 October 2026: 03:00 summer time becomes 02:00; that day has 25 hours
        ("2026-10-24T21:59:59Z", "2026-10-24"),
        ("2026-10-24T22:00:00Z", "2026-10-25"),
        ("2026-10-25T22:59:59Z", "2026-10-25"),
        ("2026-10-25T23:00:00Z", "2026-10-26"),
        # 28 March 2027: 02:00 becomes 03:00; that day has 23
        ("2027-03-27T22:59:59Z", "2027-03-27"),
        ("2027-03-27T23:00:00Z", "2027-03-28"),
        ("2027-03-28T21:59:59Z", "2027-03-28"),
        ("2027-03-28T22:00:00Z", "2027-03-29"),
    ],
)
def test_days_over_the_change_of_the_clocks_are_calendar_days(moment: str, day: str) -> None:
    with freeze_time(moment):
        assert format_day(read_days(DEFAULT._replace(timezone="Europe/Berlin"), "", {}).today) == day


def test_extending_and_shortening_by_the_tag(workspace: Workspace) -> None:
    start(workspace, "UTC")
    longer = MEMORY.replace("ttl:90d", "ttl:1y").replace("src:tool ts:2026-06-01", "src:tool ts:2026-06-01 ttl:7d")
    workspace.commit("Retime\n", {"MEMORY.md": longer}, author=Workspace.agent)
    with freeze_time("2026-06-14T12:00:00Z"):
        outcome = apply(reader_of(workspace), Wanted(("expire",)), lambda policy: read_days(policy, "", {}), dict(os.environ))
    assert named(outcome) == [("stale", "MEMORY.md The tool counted 12 nodes")]
    with freeze_time("2027-06-05T12:00:00Z"):
        outcome = apply(reader_of(workspace), Wanted(("expire",)), lambda policy: read_days(policy, "", {}), dict(os.environ))
    assert "MEMORY.md 2026-06-05 Infrastructure" not in [name for _kind, name in named(outcome)]
