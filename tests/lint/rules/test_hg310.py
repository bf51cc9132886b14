"""HG310, HG311 and HG313: how much leaves, how much comes, and what is past."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from hoard_git.core.policy import DEFAULT, Policy
from hoard_git.lint.scene import FileView, NoLookup
from tests.support.scenes import Files, change_scene, findings, view


class Memory(NoLookup):
    """What the rest of the workspace holds; counts how often it is asked."""

    def __init__(self, total: int = 0, files: Mapping[str, str] | None = None) -> None:
        self.total = total
        self.files = files or {}
        self.asked = 0

    def views_with(self, needles: Sequence[str]) -> list[FileView]:
        self.asked += 1
        return [view(path, text) for path, text in self.files.items() if any(needle in text for needle in needles)]

    def active_entries(self) -> int:
        self.asked += 1
        return self.total


def entries(first: int, stop: int) -> str:
    return "".join(f"- fact {number} of the {'abcdefghij'[number % 10]} kind\n" for number in range(first, stop))


def said(
    code: str, before: Files, after: Files, *, lookup: Memory | None = None, actor: str = "agent", policy: Policy = DEFAULT
) -> list[tuple[str, str]]:
    scene = change_scene(before, after, actor=actor, policy=policy, lookup=lookup or Memory())
    return [(finding.path, finding.message) for finding in findings(scene, code)]


def whole(lost: int, total: int, path: str = "memory/a.md") -> list[tuple[str, str]]:
    return [(path, f"{lost} of {total} entries leave the active memory, more than 25%")]


# ---------------------------------------------------------------- HG310, the whole workspace


@pytest.mark.parametrize(("stay", "found"), [(29, True), (30, False), (0, True)])
def test_more_than_a_quarter_of_the_changed_files(stay: int, found: bool) -> None:
    before, after = entries(0, 40), entries(0, stay)
    assert said("HG310", {"memory/a.md": before}, {"memory/a.md": after}) == (whole(40 - stay, 40) if found else [])


@pytest.mark.parametrize(("total", "lost"), [(39, True), (40, False), (400, False)])
def test_what_the_rest_of_the_workspace_holds_counts(total: int, lost: bool) -> None:
    memory = Memory(total)
    found = said("HG310", {"memory/a.md": entries(0, 10)}, {"memory/a.md": "# A\n"}, lookup=memory)
    assert found == (whole(10, total) if lost else [])


def test_fewer_than_ten_are_no_mass() -> None:
    memory = Memory()
    assert said("HG310", {"memory/a.md": entries(0, 9)}, {}, lookup=memory) == []
    assert memory.asked == 0


def test_a_deleted_file_counts() -> None:
    assert said("HG310", {"memory/a.md": entries(0, 12)}, {}) == whole(12, 12)


def test_entries_that_go_to_the_archive_count() -> None:
    after = {"memory/a.md": "# A\n", "memory/archive/2026-06-15.md": entries(0, 12)}
    assert said("HG310", {"memory/a.md": entries(0, 12)}, after) == whole(12, 12)


def test_entries_that_leave_the_archive_do_not() -> None:
    assert said("HG310", {"memory/archive/2026-06-15.md": entries(0, 40)}, {}) == []


def test_moves_among_active_files_do_not_count() -> None:
    assert said("HG310", {"MEMORY.md": entries(0, 40)}, {"MEMORY.md": "# M\n", "memory/a.md": "# A\n" + entries(0, 40)}) == []


def test_edits_and_reordering_do_not_count() -> None:
    lines = entries(0, 20).split("\n")[:-1]
    assert said("HG310", {"MEMORY.md": entries(0, 20)}, {"MEMORY.md": "\n".join(reversed(lines)).replace("kind", "sort")}) == []


def test_copies_whose_twin_stays_do_not_count() -> None:
    copies = "## A\n" + entries(0, 20) + "## B\n" + entries(0, 20)
    assert said("HG310", {"MEMORY.md": copies}, {"MEMORY.md": "## A\n" + entries(0, 20)}) == []
    memory = Memory(20, {"memory/b.md": entries(0, 20)})
    assert said("HG310", {"MEMORY.md": entries(0, 20)}, {"MEMORY.md": "# M\n"}, lookup=memory) == []
    archived = Memory(20, {"memory/archive/b.md": entries(0, 20)})
    assert len(said("HG310", {"MEMORY.md": entries(0, 20)}, {"MEMORY.md": "# M\n"}, lookup=archived)) == 1


def test_the_policy_says_how_much() -> None:
    before, after = {"memory/a.md": entries(0, 40)}, {"memory/a.md": entries(0, 25)}
    assert said("HG310", before, after, policy=DEFAULT._replace(max_loss=0.5)) == []
    assert said("HG310", before, after, policy=DEFAULT._replace(max_loss=0.1)) == [
        ("memory/a.md", "15 of 40 entries leave the active memory, more than 10%")
    ]


def test_a_human_may_clean_up() -> None:
    assert said("HG310", {"MEMORY.md": entries(0, 40)}, {}, actor="human") == []


# ---------------------------------------------------------------- HG310, one file


def test_the_index_is_judged_by_itself() -> None:
    assert said("HG310", {"MEMORY.md": entries(0, 40)}, {"MEMORY.md": entries(0, 20)}, lookup=Memory(1000)) == [
        ("MEMORY.md", "20 of 40 entries leave this file, more than 25%")
    ]
    assert said("HG310", {"memory/a.md": entries(0, 40)}, {"memory/a.md": entries(0, 20)}, lookup=Memory(1000)) == []


@pytest.mark.parametrize("day", ["2026-06-01", "2026-06-14"])
def test_each_daily_log_is_judged_by_itself(day: str) -> None:
    path = f"memory/{day}.md"
    found = said("HG310", {path: entries(0, 40)}, {path: entries(0, 20)}, lookup=Memory(1000))
    assert found == [(path, "20 of 40 entries leave this file, more than 25%")]


@pytest.mark.parametrize(("day", "found"), [("2026-06-07", 0), ("2026-06-08", 1), ("2026-06-14", 1)])
def test_a_log_past_its_hot_days_may_go_to_the_archive(day: str, found: int) -> None:
    path = f"memory/{day}.md"
    after = {path: entries(0, 5), "memory/archive/2026-06-15.md": entries(5, 40)}
    assert len(said("HG310", {path: entries(0, 40)}, after, lookup=Memory(1000))) == found


# ---------------------------------------------------------------- HG311

LOG = "# 2026-06-01\n- the restore test failed\n- the build was slow\n- lunch was late\n"


def past(after: str, before: str = LOG, day: str = "2026-06-01", actor: str = "agent") -> list[tuple[str, str]]:
    path = f"memory/{day}.md"
    return said("HG311", {path: before}, {path: after}, actor=actor)


EDITED, LEFT = "a past day's log was edited", "entries left a past day's log"


@pytest.mark.parametrize(
    ("after", "what"),
    [
        (LOG.replace("failed", "passed"), [(EDITED, "1 entry")]),
        (LOG.replace("- lunch was late\n", ""), [(LEFT, "1 entry")]),
        (LOG.replace("failed", "passed").replace("slow", "fast"), [(EDITED, "2 entries")]),
        (LOG.replace("failed", "passed").replace("- lunch was late\n", ""), [(EDITED, "1 entry"), (LEFT, "1 entry")]),
        ("# 2026-06-01\n", [(LEFT, "3 entries")]),
    ],
)
def test_a_past_log_that_changes(after: str, what: list[tuple[str, str]]) -> None:
    path = "memory/2026-06-01.md"
    found = findings(change_scene({path: LOG}, {path: after}), "HG311")
    assert [(f.path, f.message, f.hint.partition(";")[0]) for f in found] == [(path, *expected) for expected in what]


@pytest.mark.parametrize(
    "after",
    [
        LOG + "- added later: the disk was full\n",
        LOG.replace("\n", "\r\n"),
        LOG.replace("failed", "failed <!-- src:agent ts:2026-06-01 -->"),
        LOG,
    ],
)
def test_additions_and_tags_are_fine(after: str) -> None:
    assert past(after) == []


@pytest.mark.parametrize(("day", "found"), [("2026-06-13", 1), ("2026-06-14", 0), ("2026-06-15", 0), ("2026-07-01", 0)])
def test_yesterday_and_today_are_open(day: str, found: int) -> None:
    assert len(past(LOG.replace("failed", "passed"), day=day)) == found


def test_a_log_with_a_slug_is_a_log() -> None:
    path = "memory/2026-06-01-restore.md"
    assert len(said("HG311", {path: LOG}, {path: LOG.replace("failed", "passed")})) == 1


def test_a_deleted_log() -> None:
    assert said("HG311", {"memory/2026-06-01.md": LOG}, {}) == [("memory/2026-06-01.md", LEFT)]


def test_what_goes_to_the_archive_is_not_removed() -> None:
    assert said("HG311", {"memory/2026-06-01.md": LOG}, {"memory/archive/2026-06-01.md": LOG}) == []


def test_managed_regions_are_other_tools_business() -> None:
    region = "# 2026-06-01\n<!-- dreams:start -->\n- a staged candidate\n<!-- dreams:end -->\n- lunch was late\n"
    assert past(region.replace("- a staged candidate\n", ""), region) == []
    assert len(past(region.replace("- lunch was late\n", ""), region)) == 1


def test_a_human_may_correct_the_past() -> None:
    assert past(LOG.replace("failed", "passed"), actor="human") == []


# ---------------------------------------------------------------- HG313


def page(count: int, source: str) -> str:
    return f"## A page <!-- src:{source} ts:2026-06-15 -->\n" + entries(0, count)


@pytest.mark.parametrize("source", ["tool", "web", "dig"])
@pytest.mark.parametrize(("count", "found"), [(30, 0), (31, 1)])
def test_a_flood(source: str, count: int, found: int) -> None:
    expected = [("MEMORY.md", f"{count} new entries from tool, web and dig, more than 30")]
    assert said("HG313", {"MEMORY.md": "# M\n"}, {"MEMORY.md": "# M\n" + page(count, source)}) == expected * found


def test_sources_and_files_count_together() -> None:
    after = {"memory/a.md": page(16, "web"), "memory/b.md": page(10, "tool"), "memory/c.md": page(5, "dig")}
    assert said("HG313", {}, after) == [("memory/a.md", "31 new entries from tool, web and dig, more than 30")]


def test_the_agents_own_entries_moves_and_edits_do_not_count() -> None:
    assert said("HG313", {}, {"MEMORY.md": page(100, "agent")}) == []
    assert said("HG313", {"memory/a.md": page(100, "web")}, {"MEMORY.md": page(100, "web")}) == []
    assert said("HG313", {"MEMORY.md": page(100, "web")}, {"MEMORY.md": page(100, "web").replace("kind", "sort")}) == []


def test_the_policy_sets_the_limit() -> None:
    policy = DEFAULT._replace(low_trust_entries=0)
    assert len(said("HG313", {}, {"MEMORY.md": page(1, "web")}, policy=policy)) == 1


def test_a_human_may_import() -> None:
    assert said("HG313", {}, {"MEMORY.md": page(100, "web")}, actor="human") == []


def test_items_that_hold_nothing_do_not_count() -> None:
    empty = "- <!-- src:agent ts:2026-06-01 -->\n" * 6
    before = f"{entries(0, 9)}{empty}{entries(20, 30)}"
    assert said("HG310", {"memory/a.md": before}, {"memory/a.md": entries(20, 30)}) == []
    assert said("HG310", {"memory/a.md": entries(0, 10) + before}, {"memory/a.md": entries(20, 30)}) != []
