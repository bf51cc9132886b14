"""What a range of commits comes to as a whole, judged by the policies that are in force where it is to go: for `check --range`, pre-push and pre-receive."""

from __future__ import annotations

from hoard_git.app.adoption import last_readable
from hoard_git.app.lookup import GateLookup
from hoard_git.app.policies import Policies, read_policies
from hoard_git.app.rangecheck import Trusted, is_zero, merge_bases, read_trusted, same_policies, split_range
from hoard_git.core.files import is_protected
from hoard_git.core.model import Actor, Oid, RepoPath
from hoard_git.core.policy import FILE_NAME, RULES_NAME
from hoard_git.core.record import Record
from hoard_git.core.units import core_text
from hoard_git.errors import HoardError
from hoard_git.gitio.opening import plumbing_of
from hoard_git.lint.engine import intersect, judge
from hoard_git.lint.registry import RULES
from hoard_git.lint.scene import Scene

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hoard_git.app.gate import Gate, Judgement, Versions
    from hoard_git.app.proof import Proofs
    from hoard_git.app.rows import Row
    from hoard_git.core.align import Change
    from hoard_git.core.model import Finding, PathChange
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.reader import CommitInfo, Reader
    from hoard_git.lint.scene import FileView

NET_CODES = frozenset({"HG301", "HG302", "HG307", "HG310"})
"""What single commits may come to together. HG310 only warns there: over a year a memory renews itself, and each step was judged."""

_BY_COMMIT = frozenset({"HG303", "HG310", "HG311", "HG313"})
"""Rules about who made one commit, or how much is in it."""

_CONTENT = frozenset(rule.code for rule in RULES if rule.scope in ("file", "entry", "path", "change")) - _BY_COMMIT
"""What is asked of commits that other policies have judged than those in force: only errors, and only what is left of them at the end."""


class Touched(Record):
    """What one human's commit touched: the words of entries and headings, and the files that steer the gate with their new blobs.

    `still` says that its author is a human under the policies in force, too.
    """

    words: frozenset[str] = frozenset()
    files: frozenset[tuple[RepoPath, Oid]] = frozenset()
    still: bool = True


NOTHING = Touched()


class Ends(Record):
    """What commits are judged by beside their parents.

    `net` judges what they come to together, None where their ends have nothing in common. `trusted` is what is in force where they are to go, as
    far as it is known: its policy judges commits that have none behind them, and no other root of policies counts beside it. `memo` holds
    what was judged before with the same policies in force, and gets what is judged now.
    """

    net: NetResult | None = None
    trusted: Trusted | None = None
    memo: dict[Oid, Row] | None = None


NO_ENDS = Ends()


def ends_of_range(reader: Reader, text: str) -> Ends:
    """The net result of `A..B` or `A...B`, from their merge bases, and the policies at A: B may have older ones, or a root of its own."""
    start, dots, end = split_range(text)
    if not dots or is_zero(start) or is_zero(end):
        return Ends()
    old, new = reader.resolve(start or "HEAD"), reader.resolve(end or "HEAD")
    try:
        trusted = read_trusted(reader, [old])
    except HoardError:
        trusted = None  # the gate goes by the newest one before it that can be read
    return Ends(net_between(reader, old, new, trusted), trusted)


def net_between(reader: Reader, old: Oid, new: Oid, trusted: Trusted | None, beside: Sequence[Oid] = ()) -> NetResult | None:
    """The net result from `old`, or from the merge bases where `new` does not build on it. `beside` was judged elsewhere and came in.

    Where two branches were merged into each other there are several: what any of them has, both ends have, and it is no news.
    """
    base = reader.merge_base(old, new)
    if base is None or base == new:
        return None
    beside = (*(oid for oid in merge_bases(reader, old, new) if oid != base), *beside)
    if trusted is None:
        trusted = Trusted(old, _readable(reader, old, [change.path for change in reader.changes(base, new)]))
    return NetResult(base, new, trusted, beside)


class NetResult:
    """What lies between two commits when it is looked at as one change, under the policies of the commit that it is to go on top of.

    It counts as an agent's, for humans have done some of it and agents the rest; what a human's commit has touched on the way is the human's, and
    is left out. On a branch that parted before the newest policy, a human is who is one under that policy, too; and what another policy
    has judged there is judged again.
    """

    def __init__(self, base: Oid, tip: Oid, trusted: Trusted, beside: Sequence[Oid] = ()) -> None:
        """`trusted` is what is in force.

        `beside` are commits that a merge brought in and that are not judged here: like a merge's other parents they excuse what they have.
        """
        self._base, self._tip, self._force, self._policies = base, tip, trusted.tip, trusted.policies
        self._beside = tuple(beside)
        self._human = NOTHING
        self._parted: frozenset[Oid] = frozenset()
        self._codes = NET_CODES

    def prepare(self, reader: Reader, oids: Sequence[Oid]) -> None:
        """Find out which of the commits do not build on what is in force, and whether other policies may have judged them."""
        args = ("rev-list", "--ancestry-path", self._tip, f"^{self._force}")
        behind = set(plumbing_of(reader).git(args).finish().decode("ascii").split())
        self._parted = frozenset(oid for oid in oids if oid not in behind)
        if self._parted and not same_policies(reader, list(reader.commits([oid for oid in oids if oid in self._parted])), self._force):
            self._codes = NET_CODES | _CONTENT

    def touched(self, info: CommitInfo, judgement: Judgement, proofs: Proofs) -> Touched:
        """What a commit has touched, if it is a human's; nothing of anybody else's."""
        if not judgement.actor.is_human:
            return NOTHING
        versions = judgement.versions
        files = frozenset((change.path, change.new_oid) for change in versions.paths if is_protected(change.path))
        governing = {self._policies.govern(path) for path in (FILE_NAME, *(change.path for change in versions.paths))}
        still = all(proofs.actor(info, policy).is_human for policy in governing)
        return Touched(frozenset(_words(versions.changes)), files, still)

    def findings(self, gate: Gate, told: Sequence[Finding], human: Mapping[Oid, Touched]) -> list[Finding]:
        """Judge the whole; of a path about which a commit has an error already nothing more is said. `human` is what `touched` gave."""
        parts = [part for oid, part in human.items() if part.still or oid not in self._parted]
        self._human = Touched(frozenset().union(*(part.words for part in parts)), frozenset().union(*(part.files for part in parts)))
        found = intersect([self._against(gate, parent) for parent in (self._base, *self._beside)])
        known = {finding.path for finding in told if finding.severity == "error"}
        return [self._worded(finding) for finding in found if finding.path not in known and self._counts(finding)]

    def _counts(self, finding: Finding) -> bool:
        return finding.code in NET_CODES or finding.severity == "error"

    def _against(self, gate: Gate, parent: Oid) -> list[Finding]:
        if not self._policies.known:
            return []
        paths = [change for change in gate.reader.changes(parent, self._tip) if (change.path, change.new_oid) not in self._human.files]
        found = self._under(gate, self._policies, parent, paths)
        after = self._loosened(gate, paths)
        if after is None:
            return found
        # What a human's new policy allows now is no fault of the commits before.
        return intersect([found, self._under(gate, after, parent, paths)])

    def _loosened(self, gate: Gate, paths: Sequence[PathChange]) -> Policies | None:
        """The policies at the end, where the range has changed them and a human has vouched for all of that."""
        if any(change.path.rsplit("/", 1)[-1] in (FILE_NAME, RULES_NAME) for change in paths if not self._is_beside(gate, change)):
            return None
        names = [change.path for change in gate.reader.changes(self._base, self._tip)]
        try:
            after = read_policies(gate.reader, self._tip, names)
        except HoardError:
            return None  # the commit that broke it is told
        before = gate.policies_at(self._base, names)
        return after if after.known and after.by_prefix not in (before.by_prefix, self._policies.by_prefix) else None

    def _is_beside(self, gate: Gate, change: PathChange) -> bool:
        return any(gate.shelf.tree(oid).get(change.path) == (change.new_mode, change.new_oid) for oid in self._beside)

    def _under(self, gate: Gate, policies: Policies, base: Oid, paths: Sequence[PathChange]) -> list[Finding]:
        found = []
        for policy, versions in gate.compare(base, paths, policies):
            mine = [change for change in versions.changes if not self._human.words.isdisjoint(_words([change]))]
            rest = tuple(change for change in versions.changes if change not in mine) if mine else versions.changes
            if rest or versions.paths:
                found += judge(
                    self._scene(gate, policies, policy, versions._replace(after=_without(versions.after, mine)), rest), self._codes
                )
        return found

    def _scene(self, gate: Gate, policies: Policies, policy: Policy, versions: Versions, rest: tuple[Change, ...]) -> Scene:
        days = gate.days(policy)
        return Scene(
            policy=policy,
            actor=Actor("agent"),
            today=days.today,
            latest=days.latest,
            files=tuple(versions.after[path] for path in sorted(versions.after)),
            before=versions.before,
            changes=rest,
            paths=versions.paths,
            lookup=GateLookup(gate.shelf, versions, self._tip, policy, gate.history),
            rules=gate.own_rules(versions, self._tip, policies, policy.prefix, Actor("agent")) if self._codes != NET_CODES else None,
        )

    def _worded(self, finding: Finding) -> Finding:
        severity = "warn" if finding.code == "HG310" and finding.severity == "error" else finding.severity
        message = f"all commits together: {finding.message}"
        return finding._replace(message=message, commit=self._tip, severity=severity)


def _without(views: Mapping[str, FileView], changes: Sequence[Change]) -> dict[str, FileView]:
    """Files in which the lines of these changes are not under judgement."""
    lines: dict[str, set[int]] = {}
    for change in changes:
        if change.after is not None:
            lines.setdefault(change.after.path, set()).update(range(change.after.line, change.after.end_line + 1))
    return {path: view._replace(touched=(view.touched or frozenset()) - lines.get(path, set())) for path, view in views.items()}


def _readable(reader: Reader, commit: Oid, names: Sequence[str]) -> Policies:
    """The policies of a commit for these paths, or the newest before it that can be read."""
    try:
        return read_policies(reader, commit, names)
    except HoardError as problem:
        return last_readable(reader, commit, names, problem)


def _words(changes: Sequence[Change]) -> Iterator[str]:
    for change in changes:
        for unit in (change.before, change.after):
            if unit is not None:
                yield core_text(unit)
