from __future__ import annotations

import pytest

from tests.support.scenes import change_scene, codes, findings, state_scene


@pytest.mark.parametrize(
    ("ts", "found"),
    [("2026-06-14", False), ("2026-06-15", False), ("2026-06-16", True), ("2031-01-01", True), ("9999-12-31", True), ("unknown", False)],
)
def test_days_after_the_latest(ts: str, found: bool) -> None:
    tag = f"<!-- src:web ts:{ts} -->"
    for text in (
        f"- a {tag}\n",
        f"# A {tag}\n",
        f"{tag}\ntext\n",
        f"---\nsrc: web\nts: {ts}\n---\ntext\n",
        f'---\n"ts": "{ts}"\nsrc: web\n---\ntext\n',
    ):
        expected = ["HG105"] if found else []
        assert codes(state_scene({"wiki/a.md": text}), "HG105") == expected
        assert codes(change_scene({}, {"wiki/a.md": text}), "HG105") == expected


def test_a_place_that_is_a_day_ahead_is_not_the_future() -> None:
    scene = state_scene({"MEMORY.md": "- a <!-- src:web ts:2026-06-16 -->\n"})
    assert codes(scene._replace(latest=scene.today + 1), "HG105") == []


def test_the_message_names_the_day_and_the_place() -> None:
    found = findings(state_scene({"wiki/a.md": "---\nsrc: web\nts: 2031-01-01\n---\n- a <!-- src:web ts:2032-01-01 -->\n"}), "HG105")
    assert [(f.line, f.column, f.message) for f in found] == [
        (3, 1, "ts:2031-01-01 is in the future"),
        (5, 5, "ts:2032-01-01 is in the future"),
    ]
    assert found[0].hint.endswith("ts:2026-06-15")


@pytest.mark.parametrize(
    "text",
    [
        "- From 2031-01-01 on <!-- src:web ts:2026-06-01 -->\n",
        "```\n<!-- src:web ts:2031-01-01 -->\n```\n",
        "- a `<!-- src:web ts:2031-01-01 -->`\n",
    ],
)
def test_days_in_the_text_and_in_code(text: str) -> None:
    assert codes(state_scene({"MEMORY.md": text}), "HG105") == []


def test_a_log_that_is_named_after_a_day_to_come() -> None:
    found = findings(state_scene({"memory/2026-06-17.md": "# Log\n- a\n- b\n"}), "HG105")
    assert [(f.line, f.severity) for f in found] == [(2, "error")]
    assert "count as of 2026-06-17, which is in the future" in found[0].message
    assert codes(state_scene({"memory/2026-06-15.md": "- a\n"}), "HG105") == []
    assert codes(state_scene({"memory/2026-06-17.md": "- a <!-- src:agent ts:2026-06-15 -->\n"}), "HG105") == []


def test_only_new_entries_of_such_a_log_are_judged() -> None:
    path, old = "memory/2031-01-01.md", "- a\n"
    assert codes(change_scene({path: old}, {path: f"{old}- b <!-- src:agent ts:2026-06-15 -->\n"}), "HG105") == []
    assert [f.line for f in findings(change_scene({path: old}, {path: f"{old}- b\n"}), "HG105")] == [2]
    assert [f.line for f in findings(change_scene({}, {path: old}), "HG105")] == [1]


def test_old_tags_are_not_judged() -> None:
    before = "- a <!-- src:web ts:2031-01-01 -->\n"
    assert codes(change_scene({"MEMORY.md": before}, {"MEMORY.md": before + "- b\n"}), "HG105") == []
