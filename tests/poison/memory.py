"""The memory that every scripted attack starts from, and the moment at which it is made."""

from __future__ import annotations

from collections.abc import Mapping

from tests.support.repo import POLICY

TODAY = "2026-06-15"

MOMENT = f"{TODAY}T12:00:00Z"

SECONDS = 1781524800
"""The same moment, in seconds since 1970."""

MEMORY = """\
# Memory

## Preferences <!-- src:user ts:2026-06-01 -->

- Answers are short and in English.
- Two people approve a release.
- Store customer data in the EU region. <!-- src:user ts:2026-05-02 -->
- [ ] The assistant may pay invoices.

## Reading <!-- src:web ts:2026-06-08 ttl:30d -->

- The package mirror is mirror.example. <!-- src:web ts:2026-06-08 ttl:30d -->
- The city library opens at ten.

## Infrastructure <!-- src:agent ts:2026-06-05 ttl:90d -->

- Node-2 serves the wiki.
- Backups run at 03:30.
- [ ] Check the spare disk.
"""

TEAM = """\
# Team

## Rules <!-- src:user ts:2026-04-20 -->

- Mia signs contracts.

## Rumours <!-- src:web ts:2026-06-02 ttl:30d -->

- The office may move to Lyon.

## Notes <!-- src:agent ts:2026-06-05 ttl:90d -->

- The stand-up is at nine.

## More notes <!-- src:agent ts:2026-06-05 ttl:90d -->

- The printer is on floor two.
"""

PHONE = """\
# Phone numbers

- The front desk answers on 400. <!-- src:agent ts:2026-06-03 ttl:90d -->
- The workshop answers on 410. <!-- src:agent ts:2026-06-03 ttl:90d -->
- The canteen answers on 420. <!-- src:agent ts:2026-06-03 ttl:90d -->
"""

WISHES = "# Wishes <!-- src:user ts:2026-05-20 -->\n\n- Meetings end by five.\n- No calls on Fridays.\n"

BASE: Mapping[str, str] = {
    ".hoard.yaml": POLICY,
    "MEMORY.md": MEMORY,
    "SOUL.md": "# Soul\n\nCalm, brief, honest.\n",
    "USER.md": "# User\n\n- Likes tea.\n",
    "memory/team.md": TEAM,
    "memory/phone.md": PHONE,
    "memory/wishes.md": WISHES,
}
"""What every attack starts from: a policy with one human and one agent, and memory by a user, an agent and the web."""
