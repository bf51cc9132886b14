"""Texts as multisets of words, and how much of two of them is shared."""

from __future__ import annotations

import pytest

from hoard_git.core.likeness import count_words, dice


@pytest.mark.parametrize("many", [1, 400])
def test_words_and_pairs_of_neighbours_are_counted_as_often_as_they_stand(many: int) -> None:
    """A long text is counted anew each time, a short one is remembered."""
    words = " The wiki, the_wiki: node-2" * many
    assert count_words(words) == {"the": 2 * many, "wiki": 2 * many, "node": many, "2": many}
    wide = " \u65e5\u672c\u8a9e \u65e5\u672c \u732b" * many
    assert count_words(wide) == {"\u65e5\u672c": 2 * many, "\u672c\u8a9e": many, "\u732b": many}


def test_a_word_that_begins_in_letters_is_one() -> None:
    assert count_words("abc\u65e5\u672c \u65e5\u672cab") == {"abc\u65e5\u672c": 1, "\u65e5\u672c": 1, "\u672ca": 1, "ab": 1}
    assert count_words("") == count_words("-- !") == {}


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [("red lamp", "red lamp", 1.0), ("red lamp", "blue door", 0.0), ("red red lamp", "red door", 0.4), ("", "", 0.0), ("", "red", 0.0)],
)
def test_the_share_that_two_have_in_common(one: str, other: str, share: float) -> None:
    assert dice(count_words(one), count_words(other)) == dice(count_words(other), count_words(one)) == pytest.approx(share)
