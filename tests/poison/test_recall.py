"""What a search finds and a session loads when the memory holds poison that no gate could tell from memory; each with a benign twin."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.poison.recalling import ROWS, Memory, Row


@pytest.fixture(scope="module")
def memories(tmp_path_factory: pytest.TempPathFactory, sealed_session: None) -> Callable[[str], Memory]:
    folder = tmp_path_factory.mktemp("recalled")
    template = Memory.create(folder / "template")
    return lambda name: template.copied(folder / name)


_CASES = [pytest.param(row, name, id=f"{row.id}-{name}") for row in ROWS for name in row.attacks]


@pytest.mark.parametrize(("row", "name"), _CASES)
def test_poison_is_told_and_comes_behind_what_is_trusted(memories: Callable[[str], Memory], row: Row, name: str) -> None:
    memory = memories(f"{row.id}-{name}")
    row.attacks[name](memory)
    assert row.told(memory) == row.wanted


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_its_twin_is_not(memories: Callable[[str], Memory], row: Row) -> None:
    memory = memories(f"{row.id}-twin")
    row.twin(memory)
    assert row.told(memory) == row.benign
