"""HG305 and HG306: how long a fact may live, and what renews it."""

from __future__ import annotations

import pytest

from hoard_git.core.policy import DEFAULT, Policy
from tests.support.scenes import Files, change_scene, findings


def tag(source: str, rest: str = "", ts: str = "2026-03-01") -> str:
    return f"<!-- src:{source} ts:{ts}{' ' + rest if rest else ''} -->"


def said(code: str, before: Files | str, after: Files | str, *, actor: str = "agent", policy: Policy = DEFAULT) -> list[tuple[str, int]]:
    old = {"MEMORY.md": before} if isinstance(before, str) else before
    new = {"MEMORY.md": after} if isinstance(after, str) else after
    return [(finding.message, finding.line) for finding in findings(change_scene(old, new, actor=actor, policy=policy), code)]


# ---------------------------------------------------------------- HG305


@pytest.mark.parametrize("source", ["web", "dig"])
@pytest.mark.parametrize("ttl", ["91d", "13w", "1y", "never", "9999y"])
def test_a_new_entry_over_its_ceiling(source: str, ttl: str) -> None:
    found = said("HG305", "# M\n", f"# M\n- a fact {tag(source, f'ttl:{ttl}')}\n")
    assert found == [(f"a ttl of {ttl} is over the ceiling of 90d for {source}", 2)]


@pytest.mark.parametrize("ttl", ["ttl:90d", "ttl:12w", "ttl:1d", ""])
def test_a_ttl_within_the_ceiling(ttl: str) -> None:
    assert said("HG305", "# M\n", f"# M\n- a fact {tag('web', ttl)}\n") == []


@pytest.mark.parametrize("source", ["agent", "tool", "user"])
def test_a_source_without_a_ceiling(source: str) -> None:
    assert said("HG305", "# M\n", f"# M\n- a fact {tag(source, 'ttl:never')}\n") == []


def test_the_policy_sets_ceilings_and_defaults() -> None:
    policy = DEFAULT._replace(ttl_ceilings=(("agent", "10d"), ("web", "never")))
    assert said("HG305", "# M\n", f"# M\n- a fact {tag('web', 'ttl:never')}\n", policy=policy) == []
    assert said("HG305", "# M\n", f"# M\n- a fact {tag('agent')}\n", policy=policy) == [
        ("a ttl of 90d (the default) is over the ceiling of 10d for agent", 2)
    ]


def test_a_shorter_ttl_that_is_taken_away_counts_as_the_default() -> None:
    policy = DEFAULT._replace(ttl_defaults=(("web", "1y"),))
    before = f"- a fact {tag('web', 'ttl:30d')}\n"
    assert said("HG305", before, f"- a fact {tag('web')}\n", policy=policy) == [
        ("a ttl of 1y (the default) is over the ceiling of 90d for web", 1)
    ]


@pytest.mark.parametrize(
    "before",
    ["- a fact {}\n", "## H {}\n- a fact\n- b fact\n", "# H {}\n- a fact\n", "---\nsrc: web\nts: 2026-03-01\nttl: 30d\n---\na fact\n"],
)
def test_the_deciding_tag_is_named_once(before: str) -> None:
    before = before.format(tag("web", "ttl:30d"))
    found = said("HG305", before, before.replace("30d", "1y"))
    assert found == [("a ttl of 1y is over the ceiling of 90d for web", 1)]


def test_entries_that_come_under_a_longer_ttl() -> None:
    before = f"## A {tag('web', 'ttl:1y')}\n- a\n## B {tag('web', 'ttl:30d')}\n- b\n"
    assert said("HG305", before, f"## A {tag('web', 'ttl:1y')}\n- a\n- b\n") == [("a ttl of 1y is over the ceiling of 90d for web", 1)]


def test_a_lowered_source_may_not_keep_its_long_ttl() -> None:
    assert len(said("HG305", f"- a fact {tag('agent', 'ttl:1y')}\n", f"- a fact {tag('web', 'ttl:1y')}\n")) == 1


@pytest.mark.parametrize("after", ["- a short fact {}\n", "# M\n- a fact {}\n", "- a fact {}\n- more <!-- src:agent ts:2026-06-01 -->\n"])
def test_old_content_is_not_judged(after: str) -> None:
    long = tag("web", "ttl:1y")
    assert said("HG305", f"- a fact {long}\n", after.format(long)) == []


def test_a_ceiling_binds_non_humans() -> None:
    assert said("HG305", "# M\n", f"# M\n- a fact {tag('web', 'ttl:never')}\n", actor="human") == []


# ---------------------------------------------------------------- HG306


@pytest.mark.parametrize("source", ["agent", "tool", "web", "dig"])
@pytest.mark.parametrize(
    ("rest", "ts", "what"),
    [
        ("", "2026-06-01", "ts goes from 2026-03-01 to 2026-06-01 with no new evidence"),
        ("", "2026-03-02", "ts goes from 2026-03-01 to 2026-03-02 with no new evidence"),
        ("", "unknown", "the date is taken away with no new evidence"),
        ("ttl:never", "2026-03-01", None),
        ("ttl:2y", "2026-03-01", None),
    ],
)
def test_a_renewal_without_evidence(source: str, rest: str, ts: str, what: str | None) -> None:
    default = {"agent": "90d", "tool": "90d", "web": "30d", "dig": "30d"}[source]
    found = said("HG306", f"- a fact {tag(source)}\n", f"- a fact {tag(source, rest, ts)}\n")
    assert found == [(what or f"ttl goes from {default} to {rest.removeprefix('ttl:')} with no new evidence", 1)]


def test_a_stale_mark_that_is_taken_off_renews_nothing() -> None:
    before = f"- a fact {tag('agent', chr(0x26A0) + chr(0xFE0F) + ' stale')}\n"
    assert said("HG306", before, f"- a fact {tag('agent')}\n") == []
    assert said("HG306", f"- a fact {tag('agent')}\n", before) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (tag("web"), tag("web", "ev:page.example", "2026-06-01")),
        (tag("web", "ev:page.example"), tag("web", "ev:other.example", "2026-06-01")),
        (tag("web"), tag("web", ts="2026-02-01")),
        (tag("web"), tag("web", "ttl:10d")),
        (tag("web", ts="unknown"), tag("web", ts="2026-06-01")),
        ("", tag("agent", ts="2026-06-01")),
        (tag("agent", "ttl:30d"), tag("web", "ttl:30d")),
    ],
)
def test_what_is_no_renewal_or_has_its_evidence(before: str, after: str) -> None:
    assert said("HG306", f"- a fact {before}\n", f"- a fact {after}\n") == []


def test_old_evidence_renews_nothing() -> None:
    before = tag("web", "ev:page.example")
    assert len(said("HG306", f"- a fact {before}\n", f"- a fact {tag('web', 'ev:page.example', '2026-06-01')}\n")) == 1


@pytest.mark.parametrize(
    "words",
    [
        "A fact of the web",
        "A fact of the web.",
        "a Fact of the Web",
        "**a fact** of the web",
        "__a fact of the web__!",
        "a `fact` of the web",
    ],
)
def test_the_same_words_in_another_dress_are_no_new_fact(words: str) -> None:
    found = said("HG306", f"- a fact of the web {tag('web')}\n", f"- {words} {tag('web', ts='2026-06-01')}\n")
    assert found == [("ts goes from 2026-03-01 to 2026-06-01 with no new evidence", 1)]


def test_new_words_are_a_new_fact() -> None:
    assert said("HG306", f"- an old fact {tag('web')}\n", f"- a new fact {tag('web', ts='2026-06-01')}\n") == []


@pytest.mark.parametrize("head", ["## H {}\n", "# H {}\n"])
def test_one_finding_for_a_heading_and_all_that_it_dates(head: str) -> None:
    before = head.format(tag("agent")) + "- a\n- b\n- c\n"
    assert len(said("HG306", before, before.replace("2026-03-01", "2026-06-01"))) == 1
    with_evidence = before.replace("2026-03-01", "2026-06-01 ev:log.example")
    assert said("HG306", before, with_evidence) == []


def test_an_entry_that_comes_under_a_newer_heading() -> None:
    new, old = tag("agent", ts="2026-06-01"), tag("agent")
    before = f"## New {new}\n- a\n## Old {old}\n- b\n- c\n"
    found = said("HG306", before, f"## New {new}\n- a\n- b\n- c\n")
    assert found == [("ts goes from 2026-03-01 to 2026-06-01 with no new evidence", 1)]


def test_a_users_dates_are_hg301s() -> None:
    assert said("HG306", f"- a fact {tag('user')}\n", f"- a fact {tag('user', ts='2026-06-01')}\n") == []


def test_a_human_may_renew() -> None:
    assert said("HG306", f"- a fact {tag('web')}\n", f"- a fact {tag('web', ts='2026-06-01')}\n", actor="human") == []


@pytest.mark.parametrize(
    "shape", ["## 09:00 deploy {}\n\n- The deploy of the shop went well\n", "# Log\n\n- The deploy of the shop went well {}\n"]
)
def test_an_archived_entry_keeps_the_date_that_it_had_in_its_own_log(shape: str) -> None:
    logs = {f"memory/2026-05-{day}.md": shape.format(tag("agent", ts=f"2026-05-{day}")) for day in ("01", "02")}
    own = "memory/archive/logs/2026-05-02.md"
    assert said("HG306", logs, {own: logs["memory/2026-05-02.md"]}) == []
    kept = logs["memory/2026-05-02.md"]
    assert said("HG306", logs, {"memory/2026-05-02.md": kept, own: kept}) == [], "paired with the entry of the log that is gone"
    renewed = said("HG306", logs, {own: shape.format(tag("agent", ts="2026-06-15"))})
    assert [message for message, _line in renewed] == ["ts goes from 2026-05-01 to 2026-06-15 with no new evidence"]
