"""What HG601 and HG602 share: how old the claims of a file are, one place for each tag that decides."""

from __future__ import annotations

from hoard_git.core.dates import ttl_days
from hoard_git.core.freshness import age, freshness, lifetime
from hoard_git.core.provenance import provenances
from hoard_git.lint.scene import Hit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.provenance import Provenance
    from hoard_git.lint.scene import FileView, Scene

_CLASSES = frozenset(("index", "topic", "daily", "heartbeat", "identity", "wiki"))
"""Classes whose content ages: what lies in the archive has done so."""
_FIXED = ("front", "reference")


def find_aged(file: FileView, scene: Scene, state: str) -> Iterator[tuple[Provenance, int]]:
    """Yield each claim of a file that is in this state (core.freshness), with the number of entries that it decides for, by line.

    A daily log's class default is none: how long a log stays is the tiers' business.
    """
    if file.file_class not in _CLASSES:
        return
    found: dict[int, tuple[Provenance, int]] = {}
    for entry, claim in zip(file.document.entries, provenances(file.document, file.default), strict=True):
        if claim.line and entry.kind not in _FIXED and not file.document.in_region(entry.line):
            found[claim.line] = (claim, found[claim.line][1] + 1 if claim.line in found else 1)
    for _line, (claim, count) in sorted(found.items()):
        if freshness(claim, scene.policy, scene.today) == state:
            yield claim, count


def find_written(scene: Scene, state: str) -> Iterator[tuple[str, int, int, Provenance]]:
    """Yield path, first and last line, and claim of what the change adds or edits and what is in this state from the first day on.

    One for each tag that decides; entries that a tag of the same file decides for follow the first of them.
    """
    seen = set()
    for change in scene.changes:
        unit = change.after
        if unit is None or unit.is_heading or unit.kind in _FIXED or unit.file_class not in _CLASSES or not change.has("add", "edit"):
            continue
        claim = unit.provenance
        if claim.line and (unit.path, claim.line) not in seen and freshness(claim, scene.policy, scene.today) == state:
            seen.add((unit.path, claim.line))
            yield unit.path, unit.line, unit.end_line, claim


def told(claim: Provenance, scene: Scene) -> str:
    """How old a claim is and how long it holds, in words."""
    days, limit = age(claim, scene.today), lifetime(claim, scene.policy)
    why = f"ttl {claim.ttl}" if claim.ttl else f"what {claim.src} entries have"
    if ttl_days(claim.ttl or scene.policy.ttl_default(claim.src)) != limit:
        why += f", the most that the policy gives {claim.src}" if claim.ttl else " at most"
    return f"{days} days old, holds {limit} ({why})"


def hit(claim: Provenance, count: int, scene: Scene, word: str, hint: str) -> Hit:
    """The finding about one tag."""
    what = f" and {count} entries go by it" if count > 1 else ""
    return Hit(f"{word}: {told(claim, scene)}{what}", claim.line, 1, hint)
