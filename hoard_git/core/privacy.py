"""What a session with other people may see: nothing that the user said, nothing about people, nothing of MEMORY.md.

A file is private by its class or name, an entry by a tag that says `user`, in doubt by a broken one, and by its words: an entry that repeats a private
one is private, whatever its own tag says. Comments, front matter, chats and raw HTML are never shown; nobody would see them in a rendered page.
"""

from __future__ import annotations

import re

from hoard_git.core.document import NO_PARENT
from hoard_git.core.passages import bare
from hoard_git.core.provenance import heading_provenances, provenances
from hoard_git.core.record import Record
from hoard_git.core.terms import columns, fold, without_comments
from hoard_git.core.units import plain_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hoard_git.core.document import Document
    from hoard_git.core.provenance import Provenance
    from hoard_git.core.tags import Tag

_NAMES = frozenset(
    (
        "user", "users", "owner", "people", "person", "persons", "contact", "contacts", "family", "friend", "friends", "private", "personal", "human",
        "humans", "partner", "children", "kids", "health", "medical",
    )
)  # fmt: skip
_BORDERS = re.compile(r"[\n.;:!?,()\u3002\uff0c\uff1b\uff1a\u3001\u2013\u2014|]+")
_CLAUSE = 3
"""Words of a part of an entry that tells something by itself."""
_SHOWN = ("item", "text", "row", "code", "quote")
_SHORTEST = 8
"""Characters of a single word that is looked for inside of other entries; shorter ones have to be the whole entry."""


class Shown(Record):
    """Lines that may be shown, first and last, 1-based and inclusive."""

    first: int
    last: int


class Sifted(Record):
    """What of a file may be shown, in order, and how many of its entries are withheld."""

    shown: tuple[Shown, ...]
    withheld: int


def is_private_file(path: str, file_class: str) -> bool:
    """Whether a whole file is private: the index, and what a word of its name or of a folder's says. `path` is below its workspace."""
    words = re.split(r"[\W\d_]+", fold(path))
    return file_class == "index" or not _NAMES.isdisjoint(words)


class Secrets:
    """The words of all private entries, to be found again in others."""

    def __init__(self) -> None:
        """None yet."""
        self._by_first: dict[str, set[str]] = {}
        self._texts: list[str] = []
        self._all = ""

    def add(self, text: str) -> None:
        """Add an entry's or heading's text: all of it, and each of its clauses that says something by itself."""
        for words in _columns(text):
            self._note(words)
            self._texts.append(words)
        for clause in _clauses(text):
            for words in _columns(clause):
                if words.count(" ") >= _CLAUSE - 1:
                    self._note(words)
        self._all = ""

    def _note(self, words: str) -> None:
        self._by_first.setdefault(words.split(" ", 1)[0], set()).add(words)

    def repeats(self, text: str) -> bool:
        """Whether a text says what a private entry says, or a part of it, perhaps among other things."""
        if not self._all:
            self._all = "\n".join(["", *(f" {words} " for words in self._texts), ""])
        for words in _columns(text):
            if words in self._by_first.get(words.split(" ", 1)[0], ()) or (" " in words and f" {words} " in self._all):
                return True
            framed = f" {words} "
            for first in set(words.split(" ")) & self._by_first.keys():
                if any((" " in known or len(known) >= _SHORTEST) and f" {known} " in framed for known in self._by_first[first]):
                    return True
        clauses = [words for clause in _clauses(text) for words in _columns(clause)]
        return any(words.count(" ") >= _CLAUSE - 1 and f" {words} " in self._all for words in clauses)


def _columns(text: str) -> list[str]:
    """What two texts are compared by: their words and pairs, without markup and case."""
    return [words for words in columns(bare(text)) if words]


def _clauses(text: str) -> list[str]:
    return [clause for clause in _BORDERS.split(without_comments(text)) if clause.strip()]


def private_texts(document: Document, default: Tag | None, *, whole: bool) -> Iterator[str]:
    """The texts of a file's private entries and headings; all of them when the file is private."""
    marked = _marked(document)
    for entry, claim in zip(document.entries, provenances(document, default), strict=True):
        if whole or _is_users(claim) or _touches(entry.line, entry.end_line, entry.heading, marked):
            yield plain_text(entry)
    for index, (heading, claim) in enumerate(zip(document.headings, heading_provenances(document, default), strict=True)):
        # the title of a whole page names its subject, which is no fact: `Memory`, `Notes`
        if (whole and heading.level > 1) or _is_users(claim) or _touches(heading.line, heading.line, index, marked):
            yield heading.title


def sift(document: Document, default: Tag | None, secrets: Secrets) -> Sifted:
    """What of a file may be shown in a group: entries that are nobody's but the agent's, under the headings that still have one."""
    marked = _marked(document)
    claims = heading_provenances(document, default)
    hidden = {
        index
        for index, heading in enumerate(document.headings)
        if _is_users(claims[index]) or _touches(heading.line, heading.line, index, marked) or secrets.repeats(heading.title)
    }
    kept: list[Shown] = []
    used: set[int] = set()
    gone: set[int] = set()
    for number, (entry, claim) in enumerate(zip(document.entries, provenances(document, default), strict=True)):
        private = _is_users(claim) or _touches(entry.line, entry.end_line, entry.heading, marked) or secrets.repeats(plain_text(entry))
        if private or entry.parent in gone or entry.kind not in _SHOWN or _has_hidden(document, entry.heading, hidden, claim):
            gone.add(number)
            continue
        kept.append(Shown(entry.line, entry.end_line))
        at = entry.heading
        while at >= 0:
            used.add(at)
            at = document.headings[at].parent
    heads = [Shown(document.headings[index].line, document.headings[index].line) for index in used - hidden]
    return Sifted(tuple(sorted([*kept, *heads])), len(gone))


def _has_hidden(document: Document, heading: int, hidden: Iterable[int], claim: Provenance) -> bool:
    """Whether an entry stands under a private heading and has no tag of its own that takes it out."""
    if claim.origin in ("own", "item"):
        return False
    at = heading
    while at >= 0:
        if at in hidden:
            return True
        at = document.headings[at].parent
    return False


def _is_users(claim: Provenance) -> bool:
    """Whether a tag says that the user said it; that an identity file counts as the user's does not make its every line a private one."""
    return claim.src == "user" and claim.origin not in ("class", "")


class _Marks(Record):
    """Lines with a tag of the user's, and headings below which everything is private (-1: the whole file), for a tag there is broken."""

    lines: frozenset[int]
    sections: tuple[tuple[int, int], ...]


def _marked(document: Document) -> _Marks:
    lines: set[int] = set()
    sections: list[tuple[int, int]] = []
    for mark in document.marks:
        if mark.tag is not None and mark.tag.src == "user":
            lines.update(range(mark.line, max(mark.line, mark.end_line) + 1))
        if (mark.tag is None or mark.problem or mark.misplaced) and "user" in fold(mark.inner):
            sections.append(_section(document, mark.line))
    return _Marks(frozenset(lines), tuple(sections))


def _section(document: Document, line: int) -> tuple[int, int]:
    """The lines of the section around a line, first and last; all lines above the first heading's."""
    last = len(document.lines)
    around = NO_PARENT
    for index, heading in enumerate(document.headings):
        if heading.line <= line:
            around = index
    if around < 0:
        return 1, last
    level = document.headings[around].level
    after = [heading.line for heading in document.headings[around + 1 :] if heading.level <= level]
    return document.headings[around].line, (after[0] - 1 if after else last)


def _touches(first: int, last: int, _heading: int, marked: _Marks) -> bool:
    if any(number in marked.lines for number in range(first, last + 1)) if marked.lines else False:
        return True
    return any(first <= end and start <= last for start, end in marked.sections)
