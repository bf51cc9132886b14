"""The output of `hoard show`, `hoard why` and `hoard diff`."""

from __future__ import annotations

from hoard_git.cli.render.columns import fill, plain, wrap
from hoard_git.cli.render.history import COLOURS, author_data, describe, in_json, paint, provenance_data, render_text, shown_rows
from hoard_git.cli.render.masking import ALONE
from hoard_git.cli.render.text import path_data, path_text, safe
from hoard_git.cli.render.width import width
from hoard_git.core.moments import iso_day, iso_moment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hoard_git.app.history_log import LogEvent
    from hoard_git.app.history_story import Standing, Story, Telling
    from hoard_git.cli.render.masking import View
    from hoard_git.gitio.blockindex import EventRow, Side

    ViewOf = Callable[[str], View]

_FEW = 5


def render_standing(
    found: Standing, expires: str, events: Sequence[LogEvent], columns: int, *, color: bool, view: View = ALONE, over: bool = False
) -> Iterator[str]:
    """A block: what it is called, where it stands, its text, and the last events. `view` masks the version that it stands in.

    `over` says that the day up to which it is fresh is past.
    """
    state = "" if found.alive else "  (removed; this is how it last stood)"
    yield paint(safe(view.title(found.title)) or "-", "1", on=color) + state
    where = f"{found.path}:{found.line}" + (f"-{found.end}" if found.end > found.line else "")
    name = safe(view.name(found.name))
    yield f"  name   {name}"
    yield f"  place  {plain(where)}" + ("" if found.alive else f" in {found.commit[:12]}")
    yield f"  claim  {describe(found.provenance)}" + (f", {'was ' * over}fresh until {expires}" if expires else "")
    yield ""
    for row in shown_rows(view.hide(found.text)):
        for part in wrap(row, columns - 4):
            yield f"    {part}".rstrip()
    yield ""
    for event in events[:_FEW]:
        node = event.node
        word = paint(fill(event.change.event, 8), COLOURS.get(event.change.event, ""), on=color)
        yield f"  {node.oid[:10]}  {iso_day(node.date) or '-':<10}  {word} {plain(node.name) or '-'} ({event.actor.kind})"
    if len(events) > _FEW:
        yield f"  and {len(events) - _FEW} earlier: hoard log {name}"


def standing_data(found: Standing, expires: str, events: int, view: View = ALONE) -> dict[str, object]:
    """The JSON object of a block."""
    title = in_json(view.title(found.title))
    return {
        "schema": 1,
        "block": {"id": found.provenance.id or None, "name": in_json(view.name(found.name)), "title": title, "path": path_data(found.path)},
        "line": found.line,
        "end_line": found.end,
        "alive": found.alive,
        "commit": found.commit,
        "provenance": provenance_data(found.provenance),
        "expires": expires or None,
        "text": in_json(view.hide(found.text)),
        "events": events,
    }


def render_story(story: Story, columns: int, *, color: bool, view_of: ViewOf = lambda _oid: ALONE) -> Iterator[str]:
    """A fact's story in sentences, oldest first. `view_of` gives what may be shown of a commit."""
    yield paint(safe(_title(story, view_of)) or "-", "1", on=color)
    seen: set[int] = set()
    for chapter in story.chapters:
        fact = chapter.row.fact
        yield from _render_chapter(chapter, columns, view_of(chapter.node.oid), first=fact not in seen, color=color)
        seen.add(fact)
    yield from _ending(story, columns, color=color)


def _ending(story: Story, columns: int, *, color: bool) -> Iterator[str]:
    """Where it stands, and whether its source rose: on one line where both fit."""
    where = f"It stands in {path_text(story.path)}." if story.path else "It is no longer in memory."
    rises = list(dict.fromkeys(rise.node.oid[:10] for rise in story.rises))
    times = "once" if len(rises) == 1 else f"{len(rises)} times"
    rose = f"Its source rose {times}: look at {', '.join(rises)}." if rises else "Its source never rose."
    red = "31" if rises else ""
    if width(where) + len(rose) + 3 <= columns:
        yield f"  {where} {paint(rose, red, on=color)}"
        return
    yield from ("  " + part for part in wrap(where, columns - 2))
    yield from ("  " + paint(part, red, on=color) for part in wrap(rose, columns - 2))


def _title(story: Story, view_of: ViewOf) -> str:
    """The title is that of the last chapter."""
    view = view_of(story.chapters[-1].node.oid) if story.chapters else ALONE
    if story.chapters:
        view.look(_texts(story.chapters[-1]))
    return view.title(story.title)


def _texts(chapter: Telling) -> Iterator[str]:
    for side in (chapter.row.before, chapter.row.after):
        if side is not None:
            yield side.text


def _render_chapter(chapter: Telling, columns: int, view: View, *, first: bool, color: bool) -> Iterator[str]:
    node, row = chapter.node, chapter.row
    view.look(_texts(chapter))
    word = paint(fill(row.op, 8), COLOURS.get(row.op, ""), on=color)
    yield f"  {node.oid[:10]}  {iso_day(node.date) or '-':<10}  {word} by {plain(node.name) or '-'} ({chapter.actor.kind})"
    before, after = row.before, row.after
    notes = list(_notes(row, view, first=first))
    if chapter.original is not None:
        notes.append(f"the same words were {describe(chapter.original.provenance)} in {plain(chapter.original.path)}")
    if chapter.rose:
        notes.append("its source rose")
    if notes:
        for part in wrap("; ".join(notes), columns - 4):
            yield "    " + part
    if before is None or after is None or before.text != after.text:
        for sign, text, colour in (("-", before.text if before else None, "31"), ("+", after.text if after else None, "32")):
            if text is not None:
                for line in render_text(text, sign, columns, view=view):
                    yield paint(line, colour, on=color)


def _notes(row: EventRow, view: View, *, first: bool) -> Iterator[str]:
    """Where a fact came from and went to, and what became of its claim."""
    before, after, side = row.before, row.after, row.side
    if before is None or after is None:
        came = "first seen in" if first else "back in" if row.op == "restore" else "added to"
        what = came if after is not None else "taken out of"
        under = f" under {safe(view.title(side.title))}" if side.title else ""
        yield f"{what} {path_text(side.path)}{under}"
        yield f"as {describe(side.provenance)}"
        return
    if (before.path, before.title) != (after.path, after.title):
        old, new = (f"{path_text(at.path)}, {safe(view.title(at.title)) or '-'}" for at in (before, after))
        yield f"from {old} to {new}"
    if describe(before.provenance) != describe(after.provenance):
        yield f"was {describe(before.provenance)}, became {describe(after.provenance)}"


def story_data(story: Story, view_of: ViewOf = lambda _oid: ALONE) -> dict[str, object]:
    """The JSON object of a story."""
    told = [_chapter_data(chapter, view_of(chapter.node.oid)) for chapter in story.chapters]
    return {
        "schema": 1,
        "title": in_json(_title(story, view_of)),
        "path": path_data(story.path) or None,
        "alive": bool(story.path),
        "first": told[0] if told else None,
        "events": told,
        "rose": bool(story.rises),
        "rises": [chapter.node.oid for chapter in story.rises],
    }


def _chapter_data(chapter: Telling, view: View) -> dict[str, object]:
    row = chapter.row
    view.look(_texts(chapter))
    return {
        "commit": chapter.node.oid,
        "date": iso_moment(chapter.node.date),
        "author": author_data(chapter.node, chapter.actor),
        "event": row.op,
        "also": list(row.also),
        "before": _side_data(row.before, view),
        "after": _side_data(row.after, view),
        "rose": chapter.rose,
    }


def _side_data(side: Side | None, view: View) -> dict[str, object] | None:
    if side is None:
        return None
    return {
        "path": path_data(side.path),
        "heading": in_json(view.title(side.title)),
        "text": in_json(view.hide(side.text)),
        "provenance": provenance_data(side.provenance),
    }
