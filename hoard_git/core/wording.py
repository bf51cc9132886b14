"""A sentence cut into words, numbers and signs for comparison, and what two of them do not share."""

from __future__ import annotations

import re
from functools import lru_cache

from hoard_git.core._guardwords import IRREGULAR
from hoard_git.core.promoted import without_score
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PIECES = (
    r"(?P<url>[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s<>`\"']{1,500})"
    r"|(?P<box>\[[ xX]\](?=\s))"
    r"|(?P<date>(?<![\w.-])[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?(?![\w-])|(?<![\w:])[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?![\w:])"
    r"|(?<![\w./])[0-9]{1,2}(?P<dot>[./])[0-9]{1,2}(?P=dot)[0-9]{4}(?![\w]))"
    r"|(?P<host>(?<![\w/.-])(?:[\w+-]{1,60}(?:\.[\w+-]{1,60}){0,6}@)?[\w-]{0,60}[^\W\d_][\w-]{0,60}(?:\.[\w-]{0,60}[^\W\d_][\w-]{0,60}){1,6}(?![\w/]))"
    r"|(?P<path>(?<![\w/])(?:[~.\w-]{0,60}/){1,12}[\w.-]{0,60}\w)"
    r"|(?P<number>(?:(?<![\w)])[-+\u2212\u00b1<>~]{1,2})?(?:\bv)?[0-9]+(?:[.,:/-][0-9]+){0,8})"
    r"|(?P<wide>[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])"
    r"|(?P<word>[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+(?:['\u2019-][^\W\d_]+)*)"
    r"|(?P<sign>[$\u20ac\u00a3\u00a5\u20bf\u20b9\u20a9\u20bd%]|\u00b0[CF]?|->|=>|\u2192|\u2190|<-)"
)
_MARKER = r"\s*(?:[-*+\u2022\u2023\u25e6\u25aa]\s+)+"
_ARTICLES = frozenset(("the", "a", "an"))
_LEAST_STEM = 3
UNIT_LENGTH = 4
"""Letters of a word behind a number whose case tells units apart: mW, MW."""

_compiled: dict[str, re.Pattern[str]] = {}


class Token(Record):
    """One word, number or sign: its kind (a group of the pattern above), the text as it stands, what it is compared by, and where it starts."""

    kind: str
    raw: str
    key: str
    start: int


class Difference(Record):
    """What two token lists do not share, each in its order, and how many tokens they share at the start."""

    left: tuple[Token, ...]
    right: tuple[Token, ...]
    prefix: int


def _re(source: str) -> re.Pattern[str]:
    pattern = _compiled.get(source)
    if pattern is None:
        pattern = _compiled[source] = re.compile(source)
    return pattern


@lru_cache(maxsize=1 << 12)
def tokens_of(text: str) -> tuple[Token, ...]:
    """Cut a text into tokens; markers, emphasis, articles and a promotion's score are left out.

    Short texts only: the pattern is bounded, not free of cost.
    """
    text = without_score(text)
    marker = _re(_MARKER).match(text)
    found: list[Token] = []
    for match in _re(_PIECES).finditer(text, marker.end() if marker else 0):
        kind, raw = match.lastgroup or "word", match[0]
        kind = "date" if kind == "dot" else kind
        key = _key(kind, raw, found[-1] if found else None)
        if key not in _ARTICLES:
            found.append(Token(kind, raw, key, match.start()))
    return tuple(found)


def _key(kind: str, raw: str, before: Token | None) -> str:
    if kind == "word":
        if before is not None and len(raw) <= UNIT_LENGTH and before.kind == "number":
            return raw
        rest = raw[1:]
        if rest == rest.lower():
            return stem(raw.lower().replace("\u2019", "'")) if rest or raw == "a" else raw
        return raw
    if kind == "box":
        return "[x]" if raw[1] in "xX" else "[]"
    if kind == "number":
        return raw.replace(",", "") if _re(r"[0-9]{1,3}(?:,[0-9]{3})+").fullmatch(raw) else raw
    return raw.rstrip(".,") if kind in ("url", "date") else raw


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """A light stem that makes forms of one word equal: works, worked, working; approve, approves, approved."""
    if word in IRREGULAR:
        return IRREGULAR[word]
    word = word.removesuffix("'s")
    if not word.isascii() or len(word) <= _LEAST_STEM:
        return word
    for ending in ("ing", "ied", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM and not word.endswith(("ss", "us", "is")):
            word = word[: -len(ending)] + ("y" if ending in ("ied", "ies") else "")
            break
    if len(word) > _LEAST_STEM + 1 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > _LEAST_STEM else word


def compare(left: Sequence[Token], right: Sequence[Token]) -> Difference:
    """Take off what both hold, token by token."""
    prefix = 0
    while prefix < min(len(left), len(right)) and left[prefix].key == right[prefix].key:
        prefix += 1
    return Difference(_rest(left, right), _rest(right, left), prefix)


def _rest(tokens: Iterable[Token], others: Iterable[Token]) -> tuple[Token, ...]:
    """The tokens that are more than the others hold; of equal ones the last."""
    pool: dict[str, int] = {}
    for token in others:
        pool[token.key] = pool.get(token.key, 0) + 1
    rest = []
    for token in tokens:
        if pool.get(token.key, 0):
            pool[token.key] -= 1
        else:
            rest.append(token)
    return tuple(rest)
