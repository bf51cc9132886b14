from __future__ import annotations

import pytest

from hoard_git.core.counted import counted


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [
        (0, "entry", "0 entries"),
        (1, "entry", "1 entry"),
        (2, "entry", "2 entries"),
        (1, "day", "1 day"),
        (2, "day", "2 days"),
        (2, "linked worktree", "2 linked worktrees"),
    ],
)
def test_numbers_agree_with_their_nouns(number: int, noun: str, said: str) -> None:
    assert counted(number, noun) == said


def test_a_noun_may_have_a_plural_of_its_own() -> None:
    assert counted(3, "person", "people") == "3 people"
