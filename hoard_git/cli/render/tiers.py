"""`hoard tiers` for people and as JSON."""

from __future__ import annotations

from hoard_git.app.tiers import TIERS
from hoard_git.cli.render.text import safe
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


def render_tiers(spaces: Sequence[Space]) -> Iterator[str]:
    """The limits, each log with its tier and why, the sums, and what the next consolidation would do."""
    for number, space in enumerate(spaces):
        if number:
            yield ""
        yield from _render(space)


def _render(space: Space) -> Iterator[str]:
    where = f" of {safe(space.root)}" if space.root else ""
    if not space.logs:
        yield f"There are no daily logs{where} (memory/YYYY-MM-DD.md)."
    else:
        yield f"Daily logs{where} on {space.day}"
        yield ""
        for tier in TIERS:
            count, size = space.total(tier)
            yield f"{tier:<4}  {_bound(tier, space.limits)}: {count} {_logs(count)}, {kilobytes(size)}  ({_MEANING[tier]})"
        yield ""
        width = max(len(safe(log.path)) for log in space.logs)
        for log in space.logs:
            yield f"{log.tier:<4}  {safe(log.path):<{width}}  {kilobytes(log.size):>9}  {log.entries:>4} {_entries(log.entries)}  {_state(log)}"
    count, size = space.archived
    if count:
        yield ""
        yield f"The archive holds {count} older {_logs(count)}, {kilobytes(size)}."
    yield ""
    yield from _render_next(space)


def _render_next(space: Space) -> Iterator[str]:
    if space.actions:
        yield "The next consolidation would:"
        for action in space.actions:
            yield f"  {_verb(action)} {safe(action.path)}: {safe(action.reason)}"
        yield "See it as a proposal, with nothing changed: hoard consolidate --steps tiers"
    else:
        yield "The next consolidation has nothing to do here."
    for note in space.notes:
        yield f"Note: {safe(note)}"


def _verb(action: Action) -> str:
    return {"warm": "shorten", "cold": "put away", "archive": "pack"}[action.kind]


def _state(log: LogTier) -> str:
    return f"{log.reason}; the rest of it is in {safe(log.original)}" if log.original else log.reason


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


def _logs(count: int) -> str:
    return "log" if count == 1 else "logs"


def _entries(count: int) -> str:
    return "entry  " if count == 1 else "entries"


def tiers_data(spaces: Sequence[Space]) -> dict[str, object]:
    """The JSON document: sizes in bytes, ages in days; a limit that is not set is null."""
    return {"schema": 1, "workspaces": [_space_data(space) for space in spaces]}


def _space_data(space: Space) -> dict[str, object]:
    return {
        "root": _whole(space.root),
        "date": space.day,
        "limits": space.limits._asdict(),
        "tiers": {tier: {"logs": space.total(tier)[0], "bytes": space.total(tier)[1]} for tier in TIERS},
        "logs": [
            {
                "path": _whole(log.path),
                "date": log.day,
                "tier": log.tier,
                "age": log.age,
                "bytes": log.size,
                "entries": log.entries,
                "reason": log.reason,
                "original": _whole(log.original) or None,
            }
            for log in space.logs
        ],
        "archived": {"logs": space.archived[0], "bytes": space.archived[1]},
        "next": [
            {
                "kind": action.kind,
                "path": _whole(action.path),
                "to": _whole(action.to) or None,
                "reason": action.reason,
                "gone": action.gone,
            }
            for action in space.actions
        ],
        "notes": list(space.notes),
    }


def _whole(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()
