"""A second engine for secrets: it reads the lines that many changes touched in one go, and what it finds joins the gate's own findings."""

from __future__ import annotations

from hoard_git.app.gate import ATTRIBUTES
from hoard_git.core.record import Record
from hoard_git.core.secrets import Match
from hoard_git.gitio.betterleaks import find_program, scan_texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.app.gate import Judgement
    from hoard_git.core.model import Oid
    from hoard_git.gitio.betterleaks import Spot

_GAP = 8
"""Empty lines between lines that do not follow each other, so that what stands on one does not count as the other's context."""


class _Text(Record):
    """The touched lines of one blob as they are handed over; `numbers` are their 1-based numbers in the file, 0 for a filler."""

    oid: Oid
    lines: tuple[str, ...]
    numbers: tuple[int, ...]


class SecondEngine:
    """Collects touched lines, looks through them once, and says which judgements have to be made again with what was found."""

    def __init__(self) -> None:
        """Look for the program first: HoardError where it is missing, before anything is judged."""
        self._program = find_program()
        self._lines: dict[Oid, dict[int, str]] = {}
        self._touching: dict[Oid, list[tuple[Oid, frozenset[int]]]] = {}
        self.concerned: list[Oid] = []
        """The changes on whose lines something was found, in the order in which they were collected; known after the search."""

    def collect(self, name: Oid, judgement: Judgement) -> None:
        """Take the lines that a change touches. Of a merge these are more than its own; its second judgement leaves out the rest."""
        after = judgement.versions.after
        for change in judgement.versions.paths:
            view = after.get(change.path)
            if view is None or view.file_class == ATTRIBUTES:
                continue
            lines = dict(view.judged_lines())
            if lines:
                self._lines.setdefault(change.new_oid, {}).update(lines)
                self._touching.setdefault(name, []).append((change.new_oid, frozenset(lines)))

    def search(self) -> dict[Oid, tuple[Match, ...]]:
        """Run the engine over all that was collected; what it found by blob, in the order of the lines. Raises HoardError when it fails."""
        texts = [_text(oid, lines) for oid, lines in self._lines.items()]
        if not texts:
            return {}
        found: dict[Oid, list[Match]] = {}
        raw = ["\n".join(text.lines).encode("utf-8", "surrogateescape") + b"\n" for text in texts]
        for spot in scan_texts(self._program, raw):
            match = _match(spot, texts[spot.text])
            if match is not None:
                found.setdefault(texts[spot.text].oid, []).append(match)
        self.concerned = [
            name
            for name, blobs in self._touching.items()
            if any(not touched.isdisjoint(range(m.line, m.end_line + 1)) for oid, touched in blobs for m in found.get(oid, ()))
        ]
        return {oid: tuple(sorted(matches, key=lambda m: (m.line, m.column))) for oid, matches in found.items()}


def _text(oid: Oid, lines: dict[int, str]) -> _Text:
    texts: list[str] = []
    numbers: list[int] = []
    last = 0
    for number in sorted(lines):
        if last and number > last + 1:
            gap = min(number - last - 1, _GAP)
            texts += [""] * gap
            numbers += [0] * gap
        texts.append(lines[number].removesuffix("\r"))
        numbers.append(number)
        last = number
    return _Text(oid, tuple(texts), tuple(numbers))


def _match(spot: Spot, text: _Text) -> Match | None:
    """Put a spot back to its place in the file; None when it lies outside of what was handed over."""
    if spot.line > len(text.numbers) or not text.numbers[spot.line - 1]:
        return None
    line = text.numbers[spot.line - 1]
    end_line = text.numbers[min(spot.end_line, len(text.numbers)) - 1] or line
    column, end_column = _columns(spot, text.lines)
    return Match(spot.rule, spot.what.rstrip("."), line, column, max(line, end_line), end_column, certain=True, value=spot.value)


def _columns(spot: Spot, lines: Sequence[str]) -> tuple[int, int]:
    """Columns in characters, the end exclusive. The value is looked for, since in long lines the engine counts from the start of a piece."""
    first, last = lines[spot.line - 1], lines[min(spot.end_line, len(lines)) - 1]
    pieces = spot.value.split("\n")
    near = _characters(first, spot.column)
    starts = [at for at in range(len(first)) if first.startswith(pieces[0], at)] if pieces[0] else []
    if not starts:  # coded, or not where it was said to be
        return min(near, len(first) or 1), max(_characters(last, spot.end_column), 2)
    column = min(starts, key=lambda at: abs(at + 1 - near)) + 1
    return column, column + len(pieces[0]) if len(pieces) == 1 else len(pieces[-1]) + 1


def _characters(line: str, column: int) -> int:
    """Turn a column in bytes into one in characters, both from 1."""
    return len(line.encode("utf-8", "surrogateescape")[: column - 1].decode("utf-8", "replace")) + 1
