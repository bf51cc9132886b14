"""Who made a change, as the gate counts them (DESIGN, "Who may change what").

With `authority: author` the author's address decides, which anybody can type: it is the weaker of both, and every caller says so. With
`authority: signature` the holder of the commit's one good signature decides, and author and committer are display.
"""

from __future__ import annotations

from hoard_git.core.model import RANK, Actor
from hoard_git.core.policy import DEFAULT
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hoard_git.core.policy import ActorRule, Policy

_LOWER = str.maketrans({chr(code): chr(code + 32) for code in range(ord("A"), ord("Z") + 1)})
_UNTIL_SIGNED = "unproven until signed: push, CI and the server look at the signature"
_SIGN_AGAIN = "git commit --amend -S (several: git rebase --exec 'git commit --amend -S --no-edit' BASE)"
_WEAKEST_FIRST = ("tool", "agent", "human")


class Proof(Record):
    """What checking a commit's signature said, against the keys that the parent's policy lists.

    `kind` is `good`, `bad` (does not fit the commit, or more than one signature), `none`, or `unknown-key` (by a key that the policy
    does not list, and so not looked at). `actor` is the name of the listed actor whose key made a good one, `key` that key as the policy
    writes it ('': any of the actor's) and `fingerprint` its short name. `detail` is one clause about a bad one, safe to print.
    """

    kind: str
    actor: str = ""
    key: str = ""
    fingerprint: str = ""
    detail: str = ""


def may_vouch(kind: str) -> int:
    """The rank of the highest source that an actor of this kind may write."""
    return RANK[{"human": "user", "tool": "tool"}.get(kind, "agent")]


def is_raised(old: str, new: str, kind: str) -> bool:
    """Whether a source rose when an actor of this kind put `new` in the place of `old`, beyond a first one that the actor may give."""
    return RANK[new] > (RANK[old] if old else may_vouch(kind))


def actor_of(email: str, policy: Policy, *, environ: Mapping[str, str] = {}, signature: Proof | None = None, local: bool = False) -> Actor:
    """Decide who counts as having made a change.

    `email` is the author's address. `environ` is given in local hooks alone, where an agent's marker in it overrules a human's address.
    `signature` is None where none was looked for; `local` says that there cannot be one yet, because the commit does not exist.
    Everyone unknown is an agent. `Actor.why` tells a person what is missing and what to do.
    """
    rule = weakest(rule for rule in policy.actors if _lower(email) in [_lower(address) for address in rule.emails])
    claimed = rule.kind if rule is not None else "agent"
    if policy.authority == "signature":
        by_key = _signer(policy, signature)
        if by_key is not None:
            return _signed(by_key, email, claimed)
    if rule is None:
        return Actor("agent", "", email, "agent", _unlisted(email, policy))
    if claimed != "human":
        return Actor(claimed, rule.name, email, claimed)
    marker = find_marker(environ, policy.agent_markers)
    if marker:
        return Actor("agent", rule.name, email, "human", _marked(marker))
    if policy.authority != "signature":
        return Actor("human", rule.name, email, "human")
    if local and signature is None:
        return Actor("human", rule.name, email, "human", _UNTIL_SIGNED)
    return Actor("agent", rule.name, email, "human", _unproven(rule, signature))


def will_sign(key: str, email: str, policy: Policy, environ: Mapping[str, str]) -> Actor | None:
    """The human with whose SSH key a commit is about to be signed, whoever its author is: an early answer, which the signature has to bear out.

    `key` is a line as in a `.pub` file. None where the policy asks for no signature, lists the key for no human or for somebody else as well, or an
    agent's marker is in the environment.
    """
    words = set(key.split()[:2])
    holders = [rule for rule in policy.actors if any(len(words.intersection(listed.split())) == 2 for listed in rule.keys)]
    if policy.authority != "signature" or len(words) < 2 or any(rule.kind != "human" for rule in holders) or not holders:
        return None
    if find_marker(environ, policy.agent_markers):
        return None
    return Actor("human", holders[0].name, email, "human", _UNTIL_SIGNED)


def find_marker(environ: Mapping[str, str], patterns: Iterable[str]) -> str:
    """Return the first name, in order, of a non-empty environment variable that fits a pattern (`*` stands for any characters), or ''."""
    wanted = tuple(patterns)
    return next((name for name in sorted(environ) if environ[name] and any(_fits(name, pattern) for pattern in wanted)), "")


def _fits(name: str, pattern: str) -> bool:
    head, *rest = pattern.split("*")
    if not rest:
        return name == pattern
    if not name.startswith(head):
        return False
    at = len(head)
    for part in rest[:-1]:
        found = name.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return len(name) - at >= len(rest[-1]) and name.endswith(rest[-1])


def _lower(address: str) -> str:
    """Lower-case ASCII letters only: `str.lower` also turns the Kelvin sign into a k."""
    return address.strip().translate(_LOWER)


def weakest(rules: Iterable[ActorRule]) -> ActorRule | None:
    """Of several actors that share an address, a name or a key, the one that may do least."""
    return min(rules, key=lambda rule: _WEAKEST_FIRST.index(rule.kind), default=None)


def _signer(policy: Policy, signature: Proof | None) -> ActorRule | None:
    if signature is None or signature.kind != "good":
        return None
    named = (rule for rule in policy.actors if rule.name == signature.actor)
    return weakest(rule for rule in named if not signature.key or signature.key in rule.keys)


def _signed(rule: ActorRule, email: str, claimed: str) -> Actor:
    if rule.kind != "human" and claimed == "human":
        why = f"the author is a human's address but the signature is by {_plain(rule.name)}, which the policy lists as {_a(rule.kind)}"
        return Actor(rule.kind, rule.name, email, claimed, f"{why}; let the human sign: git commit --amend -S", verified=True)
    return Actor(rule.kind, rule.name, email, claimed, verified=True)


def _unlisted(email: str, policy: Policy) -> str:
    if not policy.actors:
        return (
            "no .hoard.yaml here says who is a human; make one: hoard init"
            if policy == DEFAULT
            else "the actors list of .hoard.yaml is empty"
        )
    who = _plain(email.strip())
    if not who:
        return "the diff names no author, so it is judged as an agent's"
    return f"{who} is not listed as a human in .hoard.yaml; a human who is listed can add it to the actors list there"


def _marked(marker: str) -> str:
    name = _plain(marker)
    return (
        f"the address is a human's, but the environment variable {name} says that an agent makes this commit; "
        f"if you are the human: unset {name}"
    )


def _unproven(rule: ActorRule, signature: Proof | None) -> str:
    kind = signature.kind if signature is not None else "none"
    said = {
        "none": "the commit has no signature",
        "bad": "its signature is not good",
        "unknown-key": "its signature is by a key that .hoard.yaml does not list",
        "good": "its signature is by an actor that .hoard.yaml does not list",
    }[kind]
    name = _plain(rule.name) or "a human"
    if signature is not None and kind in ("bad", "unknown-key") and (more := signature.detail or signature.fingerprint):
        said += f" ({more})"
    return f"the author is {name}, but {said}; sign it with a listed key: {_SIGN_AGAIN}"


def _a(kind: str) -> str:
    return ("an " if kind[0] in "aeiou" else "a ") + kind


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)[:120]
