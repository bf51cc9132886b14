"""Whether a text tells what a private one told: word for word, within or around other words, in disguise, or with its words in another order.

A disguise is what a page or an eye undoes: entities, percent signs, look-alike letters, invisible characters, letters set apart, markup inside a word.
What has to be computed (a cipher, letters backwards) or translated is not recognised.
"""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from urllib.parse import unquote

from hoard_git.core.confusables import fold as unmask
from hoard_git.core.passages import bare
from hoard_git.core.porter import stem
from hoard_git.core.terms import SAY_NOTHING, columns, fold, without_comments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_BORDERS = re.compile(r"[\n.;:!?,()\u3002\uff0c\uff1b\uff1a\u3001\u2013\u2014|]+")
_CLAUSE = 3
"""Words of a part of an entry that tells something by itself."""
_SHORTEST = 8
"""Characters of a single word that is looked for inside of other entries; shorter ones have to be the whole entry. A wide one counts twice."""
_LONG = 12
"""Characters of one word that is looked for inside of private entries."""
_KEY = 4
_FEW = 12
"""Words of a private entry short enough that a text of nothing but some of them is a part of it."""
_MANY, _SHARE = 4, 0.75
"""From so many words on an entry is told by this share of them; a shorter one by all."""
_TAGS = re.compile(r"<[/!?a-zA-Z][^<>]*>")
_TARGETS = re.compile(r"\]\([^()]*(?:\([^()]*\)[^()]*)*\)|\]\[[^\[\]]*\]")
_GROUPS = re.compile(r"(?<=\d)[.,'_\u2019\u00a0\u202f](?=\d{3}(?!\d))")
_SQUEEZED = re.compile(r"[\W_]+")
_WIDE = "\u0e00"


class Secrets:
    """The words of all private entries, to be found again in others."""

    def __init__(self) -> None:
        """None yet."""
        self._by_first: dict[str, set[str]] = {}
        self._texts: list[str] = []
        self._squeezed: dict[str, set[str]] = {}
        self._joined: list[str] = []
        self._bags: list[frozenset[str]] = []
        self._holding: dict[str, list[int]] = {}
        self._names: set[str] = set()
        self._wide_names: set[str] = set()
        self._all = self._run = ""

    def add(self, text: str, *, heading: bool = False) -> None:
        """Add an entry's or heading's text: all of it, and each of its clauses that says something by itself."""
        for words in _columns(text):
            self._note(words)
            self._texts.append(words)
        for clause in _clauses(text):
            for words in _columns(clause):
                if words.count(" ") >= _CLAUSE - 1:
                    self._note(words)
                    self._note_squeezed(_squeeze(clause))
        for squeezed in set(_disguises(text)):
            self._note_squeezed(squeezed)
            self._joined.append(squeezed)
        bag = _bag(text)
        # two words of a heading name a subject; an entry of two words, such as `Name: Ada`, tells something
        if len(bag) >= (_CLAUSE if heading else 2) and not all(word.isdecimal() for word in bag):
            for word in bag:
                self._holding.setdefault(word, []).append(len(self._bags))
            self._bags.append(bag)
        self._all = ""

    def add_names(self, names: Iterable[str]) -> None:
        """Add names of people: what holds one is about them."""
        for name in names:
            (self._wide_names if max(name) >= _WIDE else self._names).add(fold(name))

    def _note(self, words: str) -> None:
        self._by_first.setdefault(words.split(" ", 1)[0], set()).add(words)

    def _note_squeezed(self, squeezed: str) -> None:
        if _width(squeezed) >= _SHORTEST:
            self._squeezed.setdefault(squeezed[:_KEY], set()).add(squeezed)

    def repeats(self, text: str) -> bool:
        """Whether a text says what a private entry says, or a part of it, perhaps among other things."""
        if not self._all:
            self._all = "\n".join(["", *(f" {words} " for words in self._texts), ""])
            self._run = "\n".join(self._joined)
        return self.holds(text) or self._is_part(text) or self._retells(text)

    def holds(self, text: str) -> bool:
        """Whether all of a private entry or heading, or a clause of one, stands in the text, in a row."""
        return self._holds_words(text) or self._holds_disguised(text)

    def _holds_words(self, text: str) -> bool:
        """The words of a private entry stand in the text, in a row."""
        for words in _columns(text):
            if words in self._by_first.get(words.split(" ", 1)[0], ()):
                return True
            framed = f" {words} "
            for first in set(words.split(" ")) & self._by_first.keys():
                if any((" " in known or len(known) >= _SHORTEST) and f" {known} " in framed for known in self._by_first[first]):
                    return True
        return False

    def _is_part(self, text: str) -> bool:
        """The words of the text, or of a clause of it, stand in a private entry."""
        if any(" " in words and f" {words} " in self._all for words in _columns(text)):
            return True
        if any(_width(squeezed) >= _LONG and squeezed in self._run for squeezed in _disguises(text)):
            return True
        clauses = [words for clause in _clauses(text) for words in _columns(clause)]
        return any(words.count(" ") >= _CLAUSE - 1 and f" {words} " in self._all for words in clauses)

    def _holds_disguised(self, text: str) -> bool:
        """The same letters and digits stand there in a row, whatever stands between them."""
        for squeezed in _disguises(text):
            for at in range(len(squeezed) - _KEY + 1):
                if any(squeezed.startswith(known, at) for known in self._squeezed.get(squeezed[at : at + _KEY], ())):
                    return True
            if any(name in squeezed for name in self._wide_names):
                return True
        return False

    def _retells(self, text: str) -> bool:
        """The words that tell something are those of a private entry, in any order and among any others."""
        bag = _bag(text)
        if not self._names.isdisjoint(_plain_words(text)):
            return True
        shared = Counter(number for word in bag for number in self._holding.get(word, ()))
        for number, count in shared.items():
            size = len(self._bags[number])
            if count == size or (size >= _MANY and count >= _SHARE * size) or (count == len(bag) > 1 and size <= _FEW):
                return True
        return False


def _columns(text: str) -> list[str]:
    """What two texts are compared by: their words and pairs, without markup and case."""
    return [words for words in columns(bare(text)) if words]


def _clauses(text: str) -> list[str]:
    return [clause for clause in _BORDERS.split(without_comments(text)) if clause.strip()]


def _readings(text: str) -> Iterator[str]:
    """A text as a page shows it, without markup and disguise: with the targets of its links, and without them where it has any."""
    text = bare(text)
    if "&" in text:
        text = unescape(text)
    if "%" in text:
        text = unquote(text, errors="replace")
    yield unmask(_TAGS.sub("", text) if "<" in text else text)
    if "](" in text or "][" in text:
        yield unmask(_TAGS.sub("", _TARGETS.sub("", text)))


def _squeeze(text: str) -> str:
    return _SQUEEZED.sub("", fold(text))


def _disguises(text: str) -> Iterator[str]:
    """The letters and digits of each reading in a row."""
    for reading in _readings(text):
        yield _squeeze(reading)


def _width(text: str) -> int:
    return len(text) if text.isascii() else sum(2 if char >= _WIDE else 1 for char in text)


def _plain_words(text: str) -> set[str]:
    return {word for reading in _readings(_spaced(text)) for word in columns(reading)[0].split()}


def _bag(text: str) -> frozenset[str]:
    """Stems of the words that tell something, and pairs of characters where there are no blanks between words."""
    found: set[str] = set()
    for reading in _readings(_spaced(text)):
        words, pairs = columns(_GROUPS.sub("", reading))
        found.update([stem(word) for word in words.split() if word not in SAY_NOTHING])
        found.update([pair for pair in pairs.split() if len(pair) > 1])
    return frozenset(found)


def _spaced(text: str) -> str:
    """A text with a blank where a tag of a page stands, which mostly is one for a line."""
    return _TAGS.sub(" ", without_comments(text)) if "<" in text else text
