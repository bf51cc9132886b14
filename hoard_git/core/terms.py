"""What a text is found by: folded words, and pairs of characters where a script has no blanks between words.

The index keeps both as two columns of tokens with blanks between them. SQLite's unicode61 takes a run of Chinese, Japanese or Korean for one token,
and its trigrams find no word of two characters; pairs found 8 of 8 where those found 1 and 4 (docs/explanation/search.md).
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from unicodedata import category, combining, normalize

from hoard_git.core.porter import stem
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

WORD, PAIR, HEAD = "word", "pair", "head"
"""Kinds of terms: a stem, two characters of a run, and one character that a run holds (a query of a single one)."""

MOST = 48
"""Terms of a query that are looked for; the first ones."""

_RUNS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u31f0-\u31ff"  # kana and iteration marks
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"  # Han
    "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"  # Hangul
)
_RUN = re.compile(f"[{_RUNS}]+")
_WORDS = re.compile(r"[^\W_]+")
_POSSESSIVE = re.compile(r"(?<=[^\W_])['\u2019]s(?![^\W_])")
_COMMENT = re.compile(r"<!--.*?(?:-->|$)", re.DOTALL)
_LATIN = 0x250

_WORDS_OF_NOTHING = (
    "a an the and or of to in on at by for from with about into over is are was were be been being am do does did done have has had will would can could "
    "should shall may might must i me my mine we us our you your he him his she her it its they them their this that these those what which who whom whose "
    "when where why how there here not no if then than as so but just any some all "
    "der die das den dem des ein eine einer eines und oder ist sind war wer wie wo wann warum zu im mit von fur auf "
    "le la les un une du et ou est sont qui que quoi quand pourquoi comment dans sur pour avec "
    "el los las una y o es son quien cuando donde como en con para por "
    "het een wat waar hoe met voor op van"
)
SAY_NOTHING = frozenset(_WORDS_OF_NOTHING.split())
"""Words that say nothing about what is asked for; a query of nothing else keeps them."""


class Term(Record):
    """One thing to look for: its kind, and the stem or characters."""

    kind: str
    text: str


@lru_cache(maxsize=1 << 12)
def _folded(text: str) -> str:
    text = normalize("NFKC", text).casefold()
    if text.isascii():
        return text
    parts = normalize("NFD", text)
    kept = []
    base = ""
    for char in parts:
        if combining(char) and base and (base < "\u0590"):
            continue  # accents of Latin, Greek and Cyrillic letters; in other scripts a mark is part of the letter
        base = char if not combining(char) else base
        kept.append(char)
    return normalize("NFC", "".join(kept))


def fold(text: str) -> str:
    """Lower case, compatibility forms and accents taken away; lone surrogates become U+FFFD."""
    if text.isascii():
        return text.lower()
    if any("\ud800" <= char <= "\udfff" for char in text):
        text = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
    return _folded(text)


def columns(text: str) -> tuple[str, str]:
    """The two columns of a text: words, and pairs with the last character of each run; emoji and other symbols count as words of their own."""
    folded = _POSSESSIVE.sub("", fold(without_comments(text)))
    if folded.isascii():
        return " ".join(_WORDS.findall(folded)), ""
    pairs: list[str] = []
    for match in _RUN.finditer(folded):
        run = match.group()
        pairs += [run[at : at + 2] for at in range(len(run) - 1)]
        pairs.append(run[-1])
    rest = _RUN.sub(" ", folded)
    words = _WORDS.findall(rest)
    words += [_symbol(char) for char in rest if char > "\x7f" and category(char) == "So"]
    return " ".join(words), " ".join(pairs)


def _symbol(char: str) -> str:
    return f"u{ord(char):x}"


def without_comments(text: str) -> str:
    """A text without its HTML comments, each of which leaves a blank."""
    return _COMMENT.sub(" ", text) if "<!--" in text else text


def query_terms(query: str) -> tuple[Term, ...]:
    """What a query asks for, in its order, each once, at most MOST; words that say nothing are left out unless there are no others."""
    words, pairs = columns(query)
    telling = [word for word in words.split() if word not in SAY_NOTHING]
    listed = [Term(WORD, stem(word)) for word in (telling if telling or pairs else words.split())]
    if pairs:
        listed += _pair_terms(fold(without_comments(query)))
    return tuple(dict.fromkeys(listed))[:MOST]


def _pair_terms(folded: str) -> list[Term]:
    found = []
    for match in _RUN.finditer(folded):
        run = match.group()
        if len(run) == 1:
            found.append(Term(HEAD, run))
        found += [Term(PAIR, run[at : at + 2]) for at in range(len(run) - 1)]
    return found


class Sought:
    """The terms of one query, ready to be looked for in many texts."""

    def __init__(self, terms: Iterable[Term]) -> None:
        """Compile what narrows the words of a text down to those that may have one of the stems."""
        self.terms = tuple(terms)
        self._stems = {term.text: term for term in self.terms if term.kind == WORD}
        self._others = [term for term in self.terms if term.kind != WORD]
        self._following = frozenset(pairwise(self._stems))
        # a stem differs from its word in its last two letters at most, one of three letters in its last alone (`usability` and `usabl`, `sky` and `ski`)
        heads = sorted({re.escape(text[: max(1, min(2, len(text) - 1), len(text) - 2)]) for text in self._stems})
        self._near = re.compile(rf"(?<![^ ])(?:{'|'.join(heads)})[^ ]*") if heads else None

    def look(self, words: str, pairs: str) -> tuple[frozenset[Term], int]:
        """Which of the terms a text holds, given by its two columns, and how many neighbours of the query are neighbours there, too.

        Neighbours are words that follow each other; two of them count once, however often a text repeats them.
        """
        found: set[Term] = set()
        beside: set[tuple[str, str]] = set()
        before, end = "", -1
        for match in self._near.finditer(words) if self._near is not None else ():
            text = stem(match.group())
            if text in self._stems:
                found.add(self._stems[text])
                if match.start() == end + 1 and (before, text) in self._following:
                    beside.add((before, text))
                before, end = text, match.end()
        if pairs and self._others:
            tokens = pairs.split(" ")
            held = set(tokens)
            for term in self._others:
                if term.text in held or term.kind == HEAD and any(token.startswith(term.text) for token in held):
                    found.add(term)
        return frozenset(found), len(beside)
