"""host-config: what the host's own configuration says, and whether the policy agrees with it."""

from __future__ import annotations

from hoard_git.app.checks.base import OK, WARN, Check
from hoard_git.app.hostconfig import NAME, RATCHET
from hoard_git.core.budget import budget_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.app.checks.base import Look
    from hoard_git.app.hostconfig import HostConfig
    from hoard_git.app.windows import Room
    from hoard_git.core.document import Document

_RATCHET_NOTE = (
    "OpenClaw 2026.9 and later may stop loading MEMORY.md and USER.md after they were edited behind its back, as by a restore or a checkout: "
    "look at /context afterwards"
)


def check(look: Look) -> Check:
    """The host's numbers count here; commits are judged by the policy's, so the two are to be the same."""
    found = [(room, room.host) for room in look.rooms if room.host is not None]
    if not found:
        return Check("host-config", OK, f"no {NAME} in or above the workspace; the policy's budgets count")
    for room, host in found:
        for problem, fix in _problems(look, room, host):
            return Check("host-config", WARN, f"{problem}; {'; '.join(_facts(room, host))}", fix)
    return Check("host-config", OK, "; ".join(dict.fromkeys(fact for room, host in found for fact in _facts(room, host))))


def _facts(room: Room, host: HostConfig) -> Iterator[str]:
    agent = f" (agent {host.agent})" if host.agent else ""
    budget = room.window.budget
    limits = [f"{limit.text()} {what}" for limit, what in ((budget.file, "a file"), (budget.total, "together")) if limit is not None]
    yield f"{host.path}{agent}: {', '.join(limits)}"
    yield f"context pruning {host.pruning or 'not set'}"
    if host.version >= RATCHET:
        yield _RATCHET_NOTE


def _problems(look: Look, room: Room, host: HostConfig) -> Iterator[tuple[str, str]]:
    where = f"look at {host.path}"
    if host.notes:
        yield host.notes[0], where
    policys, own = budget_from(room.policy.budgets), room.window.budget
    if (policys.file, policys.total, policys.order, policys.caps) != (own.file, own.total, own.order, own.caps):
        yield "the policy has other numbers, and commits are judged by those", f"in .hoard.yaml: {_as_policy(host, room)}"
    if host.injection == "never":
        yield "contextInjection is never, so none of these files is loaded", where
    if host.pruning == "off":
        yield (
            "context pruning is off, so old tool results stay in the window beside the memory",
            f"agents.defaults.contextPruning in {host.path}",
        )
    name = dict(host.identity).get("name", "")
    path = room.top + "IDENTITY.md"
    document = look.document(path) if path in look.memory else None
    told = _name_in(document) if document is not None else ""
    if name and told and name.casefold() != told.casefold():
        yield "the host gives the agent another name than IDENTITY.md does", f"compare IDENTITY.md with identity.name in {host.path}"


def _as_policy(host: HostConfig, room: Room) -> str:
    """The line of the policy that says the same."""
    budget = room.window.budget
    profile = f"profile: {host.profile}" if host.profile else ""
    if host.file is None and host.total is None:
        return f"budgets: {host.profile}"
    sizes = [f"{key}: {limit.amount} {limit.unit}" for key, limit in (("file", budget.file), ("total", budget.total)) if limit is not None]
    return f"budgets: {{{', '.join([*([profile] if profile else []), *sizes])}}}"


def _name_in(document: Document) -> str:
    """What IDENTITY.md calls the agent, '' when it does not say so in the usual form, `- **Name:** Quill`."""
    for line in document.lines:
        key, colon, value = line.strip(" \t-*_\r").replace("*", "").partition(":")
        if colon and key.strip().casefold() == "name":
            return value.strip(" \t_*\r")
    return ""
