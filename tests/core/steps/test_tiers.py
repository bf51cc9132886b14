"""What a log looks like when it is warm and when it is cold, where the rest of it is, and what is never touched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoard_git.core.accounting import find_unaccounted, side_of
from hoard_git.core.actions import Action
from hoard_git.core.drafts import Drafts, Kept
from hoard_git.core.files import classify, file_default
from hoard_git.core.markdown import parse
from hoard_git.core.policy import DEFAULT, Policy
from hoard_git.core.provenance import heading_provenances, provenances
from hoard_git.core.steps.tiers import tiers
from hoard_git.core.summary import Operation, Operations, Rejection, Request
from hoard_git.core.units import Side, core_of
from hoard_git.core.unwrap import unwrap
from tests.support.upkeep import day_number, drafts_of, texts

LOG, ORIGINAL = "memory/2026-06-01.md", "memory/archive/logs/2026-06-01.md"
TAG = "<!-- src:agent ts:2026-06-01 -->"
NOTE = "<!-- hoard:archived from:memory/2026-06-01.md#- on:2026-06-15 reason:warm -->"
PACKING = DEFAULT._replace(tiers=(("hot", "7d"), ("hot_max", "50KB"), ("warm", "90d"), ("gzip_after", "30d")))

FULL = """\
# 2026-06-01 Diary

## Morning

- Looked at the news for a while
- We decided to move the wiki to node-2
- Sorted some pictures
- Read a long text about gardens

## Afternoon

- Walked through the old notes
- Listened to the radio
- Fixed the import of old mails, the cause was a full disk
- Drank tea in the kitchen
- Mailed ann@example.org that the plan must hold

## Evening

- Had a look at the printer
- Washed the dishes
- Watered the plants
"""

KEPT = """\
# 2026-06-01 Diary

## Morning

- We decided to move the wiki to node-2

## Afternoon

- Fixed the import of old mails, the cause was a full disk
- Mailed ann@example.org that the plan must hold
"""


def plain(text: str) -> str:
    return text


def stars(text: str) -> str:
    return text.replace("ann@example.org", "[EMAIL-1a2b]")


def run(
    files: Mapping[str, str], day: str = "2026-06-15", policy: Policy = DEFAULT
) -> tuple[list[Action], dict[str, str | None], dict[str, str]]:
    """The actions, what changed, and all files afterwards."""
    drafts = drafts_of(files, day, policy)
    actions = tiers(drafts, mask=stars)
    changed = texts(drafts)
    after = {path: text for path, text in {**files, **changed}.items() if text is not None}
    return actions, changed, after


def archived(text: str) -> str:
    """A log as it stands in the archive."""
    first, _, rest = text.partition("\n")
    return f"{first}  {TAG}\n\n{NOTE}\n{rest}"


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


# -------------------------------------------------------------------- warm to cold


def test_a_cold_log_is_in_the_archive_alone_shorter_and_masked() -> None:
    warm = run({LOG: FULL})[2]
    assert run(warm, "2026-08-30")[0] == []
    actions, changed, _after = run(warm, "2026-08-31")
    title = f"# 2026-06-01 Diary  {TAG}"
    assert changed == {
        LOG: None,
        ORIGINAL: KEPT.replace("# 2026-06-01 Diary", title).replace("ann@example.org", "[EMAIL-1a2b]"),
    }
    assert [(a.kind, a.path, a.line, a.end_line, a.to, a.gone) for a in actions] == [
        ("cold", ORIGINAL, 1, warm[ORIGINAL].count("\n"), ORIGINAL, True),
        ("cold", LOG, 1, KEPT.count("\n"), ORIGINAL, True),
    ]
    assert actions[0].reason == (
        "91 days old, past 90 days: 3 of 12 entries stay in the archive, 9 only in history; 1 line has personal data masked"
    )


def test_a_log_that_was_never_warm_turns_cold_at_once() -> None:
    actions, changed, _after = run({LOG: FULL}, "2026-09-15")
    assert [(a.kind, a.path, a.gone, a.to) for a in actions] == [("cold", LOG, True, ORIGINAL)]
    assert changed[LOG] is None
    assert (changed[ORIGINAL] or "").startswith(f"# 2026-06-01 Diary  {TAG}\n\n## Morning\n\n- We decided")
    assert NOTE[:20] not in (changed[ORIGINAL] or "")


def test_a_small_log_turns_cold_whole() -> None:
    (action,), changed, _after = run({LOG: "# D\n\n- Nothing much\n- Had tea\n"}, "2026-09-15")
    assert changed == {LOG: None, ORIGINAL: f"# D  {TAG}\n\n- Nothing much\n- Had tea\n"}
    assert (action.gone, action.reason) == (False, "106 days old, past 90 days: 2 of 2 entries stay in the archive")


def test_the_users_entries_stay_in_a_cold_log_verbatim_and_unmasked() -> None:
    mine = "- Write to ann@example.org on Sundays <!-- src:user ts:2026-06-01 -->\n"
    warm = run({LOG: FULL + mine})[2]
    for files in (warm, {LOG: FULL + mine}):
        _actions, changed, after = run(files, "2026-09-15")
        assert changed[LOG] == f"# 2026-06-01 Diary\n\n## Evening\n\n{mine}"
        assert "Sundays" not in (changed[ORIGINAL] or "")
        assert run(after, "2026-12-15")[:2] == ([], {})


def test_what_was_added_to_a_warm_log_is_not_lost() -> None:
    warm = run({LOG: FULL})[2]
    warm[LOG] += "- Added later: the mails were counted twice\n"
    changed = run(warm, "2026-09-15")[1]
    assert "- Added later: the mails were counted twice\n" in (changed[ORIGINAL] or "")


def test_what_was_added_to_a_cold_log_joins_the_rest() -> None:
    cold = run({LOG: FULL}, "2026-09-15")[2]
    cold[LOG] = "# 2026-06-01 Diary\n\n- Added much later\n"
    actions, changed, after = run(cold, "2026-10-15")
    assert changed == {LOG: None, ORIGINAL: cold[ORIGINAL] + "\n- Added much later\n"}
    assert [(a.kind, a.gone) for a in actions] == [("cold", False)]
    assert run(after, "2026-10-16")[:2] == ([], {})


def test_an_original_whose_log_is_gone_turns_cold_too() -> None:
    warm = run({LOG: FULL})[2]
    del warm[LOG]
    actions, changed, after = run(warm, "2026-09-15")
    assert [(a.kind, a.path, a.gone) for a in actions] == [("cold", ORIGINAL, True)]
    assert "- We decided" in (changed[ORIGINAL] or "") and "Washed" not in (changed[ORIGINAL] or "")
    assert run(after, "2026-10-16")[:2] == ([], {})


def test_an_original_keeps_the_link_definitions_that_its_key_lines_need() -> None:
    links = "- See [the plan][p] that we agreed on\n- See [the list][q]\n\n[p]: plan.md\n[q]: list.md\n"
    warm = run({LOG: FULL.replace("We decided", "We thought about how") + links})[2]
    del warm[LOG]
    original = run(warm, "2026-09-15")[1][ORIGINAL]
    assert original is not None
    assert original.endswith("- See [the plan][p] that we agreed on\n\n[p]: ../../plan.md\n")


def test_an_original_without_its_log_stays_while_it_is_warm_or_holds_the_users() -> None:
    warm = run({LOG: FULL})[2]
    del warm[LOG]
    assert run(warm, "2026-08-30")[:2] == ([], {})
    assert run({ORIGINAL: warm[ORIGINAL] + "- Be brief <!-- src:user ts:2026-06-01 -->\n"}, "2026-09-15")[:2] == ([], {})


@pytest.mark.parametrize("name", ["stay", "leave"])
def test_what_would_not_read_as_before_is_left_alone_and_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = FULL + "- Be brief <!-- src:user ts:2026-06-01 -->\n"
    warm = run({LOG: mine})[2]
    alone = {ORIGINAL: warm[ORIGINAL]}
    monkeypatch.setattr(f"hoard_git.core.steps.tiers.{name}", lambda *_args, **_named: None)
    for files, day in (({LOG: mine}, "2026-06-15"), (warm, "2026-09-15"), *([(alone, "2026-09-15")] if name == "leave" else [])):
        drafts = drafts_of(files, day)
        assert tiers(drafts, mask=plain) == []
        assert texts(drafts) == {}
        assert [note.partition(" could not be split")[1] for note in drafts.notes] == [" could not be split"]


def test_an_archive_file_that_somebody_wrote_is_left_alone() -> None:
    mine = {ORIGINAL: FULL.replace("Diary", f"Diary {TAG}")}
    assert run(mine, "2026-12-15")[:2] == ([], {})


def test_the_users_entries_in_the_archive_stay() -> None:
    warm = run({LOG: FULL})[2]
    warm[ORIGINAL] += "- Be brief <!-- src:user ts:2026-06-01 -->\n"
    drafts = drafts_of(warm, "2026-09-15")
    assert tiers(drafts, mask=stars) == []
    assert texts(drafts) == {}
    assert drafts.notes == [f"{ORIGINAL!a} holds entries of the user's, so it stays as it is."]


def test_a_mask_at_the_start_of_a_line_makes_no_link_definition() -> None:
    text = FULL + "\nann@example.org: we decided to move the printer, always\n"
    original = run({LOG: text}, "2026-09-15")[1][ORIGINAL]
    assert original is not None
    assert "[EMAIL-1a2b] : we decided" in original


def test_a_mask_leaves_comments_and_links_in_them_alone() -> None:
    text = FULL.replace("must hold", "must hold <!-- src:agent ts:2026-06-01 ev:ann@example.org -->")
    original = run({LOG: text}, "2026-09-15")[1][ORIGINAL]
    assert original is not None
    assert "- Mailed [EMAIL-1a2b] that the plan must hold <!-- src:agent ts:2026-06-01 ev:ann@example.org -->\n" in original


def test_the_masking_of_the_package_is_the_default() -> None:
    drafts = drafts_of({LOG: FULL.replace("the plan", "Zora Quint")}, "2026-09-15")
    tiers(drafts, ["Zora Quint"])
    original = texts(drafts)[ORIGINAL]
    assert original is not None
    assert "ann@example.org" not in original and "Zora" not in original
    assert "that [PERSON" in original


# -------------------------------------------------------------------- packing


def test_old_logs_are_packed_where_the_policy_wants_it() -> None:
    drafts = drafts_of(run({LOG: FULL})[2], "2026-07-15", PACKING)
    before = drafts[ORIGINAL].data
    actions = tiers(drafts, mask=plain)
    assert [(a.kind, a.path, a.to) for a in actions] == [("archive", ORIGINAL, ORIGINAL + ".gz")]
    edits = drafts.edits()
    assert edits[ORIGINAL] is None
    packed = edits[ORIGINAL + ".gz"]
    assert packed is not None
    assert unwrap(packed, ORIGINAL + ".gz") == before


def test_packing_waits_for_its_day_and_never_takes_the_users() -> None:
    warm = run({LOG: FULL})[2]
    assert run(warm, "2026-07-01", PACKING)[0] == []
    assert len(run(warm, "2026-07-02", PACKING)[0]) == 1
    warm[ORIGINAL] += "- Be brief <!-- src:user ts:2026-06-01 -->\n"
    assert run(warm, "2026-07-15", PACKING)[0] == []


def test_packing_never_replaces_what_is_there() -> None:
    warm = run({LOG: FULL})[2]
    kept = [Kept(path, name := classify(path, DEFAULT), text.encode(), file_default(path, name, DEFAULT)) for path, text in warm.items()]
    drafts = Drafts(kept, PACKING, day_number("2026-07-15"), taken=[ORIGINAL + ".gz"])
    assert tiers(drafts, mask=plain) == []


def test_a_packed_original_that_cannot_be_read_here_is_named() -> None:
    kept = [Kept(LOG, "daily", KEPT.encode(), file_default(LOG, "daily", DEFAULT))]
    drafts = Drafts(kept, DEFAULT, day_number("2026-09-15"), taken=[ORIGINAL + ".gz"])
    assert tiers(drafts, mask=plain) == []
    assert len(drafts.notes) == 1


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


def test_the_user_is_never_asked_about_and_a_rejection_falls_back() -> None:
    def answer(request: Request) -> Rejection:
        assert "Sundays" not in "".join(block.text for block in request.blocks)
        return Rejection("it took too long")

    mine = "- Water the plants on Sundays <!-- src:user ts:2026-06-01 -->\n"
    drafts = drafts_of({LOG: FULL + mine}, "2026-06-15")
    (action,) = tiers(drafts, mask=plain, summarise=answer)
    assert "(the summarizer's answer was not taken: it took too long)" in action.reason
    assert (texts(drafts)[LOG] or "").startswith(KEPT)


# -------------------------------------------------------------------- laws

_LINES = st.sampled_from(
    [
        "- We decided to move it",
        "- We decided to move it",
        "- Never on Fridays <!-- src:web ts:2026-05-01 ttl:30d -->",
        "- Mine <!-- src:user ts:2026-05-01 -->",
        "  - below it",
        "    - and below that, fixed",
        "  1. first",
        "  2. second must stay",
        "Some prose about port 8080",
        "and its second line",
        "- Mail ann@example.org, she agreed",
        "## Section",
        "## Tagged <!-- src:tool ts:2026-05-02 id:tagged -->",
        "## Ours <!-- src:user ts:2026-05-02 -->",
        "### Deep",
        "# Second title",
        "| a | b |",
        "|---|---|",
        "| decided | 1 |",
        "```",
        "<!-- x:start -->",
        "<!-- x:end -->",
        "<!-- a remark -->",
        "<!-- src:tool ts:2026-05-03 -->",
        "---",
        "> quoted",
        "[p]: plan.md",
        "- See [p] that we agreed on",
        "user: hello",
        "assistant: must not",
        "",
        "",
    ]
)


def facts(files: Mapping[str, str]) -> dict[tuple[str, ...], int]:
    """Every entry with its claim."""
    found: Counter[tuple[str, ...]] = Counter()
    for path, text in files.items():
        document = parse(text.encode())
        name = classify(path, DEFAULT)
        for entry, claim in zip(document.entries, provenances(document, file_default(path, name, DEFAULT)), strict=True):
            found[entry.kind, core_of(entry.text.replace("../../", "")), claim.src, claim.ts, claim.ttl] += 1
    return found


@settings(max_examples=200, deadline=None)
@given(
    st.lists(_LINES, min_size=12, max_size=40), st.sampled_from(["# D\n", "# D <!-- src:user ts:2026-06-01 -->\n", "", "---\na: b\n---\n"])
)
def test_nothing_is_lost_and_nothing_of_the_users_moves(lines: list[str], top: str) -> None:
    files = {LOG: top + "\n".join(lines) + "\n"}
    for day in ("2026-06-15", "2026-09-15"):
        drafts = drafts_of(files, day)
        actions = tiers(drafts, mask=stars)
        changed = texts(drafts)
        after = {path: text for path, text in {**files, **changed}.items() if text is not None}
        old, new = facts(files), facts(after)
        if not any(action.gone for action in actions):
            assert {fact: count for fact, count in old.items() if new.get(fact, 0) < count} == {}
        assert users(after.get(LOG, "")) == users(files[LOG])
        assert {fact for fact in new if fact[2] == "user"} == {fact for fact in old if fact[2] == "user"}
        named = [(action.path, action.line, action.end_line) for action in actions if action.gone]
        assert find_unaccounted(sides(files), sides(after), named) == []
        again = drafts_of(after, day)
        assert tiers(again, mask=stars) == []
        assert texts(again) == {}
        files = after
        if LOG not in files:
            break


def users(text: str) -> list[str]:
    """What is the user's in a log, headings and entries, in order."""
    document, default = parse(text.encode()), file_default(LOG, "daily", DEFAULT)
    found = list(zip([(e.line, e.text) for e in document.entries], provenances(document, default), strict=True))
    found += list(zip([(h.line, h.title) for h in document.headings], heading_provenances(document, default), strict=True))
    return [text for (_line, text), claim in sorted(found, key=lambda pair: pair[0][0]) if claim.src == "user"]


def sides(files: Mapping[str, str]) -> list[Side]:
    found: list[Side] = []
    for path, text in files.items():
        name = classify(path, DEFAULT)
        found.append(side_of(path, name, text.encode(), file_default(path, name, DEFAULT)))
    return found
