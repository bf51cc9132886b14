"""Which of a few entries another one of them contradicts and outranks: about the same thing, with another value, less trusted or older."""

from __future__ import annotations

from itertools import combinations

from hoard_git.core.dates import parse_day
from hoard_git.core.model import RANK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.core.provenance import Provenance
    from hoard_git.core.wording import Token

_LONGEST = 600
_EVENTS = ("daily", "")


def find_superseded(entries: Sequence[tuple[str, Provenance, str]]) -> list[int]:
    """The numbers of the entries that lose, given by text, claim and file class.

    A daily log tells of a day and is not compared, nor is what history holds. Of two that are equally trusted the one with the later date
    wins; without two different dates neither does.
    """
    fit = [number for number, (text, _claim, file_class) in enumerate(entries) if len(text) <= _LONGEST and file_class not in _EVENTS]
    ordered = [(low, high, order) for low, high in combinations(fit, 2) if (order := _compare(entries[low][1], entries[high][1]))]
    if not ordered:
        return []
    from hoard_git.core.nearness import CONFLICT, judge_pair  # 13 ms, and mostly nothing can win
    from hoard_git.core.wording import tokens_of

    tokens: dict[int, Sequence[Token]] = {}
    lost = set()
    for low, high, order in ordered:
        for number in (low, high):  # cutting into tokens costs more than the search itself
            if number not in tokens:
                tokens[number] = tokens_of(entries[number][0])
        found = judge_pair(tokens[low], tokens[high], entries[low][0]) if tokens[low] and tokens[high] else None
        if found is not None and found[0] == CONFLICT:
            lost.add(high if order > 0 else low)
    return sorted(lost)


def _compare(one: Provenance, other: Provenance) -> int:
    """Above 0 when the first claim outranks the second, below 0 the other way round, 0 when neither does."""
    if RANK[one.src] != RANK[other.src]:
        return RANK[one.src] - RANK[other.src]
    first, second = parse_day(one.ts), parse_day(other.ts)
    return 0 if first is None or second is None else first - second
