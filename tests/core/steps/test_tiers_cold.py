"""The tiers step: from warm to cold, and packing."""

from __future__ import annotations

import gzip
from collections.abc import Mapping

import pytest

from hoard_git.core.drafts import Drafts, Kept
from hoard_git.core.files import classify, file_default
from hoard_git.core.policy import DEFAULT, Policy
from hoard_git.core.steps.tiers import tiers
from hoard_git.core.unwrap import unwrap
from tests.core.steps.logs import FULL, KEPT, LOG, NOTE, ORIGINAL, PACKING, TAG, archived, plain, run, stars
from tests.support.upkeep import day_number, drafts_of, kept_files, texts


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
    assert actions[1].reason == "91 days old, past 90 days: its key lines are the ones in the archive, where personal data is masked"


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


def test_an_original_turns_cold_when_its_log_holds_nothing_but_the_users() -> None:
    warm = run({LOG: FULL})[2]
    warm[LOG] = "# 2026-06-01 Diary\n\n- Be brief <!-- src:user ts:2026-06-01 -->\n"
    actions, changed, after = run(warm, "2026-09-15")
    assert [(a.kind, a.path, a.gone) for a in actions] == [("cold", ORIGINAL, True)]
    assert "- We decided" in (changed[ORIGINAL] or "") and "Washed" not in (changed[ORIGINAL] or "")
    assert after[LOG] == warm[LOG]
    assert run(after, "2026-10-16")[:2] == ([], {})


def test_a_log_that_no_archive_file_could_hold_is_left_alone_and_named() -> None:
    """The rule between the two belongs to no entry and does not go along; without it the second line would be part of the item."""
    drafts = drafts_of({"memory/2026-07-05.md": "- a\n  <!-- x:end -->\n---\n  text\n"}, "2026-11-30")
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


# -------------------------------------------------------------------- packed originals


def with_packed(files: Mapping[str, str], day: str, policy: Policy = DEFAULT, *, whole: bool = True) -> Drafts:
    """Drafts of these files and of the packed original."""
    data = gzip.compress(archived(FULL).encode(), mtime=0)
    kept = [*kept_files(files, policy), Kept(ORIGINAL + ".gz", "archive", data if whole else data[:-9], None)]
    return Drafts(kept, policy, day_number(day))


def test_a_packed_original_turns_cold_with_its_log() -> None:
    drafts = with_packed({LOG: KEPT}, "2026-09-15")
    actions = tiers(drafts, mask=stars)
    changed = texts(drafts)
    assert [action.kind for action in actions] == ["cold", "cold"]
    assert (changed[LOG], changed[ORIGINAL + ".gz"]) == (None, None)
    assert "[EMAIL-1a2b]" in (changed[ORIGINAL] or "")
    assert "printer" not in (changed[ORIGINAL] or "")


def test_a_packed_original_whose_log_is_gone_turns_cold_too() -> None:
    drafts = with_packed({}, "2026-09-15")
    (action,) = tiers(drafts, mask=stars)
    changed = texts(drafts)
    assert (action.kind, action.path, changed[ORIGINAL + ".gz"]) == ("cold", ORIGINAL + ".gz", None)
    assert action.to == ORIGINAL
    assert "- Fixed the import of old mails, the cause was a full disk" in (changed[ORIGINAL] or "")
    early = with_packed({}, "2026-08-01")
    assert tiers(early, mask=stars) == []


def test_a_packed_original_that_stays_is_packed_still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoard_git.core.steps.tiers.leave", lambda *_args, **_named: None)
    for files in (dict[str, str](), {LOG: KEPT}):
        drafts = with_packed(files, "2026-09-15")
        assert tiers(drafts, mask=stars) == []
        assert drafts.edits() == {}
        assert "could not be split" in drafts.notes[0]


def test_a_packed_original_that_is_damaged_is_left_alone_and_named() -> None:
    drafts = with_packed({}, "2026-09-15", whole=False)
    assert tiers(drafts, mask=stars) == []
    assert drafts.edits() == {}
    assert drafts.notes == [f"'{ORIGINAL}.gz' cannot be unpacked, so it is left as it is."]


def test_a_packed_log_outside_of_the_archive_is_named() -> None:
    kept = [Kept(LOG + ".gz", "other", gzip.compress(FULL.encode(), mtime=0), None)]
    drafts = Drafts(kept, DEFAULT, day_number("2026-09-15"))
    assert tiers(drafts, mask=stars) == []
    assert "lies outside of the archive, so it is left as it is: gunzip it" in drafts.notes[0]


def test_something_on_the_way_to_the_archive_is_named() -> None:
    kept = kept_files({LOG: FULL})
    drafts = Drafts(kept, DEFAULT, day_number("2026-09-15"), taken=["memory/archive"])
    assert tiers(drafts, mask=stars) == []
    assert drafts.notes == [f"{ORIGINAL!r} cannot be made, so {LOG!r} stays as it is: something else lies there or on the way."]


# -------------------------------------------------------------------- a cold log that came back
@pytest.mark.parametrize(
    "log", [FULL, KEPT, "# D\n\n- Nothing much\n- Had tea\n", "- Nothing much\n", "## A\n\n- Done\n\n## B\n\n- Done\n"]
)
def test_a_cold_log_that_came_back_stands_once_in_the_archive(log: str) -> None:
    cold = run({LOG: log}, "2026-09-15")[2]
    actions, changed, after = run({**cold, LOG: log}, "2026-10-15")
    assert changed == {LOG: None}
    assert [(a.kind, a.path, a.to, a.gone) for a in actions] == [("cold", LOG, ORIGINAL, True)]
    assert run(after, "2026-10-16")[:2] == ([], {})


def test_what_a_log_says_when_it_came_back_is_told() -> None:
    cold = run({LOG: FULL}, "2026-09-15")[2]
    (action,) = run({**cold, LOG: FULL}, "2026-10-15")[0]
    assert action.reason == "136 days old, past 90 days: 3 of 12 entries stay in the archive (where all stand already), 9 only in history"


def test_new_lines_of_a_log_that_came_back_are_added_alone() -> None:
    cold = run({LOG: FULL}, "2026-09-15")[2]
    more = (
        FULL.replace("- Drank tea", "- We decided to buy a kettle\n- Drank tea") + "\n## Night\n\n- Fixed the roof, the cause was a storm\n"
    )
    actions, changed, _after = run({**cold, LOG: more}, "2026-10-15")
    late = "\n## Afternoon\n\n- We decided to buy a kettle\n\n## Night\n\n- Fixed the roof, the cause was a storm\n"
    assert changed == {LOG: None, ORIGINAL: cold[ORIGINAL] + late}
    assert "5 of 14 entries stay in the archive (where 3 stand already), 9 only in history" in actions[0].reason


def test_a_fact_counts_as_often_as_it_stands_and_under_its_heading() -> None:
    cold = run({LOG: "# D\n\n## A\n\n- Done\n"}, "2026-09-15")[2]
    changed = run({**cold, LOG: "# D\n\n## A\n\n- Done\n- Done\n\n## B\n\n- Done\n"}, "2026-10-15")[1]
    assert changed == {LOG: None, ORIGINAL: cold[ORIGINAL] + "\n## A\n\n- Done\n\n## B\n\n- Done\n"}


def test_the_users_lines_of_a_log_that_came_back_stay() -> None:
    mine = "- Tea is at four <!-- src:user ts:2026-06-01 -->\n"
    cold = run({LOG: FULL}, "2026-09-15")[2]
    changed = run({**cold, LOG: FULL + mine}, "2026-10-15")[1]
    assert changed == {LOG: f"# 2026-06-01 Diary\n\n## Evening\n\n{mine}"}


def test_a_packed_rest_stays_packed_when_its_log_comes_back() -> None:
    cold = run({LOG: FULL}, "2026-09-15")[2]
    rest = cold.pop(ORIGINAL)
    files = [*kept_files({LOG: FULL}), Kept(ORIGINAL + ".gz", "other", gzip.compress(rest.encode(), mtime=0))]
    drafts = Drafts(files, PACKING, day_number("2026-10-15"))
    actions = tiers(drafts, mask=stars)
    assert drafts.edits() == {LOG: None}
    assert [(a.kind, a.path, a.gone) for a in actions] == [("cold", LOG, True)]
