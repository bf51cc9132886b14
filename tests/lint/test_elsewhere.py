"""Where the words of an entry stand besides: what is looked for in unchanged files, and what counts as the same."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from hoard_git.core.units import fact_key
from hoard_git.lint.elsewhere import expected_needles, find_twins
from hoard_git.lint.scene import FileView, NoLookup
from tests.support.scenes import change_scene, view

TAG = "<!-- src:agent ts:2026-06-01 -->"
FACT = "The deploy key of the shop is K1"


class Files(NoLookup):
    """One unchanged file, and every question about it."""

    def __init__(self, text: str = "") -> None:
        self.text = text
        self.asked: list[list[str]] = []

    def views_with(self, needles: Sequence[str]) -> list[FileView]:
        self.asked.append(list(needles))
        return [view("memory/a.md", self.text)] if any(needle in self.text for needle in needles) else []


@pytest.mark.parametrize("shape", ["- {}.", "* [ ] {}", "- [x] {}", "1. **{}**"])
def test_what_will_be_looked_for_is_what_stands_in_the_file(shape: str) -> None:
    scene = change_scene({"MEMORY.md": f"# M {TAG}\n"}, {"MEMORY.md": f"# M {TAG}\n\n{shape.format(FACT)}\n- short\n"})
    assert expected_needles(scene) == [FACT]


@pytest.mark.parametrize(
    ("actor", "source", "count"), [("human", "agent", 0), ("agent", "dig", 0), ("agent", "web", 1), ("tool", "tool", 1)]
)
def test_nothing_is_looked_for_that_no_rule_asks(actor: str, source: str, count: int) -> None:
    tag = TAG.replace("agent", source)
    assert len(expected_needles(change_scene({}, {"MEMORY.md": f"# M {tag}\n\n- {FACT}\n"}, actor=actor))) == count


def test_every_place_that_states_a_fact_is_a_twin() -> None:
    lookup = Files(f"- {FACT}\n- other\n- **{FACT}.**\n")
    scene = change_scene({"MEMORY.md": f"- 12:30 {FACT}\n"}, {"MEMORY.md": "# M\n"}, lookup=lookup)
    found = find_twins(scene, {fact_key(FACT)}, [f"- {FACT}"])
    assert [(unit.path, unit.line) for unit in found[fact_key(FACT)]] == [("MEMORY.md", 1), ("memory/a.md", 1), ("memory/a.md", 3)]
    assert lookup.asked == [[FACT]]


def test_without_words_no_other_file_is_read() -> None:
    lookup = Files(FACT)
    scene = change_scene({}, {"MEMORY.md": "# M\n"}, lookup=lookup)
    assert find_twins(scene, {"x"}, ["- **", "***"]) == {}
    assert lookup.asked == []


@pytest.mark.parametrize("shape", ["- {}", "- [ ] {}", "* [x] **{}.**", "1. {}"])
def test_marks_of_lists_and_tasks_are_not_looked_for(shape: str) -> None:
    lookup = Files(FACT)
    find_twins(change_scene({}, {"MEMORY.md": "# M\n"}, lookup=lookup), {fact_key(FACT)}, [shape.format(FACT)])
    assert lookup.asked == [[FACT]]


@pytest.mark.parametrize("shape", ["- The deploy\n  key of the\n  shop is K1", "The deploy key\r\nof the shop is K1."])
def test_a_wrapped_entry_is_looked_for_as_one_line(shape: str) -> None:
    lookup = Files(FACT)
    find_twins(change_scene({}, {"MEMORY.md": "# M\n"}, lookup=lookup), {fact_key(FACT)}, [shape])
    assert lookup.asked == [[FACT]]
