"""The Memory-Removed lines: which there are, which neighbours share one, and how they are read."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hoard_git.core.accounting import Books
from hoard_git.core.units import Side
from hoard_git.core.whereabouts import MOST_LINES, Removal, escape, parse_removal, removed_line, removed_lines, unescape
from hoard_git.lint.scene import FileView
from tests.support.scenes import change_scene

PARENT = "0123456789" * 4
TAG = "<!-- src:agent ts:2026-06-05 -->"
ARCHIVE = "memory/archive/2026-12-01.md"
LOG = "memory/archive/logs/2026-01-01.md"


def lines(
    before: Mapping[str, str],
    after: Mapping[str, str],
    *,
    op: str = "write",
    parent: str | None = PARENT,
    removed: Mapping[tuple[str, int], str] | None = None,
) -> list[str]:
    scene = change_scene(before, after)
    documents = {path: view.document for path, view in scene.before.items()}
    return removed_lines(scene.changes, documents, op=op, parent=parent, removed=removed or {})


def history(path: str, first: int, last: int, name: str = "-") -> str:
    return f"{name} history {PARENT}:{path}#L{first}-L{last}"


def page(*rows: str) -> str:
    return f"# M {TAG}\n\n" + "".join(f"{row}\n" for row in rows)


@pytest.mark.parametrize(
    ("rows", "rest", "spans"),
    [
        pytest.param(["- a1", "- b2", "- c3"], [], [(3, 5)], id="side by side"),
        pytest.param(["- a1", "", "## H", "", "- b2"], [], [(3, 7)], id="blank lines and a heading between"),
        pytest.param(["- a1", "- stays", "- b2"], ["- stays"], [(3, 3), (5, 5)], id="an entry that stays between"),
        pytest.param(["- a1", "  - stays", "- b2"], ["- stays"], [(3, 3), (5, 5)], id="a sub-item that stays between"),
        pytest.param(["- stays", "- a1", "- b2", "- also"], ["- stays", "- also"], [(4, 5)], id="others around"),
        pytest.param(["- a1", "  more", "- b2"], [], [(3, 5)], id="several lines"),
        pytest.param(["| a | b |", "|---|---|", "| 1 | 2 |", "| 3 | 4 |"], [], [(3, 6)], id="a table"),
        pytest.param(["a1", "", TAG, "b2", "", "---", "", "c3"], [], [(3, 10)], id="a tag and a rule between"),
    ],
)
def test_neighbours_are_one_line(rows: list[str], rest: list[str], spans: list[tuple[int, int]]) -> None:
    assert lines({"MEMORY.md": page(*rows)}, {"MEMORY.md": page(*rest)}) == [history("MEMORY.md", *span) for span in spans]


def test_an_id_has_a_line_of_its_own_and_parts_nobody() -> None:
    rows = ["- a1", f"- b2 {TAG[:-3]}id:k3f9q2 -->", "- c3"]
    assert lines({"MEMORY.md": page(*rows)}, {}) == [history("MEMORY.md", 3, 5), history("MEMORY.md", 4, 4, "k3f9q2")]


def test_files_are_told_apart_and_sorted() -> None:
    assert lines({"memory/b.md": page("- a1"), "memory/a.md": page("- b2")}, {}) == [
        history("memory/a.md", 3, 3),
        history("memory/b.md", 3, 3),
    ]


def test_a_cold_log_is_one_line() -> None:
    before = {LOG: page(*[f"- the pump ran {number} times" for number in range(200)])}
    assert lines(before, {}, op="consolidate") == [history(LOG, 3, 202)]


def test_each_of_many_cold_logs_keeps_its_line() -> None:
    before = {f"memory/archive/logs/2026-01-{day:02d}-{part}.md": page(f"- ran {day} {part}") for day in range(1, 31) for part in "ab"}
    assert len(before) > MOST_LINES
    assert len(lines(before, {}, op="consolidate")) == 60
    assert lines(before, {}, op="write") == []


def test_too_many_lines_are_cut_to_those_that_nothing_else_proves() -> None:
    moved = [f"- fact {n} {TAG[:-3]}id:moved{n:03d} -->" for n in range(60)]
    before = {"MEMORY.md": page(*moved, "- gone for good")}
    after = {"memory/a.md": page(*moved)}
    assert lines(before, after) == [history("MEMORY.md", 63, 63)]
    assert lines(before, after, op="consolidate") == [history("MEMORY.md", 63, 63)]


def test_without_a_parent_history_cannot_be_named() -> None:
    assert lines({"MEMORY.md": page("- a1")}, {}, parent=None) == []


def test_other_words_are_named_by_upkeep_only() -> None:
    before, after = {"MEMORY.md": page("- the pump ran 7 times")}, {"MEMORY.md": page("- the pump ran 8 times")}
    assert lines(before, after) == []
    assert lines(before, after, op="consolidate") == [history("MEMORY.md", 3, 3)]
    moved = {"memory/a.md": after["MEMORY.md"]}
    assert lines(before, moved) == ["- offload memory/a.md"]
    assert lines(before, moved, op="archive") == [history("MEMORY.md", 3, 3)]


def test_a_link_for_the_new_place_is_no_other_word() -> None:
    before, after = {"MEMORY.md": page("- see [the plan](memory/plan.md)")}, {"memory/a.md": page("- see [the plan](plan.md)")}
    assert lines(before, after, op="consolidate") == ["- offload memory/a.md"]
    assert lines(before, {"memory/a.md": page("- see [the plan](plans.md)")}, op="consolidate") == [history("MEMORY.md", 3, 3)]


def test_a_stale_mark_or_tag_alone_is_no_removal() -> None:
    before = {"MEMORY.md": page("- a1")}
    stale = {"MEMORY.md": page("- a1").replace(" -->", " \u26a0\ufe0f stale -->")}
    assert lines(before, stale, op="consolidate") == []


def test_what_is_told_wins() -> None:
    before = {"MEMORY.md": page("- a1", "- b2", "- c3")}
    told = {("MEMORY.md", 4): "duplicate k3f9q2", ("MEMORY.md", 5): "history"}
    assert lines(before, {}, removed=told) == [history("MEMORY.md", 3, 5), "- duplicate k3f9q2"]
    masked = {"MEMORY.md": page("- a1", "- b2", "- c3 masked")}
    assert lines(before, masked, removed={("MEMORY.md", 5): "history"}) == [history("MEMORY.md", 5, 5)]


def test_the_older_form_is_one_line_for_each_entry() -> None:
    scene = change_scene({"MEMORY.md": page("- a1", "- b2")}, {})
    assert [line for change in scene.changes if (line := removed_line(change, PARENT))] == [history("MEMORY.md", n, n) for n in (3, 4)]
    assert [removed_line(change, None) for change in scene.changes] == ["", "", ""]


# -------------------------------------------------------------------- reading


@pytest.mark.parametrize(
    ("value", "removal"),
    [
        (f"k3f9q2 archive {ARCHIVE}", Removal("archive", "k3f9q2", ARCHIVE)),
        ("- offload memory/two%20words.md", Removal("offload", "", "memory/two words.md")),
        ("- duplicate k3f9q2", Removal("duplicate", twin="k3f9q2")),
        (f"- history {PARENT}:a%23b.md#L10-L14", Removal("history", "", "a#b.md", PARENT, (10, 14))),
        (f"- history {'a' * 64}:%FF.md#L1-L1", Removal("history", "", "\udcff.md", "a" * 64, (1, 1))),
    ],
)
def test_a_line_is_read(value: str, removal: Removal) -> None:
    assert parse_removal(value) == removal


@pytest.mark.parametrize(
    "value",
    [
        "", "-", "- archive", "- archive ", "k3 archive a.md", "- moved a.md", "- archive a b.md", "- archive a\u200bb.md", "- duplicate K3F9Q2",
        "- history a.md#L1-L1", "- history HEAD:a.md#L1-L1", f"- history {PARENT[:12]}:a.md#L1-L1", f"- history {PARENT}:a.md#L0-L1",
        f"- history {PARENT}:a.md#L2-L1", f"- history {PARENT}:a.md#L1", f"- history {PARENT}:a.md#1-2", f"- history {PARENT}:a.md#L1-L\u0661",
        f"- history {PARENT.upper().replace('0', 'A')}:a.md#L1-L1", f"- history {PARENT}:a.md#L1-L9999999999", f"-  history {PARENT}:a.md#L1-L1",
    ],
)  # fmt: skip
def test_anything_else_is_not(value: str) -> None:
    assert parse_removal(value) is None


@given(st.text().filter(lambda text: "\ud800" not in text))
def test_a_path_survives(text: str) -> None:
    path = text.encode("utf-8", "replace").decode()
    assert unescape(escape(path)) == path
    assert " " not in escape(path)


# -------------------------------------------------------------------- a law

ROWS = st.lists(
    st.sampled_from(["- one", "- two", "  - three", "", "## H", "four", f"- five {TAG[:-3]}id:aaaaaa -->", "| a |\n|---|\n| b |"]),
    max_size=9,
)


def _side(view: FileView) -> Side:
    return Side(view.path, view.file_class, view.document, view.default)


@example(
    ["## H", "- five <!-- src:agent ts:2026-06-05 id:aaaaaa -->"],
    ["- five <!-- src:agent ts:2026-06-05 id:aaaaaa -->", "four", "- five <!-- src:agent ts:2026-06-05 id:aaaaaa -->"],
)
@given(ROWS, ROWS)
def test_every_line_that_is_written_is_true_and_all_of_them_prove(old: list[str], new: list[str]) -> None:
    scene = change_scene({"MEMORY.md": page(*old)}, {"MEMORY.md": page(*new)})
    documents = {path: view.document for path, view in scene.before.items()}
    books = Books(map(_side, scene.before.values()), map(_side, scene.files), lines_at=None)
    named = []
    for value in removed_lines(scene.changes, documents, op="consolidate", parent=PARENT, removed={}):
        problem, places = books.judge(value)
        assert problem == "", value
        named += places
    assert books.unaccounted(named) == []
