"""What a log looks like when it is warm and when it is cold, where the rest of it is, and what is never touched."""

from __future__ import annotations

import pytest

from hoard_git.core.actions import Action
from hoard_git.core.drafts import Drafts, Kept
from hoard_git.core.files import file_default
from hoard_git.core.markdown import parse
from hoard_git.core.policy import DEFAULT
from hoard_git.core.steps.tiers import tiers
from hoard_git.core.summary import Operation, Operations, Rejection, Request
from hoard_git.core.units import core_of
from tests.core.steps.logs import FULL, KEPT, LOG, NOTE, ORIGINAL, TAG, archived, plain, run
from tests.support.upkeep import day_number, drafts_of, texts


# -------------------------------------------------------------------- hot to warm
def test_a_warm_log_keeps_its_key_lines_and_the_archive_the_whole_of_it() -> None:
    (action,), changed, _after = run({LOG: FULL})
    assert changed == {LOG: KEPT, ORIGINAL: archived(FULL)}
    assert action == Action(
        "warm",
        LOG,
        1,
        "2026-06-01 Diary",
        "14 days old, past 7 days: 3 of 12 entries stay as key lines (1 decision, 1 fix, 1 rule), all of them are in the archive",
        "diary",
        ORIGINAL,
        "agent",
        "agent",
        end_line=22,
    )


@pytest.mark.parametrize(("day", "count"), [("2026-06-01", 0), ("2026-06-08", 0), ("2026-06-09", 1), ("2026-08-30", 1)])
def test_the_day_on_which_it_turns_warm(day: str, count: int) -> None:
    actions, changed, _after = run({LOG: FULL}, day)
    assert len(actions) == count
    assert bool(changed) == bool(count)


def test_a_line_that_other_logs_repeat_stays() -> None:
    log = FULL + "".join(f"- Some other matter {word}\n" for word in ("here", "there", "inside", "outside"))
    (alone,), changed, _after = run({LOG: log})
    assert "(1 decision, 1 fix, 1 rule)" in alone.reason and "pictures" not in str(changed[LOG])
    later = {"memory/2026-06-14.md": "# 2026-06-14\n\n- Sorted **some** pictures.\n"}
    (action,), changed, _after = run({LOG: log, **later})
    assert "4 of 16 entries stay as key lines (1 said again, 1 decision, 1 fix)" in action.reason
    assert "- Sorted some pictures\n" in str(changed[LOG])


def test_a_second_run_does_nothing() -> None:
    for day, later in (("2026-06-15", "2026-08-30"), ("2026-09-15", "2027-06-01")):
        after = run({LOG: FULL}, day)[2]
        assert run(after, later)[:2] == ([], {})


@pytest.mark.parametrize(
    "text",
    ["# D\n\n" + "- We decided on it\n" * 10, "# D\n\n- one line\n", "", "# D\n"],
)
def test_a_small_log_stays_whole(text: str) -> None:
    assert run({LOG: text})[:2] == ([], {})


def test_what_is_small() -> None:
    lines = "".join(f"- Note {number} about nothing in particular\n" for number in range(10))
    assert run({LOG: lines})[0] == []
    assert len(run({LOG: lines + "- And one more note here\n"})[0]) == 1
    assert len(run({LOG: lines.replace("Note 3", "Note 3 " + "and so on " * 200)})[0]) == 1


def test_a_log_without_a_title_gets_one_in_the_archive_alone() -> None:
    body = FULL.partition("\n\n")[2]
    (_action,), changed, _after = run({LOG: body})
    assert changed[LOG] == KEPT.partition("\n\n")[2]
    assert changed[ORIGINAL] == f"# 2026-06-01  {TAG}\n\n{NOTE}\n\n{body}"


def test_a_tag_of_the_whole_log_goes_along() -> None:
    tagged = FULL.replace("Diary", "Diary <!-- src:web ts:2026-05-30 ttl:30d id:logone -->")
    (action,), changed, _after = run({LOG: tagged})
    assert (action.src, action.src_after) == ("web", "web")
    original = changed[ORIGINAL]
    assert original is not None
    assert original.startswith(f"# 2026-06-01 Diary <!-- src:web ts:2026-05-30 ttl:30d -->\n\n{NOTE}\n\n## Morning")
    kept = changed[LOG]
    assert kept is not None
    assert kept.startswith("# 2026-06-01 Diary <!-- src:web ts:2026-05-30 ttl:30d id:logone -->\n")


def test_an_id_stands_once() -> None:
    text = FULL.replace("to node-2", "to node-2 <!-- src:agent ts:2026-06-01 id:keyone -->").replace(
        "the radio", "the radio <!-- src:tool ts:2026-06-01 id:restone -->"
    )
    changed = run({LOG: text})[1]
    kept, original = changed[LOG], changed[ORIGINAL]
    assert kept is not None and original is not None
    assert "to node-2 <!-- src:agent ts:2026-06-01 id:keyone -->" in kept
    assert f"to node-2 {TAG}" in original
    assert "the radio <!-- src:tool ts:2026-06-01 id:restone -->" in original


def test_the_users_entries_stay_and_do_not_go() -> None:
    mine = "- Water the plants on Sundays <!-- src:user ts:2026-06-01 -->\n  - but not the cactus\n"
    text = FULL.replace("- Walked through", mine + "- Walked through")
    (action,), changed, _after = run({LOG: text})
    kept, original = changed[LOG], changed[ORIGINAL]
    assert kept is not None and original is not None
    assert mine in kept
    assert "cactus" not in original and "Sundays" not in original
    assert action.reason.endswith("; 2 entries of the user's stay in the log")


def test_a_users_heading_stays_and_what_is_not_the_users_goes_without_the_claim() -> None:
    section = "## Rules <!-- src:user ts:2026-05-01 -->\n\n- Be brief\n- The radio was loud <!-- src:agent ts:2026-06-01 -->\n\n"
    (_action,), changed, _after = run({LOG: FULL.replace("## Afternoon", section + "## Afternoon")})
    kept, original = changed[LOG], changed[ORIGINAL]
    assert kept is not None and original is not None
    assert "## Rules <!-- src:user ts:2026-05-01 -->\n\n- Be brief\n" in kept
    assert "## Rules\n\n- The radio was loud <!-- src:agent ts:2026-06-01 -->\n" in original
    assert "src:user" not in original


def test_a_log_that_is_the_users_as_a_whole_is_left_alone() -> None:
    text = FULL.replace("Diary", "Diary <!-- src:user ts:2026-06-01 -->")
    assert run({LOG: text})[:2] == ([], {})
    assert run({LOG: text}, "2027-01-01")[:2] == ([], {})


def test_managed_regions_stay_byte_for_byte_and_chats_go_whole() -> None:
    region = "<!-- diary:start -->\n## Dream\n- We decided nothing\n<!-- diary:end -->\n"
    chat = "user: must we decide now?\nassistant: never decide at night\n"
    text = f"{FULL}\n## Chat\n\n{chat}\n## Other\n\n{region}"
    (_action,), changed, _after = run({LOG: text})
    kept, original = changed[LOG], changed[ORIGINAL]
    assert kept is not None and original is not None
    assert kept.endswith(f"## Other\n\n{region}")
    assert "assistant:" not in kept
    assert chat in original
    assert "Dream" not in original


def test_tables_and_code_go_whole_and_are_no_key_lines() -> None:
    table = "| what | when |\n|---|---|\n| decided the deadline | May 7 |\n"
    code = "```\nalways decide\n```\n"
    changed = run({LOG: f"{FULL}\n{table}\n{code}"})[1]
    kept, original = changed[LOG], changed[ORIGINAL]
    assert kept is not None and original is not None
    assert "|" not in kept and "```" not in kept
    assert table in original and code in original


def test_front_matter_stays_and_link_definitions_are_in_both() -> None:
    text = f"---\ntitle: Diary\n---\n{FULL}- See [the plan][p] that we agreed on\n\n[p]: plan.md\n"
    changed = run({LOG: text})[1]
    kept, original = changed[LOG], changed[ORIGINAL]
    assert kept is not None and original is not None
    assert kept.startswith("---\ntitle: Diary\n---\n# 2026-06-01 Diary\n")
    assert kept.endswith("\n[p]: plan.md\n")
    assert original.startswith(f"# 2026-06-01 Diary  {TAG}\n")
    assert original.endswith("\n[p]: ../../plan.md\n")


def test_links_lead_to_the_same_places_from_the_archive() -> None:
    text = FULL.replace("about gardens", "about [gardens](gardens.md#roses) and [all](../MEMORY.md)")
    original = run({LOG: text})[1][ORIGINAL]
    assert original is not None
    assert "about [gardens](../../gardens.md#roses) and [all](../../../MEMORY.md)\n" in original


def test_crlf_stays_crlf() -> None:
    changed = run({LOG: FULL.replace("\n", "\r\n")})[1]
    assert changed[LOG] == KEPT.replace("\n", "\r\n")
    assert changed[ORIGINAL] == archived(FULL).replace("\n", "\r\n")


def test_a_sub_item_keeps_the_items_around_it_and_still_reads_as_one() -> None:
    text = "# D\n\n- Plan:\n  1. Look at the garden\n  2. We decided to buy a tree\n" + "- Something else happened here\n" * 12
    kept = run({LOG: text})[1][LOG]
    assert kept is not None
    document = parse(kept.encode())
    found = next(entry for entry in document.entries if "buy a tree" in entry.text)
    assert core_of(document.entries[found.parent].text) == "Plan:"


def test_a_file_that_is_no_text_is_left_alone_and_named() -> None:
    for broken in ("\0", "\udcff"):
        drafts = drafts_of({LOG: FULL + broken}, "2026-06-15")
        assert tiers(drafts, mask=plain) == []
        assert texts(drafts) == {}
        assert len(drafts.notes) == 1 and "2026-06-01.md" in drafts.notes[0]


def test_the_archive_is_where_the_policy_says_and_below_the_workspace() -> None:
    policy = DEFAULT._replace(
        globs=tuple((name, ("attic/**",) if name == "archive" else globs) for name, globs in DEFAULT.globs), roots=("agents/a",)
    )
    path = "agents/a/" + LOG
    kept = [Kept(path, "daily", FULL.encode(), file_default(path, "daily", policy))]
    drafts = Drafts(kept, policy, day_number("2026-06-15"), root="agents/a/")
    (action,) = tiers(drafts, mask=plain)
    assert action.to == "agents/a/attic/logs/2026-06-01.md"
    assert "from:memory/2026-06-01.md#-" in (texts(drafts)[action.to] or "")


@pytest.mark.parametrize("name", [ORIGINAL, ORIGINAL.upper(), ORIGINAL + ".gz"])
def test_a_log_whose_place_is_taken_is_left_alone(name: str) -> None:
    kept = [Kept(LOG, "daily", FULL.encode(), file_default(LOG, "daily", DEFAULT))]
    drafts = Drafts(kept, DEFAULT, day_number("2026-06-15"), taken=[name])
    assert tiers(drafts, mask=plain) == []


def test_several_logs_of_a_day_go_each_by_itself() -> None:
    other = "memory/2026-06-01-garden.md"
    actions, changed, _after = run({LOG: FULL, other: FULL})
    assert [(a.path, a.to) for a in actions] == [(other, "memory/archive/logs/2026-06-01-garden.md"), (LOG, ORIGINAL)]
    assert changed[other] == KEPT


# -------------------------------------------------------------------- a summariser
def test_a_summariser_chooses_and_its_merge_has_the_common_source() -> None:
    asked: list[Request] = []

    def answer(request: Request) -> Operations:
        asked.append(request)
        names = {block.text: block.id for block in request.blocks}
        merged = (names["Washed the dishes"], names["Watered the plants"])
        keep = (names["Listened to the radio"],)
        rest = tuple(name for name in names.values() if name not in (*merged, *keep))
        return Operations((Operation("keep", keep), Operation("merge", merged, "Washed and watered"), Operation("drop", rest)))

    drafts = drafts_of({LOG: FULL}, "2026-06-15")
    (action,) = tiers(drafts, mask=plain, summarise=answer)
    changed = texts(drafts)
    assert changed[LOG] == (f"# 2026-06-01 Diary\n\n## Afternoon\n\n- Listened to the radio\n\n## Evening\n\n- Washed and watered {TAG}\n")
    assert changed[ORIGINAL] == archived(FULL)
    assert "chosen by the summarizer" in action.reason
    assert asked[0].task == "warm-log" and len(asked[0].blocks) == 12


@pytest.mark.parametrize(("size", "room"), [(3000, 2048), (8195, 2048), (8196, 2049), (40_000, 10_000)])
def test_what_a_summariser_may_keep_is_a_quarter_of_the_log_and_2_kb_in_any_case(size: int, room: int) -> None:
    asked: list[Request] = []

    def answer(request: Request) -> Rejection:
        asked.append(request)
        return Rejection("not today")

    log = FULL + "".join(f"- Line {number} tells of nothing in particular\n" for number in range(40))
    log += f"- {'x' * (size - len(log) - 3)}\n"
    tiers(drafts_of({LOG: log}, "2026-06-15"), mask=plain, summarise=answer)
    assert (len(log), [request.max_bytes for request in asked]) == (size, [room])


def test_the_user_is_never_asked_about_and_a_rejection_falls_back() -> None:
    def answer(request: Request) -> Rejection:
        assert "Sundays" not in "".join(block.text for block in request.blocks)
        return Rejection("it took too long")

    mine = "- Water the plants on Sundays <!-- src:user ts:2026-06-01 -->\n"
    drafts = drafts_of({LOG: FULL + mine}, "2026-06-15")
    (action,) = tiers(drafts, mask=plain, summarise=answer)
    assert "(the summarizer's answer was not taken: it took too long)" in action.reason
    assert (texts(drafts)[LOG] or "").startswith(KEPT)


def test_an_answer_that_replaces_keeps_the_newer_line_and_a_merge_of_what_is_no_list_keeps_all() -> None:
    log = FULL.replace("- Looked at the news for a while\n", "The printer was looked at for an hour.\n\n")

    def answer(request: Request) -> Operations:
        names = {block.text: block.id for block in request.blocks}
        old, new = names["Washed the dishes"], names["Watered the plants"]
        merged = (names["The printer was looked at for an hour."], names["Drank tea in the kitchen"])
        items = [Operation("supersede", (old, new)), Operation("merge", merged, "Tea and a printer")]
        return Operations((*items, Operation("drop", tuple(name for name in names.values() if name not in (old, new, *merged)))))

    drafts = drafts_of({LOG: log}, "2026-06-15")
    tiers(drafts, mask=plain, summarise=answer)
    left = texts(drafts)[LOG] or ""
    assert "Watered the plants" in left
    assert "Washed" not in left
    assert ("- Drank tea in the kitchen\n" in left, "The printer was looked at" in left, "Tea and" in left) == (True, True, False)


def test_a_log_without_a_statement_is_not_asked_about() -> None:
    rows = "".join(f"| {number} | a long cell about nothing that matters at all |\n" for number in range(30))
    drafts = drafts_of({LOG: f"# 2026-06-01\n\n| n | x |\n|---|---|\n{rows}"}, "2026-06-15")
    (action,) = tiers(drafts, mask=plain, summarise=lambda _request: Rejection("never asked"))
    assert "(the summarizer's answer was not taken: there is no statement to ask about)" in action.reason
