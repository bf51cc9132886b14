"""What a session with other people may see: nothing that the user said, nothing about people, nothing of MEMORY.md.

A file is private by its class or name, an entry by a tag that says `user`, in doubt by a broken one, and by its words: an entry that repeats a private
one is private, whatever its own tag says. Comments, front matter, chats and raw HTML are never shown; nobody would see them in a rendered page.
"""

from __future__ import annotations

import re

from hoard_git.core.document import NO_PARENT
from hoard_git.core.provenance import heading_provenances, provenances
from hoard_git.core.record import Record
from hoard_git.core.terms import SAY_NOTHING, fold, without_comments
from hoard_git.core.units import plain_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from hoard_git.core.document import Document
    from hoard_git.core.provenance import Provenance
    from hoard_git.core.retelling import Secrets
    from hoard_git.core.tags import Tag

_NAMES = frozenset(
    (
        "user", "users", "owner", "people", "person", "persons", "contact", "contacts", "family", "friend", "friends", "private", "personal", "human",
        "humans", "partner", "children", "kids", "health", "medical",
    )
)  # fmt: skip
_PEOPLE = frozenset(("people", "person", "persons", "contact", "contacts", "family", "friend", "friends", "humans", "users"))
_NOT_NAMES = frozenset(
    ("readme", "index", "notes", "note", "overview", "template", "list", "all", "work", "team", "misc", "other", "others", "about", "new")
)
_KINDS = _NOT_NAMES | frozenset(
    ("preferences", "preference", "profile", "facts", "info", "information", "details", "life", "history", "my", "our")
)
_LONGEST_NAME = 3
_SHOWN = ("item", "text", "row", "code", "quote")


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
    return file_class == "index" or not _NAMES.isdisjoint(_words(path))


def is_about_people(path: str) -> bool:
    """Whether a file lies in a folder about people, so that its name and title are a person's."""
    return any(not _PEOPLE.isdisjoint(_words(folder)) for folder in path.split("/")[:-1])


def names_of(path: str, document: Document) -> set[str]:
    """The names of the person whom a page in a folder about people is about: words of its file's name, and of its title when that is short."""
    titles = [heading.title for heading in document.headings if heading.level == 1 and len(heading.title.split()) <= _LONGEST_NAME]
    told = [path.rsplit("/", 1)[-1].rsplit(".", 1)[0], *titles]
    return {word for text in told for word in _words(text) if _is_name(word)}


def _is_private_title(title: str) -> bool:
    """Whether a heading says that people or private things stand below it: `Family & friends`, `About the user`, not `User feedback on the API`."""
    words = {word for word in _words(title) if word} - SAY_NOTHING
    return bool(words & _NAMES) and words <= _NAMES | _KINDS


def _below_private_titles(document: Document) -> set[int]:
    """The headings, below a file's title, that are private by their words, and all below those."""
    found: set[int] = set()
    for index, heading in enumerate(document.headings):
        if heading.parent in found or (heading.level > 1 and _is_private_title(heading.title)):
            found.add(index)
    return found


def _is_name(word: str) -> bool:
    return (len(word) > 2 or (len(word) == 2 and word >= "\u0e00")) and word not in _NAMES | _NOT_NAMES | SAY_NOTHING


def _words(text: str) -> list[str]:
    return re.split(r"[\W\d_]+", fold(without_comments(text)))


def add_private(secrets: Secrets, document: Document, default: Tag | None, *, whole: bool) -> None:
    """Add the texts of a file's private entries and headings; all of them when the file is private."""
    marked = _marked(document)
    named = _below_private_titles(document)
    for entry, claim in zip(document.entries, provenances(document, default), strict=True):
        if whole or entry.heading in named or _is_users(claim) or _touches(entry.line, entry.end_line, marked):
            secrets.add(plain_text(entry))
    for heading, claim in zip(document.headings, heading_provenances(document, default), strict=True):
        # the title of a whole page names its subject, which is no fact: `Memory`, `Notes`
        if (whole and heading.level > 1) or _is_users(claim) or _touches(heading.line, heading.line, marked):
            secrets.add(heading.title, heading=True)


def sift(document: Document, default: Tag | None, secrets: Secrets) -> Sifted:
    """What of a file may be shown in a group: entries that are nobody's but the agent's, under the headings that still have one."""
    marked = _marked(document)
    claims = heading_provenances(document, default)
    closed = _below_private_titles(document)
    hidden = set(closed)
    for index, heading in enumerate(document.headings):
        tagged = _is_users(claims[index]) or _touches(heading.line, heading.line, marked)
        if tagged or secrets.repeats(heading.title):
            hidden.add(index)
            # a file's title, or a word that memory mentions somewhere, says nothing about what stands below; the name of a private section does
            if tagged or (heading.level > 1 and secrets.holds(heading.title)):
                closed.add(index)
    kept: list[Shown] = []
    used: set[int] = set()
    gone: set[int] = set()
    for number, (entry, claim) in enumerate(zip(document.entries, provenances(document, default), strict=True)):
        private = _is_users(claim) or _touches(entry.line, entry.end_line, marked) or secrets.repeats(plain_text(entry))
        if private or entry.parent in gone or entry.kind not in _SHOWN or _has_hidden(document, entry.heading, closed, claim):
            gone.add(number)
            continue
        kept.append(Shown(entry.line, entry.end_line))
        at = entry.heading
        while at >= 0:
            used.add(at)
            at = document.headings[at].parent
    heads = [Shown(document.headings[index].line, document.headings[index].line) for index in used - hidden]
    return Sifted(tuple(sorted([*kept, *heads])), len(gone))


def _has_hidden(document: Document, heading: int, hidden: Collection[int], claim: Provenance) -> bool:
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


def _marked(document: Document) -> list[tuple[int, int]]:
    """First and last lines of the sections in which everything is private, for a tag there that names the user is broken or out of place."""
    return [
        _section(document, mark.line)
        for mark in document.marks
        if (mark.tag is None or mark.problem or mark.misplaced) and "user" in fold(mark.inner)
    ]


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


def _touches(first: int, last: int, marked: Sequence[tuple[int, int]]) -> bool:
    return any(first <= end and start <= last for start, end in marked)
