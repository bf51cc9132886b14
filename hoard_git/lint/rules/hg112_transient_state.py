"""An entry of MEMORY.md tells what is going on at this moment.

## Why

MEMORY.md is read at the start of every session, for months. "The build is running right now" is wrong an hour later, and nobody takes it out.

## Bad

    file: MEMORY.md
    | ## Builds  <!-- src:agent ts:2026-06-01 -->
    | - The nightly build is in progress right now

A clock time of a single event:

    file: MEMORY.md
    | ## Mia  <!-- src:agent ts:2026-06-01 -->
    | - Mia asked about the invoice at 21:04

## Good

    file: MEMORY.md
    | ## Builds  <!-- src:agent ts:2026-06-01 -->
    | - The nightly build starts at 21:04 every day and takes 40 minutes
    | - Mia currently lives in Berlin

## Instead

Write it into today's log, `memory/YYYY-MM-DD.md`, or say what stays true of it.

## Limits

Only MEMORY.md is judged, by common English, German and Chinese phrases.
"""

from __future__ import annotations

import re

from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.document import Entry
    from hoard_git.lint.scene import FileView, Scene

_NOW_WORDS = (
    "currently", "is typing", "is now typing", "just now", "right now", "this session", "this conversation", "this chat", "at the moment", " ago",
    "gerade", "momentan", "im moment", "dieser sitzung", "\u521a\u521a", "\u521a\u624d", "\u6b63\u5728", "\u6b64\u523b", "\u672c\u6b21\u4f1a\u8bdd",
)  # fmt: skip
_EVENT_WORDS = (
    "asked", "said", "told", "replied", "answered", "wrote", "sent", "pinged", "messaged", "called", "texted", "mentioned", "requested", "reported",
    "logged in", "woke", "crashed", "went", "came back", "restarted", "today", "tonight", "fragte", "sagte", "schrieb", "heute", "\u8bf4", "\u95ee",
)  # fmt: skip

META = Meta("HG112", "transient-state", "info", "entry", trigger=_NOW_WORDS + _EVENT_WORDS)

# Compiled on first use: an entry without any of the words above needs none of them.
_NOW = (
    r"(?<!\w)(?:currently (?:running|waiting|typing|building|compiling|testing|deploying|debugging|downloading|uploading|syncing|in progress|away"
    r"|asleep|offline|online|idle|busy)|is (?:now )?typing|just now|right now|in this (?:session|conversation|chat)|this session(?! (?:type|key|id|file)\b)"
    r"|at the moment|(?:an?|one|two|three|a few|[0-9]{1,3}) (?:seconds?|secs?|minutes?|mins?|moments?|hours?) ago"
    r"|gerade (?:eben|dabei|jetzt)|l\u00e4uft gerade|schreibt gerade|momentan|im moment|(?:in )?dieser sitzung)(?!\w)"
    "|\u521a\u521a|\u521a\u624d|\u6b64\u523b|\u672c\u6b21\u4f1a\u8bdd|\u6b63\u5728(?:\u8fd0\u884c|\u8f93\u5165|\u5904\u7406|\u7b49\u5f85|\u6784\u5efa|\u4e0b\u8f7d)"
)
_CLOCK = (
    r"(?<![\w:.-])(?:(?:1[0-2]|0?[1-9])(?::[0-5][0-9])? ?[ap]\.?m(?![a-z0-9_])"
    r"|(?:[01]?[0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?(?![a-z0-9_:-]))"
)
_EVENT = rf"(?<!\w)(?:{'|'.join(_EVENT_WORDS[:-2])})(?!\w)|\u8bf4|\u95ee"
_REPEATS = (
    r"(?<!\w)(?:every|each|daily|nightly|weekly|weekdays?|always|usually|never|cron|schedule[ds]?|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?"
    r"|saturdays?|sundays?|t\u00e4glich|jeden|jede|immer|if|when|before|after|until|wenn)(?!\w)|[0-9]{4}-[0-9]{2}-[0-9]{2}|\u6bcf"
)
_LOOK = 2000


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Yield a hit for each entry of the index that tells of this moment."""
    del scene
    if file.file_class == "index":
        for entry in file.document.entries:
            yield from _judge(file, entry)


def check_change(scene: Scene) -> Iterator[Hit]:
    """Yield the same for entries that the change adds or rewords."""
    views = {file.path: file for file in scene.files if file.file_class == "index"}
    for change in scene.changes:
        after = change.after
        if after is not None and not after.is_heading and change.has("add", "edit") and after.path in views:
            file = views[after.path]
            yield from _judge(file, file.document.entries[after.index])


def _judge(file: FileView, entry: Entry) -> Iterator[Hit]:
    if entry.kind not in ("item", "text", "row") or file.document.in_region(entry.line):
        return
    text = entry.text[:_LOOK].lower()
    now, event = _holds(text, _NOW_WORDS), _holds(text, _EVENT_WORDS)
    if not now and not event:
        return
    text = re.sub(r"`[^`\n]{0,400}`|<!--[^\n]{0,600}?-->", " ", text).replace("\n", " ")
    if now and re.search(_NOW, text):
        message = "the entry tells what is going on right now"
    elif event and re.search(_CLOCK, text) and re.search(_EVENT, text) and not re.search(_REPEATS, text):
        message = "the entry tells of one moment by the clock"
    else:
        return
    yield Hit(message, entry.line, 1, "write it into today's log, or say what stays true", file.path, entry.end_line)


def _holds(text: str, words: tuple[str, ...]) -> bool:
    return any(word in text for word in words)
