"""The page about the suite says what a run says."""

from __future__ import annotations

from tests.poison import matrix, recalling
from tests.poison.bench import Bench
from tests.poison.shapes import GATES, wanted
from tests.poison.suite import GROUPS, MUTATIONS, SHAPES

_HELD: dict[str, list[str]] = {row.id: [] for row in recalling.ROWS}


def test_the_page_is_what_a_run_gives(bench: Bench) -> None:
    # What is recalled has tests of its own, one for each attack; they fail where the page would say `missed`.
    assert matrix.render(matrix.run(bench), _HELD) == matrix.PAGE.read_text(encoding="utf-8"), "write it: python -m tests.poison.matrix"


def test_a_miss_is_listed_by_id() -> None:
    outcomes = {shape.id: dict.fromkeys(GATES, wanted(shape)) for shape in (*SHAPES, *MUTATIONS)}
    assert "- range: none." in matrix.render(outcomes, _HELD)
    assert "- range, signed: none." in matrix.render(outcomes, _HELD)
    lost = next(shape for shape in SHAPES if not shape.accepted)
    outcomes[lost.id]["range"] = "other"
    assert f"- range: {lost.id} (other)." in matrix.render(outcomes, _HELD)


def test_a_recall_that_fails_is_named() -> None:
    outcomes = {shape.id: dict.fromkeys(GATES, wanted(shape)) for shape in (*SHAPES, *MUTATIONS)}
    row = recalling.ROWS[0]
    name = next(iter(row.attacks))
    page = matrix.render(outcomes, {**_HELD, row.id: [name, recalling.TWIN]})
    assert f"| {len(row.attacks) - 1} of {len(row.attacks)} | no | {name}, twin |" in page


def test_every_shape_has_a_row_and_every_group_a_table() -> None:
    page = matrix.render({shape.id: dict.fromkeys(GATES, wanted(shape)) for shape in (*SHAPES, *MUTATIONS)}, _HELD)
    assert [shape.id for shape in SHAPES if page.count(f"| {shape.id} | {shape.title} |") != 1] == []
    assert [group for group in GROUPS if f"\n## {group}\n" not in page] == []
