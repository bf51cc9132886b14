"""How well a passage answers a query: the share of the query's words that it holds, likeness of meaning, then trust, age and place.

Measured on facts and queries of our own and on LoCoMo (docs/explanation/search.md). A word counts by how rare it is, and one that nothing
holds counts most, so that the accidental hit of one common word stays low. Reciprocal rank fusion is not used: it was worse than words alone.
"""

from __future__ import annotations

import math

from hoard_git.core.model import TRUSTED
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from hoard_git.core.terms import Sought, Term

TRUST = {"user": 1.0, "agent": 0.95, "tool": 0.9, "": 0.9, "web": 0.85, "dig": 0.8}
TIERS = {"live": 1.0, "archive": 0.7, "past": 0.6}
"""The archive at 0.7: of 125 queries after live facts, 33 archived rows stood among the first five at 1, 10 at 0.7, and no live fact sank."""

STALE, EXPIRED, SUPERSEDED = 0.9, 0.8, 0.7

_HALF_LIFE = 30.0
_OLDEST = 0.85
"""What is left of a daily log's weight when it is very old; other memory does not age by its date alone."""

_NEIGHBOURS = 0.1
_LENGTH = 0.01
_LESS = 0.25
"""What others than the user and the agent get of these two: with all of it, a long page that says the query in its order outdid an agent's answer."""

_SURE, _UNSURE = 0.5, 1.2


class Parts(Record):
    """What a score is made of. `coverage` and `cosine` are shares from 0 to 1, the others are factors; no cosine without vectors."""

    coverage: float
    cosine: float | None
    trust: float
    recency: float
    tier: float


def weigh(counts: Mapping[Term, int], total: int) -> dict[Term, float]:
    """The weight of each term: `counts` says how many of `total` passages hold it."""
    return {term: math.log(1 + total / (count + 1)) for term, count in counts.items()}


def coverage(found: Collection[Term], weights: Mapping[Term, float]) -> float:
    """The share of a query that a passage holds, by weight."""
    whole = sum(weights.values())
    return sum(weights[term] for term in found) / whole if whole else 0.0


def likeness(sought: Sought, words: str, pairs: str, weights: Mapping[Term, float]) -> tuple[float, float]:
    """How much of a query a passage holds, and the same with two small things that decide between equals.

    Words that stand side by side as in the query say more than the same words apart; and of two passages that hold the same, the longer one
    tells more (of 1,981 questions about chats, 1.2 in a hundred more were answered among the first five).
    """
    found, pairs_beside = sought.look(words, pairs)
    share = coverage(found, weights)
    beside = pairs_beside / max(1, len(sought.terms))
    length = words.count(" ") + pairs.count(" ") / 2 + 1
    return share, share + _NEIGHBOURS * beside + _LENGTH * math.log(1 + length)


def discount(share: float, sharp: float, src: str) -> float:
    """What `likeness` gave, where nothing that a text's own author can stuff with words makes up for a source that is trusted less."""
    return sharp if src in TRUSTED else share + (sharp - share) * _LESS


def vector_share(weight: float, best: float) -> float:
    """How much meaning counts: `weight` where three fifths of the query are found, less where all of it is, more where its words are unknown."""
    return min(1.0, weight * (_SURE + _UNSURE * (1 - min(1.0, best))))


def spread(cosines: Mapping[int, float]) -> dict[int, float]:
    """Cosines as shares of the distance between the smallest and the largest."""
    if not cosines:
        return {}
    low, high = min(cosines.values()), max(cosines.values())
    return {key: (value - low) / (high - low) if high > low else 0.0 for key, value in cosines.items()}


def recency(age: int | None) -> float:
    """The factor of a daily log that is so many days old; None for everything else."""
    if age is None:
        return 1.0
    return _OLDEST + (1 - _OLDEST) * math.pow(0.5, max(0, age) / _HALF_LIFE)
