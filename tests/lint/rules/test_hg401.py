from __future__ import annotations

import pytest

from hoard_git.core.policy import Policy
from tests.support.content import FIRST, changed, severities
from tests.support.scenes import change_scene, codes, findings, state_scene


@pytest.mark.parametrize(
    "char", ["\u200b", "\u2060", "\x1b", "\u3164", "\u2800", "\u2028", "\x0b", "\U000e0068", "\ufe00", "\ufeff", "\x7f"]
)
@pytest.mark.parametrize("text", ["- pa{}ss", "    code {}", "```\n{}\n```", "| a{} | b |\n|---|---|", "> {}quote", "<!-- {} -->"])
def test_hidden_in_every_structure(char: str, text: str) -> None:
    assert severities(changed("HG401", text.format(char))) == ["error"]


def test_a_nul_is_left_to_the_rule_about_encoding_where_that_looks() -> None:
    text = "- pa\x00ss <!-- src:agent ts:2026-06-01 -->\n"
    assert codes(state_scene({"MEMORY.md": text}), "HG108", "HG401") == ["HG108"]
    assert codes(state_scene({"MEMORY.md": text}, policy=Policy(rules=(("HG108", "off"),))), "HG108", "HG401") == ["HG401"]
    assert codes(state_scene({"memory/notes.txt": text}), "HG108", "HG401") == ["HG401"]


def test_utf_16_in_a_page_is_one_finding_and_not_one_for_each_line() -> None:
    page = "# Log\n" + "\n".join("\0".join(f"- caf\x1a \x08 {number} \ue123") for number in range(5)) + "\n"
    for scene in (state_scene({"MEMORY.md": page}), change_scene({}, {"MEMORY.md": page})):
        assert codes(scene, "HG108", "HG401") == ["HG108"]
    hidden = "- a fact with \u200b hidden \0 signs <!-- src:agent ts:2026-06-01 -->\n"
    assert codes(change_scene({}, {"MEMORY.md": hidden}), "HG108", "HG401") == ["HG108", "HG401"]


def test_markers_are_markdowns() -> None:
    assert codes(change_scene({}, {"memory/book.txt": " \u00a0* A footnote\n"}), "HG401") == []
    assert codes(change_scene({}, {"memory/deep/book.md": "\u00a0* A footnote\n"}), "HG401") == ["HG401"]


def test_a_file_as_it_stands_is_one_finding_of_each_kind() -> None:
    text = "- a\u200bb\n- c\u200bd\u200b\n- e\ue000f\n"
    found = findings(state_scene({"MEMORY.md": text}), "HG401")
    assert [(f.line, f.severity, f.message) for f in found] == [
        (1, "error", "U+200B ZERO WIDTH SPACE, and 2 more in this file"),
        (3, "warn", "U+E000 PRIVATE USE"),
    ]
    assert [f.line for f in findings(change_scene({}, {"MEMORY.md": text}), "HG401")] == [1, 2, 3]


def test_an_exception_for_one_line_excuses_no_other() -> None:
    allow = '<!-- hoard:allow HG401 reason="a sample" -->'
    found = findings(state_scene({"MEMORY.md": f"# M\n- a\u200bb {allow}\n- c\u200bd\n- e\u200bf\n"}), "HG401")
    assert [(f.line, f.severity) for f in found] == [(2, "warn"), (3, "error")]


def test_the_place_and_the_name_are_told_and_the_character_is_not_printed() -> None:
    (found,) = changed("HG401", "- pass\u200bword")
    assert (found.line, found.column, found.message) == (FIRST, 7, "U+200B ZERO WIDTH SPACE")
    assert found.message.isascii()


def test_many_on_one_line_are_one_finding_of_each_severity() -> None:
    assert severities(changed("HG401", "- a\u200bb\u200bc \u200c \ue000")) == ["error", "warn"]


@pytest.mark.parametrize(
    "text", ["- \u26a0\ufe0f careful", "- 5\u00a0kg", "- \u4e2d\u6587\u3000\u5b57", "- plain\ttext\r", "- \u0645\u06cc\u200c\u062e"]
)
def test_what_real_files_hold(text: str) -> None:
    assert changed("HG401", text) == []


@pytest.mark.parametrize(("text", "severity"), [("-\u00a0item", "error"), ("##\u00a0Title", "error"), ("1.\u00a0item", "warn")])
def test_a_blank_next_to_a_marker(text: str, severity: str) -> None:
    assert severities(changed("HG401", text)) == [severity]


def test_the_same_blank_in_code_is_data() -> None:
    assert changed("HG401", "```\n#\u00a0x\n```") == []


def test_a_pile_of_marks() -> None:
    (found,) = changed("HG401", "- n" + "\u0335" * 6)
    assert found.message == "a pile of combining marks"


def test_only_new_lines_are_judged() -> None:
    before = {"MEMORY.md": "- old\u200b\n- other\n"}
    assert codes(change_scene(before, {"MEMORY.md": "- old\u200b\n- other\n- new\n"}), "HG401") == []


def test_files_of_no_class_are_judged_too() -> None:
    assert severities(changed("HG401", "x\u200by", path="memory/deep/notes.md")) == ["error"]
