"""Fitting the parts of a session's opening context into a budget of characters: which are whole, which are cut, which are left out."""

from __future__ import annotations

from itertools import accumulate, takewhile

from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_LEAST = 80
"""Characters of a part that are worth showing."""


class Piece(Record):
    """A part that wants to be shown: `lines` of text; `weight` is its claim to room; `tail` keeps the end when it is cut."""

    name: str
    lines: tuple[str, ...]
    weight: int = 1
    tail: bool = False

    @property
    def chars(self) -> int:
        """Characters of its text, line ends counted."""
        return sum(len(line) + 1 for line in self.lines)


class Fitted(Record):
    """What is shown of a part: the lines `first` to `last` (1-based, of its own lines); `last` is below `first` when it is left out."""

    piece: Piece
    first: int
    last: int

    @property
    def is_whole(self) -> bool:
        """Whether nothing is cut."""
        return self.first == 1 and self.last == len(self.piece.lines)

    @property
    def is_out(self) -> bool:
        """Whether nothing of it is shown."""
        return self.last < self.first

    @property
    def chars(self) -> int:
        """Characters that are shown."""
        return sum(len(line) + 1 for line in self.piece.lines[self.first - 1 : self.last])


def fit(pieces: Sequence[Piece], budget: int, frame: int) -> list[Fitted]:
    """Cut at line ends until text and frames fit; `frame` is the most that a part costs besides its text, cut or left out. Keeps the order.

    Room is shared by weight: a part that needs less than its share is whole, and what it leaves goes to the others.
    """
    room = budget - frame * len(pieces)
    shares = dict.fromkeys(range(len(pieces)), 0)
    open_parts = set(shares)
    while open_parts:
        weight = sum(pieces[number].weight for number in open_parts)
        fitting = {number for number in open_parts if pieces[number].chars <= max(0, room) * pieces[number].weight / weight}
        for number in fitting or open_parts:
            shares[number] = pieces[number].chars if fitting else int(max(0, room) * pieces[number].weight / weight)
        if not fitting:
            break
        room -= sum(shares[number] for number in fitting)
        open_parts -= fitting
    return [_cut(piece, shares[number]) for number, piece in enumerate(pieces)]


def _cut(piece: Piece, room: int) -> Fitted:
    count = len(piece.lines)
    if piece.chars <= room:
        return Fitted(piece, 1, count)
    ends = accumulate(len(line) + 1 for line in (reversed(piece.lines) if piece.tail else piece.lines))
    fitting = list(takewhile(lambda end: end <= room, ends))
    taken = len(fitting)
    if max(fitting, default=0) < _LEAST:
        return Fitted(piece, 1, 0)
    return Fitted(piece, count - taken + 1, count) if piece.tail else Fitted(piece, 1, taken)
