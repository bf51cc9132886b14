"""Where merged nodes that were never neighbours need no blank line, and how like they have to be to be one."""

from __future__ import annotations

import pytest

from hoard_git.core.merging.matching import are_alike
from hoard_git.core.merging.nodes import Node
from hoard_git.core.merging.ordering import _is_tight

TAGGED = ("<!-- src:web ts:2026-06-01 -->", "| b |")


@pytest.mark.parametrize(
    ("before", "after", "tight"),
    [
        (Node("item", ("- a",), "a"), Node("item", ("- b", "  more"), "b more"), True),
        (Node("item", ("- a",), "a"), Node("text", ("b",), "b"), False),
        (Node("row", ("| a |",), "a"), Node("row", ("| b |",), "b"), True),
        (Node("row", ("| a |",), "a"), Node("row", TAGGED, "b"), False),
        (Node("row", TAGGED, "b"), Node("row", ("| c |",), "c"), True),
        (Node("text", ("a",), "a"), Node("text", ("b",), "b"), False),
    ],
)
def test_neighbours(before: Node, after: Node, tight: bool) -> None:
    assert _is_tight(before, after) == tight


@pytest.mark.parametrize(("other", "alike"), [("red blue", True), ("red green", True), ("grey green", False), ("red green grey", False)])
def test_half_of_the_words_make_two_texts_one(other: str, alike: bool) -> None:
    assert are_alike(Node("item", (), "red blue"), Node("item", (), other)) == alike
