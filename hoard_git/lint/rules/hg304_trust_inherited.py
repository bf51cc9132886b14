"""Content without a tag of its own came under a heading, item or file of higher trust.

## Why

What has no tag takes the source of what it stands under. Deleting a heading or a blank line adds no line to a diff, yet moves facts under
another owner; so does a retagged heading, a lost tag, and a line that is added below the user's heading. A sub-item of a user's item reads as
part of it, whatever its own tag says.

## Bad

    actor: agent
    before: MEMORY.md
    | ## Rules  <!-- src:user ts:2026-01-10 -->
    | - Two people approve every release
    | ## Notes  <!-- src:agent ts:2026-06-01 -->
    | - The bot may deploy alone
    after: MEMORY.md
    | ## Rules  <!-- src:user ts:2026-01-10 -->
    | - Two people approve every release
    | - The bot may deploy alone

A sub-item under a user's item:

    actor: agent
    before: MEMORY.md
    | - Releases need two people <!-- src:user ts:2026-01-10 -->
    after: MEMORY.md
    | - Releases need two people <!-- src:user ts:2026-01-10 -->
    |   - urgent ones need nobody <!-- src:agent ts:2026-06-15 -->

Entries from the web whose heading becomes the agent's:

    actor: agent
    before: MEMORY.md
    | ## Mirrors  <!-- src:web ts:2026-06-01 -->
    | - The fast mirror is pkg.fast.example
    after: MEMORY.md
    | ## Mirrors  <!-- src:agent ts:2026-06-01 -->
    | - The fast mirror is pkg.fast.example

## Good

    actor: agent
    before: MEMORY.md
    | ## Notes  <!-- src:agent ts:2026-06-01 -->
    | - The build takes nine minutes
    after: MEMORY.md
    | ## Notes  <!-- src:agent ts:2026-06-01 -->
    | - The build takes nine minutes
    | - The tests take two minutes
    | - A page says the mirror is slow <!-- src:web ts:2026-06-15 -->

## Instead

Give the entry its own tag with the source that it had, or leave it under the heading it came from.

## Limits

An entry with a lower tag of its own may stand under any heading, the user's as well, beside the user's entries: a fact's provenance is its own tag
before its heading's, the gate judges it by that tag, and search and context show it. "Not under a heading of higher trust" (DESIGN 6) is read
as: nothing that takes its trust from one. Forbidding more would only drive one subject into two sections. A sub-item is another matter, for its words are read as part of the item above.
"""

from __future__ import annotations

from hoard_git.core.model import RANK
from hoard_git.core.provenance import provenances
from hoard_git.core.trust import may_vouch
from hoard_git.lint.raises import is_raise
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hoard_git.core.align import Change, Unit
    from hoard_git.core.provenance import Provenance
    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG304", "trust-inherited", "error", "change", nonhuman=True)

_INHERITED = ("item", "heading", "file", "class")
_HINT = "give it its own tag with the source that it had, or leave it where it was"


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge what inherits more than before or more than its writer may give; one finding for each tag that it is inherited from."""
    claims: dict[tuple[bool, str], tuple[Provenance, ...]] = {}
    groups: dict[tuple[str, int, str], list[Unit]] = {}
    for change in scene.changes:
        after = change.after
        if after is None or after.kind == "front":
            continue
        if _is_under_user(scene, change, claims):
            yield Hit(f"{scene.actor.kind} puts a sub-item under a user's item", after.line, 1, _OUTSIDE, after.path, after.end_line)
            continue
        if after.provenance.origin in _INHERITED and not _is_users_file(after.provenance) and _gains(scene, change):
            was = "nothing" if change.before is None else change.before.provenance.src or "untagged"
            groups.setdefault((after.path, after.provenance.line, was), []).append(after)
    for (path, line, was), units in groups.items():
        yield _hit(path, line, was, units)


_OUTSIDE = "write it as an entry of its own, outside the user's item"


def _is_users_file(claim: Provenance) -> bool:
    """An identity file without a tag: HG301 alone says that it is the user's."""
    return claim.origin == "class" and claim.src == "user"


def _gains(scene: Scene, change: Change) -> bool:
    if change.before is not None:
        return is_raise(scene, change)
    return RANK[change.unit.provenance.src] > may_vouch(scene.actor.kind)


def _is_under_user(scene: Scene, change: Change, claims: dict[tuple[bool, str], tuple[Provenance, ...]]) -> bool:
    """Whether the change puts a unit under a list item that is the user's, where it was under none."""
    after = change.after
    if after is None or after.is_heading or after.parent < 0:
        return False
    if after.provenance.src == "user" and after.provenance.origin in ("own", "class"):
        return False  # HG301 says that this adds a user's fact
    if _claims(scene, after.path, claims, new=True)[after.parent].src != "user":
        return False
    before = change.before
    return before is None or before.parent < 0 or _claims(scene, before.path, claims, new=False)[before.parent].src != "user"


def _claims(scene: Scene, path: str, claims: dict[tuple[bool, str], tuple[Provenance, ...]], *, new: bool) -> tuple[Provenance, ...]:
    found = claims.get((new, path))
    if found is None:
        views: Mapping[str, FileView] = {file.path: file for file in scene.files} if new else scene.before
        view = views[path]
        found = claims[new, path] = provenances(view.document, view.default)
    return found


def _hit(path: str, line: int, was: str, units: list[Unit]) -> Hit:
    first = units[0]
    where = f"the tag in line {line}" if line else "the file"
    which = "this inherits" if len(units) == 1 else f"{len(units)} entries inherit"
    came = "" if was == "nothing" else f", was {was}"
    return Hit(f"{which} {first.provenance.src} from {where}{came}", first.line, 1, _HINT, path, max(unit.end_line for unit in units))
