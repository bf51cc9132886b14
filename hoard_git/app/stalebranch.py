"""What a merge takes over from a branch on which somebody still counts as a human who has been taken out since.

Each commit is judged by the policy of its own parents, so a key that was taken out can still sign commits on top of an old parent, and before the
switch to `authority: signature` a typed address was enough. A clean merge is nobody's act: without a second look it would carry such a fact in.
"""

from __future__ import annotations

from hoard_git.app.rangecheck import merge_bases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hoard_git.app.gate import Gate
    from hoard_git.core.model import Actor, Finding, Oid
    from hoard_git.core.policy import Policy

CODES = frozenset({"HG301", "HG302", "HG304", "HG307", "HG308", "HG309"})
"""What takes a human in any case."""

_HINT = "look at what that branch changes; if it is right, let a human who is listed now sign the merge: git commit -S, or once it is made: git commit --amend -S"


def stale_findings(
    gate: Gate, parents: Sequence[Oid | None], against: Sequence[Sequence[Finding]], who: Callable[[Policy], Actor]
) -> list[Finding]:
    """Judge what a merge brings to each parent from the others; `against` holds what the gate says about the merge against each.

    Nothing is said where the merge's maker is a human under that parent's policy, who then vouches for what comes in.
    """
    found: dict[Finding, None] = {}
    for parent, findings in zip(parents, against, strict=True):
        told = [finding for finding in findings if finding.code in CODES and finding.severity == "error"]
        if parent is None or not told:
            continue
        names = [finding.path for finding in told]
        mine = gate.policies_at(parent, names)
        for other in (other for other in parents if other is not None and other != parent):
            theirs = gate.policies_at(other, names)
            unlike = [finding for finding in told if mine.govern(finding.path) != theirs.govern(finding.path)]
            bases = [gate.policies_at(base, names) for base in merge_bases(gate.reader, parent, other)] if unlike else []
            for finding in unlike:
                policy = mine.govern(finding.path)
                began = [base.govern(finding.path) for base in bases] or [theirs.govern(finding.path)]
                if _is_stale(policy, theirs.govern(finding.path), began) and not who(policy).is_human:
                    found[finding] = None
    return [_worded(finding) for finding in found]


def _is_stale(mine: Policy, theirs: Policy, bases: Sequence[Policy]) -> bool:
    """Whether somebody who counted where both began still counts there and no longer here."""
    begun = frozenset().union(*map(_humans, bases))
    return bool(begun & _humans(theirs) - _humans(mine))


def _humans(policy: Policy) -> frozenset[str]:
    """All by which somebody counts as a human: keys, and addresses where those are believed."""
    humans = [rule for rule in policy.actors if rule.kind == "human"]
    addresses = {address for rule in humans for address in rule.emails} if policy.authority != "signature" else set()
    return frozenset({*addresses, *(_digits(key) for rule in humans for key in rule.keys)})


def _digits(key: str) -> str:
    """A key without its comment and layout: of an SSH line the longest word, of an armoured block all of it."""
    return "".join(key.split()) if key.lstrip().startswith("-----BEGIN ") else max(key.split(), key=len, default="")


def _worded(finding: Finding) -> Finding:
    message = f"{finding.message}, on a branch where a human still counts who was taken out since"
    return finding._replace(message=message, hint=_HINT)
