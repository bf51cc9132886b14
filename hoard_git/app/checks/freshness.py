"""freshness: how much of the active memory is past its ttl."""

from __future__ import annotations

from collections import Counter

from hoard_git.app.checks.base import OK, WARN, Check
from hoard_git.core.counted import counted
from hoard_git.core.files import file_default
from hoard_git.core.freshness import EXPIRED, STALE, UNKNOWN, freshness
from hoard_git.core.provenance import count_untagged, provenances

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.checks.base import Look


def check(look: Look) -> Check:
    """The user's own entries never count: only the user retires them."""
    counts = count_states(look)
    if counts[EXPIRED] or counts[STALE]:
        stale = f"{counted(counts[STALE], 'entry')} {'is' if counts[STALE] == 1 else 'are'} stale"
        return Check("freshness", WARN, f"{stale}, {counts[EXPIRED]} expired", "hoard consolidate --dry-run")
    bare = f"; {counted(counts[UNKNOWN], 'entry')} without a tag, which never ends: hoard tag" if counts[UNKNOWN] else ""
    return Check("freshness", OK, _all_fresh(sum(counts.values())) + bare)


def _all_fresh(count: int) -> str:
    if not count:
        return "no entry that could go past a ttl"
    return f"{counted(count, 'entry')}, not past its ttl" if count == 1 else f"{counted(count, 'entry')}, none of them past its ttl"


def count_states(look: Look) -> Counter[str]:
    """How many entries are in which state (core.freshness)."""
    counts: Counter[str] = Counter()
    for path, file_class in look.active():
        policy = look.policies.govern(path)
        document = look.document(path)
        if document is None:
            continue
        today = look.days(policy).today
        default = file_default(path, file_class, policy)
        counts[UNKNOWN] += count_untagged(document, default)
        for claim in provenances(document, default):
            if claim.src and claim.origin != "class" and claim.src != "user":
                counts[freshness(claim, policy, today)] += 1
    return counts
