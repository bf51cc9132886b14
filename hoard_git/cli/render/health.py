"""A diagnosis for a person and for a program."""

from __future__ import annotations

import json

from hoard_git.cli.render.columns import cut, fill, plain, terminal_width, width, wrap
from hoard_git.cli.render.masking import mask_secrets
from hoard_git.cli.render.text import encodable, path_text, words_text
from hoard_git.core.dates import format_day
from hoard_git.core.discreet import quiet_path
from hoard_git.core.window import WHOLE, lost_headings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hoard_git.app.doctor import Diagnosis
    from hoard_git.app.growth import Growth
    from hoard_git.app.windows import Room
    from hoard_git.core.window import Row

_STATUS = 5
_MOST_BLOCKS = 8
_LONGEST_TITLE = 40


def render_diagnosis(found: Diagnosis, root: str) -> Iterator[str]:
    """Yield the checks, then what is loaded of each workspace; long details go on under themselves."""
    columns = terminal_width()
    for line in found.done:
        yield f"fixed: {words_text(line)}"
    longest = max(len(check.name) for check in found.checks)
    indent = " " * (_STATUS + longest + 3)
    for check in found.checks:
        lines = list(wrap(plain(check.detail), max(columns - len(indent), 40)))
        yield f"{check.status:<{_STATUS}} {check.name:<{longest}}  {lines[0] if lines else ''}"
        yield from (indent + line for line in lines[1:])
        yield from _next(words_text(check.fix), indent, columns)
    for room in found.rooms:
        yield ""
        yield from _render_room(room, found.growth, root, columns)


def _next(fix: str, indent: str, columns: int) -> Iterator[str]:
    """The next command; one of several steps that is too long stands below, and goes on after an `&&`, where a shell reads on."""
    steps = [fix]
    if " && " in fix and len(indent) + 3 + width(fix) > columns:
        steps, indent = fix.split(" && "), " " * (_STATUS + 1)
    for number, step in enumerate(steps if fix else ()):
        yield f"{indent}{'   ' if number else '-> '}{step}{' &&' if number < len(steps) - 1 else ''}"


def _render_room(room: Room, growth: Mapping[str, Growth], root: str, columns: int) -> Iterator[str]:
    rows = room.window.rows
    name = fill("loaded in this order", max(20, *(len(path_text(row.path)) for row in rows)))
    yield f"{name}  {'chars':>8} {'bytes':>8}   limit ({room.window.budget.name})"
    for row in rows:
        limit = f"{row.percent:>4} % of {row.limit.text()}" if row.limit is not None else "     no limit"
        outcome = row.outcome if row.outcome != WHOLE else _grows(growth.get(row.path))
        yield from _joined(f"{fill(path_text(row.path), len(name))}  {row.size.chars:>8,} {row.size.bytes:>8,}  {limit}", outcome, columns)
        if row.last_lost:
            lost = _lost(row, root)
            for number, line in enumerate(wrap(lost, max(columns - 4, 40))):
                yield ("  ! " if number == 0 else "    ") + line
    total = room.window.budget.total
    if total is not None:
        chars, size = sum(row.size.chars for row in rows), sum(row.size.bytes for row in rows)
        line = f"{fill('together', len(name))}  {chars:>8,} {size:>8,}  {room.window.percent:>4} % of {total.text()}"
        yield from _joined(line, "each up to its limit", columns)


def _joined(line: str, tail: str, columns: int) -> Iterator[str]:
    """A row of the table and what is to be said about it, which goes below where it does not fit."""
    if not tail or width(line) + 2 + width(tail) <= columns:
        yield f"{line}  {tail}" if tail else line
        return
    yield line
    yield f"    {tail}"


def _grows(found: Growth | None) -> str:
    """What a day adds, and when it will be too much."""
    if found is None or found.per_day <= 0:
        return ""
    return f"+{found.per_day:,} a day" + (f", over on {format_day(found.crosses)}" if found.crosses else "")


def _lost(row: Row, root: str) -> str:
    """Which lines and blocks are not loaded."""
    lines = f"lines {row.first_lost} to {row.last_lost}" if row.last_lost > row.first_lost else f"line {row.first_lost}"
    titles = lost_titles(row, root)
    more = f" and {len(titles) - _MOST_BLOCKS} more" if len(titles) > _MOST_BLOCKS else ""
    return f"not loaded: {lines}" + (f": {'; '.join(titles[:_MOST_BLOCKS])}{more}" if titles else "")


def lost_titles(row: Row, root: str) -> list[str]:
    """The titles of the blocks in which something is not loaded, safe to print."""
    from hoard_git.core.markdown import parse
    from hoard_git.core.model import RepoPath
    from hoard_git.gitio.worktree import read_file

    data = read_file(root, RepoPath(row.path))
    headings = lost_headings(parse(data), row) if data is not None else []
    return [cut(plain(mask_secrets(heading.title)), _LONGEST_TITLE) for heading in headings]


def diagnosis_json(found: Diagnosis) -> str:
    """The diagnosis as INTERFACE has it; `totals` and the fields about what is lost come on top."""
    checks = [{"name": c.name, "status": c.status, "detail": words_text(c.detail), "fix": words_text(c.fix)} for c in found.checks]
    rows = [_row(row, found.growth.get(row.path)) for room in found.rooms for row in room.window.rows]
    totals = [_total(room) for room in found.rooms]
    return json.dumps(
        {"schema": 1, "checks": checks, "budgets": rows, "totals": totals, "fixed": [words_text(line) for line in found.done]}, indent=2
    )


def _row(row: Row, growth: Growth | None) -> dict[str, object]:
    return {
        "path": encodable(quiet_path(row.path)),
        "chars": row.size.chars,
        "bytes": row.size.bytes,
        "limit": row.limit.amount if row.limit is not None else None,
        "unit": row.limit.unit if row.limit is not None else None,
        "percent": row.percent,
        "outcome": row.outcome,
        "lost": [row.first_lost, row.last_lost] if row.last_lost else None,
        "per_day": growth.per_day if growth is not None else None,
        "over_on": format_day(growth.crosses) if growth is not None and growth.crosses else None,
    }


def _total(room: Room) -> dict[str, object]:
    limit = room.window.budget.total
    return {
        "root": room.top,
        "budget": room.window.budget.name,
        "wanted": room.window.total,
        "limit": limit.amount if limit is not None else None,
        "unit": limit.unit if limit is not None else None,
        "percent": room.window.percent,
    }
