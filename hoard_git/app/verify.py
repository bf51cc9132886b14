"""`hoard verify`: who was entitled to each change that takes a human, and by what proof, from the first policy on.

What takes a human is asked of the gate itself: a commit is judged as if an agent had made it, and whatever the gate then objects to is what its
maker had to be entitled to. So there is no second list of what is sensitive, and check and verify cannot come apart.
"""

from __future__ import annotations

import os
import shlex

from hoard_git.app.adoption import Adoption, policy_commits
from hoard_git.app.check import find_range, find_tip, is_old, second_root
from hoard_git.app.gate import Gate
from hoard_git.app.past import History
from hoard_git.app.pin import brings_policy, pin_findings
from hoard_git.app.policies import Policies, read_policies
from hoard_git.app.proof import Proofs
from hoard_git.app.rows import rare_collections
from hoard_git.core.files import is_policy
from hoard_git.core.model import Actor, Oid
from hoard_git.core.policy import FILE_NAME
from hoard_git.core.policydiff import changes_keys, policy_changes
from hoard_git.core.record import Record
from hoard_git.core.trust import Proof, actor_of
from hoard_git.errors import HoardError
from hoard_git.gitio.opening import plumbing_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from hoard_git.app.clock import Days
    from hoard_git.app.gate import Judgement
    from hoard_git.app.pin import Pin
    from hoard_git.core.model import Finding
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.reader import CommitInfo, Ident, Reader

CODES = frozenset({"HG301", "HG302", "HG303", "HG304", "HG307", "HG308", "HG309", "HG704", "HG705"})
"""The rules about who may do what; what a text says, how it is tagged and what it weighs are other rules' matter."""

_KINDS = {"HG302": "source", "HG304": "source", "HG303": "tool", "HG704": "merge", "HG705": "object"}
_WORST_FIRST = ("bad", "unknown-key", "none", "good")
_AGENT = Actor("agent")


class Act(Record):
    """One change that takes a human. `kind` is user, source, policy, keys, protected, merge, tool or object; `what` a clause without the actor.

    `entitled` is false when the gate objects to it from this commit's maker; `code` is then the rule that says so, and `severity` its weight.
    """

    kind: str
    path: str
    line: int
    what: str
    entitled: bool
    code: str
    severity: str = "error"
    hint: str = ""


class Step(Record):
    """A commit that changes a policy file: what it changes, in clauses."""

    path: str
    changes: tuple[str, ...]


class Verified(Record):
    """One commit: its maker under the parents' policies, what its signature proves, what in it takes a human, and its steps of the policy chain.

    `authority` is that of the policy which judged it; `introduces` says that it brings a first policy, and `pinned` that whoever pinned it vouches.
    """

    oid: Oid
    author: Ident
    actor: Actor
    proof: Proof
    authority: str
    acts: tuple[Act, ...] = ()
    steps: tuple[Step, ...] = ()
    introduces: bool = False
    pinned: bool = False

    @property
    def is_entitled(self) -> bool:
        """Whether nothing in it was refused."""
        return all(act.entitled or act.severity != "error" for act in self.acts)

    @property
    def decided_by(self) -> str:
        """What the maker's rank rests on: `signature`, `author` (a name that anybody can type), the `pin`, or `none`."""
        if self.actor.verified:
            return "signature"
        if self.authority == "author" and self.actor.is_human:
            return "author"
        return "pin" if self.pinned else "none"


class Verification(Record):
    """A verified range; `root` is the commit that brought the first policy or the pinned one. `before` commits lie before the root and are taken as they are."""

    what: str
    tip: Oid
    root: Oid
    pin: Pin | None
    commits: tuple[Verified, ...]
    before: int

    @property
    def refused(self) -> int:
        """How many commits hold something that nobody was entitled to."""
        return sum(not commit.is_entitled for commit in self.commits)


def verify(reader: Reader, text: str, pin: Pin | None, days: Callable[[Policy], Days]) -> Verification:
    """Verify a range (`A..B`, `A...B`, or `B` for all that it reaches), oldest first.

    Raises HoardError whenever it cannot be verified: a shallow clone, missing objects, a history other than its commits name, no policy, or a
    pinned root that it does not contain.
    """
    if reader.is_shallow():
        raise HoardError("A shallow clone cannot be verified: its commits' parents are missing.", "git fetch --unshallow")
    oids = find_range(reader, text)
    tip = find_tip(reader, text)
    history = read_history(reader, tip)
    adoption = Adoption(reader, [tip])
    if adoption.first is None:
        written = os.path.lexists(f"{reader.root()}/{FILE_NAME}")
        hint = f"hoard commit --human {FILE_NAME}" if written else "hoard init"
        raise HoardError("No commit here brings a policy, so nobody was ever entitled to anything.", hint)
    root = adoption.first if pin is None else pin.oid
    if pin is not None:
        _require_root(reader, pin, tip, history)
    behind = ancestors(history, pin.oid) - {pin.oid} if pin is not None and pin.oid in history else set()
    chosen = [oid for oid in oids if oid not in behind]
    with rare_collections():
        rows = list(_verify_all(reader, chosen, tip, adoption, days))
    if pin is not None:
        rows = [_vouched(row) if row.oid == pin.oid else row for row in rows]
    return Verification(text, tip, root, pin, tuple(rows), len(oids) - len(rows))


def _vouched(root: Verified) -> Verified:
    """The pinned commit: whoever pinned it has looked at it, and there is nobody else who could be asked."""
    return root._replace(pinned=True, acts=tuple(act._replace(entitled=True, hint="") for act in root.acts))


def read_history(reader: Reader, tip: Oid) -> dict[Oid, tuple[Oid, ...]]:
    """Every commit that a tip reaches, by what the commits themselves name as their parents. Raises HoardError when git lists other ones.

    Grafts, a commit-graph file that lies and a history that was cut off all show here: somebody is listed whom no commit names, or missing.
    """
    listed = {info.oid: info.parents for info in reader.commits(reader.rev_list([tip], []))}
    for oid, parents in listed.items():
        absent = next((parent for parent in parents if parent not in listed), None)
        if absent is not None:
            raise HoardError(
                f"The history is cut off: commit {oid[:12]} names {absent[:12]} as its parent, and git does not list that.",
                f"Compare with a full clone, and look for what changes history here: {_without_graph(reader) or f'git cat-file -t {absent}; git fsck'}",
            )
    if len(ancestors(listed, tip)) != len(listed):
        raise HoardError("git lists commits that no commit names as its parent.", _without_graph(reader) or "git fsck")
    return listed


def _without_graph(reader: Reader) -> str:
    """The command that moves git's own list of commits away, from which alone it knows more or less than the commits say; '' without one."""
    names = ("objects/info/commit-graph", "objects/info/commit-graphs")
    there = [shlex.quote(path) for path in map(plumbing_of(reader).git_path, names) if os.path.lexists(path)]
    return "".join(f"mv {path} {path}.old && " for path in there) + "git fsck" if there else ""


def ancestors(history: Mapping[Oid, tuple[Oid, ...]], oid: Oid) -> set[Oid]:
    """A commit and everything behind it."""
    found, todo = {oid}, [oid]
    while todo:
        fresh = [parent for parent in history[todo.pop()] if parent not in found]
        found.update(fresh)
        todo += fresh
    return found


def _require_root(reader: Reader, pin: Pin, tip: Oid, history: Mapping[Oid, tuple[Oid, ...]]) -> None:
    if pin.oid not in history:
        raise HoardError(
            f"The pinned root {pin.oid[:12]} is not behind {tip[:12]}: this is another history, or it was cut off or rewritten.",
            f"Which branches have it: git branch -a --contains {pin.oid}",
        )
    roots = list(_introducing(reader, tip, history))
    faults = pin_findings(reader, pin, tip, roots)
    if faults:
        names = ", ".join(fault.commit[:12] for fault in faults[:3])
        raise HoardError(
            f"Not every policy comes from the pinned root {pin.oid[:12]}: {names} brings one of its own.",
            f"See how it came in: git log --graph --oneline {pin.oid[:12]}...{faults[0].commit[:12]}",
        )


def _introducing(reader: Reader, tip: Oid, history: Mapping[Oid, tuple[Oid, ...]]) -> Iterator[Oid]:
    """The commits that have a policy where no parent has one."""
    for oid in policy_commits(reader, tip, main_line=False):
        if brings_policy(reader, oid) and not any(brings_policy(reader, parent) for parent in history[oid]):
            yield oid


# ---------------------------------------------------------------- one commit after the other


def _verify_all(reader: Reader, oids: Sequence[Oid], tip: Oid, adoption: Adoption, days: Callable[[Policy], Days]) -> Iterator[Verified]:
    gate = Gate(reader, days=days, history=History(reader, [tip]))
    gate.codes = CODES
    proofs = Proofs(reader, oids)
    for info in reader.commits(oids):
        if not is_old(gate, adoption, info.oid):
            yield verify_commit(gate, info, proofs, adoption)


def verify_commit(gate: Gate, info: CommitInfo, proofs: Proofs, adoption: Adoption | None = None) -> Verified:
    """Verify one commit. `proofs` remembers what a signature proves from one commit to the next, and for check as well."""
    seen: list[Proof] = []

    def who(policy: Policy) -> Actor:
        proof = proofs.check(info, policy)
        seen.append(proof)
        return actor_of(info.author.email, policy, signature=proof if policy.authority == "signature" else None)

    parents = info.parents or (None,)
    judged = gate.judge(parents, info.oid, who)
    judged = proofs.finish(judged, info)
    found = [finding for finding in judged.findings if finding.code in CODES]
    if judged.introduces and adoption is not None and adoption.is_second_root(info.oid):
        found.append(second_root())
    needed: Sequence[Finding] = found
    if judged.actor.kind != "agent":
        needed = [f for f in gate.judge(parents, info.oid, lambda _policy: _AGENT).findings if f.code in CODES]
    steps, keyed = _steps(gate, info, judged, needed)
    acts = _acts(needed, found, keyed)
    proof = min(seen, key=lambda proof: _WORST_FIRST.index(proof.kind), default=Proof("none"))
    return Verified(info.oid, info.author, judged.actor, proof, judged.policy.authority, acts, steps, introduces=judged.introduces)


def _acts(needed: Sequence[Finding], found: Sequence[Finding], keyed: set[str]) -> tuple[Act, ...]:
    """Everything that takes a human, in order of place: refused where the gate objects to the maker as well."""
    refused = {_place(finding): finding for finding in found}
    acts = [_act(finding, keyed, entitled=False) for finding in found]
    acts += [_act(finding, keyed, entitled=True) for finding in needed if _place(finding) not in refused]
    return tuple(sorted(acts, key=lambda act: (act.path, act.line, act.code)))


def _place(finding: Finding) -> tuple[str, ...]:
    code = "HG301" if finding.code == "HG308" else finding.code
    return (code, finding.path, str(finding.line), finding.block)


def _act(finding: Finding, keyed: set[str], *, entitled: bool) -> Act:
    kind = _KINDS.get(finding.code, "user")
    if finding.code == "HG307":
        kind = "keys" if finding.path in keyed else "policy" if is_policy(finding.path) else "protected"
    what = finding.message.removeprefix("an unproven human ").removeprefix("agent ").removeprefix("tool ")
    if entitled:
        return Act(kind, finding.path, finding.line, what, entitled=True, code=finding.code)
    return Act(kind, finding.path, finding.line, what, entitled=False, code=finding.code, severity=finding.severity, hint=finding.hint)


def _steps(gate: Gate, info: CommitInfo, judged: Judgement, needed: Sequence[Finding]) -> tuple[tuple[Step, ...], set[str]]:
    """The policy files that differ from every parent's: what changes in each, and those whose keys do."""
    mine = {finding.path for finding in needed if finding.code == "HG307" and is_policy(finding.path)}
    changed = sorted({str(change.path) for change in judged.versions.paths} & mine)
    steps, keyed = [], set()
    for path in changed:
        old = _policy_at(gate, info.parents[0] if info.parents else None, path)
        try:
            new = _policy_at(gate, info.oid, path)
        except HoardError:
            steps.append(Step(path, ("writes a policy that cannot be read",)))
            continue
        steps.append(Step(path, tuple(policy_changes(old, new)) or ("changes comments or layout only",)))
        keyed.update([path] if changes_keys(old, new) else [])
    return tuple(steps), keyed


def _policy_at(gate: Gate, oid: Oid | None, path: str) -> Policy | None:
    """The policy in this very file of a commit; None when there is none, or the one before it cannot be read."""
    policies = Policies() if oid is None else read_policies(gate.reader, oid, [path])
    return dict(policies.by_prefix).get(path[: path.rfind("/") + 1])
