from __future__ import annotations

import pytest

from tests.support.scenes import change_scene, codes, findings, state_scene

UNDATED = "<!-- src:agent ts:unknown -->"


@pytest.mark.parametrize(
    "text", [f"- a {UNDATED}\n", f"## A {UNDATED}\n- a\n", f"{UNDATED}\ntext\n", "---\nsrc: agent\nts: unknown\n---\ntext\n"]
)
@pytest.mark.parametrize("path", ["MEMORY.md", "memory/a.md"])
def test_undated_tags(text: str, path: str) -> None:
    assert codes(state_scene({path: text}), "HG113") == ["HG113"]


@pytest.mark.parametrize("path", ["memory/archive/2026-06-01.md", "memory/2026-06-01.md", "SOUL.md", "wiki/a.md"])
def test_other_classes(path: str) -> None:
    assert codes(state_scene({path: f"- a {UNDATED}\n"}), "HG113") == []


@pytest.mark.parametrize("text", ["- a <!-- src:agent ts:2026-06-01 -->\n", "- the date is unknown\n", f"- `{UNDATED}`\n", "- a\n"])
def test_what_is_dated_or_untagged(text: str) -> None:
    assert codes(state_scene({"MEMORY.md": text}), "HG113") == []


def test_many_become_one() -> None:
    assert len(findings(state_scene({"MEMORY.md": f"- a {UNDATED}\n" * 5}), "HG113")) == 5
    found = findings(state_scene({"MEMORY.md": f"- a {UNDATED}\n" * 6}), "HG113")
    assert [(f.line, f.message) for f in found] == [(1, "the tag gives no day, and 5 more in this file give none")]


def test_old_tags_are_neither_judged_nor_counted() -> None:
    before = f"- a {UNDATED}\n" * 9
    assert codes(change_scene({"MEMORY.md": before}, {"MEMORY.md": before + "- b\n"}), "HG113") == []
    found = findings(change_scene({"MEMORY.md": before}, {"MEMORY.md": before + f"- b {UNDATED}\n"}), "HG113")
    assert [(f.line, f.message) for f in found] == [(10, "the tag gives no day")]
