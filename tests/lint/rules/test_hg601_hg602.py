"""HG601 stale and HG602 expired: the days on which they begin, for which tags, and what a change brings in."""

from __future__ import annotations

import pytest

from hoard_git.core.policy import DEFAULT, Policy
from tests.support.scenes import Files, change_scene, findings, state_scene

TODAY = "2026-06-15"
RULES = ("HG601", "HG602")


def said(files: Files, *, today: str = TODAY, policy: Policy = DEFAULT) -> list[tuple[str, int, str]]:
    return [(f.code, f.line, f.message) for f in findings(state_scene(files, today=today, policy=policy), *RULES)]


def codes(text: str, *, path: str = "MEMORY.md", today: str = TODAY) -> list[str]:
    return [code for code, _line, _message in said({path: text}, today=today)]


def brought(before: Files, after: Files, actor: str = "agent") -> list[tuple[str, str, int]]:
    return [(f.code, f.path, f.line) for f in findings(change_scene(before, after, actor=actor), *RULES)]


@pytest.mark.parametrize(
    ("today", "found"),
    [("2026-08-30", []), ("2026-08-31", ["HG601"]), ("2026-11-28", ["HG601"]), ("2026-11-29", ["HG602"]), ("2031-01-01", ["HG602"])],
)
def test_the_days_at_which_an_agents_entry_ages(today: str, found: list[str]) -> None:
    assert codes("- the host is up <!-- src:agent ts:2026-06-01 -->\n", today=today) == found


@pytest.mark.parametrize(
    ("tag", "found"),
    [
        ("src:web ts:2026-05-16", []),
        ("src:web ts:2026-05-15", ["HG601"]),
        ("src:web ts:2026-04-16", ["HG601"]),
        ("src:web ts:2026-04-15", ["HG602"]),
        ("src:dig ts:2026-01-01 ttl:never", ["HG601"]),  # the ceiling of 90 days holds
        ("src:agent ts:2026-01-01 ttl:1y", []),
        ("src:agent ts:2020-01-01 ttl:never", []),
        ("src:agent ts:unknown", []),
        ("src:agent ts:2027-01-01", []),
        ("src:user ts:2001-01-01", []),
        ("src:user ts:2026-05-01 ttl:30d", ["HG601"]),
        ("src:user ts:2026-01-01 ttl:30d", ["HG602"]),
    ],
)
def test_each_source_has_its_time(tag: str, found: list[str]) -> None:
    assert codes(f"- the host is up <!-- {tag} -->\n") == found


def test_the_message_says_how_old_and_why() -> None:
    files = {
        "MEMORY.md": "- a <!-- src:web ts:2026-05-01 ttl:180d -->\n- b <!-- src:agent ts:2025-06-15 -->\n"
        "- c <!-- src:user ts:2026-01-01 ttl:30d -->\n- d <!-- src:tool ts:2026-06-01 ttl:1w -->\n"
        "- e <!-- src:web ts:2026-03-01 ttl:180d -->\n"
    }
    assert said(files) == [
        ("HG602", 2, "expired: 365 days old, holds 90 (what agent entries have)"),
        ("HG602", 3, "expired: 165 days old, holds 30 (ttl 30d)"),
        ("HG601", 4, "stale: 14 days old, holds 7 (ttl 1w)"),
        ("HG601", 5, "stale: 106 days old, holds 90 (ttl 180d, the most that the policy gives web)"),
    ]
    hints = {f.line: f.hint for f in findings(state_scene(files), *RULES)}
    assert hints[2] == "hoard consolidate archives it; if you looked again, renew ts with ev:"
    assert hints[3] == "only the user retires it: change the date or ttl in its tag, or delete it"


def test_one_finding_for_each_tag_that_decides() -> None:
    text = (
        "# M\n\n## Old <!-- src:agent ts:2026-01-01 ttl:90d -->\n\n- a\n- b <!-- src:agent ts:2026-06-01 -->\n- c\n  - d\n"
        "- e <!-- src:agent ts:2025-01-01 -->\n  - f\n\n## Bare <!-- src:agent ts:2020-01-01 -->\n"
    )
    assert said({"MEMORY.md": text}) == [
        ("HG601", 3, "stale: 165 days old, holds 90 (ttl 90d) and 3 entries go by it"),
        ("HG602", 9, "expired: 530 days old, holds 90 (what agent entries have) and 2 entries go by it"),
    ]


def test_a_file_tag_and_front_matter() -> None:
    assert said({"memory/a.md": "# A <!-- src:web ts:2026-01-01 -->\n\n- x\n"})[0][:2] == ("HG602", 1)
    assert said({"wiki/a.md": "---\nsrc: web\nts: 2026-01-01\n---\n\nText.\n"})[0][:2] == ("HG602", 1)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("memory/2025-01-01.md", "# Log\n\n- a long time ago\n"),
        ("memory/archive/2026-01-01.md", "- gone <!-- src:web ts:2020-01-01 -->\n"),
        ("memory/archive/logs/2020-01-01.md", "# 2020-01-01 <!-- src:agent ts:2020-01-01 -->\n\n- gone\n"),
        ("SOUL.md", "# Soul\n\nCalm.\n"),
        ("HEARTBEAT.md", "- [ ] check the mail\n"),
        ("MEMORY.md", "- untagged\n"),
        ("MEMORY.md", "```\n- x <!-- src:web ts:2020-01-01 -->\n```\n"),
        ("MEMORY.md", "<!-- dreams:start -->\n- x <!-- src:web ts:2020-01-01 -->\n<!-- dreams:end -->\n"),
        ("MEMORY.md", "- x <!-- src:web ts:2020-13-01 -->\n"),
    ],
)
def test_what_does_not_age(path: str, text: str) -> None:
    assert codes(text, path=path) == []


def test_a_tagged_entry_of_a_daily_log_ages() -> None:
    assert codes("# Log\n\n- a price <!-- src:web ts:2026-01-01 -->\n", path="memory/2026-01-01.md") == ["HG602"]


# -------------------------------------------------------------------- changes

OLD = "# M\n\n## Old <!-- src:agent ts:2025-01-01 -->\n\n- a\n"


@pytest.mark.parametrize("actor", ["agent", "human"])
def test_only_what_the_change_adds_or_edits(actor: str) -> None:
    assert brought({"MEMORY.md": OLD}, {"MEMORY.md": OLD + "- b <!-- src:agent ts:2026-06-15 -->\n"}, actor) == []
    assert brought({"MEMORY.md": OLD}, {"MEMORY.md": OLD + "- b\n- c\n"}, actor) == [("HG602", "MEMORY.md", 6)]
    assert brought({"MEMORY.md": OLD}, {"MEMORY.md": OLD.replace("- a\n", "- a is up again\n")}, actor) == [("HG602", "MEMORY.md", 5)]
    late = "- b <!-- src:web ts:2026-05-01 -->\n"
    assert brought({"MEMORY.md": OLD}, {"MEMORY.md": OLD + late}, actor) == [("HG601", "MEMORY.md", 6)]


def test_moves_marks_restores_and_removals_bring_nothing_in() -> None:
    entry = "- a fact of old <!-- src:web ts:2025-01-01 -->\n"
    assert brought({"MEMORY.md": entry}, {"memory/a.md": entry}) == []
    assert brought({"MEMORY.md": entry}, {"memory/archive/a.md": entry}) == []
    assert brought({"memory/archive/a.md": entry}, {"MEMORY.md": entry}) == []
    assert brought({"MEMORY.md": entry}, {"MEMORY.md": entry.replace(" -->", " \u26a0\ufe0f stale -->")}) == []
    assert brought({"MEMORY.md": entry}, {}) == []


def test_a_late_line_in_an_old_log_is_the_tiers_business() -> None:
    path = "memory/2025-01-01.md"
    assert brought({path: "# L\n\n- a\n"}, {path: "# L\n\n- a\n- b\n"}) == []
