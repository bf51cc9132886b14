"""What the words of an entry are looked for by in files that may break their lines elsewhere: words, and pairs of them side by side."""

from __future__ import annotations

from itertools import pairwise

from hoard_git.core.lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_COMMENT = lazy(r"<!--[^\n]{0,800}?-->")
_EDGES = "_.!,;:|>#-+()[]\"'\u2022\u3002\uff01\u2026\u201c\u201d"
_FEWEST = 3
"""Words of which the middle one may stand at either end of a line, and a pair is still on one."""
_SHORT = 8
_LONGEST = 400
_WHOLE = 200
_OPENERS = frozenset(("x", "am", "pm", "utc", "z", "\u2013", "\u2014", "\u00b7"))
_MOST_OPENERS = 9


def plain_words(text: str) -> list[str]:
    """The words of a text without letter case, marks and comments: two texts that state one fact (lint.elsewhere) have the same ones."""
    if "<!--" in text:
        text = _COMMENT.sub(" ", text)
    return [word for token in text.lower().replace("*", "").replace("`", "").split() if (word := token.strip(_EDGES))]


def row_of(words: Sequence[str]) -> str:
    """Words as one line, with a blank at both ends, in which the words of an entry stand in a row however it is wrapped."""
    return f" {' '.join(words)} "


class Rows:
    """All words of a file: their hashes, good for this process, and a row of them that knows where lines begin and end."""

    __slots__ = ("_ends", "_row", "_starts", "words")

    def __init__(self, text: str) -> None:
        """Read a file."""
        found: list[str] = []
        starts, ends, at = set[int](), set[int](), 0
        for line in (_COMMENT.sub(" ", text) if "<!--" in text else text).replace("|", "\n").split("\n"):  # cells stand for themselves
            words = plain_words(line)
            if not words:
                continue
            place = at
            starts.add(place)
            for word in words[
                :_MOST_OPENERS
            ]:  # a time, the number of an item or a box that is ticked: what follows may be all (lint.elsewhere)
                if not (word[0].isdigit() or word in _OPENERS):
                    break
                place += 1 + len(word)
                starts.add(place)
            found += words
            at += sum(map(len, words)) + len(words)
            ends.add(at)
        self.words = frozenset(map(hash, found))
        self._row, self._starts, self._ends = row_of(found), starts, ends

    def holds(self, row: str) -> bool:
        """Whether a row of words begins with a line and ends with one, as an entry does. Of a long one the end may have been cut off."""
        at = self._row.find(row)
        while at >= 0:
            if at in self._starts and (at + len(row) - 1 in self._ends or len(row) > _WHOLE):
                return True
            at = self._row.find(row, at + 1)
        return False


def needle_of(text: str) -> str:
    """The beginning of a text as one line: what is looked for. '' where there is none, or where git could not be asked for it."""
    words = text.split()
    line = " ".join(words)
    if len(line) > _LONGEST:
        line = line[:_LONGEST].rpartition(" ")[0] or line[:_LONGEST]
    return "" if "\0" in line else line


def pairs(needle: str) -> tuple[str, ...]:
    """Texts of which a file that holds the needle, wrapped anywhere, holds one on a line, letter by letter: two pairs with a word in common.

    A line may end on either side of that word, which is a short one where there is a choice: only where it stands on a line alone, nothing
    is found. The longest pairs are taken, as few files hold them by chance.
    """
    words = needle.split(" ")
    if len(words) < _FEWEST:
        return (max(words, key=len).strip("*_`. ") or needle,)
    sizes = [len(one) + len(other) for one, other in pairwise(words)]
    at = max(range(len(sizes) - 1), key=lambda number: (len(words[number + 1]) <= _SHORT, min(sizes[number : number + 2])))
    found = (" ".join(words[at : at + 2]), " ".join(words[at + 1 : at + 3]))
    return tuple(dict.fromkeys(text.strip("*_`. ") or text for text in found))
