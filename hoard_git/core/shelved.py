"""The rest of a log that turned cold: what of the log stands there already when it comes back, and how what came later joins it."""

from __future__ import annotations

from collections import Counter

from hoard_git.core.archiving import rebased
from hoard_git.core.drafts import Piece
from hoard_git.core.markdown import parse
from hoard_git.core.masking import mask_piece
from hoard_git.core.removal import subtree, tops
from hoard_git.core.units import core_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from hoard_git.core.document import Document
    from hoard_git.core.drafts import Draft
    from hoard_git.core.provenance import Provenance


def find_shelved(draft: Draft, numbers: Collection[int], shelf: Draft, mask: Callable[[str], str]) -> set[int]:
    """Which of these entries of a log stand in its archived rest already, read as they would be put there: masked, links rewritten.

    Under the same heading and with the same claim, each as often as it stands there; of a list item, only with all of these that stand
    under it.
    """
    whole = rebased(Piece(tuple(draft.lines), tuple(draft.origins)), draft.path, shelf.path)
    document = parse("\n".join(mask_piece(whole, mask)[0].lines).encode("utf-8", "surrogateescape"))
    if len(document.entries) != len(draft.document.entries):
        return set()
    keys = _keys(document, draft.entry_claims)
    there = Counter(_keys(shelf.document, shelf.entry_claims))
    found: set[int] = set()
    for top in tops(document, numbers):
        tree = [number for number in subtree(document, top) if number in numbers]
        needed = Counter(keys[number] for number in tree)
        if needed <= there:
            there -= needed
            found.update(tree)
    return found


def _keys(document: Document, claims: Sequence[Provenance]) -> list[tuple[str, ...]]:
    """What makes two entries of a log and of its rest one; the title of the file is no heading of its own, for the archive may give one."""
    found: list[tuple[str, ...]] = []
    for entry, claim in zip(document.entries, claims, strict=True):
        heading = document.headings[entry.heading] if entry.heading >= 0 else None
        is_title = heading is None or (entry.heading == 0 and heading.level == 1)
        title = "" if heading is None or is_title else heading.title.strip()
        found.append((entry.kind, core_of(entry.text), title, claim.src, claim.ts, claim.ttl))
    return found


def add_late(shelf: Draft, fresh: Piece) -> None:
    """Put what was written into a log after it turned cold below what is left of it, under the same title where that says the same."""
    at = 1 if fresh.lines[0] == shelf.lines[0] else 0
    while not fresh.lines[at].strip():
        at += 1
    last = len(fresh.lines) - (not fresh.lines[-1])
    shelf.append(Piece(fresh.lines[at:last], fresh.origins[at:last]))
