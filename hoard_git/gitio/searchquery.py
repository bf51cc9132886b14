"""The full-text queries of the search index, in SQLite's FTS5 grammar."""

from __future__ import annotations

from hoard_git.core.terms import HEAD, PAIR, WORD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hoard_git.core.terms import Term

MANY = 2000
"""Passages that are ranked for a query of several words, at least; only beyond are common words left to decide among them."""

_ASKED = {WORD: '"{}"', PAIR: '"{}"', HEAD: '"{}"*'}
"""No column is named: what stands in one has no character of what stands in the other, and a filter by column costs an eighth more."""


def any_of(counts: Mapping[Term, int], *, whole: bool) -> str:
    """The full-text query: any term, and with many of them one of the rarest; with `whole` always any."""
    wanted = _rarest_first(counts)
    rarest: list[str] = []
    taken = 0
    for term, asked in wanted.items():
        if taken and taken + counts[term] > MANY and not whole:
            break
        rarest.append(asked)
        taken += counts[term]
    if len(rarest) == len(wanted):
        return " OR ".join(rarest)
    return f"({' OR '.join(rarest)}) AND ({' OR '.join(wanted.values())})"


def rarest_beside(counts: Mapping[Term, int]) -> str:
    """The full-text query for the rarest term with any of the others."""
    first, *others = _rarest_first(counts).values()
    return f"{first} AND ({' OR '.join(others)})"


def _rarest_first(counts: Mapping[Term, int]) -> dict[Term, str]:
    """How each term is asked for, the rarest first."""
    return {term: _ASKED[term.kind].format(term.text.replace('"', '""')) for term in sorted(counts, key=lambda term: (counts[term], term))}
