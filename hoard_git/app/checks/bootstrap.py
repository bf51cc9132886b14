"""bootstrap: whether a host loads all of the files that it loads at the start of a session, and for how long still."""

from __future__ import annotations

from hoard_git.app.checks.base import FAIL, OK, WARN, Check, count
from hoard_git.core.dates import format_day
from hoard_git.core.files import file_default
from hoard_git.core.model import LOW_TRUST, TRUSTED
from hoard_git.core.provenance import provenances
from hoard_git.core.window import CUT, NEAR, WHOLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.checks.base import Look
    from hoard_git.app.growth import Crossing
    from hoard_git.app.windows import Room
    from hoard_git.core.window import Row

_SOON = 30
"""Days to a crossing that are worth a warning."""


def check(look: Look) -> Check:
    """What is cut or dropped fails; what is nearly so, or will be within a month, is a warning."""
    lost: list[str] = []
    soon: list[str] = []
    path = ""
    for room in look.rooms:
        for row in room.window.rows:
            one = look.growth.get(row.path)
            if row.outcome != WHOLE or row.is_over:
                lost.append(_lost(row, one.over if one is not None else None, room))
                path = path or row.path
            elif one is not None and one.crosses and one.crosses - look.days(room.policy).today <= _SOON:
                soon.append(f"{row.path} is at {row.percent} % and grows by {one.per_day:,} a day: over on {format_day(one.crosses)}")
            elif row.percent >= NEAR:
                soon.append(f"{row.path} is at {row.percent} %")
        if room.window.percent >= NEAR and not room.window.is_over:
            soon.append(f"{room.top or 'all'} together {'are' if not room.top else 'is'} at {room.window.percent} %")
    head = _low_heads(look)
    soon += [what for what, _fix in head]
    index = any(found.file_class == "index" and name == path for name, found in look.memory.items())
    fix = "hoard consolidate --dry-run" if index or not path else f"shorten {path}; who wrote what: hoard blame {path}"
    if lost:
        return Check("bootstrap", FAIL, "; ".join([*lost, *(what for what, _fix in head)]), fix)
    if head and len(head) == len(soon):
        return Check("bootstrap", WARN, "; ".join(soon), head[0][1])
    if soon:
        return Check("bootstrap", WARN, "; ".join(soon), "hoard consolidate --dry-run")
    if not look.rooms and look.active():
        return Check("bootstrap", OK, "no file here is one that a host loads by its name")
    if not look.rooms:
        return Check("bootstrap", WARN, "no file that a host loads is here", "hoard init")
    files = sum(len(room.window.rows) for room in look.rooms)
    names = ", ".join(dict.fromkeys(room.window.budget.name for room in look.rooms))
    return Check("bootstrap", OK, f"{count(files, 'file')} loaded whole ({names})")


def _low_heads(look: Look) -> list[tuple[str, str]]:
    """Where an index begins with what a tool, a page or a search said, above what the user or the agent say: that place is read first and cut last."""
    found = []
    for path, file_class in look.active():
        document = look.document(path) if file_class == "index" else None
        if document is None:
            continue
        claims = provenances(document, file_default(path, file_class, look.policies.govern(path)))
        told = [(entry.line, claim.src) for entry, claim in zip(document.entries, claims, strict=True) if claim.src]
        if told and told[0][1] in LOW_TRUST and any(src in TRUSTED for _line, src in told):
            line, src = told[0]
            found.append(
                (f"{path} begins with src:{src}, on line {line}, above what is trusted more", f"hoard blame {path} -L {line},{line}")
            )
    return found


def _loaded(row: Row, room: Room) -> str:
    """How much of a file that is over its own limit is loaded: that limit, or the less that the files before it leave."""
    if row.room is None or row.limit is None:
        return "a part is loaded"
    total = room.window.budget.total
    if total is not None and row.room.unit == total.unit == row.limit.unit and row.room.amount < row.limit.amount:
        return f"{row.room.text()} are loaded, for the files before it leave no more of {total.text()}"
    return f"{row.limit.text()} are loaded"


def _lost(row: Row, over: Crossing | None, room: Room) -> str:
    """One file that is not loaded whole, and since when."""
    limit = row.limit.text() if row.limit is not None else ""
    if row.outcome == WHOLE:
        what = f"{row.path} is {row.told()}, over the {limit} past which the host writes nothing more"
    elif row.outcome == CUT and row.is_over:
        what = f"{row.path} is cut: {row.told()}, {_loaded(row, room)}"
    else:
        total = room.window.budget.total
        what = f"{row.path} is {row.outcome}: the files before it leave too little of {total.text() if total is not None else 'the total'}"
    if over is None:
        return what
    first = f", first over in {over.first[:12]} of {format_day(over.first_day)}"
    again = f", without a break since {over.since[:12]} of {format_day(over.since_day)}" if over.since != over.first else ""
    return what + first + again
