"""The Porter stemmer as SQLite's FTS5 has it: the same word gives the same stem here and in the index (a test holds one against the other).

M. F. Porter, An algorithm for suffix stripping, Program 14 (3), 1980, with FTS5's `-bli` and `-logi`. Words of other scripts stay as they are.
"""

from __future__ import annotations

from functools import lru_cache

_VOWELS = frozenset("aeiou")
_LONGEST = 64
"""Characters from which FTS5 leaves a word alone; one of fewer than three is left alone, too."""

_STEP_2 = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("logi", "log"), ("bli", "ble"), ("alli", "al"),
    ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"),
    ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
)  # fmt: skip
_STEP_3 = (("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""))
_STEP_4 = (
    "al",
    "ance",
    "ence",
    "er",
    "ic",
    "able",
    "ible",
    "ant",
    "ement",
    "ment",
    "ent",
    "ion",
    "ou",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
)


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """The stem of a folded word."""
    if not 3 <= len(word.encode("utf-8", "surrogatepass")) <= _LONGEST:
        return word
    word = _plural(word)
    word = _past(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _exchange(word, _STEP_2)
    word = _exchange(word, _STEP_3)
    word = _take_off(word)
    return _last(word)


def _is_consonant(word: str, at: int) -> bool:
    letter = word[at]
    if letter in _VOWELS:
        return False
    return letter != "y" or at == 0 or not _is_consonant(word, at - 1)


def _measure(word: str) -> int:
    """How many times consonants follow vowels."""
    count, before = 0, False
    for at in range(len(word)):
        vowel = not _is_consonant(word, at)
        count += before and not vowel
        before = vowel
    return count


def _has_vowel(word: str) -> bool:
    return any(not _is_consonant(word, at) for at in range(len(word)))


def _is_short(word: str) -> bool:
    """Consonant, vowel, consonant at the end, the last not w, x or y."""
    end = len(word) - 1
    return (
        end >= 2
        and word[end] not in "wxy"
        and _is_consonant(word, end)
        and not _is_consonant(word, end - 1)
        and _is_consonant(word, end - 2)
    )


def _is_double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and word[-1] not in "aeiou"


def _plural(word: str) -> str:
    if not word.endswith("s"):
        return word
    if (word.endswith("sses") and len(word) > 4) or (word.endswith("ies") and len(word) > 3):
        return word[:-2]  # SQLite takes one letter from these endings where they are the whole word
    return word if word.endswith("ss") else word[:-1]


def _past(word: str) -> str:
    if word.endswith("eed") and len(word) > 3:
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            rest = word[: -len(ending)]
            if not _has_vowel(rest):
                return word
            if rest.endswith(("at", "bl", "iz")):
                return rest + "e"
            if _is_double(rest) and rest[-1] not in "lsz":
                return rest[:-1]
            return rest + "e" if _measure(rest) == 1 and _is_short(rest) else rest
    return word


def _exchange(word: str, table: tuple[tuple[str, str], ...]) -> str:
    for ending, instead in table:
        if word.endswith(ending):
            rest = word[: -len(ending)]
            return rest + instead if _measure(rest) > 0 else word
    return word


def _take_off(word: str) -> str:
    for ending in _STEP_4:
        if word.endswith(ending):
            rest = word[: -len(ending)]
            good = _measure(rest) > 1 and (ending != "ion" or rest.endswith(("s", "t")))
            return rest if good else word
    return word


def _last(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        size = _measure(rest)
        if size > 1 or (size == 1 and not _is_short(rest)):
            word = rest
    if word.endswith("ll") and _measure(word[:-1]) > 1:
        word = word[:-1]
    return word
