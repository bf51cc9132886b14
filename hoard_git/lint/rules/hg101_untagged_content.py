"""Content was added or changed, or lost its tag, and nothing says where it comes from.

## Why

What a memory is worth depends on who said it. An entry without provenance ranks below a search of old history, never expires, and a later
session cannot tell a user's wish from a line of a web page. A tag on the enclosing heading or on the file is enough; daily logs, HEARTBEAT.md
and identity files count as somebody's without one. Old content is not judged: only what a change adds or edits, or takes the tag from.

## Bad

    before: MEMORY.md
    | ## Servers  <!-- src:agent ts:2026-06-01 -->
    | - Node 1 runs the queue
    after: MEMORY.md
    | ## Servers  <!-- src:agent ts:2026-06-01 -->
    | - Node 1 runs the queue
    | ## Backups
    | - Backups go to the second disk

A tag that went missing from its heading:

    before: MEMORY.md
    | ## Servers  <!-- src:agent ts:2026-06-01 -->
    | - Node 1 runs the queue
    after: MEMORY.md
    | ## Servers
    | - Node 1 runs the queue

## Good

    before: MEMORY.md
    | ## Servers  <!-- src:agent ts:2026-06-01 -->
    | - Node 1 runs the queue
    after: MEMORY.md
    | ## Servers  <!-- src:agent ts:2026-06-01 -->
    | - Node 1 runs the queue
    | ## Backups
    | - Backups go to the second disk <!-- src:agent ts:2026-06-15 -->

Old content without a tag, which the change leaves as it was:

    before: MEMORY.md
    | ## Servers
    | - Node 1 runs the queue
    after: MEMORY.md
    | ## Servers
    | - Node 1 runs the queue
    | - Node 2 runs the cache <!-- src:agent ts:2026-06-15 -->

## Instead

Put `<!-- src:agent ts:2026-06-15 -->` at the end of the entry or of its heading, or alone on the line above a table or a paragraph.
`hoard tag PATH` does it for a whole file; `hoard add` writes entries that are tagged.

## Limits

Files that only stand there (`hoard check` without a change) get one warning a file instead of an error for each heading. An entry with a tag
that cannot be read is HG102's or HG103's alone. Front matter,
link definitions and regions that another tool manages need no tag. A tag in code, in a quote of markup or with a fault counts for nothing.
"""

from __future__ import annotations

from hoard_git.core.dates import format_day
from hoard_git.core.model import UNTAGGED
from hoard_git.core.provenance import provenances
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.align import Change
    from hoard_git.core.document import Entry
    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG101", "untagged-content", "error", "entry", state="warn")

_METADATA = frozenset(
    (
        "title",
        "tags",
        "name",
        "description",
        "type",
        "date",
        "created",
        "updated",
        "modified",
        "aliases",
        "limit",
        "read_only",
        "src",
        "ts",
        "ttl",
        "id",
        "ev",
    )
)
_TITLE_WORDS = 5
"""Words, the hash signs counted, up to which a heading is a title and not a statement."""

NEEDS = frozenset({"item", "text", "row", "code", "html", "quote", "transcript"})
CLASSES = frozenset({"index", "topic", "daily", "archive", "wiki"})
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@%")


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Yield one hit for a file with untagged entries."""
    if file.file_class not in CLASSES:
        return
    del scene
    claims = zip(file.document.entries, provenances(file.document, file.default), strict=True)
    entries = [entry for entry, provenance in claims if provenance.src == UNTAGGED and needs_tag(file, entry)]
    if entries:
        first, more = entries[0], _more(len(entries), "in this file")
        yield Hit(f"an entry has no provenance{more}", first.line, 1, f"hoard tag {quoted(file.path)}", file.path, first.end_line)


def check_change(scene: Scene) -> Iterator[Hit]:
    """Yield one hit for the untagged entries under one heading that the change is to blame for."""
    changes: dict[str, list[Change]] = {}
    for change in scene.changes:
        changes.setdefault(change.unit.path, []).append(change)
    for file in scene.files:
        if file.file_class not in CLASSES:
            continue
        blamed = {change.unit.index: change for change in changes.get(file.path, ()) if _is_blamed(change, file)}
        named = _named(scene, file) if blamed else ()
        groups: dict[int, list[int]] = {}
        for index in sorted(blamed):
            entry = file.document.entries[index]
            if not any(entry.line <= line <= entry.end_line for line in named):
                groups.setdefault(entry.heading, []).append(index)
        for group in groups.values():
            yield _hit(scene, file, group, blamed[group[0]])
        yield from _bare_headings(file, changes.get(file.path, []))


def needs_tag(file: FileView, entry: Entry) -> bool:
    """Whether an entry is content that has to say where it comes from. An empty list item says nothing."""
    if entry.kind == "front":
        # Nobody's MEMORY.md has one (0 of 55 public ones), so what stands there beside plain metadata is content.
        return file.file_class == "index" and any(key.lower() not in _METADATA for key, _value, _line in file.document.front)
    if entry.kind not in NEEDS or _is_managed(file, entry.line):
        return False
    return entry.kind != "item" or len(entry.text.split(None, 1)) > 1


def _is_managed(file: FileView, line: int) -> bool:
    """Whether a line lies in another tool's region: OpenClaw's own, or one whose markers the change has not brought along itself."""
    touched = file.touched
    return any(
        region.line <= line <= region.end_line and (touched is None or region.line not in touched or region.name.startswith("openclaw"))
        for region in file.document.regions
    )


def _bare_headings(file: FileView, changes: list[Change]) -> Iterator[Hit]:
    """Untagged headings that speak for themselves: a sentence with nothing under it that would have to say where it comes from."""
    parents = {heading.parent for heading in file.document.headings}
    with_entries = {entry.heading for entry in file.document.entries}
    for change in changes:
        after = change.after
        if after is None or not after.is_heading or after.provenance.src != UNTAGGED or not change.has("add", "edit"):
            continue
        if after.index in parents or after.index in with_entries or len(after.text.split()) <= _TITLE_WORDS:
            continue
        hint = "end the heading with a tag, or write the fact as an entry below it"
        yield Hit("a heading that states something has no provenance", after.line, 1, hint, file.path)


def _is_blamed(change: Change, file: FileView) -> bool:
    after = change.after
    if after is None or after.is_heading or after.provenance.src != UNTAGGED:
        return False
    lost = change.before is not None and change.before.provenance.src != UNTAGGED
    return (lost or change.has("add", "edit")) and needs_tag(file, file.document.entries[after.index])


def _named(scene: Scene, file: FileView) -> list[int]:
    """The lines under judgement whose tag HG102 or HG103 reports as an error: such an entry needs no second finding."""
    if not any(mark.problem or mark.misplaced for mark in file.document.marks):
        return []
    from hoard_git.lint.rules import hg102_malformed_provenance as malformed
    from hoard_git.lint.rules import hg103_misplaced_provenance as misplaced

    found = []
    for rule in (malformed, misplaced):
        if scene.policy.severity_of(rule.META.code, rule.META.severity) == "error":
            found += [hit.line for hit in rule.check(file, scene) if not hit.severity and file.judges(hit.line, hit.end_line)]
    return found


def _more(count: int, where: str) -> str:
    if count < 2:
        return ""
    return f", and {count - 1} more {'entries' if count > 2 else 'entry'} {where}"


def _hit(scene: Scene, file: FileView, run: list[int], change: Change) -> Hit:
    entry, last = file.document.entries[run[0]], file.document.entries[run[-1]]
    touched = file.touched or frozenset()
    line = min((number for number in range(entry.line, entry.end_line + 1) if number in touched), default=entry.line)
    message = "an entry has no provenance"
    if change.before is not None and change.before.provenance.src != UNTAGGED:
        message = f"an entry lost its provenance, src:{change.before.provenance.src}"
    message += _more(len(run), "under this heading" if entry.heading >= 0 else "before the first heading")
    return Hit(message, line, 1, _hint(scene, file.path, entry.kind, many=len(run) > 1), file.path, last.end_line)


def _hint(scene: Scene, path: str, kind: str, *, many: bool) -> str:
    source = "user" if scene.change and scene.actor.is_human else "agent"
    tag = f"<!-- src:{source} ts:{format_day(scene.today)} -->"
    if many:
        where = f"end the heading with {tag}"
    elif kind == "item":
        where = f"end the line with {tag}"
    else:
        where = f"put {tag} alone on the line above"
    return f"{where}, or run: hoard tag {quoted(path)}"


def quoted(path: str) -> str:
    """A path as a shell takes it."""
    if path and _SAFE.issuperset(path) and not path.startswith("-"):
        return path
    return "-- '" + path.replace("'", "'\\''") + "'"
