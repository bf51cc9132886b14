"""Finds text that gives orders to whoever reads the memory: shapes of `_orders`, matched on decoded and unmasked paragraphs."""

from __future__ import annotations

import re
from functools import lru_cache

from hoard_git.core.lazy import lazy
from hoard_git.core.record import Record
from hoard_git.lint._orders import PIECES, SHAPES
from hoard_git.lint.prose import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_MARKERS = lazy(r"^[ \t]{0,40}(?:(?:[-+*>|\u2022]|#{1,6}|[0-9]{1,9}[.)]|\[[ xX~]\])[ \t]{1,20}){0,12}")
_EMPHASIS = lazy(r"[*`]{1,3}|~~|__|<!--|-->")

_SHORT = 4000  # characters of a paragraph whose orders are remembered
_compiled: dict[int, re.Pattern[str]] = {}


class Order(Record):
    """One match: what it is, whether it counts in an agent's own words, and the 0-based first and last line of the paragraph it is on."""

    what: str
    strong: bool
    first: int
    last: int


def find_orders(lines: Sequence[str], *, weak: bool) -> tuple[Order, ...]:
    """Return the orders of one paragraph, one for each kind; the weak shapes only on request."""
    paragraph = "\n".join(lines)
    return _orders_of(paragraph, weak) if len(paragraph) <= _SHORT else _orders_of.__wrapped__(paragraph, weak)


@lru_cache(maxsize=1 << 13)
def _orders_of(paragraph: str, weak: bool) -> tuple[Order, ...]:  # noqa: FBT001 - a key of the cache
    """Judge a paragraph; over many commits the same one comes again and again."""
    low = "\n".join([_plain(line) for line in paragraph.split("\n")])
    texts = [low] if low.isascii() else list(dict.fromkeys((low, _folded(low))))
    awake = [_awake(text.replace("\n", " "), weak=weak) for text in texts]
    found: list[Order] = []
    seen: set[str] = set()
    for number in sorted(set().union(*awake)):
        what, strong = SHAPES[number][:2]
        if what in seen:
            continue
        for text, numbers in zip(texts, awake, strict=True):
            match = _pattern_of(number).search(text) if number in numbers else None
            if match is not None:
                seen.add(what)
                start = match.start() + len(match.group()) - len(match.group().lstrip())
                found.append(Order(what, strong, text.count("\n", 0, start), text.count("\n", 0, match.end())))
                break
    return tuple(found)


def _awake(flat: str, *, weak: bool) -> set[int]:
    """The shapes of which a gate is in the text; several shapes share most gates, so each gate is looked for once."""
    ascii_gates, other_gates = _gates(weak)
    found = [numbers for gate, numbers in ascii_gates if gate in flat]
    if not flat.isascii():
        found += [numbers for gate, numbers in other_gates if gate in flat]
    return set().union(*found)


@lru_cache(maxsize=2)
def _gates(weak: bool) -> tuple[list[tuple[str, list[int]]], list[tuple[str, list[int]]]]:  # noqa: FBT001 - a key of the cache
    """The gates with the numbers of their shapes: those in ASCII, then the others."""
    shapes: dict[str, list[int]] = {}
    for number, (_what, strong, gates, _pattern) in enumerate(SHAPES):
        for gate in gates if strong or weak else ():
            shapes.setdefault(gate, []).append(number)
    rows = list(shapes.items())
    return [row for row in rows if row[0].isascii()], [row for row in rows if not row[0].isascii()]


def _folded(text: str) -> str:
    from hoard_git.core.confusables import fold

    return fold(text).lower()


def _plain(line: str) -> str:
    text = decode(line)
    if not text.isascii() or not text.isprintable():
        from hoard_git.core.unicode import visible

        text = visible(text)
    text = _EMPHASIS.sub("", _MARKERS.sub("", text, count=1))
    return " ".join(text.split()).lower().replace("\u2019", "'")


def _pattern_of(number: int) -> re.Pattern[str]:
    pattern = _compiled.get(number)
    if pattern is None:
        source = SHAPES[number][3]
        for name, piece in PIECES.items():
            source = source.replace(name, piece)
        # A blank of a pattern is a blank or the end of a line.
        pattern = _compiled[number] = re.compile(source.replace(" ", r"\s"))
    return pattern
