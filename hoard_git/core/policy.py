"""The policy as a value, and its strict reading from plain data (INTERFACE, "Policy")."""

from __future__ import annotations

import re

from hoard_git.core.budget import DEFAULT_PROFILE, PROFILES, is_budget_key, parse_limit
from hoard_git.core.globs import find_fault
from hoard_git.core.model import SOURCES
from hoard_git.core.policydata import PolicyProblem, Reader
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FILE_NAME = ".hoard.yaml"
RULES_NAME = ".gitleaks.toml"
"""A workspace's own rules for secrets, beside its policy."""
CLASSES = ("index", "topic", "daily", "archive", "heartbeat", "identity", "wiki")

DEFAULT_GLOBS: dict[str, tuple[str, ...]] = {
    "index": ("MEMORY.md",),
    "heartbeat": ("HEARTBEAT.md",),
    "identity": ("SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "TOOLS.md", "CLAUDE.md", "BOOTSTRAP.md"),
    "archive": ("memory/archive/**",),
    "daily": ("memory/YYYY-MM-DD*.md",),
    "topic": ("memory/*.md",),
    "wiki": ("wiki/**/*.md",),
}
"""Class globs in the order in which they are tried."""

DEFAULT_OWNERS = {name: ("agent" if name in ("USER.md", "TOOLS.md") else "user") for name in DEFAULT_GLOBS["identity"]}
DEFAULT_TTL = {"user": "never", "agent": "90d", "tool": "90d", "web": "30d", "dig": "30d"}
DEFAULT_CEILINGS = {"web": "90d", "dig": "90d"}
DEFAULT_MARKERS = ("CLAUDECODE", "CODEX_*", "CURSOR_AGENT", "GEMINI_CLI", "OPENCLAW_*", "AIDER_*", "AI_AGENT")


class ActorRule(Record):
    """One listed actor: `kind` human, agent or tool; addresses are compared without regard to case."""

    name: str
    kind: str
    emails: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()


class AllowedSecret(Record):
    """A value that the policy lets pass, by keyed fingerprint, with its reason."""

    fingerprint: str
    reason: str


class Policy(Record):
    """A whole policy with its defaults filled in. `prefix` is the directory of the policy file, '' or ending in '/'."""

    version: int = 1
    timezone: str = ""
    mode: str = "enforce"
    authority: str = "author"
    actors: tuple[ActorRule, ...] = ()
    globs: tuple[tuple[str, tuple[str, ...]], ...] = tuple(DEFAULT_GLOBS.items())
    roots: tuple[str, ...] = ()
    ttl_defaults: tuple[tuple[str, str], ...] = tuple(DEFAULT_TTL.items())
    ttl_ceilings: tuple[tuple[str, str], ...] = tuple(DEFAULT_CEILINGS.items())
    owners: tuple[tuple[str, str], ...] = tuple(DEFAULT_OWNERS.items())
    low_trust_entries: int = 30
    longest_line: int = 2000
    budgets: tuple[tuple[str, str], ...] = (("profile", DEFAULT_PROFILE),)
    rules: tuple[tuple[str, str], ...] = ()
    salt: str = ""
    allowed: tuple[AllowedSecret, ...] = ()
    inline_allow: str = "warn"
    compress_at: int = 15 * 1024
    compress_to: int = 12 * 1024
    max_loss: float = 0.25
    tiers: tuple[tuple[str, str], ...] = (("hot", "7d"), ("hot_max", "50KB"), ("warm", "90d"), ("gzip_after", "never"))
    agent_markers: tuple[str, ...] = DEFAULT_MARKERS
    personal_names: tuple[str, ...] = ()
    personal_keep: tuple[str, ...] = ()
    vector_weight: float = 0.25
    embedder: str = ""
    prefix: str = ""

    def ttl_default(self, source: str) -> str:
        """The ttl of a tag of this source that gives none; untagged content never expires."""
        return dict(self.ttl_defaults).get(source, "never")

    def severity_of(self, code: str, default: str) -> str:
        """The severity that a rule has under this policy."""
        return dict(self.rules).get(code, default)


DEFAULT = Policy()


def policy_from_data(data: Mapping[str, Any] | None, prefix: str = "") -> Policy:
    """Read a policy from what a YAML parser returned; every key optional, unknown keys and bad values raise PolicyProblem."""
    top = Reader(data if data is not None else {}, ())
    values: dict[str, Any] = {"prefix": prefix}
    version = top.integer("version", 1, 1, 1)
    values["version"] = version
    values["timezone"] = top.text("timezone", "", re.compile(r"[A-Za-z0-9_+\-/]{1,64}"))
    values["mode"] = top.choice("mode", ("enforce", "warn"), "enforce")
    values["authority"] = top.choice("authority", ("author", "signature"), "author")
    values["actors"] = tuple(_actor(item) for item in top.maps("actors"))
    _read_memory(top.map("memory"), values)
    _read_ttl(top.map("ttl"), values)
    owners = top.map("owners")
    given = {name: owners.choice(name, SOURCES, "") for name in owners.names()}
    values["owners"] = tuple({**DEFAULT_OWNERS, **given}.items())
    limits = top.map("limits")
    values["low_trust_entries"] = limits.integer("low_trust_entries", 30, 0, 1_000_000)
    values["longest_line"] = limits.integer("line", 2000, 1, 10_000_000)
    limits.close()
    values["budgets"] = _budgets(top)
    rules = top.map("rules")
    values["rules"] = tuple((code, _severity(rules, code)) for code in rules.names())
    _read_secrets(top.map("secrets"), values)
    values["inline_allow"] = top.choice("inline_allow", ("false", "warn", "true"), "warn")
    _read_upkeep(top, values)
    values["agent_markers"] = top.texts("agent_markers", DEFAULT_MARKERS)
    personal = top.map("personal")
    values["personal_names"] = personal.texts("names", ())
    values["personal_keep"] = personal.texts("keep", ())
    personal.close()
    search = top.map("search")
    values["vector_weight"] = search.number("vector_weight", 0.25, 0.0, 1.0)
    values["embedder"] = search.text("embedder", "")
    search.close()
    top.close()
    return Policy(**values)


def _actor(item: Reader) -> ActorRule:
    name = item.text("name", "")
    kind = item.choice("kind", ("human", "agent", "tool"), "")
    if not kind:
        raise PolicyProblem(item.at, "an actor needs a kind: human, agent or tool")
    emails = tuple(address.lower() for address in item.texts("emails", ()))
    rule = ActorRule(name, kind, emails, item.texts("keys", (), breaks="\n"))
    item.close()
    return rule


def _read_memory(memory: Reader, values: dict[str, Any]) -> None:
    globs = {name: memory.texts(name, DEFAULT_GLOBS[name]) for name in DEFAULT_GLOBS}
    for name, of_class in globs.items():
        fault = next((fault for glob in of_class if (fault := find_fault(glob))), "")
        if fault:
            raise memory.fail(name, fault)
    values["globs"] = tuple(globs.items())
    roots = memory.texts("roots", ())
    for root in roots:
        if find_fault(root) or any(c in root for c in "*?"):
            raise memory.fail("roots", "a root is a path below the policy's directory, without * and ?")
    values["roots"] = tuple(root.strip("/").removeprefix("./") for root in roots)
    memory.close()


def _read_ttl(ttl: Reader, values: dict[str, Any]) -> None:
    for key, name, default in (("ttl_defaults", "defaults", DEFAULT_TTL), ("ttl_ceilings", "ceilings", DEFAULT_CEILINGS)):
        table = ttl.map(name)
        for source in table.names():
            if source not in SOURCES:
                raise PolicyProblem((*table.at, source), f"a source is one of {', '.join(SOURCES)}")
        values[key] = tuple({**default, **{source: table.ttl(source) for source in table.names()}}.items())
    ttl.close()


def _budgets(top: Reader) -> tuple[tuple[str, str], ...]:
    raw = top.raw("budgets")
    if raw is None:
        return DEFAULT.budgets
    if isinstance(raw, str):
        if raw not in PROFILES:
            raise PolicyProblem(("budgets",), f"a profile is one of {', '.join(PROFILES)}, or numbers with a unit")
        return (("profile", raw),)
    table = top.map("budgets")
    pairs = []
    for key in table.names():
        if key == "profile":
            pairs.append((key, table.choice(key, tuple(PROFILES), DEFAULT_PROFILE)))
            continue
        if not is_budget_key(key):
            raise table.fail(key, "known here: profile, file, total and the name of a markdown file at the top, such as SOUL.md")
        size = table.size(key)
        if not parse_limit(size).amount:
            raise table.fail(key, "more than nothing")
        pairs.append((key, size))
    return tuple(pairs)


def _severity(rules: Reader, code: str) -> str:
    if not re.fullmatch(r"HG[0-9]{3}", code, re.ASCII):
        raise PolicyProblem((*rules.at, code), "a rule is named by its code, such as HG405")
    return rules.choice(code, ("error", "warn", "info", "off"), "")


def _read_secrets(secrets: Reader, values: dict[str, Any]) -> None:
    values["salt"] = secrets.text("salt", "")
    allowed = []
    for item in secrets.maps("allow"):
        mark, reason = item.text("fingerprint", ""), item.text("reason", "")
        if not re.fullmatch(r"hgs1:[0-9a-f]{20}", mark, re.ASCII):
            raise PolicyProblem((*item.at, "fingerprint"), "a fingerprint is hgs1: and 20 hex digits, as a finding prints it")
        if not reason.strip():
            raise PolicyProblem(item.at, "an allowed secret needs a reason")
        allowed.append(AllowedSecret(mark, reason))
        item.close()
    values["allowed"] = tuple(allowed)
    secrets.close()


def _read_upkeep(top: Reader, values: dict[str, Any]) -> None:
    table = top.map("consolidate")
    values["compress_at"] = table.byte_size("compress_at", 15 * 1024)
    values["compress_to"] = table.byte_size("compress_to", 12 * 1024)
    values["max_loss"] = table.percent("max_loss", 0.25)
    table.close()
    if values["compress_to"] >= values["compress_at"]:
        raise PolicyProblem(("consolidate",), "compress_to is smaller than compress_at")
    tiers = top.map("tiers")
    values["tiers"] = (
        ("hot", tiers.ttl("hot", "7d")),
        ("hot_max", tiers.text("hot_max", "50KB", re.compile(r"[0-9]+ ?KB"))),
        ("warm", tiers.ttl("warm", "90d")),
        ("gzip_after", tiers.ttl("gzip_after", "never")),
    )
    tiers.close()
