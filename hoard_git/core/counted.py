"""Numbers of things in words: 1 entry, 2 entries."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun; `plural` is the noun's own where it takes more than an `s` or, after a consonant, `ies` for its `y`."""
    return f"{number} {noun if number == 1 else plural or plural_of(noun)}"


def plural_of(noun: str) -> str:
    """A noun in the plural: `y` behind a consonant becomes `ies`, all others take an `s`."""
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else f"{noun}s"
