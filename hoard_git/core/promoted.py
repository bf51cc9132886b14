"""What OpenClaw writes behind a fact that it promotes from a daily log: `[score=0.81 recalls=2 avg=0.62 source=memory/2026-04-17.md:7-9]`."""

from __future__ import annotations

from hoard_git.core.lazy import lazy

SCORE = lazy(r"\[score=[^\]\[]{0,200}?\bsource=([^\s\]]{1,300}:[0-9]{1,7}-[0-9]{1,7})\]")
"""The first group is the evidence, a path with lines."""


def without_score(text: str) -> str:
    """The fact alone, blanks in the place of the score: that is about the promotion, so two facts do not differ by it."""
    return SCORE.sub(lambda match: " " * len(match[0]), text) if "[score=" in text else text
