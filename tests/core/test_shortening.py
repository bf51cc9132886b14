"""Which lines of a log belong to which entry."""

from __future__ import annotations

import pytest

from hoard_git.core.markdown import parse
from hoard_git.core.shortening import _owners

TAG = "<!-- src:web ts:2026-06-01 -->"


@pytest.mark.parametrize(
    ("text", "owners"),
    [
        ("- a\n- b\n  more\n", {1: 0, 2: 1, 3: 1}),
        (f"- a\n\n{TAG}\n| x | y |\n|---|---|\n", {1: 0, 3: 1, 4: 1, 5: 1}),
        ("# T\n\n<!-- note -->\n- a\n\n- b\n", {3: 0, 4: 0, 6: 1}),
    ],
)
def test_the_owner_of_a_line(text: str, owners: dict[int, int]) -> None:
    assert _owners(parse(text.encode())) == owners
