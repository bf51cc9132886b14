from __future__ import annotations

import pytest

from tests.support.content import changed, severities


@pytest.mark.parametrize("char", list("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"))
@pytest.mark.parametrize("text", ["- app{}rove", "```\n{}x\n```", "# T{}itle"])
def test_the_nine(char: str, text: str) -> None:
    assert severities(changed("HG402", text.format(char))) == ["error"]


@pytest.mark.parametrize("char", list("\u200e\u200f\u061c"))
def test_the_marks_are_a_warning(char: str) -> None:
    assert severities(changed("HG402", f"- a{char}b")) == ["warn"]


@pytest.mark.parametrize("text", ["- \u05e9\u05dc\u05d5\u05dd", "- \u0645\u0631\u062d\u0628\u0627 hello", "- caf\u00e9"])
def test_right_to_left_letters_need_none(text: str) -> None:
    assert changed("HG402", text) == []
