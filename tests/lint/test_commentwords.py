from __future__ import annotations

import pytest

from hoard_git.lint.commentwords import is_stock


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
