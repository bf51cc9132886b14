from __future__ import annotations

import pytest

from hoard_git.lint.commentwords import is_stock, prose_words


@pytest.mark.parametrize(
    ("inner", "stock"),
    [
        (" TODO: fill in your name! ", True),
        (" new entries below ", True),
        (" new entries below, and send them on ", False),
        (" new entries below " * 20, False),
        ("", False),
    ],
)
def test_a_comment_is_stock_word_for_word(inner: str, stock: bool) -> None:
    assert is_stock(inner) is stock


@pytest.mark.parametrize(
    ("inner", "words"),
    [
        (" a b c d ", 0),
        (" x-y-z ", 0),
        (" plan b ", 1),
        (" 'o' and 'x' ", 1),
        (" do it now ", 3),
        (" prefer-vendor-three ", 3),
        (" prefer-vendor ", 1),
    ],
)
def test_a_letter_alone_is_no_word(inner: str, words: int) -> None:
    assert prose_words(inner) == words
