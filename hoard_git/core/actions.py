"""What upkeep intends and what it leaves to a person: the actions and review items of a plan (INTERFACE, "JSON: consolidate")."""

from __future__ import annotations

from hoard_git.core.record import Record

KINDS = ("stale", "archive", "dedupe", "offload", "promote", "warm", "cold")
"""Every kind of action, in the order in which the steps run."""


class Place(Record):
    """A line (1-based) of a file of the snapshot that is planned for; line 0 is the whole file."""

    path: str
    line: int


class Action(Record):
    """One thing that the plan does to one entry, section or file.

    `path` and `line` say where it stands in the snapshot, before anything was changed; `end_line` is its last line there. `block` is the id or
    else the slug of its block, `text` its words as they stand. `to` is where it goes, '' when it stays or is gone. `src` is its source now and
    `src_after` that of what is left of it, never higher. `survivor` is the twin that stays in a dedupe. `reason` is one clause for people.
    `gone` is true when the text is in no file of the tree afterwards, only in history.
    """

    kind: str
    path: str
    line: int
    text: str
    reason: str
    block: str = ""
    to: str = ""
    src: str = ""
    src_after: str = ""
    survivor: Place | None = None
    end_line: int = 0
    gone: bool = False


class Sighting(Record):
    """One entry as a review item shows it."""

    path: str
    line: int
    text: str
    src: str
    ts: str


class Review(Record):
    """Something that a person has to decide. `reason` is one clause; the first of `entries` is the one that the rules would trust most."""

    kind: str
    reason: str
    entries: tuple[Sighting, ...]
