"""The graph of a build: made only where commits branch, and then the same as one that was there from the start."""

from __future__ import annotations

import gc
import random

import pytest

from hoard_git.gitio.apart import apart, has_second_processor, without_collections
from hoard_git.gitio.blockindex_graph import Graph, Growing
from hoard_git.gitio.blockindex_store import Store


def _parents(seed: int, count: int) -> list[tuple[int, ...]]:
    """A line of commits that begins to branch and merge somewhere; place 0 is unused."""
    chance = random.Random(seed)
    bend = chance.randrange(2, count)
    found: list[tuple[int, ...]] = [(), ()]
    for number in range(2, count):
        many = 1 if number < bend or chance.random() < 0.6 else 2
        choices = [number - 1] if number < bend else chance.sample(range(1, number), min(many, number - 1))
        found.append(tuple(choices))
    return found


@pytest.mark.parametrize("seed", range(8))
def test_a_graph_made_late_answers_like_one_made_at_once(seed: int) -> None:
    parents = _parents(seed, 40)
    growing = Growing(Store(None), fresh=True)  # type: ignore[arg-type]  # a fresh build never asks the store
    for number in range(1, len(parents)):
        growing.add(number, parents[number])
        whole = Graph(parents[: number + 1])
        for old in range(1, number + 1):
            assert growing.is_ancestor(old, number) == whole.is_ancestor(old, number)


def test_a_straight_line_needs_no_graph() -> None:
    growing = Growing(Store(None), fresh=True)  # type: ignore[arg-type]  # a stand-in for the real one
    for number in range(1, 20):
        growing.add(number, (number - 1,) if number > 1 else ())
    assert growing.plain
    assert growing.made is None
    assert growing.is_ancestor(3, 19)
    assert not growing.is_ancestor(19, 3)


@pytest.mark.skipif(not has_second_processor(), reason="there is one processor only")
def test_a_process_apart_never_looks_for_garbage() -> None:
    def work(_send: object) -> bool:
        with without_collections():
            pass
        return gc.isenabled()

    with apart(work) as messages:
        assert list(messages) == []
    assert messages.result is False
    assert gc.isenabled()
