from __future__ import annotations

import pytest

from tests.support.scenes import change_scene, findings, state_scene


def lines(text: str) -> list[int]:
    return [finding.line for finding in findings(state_scene({"MEMORY.md": text}), "HG114")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("> ## A\n", [1]),
        ("- # A\n", [1]),
        ("- a\n\n  ## B\n", [3]),
        ("> x\n> # A\n> # B\n", [2, 3]),
        ("1. ### A\n", [1]),
        (">> # A\n", [1]),
    ],
)
def test_headings_that_are_text(text: str, expected: list[int]) -> None:
    assert lines(text) == expected


@pytest.mark.parametrize(
    "text", ["# A\n## B\n", "- #tag\n", "> #tag\n", "- a # b\n", "```\n> # A\n```\n", "> quote\n\n# A\n", "- a\n\n# A\n"]
)
def test_headings_and_what_is_none(text: str) -> None:
    assert lines(text) == []


def test_old_ones_are_not_judged() -> None:
    before = "> # A\n"
    found = findings(change_scene({"MEMORY.md": before}, {"MEMORY.md": before + "\n- # B\n"}), "HG114")
    assert [(f.severity, f.line) for f in found] == [("warn", 3)]
