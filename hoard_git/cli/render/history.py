"""The history commands' output: events for people, and as JSON lines (INTERFACE, "JSON")."""

from __future__ import annotations

from hoard_git.cli.render.columns import cut, fill, mask_secrets, plain, width, wrap
from hoard_git.cli.render.masking import ALONE
from hoard_git.cli.render.text import path_data, path_text, safe
from hoard_git.core.moments import iso_day, iso_moment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.app.history_log import BlockChange, LogEvent
    from hoard_git.cli.render.masking import View
    from hoard_git.core.model import Actor
    from hoard_git.core.provenance import Provenance
    from hoard_git.gitio.blockindex_store import NodeRow

COLOURS = {"add": "32", "restore": "32", "remove": "31", "archive": "35", "move": "36", "retag": "35", "edit": "1", "retime": "36"}
"""ANSI colours of the events, bold for an edit; the word stands there, too. Neither yellow nor blue: one is lost on white, the other on black."""

_WORD = 8
_COMMIT = 10


def paint(text: str, colour: str, *, on: bool) -> str:
    """A text in an ANSI colour."""
    return f"\x1b[{colour}m{text}\x1b[0m" if on and colour else text


def describe(provenance: Provenance) -> str:
    """A provenance in a few words: source, date or `undated`, ttl, id."""
    if not provenance.src:
        return "untagged"
    parts = [provenance.src, provenance.ts if provenance.ts != "unknown" else "undated", provenance.ttl, provenance.id]
    return " ".join(part for part in parts if part)


def render_event(found: LogEvent, columns: int, *, color: bool, view: View = ALONE) -> Iterator[str]:
    """One event: a line of columns, then what left and what came, wrapped to the width. `view` masks what its commit changed."""
    node = found.node
    notes = [f"{plain(node.name) or '-'} ({found.actor.kind})"]
    if found.trailers == "mismatch":
        notes.append("trailers do not fit the change")
    yield from render_change(
        found.change, f"{node.oid[:_COMMIT]}  {iso_day(node.date) or '-':<10}  ", notes, columns, color=color, view=view
    )


def render_change(change: BlockChange, head: str, notes: list[str], columns: int, *, color: bool, view: View = ALONE) -> Iterator[str]:
    """What happened to one block, with `head` in front and `notes` below it."""
    word = paint(fill(change.event, _WORD), COLOURS.get(change.event, ""), on=color)
    name = safe(view.title(change.block.title)) or "-"
    yield f"{head}{word}  {cut(f'{path_text(change.block.path)}  {name}', max(20, columns - width(head) - _WORD - 2))}"
    facts = [*notes, *_claims(change)]
    if change.also:
        facts.append("also " + ", ".join(change.also))
    for part in wrap("; ".join(facts), columns - 4):
        yield "    " + part
    for sign, texts, colour in (("-", change.removed, "31"), ("+", change.added, "32")):
        for text in texts:
            for line in render_text(text, sign, columns, view=view):
                yield paint(line, colour, on=color)


def _claims(change: BlockChange) -> Iterator[str]:
    """What a block claims, what it claimed before, and from where it came."""
    before = change.before
    claim, was = describe(change.provenance), describe(before.provenance) if before is not None else ""
    yield f"{claim}, was {was}" if was not in ("", claim) else claim
    if before is not None and before.path != change.block.path:
        yield f"from {path_text(before.path)}"


def render_text(text: str, sign: str, columns: int, *, view: View = ALONE) -> Iterator[str]:
    """A text of several lines, wrapped and indented, with a sign before its first line."""
    first = True
    for row in shown_rows(view.hide(text)):
        for part in wrap(row, columns - 6):
            yield f"    {sign if first else ' '} {part}".rstrip()
            first = False


def shown_rows(text: str) -> Iterator[str]:
    """The rows of a masked text as they are printed: escaped, and of a credential over several rows the first only."""
    before = ""
    for row in text.split("\n"):
        row = row.removesuffix("\r")  # noqa: PLW2901 - the same row
        if row.strip() == "\u2026" and ("\u2026(" in before or before == "\u2026"):
            continue
        before = row.strip()
        yield safe(row)


def event_data(found: LogEvent, view: View = ALONE) -> dict[str, object]:
    """The JSON object of an event."""
    node = found.node
    return {
        "commit": node.oid,
        "date": iso_moment(node.date),
        "author": author_data(node, found.actor),
        "op": node.op or None,
        **change_data(found.change, view),
        "trailers": found.trailers,
    }


def change_data(change: BlockChange, view: View = ALONE) -> dict[str, object]:
    """The part of an event's JSON object that does not speak of a commit."""
    block = change.block
    return {
        "event": change.event,
        "also": list(change.also),
        "block": {"id": block.id or None, "title": in_json(view.title(block.title)), "path": path_data(block.path)},
        "provenance": provenance_data(change.provenance),
        "added": [in_json(view.hide(text)) for text in change.added],
        "removed": [in_json(view.hide(text)) for text in change.removed],
    }


def change_texts(change: BlockChange) -> tuple[str, ...]:
    """The texts of a change that are shown."""
    return (*change.added, *change.removed)


def provenance_data(found: Provenance) -> dict[str, object]:
    """The JSON object of a provenance; null for what is not given."""
    return {"src": found.src or None, "ts": found.ts, "ttl": found.ttl or None, "id": found.id or None}


def author_data(node: NodeRow, actor: Actor) -> dict[str, object]:
    """The JSON object of a commit's author. `verified` is true for a signature that the policy's keys prove."""
    return {"name": whole(node.name), "email": whole(node.email), "kind": actor.kind, "verified": actor.verified}


def whole(text: str) -> str:
    """A text that stands alone, such as a name or a path, for JSON: credentials masked."""
    return in_json(mask_secrets(text))


def in_json(text: str) -> str:
    """A masked text for JSON: bytes that are no UTF-8 as escapes."""
    return text.encode("utf-8", "backslashreplace").decode()
