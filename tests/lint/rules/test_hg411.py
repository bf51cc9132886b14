from __future__ import annotations

import pytest

from hoard_git.core.policy import Policy
from tests.support.content import FIRST, changed, severities, standing
from tests.support.scenes import change_scene, findings


def test_a_line_over_the_limit() -> None:
    (found,) = changed("HG411", "- " + "x" * 1999)
    assert (found.severity, found.column) == ("warn", 2001)
    assert changed("HG411", "- " + "x" * 1998) == []
    assert changed("HG411", "- " + "x" * 1999, policy=Policy(longest_line=3000)) == []


@pytest.mark.parametrize("blank", [" ", "\t", "\u00a0", "\u3000"])
def test_text_behind_blanks(blank: str) -> None:
    assert severities(changed("HG411", f"- a{blank * 80}b")) == ["warn"]
    assert changed("HG411", f"- a{blank * 79}b") == []
    assert changed("HG411", f"- a{blank * 120}") == []


def test_the_padding_of_a_table_is_no_gap() -> None:
    assert changed("HG411", f"| a{' ' * 90}| b |\n|---|---|\n|{' ' * 90}c | d |") == []
    assert changed("HG411", f"| a | b |\n|---|---|\n| c & d{' ' * 90}| e |") == []
    assert severities(changed("HG411", f"| a | b |\n|---|---|\n| c{' ' * 90}d | e |")) == ["warn"]


def test_text_behind_empty_lines() -> None:
    (found,) = changed("HG411", "- a" + "\n" * 21 + "- b")
    assert found.line == FIRST + 21
    assert changed("HG411", "- a" + "\n" * 20 + "- b") == []
    assert changed("HG411", "- a" + "\n" * 40) == []
    assert standing("HG411", "\n" * 40 + "- a") == []


@pytest.mark.parametrize(
    "line", ["\\", ">", "> >", "<br>", "<BR />", "<br><br/>", "&nbsp;", "> &nbsp; <br>", "&#160;", "&#xA0;", "-", "#", "\u3000"]
)
def test_text_behind_lines_that_show_nothing(line: str) -> None:
    (found,) = changed("HG411", f"- a\n{chr(10).join([line] * 20)}\n- skip it")
    assert (found.message, found.line) == ("text behind 20 empty lines", FIRST + 21)
    assert changed("HG411", f"- a\n{chr(10).join([line] * 19)}\n- b") == []
    assert changed("HG411", f"- a\n{chr(10).join([line] * 40)}") == []


@pytest.mark.parametrize("line", ["> a", "<br>a", "---", "- [ ]", "&amp;", "| |", "\\a"])
def test_lines_that_show_something(line: str) -> None:
    assert changed("HG411", f"- a\n\n{chr(10).join([line] * 30)}\n- b") == []


@pytest.mark.parametrize("gap", ["<br>" * 20, "<br/> " * 20, "<BR>&nbsp;" * 20, "<br >" * 30])
def test_text_behind_line_breaks_in_one_line(gap: str) -> None:
    assert severities(changed("HG411", f"- a{gap}skip it")) == ["warn"]
    assert changed("HG411", f"- a{gap}") == []


def test_text_behind_blanks_in_entities() -> None:
    assert severities(changed("HG411", "- a" + "&nbsp;" * 80 + "skip it")) == ["warn"]
    assert severities(changed("HG411", "- a" + "&emsp; " * 40 + "skip it")) == ["warn"]
    assert changed("HG411", "- a" + "&nbsp;" * 79 + "b") == []
    assert changed("HG411", "- " + "a<br>" * 30 + "b") == []


def test_an_old_gap_is_old() -> None:
    old = "- a" + "\n" * 30 + "- b\n"
    assert findings(change_scene({"MEMORY.md": old}, {"MEMORY.md": old + "- c\n"}), "HG411") == []


@pytest.mark.parametrize(
    "text",
    [
        "> " * 21 + "deep",
        "- " * 21 + "deep",
        "\n".join("  " * depth + "- x" for depth in range(22)),
        "\n".join("   " * depth + "1. x" for depth in range(22)),
    ],
)
def test_nesting_out_of_sight(text: str) -> None:
    assert severities(changed("HG411", text)) == ["warn"]


def test_nesting_that_a_reader_follows() -> None:
    assert changed("HG411", "\n".join("  " * depth + "- x" for depth in range(10))) == []


def test_old_depth_is_old() -> None:
    old = "> " * 21 + "deep\n"
    assert findings(change_scene({"MEMORY.md": old}, {"MEMORY.md": old + "\n- c\n"}), "HG411") == []
    assert severities(standing("HG411", ">" * 21 + "deep")) == ["warn"]
