"""How alike two texts are, by their words."""

from __future__ import annotations

import re
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_word: re.Pattern[str] | None = None


_SHORT = 2000


def count_words(text: str) -> Mapping[str, int]:
    """Count lower-cased words; where a script writes no spaces, pairs of neighbouring characters."""
    return _count_short(text) if len(text) <= _SHORT else _count(text)


@lru_cache(maxsize=1 << 12)
def _count_short(text: str) -> dict[str, int]:
    """Remembered: what one commit writes the next one edits."""
    return _count(text)


def _count(text: str) -> dict[str, int]:
    global _word
    if _word is None:
        _word = re.compile(r"[^\W_]+")
    counts: dict[str, int] = {}
    for word in _word.findall(text.lower()):
        if word[0] < "\u2e80":
            counts[word] = counts.get(word, 0) + 1
            continue
        for at in range(max(1, len(word) - 1)):
            part = word[at : at + 2]
            counts[part] = counts.get(part, 0) + 1
    return counts


def dice(one: Mapping[str, int], other: Mapping[str, int]) -> float:
    """Dice coefficient of two multisets, 0 to 1; two empty ones have nothing in common."""
    total = sum(one.values()) + sum(other.values())
    if not total:
        return 0.0
    both = one.keys() & other.keys()
    if total == len(one) + len(other):  # no word is there twice
        return 2 * len(both) / total
    return 2 * sum([min(one[word], other[word]) for word in both]) / total
