"""How fresh a claim is on a day: the HOARD table (keep, stale, archive) with the defaults and ceilings of the policy."""

from __future__ import annotations

from hoard_git.core.counted import counted
from hoard_git.core.dates import format_day, parse_day, ttl_days
from hoard_git.core.model import UNTAGGED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.policy import Policy
    from hoard_git.core.provenance import Provenance

FRESH, STALE, EXPIRED = "fresh", "stale", "expired"
ENDLESS, UNDATED, UNKNOWN = "endless", "undated", "untagged"
"""A claim without an end, one whose day is not known, and content that claims nothing: none of these ever expires."""

_LAST_DAY = 3652059
"""The day number of 9999-12-31; a claim that would end later never ends."""


def lifetime(found: Provenance, policy: Policy) -> int | None:
    """How many days a claim holds: its ttl, else its source's default, but no longer than the source's ceiling. None: for ever.

    A user's claim holds as long as its tag says; no ceiling is the tool's to apply to it.
    """
    days = ttl_days(found.ttl or policy.ttl_default(found.src))
    ceiling = ttl_days(dict(policy.ttl_ceilings).get(found.src, "never")) if found.src != "user" else None
    if ceiling is None:
        return days
    return ceiling if days is None else min(days, ceiling)


def age(found: Provenance, today: int) -> int | None:
    """Days from a claim's date to today, negative for a date to come; None when the date is not known."""
    day = parse_day(found.ts)
    return None if day is None else today - day


def freshness(found: Provenance, policy: Policy, today: int) -> str:
    """One of the states above. At exactly one lifetime a claim is still fresh, at exactly two it is still stale (DESIGN §9, §14)."""
    if found.src == UNTAGGED:
        return UNKNOWN
    days = lifetime(found, policy)
    if days is None:
        return ENDLESS
    old = age(found, today)
    if old is None:
        return UNDATED
    if old <= days:
        return FRESH
    return STALE if old <= 2 * days else EXPIRED


def told_age(found: Provenance, policy: Policy, today: int) -> str:
    """The age of a claim against its lifetime, in words."""
    days = lifetime(found, policy)
    given = f"its ttl of {found.ttl}" if found.ttl else f"the {days}d that {found.src} entries have"
    if found.ttl and days is not None and found.ttl != f"{days}d" and found.src != "user":
        given += f" ({counted(days, 'day')})" if ttl_days(found.ttl) == days else f", of which the policy lets {counted(days, 'day')} count"
    return f"{counted(age(found, today) or 0, 'day')} old, past {given}"


def outlives(one: Provenance, other: Provenance, policy: Policy) -> bool:
    """Whether a claim holds at least as long as another one. One of unknown date never expires; content without a claim promises nothing."""
    if other.src == UNTAGGED:
        return True
    ends = []
    for claim in (one, other):
        day, days = parse_day(claim.ts), lifetime(claim, policy)
        ends.append(None if day is None or days is None else day + days)
    return ends[0] is None or (ends[1] is not None and ends[0] >= ends[1])


def expiry_day(found: Provenance, policy: Policy) -> str:
    """The last day on which a claim counts as fresh, as an ISO date; '' when it never expires or its date is unknown."""
    if not found.src:
        return ""
    day, days = parse_day(found.ts), lifetime(found, policy)
    if day is None or days is None or day + days > _LAST_DAY:
        return ""
    return format_day(day + days)
