"""The output of `hoard show`, `hoard why` and `hoard diff`."""

from __future__ import annotations

from hoard_git.cli.render.columns import fill, plain, wrap
from hoard_git.cli.render.history import COLOURS, author_data, describe, paint, provenance_data, render_text, whole
from hoard_git.core.moments import iso_day, iso_moment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.app.history_log import LogEvent
    from hoard_git.app.history_story import Standing, Story, Telling

_FEW = 5


def render_standing(found: Standing, expires: str, events: Sequence[LogEvent], columns: int, *, color: bool) -> Iterator[str]:
    """A block: what it is called, where it stands, its text, and the last events."""
    state = "" if found.alive else "  (removed; this is how it last stood)"
    yield paint(plain(found.title) or "-", "1", on=color) + state
    where = f"{found.path}:{found.line}" + (f"-{found.end}" if found.end > found.line else "")
    yield f"  name   {plain(found.name)}"
    yield f"  place  {plain(where)}" + ("" if found.alive else f" in {found.commit[:12]}")
    yield f"  claim  {describe(found.provenance)}" + (f", fresh until {expires}" if expires else "")
    yield ""
    for line in found.text.split("\n"):
        for part in wrap(plain(line), columns - 4):
            yield f"    {part}".rstrip()
    yield ""
    for event in events[:_FEW]:
        node = event.node
        word = paint(fill(event.change.event, 8), COLOURS.get(event.change.event, ""), on=color)
        yield f"  {node.oid[:10]}  {iso_day(node.date) or '-':<10}  {word} {plain(node.name)} ({event.actor.kind})"
    if len(events) > _FEW:
        yield f"  and {len(events) - _FEW} earlier: hoard log {plain(found.name)}"


def standing_data(found: Standing, expires: str, events: int) -> dict[str, object]:
    """The JSON object of a block."""
    return {
        "schema": 1,
        "block": {"id": found.provenance.id or None, "name": whole(found.name), "title": whole(found.title), "path": whole(found.path)},
        "line": found.line,
        "end_line": found.end,
        "alive": found.alive,
        "commit": found.commit,
        "provenance": provenance_data(found.provenance),
        "expires": expires or None,
        "text": whole(found.text),
        "events": events,
    }


def render_story(story: Story, columns: int, *, color: bool) -> Iterator[str]:
    """A fact's story in sentences, oldest first."""
    yield paint(plain(story.title) or "-", "1", on=color)
    for number, chapter in enumerate(story.chapters):
        yield from _render_chapter(chapter, columns, first=number == 0, color=color)
    where = f"It stands in {plain(story.path)}." if story.path else "It is no longer in memory."
    rises = story.rises
    if rises:
        times = "once" if len(rises) == 1 else f"{len(rises)} times"
        where += paint(f" Its source rose {times}: look at {', '.join(rise.node.oid[:10] for rise in rises)}.", "31", on=color)
    else:
        where += " Its source never rose."
    yield "  " + where


def _render_chapter(chapter: Telling, columns: int, *, first: bool, color: bool) -> Iterator[str]:
    node, row = chapter.node, chapter.row
    word = paint(fill(row.op, 8), COLOURS.get(row.op, ""), on=color)
    yield f"  {node.oid[:10]}  {iso_day(node.date) or '-':<10}  {word} by {plain(node.name)} ({chapter.actor.kind})"
    notes = []
    before, after = row.before, row.after
    side = row.side
    if before is None or after is None:
        under = f" under {plain(side.title)}" if side.title else ""
        notes.append(
            f"{'first seen' if first else 'back' if after is not None else 'taken out of'}{' in' if after is not None else ''} {plain(side.path)}{under}"
        )
        notes.append(f"as {describe(side.provenance)}")
    else:
        if (before.path, before.title) != (after.path, after.title):
            notes.append(f"from {plain(before.path)}, {plain(before.title) or '-'} to {plain(after.path)}, {plain(after.title) or '-'}")
        if describe(before.provenance) != describe(after.provenance):
            notes.append(f"was {describe(before.provenance)}, became {describe(after.provenance)}")
    if chapter.rose:
        notes.append("its source rose")
    if notes:
        for part in wrap("; ".join(notes), columns - 4):
            yield "    " + part
    if before is None or after is None or before.text != after.text:
        for sign, text, colour in (("-", before.text if before else None, "31"), ("+", after.text if after else None, "32")):
            if text is not None:
                for line in render_text(text, sign, columns):
                    yield paint(line, colour, on=color)


def story_data(story: Story) -> dict[str, object]:
    """The JSON object of a story."""
    return {
        "schema": 1,
        "title": whole(story.title),
        "path": whole(story.path) or None,
        "alive": bool(story.path),
        "first": _chapter_data(story.chapters[0]) if story.chapters else None,
        "events": [_chapter_data(chapter) for chapter in story.chapters],
        "rose": bool(story.rises),
        "rises": [chapter.node.oid for chapter in story.rises],
    }


def _chapter_data(chapter: Telling) -> dict[str, object]:
    row = chapter.row

    def side(found: object) -> dict[str, object] | None:
        if found is None:
            return None
        here = row.before if found is row.before else row.after
        if here is None:
            return None
        return {
            "path": whole(here.path),
            "heading": whole(here.title),
            "text": whole(here.text),
            "provenance": provenance_data(here.provenance),
        }

    return {
        "commit": chapter.node.oid,
        "date": iso_moment(chapter.node.date),
        "author": author_data(chapter.node, chapter.actor),
        "event": row.op,
        "also": list(row.also),
        "before": side(row.before),
        "after": side(row.after),
        "rose": chapter.rose,
    }
