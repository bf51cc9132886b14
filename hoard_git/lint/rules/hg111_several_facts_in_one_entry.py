"""One entry holds several facts.

## Why

An entry has one source, one day and one ttl, and is found, replaced and archived as a whole. Three sentences under one tag expire together when
the first is stale, and the second cannot be traced to where it came from.

## Bad

    file: MEMORY.md
    | ## Servers  <!-- src:agent ts:2026-06-01 -->
    | - Node 1 runs the queue for billing. Node 2 was moved to the new rack. Backups of both go to disk B.

## Good

    file: MEMORY.md
    | ## Servers  <!-- src:agent ts:2026-06-01 -->
    | - Node 1 runs the queue for billing, i.e. all invoices. It has 8 GB.
    | - Node 2 was moved to the new rack
    | - Backups of both go to disk B

## Instead

Give each fact an item of its own, with its own tag where source or day differ.

## Limits

Judged are items, paragraphs and table cells of MEMORY.md and topic files: three full sentences, or two in more than 400 characters. Two short
clauses in one sentence are not counted.
"""

from __future__ import annotations

import re

from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.document import Entry
    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG111", "several-facts-in-one-entry", "info", "entry", trigger=(".", "!", "?", "\u3002", "\uff01", "\uff1f"))

LONG = 400
MOST = 2

# Compiled on first use: most entries have no second full stop.
_NOISE = r"`[^`\n]{0,400}`|<!--[^\n]{0,600}?-->|https?://[^\s)>\]]{1,2000}"
_END = r"[.!?][\"')\]*_\u201d]{0,3}\s+(?=[\"'(\[*_\u201c]{0,3}[^\W\d_a-z])|[\u3002\uff01\uff1f]\s*"
_SHORT = (
    r"(?:(?<![^\W\d_])[^\W\d_]|(?<!\w)(?:e\.g|i\.e|vs|etc|approx|ca|cf|no|nr|dr|mr|mrs|ms|prof|st|inc|ltd|co|jr|sr|fig"
    r"|z\.b|d\.h|u\.a|bzw|evtl|ggf|usw))\Z"
)
_WORD = r"[^\W_]+"
_WIDE = "[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Yield a hit for each entry with several sentences."""
    del scene
    if file.file_class in ("index", "topic"):
        for entry in file.document.entries:
            yield from _judge(file, entry)


def check_change(scene: Scene) -> Iterator[Hit]:
    """Yield the same for entries that the change adds or rewords."""
    views = {file.path: file for file in scene.files if file.file_class in ("index", "topic")}
    for change in scene.changes:
        after = change.after
        if after is not None and not after.is_heading and change.has("add", "edit") and after.path in views:
            file = views[after.path]
            yield from _judge(file, file.document.entries[after.index])


def _judge(file: FileView, entry: Entry) -> Iterator[Hit]:
    if entry.kind not in ("item", "text", "row") or file.document.in_region(entry.line):
        return
    ends = sum(map(entry.text.count, ".!?\u3002\uff01\uff1f"))
    if ends < MOST and (not ends or len(entry.text) <= LONG):
        return
    text = re.sub(_NOISE, " x ", entry.text)
    count = max(sentences(cell) for cell in text.split("|")) if entry.kind == "row" else sentences(text)
    if count > MOST or (count == MOST and len(entry.text) > LONG):
        yield Hit(f"the entry holds {count} sentences", entry.line, 1, "give each fact an item of its own", file.path, entry.end_line)


def sentences(text: str) -> int:
    """Count full sentences: of four words or more, or of eight characters in scripts that write no spaces."""
    count, start = 0, 0
    short = re.compile(_SHORT, re.IGNORECASE)
    for match in re.finditer(_END, text):
        if text[match.start()] == "." and short.search(text, max(start, match.start() - 8), match.start()):
            continue
        count += _is_full(text[start : match.start()])
        start = match.end()
    return count + _is_full(text[start:])


def _is_full(text: str) -> bool:
    return len(re.findall(_WORD, text)) >= 4 or len(re.findall(_WIDE, text)) >= 8
