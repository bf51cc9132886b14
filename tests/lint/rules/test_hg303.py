"""HG303: a tool writes no memory."""

from __future__ import annotations

import pytest

from tests.support.scenes import change_scene, findings


@pytest.mark.parametrize(
    "path", ["MEMORY.md", "memory/a.md", "memory/2026-06-15.md", "memory/archive/x.md", "wiki/a.md", "SOUL.md", "HEARTBEAT.md"]
)
def test_a_tool_writes_no_file_of_any_class(path: str) -> None:
    for before, after, said in (({}, {path: "a\n"}, "writes"), ({path: "a\n"}, {path: "b\n"}, "writes"), ({path: "a\n"}, {}, "deletes")):
        found = findings(change_scene(before, after, actor="tool"), "HG303")
        assert [(f.path, f.message) for f in found] == [(path, f"a tool {said} memory")]


def test_one_finding_a_file() -> None:
    files = {"MEMORY.md": "- a\n- b\n- c\n", "memory/a.md": "- d\n"}
    assert [f.path for f in findings(change_scene({}, files, actor="tool"), "HG303")] == ["MEMORY.md", "memory/a.md"]


@pytest.mark.parametrize("path", ["src/main.py", "memory/state.json", "README.md"])
def test_what_is_no_memory_is_free(path: str) -> None:
    assert findings(change_scene({}, {path: "a\n"}, actor="tool"), "HG303") == []


@pytest.mark.parametrize("actor", ["agent", "human"])
def test_others_may_write(actor: str) -> None:
    assert findings(change_scene({}, {"MEMORY.md": "- a\n"}, actor=actor), "HG303") == []
