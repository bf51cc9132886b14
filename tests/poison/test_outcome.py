"""How a measurement is counted: only the intended rule, and only where the twin passes."""

from __future__ import annotations

import pytest

from tests.poison.shapes import Answer, Measured, Outcome, Shape, outcome, wanted
from tests.poison.steps import note

_PASSES = Answer(refused=False)
_REFUSES = Answer(True, (("HG301", "error"),))


def _shape(**other: str) -> Shape:
    return Shape("XX-01", "A shape", note("- One.\n"), note("- Two.\n"), ("HG301",), **other)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("attack", "twin", "counted"),
    [
        (_REFUSES, _PASSES, "blocked"),
        (Answer(True, (("HG101", "error"), ("HG301", "error"))), _PASSES, "blocked"),
        (Answer(True, (("HG101", "error"),)), _PASSES, "other"),
        (Answer(True, (("HG101", "error"), ("HG301", "warn"))), _PASSES, "other"),
        (Answer(refused=True), _PASSES, "other"),
        (Answer(False, (("HG301", "warn"),)), _PASSES, "warned"),
        (Answer(False, (("HG301", "info"),)), _PASSES, "noted"),
        (Answer(False, (("HG101", "warn"),)), _PASSES, "missed"),
        (_PASSES, _PASSES, "missed"),
        (_REFUSES, _REFUSES, "missed"),
        (_REFUSES, Answer(True, (("HG101", "error"),)), "missed"),
        (_REFUSES, Answer(False, (("HG301", "warn"),)), "missed"),
        (_REFUSES, Answer(False, (("HG101", "warn"),)), "blocked"),
    ],
)
def test_an_answer_is_counted(attack: Answer, twin: Answer, counted: Outcome) -> None:
    assert outcome(_shape(), Measured({"range": attack}, {"range": twin}), "range") == counted


def test_a_gate_without_rules_of_ours_only_has_to_tell_them_apart() -> None:
    refuses, passes = Answer(refused=True), Answer(refused=False)
    assert outcome(_shape(), Measured({"grep": refuses}, {"grep": passes}), "grep") == "blocked"
    assert outcome(_shape(), Measured({"grep": refuses}, {"grep": refuses}), "grep") == "missed"


def test_what_is_wanted_follows_the_level() -> None:
    assert [wanted(_shape(level=level)) for level in ("error", "warn", "info")] == ["blocked", "warned", "noted"]
    assert wanted(_shape(accepted="by design")) == "missed"
