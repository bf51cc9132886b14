"""Reads what blockindex_lines has kept: the origins of a version's lines."""

from __future__ import annotations

from hoard_git.core.record import Record
from hoard_git.gitio.blockindex_store import damaged
from hoard_git.gitio.blockindex_values import unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.gitio.blockindex_store import Store


class Origins(Record):
    """The origin of every line, a commit's number or that of a move (`core.attribution.settle`), and how many rows they were put together from."""

    origins: list[int]
    links: int


def read_origins(store: Store, key: int) -> Origins | None:
    """The origins of a version's lines; None when they have not been found yet. Raises HoardError when the index is damaged."""
    parts: list[tuple[int, int, tuple[int, ...]]] = []
    base = key
    while base:
        row = store.db.execute("SELECT base, head, tail, middle FROM line WHERE id = ?", (base,)).fetchone()
        if row is None:
            if parts:
                raise damaged()
            return None
        base, head, tail, middle = row
        parts.append((head, tail, unpack(middle)))
    origins: list[int] = []
    for head, tail, found in reversed(parts):
        origins = [*origins[:head], *found, *origins[len(origins) - tail :]]
    return Origins(origins, len(parts))
