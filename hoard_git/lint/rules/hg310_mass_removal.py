"""A large part of the active memory leaves it in one change.

## Why

A clean-up that goes wrong, a file written from a truncated context, or a hostile rewrite all look alike: many entries are gone at once. Git
still has them, but the next session does not. So more than a quarter of the entries of the workspace, of the index or of one daily log stops for
a human; `consolidate: max_loss` says how much.

## Bad

    actor: agent
    before: MEMORY.md
    | - Node 1 runs the queue <!-- src:agent ts:2026-06-01 -->
    | - Node 2 runs the cache <!-- src:agent ts:2026-06-01 -->
    | - Node 3 runs the mail <!-- src:agent ts:2026-06-01 -->
    | - Node 4 runs the tests <!-- src:agent ts:2026-06-01 -->
    | - Node 5 runs the wiki <!-- src:agent ts:2026-06-01 -->
    | - Node 6 runs the proxy <!-- src:agent ts:2026-06-01 -->
    | - Backups go to disk two <!-- src:agent ts:2026-06-01 -->
    | - The printer is upstairs <!-- src:agent ts:2026-06-01 -->
    | - Lunch is at noon <!-- src:agent ts:2026-06-01 -->
    | - Invoices go out on Friday <!-- src:agent ts:2026-06-01 -->
    after: MEMORY.md
    | # MEMORY.md

## Good

    actor: agent
    before: MEMORY.md
    | - Node 1 runs the queue <!-- src:agent ts:2026-06-01 -->
    | - Node 2 runs the cache <!-- src:agent ts:2026-06-01 -->
    | - Node 3 runs the mail <!-- src:agent ts:2026-06-01 -->
    after: MEMORY.md
    | - Node 1 runs the queue <!-- src:agent ts:2026-06-01 -->

## Instead

Remove less at a time, move instead of delete, or let a human commit it: `hoard commit --human`. `hoard consolidate` proposes what can go and says
where it went.

## Limits

Fewer than ten entries are no mass. Moves among active files do not count, links written for the new place or not, nor do copies whose twin
stays with no lower source. Entries that go to the archive count, except from a daily log that is past its hot days, where that is the ordinary way; from one that is past its warm days what is not in the archive
does not count either, as long as a log of that name is there.
"""

from __future__ import annotations

from hoard_git.core.files import ACTIVE
from hoard_git.lint.filing import Filing
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hoard_git.core.accounting import Fact
    from hoard_git.core.align import Change
    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG310", "mass-removal", "error", "change", nonhuman=True)

FEWEST = 10
"""Entries that have to leave before this rule says anything."""


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge the whole workspace, then the index and each daily log by itself."""
    leaving = [change for change in scene.changes if _leaves(change)]
    if len(leaving) < FEWEST:
        return
    filing = Filing(scene)
    leaving = [change for change in leaving if not _is_filed(filing, change)]
    if len(leaving) < FEWEST:
        return
    leaving = _without_twins(scene, leaving)
    counts = {path: len(view.document.entries) for path, view in scene.before.items() if view.file_class in ACTIVE}
    limit = scene.policy.max_loss
    if _is_mass(len(leaving), sum(counts.values()), limit):
        total = max(scene.lookup.active_entries(), sum(counts.values()))
        if _is_mass(len(leaving), total, limit):
            by_path = _by_path(leaving)
            path = max(sorted(by_path), key=lambda p: len(by_path[p]))
            yield _hit(len(leaving), total, limit, "the active memory", path)
            return
    for path, changes in sorted(_by_path(leaving).items()):
        if scene.before[path].file_class in ("index", "daily") and _is_mass(len(changes), counts[path], limit):
            yield _hit(len(changes), counts[path], limit, "this file", path)


def _is_filed(filing: Filing, change: Change) -> bool:
    """Whether an entry leaves an older log as logs do."""
    before = change.before
    if before is None or before.file_class != "daily":
        return False
    return (change.after is not None and filing.is_past(before.path, "hot", "7d")) or filing.is_filed(before)


def _leaves(change: Change) -> bool:
    before, after = change.before, change.after
    if before is None or before.is_heading or before.file_class not in ACTIVE:
        return False
    return after is None or after.file_class not in ACTIVE


def _is_mass(lost: int, total: int, limit: float) -> bool:
    return lost >= FEWEST and lost > limit * total


def _without_twins(scene: Scene, leaving: list[Change]) -> list[Change]:
    """Leave out copies: the same is still said in a changed active file, or in an unchanged one."""
    from hoard_git.core.accounting import facts_of

    paths = {change.before.path for change in leaving if change.before is not None}
    facts = {(path, fact.line): fact for path in paths for fact in facts_of(scene.before[path].side())}
    rest = _unsaid(leaving, facts, scene.files)
    if len(rest) < FEWEST:
        return rest
    needles = sorted({facts[place].first for change in rest if (place := _place(change)) in facts})
    return _unsaid(rest, facts, scene.lookup.views_with(needles))


def _unsaid(leaving: list[Change], facts: Mapping[tuple[str, int], Fact], views: Iterable[FileView]) -> list[Change]:
    """The entries whose words stand in none of these files, nor what says the same with no less trust."""
    from hoard_git.core.accounting import facts_of, says_same
    from hoard_git.core.sameness import same_form

    words: set[str] = set()
    forms: dict[str, list[Fact]] = {}
    for view in views:
        if view.file_class in ACTIVE:
            for fact in facts_of(view.side()):
                words.update((fact.core, fact.linked))
                forms.setdefault(same_form(fact.text), []).append(fact)

    def is_said(change: Change) -> bool:
        fact = facts.get(_place(change))
        if fact is None:
            return True  # it holds nothing
        if fact.core in words or fact.linked in words:
            return True
        return any(says_same(fact, twin) for twin in forms.get(same_form(fact.text), ()))

    return [change for change in leaving if not is_said(change)]


def _place(change: Change) -> tuple[str, int]:
    return ("", 0) if change.before is None else (change.before.path, change.before.line)


def _by_path(leaving: list[Change]) -> dict[str, list[Change]]:
    found: dict[str, list[Change]] = {}
    for change in leaving:
        found.setdefault(_place(change)[0], []).append(change)
    return found


def _hit(lost: int, total: int, limit: float, where: str, path: str) -> Hit:
    message = f"{lost} of {total} entries leave {where}, more than {round(limit * 100)}%"
    return Hit(message, 0, 0, "remove less at a time, or let a human commit it: hoard commit --human", path)
