"""Which of a few entries another one contradicts and outranks."""

from __future__ import annotations

import pytest

from hoard_git.core.provenance import Provenance
from hoard_git.core.supersession import find_superseded

_OLD, _NEW = "Wiki port: 8080", "Wiki port: 8443"


def superseded(one: tuple[str, str], other: tuple[str, str], classes: tuple[str, str] = ("topic", "topic")) -> list[str]:
    """What loses of two entries that contradict each other, each given by source and day."""
    entries = [(text, Provenance(*claim), name) for text, claim, name in zip((_OLD, _NEW), (one, other), classes, strict=True)]
    return [entries[number][0] for number in find_superseded(entries)]


def test_the_later_day_wins_and_the_more_trusted_before_that() -> None:
    assert superseded(("agent", "2026-04-01"), ("agent", "2026-06-01")) == [_OLD]
    assert superseded(("agent", "2026-06-02"), ("agent", "2026-06-01")) == [_NEW]
    assert superseded(("user", "2026-04-01"), ("agent", "2026-06-01")) == [_NEW]
    assert superseded(("web", "2026-06-02"), ("tool", "2026-06-01")) == [_OLD]


@pytest.mark.parametrize("other", ["unknown", "", "2026-13-40", "2026-06-01"])
def test_without_two_different_days_neither_wins(other: str) -> None:
    assert superseded(("agent", "2026-06-01"), ("agent", other)) == []
    assert superseded(("agent", other), ("agent", "2026-06-01")) == []
    assert superseded(("agent", other), ("agent", other)) == []
    assert superseded(("agent", other), ("web", "2026-06-01")) == [_NEW], "trust needs no day"


def test_logs_and_history_are_not_compared() -> None:
    days = ("agent", "2026-04-01"), ("agent", "2026-06-01")
    assert superseded(*days, ("daily", "topic")) == superseded(*days, ("topic", "")) == []
    assert superseded(*days, ("index", "archive")) == [_OLD]
