"""HG311 and the archive: what left a past log and stands in the archive word for word is no loss."""

from __future__ import annotations

import pytest

from tests.support.scenes import change_scene, findings

LOG, ORIGINAL = "memory/2026-06-01.md", "memory/archive/logs/2026-06-01.md"
TAG = "<!-- src:agent ts:2026-06-01 -->"
BEFORE = "# D\n\n- The restore test failed\n- We decided to rent a second disk\n"
AFTER = "# D\n\n- We decided to rent a second disk\n"


def said(before: dict[str, str], after: dict[str, str]) -> list[tuple[str, str]]:
    return [(finding.message, finding.hint.split(";")[0]) for finding in findings(change_scene(before, after), "HG311")]


LEFT = [("entries left a past day's log", "1 entry")]


def test_without_the_archive_it_is_reported() -> None:
    assert said({LOG: BEFORE}, {LOG: AFTER}) == LEFT


@pytest.mark.parametrize("path", [ORIGINAL, "memory/archive/2026-06-15.md"])
def test_word_for_word_in_the_archive_it_is_not(path: str) -> None:
    original = BEFORE.replace("# D", f"# D  {TAG}")
    assert said({LOG: BEFORE}, {LOG: AFTER, path: original}) == []
    assert said({LOG: BEFORE}, {path: original}) == []


@pytest.mark.parametrize("words", ["The restore test passed", "The restore test failed twice", "the restore test failed", ""])
def test_other_words_in_the_archive_do_not_count(words: str) -> None:
    assert said({LOG: BEFORE}, {LOG: AFTER, ORIGINAL: f"# D  {TAG}\n\n- {words}\n"}) == LEFT


def test_a_move_into_a_topic_file_is_no_loss_either() -> None:
    topic = f"# T {TAG}\n\n- The restore test failed\n"
    assert said({LOG: BEFORE}, {LOG: AFTER, "memory/topic.md": topic}) == []
    assert said({LOG: BEFORE}, {LOG: AFTER, "memory/topic.md": topic.replace("failed", "failed again")}) == LEFT


def test_an_edit_with_the_old_words_nowhere_is_an_edit() -> None:
    edited = BEFORE.replace("second disk", "third disk")
    assert said({LOG: BEFORE}, {LOG: edited}) == [("a past day's log was edited", "1 entry")]
    original = f"# D  {TAG}\n\n- The restore test failed\n"
    assert said({LOG: BEFORE}, {LOG: edited, ORIGINAL: original}) == [("a past day's log was edited", "1 entry")]


def test_links_may_be_written_for_the_other_folder() -> None:
    before = BEFORE + "- See [the plan](plan.md)\n"
    original = before.replace("# D", f"# D  {TAG}").replace("(plan.md)", "(../../plan.md)")
    assert said({LOG: before}, {LOG: AFTER, ORIGINAL: original}) == []
    assert said({LOG: before}, {LOG: AFTER, ORIGINAL: original.replace("../../plan.md", "../../other.md")}) == LEFT


def test_a_warm_log_that_turns_cold_is_no_news_and_a_masked_line_none_either() -> None:
    original = BEFORE.replace("# D", f"# D  {TAG}")
    cold = f"# D  {TAG}\n\n- We decided to rent a [MASKED] disk\n"
    assert said({LOG: AFTER, ORIGINAL: original}, {ORIGINAL: cold}) == []


def test_crlf_is_no_difference() -> None:
    original = BEFORE.replace("# D", f"# D  {TAG}")
    assert said({LOG: BEFORE.replace("\n", "\r\n")}, {LOG: AFTER.replace("\n", "\r\n"), ORIGINAL: original}) == []


def test_an_open_log_and_a_managed_region_are_not_looked_at() -> None:
    assert said({"memory/2026-06-14.md": BEFORE}, {"memory/2026-06-14.md": AFTER}) == []
    region = "# D\n\n<!-- x:start -->\n- The restore test failed\n<!-- x:end -->\n"
    assert said({LOG: region}, {LOG: region.replace("- The restore test failed\n", "")}) == []


OLD, OLD_ORIGINAL = "memory/2026-01-05.md", "memory/archive/logs/2026-01-05.md"
OLD_TAG = "<!-- src:agent ts:2026-01-05 -->"


def test_a_log_past_its_warm_days_that_turns_cold_is_no_news() -> None:
    cold = f"# D  {OLD_TAG}\n\n- We decided to rent a second disk\n"
    assert said({OLD: BEFORE}, {OLD_ORIGINAL: cold}) == []
    assert said({OLD: BEFORE}, {OLD_ORIGINAL: cold.replace("second", "[MASKED]")}) == []
    assert said({OLD: BEFORE}, {OLD: AFTER, "memory/archive/2026-06-15.md": cold.replace("We decided", "They")}) == LEFT
    assert said({OLD: BEFORE}, {OLD: AFTER, "memory/archive/logs/2026-01-06.md": cold}) == LEFT
    assert said({LOG: BEFORE}, {ORIGINAL: cold}) == LEFT


def test_the_same_lines_in_two_logs_are_each_in_their_own_original() -> None:
    original = BEFORE.replace("# D", f"# D  {TAG}")
    other = "memory/2026-06-02.md"
    after = {ORIGINAL: original, "memory/archive/logs/2026-06-02.md": original.replace("06-01", "06-02")}
    assert said({LOG: BEFORE, other: BEFORE}, after) == []
    assert findings(change_scene({LOG: BEFORE, other: BEFORE}, after), "HG306") == []


def test_a_line_written_anew_is_an_edit_unless_its_log_is_archived_whole() -> None:
    merged = {LOG: "# D\n\n- The restore test failed, so we decided to rent a second disk\n"}
    assert said({LOG: BEFORE}, merged)
    assert said({LOG: BEFORE}, {**merged, ORIGINAL: BEFORE.replace("# D", f"# D  {TAG}")}) == []
