"""`hoard tiers` for people and as JSON."""

from __future__ import annotations

from hoard_git.app.tiers import TIERS
from hoard_git.cli.render.columns import fill, indented, width, wrap
from hoard_git.cli.render.text import path_data, path_text, safe, words_text
from hoard_git.core.counted import counted
from hoard_git.core.discreet import quiet_words
from hoard_git.core.tiers import days

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.app.tiers import LogTier, Space
    from hoard_git.core.actions import Action
    from hoard_git.core.tiers import Limits

_MEANING = {
    "hot": "whole, and read at the start of a session where it is today's or yesterday's",
    "warm": "key lines only; the whole log is in the archive",
    "cold": "out of memory/; key lines with personal data masked in the archive, the original in git's history",
}

_INDENT = 6
_NUMBERS = 2 + 9 + 2 + 4 + 1 + 7
"""Columns of a log's size and entries with the blanks in front of them."""

_NAME, _REASON = 20, 26
"""Columns of a name such as `memory/2026-06-05.md` and of `234 days old, past 90 days`: where both fit, reasons stand beside the rest."""


def render_tiers(spaces: Sequence[Space], columns: int) -> Iterator[str]:
    """The limits, each log with its tier and why, the sums, and what the next consolidation would do; in so many columns."""
    for number, space in enumerate(spaces):
        if number:
            yield ""
        yield from _render(space, columns)


def _render(space: Space, columns: int) -> Iterator[str]:
    where = f" of {path_text(space.root)}" if space.root else ""
    if not space.logs:
        yield from indented(f"There are no daily logs{where} (memory/YYYY-MM-DD.md).", columns, 0)
    else:
        yield f"Daily logs{where} on {space.day}"
        yield ""
        for tier in TIERS:
            count, size = space.total(tier)
            told = f"{_bound(tier, space.limits)}: {counted(count, 'log')}, {kilobytes(size)}  ({_MEANING[tier]})"
            yield from indented(f"{tier:<4}  {told}", columns, 0, _INDENT)
        yield ""
        yield from _table(space.logs, columns)
    count, size, packed = space.archived
    if count:
        told = f", {packed} of them packed with gzip" if packed else ""
        yield ""
        yield from indented(f"The archive holds {counted(count, 'older log')}, {kilobytes(size)}{told}.", columns, 0)
    yield ""
    yield from _render_next(space, columns)


def _table(logs: Sequence[LogTier], columns: int) -> Iterator[str]:
    """Tier, path, size, entries and why; a long path has a line of its own, and where there is no room for reasons they stand below."""
    room = columns - _INDENT - _NUMBERS
    beside = room - 2 - _REASON >= _NAME
    names = min(max(width(path_text(log.path)) for log in logs), room - 2 - _REASON if beside else room)
    left = _INDENT + names + _NUMBERS + 2
    for log in logs:
        path = path_text(log.path)
        entries = counted(log.entries, "entry").rpartition(" ")
        numbers = f"  {kilobytes(log.size):>9}  {entries[0]:>4} {entries[2]:<7}"
        if width(path) > names:
            yield from (f"{log.tier if not n else '':<4}  {part}" for n, part in enumerate(wrap(path, columns - _INDENT)))
            line = " " * (_INDENT + names) + numbers
        else:
            line = f"{log.tier:<4}  {fill(path, names)}{numbers}"
        if beside:
            reason = list(wrap(safe(_state(log)), columns - left))
            yield f"{line}  {reason[0]}"
            yield from (" " * left + part for part in reason[1:])
        else:
            yield line.rstrip()
            yield from indented(_state(log), columns, _INDENT, _INDENT)


def _render_next(space: Space, columns: int) -> Iterator[str]:
    if space.actions:
        yield "The next consolidation would:"
        for action in space.actions:
            yield from indented(f"{_verb(action)} {path_text(action.path)}: {words_text(action.reason)}", columns)
        yield from indented("See it as a proposal, with nothing changed:", columns, 0)
        yield "  hoard consolidate --steps tiers"
    else:
        yield from indented("The next consolidation has nothing to do here.", columns, 0)
    for note in space.notes:
        yield from indented(f"Note: {words_text(note)}", columns, 0, 2)


def _verb(action: Action) -> str:
    return {"warm": "shorten", "cold": "put away", "archive": "pack"}[action.kind]


def _state(log: LogTier) -> str:
    return f"{log.reason}; the rest of it is in {path_text(log.original)}" if log.original else log.reason


def _bound(tier: str, limits: Limits) -> str:
    if tier == "hot":
        age = f"up to {days(limits.hot)} old and" if limits.hot is not None else "of any age, "
        return f"{age} {kilobytes(limits.hot_max)} together"
    if tier == "warm":
        return f"up to {days(limits.warm)} old" if limits.warm is not None else "all that are older"
    return "older than that" if limits.warm is not None else "never"


def kilobytes(size: int) -> str:
    """A size in KB of 1,024 bytes, in bytes when it is less than one."""
    return f"{size} bytes" if size < 1024 else f"{size / 1024:,.1f} KB"


def tiers_data(spaces: Sequence[Space]) -> dict[str, object]:
    """The JSON document: sizes in bytes, ages in days; a limit that is not set is null."""
    return {"schema": 1, "workspaces": [_space_data(space) for space in spaces]}


def _space_data(space: Space) -> dict[str, object]:
    return {
        "root": path_data(space.root),
        "date": space.day,
        "limits": space.limits._asdict(),
        "tiers": {tier: {"logs": space.total(tier)[0], "bytes": space.total(tier)[1]} for tier in TIERS},
        "logs": [
            {
                "path": path_data(log.path),
                "date": log.day,
                "tier": log.tier,
                "age": log.age,
                "bytes": log.size,
                "entries": log.entries,
                "reason": log.reason,
                "original": path_data(log.original) or None,
            }
            for log in space.logs
        ],
        "archived": {"logs": space.archived[0], "bytes": space.archived[1], "packed": space.archived[2]},
        "next": [
            {
                "kind": action.kind,
                "path": path_data(action.path),
                "to": path_data(action.to) or None,
                "reason": quiet_words(action.reason),
                "gone": action.gone,
            }
            for action in space.actions
        ],
        "notes": [quiet_words(note) for note in space.notes],
    }
