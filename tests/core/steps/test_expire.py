"""What is marked, what is archived, what stays, and what is only listed."""

from __future__ import annotations

import pytest

from hoard_git.core.markdown import parse
from hoard_git.core.provenance import provenances
from hoard_git.core.steps.expire import expire
from hoard_git.core.units import core_of
from tests.support.upkeep import drafts_of, texts

BLOCK = """\
# MEMORY.md

## 2026-06-05 Infrastructure  <!-- src:agent ts:2026-06-05 ttl:90d -->
- Gateway on 127.0.0.1:18789, loopback only
- Node-2 is online

## People  <!-- src:user ts:2026-01-15 ttl:never -->
- Hilary: wife
"""
STALE = BLOCK.replace("ttl:90d -->", "ttl:90d \u26a0\ufe0f stale -->")


def run(files: dict[str, str], day: str) -> tuple[list[tuple[str, str, int, str]], dict[str, str | None]]:
    drafts = drafts_of(files, day)
    actions = expire(drafts)
    return [(a.kind, a.path, a.line, a.to) for a in actions], texts(drafts)


@pytest.mark.parametrize("end", ["```", "<!-- open"])
def test_an_archive_that_is_left_open_is_named_as_what_is_in_the_way(end: str) -> None:
    drafts = drafts_of({"MEMORY.md": BLOCK, "memory/archive/2027-06-01.md": f"# Archive\n\n{end}\n"}, "2027-06-01")
    assert [action.kind for action in expire(drafts)] == ["stale"]
    assert "'memory/archive/2027-06-01.md' ends inside an open fence, comment or HTML" in drafts.notes[0]


def test_within_its_ttl_nothing_happens() -> None:
    assert run({"MEMORY.md": BLOCK}, "2026-09-03") == ([], {})


def test_one_day_later_the_block_is_marked() -> None:
    actions, after = run({"MEMORY.md": BLOCK}, "2026-09-04")
    assert actions == [("stale", "MEMORY.md", 3, "")]
    assert after == {"MEMORY.md": STALE}


def test_a_marked_block_is_left_alone_until_twice_its_ttl() -> None:
    assert run({"MEMORY.md": STALE}, "2026-12-02") == ([], {})


def test_past_twice_its_ttl_the_block_goes_to_the_archive() -> None:
    actions, after = run({"MEMORY.md": STALE}, "2026-12-03")

    assert actions == [("archive", "MEMORY.md", 3, "memory/archive/2026-12-03.md")]
    assert after["MEMORY.md"] == "# MEMORY.md\n\n## People  <!-- src:user ts:2026-01-15 ttl:never -->\n- Hilary: wife\n"
    assert after["memory/archive/2026-12-03.md"] == (
        "# Archive 2026-12-03\n\n"
        "<!-- hoard:archived from:MEMORY.md#infrastructure on:2026-12-03 reason:expired -->\n"
        "## 2026-06-05 Infrastructure  <!-- src:agent ts:2026-06-05 ttl:90d \u26a0\ufe0f stale -->\n"
        "- Gateway on 127.0.0.1:18789, loopback only\n- Node-2 is online\n"
    )


def test_the_archive_is_appended_to() -> None:
    old = "# Archive 2026-12-03\n\n- Something <!-- src:agent ts:2026-01-01 -->\n"
    _actions, after = run({"MEMORY.md": BLOCK, "memory/archive/2026-12-03.md": old}, "2026-12-03")
    assert (after["memory/archive/2026-12-03.md"] or "").startswith(old + "\n<!-- hoard:archived from:MEMORY.md#infrastructure ")


def test_a_renewed_date_takes_the_mark_away() -> None:
    actions, after = run({"MEMORY.md": STALE.replace("ts:2026-06-05 ttl", "ts:2026-12-01 ttl")}, "2026-12-03")
    assert [kind for kind, *_ in actions] == ["stale"]
    assert after == {"MEMORY.md": BLOCK.replace("ts:2026-06-05 ttl", "ts:2026-12-01 ttl")}


def test_the_users_entry_past_its_ttl_is_listed_and_not_touched() -> None:
    text = "## People <!-- src:user ts:2026-01-01 ttl:30d -->\n\n- Hilary\n"
    drafts = drafts_of({"MEMORY.md": text}, "2026-12-03")
    assert expire(drafts) == []
    assert texts(drafts) == {}
    assert [(review.kind, review.entries[0].text, review.entries[0].src) for review in drafts.reviews] == [("expired", "- Hilary", "user")]


def test_a_whole_topic_file_goes_with_its_file_tag() -> None:
    housing = "# memory/housing.md  <!-- src:agent ts:2026-06-05 ttl:30d -->\n\n## Criteria\n- 4BR\n\n## Listings\n- One\n"

    assert run({"memory/housing.md": housing}, "2026-07-06")[1] == {
        "memory/housing.md": housing.replace("ttl:30d", "ttl:30d \u26a0\ufe0f stale")
    }
    actions, after = run({"memory/housing.md": housing}, "2026-08-05")
    assert actions == [("archive", "memory/housing.md", 1, "memory/archive/2026-08-05.md")]
    assert after["memory/housing.md"] is None
    assert (after["memory/archive/2026-08-05.md"] or "").endswith(housing)


def test_single_entries_leave_a_block_that_stays_with_what_they_inherited() -> None:
    text = "## Nodes <!-- src:web ts:2026-01-01 -->\n\n- Old\n- Kept <!-- src:web ts:2026-07-20 -->\n- Deep\n  - Kept too <!-- src:user ts:2026-01-01 -->\n"
    actions, after = run({"MEMORY.md": text}, "2026-08-01")

    assert actions == [("archive", "MEMORY.md", 3, "memory/archive/2026-08-01.md"), ("stale", "MEMORY.md", 1, "")]
    assert after["MEMORY.md"] == (
        "## Nodes <!-- src:web ts:2026-01-01 \u26a0\ufe0f stale -->\n\n- Kept <!-- src:web ts:2026-07-20 -->\n"
        "- Deep\n  - Kept too <!-- src:user ts:2026-01-01 -->\n"
    )
    assert (after["memory/archive/2026-08-01.md"] or "").endswith("## Nodes\n\n- Old <!-- src:web ts:2026-01-01 -->\n")


def test_a_table_leaves_as_a_whole_or_not_at_all() -> None:
    table = "| a | b |\n|---|---|\n| 1 | 2 |\n"
    tagged = f"<!-- src:web ts:2026-01-01 -->\n{table}"
    actions, after = run({"MEMORY.md": f"# M\n\n{tagged}\n- Kept <!-- src:agent ts:2026-07-01 -->\n"}, "2026-08-01")
    assert {kind for kind, *_ in actions} == {"archive"}
    assert after["MEMORY.md"] == "# M\n\n- Kept <!-- src:agent ts:2026-07-01 -->\n"
    archive = after["memory/archive/2026-08-01.md"] or ""
    assert archive.endswith(f"## M\n\n{tagged}"), "it is a table there, too"
    read = parse(archive.encode())
    assert [(e.kind, core_of(e.text), c.src) for e, c in zip(read.entries, provenances(read, None), strict=True)] == [
        ("row", "| a | b | |---|---|", "web"),
        ("row", "| 1 | 2 |", "web"),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_tables_that_leave_from_under_one_heading_stay_two(end: str) -> None:
    tables = ["| a |", "|---|", "| 1 |", "| 2 |"], ["| b |", "|---|", "| 3 |"]
    sized = [*tables[0], "", "- Old too", "", *tables[1]]
    text = end.join(["# M", "", "## Sizes <!-- src:web ts:2026-01-01 -->", "", *sized, "", "- Kept <!-- src:agent ts:2026-07-01 -->", ""])
    archive = run({"MEMORY.md": text}, "2026-08-01")[1]["memory/archive/2026-08-01.md"] or ""
    tag = "<!-- src:web ts:2026-01-01 -->"
    assert archive.replace("\r", "").endswith("\n".join(["## Sizes", "", tag, *tables[0], "", f"- Old too {tag}", "", tag, *tables[1], ""]))


@pytest.mark.parametrize("tag", ["<!-- src:web ts:2026-01-01 -->\n", "## Sizes <!-- src:web ts:2026-01-01 -->\n\n"])
def test_a_table_is_told_of_as_one_and_goes_as_a_whole_or_not_at_all(tag: str) -> None:
    text = f"# M\n\n{tag}| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n- Kept <!-- src:agent ts:2026-07-01 -->\n"
    first = 3 + tag.count("\n")
    (action,) = expire(drafts_of({"MEMORY.md": text}, "2026-08-01"))
    told = (action.kind, action.line, action.end_line, action.text)
    assert told == ("archive", first, first + 3, "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |")

    managed = text.replace("| 3 |", "| <!-- x:start --> |") + "\n<!-- x:end -->\n"
    (stale,) = expire(drafts_of({"MEMORY.md": managed}, "2026-08-01"))
    assert stale.kind == "stale", "another tool's region begins in its last row, and rows without their head say nothing"


@pytest.mark.parametrize("path", ["SOUL.md", "USER.md"])
def test_identity_files_are_only_listed(path: str) -> None:
    text = "# Who\n\n- Terse <!-- src:agent ts:2026-01-01 -->\n"
    drafts = drafts_of({path: text}, "2026-12-01")
    assert expire(drafts) == []
    assert texts(drafts) == {}
    assert [review.kind for review in drafts.reviews] == ["expired"]


def test_broken_and_unknown_are_reported_and_never_expire() -> None:
    text = "- A <!-- src:agent ts:2026-13-01 -->\n- B <!-- src:agent ts:unknown -->\n- C\n"
    drafts = drafts_of({"MEMORY.md": text}, "2030-01-01")
    assert expire(drafts) == []
    assert texts(drafts) == {}
    assert sorted((review.kind, review.entries[0].line) for review in drafts.reviews) == [("malformed", 1), ("undated", 1), ("undated", 2)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("- A <!-- src:agent ts:2026-13-01 -->\n", "2026-13-01"),
        ("- A\n\n<!-- src:agent ts:2026-06-01 -->\n", "the tag belongs to nothing: "),
    ],
)
def test_a_review_says_what_is_wrong_with_a_tag(text: str, reason: str) -> None:
    drafts = drafts_of({"MEMORY.md": text}, "2026-06-15")
    expire(drafts)
    (found,) = [review.reason for review in drafts.reviews if review.kind == "malformed"]
    assert reason in found
    assert len(found) > len(reason)


def test_a_section_with_a_region_or_a_heading_of_the_users_leaves_entry_by_entry() -> None:
    old = "## A  <!-- src:web ts:2026-01-01 ttl:7d -->\n"
    for kept in ("<!-- x:start -->\n<!-- x:end -->\n", "### Mine  <!-- src:user ts:2026-01-01 -->\n"):
        actions, after = run({"MEMORY.md": f"# M\n\n{old}\n- one is up\n\n{kept}"}, "2026-06-01")
        assert actions == [("archive", "MEMORY.md", 5, "memory/archive/2026-06-01.md")]
        assert after["MEMORY.md"] == f"# M\n\n{old}\n{kept}"
        assert "- one is up" in (after["memory/archive/2026-06-01.md"] or "")


def test_managed_regions_stay() -> None:
    text = "- Old <!-- src:web ts:2026-01-01 -->\n\n<!-- x:start -->\n- Other's <!-- src:web ts:2026-01-01 -->\n<!-- x:end -->\n"
    _actions, after = run({"MEMORY.md": text}, "2026-12-01")
    assert after["MEMORY.md"] == "<!-- x:start -->\n- Other's <!-- src:web ts:2026-01-01 -->\n<!-- x:end -->\n"


def test_a_daily_log_without_tags_is_left_to_the_tiers() -> None:
    assert run({"memory/2026-01-01.md": "# Log\n\n- Did it\n"}, "2026-12-01") == ([], {})


def test_a_tag_in_a_daily_log_counts() -> None:
    log = "# Log\n\n- Did it\n- Code 7 <!-- src:web ts:2026-01-01 ttl:1d -->\n"
    actions, after = run({"memory/2026-01-01.md": log}, "2026-01-05")
    assert [kind for kind, *_ in actions] == ["archive"]
    assert after["memory/2026-01-01.md"] == "# Log\n\n- Did it\n"


def test_line_ends_stay_what_they_are() -> None:
    text = BLOCK.replace("\n", "\r\n")
    assert run({"MEMORY.md": text}, "2026-09-04")[1] == {"MEMORY.md": STALE.replace("\n", "\r\n")}
    after = run({"MEMORY.md": text}, "2026-12-03")[1]
    assert (after["MEMORY.md"] or "").count("\r\n") == (after["MEMORY.md"] or "").count("\n") == 4
    assert "\r" not in (after["memory/archive/2026-12-03.md"] or "")


def test_twice_is_once() -> None:
    files = {"MEMORY.md": BLOCK, "memory/housing.md": "# H <!-- src:web ts:2026-08-01 -->\n\n- x\n- y <!-- src:agent ts:2026-01-01 -->\n"}
    drafts = drafts_of(files, "2026-09-20")
    assert expire(drafts)
    again = drafts_of({draft.path: draft.data.decode() for draft in drafts}, "2026-09-20")
    assert expire(again) == []
    assert texts(again) == {}


def test_paragraphs_do_not_flow_together() -> None:
    text = "First <!-- src:agent ts:2026-11-20 -->\n\n- gone <!-- src:web ts:2026-01-01 -->\n\nSecond <!-- src:agent ts:2026-11-20 -->\n"
    _actions, after = run({"MEMORY.md": text}, "2026-12-01")
    assert after["MEMORY.md"] == "First <!-- src:agent ts:2026-11-20 -->\n\nSecond <!-- src:agent ts:2026-11-20 -->\n"


def test_a_tag_that_is_quoted_in_the_line_is_left_alone() -> None:
    line = "- Use `<!-- src:agent ts:2026-07-01 -->` as the tag <!-- src:agent ts:2026-07-01 -->\n"
    _actions, after = run({"MEMORY.md": line}, "2026-11-30")
    assert after == {
        "MEMORY.md": "- Use `<!-- src:agent ts:2026-07-01 -->` as the tag <!-- src:agent ts:2026-07-01 \u26a0\ufe0f stale -->\n"
    }


def test_links_lead_to_the_same_places_from_the_archive() -> None:
    _actions, after = run(
        {"memory/alpha.md": "- See [b](beta.md) <!-- src:web ts:2026-01-01 -->\n- Young <!-- src:agent ts:2026-11-01 -->\n"}, "2026-12-01"
    )
    assert "- See [b](../beta.md) <!-- src:web ts:2026-01-01 -->\n" in (after["memory/archive/2026-12-01.md"] or "")


@pytest.mark.parametrize("way", ["memory", "memory/archive", "memory/archive/2026-12-03.md"])
def test_nothing_goes_through_a_link_or_over_a_file(way: str) -> None:
    drafts = drafts_of({"MEMORY.md": BLOCK}, "2026-12-03")
    drafts.taken = frozenset({way})
    assert [action.kind for action in expire(drafts)] == ["stale"]
    assert list(texts(drafts)) == ["MEMORY.md"]
    assert len(drafts.notes) == 1
