"""When a claim runs out: its day plus its ttl."""

from __future__ import annotations

from hoard_git.core.dates import format_day, parse_day, ttl_days

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.policy import Policy
    from hoard_git.core.provenance import Provenance


def expiry_day(found: Provenance, policy: Policy) -> str:
    """The last day on which a claim counts as fresh, as an ISO date; '' when it never expires or its date is unknown."""
    if not found.src:
        return ""
    day, days = parse_day(found.ts), ttl_days(found.ttl or policy.ttl_default(found.src))
    if day is None or days is None or day + days > 3652059:
        return ""
    return format_day(day + days)
