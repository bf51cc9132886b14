from __future__ import annotations

import pytest

from tests.support.scenes import change_scene, codes, findings, state_scene


def messages(text: str) -> list[str]:
    return [finding.message for finding in findings(state_scene({"MEMORY.md": text}), "HG104")]


def test_keys_are_named() -> None:
    assert messages("- a <!-- src:web ts:2026-06-01 trust:verified -->\n") == ["the tag's key trust gives no trust and no limit"]
    assert messages("## A <!-- src:web x:1 ts:2026-06-01 y:2 -->\n") == ["the tag's keys x, y give no trust and no limit"]


def test_values_and_long_keys_are_not_repeated() -> None:
    found = messages(f"- a <!-- src:web ts:2026-06-01 note:swordfish {'k' * 60}:1 -->\n")
    assert found == ["the tag's keys note, one of 60 characters give no trust and no limit"]


@pytest.mark.parametrize(
    "text",
    [
        "- a <!-- src:web ts:2026-06-01 ttl:30d id:k3f9q2 ev:x -->\n",
        "- a <!-- trust:high -->\n",
        "```\n<!-- src:web ts:2026-06-01 x:1 -->\n```\n",
    ],
)
def test_own_keys_and_other_comments(text: str) -> None:
    assert messages(text) == []


def test_old_keys_are_not_judged() -> None:
    before = "- a <!-- src:web ts:2026-06-01 x:1 -->\n"
    assert codes(change_scene({"MEMORY.md": before}, {"MEMORY.md": before + "- b\n"}), "HG104") == []
