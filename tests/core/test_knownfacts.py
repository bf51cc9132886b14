"""By what a fact that comes back is known again."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from hoard_git.core.align import units
from hoard_git.core.knownfacts import Before, find_known
from hoard_git.core.markdown import parse
from hoard_git.core.units import Side, Unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.core.knownfacts import Memory

LONG = "The wiki runs on the second node"


class Known:
    """A memory of facts, all brought by commit 1 and removed by their own: 1 by an id, 2 and 5 by their text under a heading, 3 by its text anywhere."""

    def by_id(self, name: str) -> Sequence[int]:
        return [1] if name == "k3f9q2" else []

    def by_text(self, title: str, text: str) -> Sequence[int]:
        return {("Hosts", "short"): [2], ("Twice", "short"): [5, 2], ("", LONG): [3], ("", "short"): [3], ("#", "## Hosts"): [4]}.get(
            (title, text), []
        )

    def places(self, _fact: int) -> Sequence[str]:
        return ["MEMORY.md"]

    def born(self, _fact: int) -> Sequence[int]:
        return [1]

    def removals(self, fact: int) -> Sequence[int]:
        return [10 - fact]

    def age(self, commit: int) -> tuple[int, str]:
        return commit, ""


def before(memory: Memory, *, parent: int = 9) -> Before:
    return Before([parent], memory, lambda commit, of: commit <= of)


def unit(text: str) -> Unit:
    headings, entries = units(Side("MEMORY.md", "index", parse(text.encode()), None))
    return [*headings, *entries][-1]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("- other words <!-- src:web ts:2026-06-01 id:k3f9q2 -->", 1),
        ("## Hosts\n- short", 2),
        ("## Else\n- short", 0),
        (f"## Else\n- {LONG}", 3),
        ("## Else", 0),
        ("## Hosts", 4),
        ("## Twice\n- short", 2),
    ],
)
def test_by_id_by_place_and_when_long_enough_by_words_alone(text: str, fact: int) -> None:
    memory = cast("Memory", Known())
    found = unit(text)
    assert find_known(found, (), memory, lambda _path: set(), before(memory)) == fact
    assert find_known(found, (), memory, lambda _path: set(), before(memory, parent=0)) == 0, "no parent knows it"
    others = {5} if fact == 2 else set()  # under "Twice" another one has the text as well
    assert find_known(found, {fact, *others}, memory, lambda _path: set(), before(memory)) == 0, "it stands in what changed"
    assert find_known(found, (), memory, lambda _path: {fact, *others}, before(memory)) == 0, "it stands elsewhere in its file"


def test_of_several_the_one_that_went_last() -> None:
    memory = cast("Memory", Known())
    found = unit("## Twice\n- short")
    assert find_known(found, (), memory, lambda _path: set(), before(memory)) == 2, "2 was removed by commit 8, 5 by commit 5"
    assert find_known(found, {2}, memory, lambda _path: set(), before(memory)) == 5
    assert find_known(found, (), memory, lambda _path: set(), before(memory, parent=6)) == 5, "what removed 2 is on another branch"
