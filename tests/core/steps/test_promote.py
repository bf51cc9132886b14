"""What recurs in trusted logs or was marked becomes a line of MEMORY.md; what a page repeats, and what is about its day alone, does not."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from hoard_git.core.actions import Action
from hoard_git.core.markdown import parse
from hoard_git.core.provenance import provenances
from hoard_git.core.steps.promote import MOST, promote
from tests.support.upkeep import drafts_of, texts

TODAY = "2026-06-15"
FACT = "The spare key of the cellar hangs behind the boiler"
MEMORY = "# MEMORY.md\n\n## Notes  <!-- src:agent ts:2026-06-01 -->\n\n- Nothing of that kind\n"


def log(day: int, *lines: str, heading: str = "") -> dict[str, str]:
    return {f"memory/2026-06-{day:02d}.md": f"# 2026-06-{day:02d}\n\n{heading}" + "".join(f"- {line}\n" for line in lines)}


def run(*logs: Mapping[str, str], human: bool = False, memory: str = MEMORY) -> tuple[list[Action], list[str]]:
    """The actions, and the lines that MEMORY.md gained."""
    files = {"MEMORY.md": memory} if memory else {}
    for one in logs:
        files |= one
    drafts = drafts_of(files, TODAY)
    actions = promote(drafts, human=human)
    changed = texts(drafts)
    assert set(changed) <= {"MEMORY.md"}
    after = changed.get("MEMORY.md") or memory
    assert after.startswith(memory)
    return actions, [line for line in after[len(memory) :].split("\n") if line]


def test_a_fact_of_two_days_is_promoted_with_its_day_and_its_log() -> None:
    actions, lines = run(log(3, FACT, "Had tea"), log(9, f"**{FACT}.**"))
    assert lines == [
        "## 2026-06-15 Promoted  <!-- src:agent ts:2026-06-15 -->",
        f"- **{FACT}.** <!-- src:agent ts:2026-06-09 ev:memory/2026-06-09.md -->",
    ]
    assert actions == [
        Action(
            "promote",
            "memory/2026-06-09.md",
            3,
            f"**{FACT}.**",
            "seen on 2 days, from 2026-06-03 to 2026-06-09",
            actions[0].block,
            "MEMORY.md",
            "agent",
            "agent",
            end_line=3,
        )
    ]


def test_one_day_is_not_enough_however_often() -> None:
    other = {"memory/2026-06-03-late.md": f"# Late\n\n- {FACT}\n"}
    assert run(log(3, FACT, FACT), other) == ([], [])


@pytest.mark.parametrize("mark", [f"#remember {FACT}", f"{FACT} [remember]"])
def test_a_marked_line_needs_one_day(mark: str) -> None:
    actions, lines = run(log(3, mark))
    assert lines[1:] == [f"- {mark} <!-- src:agent ts:2026-06-03 ev:memory/2026-06-03.md -->"]
    assert actions[0].reason == "marked to be remembered"


def test_a_second_run_adds_nothing_and_a_later_one_joins_its_own_day() -> None:
    logs = log(3, FACT) | log(9, FACT)
    drafts = drafts_of({"MEMORY.md": MEMORY, **logs}, TODAY)
    promote(drafts)
    after = texts(drafts)["MEMORY.md"]
    assert after is not None
    assert run(logs, memory=after) == ([], [])
    _actions, lines = run(logs, log(10, "#remember the gate code is with Lee"), memory=after)
    assert lines == ["- #remember the gate code is with Lee <!-- src:agent ts:2026-06-10 ev:memory/2026-06-10.md -->"]


@pytest.mark.parametrize("path", ["MEMORY.md", "memory/house.md"])
def test_what_stands_in_memory_already_stays_where_it_is(path: str) -> None:
    there = "# House\n\n- the spare key of the cellar hangs behind the boiler. <!-- src:web ts:2026-06-01 -->\n"
    files = {"MEMORY.md": MEMORY, path: there, **log(3, FACT), **log(9, FACT)}
    drafts = drafts_of(files, TODAY)
    assert promote(drafts) == []
    assert texts(drafts) == {}


@pytest.mark.parametrize("source", ["web", "dig", "tool"])
def test_what_came_from_elsewhere_never(source: str) -> None:
    tagged = f"{FACT} <!-- src:{source} ts:2026-06-03 -->"
    assert run(*(log(day, tagged) for day in range(1, 9))) == ([], [])
    assert run(log(3, f"{FACT} [remember] <!-- src:{source} ts:2026-06-03 -->")) == ([], [])
    assert run(log(3, FACT), log(4, FACT), log(5, tagged)) == ([], [])


def test_five_notes_from_one_page_count_once() -> None:
    said = f"{FACT}, says https://www.example.org/keys"
    assert run(*(log(day, said) for day in range(1, 6))) == ([], [])
    assert run(*(log(day, FACT, heading="## Read at https://example.org/keys\n\n") for day in range(1, 6))) == ([], [])
    pages = [log(day, f"{FACT} <!-- src:agent ts:2026-06-0{day} ev:https://example.org/{day} -->") for day in range(1, 6)]
    assert run(*pages) == ([], [])
    assert len(run(*pages, log(7, FACT))[0]) == 1


def test_the_same_evidence_counts_once_and_another_twice() -> None:
    same = [log(day, f"{FACT} <!-- src:agent ts:2026-06-0{day} ev:mail/77 -->") for day in (3, 4)]
    assert run(*same) == ([], [])
    assert len(run(*same, log(5, f"{FACT} <!-- src:agent ts:2026-06-05 ev:mail/78 -->"))[0]) == 1


@pytest.mark.parametrize(
    "line",
    [
        "Nothing to report",
        "Where does the spare key of the cellar hang?",
        "Tomorrow the plumber comes to the cellar",
        "[ ] Take the spare key of the cellar back",
        "Mail: 3 unread messages from the plumber here",
        "Posted a picture of the cellar again",
        "`ls cellar`",
        "Heartbeat at 14:00",
        "All good here",
    ],
)
def test_what_is_about_its_day_alone_is_not_promoted(line: str) -> None:
    assert run(log(3, line), log(9, line), log(10, line)) == ([], [])


def test_a_rule_of_few_words_is() -> None:
    assert len(run(log(3, "Prefers tabs"), log(9, "prefers tabs"))[0]) == 1


def test_a_line_with_something_under_it_or_over_two_lines_is_not() -> None:
    for text in (f"- {FACT}\n  - and that\n", f"- {FACT}\n  and behind the stove\n", f"- {FACT} <!-- a note -->\n"):
        files = {"MEMORY.md": MEMORY} | {f"memory/2026-06-0{day}.md": f"# D\n\n{text}" for day in (3, 4)}
        drafts = drafts_of(files, TODAY)
        assert [action.text for action in promote(drafts) if FACT in action.text] == []


def test_managed_regions_and_chats_are_not_read() -> None:
    region = f"<!-- dream:start -->\n- {FACT}\n<!-- dream:end -->\n"
    chat = f"user: {FACT}\nassistant: {FACT} #remember\n"
    for text in (region, chat):
        files = {"MEMORY.md": MEMORY} | {f"memory/2026-06-0{day}.md": f"# D\n\n{text}" for day in (3, 4)}
        assert promote(drafts_of(files, TODAY)) == []


def test_an_agent_says_so_itself_and_a_human_may_say_whose_it_is() -> None:
    line = f"{FACT} [remember] <!-- src:user ts:2026-06-02 -->"
    for human, source in ((False, "agent"), (True, "user")):
        (action,), lines = run(log(3, line), human=human)
        assert lines[1] == f"- {FACT} [remember] <!-- src:{source} ts:2026-06-02 ev:memory/2026-06-03.md -->"
        assert (action.src, action.src_after) == ("user", source)


def test_the_lowest_source_of_all_sightings_counts() -> None:
    line = f"{FACT} <!-- src:user ts:2026-06-02 -->"
    (_action,), lines = run(log(3, line), log(4, FACT), human=True)
    assert "src:agent" in lines[1]


def test_a_heading_of_the_users_with_the_same_name_is_left_alone() -> None:
    mine = MEMORY + "\n## 2026-06-15 Promoted  <!-- src:user ts:2026-06-15 -->\n\n- Mine\n"
    _actions, lines = run(log(3, FACT), log(9, FACT), memory=mine)
    assert lines[0] == "## 2026-06-15 Promoted  <!-- src:agent ts:2026-06-15 -->"


def test_under_a_title_of_the_users_the_lines_are_the_agents() -> None:
    memory = "# MEMORY.md <!-- src:user ts:2026-01-01 -->\n\n- Be brief\n"
    drafts = drafts_of({"MEMORY.md": memory, **log(3, FACT), **log(9, FACT)}, TODAY)
    promote(drafts)
    document = parse((texts(drafts)["MEMORY.md"] or "").encode())
    assert [claim.src for claim in provenances(document, None)] == ["user", "agent"]


def test_without_an_index_one_is_made() -> None:
    _actions, lines = run(log(3, FACT), log(9, FACT), memory="")
    assert lines[0].startswith("## 2026-06-15 Promoted")


def test_links_lead_to_the_same_place() -> None:
    line = f"{FACT}, see [plan](plan.md)"
    _actions, lines = run(log(3, line), log(9, line))
    assert "[plan](memory/plan.md)" in lines[1]


def test_an_archived_day_counts_as_a_day() -> None:
    old = {"memory/archive/logs/2026-05-01.md": f"# 2026-05-01 <!-- src:agent ts:2026-05-01 -->\n\n- {FACT}\n"}
    assert len(run(old, log(3, FACT))[0]) == 1
    assert run(old, {"memory/archive/logs/2026-05-02.md": old["memory/archive/logs/2026-05-01.md"]}) == ([], [])


def test_at_most_ten_the_marked_ones_and_the_rules_first() -> None:
    plain = [f"The {thing} hangs behind the boiler in the cellar" for thing in "abcdefghijkl"]
    lines = [*plain, "Never lock the cellar door from inside", "#remember the gate code is with Lee"]
    actions, _lines = run(log(3, *lines), log(9, *lines), log(10, *plain))
    assert len(actions) == MOST
    assert [action.text for action in actions[:2]] == ["#remember the gate code is with Lee", "Never lock the cellar door from inside"]


def test_a_date_to_come_is_not_carried_over() -> None:
    _actions, lines = run(log(3, FACT), log(20, FACT))
    assert "ts:2026-06-15" in lines[1]


def test_a_log_without_a_day_is_not_read() -> None:
    undated = {f"memory/2026-02-3{day}.md": f"# D\n\n- {FACT}\n" for day in (0, 1)}
    assert run(undated) == ([], [])


def test_the_page_that_an_item_above_links_to_is_the_origin() -> None:
    nested = [{f"memory/2026-06-0{day}.md": f"# D\n\n- From https://example.org/a\n  - {FACT}\n"} for day in (3, 4)]
    assert [action.text for action in run(*nested)[0]] == []
