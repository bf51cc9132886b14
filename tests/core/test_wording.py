"""Texts as tokens, and what one of two has more than the other."""

from __future__ import annotations

import pytest

from hoard_git.core.wording import compare, tokens_of


def more(left: str, right: str) -> tuple[list[str], list[str]]:
    difference = compare(tokens_of(left), tokens_of(right))
    return [token.raw for token in difference.left], [token.raw for token in difference.right]


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [
        ("red lamp", "red lamp", ([], [])),
        ("red lamp", "red door", (["lamp"], ["door"])),
        ("red red red lamp", "red red lamp", (["red"], [])),
        ("lamp red red", "red red lamp", ([], [])),
        ("red red red lamp", "lamp red red red red", ([], ["red"])),
        ("5 lamps and 5 doors", "5 doors", (["lamps", "and", "5"], [])),
        ("", "red", ([], ["red"])),
    ],
)
def test_equal_tokens_are_taken_off_one_by_one_and_the_last_ones_are_left(
    left: str, right: str, found: tuple[list[str], list[str]]
) -> None:
    assert more(left, right) == found
    assert more(right, left) == found[::-1]


def test_the_last_of_equal_tokens_is_the_one_that_is_more() -> None:
    (extra,) = compare(tokens_of("port 80 and port 90 and port"), tokens_of("port 80 and 90 and port")).left
    assert (extra.raw, extra.start) == ("port", 24)
