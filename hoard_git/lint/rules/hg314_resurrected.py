"""Something that was archived or removed is active again, and looks new.

## Why

What expires is archived, and that is the end of a wrong fact unless it comes back. Brought back with a fresh date it lives for another term and
ranks as news. A note that asks to be copied on does that every time. `hoard restore` brings an entry back with the date it had.

## Bad

    actor: agent
    before: memory/archive/2026-05-01.md
    | - The fast mirror is pkg.fast.example <!-- src:web ts:2026-02-01 -->
    before: MEMORY.md
    | # MEMORY.md
    after: memory/archive/2026-05-01.md
    | - The fast mirror is pkg.fast.example <!-- src:web ts:2026-02-01 -->
    after: MEMORY.md
    | # MEMORY.md
    | - The fast mirror is pkg.fast.example <!-- src:web ts:2026-06-15 -->

## Good

    actor: agent
    before: memory/archive/2026-05-01.md
    | - The fast mirror is pkg.fast.example <!-- src:web ts:2026-02-01 -->
    before: MEMORY.md
    | # MEMORY.md
    after: MEMORY.md
    | # MEMORY.md
    | - The fast mirror is pkg.fast.example <!-- src:web ts:2026-02-01 -->

## Instead

`hoard restore` keeps the old date. If you have looked again, write what you saw in your own words, with `ev:`.

## Limits

Recognised by the words, in entries of four words or twenty characters, however their lines are broken. What was removed without being archived is known from history, which a
local hook does not read; there a date of today or yesterday counts as new, unless the words had it before.
"""

from __future__ import annotations

from hoard_git.core.align import core_text
from hoard_git.core.dates import parse_day
from hoard_git.core.files import ACTIVE
from hoard_git.core.units import fact_key
from hoard_git.lint.elsewhere import find_twins, new_texts
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.align import Unit
    from hoard_git.lint.scene import Past, Scene

META = Meta("HG314", "resurrected", "warn", "change", nonhuman=True)

_HINT = "hoard restore keeps the old date; what you checked again is a new entry in your own words, with ev:"


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge what came out of the archive, then new entries whose words lie in it or in history."""
    tags = set()
    for change in scene.changes:
        before, after = change.before, change.after
        if change.kind != "restore" or before is None or after is None or after.is_heading or not _is_fresher(before, after):
            continue
        line = after.provenance.line or after.line
        if (after.path, line) not in tags:  # one finding for all that one tag dates
            tags.add((after.path, line))
            yield Hit("archived content is active again with a newer date", line, 1, _HINT, after.path, line)
    units = [change.after for change in new_texts(scene) if change.after is not None and change.after.file_class in ACTIVE]
    if not units:
        return
    twins = find_twins(scene, {fact_key(core_text(unit)) for unit in units}, [unit.text for unit in units])
    rest = []
    for unit in units:
        same = twins.get(fact_key(core_text(unit)), [])
        archived = [twin for twin in same if twin.file_class == "archive"]
        if len(archived) < len(same):
            continue  # the words were active before as well
        if not archived:
            rest.append(unit)
        elif all(twin.provenance.ts != unit.provenance.ts for twin in archived):
            yield _hit(unit, f"these words lie in the archive ({_plain(archived[0].path)} line {archived[0].line})")
    past = scene.lookup.past(sorted({core_text(unit) for unit in rest})) if rest else None
    for unit in rest if past else ():
        known = past.get(core_text(unit)) if past else None
        if known is not None and known.retired and _is_new(scene, unit, known):
            yield _hit(unit, f"these words were retired before (commit {known.commit[:12]})")


def _is_fresher(before: Unit, after: Unit) -> bool:
    was, now = parse_day(before.provenance.ts), parse_day(after.provenance.ts)
    if was is None:
        return False
    return now is None or now > was


def _is_new(scene: Scene, unit: Unit, known: Past) -> bool:
    """Whether an entry looks newer than its words ever did: `git revert` and `hoard restore` bring back the date that it had."""
    day, was = parse_day(unit.provenance.ts), parse_day(known.newest)
    if day is None:
        return known.newest != "unknown"
    return day >= scene.today - 1 and (was is None or day > was)


def _hit(unit: Unit, message: str) -> Hit:
    return Hit(message, unit.line, 1, _HINT, unit.path, unit.end_line)


def _plain(path: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in path)[:120]
