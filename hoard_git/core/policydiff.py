"""What one version of a policy changes against the one before, in clauses for people: who is listed, by which keys, and what is asked of whom."""

from __future__ import annotations

from hashlib import sha256

from hoard_git.core.keyring import parse_pgp_key
from hoard_git.core.policy import DEFAULT
from hoard_git.core.sshsig import SignatureProblem, parse_key_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.policy import ActorRule, Policy

_TOLD = ("version", "mode", "authority", "actors", "rules", "prefix")
"""Fields with clauses of their own; the others are only named."""


def policy_changes(old: Policy | None, new: Policy | None) -> list[str]:
    """Say what changes; `old` is None for a first policy, `new` for one that is gone. Texts of the policy are made printable and cut."""
    if new is None:
        return ["takes the policy away"]
    told = [] if old is not None else ["introduces the policy"]
    before = old if old is not None else DEFAULT
    for name in ("mode", "authority"):
        if getattr(before, name) != getattr(new, name) or old is None:
            was = f"{getattr(before, name)} -> " if old is not None else ""
            told.append(f"{name}: {was}{getattr(new, name)}")
    told += _actors(before, new)
    rules = dict(before.rules)
    told += [f"{code}: {severity}" for code, severity in new.rules if rules.get(code) != severity]
    told += [f"{code}: as by default" for code in rules if code not in dict(new.rules)]
    others = [name for name in new._fields if name not in _TOLD and getattr(before, name) != getattr(new, name)]
    if others and old is not None:
        told.append("changes " + ", ".join(others))
    return told


def changes_keys(old: Policy | None, new: Policy | None) -> bool:
    """Whether the keys that count for somebody differ, or whose they are."""
    return _keys(old) != _keys(new)


def _keys(policy: Policy | None) -> set[tuple[str, str, str]]:
    return {(rule.name, rule.kind, key) for rule in policy.actors for key in rule.keys} if policy is not None else set()


def _actors(old: Policy, new: Policy) -> Iterator[str]:
    before = {(rule.name, rule.kind): rule for rule in old.actors}
    after = {(rule.name, rule.kind): rule for rule in new.actors}
    for who, rule in after.items():
        known = before.get(who)
        if known is None:
            yield f"lists {_named(rule)}" + "".join(f", key {key_name(key)}" for key in rule.keys)
            continue
        yield from (f"adds key {key_name(key)} of {_named(rule)}" for key in rule.keys if key not in known.keys)
        yield from (f"takes key {key_name(key)} from {_named(rule)}" for key in known.keys if key not in rule.keys)
        if set(known.emails) != set(rule.emails):
            yield f"changes the addresses of {_named(rule)}"
    yield from (f"drops {_named(rule)}" for who, rule in before.items() if who not in after)


def _named(rule: ActorRule) -> str:
    name = rule.name or (rule.emails[0] if rule.emails else "somebody")
    return "".join(c if c.isprintable() else "?" for c in name)[:80] + f" ({rule.kind})"


def key_name(text: str) -> str:
    """A short name for a key as a policy writes it: an SSH key's fingerprint, for PGP the digest of the listed block."""
    try:
        if text.lstrip().startswith("-----BEGIN "):
            return f"PGP sha256:{sha256(parse_pgp_key(text)).hexdigest()[:16]}"
        return parse_key_line(text).key.fingerprint
    except SignatureProblem:
        return "(unreadable)"
