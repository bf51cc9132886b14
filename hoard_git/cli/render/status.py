"""The status, one fact a line, as wide as the terminal."""

from __future__ import annotations

from hoard_git.cli.render.columns import cut, fill, plain, terminal_width, width
from hoard_git.cli.render.history import paint
from hoard_git.cli.render.text import words_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.app.checks.base import Check

_SIGNS = {"ok": " ", "warn": "!", "fail": "X"}
_COLOURS = {"ok": "", "warn": "35", "fail": "31"}
_LEAST = 30
"""Columns that a fact gets, however long its command is."""


def render_status(facts: Sequence[Check], *, color: bool) -> Iterator[str]:
    """Yield one line a fact: a sign, its name, what was seen, and the next command. A command that does not fit stands on a line of its own."""
    columns = terminal_width()
    name = max(len(fact.name) for fact in facts)
    for fact in facts:
        sign = paint(_SIGNS[fact.status], _COLOURS[fact.status], on=color)
        start = f"{sign} {fact.name:<{name}}  "
        fix = f"  {words_text(fact.fix)}" if fact.fix else ""
        room = columns - name - 4
        seen = plain(fact.detail)
        if width(seen) + width(fix) <= room or room - width(fix) >= _LEAST:
            yield f"{start}{fill(cut(seen, room - width(fix)), room - width(fix))}{fix}".rstrip()
        else:
            yield f"{start}{cut(seen, room)}"
            yield f"{' ' * (name + 4)}{words_text(fact.fix)}"


def status_data(facts: Sequence[Check]) -> dict[str, object]:
    """The facts as plain data."""
    rows = [{"name": fact.name, "status": fact.status, "detail": words_text(fact.detail), "fix": words_text(fact.fix)} for fact in facts]
    return {"schema": 1, "facts": rows}
