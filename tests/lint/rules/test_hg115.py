from __future__ import annotations

import pytest

from tests.support.scenes import change_scene, findings, state_scene

TAG = "<!-- src:agent ts:2026-06-01 -->"


def lines(text: str, path: str = "MEMORY.md") -> list[int]:
    return [finding.line for finding in findings(state_scene({path: text}), "HG115")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# M\n## A\n- a\n## A\n", [4]),
        ("## A\n## B\n## A\n## A\n", [3]),
        ("## Old nodes\n## old Nodes!\n", [2]),
        (f"## A {TAG}\n## A <!-- src:agent ts:2026-06-09 -->\n", [2]),
        ("## 2026-06-01 Notes\n## 2026-06-01 Notes\n", [2]),
        ("## \u4e1c\u4eac\n## \u4e1c\u4eac\n", [2]),
        ("A\n===\nA\n===\n", [3]),
    ],
)
def test_repeated_headings(text: str, expected: list[int]) -> None:
    assert lines(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "# M\n## A\n## B\n",
        "## A\n### X\n## B\n### X\n",
        "## A\n### A\n",
        "## 2026-06-01 Notes\n## 2026-06-02 Notes\n",
        f"## 2026-06-01 Notes {TAG}\n## 2026-06-01 Notes <!-- src:tool ts:2026-06-01 -->\n",
        "## A\n```\n## A\n```\n",
        "##\n##\n",
    ],
)
def test_headings_that_differ(text: str) -> None:
    assert lines(text) == []


def test_in_a_daily_log_the_words_have_to_be_the_same() -> None:
    log = "memory/2026-06-15.md"
    assert lines("## Done\n## done\n", log) == []
    assert lines("## Done\n## Done\n", log) == [2]
    assert lines("## 09:00\n### Done\n## 10:00\n### Done\n", log) == []


def test_only_a_repetition_that_the_change_adds_is_judged() -> None:
    before = "## A\n- a\n## A\n"
    assert findings(change_scene({"MEMORY.md": before}, {"MEMORY.md": before + "- b\n"}), "HG115") == []
    found = findings(change_scene({"MEMORY.md": before}, {"MEMORY.md": before + "## B\n## B\n"}), "HG115")
    assert [(f.severity, f.line, f.message) for f in found] == [("info", 5, "the heading repeats the one on line 4")]


def test_many_become_one() -> None:
    assert lines("## A\n" * 6) == [2]
    found = findings(state_scene({"MEMORY.md": "## A\n" * 7}), "HG115")
    assert [(f.line, f.message) for f in found] == [(2, "the heading repeats the one on line 1, and 5 more in this file repeat others")]
