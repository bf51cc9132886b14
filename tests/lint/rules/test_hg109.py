from __future__ import annotations

import pytest

from tests.support.scenes import change_scene, findings, state_scene

CONFLICT = "<<<<<<< HEAD\n- a\n||||||| base\n- b\n=======\n- c\n>>>>>>> laptop\n"


def lines(text: str) -> list[int]:
    return [finding.line for finding in findings(state_scene({"MEMORY.md": text}), "HG109")]


def test_a_whole_conflict() -> None:
    assert lines(CONFLICT) == [1, 3, 5, 7]
    assert lines(CONFLICT.replace("\n", "\r\n")) == [1, 3, 5, 7]
    assert lines(CONFLICT.replace("||||||| base\n- b\n", "")) == [1, 3, 5]


@pytest.mark.parametrize(
    "text", ["<<<<<<< HEAD\n", "<<<<<<<\n", "||||||| base\n", ">>>>>>> laptop\n", ">>>>>>>\n", "- a\n>>>>>>> laptop\n- b\n"]
)
def test_a_marker_that_was_overlooked(text: str) -> None:
    assert len(lines(text)) == 1


def test_an_open_conflict_counts_its_middle() -> None:
    assert lines("<<<<<<< HEAD\n- a\n=======\n- b\n") == [1, 3]
    assert lines("- a\n=======\n- b\n>>>>>>> laptop\n") == [4]


@pytest.mark.parametrize(
    "text",
    [
        "Title\n=======\n",
        "=======\n",
        "<<<<<< six\n",
        "<<<<<<<< eight\n",
        "<<<<<<<HEAD\n",
        " <<<<<<< indented\n",
        "- <<<<<<< in an item\n",
        "> > > quote\n",
        ">>>>>>> seven times\n>>>>>>> quoted mail\n",
        ">>>>>> six\n>>>>>>> seven\n",
        "| a | b |\n|---|---|\n|||||||\n",
        "`<<<<<<< HEAD`\n",
    ],
)
def test_lines_that_only_look_alike(text: str) -> None:
    assert lines(text) == []


@pytest.mark.parametrize("fence", ["```", "~~~~", "    "])
def test_code_shows_conflicts(fence: str) -> None:
    text = CONFLICT.replace("\n", "\n    ").join(["    ", "\n"]) if fence == "    " else f"{fence}\n{CONFLICT}{fence}\n"
    assert lines(text) == []


def test_with_a_whole_conflict_outside_those_in_code_count_too() -> None:
    assert lines(f"{CONFLICT}\n```\n{CONFLICT}```\n") == [1, 3, 5, 7, 10, 12, 14, 16]
    assert lines(f">>>>>>> laptop\n\n```\n{CONFLICT}```\n") == [1]


def test_old_markers_are_not_judged() -> None:
    scene = change_scene({"MEMORY.md": CONFLICT}, {"MEMORY.md": CONFLICT + "- d\n"})
    assert findings(scene, "HG109") == []
    added = change_scene({"MEMORY.md": "- a\n- c\n"}, {"MEMORY.md": "<<<<<<< HEAD\n- a\n=======\n- c\n>>>>>>> laptop\n"})
    assert [f.line for f in findings(added, "HG109")] == [1, 3, 5]
