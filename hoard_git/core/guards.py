"""Why two sentences that look alike may not say the same: one reason, by the strongest sign (DESIGN §9: the review list)."""

from __future__ import annotations

from hoard_git.core import _guardwords as words
from hoard_git.core.negations import has_negation, locate_wide_negations
from hoard_git.core.wording import UNIT_LENGTH, stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hoard_git.core.wording import Difference, Token

NUMBER, VERSION, NEGATION, OPPOSITE, UNIT, DATE, NAME, ORDER, ONE_WORD, TENSE, HEDGE, SAME = (
    "a number differs",
    "a version differs",
    "a negation came or went",
    "words of opposite meaning (antonyms)",
    "a unit differs",
    "a date or calendar word differs",
    "a name differs",
    "the word order differs, so the direction may",
    "one word stands for another (substitution)",
    "tense or inflection differs",
    "a hedge such as 'reported by' came or went",
    "likely the same",
)
"""Every reason, the strongest first. None repeats a word of the entries, which may hold a secret."""

_LITTLE = words.SMALL | words.HINGES

# -------------------------------------------------------------------- reasons


def find_reason(left: Sequence[Token], right: Sequence[Token], difference: Difference) -> str:
    """The strongest reason why the two may differ."""
    ours, theirs = difference.left, difference.right
    both = (*ours, *theirs)
    numeric = _numeric(left, right, ours, theirs)
    if numeric:
        return numeric
    if has_negation(left, ours) or has_negation(right, theirs) or len(locate_wide_negations(left)) != len(locate_wide_negations(right)):
        return NEGATION
    if _is_opposite(ours, theirs):
        return OPPOSITE
    if _is_prefixed(ours, theirs):
        return NEGATION
    if ours and theirs and (_has_unit(left, ours) and _has_unit(right, theirs)):
        return UNIT
    if any(_is_calendar(token) for token in both):
        return DATE
    if (ours or theirs) and _is_name_change(left, right, ours, theirs):
        return NAME
    return _by_words(left, right, ours, theirs)


def _by_words(left: Sequence[Token], right: Sequence[Token], ours: Sequence[Token], theirs: Sequence[Token]) -> str:
    """The weaker reasons: word order, forms of a word, hedges, one word for another."""
    telling = [token for token in (*ours, *theirs) if token.key not in words.SMALL]
    if not telling:
        order = [[token.key for token in side if token.key not in words.SMALL] for side in (left, right)]
        if order[0] != order[1]:
            return ORDER
    rest = [token for token in (*ours, *theirs) if token.raw.lower() not in words.AUXILIARIES]
    if not rest:
        changed = [token.raw.lower() for token in left] != [token.raw.lower() for token in right]
        return TENSE if changed else SAME
    hedged = [token for token in telling if token.raw.lower() in words.HEDGES]
    if hedged and all(token in hedged or token.raw[:1].isupper() for token in telling):
        return HEDGE
    if len([token for token in ours if token.key not in words.SMALL]) == len([t for t in theirs if t.key not in words.SMALL]) == 1:
        return ONE_WORD
    if len(ours) == len(theirs) == 1:
        return ONE_WORD
    return SAME


def _numeric(left: Sequence[Token], right: Sequence[Token], ours: Sequence[Token], theirs: Sequence[Token]) -> str:
    """The reason when numbers differ: a date, a version or a number; '' when they do not."""
    mine, other = ([token for token in side if _is_number(token)] for side in (ours, theirs))
    if not mine and not other:
        return ""
    if any(token.kind == "date" for token in (*mine, *other)):
        return DATE
    for side, found in ((left, mine), (right, other)):
        for token in found:
            at = side.index(token)
            if (at and _is_month_or_day(side[at - 1])) or (at + 1 < len(side) and _is_month_or_day(side[at + 1])):
                return DATE
    all_versions = all(_is_version(side, token) for side, found in ((left, mine), (right, other)) for token in found)
    return VERSION if all_versions else NUMBER


def _is_number(token: Token) -> bool:
    return token.kind in ("number", "date") or (token.kind in ("word", "wide") and token.raw.lower() in words.NUMBERS)


def _is_month_or_day(token: Token) -> bool:
    return (token.kind == "word" and token.raw.lower() in words.CALENDAR) or token.raw in words.WIDE_CALENDAR


def _is_version(side: Sequence[Token], token: Token) -> bool:
    """`v2`, `1.4.2`, and a number right behind a name: Django 5, python 3.11. An address is a number."""
    if token.kind != "number":
        return False
    raw = token.raw
    if raw[:1] == "v" or (raw.count(".") == 2 and raw.replace(".", "").isdigit()):
        return True
    if raw.count(".") > 2 or not raw.replace(".", "").isdigit():
        return False
    at = side.index(token)
    if at == 0 or side[at - 1].kind != "word":
        return False
    before = side[at - 1].raw
    if before.lower() in ("version", "release", "v", "ver"):
        return True
    is_name = any(sign.isupper() for sign in before[1:]) or (before[0].isupper() and at > 1)
    if "." in raw:
        return (is_name or before.islower()) and before.lower() not in _LITTLE and not before.isupper()
    return is_name and not before.isupper()


_groups: dict[str, set[int]] = {}


def _is_opposite(ours: Iterable[Token], theirs: Iterable[Token]) -> bool:
    if not _groups:
        for number, row in enumerate(words.OPPOSITES):
            for word in row:
                for key in (word, stem(word)):
                    _groups.setdefault(key, set()).add(number)
    mine = [_groups[key] for token in ours for key in _keys(token) if key in _groups]
    other = [_groups[key] for token in theirs for key in _keys(token) if key in _groups]
    return any(one & two for one in mine for two in other)


def _keys(token: Token) -> tuple[str, str]:
    lower = token.raw.lower() if token.kind != "box" else token.key
    return lower, stem(lower)


def _is_prefixed(ours: Iterable[Token], theirs: Iterable[Token]) -> bool:
    """Whether a word stands on one side and with a negating prefix or a `-less` on the other."""
    for one, two in ((ours, theirs), (theirs, ours)):
        for token in one:
            lower = token.raw.lower()
            bases = {lower.removeprefix(prefix) for prefix in words.PREFIXES if lower.startswith(prefix)}
            if lower.endswith("less"):
                bases |= {lower[:-4] + "ful", lower[:-4], lower[:-4] + "ed"}
            if any(other.raw.lower() in bases or other.key in {stem(base) for base in bases if len(base) > 2} for other in two):
                return True
    return False


def _has_unit(side: Sequence[Token], rest: Iterable[Token]) -> bool:
    for token in rest:
        raw = token.raw
        if token.kind == "sign" and raw in words.UNITS:
            return True
        if raw in words.UNITS or (raw.isupper() or len(raw) > UNIT_LENGTH) and raw.lower() in words.UNITS:
            at = side.index(token)
            if len(raw) > UNIT_LENGTH or (raw.isupper() and len(raw) > 2) or (at > 0 and _is_number(side[at - 1])):
                return True
    return False


def _is_calendar(token: Token) -> bool:
    if token.kind == "wide":
        return token.raw in words.WIDE_CALENDAR
    return token.kind == "date" or token.raw.lower() in words.CALENDAR


def _is_name_change(left: Sequence[Token], right: Sequence[Token], ours: Sequence[Token], theirs: Sequence[Token]) -> bool:
    """Whether a name came, went or was swapped; a capital at the start of a sentence is a name only beside a sure one, or as a subject."""
    sure = [any(_is_name(side, token) for token in rest) for side, rest in ((left, ours), (right, theirs))]
    if all(sure) or (sure[0] and not theirs) or (sure[1] and not ours):
        return True
    first = [bool(rest) and rest[0] is side[0] and side[0].raw[0].isupper() for side, rest in ((left, ours), (right, theirs))]
    if any(sure):
        return all(one or two for one, two in zip(sure, first, strict=True))
    return all(first) and _is_subject(left) and _is_subject(right)


def _is_name(side: Sequence[Token], token: Token) -> bool:
    """A host, path or address, an acronym, a capital inside the sentence, or what follows `named`."""
    if token.kind in ("url", "host", "path"):
        return True
    if token.kind != "word":
        return False
    at = side.index(token)
    if any(sign.isupper() for sign in token.raw[1:]) or (at and token.raw[0].isupper()):
        return True
    return at > 0 and side[at - 1].raw.lower() in ("named", "called", "hei\u00dft", "heisst", "user", "host", "alias")


def _is_subject(side: Sequence[Token]) -> bool:
    """Whether a sentence begins with what may be somebody's name, and a verb in the third person singular behind it."""
    first = side[0].raw.lower()
    if len(side) < 2 or side[0].kind != "word" or first in _LITTLE or first.endswith(("ing", "tion", "ment")):
        return False
    behind = side[1].raw
    return behind.endswith("s") and behind.islower() and _is_third_person(behind) if first.endswith("s") else _is_third_person(behind)


def _is_third_person(raw: str) -> bool:
    lower = raw.lower()
    return lower in words.HINGES or lower in words.AUXILIARIES or (lower.endswith("s") and lower.isalpha()) or lower.endswith("ed")


# -------------------------------------------------------------------- subjects


def is_conflict(left: Sequence[Token], text: str, difference: Difference, reason: str) -> bool:
    """Whether both speak of the same and say different things of it: the difference comes behind a shared subject and its verb.

    `text` is what `left` was cut from. A word for a word is a conflict only where a thing has one value at a time: `is named X`, `Owner: X`.
    """
    shared = left[: difference.prefix]
    if reason not in (NUMBER, VERSION, NEGATION, OPPOSITE, UNIT, DATE, NAME, ONE_WORD) or not any(t.key not in words.SMALL for t in shared):
        return False
    end = left[difference.prefix].start if difference.prefix < len(left) else len(text)
    behind = text[shared[-1].start + len(shared[-1].raw) : end].strip("*_` ")
    label = behind[:1] in (":", "=", "\uff1a") or any(sign in text[shared[0].start : end] for sign in (": ", "=", "\uff1a"))
    if reason in (NEGATION, OPPOSITE):
        return True
    hinges = [n for n, token in enumerate(shared) if token.raw.lower() in words.HINGES or (n and _is_third_person(token.raw))]
    if reason in (NAME, ONE_WORD):
        last = [n for n, token in enumerate(shared) if token.raw.lower() in words.NAMING]
        direct = bool(last) and last[-1] > 0 and all(token.raw.lower() in words.SMALL for token in shared[last[-1] + 1 :])
        return (direct or behind[:1] in (":", "=", "\uff1a")) and len(difference.left) == len(difference.right) == 1
    return label or (bool(hinges) and len(shared) > 1)
