"""A tag is dated after today.

## Why

`ts` is the day on which a fact was learned. A later one makes a fact win every "newest first" and outlive its ttl. The day counts in the
policy's time zone; the gate allows for places that are a day ahead.

## Bad

    file: MEMORY.md
    | - Invoices go to the new address <!-- src:web ts:2031-01-01 ttl:90d -->

Front matter:

    file: wiki/invoices.md
    | ---
    | src: web
    | ts: 2031-01-01
    | ---
    | Invoices go to the new address

A daily log of a day to come, whose entries without a tag count as of that day:

    before: memory/2031-01-01.md
    after: memory/2031-01-01.md
    | - Invoices go to the new address

## Good

    file: MEMORY.md
    | - From 2031-01-01 on invoices go to the new address <!-- src:web ts:2026-06-15 ttl:90d -->

## Instead

Date the tag, or name the daily log, with the day on which the fact was learned, and write days to come into the text.
"""

from __future__ import annotations

from hoard_git.core.dates import format_day, parse_day
from hoard_git.core.provenance import front_tag, provenances
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG105", "future-timestamp", "error", "file")


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Yield a hit for each tag, and for a front matter, with a day that is still to come."""
    for ts, line, column in stamps(file):
        day = parse_day(ts)
        if day is not None and day > scene.latest:
            hint = f"ts is the day on which it was learned, today at the latest: ts:{format_day(scene.today)}"
            yield Hit(f"ts:{ts} is in the future", line, column, hint)
    day = parse_day(file.default.ts) if file.default is not None else None
    if day is not None and day > scene.latest and file.default is not None:
        for entry, provenance in zip(file.document.entries, provenances(file.document, file.default), strict=True):
            if provenance.origin == "class" and file.judges(entry.line, entry.end_line):
                hint = f"write it into the log of the day on which it was learned, today at the latest: {format_day(scene.today)}"
                yield Hit(
                    f"the entries of this file count as of {file.default.ts}, which is in the future",
                    entry.line,
                    1,
                    hint,
                    "",
                    entry.end_line,
                )
                return


def stamps(file: FileView) -> Iterator[tuple[str, int, int]]:
    """Yield (ts, line, column) of every provenance of the file that counts."""
    for mark in file.document.marks:
        if mark.tag is not None and not mark.misplaced:
            yield mark.tag.ts, mark.line, mark.column
    front = front_tag(file.document)
    if front is not None:
        line = next(line for key, _value, line in file.document.front if key == "ts")
        yield front.ts, line, 1
