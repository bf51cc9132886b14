"""Credentials taken out of what is shown: found in the whole version of a file, as the gate does, and carried to the lines that are printed.

A line alone does not say what it is: a value stands below its label, in a cell of a table, on the second line of a wrapped token, in the body
of a key block.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_HIDDEN = "\u2026"
_SHORTEST = 4  # characters of a part that is looked for away from its own line
_FEW_WORDS = 4
_COMMENT = re.compile(r"<!--.*?-->")
_BETWEEN = re.compile(r"<!--.*?-->|[\s*_`\\|>]+")
_MARKS = " \t\r>|`*+-"
_BEGIN = re.compile(r"[\s>|]*(?:[-*+][ \t]+|[0-9]{1,3}[.)][ \t]+)?[`\"'*]*")
_REST = re.compile(r"(?=[0-9A-Za-z_+/=.~-]*[0-9])(?=[0-9A-Za-z_+/=.~-]*[A-Za-z])[0-9A-Za-z_+/=.~-]{6,}(?![^\s`\"'*|,;)])")
"""What the next line of a wrapped token begins with: letters and digits in one run."""

_BROKEN = re.compile(r"[!-~]+$")

_masked: dict[str, str] = {}


def mask_secrets(text: str) -> str:
    """A text that stands alone, with every credential in it shown by its kind and length only."""
    known = _masked.get(text)
    if known is None:
        known = _masked[text] = "\n".join(mask_lines(text.split("\n")))
    return known


def mask_lines(lines: Sequence[str]) -> list[str]:
    """The lines of a whole text, as many as there were: the first line of a credential has the mask, each further one an ellipsis."""
    sheet = Sheet(lines)
    sheet.scan()
    return [sheet.line(number) for number in range(1, len(lines) + 1)]


class Sheet:
    """One version of a file: which parts of its lines are credentials. Lines are looked at when they are asked for."""

    __slots__ = ("_asked", "_lines", "_parts", "_places", "_runs", "_scanned")

    def __init__(self, lines: Sequence[str]) -> None:
        """Nothing is looked for yet."""
        self._lines = lines
        self._parts: dict[int, list[tuple[int, int, str]]] = {}
        self._places: dict[str, list[int]] | None = None
        self._runs: list[tuple[int, int]] = []
        self._asked: set[int] = set()
        self._scanned = False

    def scan(self) -> bool:
        """Look at every line, and say whether there is any credential."""
        if not self._scanned:
            self._parts.clear()
            self._find(None)
            self._scanned = True
        return bool(self._parts)

    def look(self, rows: Iterable[Sequence[str]]) -> None:
        """Look at the lines that rows of text stand on, given by their keys, with all that can decide about them."""
        self.look_at(number for row in rows for number in self.places(row))

    def look_at(self, numbers: Iterable[int]) -> None:
        """The same for lines that are known by their numbers, 1-based."""
        if self._scanned:
            return
        wanted: set[int] = set()
        for number in numbers:
            if number not in self._asked and number not in wanted:
                first, last = self._run(number)
                while first > 1 and _REST.match(self._lines[first - 1], _begin(self._lines[first - 1])) is not None:
                    first -= 1  # it may be the rest of a token that begins above
                wanted.update(range(first, last + 1))
        if wanted:
            self._asked |= wanted
            self._find(wanted)

    def _run(self, number: int) -> tuple[int, int]:
        """The bare values around a line, first and last: a list of them is judged by the label above it, however far that is."""
        if not self._runs:
            start = 1
            for at, line in enumerate([*map(_is_bare, self._lines), False], 1):
                if not line:
                    self._runs += [(start, at - 1)] * (at - start) + [(at, at)]
                    start = at + 1
        return self._runs[number - 1]

    def _find(self, wanted: set[int] | None) -> None:
        from hoard_git.core.secrets import find_secrets, mask

        for match in find_secrets(self._lines, wanted=wanted):
            for number in range(match.line, match.end_line + 1):
                line = self._lines[number - 1]
                start = match.column - 1 if number == match.line else _begin(line)
                end = match.end_column - 1 if number == match.end_line else len(line.rstrip())
                self._note(number, start, end, mask(match.value) if number == match.line else _HIDDEN)
            if not any(char.isspace() for char in match.value):
                self._follow(match.end_line, match.end_column - 1)

    def _follow(self, number: int, end: int) -> None:
        """Hide what looks like the rest of a token that reaches the end of its line: a wrapped one may be known by its first line only."""
        while end >= len(self._lines[number - 1].rstrip()) and number < len(self._lines):
            number += 1
            line = self._lines[number - 1]
            rest = _REST.match(line, _begin(line))
            if rest is None:
                return
            end = rest.end()
            self._note(number, rest.start(), end, _HIDDEN)

    def _note(self, number: int, start: int, end: int, instead: str) -> None:
        listed = self._parts.setdefault(number, [])
        if start < end and (start, end, instead) not in listed:
            listed.append((start, end, instead))

    def line(self, number: int) -> str:
        """A line of the file, 1-based, with what was found on it masked."""
        line = self._lines[number - 1]
        for start, end, instead in sorted(self._parts.get(number, ()), reverse=True):
            line = line[:start] + instead + line[end:]
        return line

    def parts(self, number: int) -> Iterator[tuple[str, str]]:
        """What was found on a line, with what stands for it."""
        for start, end, instead in self._parts.get(number, ()):
            yield self._lines[number - 1][start:end], instead

    def all_parts(self) -> Iterator[tuple[str, str]]:
        """The same of all lines, without what is too short to be looked for elsewhere."""
        for number in self._parts:
            for part, instead in self.parts(number):
                if len(part) >= _SHORTEST:
                    yield part, instead

    def places(self, row: Iterable[str]) -> Sequence[int]:
        """The lines that a row of a shown text may be, by its keys."""
        if self._places is None:
            self._places = {}
            for number, line in enumerate(self._lines, 1):
                for key in row_keys(line):
                    self._places.setdefault(key, []).append(number)
        for key in row:
            found = self._places.get(key)
            if found:
                return found
        return ()


def row_keys(row: str) -> tuple[str, ...]:
    """What a row is found by: tags, indentation and a heading's or list's marker do not count. Nothing for a blank row."""
    words = (_COMMENT.sub(" ", row) if "<!--" in row else row).split()
    if len(words) > 1 and not words[0].strip("#-+*>"):
        return " ".join(words), " ".join(words[1:])
    return (" ".join(words),) if words else ()


def _is_bare(line: str) -> bool:
    """Whether a line may be one of a list of values: a few words at most, or nothing."""
    return len(line.strip(_MARKS).split()) <= _FEW_WORDS


def _begin(line: str) -> int:
    """Where the words of a line begin, behind quote and list marks, cell borders and quotation marks."""
    match = _BEGIN.match(line)
    return match.end() if match is not None else 0


class View:
    """What may be shown of some versions of files: `hide` masks a text that stands in one of them."""

    __slots__ = ("_mixed", "_rows", "_sheets", "known")

    def __init__(self, sheets: Sequence[Sheet], *, known: bool = True, mixed: bool = False) -> None:
        """`sheets` are those of the versions that may hold a credential, `mixed` says that there are others, which hold none.

        `known` is false when a version could not be looked at.
        """
        self._sheets = sheets
        self._mixed = mixed
        self._rows: dict[str, tuple[str, ...]] = {}
        self.known = known

    def look(self, texts: Iterable[str]) -> None:
        """Look for what texts need, all at once."""
        if not self._sheets:
            return
        fresh = {row for text in texts for row in text.split("\n")} - self._rows.keys()
        if fresh:
            keys = {row: row_keys(row) for row in fresh}
            for sheet in self._sheets:
                sheet.look(keys.values())
            self._rows |= keys

    def hide(self, text: str) -> str:
        """A text of one of the versions, credentials masked."""
        if self.known and not self._sheets:
            return text
        self.look([text])
        parts: dict[str, str] = {}
        lost = not self._sheets
        for row in text.split("\n"):
            keys = self._rows.get(row, ())
            found = False
            for sheet in self._sheets:
                for number in sheet.places(keys):
                    found = True
                    parts.update(sheet.parts(number))
            lost = lost or bool(keys) and not found
        if not lost:
            return _replace(text, parts) if parts else text
        for sheet in () if self._mixed else self._sheets:
            sheet.scan()
        return mask_secrets(_replace(text, {**self._every_part(), **parts}))

    def title(self, text: str) -> str:
        """A heading or the first words of an entry, perhaps of another version: credentials masked, no word broken off."""
        if text.endswith(_HIDDEN):  # of what was cut off, nobody can say what it is
            text = (_BROKEN.sub("", text[:-1]).rstrip() or text[:_SHORTEST]) + _HIDDEN
        return mask_secrets(_replace(text, self._every_part()))

    def name(self, text: str) -> str:
        """A block's name, in which a heading may stand as a slug: credentials masked."""
        from hoard_git.core.slugs import slug

        parts = self._every_part()
        return mask_secrets(_replace(text, {**parts, **{short: _HIDDEN for part in parts if len(short := slug(part)) >= _SHORTEST}}))

    def _every_part(self) -> dict[str, str]:
        return {part: instead for sheet in self._sheets for part, instead in sheet.all_parts()}


ALONE = View((), known=False)
"""For texts of which no more is known than they say: each is judged by itself."""


def _replace(text: str, parts: Mapping[str, str]) -> str:
    """Put the masks in, the longest part first; of one that a text holds in pieces, markup taken out, each piece."""
    for part in sorted(parts, key=len, reverse=True):
        if part in text:
            text = text.replace(part, parts[part])
            continue
        for piece in _pieces_in(text, part):
            text = text.replace(piece, _HIDDEN)
    return text


def _pieces_in(text: str, part: str) -> list[str]:
    """The pieces of a credential that a text holds. A word by itself is none: keys begin with the name of who gave them, `acme_sk_…`."""
    pieces = [piece for piece in _BETWEEN.split(part) if len(piece) >= _SHORTEST]
    held = [piece for piece in pieces if piece in text]
    alone = len(set(held)) == 1 < len(set(pieces)) and held[0].isalpha() and _HIDDEN not in text
    return [] if alone else held
