"""Entries that say the same in places where that makes them one fact: which groups there are, and who stays (DESIGN §9).

The same words are not always the same fact. `port 8080` under two headings or under two list items is two facts, the logs of two days tell of
two events, and a numbered step comes again because the procedure needs it twice.
"""

from __future__ import annotations

import re
from functools import lru_cache

from hoard_git.core._contextwords import DEICTIC, SUBJECTLESS, WIDE_DEICTIC
from hoard_git.core.dates import parse_day
from hoard_git.core.document import ITEM, TEXT
from hoard_git.core.files import log_day
from hoard_git.core.model import RANK
from hoard_git.core.pointers import is_pointer
from hoard_git.core.record import Record
from hoard_git.core.sameness import DAYS_AND_MONTHS, FORM, WIDE_SIGN, is_sentence, same_form, words_of
from hoard_git.core.slugs import slug

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from hoard_git.core.document import Document, Entry
    from hoard_git.core.provenance import Provenance

CLASSES = ("index", "topic", "daily")
"""What is looked at: the archive, identity files, the heartbeat list and wiki pages are left alone."""

FEWEST = 3
"""Words of a fact that is the same under headings of the same name in MEMORY.md and in a topic file whose title differs."""

_LABEL_WORDS = 4
_BELOW = "\x1e"
_BOLD = re.compile(r"(?:\*\*[^*]{1,200}\*\*|__[^_]{1,200}__):?")
_ORDERED = re.compile(r"[0-9]{1,9}[.)](?:\s|$)")
_WORDS = re.compile(r"[^\W\d_]+")
_MARKED = re.compile(r"(?:[-+*\u2022]|[0-9]{1,9}[.)])\s+")
_NAMING = re.compile(r"[0-9`/@_]|[^\W\d_][.:][^\W\d_]|[a-z][A-Z]|[A-Z]{2}")
_AROUND = "([\"'\u00ab*_)]\u00bb,;:.!?"


class Statement(Record):
    """One entry as it is compared.

    `number` is its index in the document. `form` is what it says (core.sameness); for an item with children, all of them. `place` is where it says
    it: equal forms at equal places are one fact. `topic` is its innermost heading, `day` that of a daily log, `moment` what `today` in its words
    may depend on. `alone` says that it can be understood without its heading, `nested` that it stands under a list item.
    """

    path: str
    file_class: str
    number: int
    line: int
    end_line: int
    text: str
    form: str
    place: tuple[object, ...]
    topic: str
    day: int
    moment: str
    src: str
    ts: str
    ev: str
    alone: bool
    leaf: bool
    nested: bool
    ordered: bool

    @property
    def stays(self) -> bool:
        """Whether it stays even when another one says the same: a user's words, and a numbered step."""
        return self.src == "user" or self.ordered


class Group(Record):
    """Statements that are one fact: the one to keep, those that may go, and others that say the same and stay all the same."""

    keeper: Statement
    goes: tuple[Statement, ...]
    others: tuple[Statement, ...]


def trust_order(statement: Statement) -> tuple[int, int, int, str, int]:
    """Sort key: the most trusted first, then the newest, then the first (MEMORY.md before topic files, then path and line)."""
    day = parse_day(statement.ts)
    return -RANK[statement.src], -(day or 0), CLASSES.index(statement.file_class), statement.path, statement.line


# -------------------------------------------------------------------- reading


def find_statements(
    path: str, file_class: str, document: Document, claims: Sequence[Provenance], wanted: Collection[int] | None = None
) -> list[Statement]:
    """The entries of one file that may be one of several: items and single paragraphs outside code, tables, quotes and managed regions.

    `wanted` limits them to some indices of the document's entries.
    """
    return list(_Reading(path, file_class, document, claims).run(wanted)) if file_class in CLASSES else []


class _Reading:
    """One pass over a file."""

    def __init__(self, path: str, file_class: str, document: Document, claims: Sequence[Provenance]) -> None:
        self.path = path
        self.file_class = file_class
        self.document = document
        self.claims = claims
        self.day = (log_day(path) or -1) if file_class == "daily" else 0
        self.parents = {entry.parent for entry in document.entries}
        self.headings = _heading_paths(document, path, file_class)

    def run(self, wanted: Collection[int] | None) -> Iterator[Statement]:
        """Yield the wanted ones, None for all."""
        document = self.document
        lead, under = "", -1
        for number, entry in enumerate(document.entries):
            if entry.heading != under:
                lead, under = "", entry.heading
            if entry.kind == "text" and entry.parent < 0 and self._leads(number):
                lead = same_form(entry.text)
            elif wanted is not None and number not in wanted:
                continue
            elif entry.kind in ("item", "text") and self._is_prose(entry) and (found := self._statement(number, lead)) is not None:
                yield found

    def _is_prose(self, entry: Entry) -> bool:
        kinds = self.document.kinds[entry.line - 1 : entry.end_line]
        if kinds.strip(ITEM + TEXT) or (self.document.regions and self.document.in_region(entry.line)):
            return False
        return not (entry.text.rstrip().endswith((":", "\uff1a")) or is_pointer(entry.text))

    def _leads(self, number: int) -> bool:
        """Whether a paragraph speaks of what comes behind it: a label, a line in bold used as a heading, or text right above a list or code."""
        entry = self.document.entries[number]
        text = entry.text.strip()
        if text.endswith((":", "\uff1a")) or _BOLD.fullmatch(text):
            return True
        if number + 1 == len(self.document.entries):
            return False
        behind = self.document.entries[number + 1]
        if behind.heading != entry.heading or behind.kind == "text":
            return False
        return behind.line == entry.end_line + 1 or behind.kind in ("code", "row", "html")

    def _statement(self, number: int, lead: str) -> Statement | None:
        entry, claim = self.document.entries[number], self.claims[number]
        nested, leaf = entry.parent >= 0, number not in self.parents
        form = same_form(self._text(entry))
        if not _says(form) or (nested and not leaf):
            return None
        if not leaf:
            below = self._below(number)
            if below is None:
                return None
            form += below
        topic, above, days = self.headings[entry.heading]
        moment = f"{claim.ts} {days}" if _is_deictic(form) else ""
        place: tuple[object, ...] = (self.path, entry.parent) if nested else (above if topic else self.path, topic, lead)
        daily = self.file_class == "daily"
        if daily:  # a log tells what happened: the same words in another section of it happened again
            if not topic:
                return None
            place = (self.path, entry.heading, *place)
        return Statement(
            self.path,
            self.file_class,
            number,
            entry.line,
            entry.end_line,
            entry.text.replace("\r", ""),
            form,
            (*place, moment),
            topic,
            self.day,
            moment,
            claim.src,
            claim.ts,
            claim.ev,
            leaf and not nested and not lead and not daily and stands_alone(form) and names_something(entry.text),
            leaf,
            nested,
            _ORDERED.match(entry.text.lstrip()) is not None,
        )

    def _text(self, entry: Entry) -> str:
        """The words, with relative links as repository paths: the same link in another folder is another one."""
        if "](" not in entry.text and "]:" not in entry.text:
            return entry.text
        from hoard_git.core.links import resolved

        return resolved(entry.text, self.path)

    def _below(self, number: int) -> str | None:
        """What stands under an item, as one text; None where its sources differ or a part of it is not to be touched."""
        depth = {number: 0}
        parts = []
        for at in range(number + 1, len(self.document.entries)):
            entry = self.document.entries[at]
            if entry.parent not in depth:
                break
            if self.claims[at].src != self.claims[number].src or (self.document.regions and self.document.in_region(entry.line)):
                return None
            depth[at] = depth[entry.parent] + 1
            words = same_form(self._text(entry)) if entry.kind in ("item", "text") else entry.text
            parts.append(f"{_BELOW}{depth[at]}{entry.kind}{words}")
        return "".join(parts)


@lru_cache(maxsize=1 << 13)
def _says(form: str) -> bool:
    """Whether a form holds any letter or digit."""
    return any(sign.isalnum() for sign in form)


def _heading_paths(document: Document, path: str, file_class: str) -> dict[int, tuple[str, tuple[str, ...], str]]:
    """For each heading, and -1 for none: its slug, the outline down to it in comparable words, and the days that it names.

    MEMORY.md's own title names no subject and is left out. A title that repeats the file's name counts as that name.
    """
    found: dict[int, tuple[str, tuple[str, ...], str]] = {-1: ("", (), "")}
    for number, heading in enumerate(document.headings):
        _slug, above, days = found[heading.parent]
        title = heading.title.strip()
        day = title[:10] if parse_day(title[:10]) is not None else ""
        words = title[10:].lstrip(" \t:,.\u2013\u2014-") if day else title
        name = same_form(words or title)
        stem = path.rpartition("/")[2].removesuffix(".md")
        if number == 0 and heading.level == 1 and file_class == "index":
            outline = above
        else:
            name = same_form(stem) if number == 0 and words in (path, f"{stem}.md") else name
            outline = above if above[-1:] == (name,) else (*above, name)
        found[number] = slug(title), outline, f"{days} {day}".strip()
    return found


@lru_cache(maxsize=1 << 13)
def _is_deictic(form: str) -> bool:
    """Whether a sentence means another day when it is said on another day."""
    words = {word for part in form.split(FORM) for word in _WORDS.findall(part.lower())}
    return not DEICTIC.isdisjoint(words) or any(word in form for word in WIDE_DEICTIC)


@lru_cache(maxsize=1 << 13)
def stands_alone(form: str) -> bool:
    """Whether a statement names what it is about, so that its heading is not needed to understand it.

    `Status: …`, `It runs …` and `Runs …` do not.
    """
    words = words_of(form)
    if not words or any(word.endswith((":", "\uff1a")) for word in words[:_LABEL_WORDS]):
        return False
    first = words[0].lower().strip("([\"'")
    return first not in SUBJECTLESS and not words[0].startswith("[")


def names_something(text: str) -> bool:
    """Whether a sentence names what it is about, so that it is the same fact under every heading.

    `The main branch is protected` is another fact for each project. A name, a number, code, an address does; Chinese and the like have no
    capitals, so their length has to do.
    """
    words = _MARKED.sub("", text.strip(), count=1).split()
    if any(WIDE_SIGN.search(word) or _NAMING.search(word) for word in words):
        return True
    inside = [word.strip(_AROUND) for word in words[1:]]
    return any(word[:1].isupper() and word.lower() not in DAYS_AND_MONTHS for word in inside)


# -------------------------------------------------------------------- grouping


def find_groups(statements: Iterable[Statement]) -> list[Group]:
    """Groups of two or more that are one fact, by the place of the one to keep. Linear; the statements are those of one workspace."""
    by_form: dict[tuple[int, str], list[Statement]] = {}
    for statement in statements:
        by_form.setdefault((statement.day, statement.form), []).append(statement)
    groups = []
    for alike in by_form.values():
        if len(alike) > 1:
            groups += [_group(together) for together in _split(alike) if len(together) > 1]
    return sorted(groups, key=lambda group: (group.keeper.path, group.keeper.line))


def _split(alike: Sequence[Statement]) -> list[list[Statement]]:
    """Part statements of one form into facts by their places."""
    form = alike[0].form
    parts: dict[object, list[Statement]] = {}
    if is_sentence(form):
        for statement in alike:
            anywhere = statement.alone and not statement.ordered
            parts.setdefault(("", statement.moment) if anywhere else (statement.place, *_file(statement)), []).append(statement)
        return list(parts.values())
    for statement in alike:
        parts.setdefault((statement.place, *_file(statement)), []).append(statement)
    return _join_sidecars(list(parts.values())) if len(words_of(form)) >= FEWEST else list(parts.values())


def _file(statement: Statement) -> tuple[str, ...]:
    """A daily log's headings repeat from log to log of one day; only the classes that are one memory are compared across files."""
    return (statement.path,) if statement.file_class == "daily" and statement.day < 0 else ()


def _join_sidecars(parts: list[list[Statement]]) -> list[list[Statement]]:
    """Put what MEMORY.md says under a heading together with the one topic file that says it under a heading of the same name."""
    index = [part for part in parts if _may_join(part, "index")]
    topic = [part for part in parts if _may_join(part, "topic")]
    for part in index:
        twins = [other for other in topic if (other[0].topic, other[0].moment) == (part[0].topic, part[0].moment)]
        if len(twins) == 1 and not any(other is not part and other[0].topic == part[0].topic for other in index):
            part.extend(twins[0])
            parts = [other for other in parts if other is not twins[0]]
    return parts


def _may_join(part: Sequence[Statement], file_class: str) -> bool:
    return bool(part[0].topic) and all(one.alone and one.file_class == file_class for one in part)


def _group(together: Sequence[Statement]) -> Group:
    ranked = sorted(together, key=trust_order)
    rest = ranked[1:]
    return Group(ranked[0], tuple(one for one in rest if not one.stays), tuple(one for one in rest if one.stays))
