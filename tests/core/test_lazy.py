from __future__ import annotations

import re

import pytest

from hoard_git.core.lazy import lazy


def test_it_is_a_pattern_once_it_is_used() -> None:
    pattern = lazy("(a)b", 0)
    match = pattern.search("xab")
    assert match is not None
    assert match[1] == "a"
    assert pattern.sub("c", "ab") == "c"


def test_a_wrong_pattern_fails_when_it_is_used() -> None:
    pattern = lazy("(")
    with pytest.raises(re.error, match="missing"):
        pattern.search("")


def test_questions_of_the_interpreter_compile_nothing() -> None:
    assert not hasattr(lazy("("), "__wrapped__")
