"""The files that `hoard init` writes: policy, MEMORY.md, HEARTBEAT.md, .gitattributes."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.gitio.reader import Ident

_POLICY = """\
# Who may write what into this memory. Judged by the parent commit: a change here takes effect with the next one.
# A key that is not known stops every command with the list of those that are.
version: 1
{timezone}mode: {mode}            # or {other}: warn reports and never blocks
{authority}
actors:
  {human}
  {agent}
{budgets}secrets:
  salt: {salt}   # makes the fingerprints of allowed values this workspace's own
"""

_BY_NAME = "authority: author        # an author field can be forged; CI and the server close that with signatures"
_BY_KEY = "authority: signature     # whoever holds a listed key has made a commit; its author field is display"

_MEMORY = """\
# MEMORY.md

## {today} Workspace  <!-- src:agent ts:{today} ttl:90d -->
- One fact per line, a source on every block.
- Secrets stay out: write where a key is kept, never the key.
"""

_HEARTBEAT = """\
# HEARTBEAT.md

- Read MEMORY.md and today's log before work.
- Write what the next session needs, with its source: hoard add "…" --src agent
- Commit memory when it changed: hoard commit
"""


def policy_text(human: Ident, agent: Ident, salt: str, timezone: str, *, warn: bool, key: str = "", budgets: str = "") -> str:
    """The first policy; names are quoted as JSON strings, which are YAML too. With a `key` of the human's it asks for signatures."""
    return _POLICY.format(
        timezone=f"timezone: {timezone}\n" if timezone else "",
        mode="warn" if warn else "enforce",
        other="enforce" if warn else "warn",
        authority=_BY_KEY if key else _BY_NAME,
        human=actor_line(human, "human", key),
        agent=actor_line(agent, "agent"),
        budgets=f"budgets: {budgets}   # what the host loads into a session\n" if budgets else "",
        salt=json.dumps(salt),
    )


def actor_line(person: Ident, kind: str, key: str = "") -> str:
    """One of a policy's `actors`, as a line of YAML without its indentation."""
    keys = f", keys: [{json.dumps(key)}]" if key else ""
    return f"- {{name: {json.dumps(person.name, ensure_ascii=False)}, kind: {kind}, emails: [{json.dumps(person.email)}]{keys}}}"


def attributes_text(lines: Sequence[str]) -> str:
    """A first .gitattributes: which files the merge driver merges."""
    return "# Memory is merged by heading and entry, not by lines; a clone learns how with: hoard hooks install\n" + "".join(
        f"{line}\n" for line in lines
    )


def memory_text(today: str) -> str:
    """A first MEMORY.md."""
    return _MEMORY.format(today=today)


def heartbeat_text() -> str:
    """A first HEARTBEAT.md."""
    return _HEARTBEAT
