"""Recall and precision on the second corpus, with floors under what was measured."""

from __future__ import annotations

import pytest

from hoard_git.core.secrets import find_secrets
from tests.core.secrets.second_set import Item, as_page, build


def measure(items: list[Item], seed: int) -> tuple[float, float, float, list[str]]:
    """Return recall of plain and of disguised secrets, precision, and the kinds that went wrong; only certain findings count."""
    lines, spans = as_page(items, seed)
    found = [match for match in find_secrets(lines) if match.certain]
    hit = {kind: any(match.line <= last and first <= match.end_line for match in found) for kind, (first, last) in spans.items()}
    plain = [hit[item.kind] for item in items if item.secret and not item.mangled]
    mangled = [hit[item.kind] for item in items if item.mangled]
    wrong = sum(hit[item.kind] for item in items if not item.secret)
    right = sum(plain) + sum(mangled)
    return (
        sum(plain) / len(plain),
        sum(mangled) / len(mangled),
        right / (right + wrong),
        [item.kind for item in items if hit[item.kind] != item.secret],
    )


def test_corpus_is_large_and_names_are_unique() -> None:
    items = build(1)
    assert sum(item.secret for item in items) >= 150
    assert sum(not item.secret for item in items) >= 150
    assert len({item.kind for item in items}) == len(items)


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_floors(seed: int) -> None:
    plain, mangled, precision, wrong = measure(build(seed), seed)
    assert plain >= 0.95, wrong
    assert mangled >= 0.9, wrong
    assert precision >= 0.98, wrong


@pytest.mark.parametrize("seed", [5, 6])
def test_floors_of_the_held_out_half(seed: int) -> None:
    plain, mangled, precision, wrong = measure([item for item in build(seed) if item.held_out], seed)
    assert plain >= 0.92, wrong
    assert mangled >= 0.8, wrong
    assert precision >= 0.97, wrong
