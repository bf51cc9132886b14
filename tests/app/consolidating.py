"""A workspace in which upkeep has something to do, and the command that does it."""

from __future__ import annotations

from hoard_git.app.clock import Days
from hoard_git.core.policy import Policy
from tests.app.support import AS_AGENT
from tests.support.repo import Repo, run_hoard
from tests.support.upkeep import day_number

OLD = """\
# Memory

## Preferences <!-- src:user ts:2026-06-01 -->

- Answers are short and in English.

## Infrastructure <!-- src:agent ts:2026-06-05 ttl:90d -->

- Node-2 serves the wiki.
- Backups run at 03:30.

## Web <!-- src:web ts:2026-11-20 -->

- The library is at version 3.
"""


DAY = "2026-12-30"


def december(policy: Policy) -> Days:
    del policy
    return Days(day_number(DAY), day_number(DAY))


def hoard(repo: Repo, *args: str, env: dict[str, str] | None = None) -> tuple[int, str, str]:
    done = run_hoard("--date", DAY, "consolidate", *args, cwd=repo, env={**AS_AGENT, **(env or {})})
    return done.returncode, done.stdout.decode(), done.stderr.decode()
