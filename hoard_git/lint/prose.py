"""Running text for content rules: paragraphs with their code blanked out, links, decoded text, and whose a line is."""

from __future__ import annotations

import re
from bisect import bisect_right

from hoard_git.core import document as kind
from hoard_git.core.lazy import lazy
from hoard_git.core.provenance import Provenance, file_provenance, heading_provenances, provenances
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.document import Document
    from hoard_git.lint.scene import FileView

_SPECIAL = lazy(r"\\.|`+|<!--|<(?=[A-Za-z/])", re.DOTALL)
_TAG = lazy(r"""</?[A-Za-z][A-Za-z0-9-]{0,40}+(?:[^<>"'`]{0,400}+(?:"[^"<>]{0,1000}+"|'[^'<>]{0,1000}+')){0,40}+[^<>"'`]{0,400}+>""")
_BRACKET = lazy(r"\\.|[\[\]]", re.DOTALL)
_TARGET = lazy(r"\(\s{0,8}+(?:<([^<>\n]{0,2000}+)>|((?:[^\s()<>\]]|\([^\s()<>\]]{0,200}+\)){0,2000}+))")
_SPACED = lazy(r"[^\s()<>\"']{1,200}+(?: [^\s()<>\"']{1,200}+){1,12}(?<=\.md)(?=\))")
"""A file's name with blanks in it, as note books write it: markdown reads no link there, and people follow it all the same."""
_LABEL = lazy(r"\[([^\[\]\n]{0,300}+)\]")
_ENTITY = lazy(r"&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z]{2,16}));", re.ASCII)
_PERCENT = lazy(r"(?:%[0-9A-Fa-f]{2}){1,200}", re.ASCII)
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": " ", "sol": "/", "period": ".", "colon": ":", "bsol": "\\", "commat": "@",
          "lsqb": "[", "rsqb": "]", "lpar": "(", "rpar": ")", "excl": "!", "num": "#", "dollar": "$", "lowbar": "_", "shy": "", "zwnj": "", "zwj": "",
          "Tab": " ", "NewLine": " ", "ZeroWidthSpace": "", "NoBreak": "", "ensp": " ", "emsp": " ", "thinsp": " "}  # fmt: skip

_FLOWING = (kind.TEXT, kind.ITEM, kind.QUOTE)


class Run(Record):
    """The lines of one paragraph (or heading, row, raw HTML, code line, front matter line), joined by newlines.

    `text` has code spans and comments blanked out, character for character, in what is not `code`, so that places stay right.
    """

    line: int
    text: str
    kind: str

    def places(self) -> Places:
        """What tells the places of indices into the text."""
        return Places(self.line, self.text)


class Places:
    """Turns indices into a text of several lines into lines and columns, in logarithmic time each."""

    def __init__(self, line: int, text: str) -> None:
        """Take the 1-based number of the first line, and the text."""
        self._line = line
        self._starts = [0]
        at = text.find("\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = text.find("\n", at + 1)

    def place(self, index: int) -> tuple[int, int]:
        """Return the 1-based line and column of an index."""
        row = bisect_right(self._starts, index) - 1
        return self._line + row, index - self._starts[row] + 1


class Link(Record):
    """A link or image: 0-based `start`, its target as written ('' for a reference) and the reference label in lower case."""

    start: int
    image: bool
    target: str
    label: str


def spans(file: FileView) -> Iterator[tuple[int, int, str]]:
    """Yield first line, last line and kind of each paragraph that holds a line under judgement, in order.

    A heading, row, code line, comment line or front matter line is a paragraph of its own.
    """
    document = file.document
    kinds = document.kinds
    done = 0
    for number in range(1, len(kinds) + 1) if file.touched is None else sorted(file.touched):
        letter = kinds[number - 1]
        if number <= done or letter in {kind.BLANK, kind.RULE}:
            continue
        start, end = _paragraph(document, number)
        done = end
        yield start, end, kinds[start - 1] if letter == kind.TEXT else letter


def runs(file: FileView) -> Iterator[Run]:
    """Yield the paragraphs that hold a line under judgement, in order, without code lines and comments."""
    lines = file.document.lines
    for start, end, letter in spans(file):
        if letter == kind.FRONT:
            yield Run(start, lines[start - 1], letter)
        elif letter not in {kind.CODE, kind.COMMENT}:
            text = "\n".join(lines[start - 1 : end])
            yield Run(start, blank_comments(text) if letter == kind.HTML else blank_code(text), letter)


def _paragraph(document: Document, number: int) -> tuple[int, int]:
    start = end = number
    while start > 1 and _continues(document, start):
        start -= 1
    while end < len(document.lines) and _continues(document, end + 1):
        end += 1
    return start, end


def _continues(document: Document, number: int) -> bool:
    """Whether a line belongs to the paragraph of the line above it."""
    kinds = document.kinds
    above, here = kinds[number - 2], kinds[number - 1]
    if here == kind.TEXT:
        return above in _FLOWING
    if here == kind.QUOTE:
        return above == kind.QUOTE and bool(document.lines[number - 1].strip(" \t\r>")) and bool(document.lines[number - 2].strip(" \t\r>"))
    return here == kind.HTML and above == kind.HTML


def blank_comments(text: str) -> str:
    """Replace comments by blanks; newlines stay. An opener without an end stays, too."""
    out, copied = [], 0
    at = text.find("<!--")
    while at >= 0:
        end = text.find("-->", at + 4)
        if end < 0:
            break
        out += [text[copied:at], _blank(text[at : end + 3])]
        copied = end + 3
        at = text.find("<!--", copied)
    return "".join(out) + text[copied:]


def blank_code(text: str) -> str:
    """Replace code spans and comments of one paragraph by blanks, by CommonMark's precedence; linear in the length."""
    if "`" not in text and "<!--" not in text:
        return text
    spans: dict[int, list[int]] = {}
    for tick in re.finditer(r"`+", text):
        spans.setdefault(tick.end() - tick.start(), []).append(tick.start())
    for starts in spans.values():
        starts.reverse()
    out, position, copied = [], 0, 0
    last = text.rfind("-->")
    while (match := _SPECIAL.search(text, position)) is not None:
        start, what = match.start(), match.group()
        position = match.end()
        if what[0] == "`":
            starts = spans[len(what)]
            while starts and starts[-1] < position:
                starts.pop()
            if not starts:
                continue
            position = starts.pop() + len(what)
        elif what == "<!--":
            if last < start + 4:
                continue
            close = text.find("-->", start + 4)
            position = close + 3
        else:
            tag = _TAG.match(text, start) if what == "<" else None
            position = tag.end() if tag is not None else position
            continue
        out += [text[copied:start], _blank(text[start:position])]
        copied = position
    return "".join(out) + text[copied:]


def _blank(text: str) -> str:
    return "\n".join(" " * len(line) for line in text.split("\n"))


def find_links(text: str) -> list[Link]:
    """Find inline and reference links and images of one paragraph, inner ones first; `[label]` alone counts as a reference. Linear."""
    found: list[Link] = []
    opened: list[int] = []
    for match in _BRACKET.finditer(text):
        what, at = match.group(), match.start()
        if what == "[":
            opened.append(at)
        elif what == "]" and opened:
            start = opened.pop()
            image = start > 0 and text[start - 1] == "!"
            target = _TARGET.match(text, at + 1)
            if target is not None:
                written = target[1]
                if written is None:
                    spaced = _SPACED.match(text, target.start(2))
                    written = spaced[0] if spaced is not None else target[2]
                found.append(Link(start - image, image, written, ""))
                continue
            label = _LABEL.match(text, at + 1)
            name = label[1] if label is not None and label[1].strip() else text[start + 1 : min(at, start + 301)]
            found.append(Link(start - image, image, "", " ".join(name.lower().split())))
    return found


def decode(text: str) -> str:
    """Resolve HTML entities and percent coding one level, for looking at what a reader or a loader would see."""
    if "&" in text:
        text = _ENTITY.sub(_entity, text)
    if "%" in text:
        text = _PERCENT.sub(lambda match: bytes.fromhex(match.group().replace("%", "")).decode("utf-8", "replace"), text)
    return text


def _entity(match: re.Match[str]) -> str:
    if match[3]:
        return _NAMED.get(match[3], match.group())
    code = int(match[1]) if match[1] else int(match[2], 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else match.group()


class Owners:
    """Whose the lines of one file are: effective provenance by line, computed once and only when somebody asks."""

    def __init__(self, file: FileView) -> None:
        """Prepare for one file."""
        self._file = file
        self._lines: dict[int, Provenance] = {}
        self._starts: list[int] = []
        self._by_heading: tuple[Provenance, ...] = ()

    def at(self, line: int) -> Provenance:
        """The provenance of the entry or heading on a 1-based line; on a line of neither, that of the section."""
        document = self._file.document
        if not self._starts:
            self._prepare(document)
        found = self._lines.get(line)
        if found is not None:
            return found
        section = bisect_right(self._starts, line) - 2
        return self._by_heading[section] if section >= 0 else file_provenance(document, self._file.default)

    def _prepare(self, document: Document) -> None:
        """Note whose each line is: where entries lie in one another, the later one's."""
        default = self._file.default
        for entry, found in zip(document.entries, provenances(document, default), strict=True):
            for line in range(entry.line, entry.end_line + 1):
                self._lines[line] = found
        self._by_heading = heading_provenances(document, default)
        self._starts = [0, *[heading.line for heading in document.headings]]

    def source(self, line: int) -> str:
        """The source of a line; '' is untagged."""
        return self.at(line).src
