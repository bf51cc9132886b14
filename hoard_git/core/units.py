"""Entries and headings with the place and provenance that they have in one file of one snapshot, and what can happen to them."""

from __future__ import annotations

from functools import lru_cache

from hoard_git.core.provenance import Provenance, heading_provenances, provenances
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.document import Document, Entry, Heading
    from hoard_git.core.tags import Tag

_SIGNS = "-+*\u2022"
_SHORT = 2000  # characters of a text whose core is remembered: over many commits the same entries are compared again and again

FEWEST_WORDS, FEWEST_CHARACTERS = 4, 20
"""What is shorter on both counts is too generic to be one fact in two places."""


class Side(Record):
    """One memory file of one snapshot, as the alignment needs it. `default` is what the untagged file counts as."""

    path: str
    file_class: str
    document: Document
    default: Tag | None = None


class Unit(Record):
    """One entry or heading of one file. `title` is the enclosing heading's; `text` is compared exactly, carriage returns apart.

    `kind` is `heading` or the entry's kind; `index` counts headings and entries apart; `heading` and `parent` are the indices of the
    enclosing heading and list item, -1 where there is none.
    """

    path: str
    file_class: str
    kind: str
    line: int
    end_line: int
    text: str
    title: str
    provenance: Provenance
    index: int  # type: ignore[assignment] # tuple.index is not used on units
    heading: int
    parent: int = -1

    @property
    def is_heading(self) -> bool:
        """Whether this is a heading rather than an entry."""
        return self.kind == "heading"


class Change(Record):
    """What happened to one unit.

    `kind` is the first that applies of add, remove, archive, restore, move, retag, edit, retime; `also` holds the others that apply.
    `before` is None for an addition, `after` for a removal. `move` means another file or another heading; `carried` is true when only the file differs and the heading came along.
    """

    kind: str
    before: Unit | None
    after: Unit | None
    also: tuple[str, ...] = ()
    carried: bool = False

    def has(self, *kinds: str) -> bool:
        """Whether any of these kinds applies."""
        return self.kind in kinds or any(kind in kinds for kind in self.also)

    @property
    def unit(self) -> Unit:
        """The unit after the change where there is one, else before it."""
        unit = self.after if self.after is not None else self.before
        if unit is None:
            raise ValueError("a change has at least one side")
        return unit


def kinds_between(before: Unit, after: Unit, *, moved: bool) -> list[str]:
    """What happened to one unit, in the order in which a change is called; `moved` says that it stands somewhere else now."""
    kinds = []
    if before.file_class != "archive" and after.file_class == "archive":
        kinds.append("archive")
    if before.file_class == "archive" and after.file_class != "archive":
        kinds.append("restore")
    if moved:
        kinds.append("move")
    old, new = before.provenance, after.provenance
    if old.src != new.src:
        kinds.append("retag")
    if before.text != after.text:
        kinds.append("edit")
    if (old.ts, old.ttl, old.stale) != (new.ts, new.ttl, new.stale):
        kinds.append("retime")
    return kinds


def heading_unit(side: Side, index: int, provenance: Provenance) -> Unit:
    """Make the unit of one heading."""
    headings = side.document.headings
    heading = headings[index]
    title = headings[heading.parent].title if heading.parent >= 0 else ""
    return Unit(
        side.path, side.file_class, "heading", heading.line, heading.line, heading_text(heading), title, provenance, index, heading.parent
    )


def heading_text(heading: Heading) -> str:
    """A heading's level and title as one text."""
    return "#" * heading.level + " " + heading.title.removesuffix("\r")


def entry_unit(side: Side, index: int, provenance: Provenance) -> Unit:
    """Make the unit of one entry."""
    entry = side.document.entries[index]
    title = side.document.headings[entry.heading].title if entry.heading >= 0 else ""
    return Unit(
        side.path,
        side.file_class,
        entry.kind,
        entry.line,
        entry.end_line,
        plain_text(entry),
        title,
        provenance,
        index,
        entry.heading,
        entry.parent,
    )


def plain_text(entry: Entry) -> str:
    """An entry's text with line ends of one kind: a change from LF to CRLF is no edit."""
    text = entry.text
    return text.replace("\r\n", "\n").removesuffix("\r") if "\r" in text else text


def units(side: Side) -> tuple[list[Unit], list[Unit]]:
    """Return the headings and the entries of one file as units, in file order."""
    document = side.document
    headings = [heading_unit(side, index, found) for index, found in enumerate(heading_provenances(document, side.default))]
    entries = [entry_unit(side, index, found) for index, found in enumerate(provenances(document, side.default))]
    return headings, entries


def core_text(unit: Unit) -> str:
    """The words of an entry without marker and indentation: what makes the same fact elsewhere recognisable."""
    return core_of(unit.text)


def core_of(text: str) -> str:
    """The same for a text: one marker, one checkbox and all indentation taken off, runs of blanks made one."""
    return _short_core(text) if len(text) <= _SHORT else _core(text)


@lru_cache(maxsize=1 << 14)
def _short_core(text: str) -> str:
    return _core(text)


def _core(text: str) -> str:
    text = text.lstrip()
    words = text.split(None, 2)
    if len(words) < 2 or not _is_marker(words[0]):
        return " ".join(text.split())
    rest = text[len(words[0]) :].split()
    if len(rest) > 1 and rest[0] in ("[x]", "[X]", "[~]"):
        return " ".join(rest[1:])
    if len(rest) > 2 and rest[0] == "[" and rest[1] == "]":
        return " ".join(rest[2:])
    return " ".join(rest)


def _is_marker(word: str) -> bool:
    if len(word) == 1:
        return word in _SIGNS or word in "#>"
    if word[-1] in ".)":
        return len(word) <= 10 and word[:-1].isascii() and word[:-1].isdigit()
    return len(word) <= 6 and not word.strip("#")


def fact_key(core: str) -> str:
    """What two copies of a fact share: the words without letter case, emphasis, code marks and the final stop."""
    return core.lower().replace("*", "").replace("`", "").strip("_ .!,;\u3002\uff01\u2026")


def is_telling(core: str) -> bool:
    """Whether a text is long enough to be recognised elsewhere."""
    return len(core) >= FEWEST_CHARACTERS or len(core.split()) >= FEWEST_WORDS
