"""Every scripted attack is stopped by the rule that is meant for it, and its benign twin passes."""

from __future__ import annotations

import re

import pytest

from tests.poison.bench import Bench
from tests.poison.shapes import Answer, Gate, Shape, outcome, wanted
from tests.poison.suite import MUTATIONS, SHAPES

_CASES = [pytest.param(shape, gate, id=f"{shape.id}-{gate}") for shape in SHAPES for gate in shape.gates]
_STEERING = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|^(?:::|##\[)", re.MULTILINE)


def test_the_catalogue_is_covered() -> None:
    counts = {
        group: sum(shape.id.startswith(group) for shape in SHAPES)
        for group in ("PF", "TT", "CP", "MS", "HU", "FP", "GH", "PT", "CT", "SR", "CL", "RB")
    }
    assert counts == {
        "PF": 11, "TT": 8, "CP": 11, "MS": 12, "HU": 16, "FP": 14, "GH": 20, "PT": 9, "CT": 13, "SR": 1, "CL": 9, "RB": 4,
    }  # fmt: skip
    assert len({shape.id for shape in (*SHAPES, *MUTATIONS)}) == len(SHAPES) + len(MUTATIONS)
    assert [shape.id for shape in SHAPES if not shape.codes and not shape.accepted and not shape.says] == []


@pytest.mark.parametrize(("shape", "gate"), _CASES)
def test_an_attack_is_stopped_by_its_rule(bench: Bench, shape: Shape, gate: Gate) -> None:
    measured = bench.measure(shape)
    assert outcome(shape, measured, gate) == wanted(shape), _told(measured.attack[gate])


@pytest.mark.parametrize(("shape", "gate"), _CASES)
def test_its_twin_passes(bench: Bench, shape: Shape, gate: Gate) -> None:
    answer = bench.measure(shape).twin[gate]
    assert not answer.refused, _told(answer)
    assert {code for code, _level in answer.codes}.isdisjoint(shape.codes), _told(answer)


@pytest.mark.parametrize("shape", MUTATIONS, ids=lambda shape: shape.id)
def test_a_mutation_is_stopped_like_the_shape(bench: Bench, shape: Shape) -> None:
    measured = bench.measure_mutation(shape)
    assert outcome(shape, measured, shape.measured_at) == wanted(shape), _told(measured.attack[shape.measured_at])


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.id)
def test_what_is_printed_steers_neither_terminal_nor_log(bench: Bench, shape: Shape) -> None:
    measured = bench.measure(shape)
    for answer in (*measured.attack.values(), *measured.twin.values()):
        assert _STEERING.search(answer.output) is None, _told(answer)


def _told(answer: Answer) -> str:
    return f"refused: {answer.refused}, said: {answer.output!a}"
