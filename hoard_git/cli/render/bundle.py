"""The opening context of a session, for people, prompts and programs: credentials masked, every part with its cost, what was cut named."""

from __future__ import annotations

from hoard_git.cli.render.history import provenance_data
from hoard_git.cli.render.masking import Sheet
from hoard_git.cli.render.text import encodable, path_text, safe
from hoard_git.cli.render.whose import find_unseen, short, summed
from hoard_git.core.bundling import Fitted, Piece, fit
from hoard_git.core.discreet import quiet_path
from hoard_git.core.model import TRUSTED
from hoard_git.core.passages import bare
from hoard_git.core.record import Record
from hoard_git.core.terms import without_comments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.app.bundle import Bundle, Part
    from hoard_git.core.provenance import Provenance

NOTICES = "notices"
_WEIGHTS = {"SOUL.md": 2, "USER.md": 2, "HEARTBEAT.md": 2, NOTICES: 2, "memory": 2, "today": 1, "yesterday": 1}
"""Claims to room. A log can be searched for; what the agent is and is told to do cannot be missed without noticing."""

_LONGEST = 160
_MOST_NAMED = 2
_FRAME = 160
"""Characters of the lines around a part: its head, and what says how it was cut, beside its path."""


class Fit(Record):
    """A bundle that fits: each part, None for the notices, and what is shown of it."""

    parts: tuple[tuple[Part | None, Fitted], ...]
    group: bool = False


def fit_bundle(bundle: Bundle, budget: int, *, escaped: bool) -> Fit:
    """Cut the bundle to a budget; `escaped` makes every character harmless to a terminal."""
    sheets = {part.lines: Sheet(part.lines) for part in bundle.parts} | {notice.lines: Sheet(notice.lines) for notice in bundle.notices}
    for sheet in sheets.values():
        sheet.scan()
    told = list(_notices(bundle, sheets))
    pieces = [Piece(NOTICES, tuple(told), _WEIGHTS[NOTICES])] if told else []
    parts: list[Part | None] = [None] * len(pieces)
    for part in bundle.parts:
        lines = tuple(_lines(part, sheets[part.lines], group=bundle.session == "group"))
        pieces.append(Piece(part.path, lines, _WEIGHTS[part.what], part.what in ("today", "yesterday")))
        parts.append(part)
    if escaped:
        pieces = [piece._replace(lines=tuple([safe(line.removesuffix("\r")) for line in piece.lines])) for piece in pieces]
    else:
        pieces = [piece._replace(lines=tuple([encodable(line) for line in piece.lines])) for piece in pieces]
    frame = _FRAME + 3 * max((len(piece.name) for piece in pieces), default=0)
    fitted = fit(pieces, budget, frame)
    return Fit(tuple(zip(parts, fitted, strict=True)), bundle.session == "group")


def _lines(part: Part, sheet: Sheet, *, group: bool) -> Iterator[str]:
    """What of a part may be shown. In a group comments are taken out, and one blank line stands where lines are missing.

    With the comments go the tags, so an entry from a tool, a page or nobody says so in brackets; what does not is the agent's.
    """
    marks = {line: claim for line, _end, claim in part.claims if claim.src not in TRUSTED}
    if not group:
        yield from (sheet.line(number) for number in range(1, len(part.lines) + 1))
        return
    last = 0
    for shown in part.shown:
        if last and shown.first > last + 1:
            yield ""
        last = shown.last
        text = without_comments("\n".join([sheet.line(number) for number in range(shown.first, shown.last + 1)]))
        rows = [line.rstrip() for line in text.split("\n")]
        yield from _marked(rows, f"[{short(marks[shown.first].src, marks[shown.first].ts)}]") if shown.first in marks else rows


def _marked(rows: list[str], mark: str) -> list[str]:
    """An entry's lines with a mark: at the end of the first line, in a table's last cell, above a code fence."""
    first = rows[0]
    if first.lstrip().startswith(("```", "~~~")):
        return [mark, *rows]
    if first.lstrip().startswith("|") and first.endswith("|") and not first.endswith("\\|"):
        return [f"{first[:-1].rstrip()} {mark} |", *rows[1:]]
    return [f"{first} {mark}" if first else mark, *rows[1:]]


def _notices(bundle: Bundle, sheets: dict[tuple[str, ...], Sheet]) -> Iterator[str]:
    for notice in bundle.notices:
        text = bare("\n".join([sheets[notice.lines].line(number) for number in range(notice.line, notice.end_line + 1)]))
        short = text if len(text) <= _LONGEST else text[: _LONGEST - 1].rsplit(" ", 1)[0] + "\u2026"
        yield f"- {notice.state} since {notice.until or 'long ago'}: {short} ({quiet_path(notice.path)}:{notice.line})"
    if bundle.more:
        yield f"- and {bundle.more} more: hoard consolidate --dry-run"


def render_bundle(fitted: Fit) -> Iterator[str]:
    """Each part under a line with its path and cost; parts that are left out by one line each."""
    for part, one in fitted.parts:
        path = part.path if part is not None else ""
        name = path_text(path) if part is not None else "May be stale: verify or remove"
        state = _state(part)
        if one.is_out:
            if one.piece.lines:
                yield f"=== {name}: left out, {one.piece.chars:,} chars{_how(path, 1)}"
            elif state:
                yield f"=== {name}: 0 chars{state}"
            continue
        cost = f"{one.chars:,} chars" if one.is_whole else f"{one.chars:,} of {one.piece.chars:,} chars"
        yield f"=== {name}: {cost}{state}"
        if one.first > 1:
            whose = summed(_unseen(part, one, fitted), _MOST_NAMED)
            yield f"[… cut: {one.first - 1:,} earlier lines{f', below: {whose}' if whose else ''}{_how(path, 1)}]"
        yield from one.piece.lines[one.first - 1 : one.last]
        left = len(one.piece.lines) - one.last
        if left:
            yield f"[… cut: {left:,} further lines{_how(path, one.last + 1)}]"


def _state(part: Part | None) -> str:
    """What is to be known about a part beside its cost."""
    if part is None:
        return ""
    return (f", {part.withheld} withheld" if part.withheld else "") + ("" if part.committed is not False else ", not committed")


def _unseen(part: Part | None, one: Fitted, fitted: Fit) -> Iterator[tuple[int, Provenance]]:
    """Whose the shown lines are by a tag that was cut off; in a group every entry says so itself."""
    return find_unseen(part.claims if part is not None and not fitted.group else (), one.first, one.last)


def _how(path: str, first: int) -> str:
    return f"; hoard get {path_text(path)}{f' --from {first}' if first > 1 else ''}" if path else ""


def bundle_data(bundle: Bundle, fitted: Fit, budget: int) -> dict[str, object]:
    """The bundle as JSON data."""
    parts = []
    for part, one in fitted.parts:
        text = "".join([f"{line}\n" for line in one.piece.lines[one.first - 1 : one.last]])
        parts.append(
            {
                "name": part.what if part is not None else NOTICES,
                "path": encodable(quiet_path(part.path)) if part is not None else None,
                "chars": one.piece.chars,
                "shown": len(text),
                "outcome": "whole" if one.is_whole else "dropped" if one.is_out else "cut",
                "withheld": part.withheld if part is not None else 0,
                "committed": part.committed if part is not None else None,
                "provenance": _provenance(part, one) if part is not None and not fitted.group else None,
                "text": text,
            }
        )
    absent = [{"path": encodable(quiet_path(path)), "reason": reason} for path, reason in bundle.absent]
    total = sum(one.chars for _part, one in fitted.parts)
    return {"schema": 1, "session": bundle.session, "budget": budget, "chars": total, "parts": parts, "unread": absent}


def _provenance(part: Part, one: Fitted) -> list[dict[str, object]]:
    """The entries that stand on the shown lines, as `hoard get --json` gives them."""
    return [
        {"line": line, "end_line": end, **provenance_data(claim)}
        for line, end, claim in part.claims
        if line <= one.last and end >= one.first
    ]
