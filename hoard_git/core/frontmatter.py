"""Front matter of a wiki page, read strictly: the part of YAML on which all its readers agree, and what is wrong where it goes beyond.

A value is a text on one line (plain, 'single' or "double" quoted), a list of such texts in brackets or one below the other, or nothing. Other people's
keys may hold what YAML allows, two-level mappings and folded texts among them, and are kept as lines; only what makes readers disagree is a fault
there: a key that stands twice, an anchor, an alias, a tag, a tab.
"""

from __future__ import annotations

import re

from hoard_git.core.lazy import lazy
from hoard_git.core.record import Record
from hoard_git.core.tags import KEYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.core.document import Document

LISTS = ("tags", "links", "aliases")
"""Keys whose value is a list of texts."""
KNOWN = ("title", *KEYS, *LISTS)
"""The keys of a page."""
LARGEST = 16 * 1024
"""Characters of a front matter."""
MOST_ITEMS = 200
LONGEST = 200
"""Characters of a title, a tag, or the name in a link."""

_KEY = lazy(r"""([A-Za-z0-9_][\w.-]{0,60}(?: [\w.-]{1,60}){0,2}|"[^"\\]{1,200}"|'[^']{1,200}'):(?:[ \t]+(.*))?$""")
_ITEM = lazy(r"( *)-(?:[ \t]+(.*))?$")
_SPECIAL = lazy(r"[&*!|>%@`{}\[\],?]|-(?:\s|$)|:(?:\s|$)")
"""How a plain text does not begin: each of these means something else to YAML."""
_WILD = lazy(r"(?:^|[\s\[,:-])(?:&[\w-]|\*[\w-]+(?:\s|[,\]}]|$)|![\w!<])")
_DOUBLE = lazy(r'"((?:[^"\\]|\\["\\/])*)"')
_SINGLE = lazy(r"'((?:[^']|'')*)'")


class Value(Record):
    """One key: its texts (one for a text, any number for a list, none where it is empty or of a kind that is kept as it is), and its 1-based lines.

    `kind` is `text`, `list`, `empty` or `other`.
    """

    key: str
    kind: str
    texts: tuple[str, ...]
    line: int
    end_line: int
    lines: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The text of a value that is one, else ''."""
        return self.texts[0] if self.kind == "text" else ""


class Fault(Record):
    """What is wrong on a 1-based line, one clause without the value."""

    line: int
    what: str


class Front(Record):
    """A front matter: 1-based lines of its two rules (0 where there is none), its keys in order, what is wrong with it."""

    first: int = 0
    last: int = 0
    values: tuple[Value, ...] = ()
    faults: tuple[Fault, ...] = ()

    def get(self, key: str) -> Value | None:
        """The value of a key; None when it is not there."""
        return next((value for value in self.values if value.key == key), None)

    def texts(self, key: str) -> tuple[str, ...]:
        """The texts of a key, () when it is not there."""
        value = self.get(key)
        return value.texts if value is not None else ()


def read_front_matter(document: Document) -> Front:
    """Read the front matter of a page. Never fails: faults are part of the answer."""
    lines = document.lines
    if not document.front:
        return _not_read(lines)
    entry = document.entries[0]
    first, last = entry.line, entry.end_line
    texts = [line.removesuffix("\r") for line in lines[first : last - 1]]
    if sum(map(len, texts)) > LARGEST:
        return Front(first, last, (), (Fault(first, f"it is longer than {LARGEST >> 10} KB"),))
    reading = _Reading(texts, first + 1)
    reading.run()
    return Front(first, last, tuple(reading.values), tuple(sorted({*reading.faults, *_wrong_kinds(reading.values)})))


def _not_read(lines: Sequence[str]) -> Front:
    """A file whose first line opens a front matter that is none: not closed, or with a line that no key stands on."""
    head = lines[0].removeprefix("\ufeff").rstrip(" \t\r")
    if head != "---":
        return Front()
    for number, line in enumerate(lines[1:400], 2):
        text = line.rstrip(" \t\r")
        if text in ("---", "..."):
            return Front()  # between two rules stands text, or nothing
        if text and text[0] != "#":
            return Front(faults=(_why_not(lines, number),)) if _KEY.match(text) else Front()
    return Front()


def _why_not(lines: Sequence[str], number: int) -> Fault:
    for at, line in enumerate(lines[number - 1 : 400], number):
        text = line.rstrip(" \t\r")
        if text in ("---", "..."):
            return Fault(number, "it cannot be read as keys and values")
        if text and text[0] not in " \t#-]}" and _KEY.match(text) is None:
            closed = any(later.rstrip(" \t\r") == "---" for later in lines[at:400])
            return Fault(at, "this line is no key with a value") if closed else Fault(1, "it is opened with --- and never closed")
    return Fault(1, "it is opened with --- and never closed")


class _Reading:
    """Reads the lines between the rules once."""

    def __init__(self, lines: Sequence[str], number: int) -> None:
        self._lines = lines
        self._number = number
        self.values: list[Value] = []
        self.faults: list[Fault] = []

    def run(self) -> None:
        """Read every key."""
        at = 0
        seen: set[str] = set()
        while at < len(self._lines):
            line = self._lines[at]
            if not line.strip() or line.lstrip(" ")[:1] == "#":
                at += 1
                continue
            match = _KEY.match(line)
            if match is None:
                self._fault(at, "this line is no key with a value")
                at += 1
                continue
            key = _bare_key(match[1])
            end = self._end(at)
            if key in seen:
                self._fault(at, f"{key} stands twice" if key in KNOWN else "a key stands twice")
            seen.add(key)
            self._value(key, (match[2] or "").strip(), at, end)
            at = end

    def _end(self, at: int) -> int:
        """The index behind the lines that belong to the key at `at`: deeper ones, list items, what closes a bracket."""
        end = at + 1
        while end < len(self._lines):
            line = self._lines[end]
            if line.strip() and line[0] not in " \t-#]}":
                break
            if line[:1] == "-" and not _ITEM.match(line):
                break
            end += 1
        while end > at + 1 and (not self._lines[end - 1].strip() or self._lines[end - 1].lstrip()[:1] == "#"):
            end -= 1
        return end

    def _value(self, key: str, text: str, at: int, end: int) -> None:
        below = [number for number in range(at + 1, end) if self._lines[number].strip() and self._lines[number].lstrip()[:1] != "#"]
        self._look_for_wild(key, text, at, below)
        items = [_ITEM.match(self._lines[number]) for number in below]
        if not _without_comment(text) and below and all(items):
            found = self._items([(number, match[2] or "") for number, match in zip(below, items, strict=True) if match is not None], key)
            self._keep(key, "other" if found is None else "list", found or (), at, end, tuple(below))
        elif not below and text.startswith("["):
            found = _flow(text)
            if found is None and key in KNOWN:
                self._fault(at, f"{key} is no list of texts in brackets")
            self._keep(key, "other" if found is None else "list", found or (), at, end)
        elif not below:
            self._scalar(key, text, at, end)
        else:
            if key in KNOWN:
                self._fault(at, f"{key} holds more than one line" if key not in LISTS else f"{key} is no list of texts")
            self._keep(key, "other", (), at, end)

    def _scalar(self, key: str, text: str, at: int, end: int) -> None:
        found = _scalar(text)
        if found is None:
            self._fault(
                at, f"{key} has a value that YAML readers disagree about; put it in quotes" if key in KNOWN else "a value needs quotes"
            )
            self._keep(key, "other", (), at, end)
        elif not found and not text.startswith(("'", '"')):
            self._keep(key, "empty", (), at, end)
        else:
            self._keep(key, "text", (found,), at, end)

    def _items(self, items: Sequence[tuple[int, str]], key: str) -> tuple[str, ...] | None:
        found = []
        for number, raw in items:
            text = _scalar(raw.strip())
            if not text:
                if key in KNOWN:
                    self._fault(number, f"an item of {key} is no text on one line; put it in quotes")
                return None
            found.append(text)
        return tuple(found)

    def _look_for_wild(self, key: str, text: str, at: int, below: Sequence[int]) -> None:
        """Anchors, aliases and tags give a value another meaning than its text, and tabs are no indentation."""
        for number in (at, *below):
            line = text if number == at else self._lines[number]
            if _WILD.search(_unquoted(line)):
                self._fault(number, "anchors, aliases and tags of YAML are not read")
            if "\t" in line[: len(line) - len(line.lstrip())]:
                self._fault(number, "a tab indents it")
            if any(c < " " and c != "\t" or "\x7f" <= c < "\xa0" or c in "\u2028\u2029" for c in line):
                self._fault(
                    number,
                    f"{key} holds a control character" if key in KNOWN else "it holds a control character",
                )

    def _keep(self, key: str, kind: str, texts: tuple[str, ...], at: int, end: int, below: tuple[int, ...] = ()) -> None:
        lines = tuple(self._number + number for number in below) or (self._number + at,) * len(texts)
        self.values.append(Value(key, kind, texts, self._number + at, self._number + end - 1, lines))

    def _fault(self, at: int, what: str) -> None:
        self.faults.append(Fault(self._number + at, what))


def _wrong_kinds(values: Sequence[Value]) -> list[Fault]:
    """Known keys that are read and mean nothing."""
    found = []
    for value in values:
        if value.key == "title" and value.kind != "other" and not (value.kind == "text" and value.text.strip()):
            found.append(Fault(value.line, "title is no text"))
        if value.key in ("title", *LISTS) and any(len(text) > LONGEST for text in value.texts):
            found.append(Fault(value.line, f"{value.key} holds a text of more than {LONGEST} characters"))
        if value.key in LISTS and len(value.texts) > MOST_ITEMS:
            found.append(Fault(value.line, f"{value.key} holds more than {MOST_ITEMS} texts"))
    return found


def _bare_key(text: str) -> str:
    return text[1:-1] if text[0] in "\"'" else text


def _unquoted(text: str) -> str:
    """A line without what stands in quotes, in double brackets and behind a comment sign."""
    text = _SINGLE.sub("''", _DOUBLE.sub('""', text))
    return _without_comment(text)


def _without_comment(text: str) -> str:
    if text.startswith("#"):
        return ""
    at = text.find(" #")
    return text[:at].rstrip() if at >= 0 else text


def trailing_comment(line: str) -> str:
    """The comment at the end of a line, with the blanks before it; '' when there is none."""
    bare = _SINGLE.sub(lambda match: "x" * len(match[0]), _DOUBLE.sub(lambda match: "x" * len(match[0]), line))
    at = bare.find(" #")
    return line[len(bare[:at].rstrip()) :] if at >= 0 else ""


def _scalar(text: str) -> str | None:
    """The text of a scalar on one line, '' for nothing, None where readers may disagree."""
    for pattern, unescape in ((_DOUBLE, _unescape_double), (_SINGLE, _unescape_single)):
        match = pattern.match(text)
        if match is not None:
            return unescape(match[1]) if not _without_comment(" " + text[match.end() :]).strip() else None
    if text[:1] in ("'", '"'):
        return None
    plain = _without_comment(text)
    if _SPECIAL.match(plain) or ": " in plain or plain.endswith(":") or ":\t" in plain or "\t#" in plain:
        return None
    return plain


def _unescape_double(text: str) -> str:
    return re.sub(r'\\(["\\/])', r"\1", text)


def _unescape_single(text: str) -> str:
    return text.replace("''", "'")


def _flow(text: str) -> tuple[str, ...] | None:
    """The texts of `[a, "b, c", [[d]]]`; None where it is no list of texts. Wikilinks without quotes are what people write, and YAML does not."""
    found: list[str] = []
    at = 1
    while at < len(text):
        while text[at : at + 1] == " ":
            at += 1
        if text[at : at + 1] == "]":
            return tuple(found) if not _without_comment(" " + text[at + 1 :]).strip() else None
        match = _DOUBLE.match(text, at) or _SINGLE.match(text, at)
        if match is not None:
            found.append((_unescape_double if match[0][0] == '"' else _unescape_single)(match[1]))
            at = match.end()
        else:
            stop = at
            while stop < len(text) and text[stop] not in ",[]{}":
                stop += 1
            plain = text[at:stop].strip()
            if not plain or plain != _scalar(plain) or text[stop : stop + 1] not in (",", "]") or " #" in text[at:stop]:
                return None
            found.append(plain)
            at = stop
        while text[at : at + 1] == " ":
            at += 1
        if text[at : at + 1] == ",":
            at += 1
        elif text[at : at + 1] != "]":
            return None
    return None


def write_text(text: str) -> str:
    """A text as a scalar that every reader reads back: plain where it is words, else in double quotes."""
    if (
        re.fullmatch(r"[A-Za-z][A-Za-z0-9 _./()+-]{0,200}", text)
        and not text.endswith(" ")
        and text.lower() not in _WORDS
        and " -" not in text
    ):
        return text
    if re.fullmatch(r"\d{4}-\d\d-\d\d|[1-9][0-9]{0,3}[dwy]", text, re.ASCII):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n", "nan", "inf"})
"""Plain words that some reader takes for something else than a text."""


def write_list(texts: Sequence[str]) -> str:
    """A list of texts on one line."""
    return "[" + ", ".join([write_text(text) for text in texts]) + "]"
