"""What words are looked for by: pairs that survive any wrapping but the narrowest, and words without marks."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoard_git.core.anchors import Rows, needle_of, pairs, plain_words, row_of
from hoard_git.core.units import core_of, fact_key

WORDS = st.lists(st.text("abcdefgh", min_size=1, max_size=14), min_size=3, max_size=30)


@given(WORDS, st.integers(29, 100))
def test_a_wrapped_text_holds_a_pair_on_a_line(words: list[str], width: int) -> None:
    text = " ".join(words)
    lines = textwrap.wrap(text, width)
    assert any(pair in line for pair in pairs(text) for line in lines)


@given(st.text("ab *_`.,!-+#1", max_size=40), st.text("ab *_`.,!-+#1", max_size=40))
def test_what_states_one_fact_has_the_same_words(one: str, other: str) -> None:
    if fact_key(core_of(one)) == fact_key(core_of(other)):
        assert plain_words(core_of(one)) == plain_words(core_of(other))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", ""),
        ("one", "one"),
        ("  a\n\tb\r\n c ", "a b c"),
        ("x" * 500, "x" * 400),
        ("word " * 200, ("word " * 80)[:-1]),
        ("a\0b", ""),
    ],
)
def test_a_needle_is_one_line_of_bounded_length(text: str, found: str) -> None:
    assert needle_of(text) == found


@pytest.mark.parametrize(
    ("needle", "found"),
    [
        ("abc234", ("abc234",)),
        ("see https://example.org/a", ("https://example.org/a",)),
        ("*** **", ("*** **",)),
        ("a b c", ("a b", "b c")),
        ("a a a a", ("a a",)),
        ("Backups run at 03:30", ("Backups run", "run at")),
        ("**Backups** run weekly.", ("Backups** run", "run weekly")),
    ],
)
def test_pairs(needle: str, found: tuple[str, ...]) -> None:
    assert pairs(needle) == found


def test_comments_and_marks_are_no_words() -> None:
    text = "- **Backups** run <!-- src:agent ts:2026-06-01 -->\n  > at `03:30`, | daily.\n"
    assert plain_words(text) == ["backups", "run", "at", "03:30", "daily"]
    assert row_of(plain_words(text)) == " backups run at 03:30 daily "


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# M\n\n- Backups run at 03:30 daily.\n", True),
        ("12. Backups run\n    at `03:30` daily\n", True),
        ("- [x] Backups run at\n03:30 daily <!-- src:user -->\n", True),
        ("- Big backups run at 03:30 daily\n- Backups run at 03:30 daily\n", True),  # the first one begins within a line
        ("- [2026-06-01 10:32 pm] Backups run at 03:30 daily\n", True),
        ("- **10:32 UTC** \u2014 Backups run at\n  03:30 daily\n", True),
        ("| what | when |\n|---|---|\n| x | Backups run at 03:30 daily |\n", True),
        ("- Our backups run at 03:30 daily\n", False),
        ("- Backups run at 03:30 daily and weekly\n", False),
        ("- Backups run daily\n", False),
    ],
)
def test_a_row_is_held_where_lines_begin_and_end_with_it(text: str, found: bool) -> None:
    words = plain_words("backups run at 03:30 daily")
    rows = Rows(text)
    assert rows.holds(row_of(words)) is found
    assert rows.words.issuperset(map(hash, words)) or not found


def test_of_a_long_row_the_end_may_have_been_cut_off() -> None:
    words = [f"word{number}" for number in range(40)]
    assert Rows(" ".join([*words, "and", "more"])).holds(row_of(words))
