"""What a range of commits comes to as a whole, and what is new in an update of a ref: for `check --range`, pre-push and pre-receive."""

from __future__ import annotations

from hoard_git.app.adoption import last_readable
from hoard_git.app.lookup import GateLookup
from hoard_git.app.policies import Policies, read_policies
from hoard_git.core.model import Actor, Oid
from hoard_git.core.policy import FILE_NAME, RULES_NAME
from hoard_git.core.record import Record
from hoard_git.core.units import core_text
from hoard_git.errors import HoardError
from hoard_git.gitio.plumbing import PlumbingReader
from hoard_git.gitio.process import decode_path
from hoard_git.lint.engine import intersect, judge
from hoard_git.lint.scene import Scene

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from hoard_git.app.gate import Gate, Judgement
    from hoard_git.core.align import Change
    from hoard_git.core.model import Finding, PathChange
    from hoard_git.gitio.reader import CommitInfo, Reader

NET_CODES = frozenset({"HG301", "HG302", "HG310"})
"""What single commits may come to together. HG310 only warns there: over a year a memory renews itself, and each step was judged."""

_STEERING = (FILE_NAME, RULES_NAME)
"""What decides how a commit is judged: policies, and the rules for secrets beside them."""


class Trusted(Record):
    """A commit whose policies are in force where something is to go, and those policies."""

    tip: Oid
    policies: Policies


def read_trusted(reader: Reader, tips: Sequence[Oid]) -> Trusted | None:
    """The first of these commits that has a policy, None when none has. Raises HoardError when its policy cannot be read."""
    plumbing = plumbing_of(reader)
    for tip in dict.fromkeys(tips):
        out = plumbing.git(("ls-tree", "-r", "-z", "--name-only", "--full-tree", tip)).finish()
        paths = [decode_path(path) for path in out.split(b"\0") if path == FILE_NAME.encode() or path.endswith(b"/" + FILE_NAME.encode())]
        if paths:
            return Trusted(tip, read_policies(reader, tip, paths))
    return None


def plumbing_of(reader: Reader) -> PlumbingReader:
    """Git itself for the same repository."""
    return reader if isinstance(reader, PlumbingReader) else PlumbingReader(reader.root())


# -------------------------------------------------------------------- net result


def net_of_range(reader: Reader, text: str) -> NetResult | None:
    """The net result of `A..B` or `A...B`, from their merge base; None where there is no A, or nothing in common."""
    dots = "..." if "..." in text else ".."
    start, found, end = text.partition(dots)
    if not found or _is_zero(start) or _is_zero(end):
        return None
    return net_between(reader, reader.resolve(start or "HEAD"), reader.resolve(end or "HEAD"))


def net_between(reader: Reader, old: Oid, new: Oid, beside: Sequence[Oid] = ()) -> NetResult | None:
    """The net result from `old`, or from the merge base where `new` does not build on it. `beside` was judged elsewhere and came in."""
    base = reader.merge_base(old, new)
    return NetResult(base, new, beside) if base is not None and base != new else None


def _is_zero(rev: str) -> bool:
    return len(rev) in (40, 64) and not rev.strip("0")


class NetResult:
    """What lies between two commits when it is looked at as one change.

    It counts as an agent's, for humans have done some of it and agents the rest; what a human's commit has touched on the way is the human's, and
    is left out.
    """

    def __init__(self, base: Oid, tip: Oid, beside: Sequence[Oid] = ()) -> None:
        """`beside` are commits that a merge brought in and that are not judged here: like a merge's other parents they excuse what they have."""
        self._ends = (base, tip)
        self._beside = tuple(beside)
        self._human: set[str] = set()

    def findings(self, gate: Gate, told: Sequence[Finding], human: Iterable[Collection[str]]) -> list[Finding]:
        """Judge the whole; of a path about which a commit has an error already nothing more is said. `human` is what human_words gave."""
        self._human = set().union(*human)
        base, tip = self._ends
        found = intersect([self._against(gate, parent, tip) for parent in (base, *self._beside)])
        known = {finding.path for finding in told if finding.severity == "error"}
        return [self._worded(finding, tip) for finding in found if finding.path not in known]

    def _against(self, gate: Gate, base: Oid, tip: Oid) -> list[Finding]:
        paths = gate.reader.changes(base, tip)
        names = [change.path for change in paths]
        try:
            before = read_policies(gate.reader, base, names)
        except HoardError as problem:
            before = last_readable(gate.reader, base, names, problem)
        if not before.known:
            return []
        try:
            after = read_policies(gate.reader, tip, names)
        except HoardError:
            after = Policies()  # the commit that broke it is told
        # Where a human changed the policy on the way, what it allows now is no fault of the commits before.
        both = [before, after] if after.known and after.by_prefix != before.by_prefix else [before]
        return intersect([self._under(gate, policies, base, paths) for policies in both])

    def _under(self, gate: Gate, policies: Policies, base: Oid, paths: Sequence[PathChange]) -> list[Finding]:
        found = []
        for policy, versions in gate.compare(base, paths, policies):
            rest = tuple(change for change in versions.changes if self._human.isdisjoint(_words([change])))
            if not rest:
                continue
            days = gate.days(policy)
            scene = Scene(
                policy=policy,
                actor=Actor("agent"),
                today=days.today,
                latest=days.latest,
                files=tuple(versions.after[path] for path in sorted(versions.after)),
                before=versions.before,
                changes=rest,
                paths=versions.paths,
                lookup=GateLookup(gate.shelf, versions, self._ends[1], policy, gate.history),
            )
            found += judge(scene, NET_CODES)
        return found

    def _worded(self, finding: Finding, tip: Oid) -> Finding:
        severity = "warn" if finding.code == "HG310" and finding.severity == "error" else finding.severity
        message = f"all commits together: {finding.message}"
        return finding._replace(message=message, commit=tip, severity=severity)


def human_words(judgement: Judgement) -> frozenset[str]:
    """What a human's commit touched, in words; nothing of anybody else's."""
    return frozenset(_words(judgement.versions.changes)) if judgement.actor.is_human else frozenset()


def _words(changes: Sequence[Change]) -> Iterator[str]:
    for change in changes:
        for unit in (change.before, change.after):
            if unit is not None:
                yield core_text(unit)


# -------------------------------------------------------------------- updates of refs


class Arrival(Record):
    """What an update of a ref brings: `fresh` is to be judged, oldest first; `beside` are the heads of what another branch has vouched for."""

    fresh: tuple[Oid, ...]
    beside: tuple[Oid, ...] = ()


def find_arrival(reader: Reader, new: Oid, known: Sequence[Oid], trusted: Trusted | None, vouching: str, *, strict: bool = True) -> Arrival:
    """Find the commits that an update brings beyond `known`.

    Refs below `vouching` ('' for none) vouch for commits that they hold already, if `strict` only where those were judged under the very policies that are in
    force here: byte for byte the same files all along. Where a side branch has, or had in between, a policy of its own, all is judged again.
    """
    everything = without(reader, reader.rev_list([new], list(known)), known)
    fresh = reader.rev_list([new], list(known), not_refs=vouching) if vouching and everything else everything
    skipped = set(everything).difference(fresh)
    if not skipped:
        return Arrival(tuple(everything))
    infos = list(reader.commits([oid for oid in everything if oid in skipped]))
    if strict and (trusted is None or not _same_policies(reader, infos, skipped, trusted)):
        return Arrival(tuple(everything))
    inner = {parent for info in infos for parent in info.parents}
    return Arrival(tuple(fresh), tuple(info.oid for info in infos if info.oid not in inner))


def without(reader: Reader, oids: Sequence[Oid], tips: Sequence[Oid]) -> list[Oid]:
    """Leave out what these tips reach, exactly.

    `git rev-list A ^B` goes by commit dates and stops early: with a B that is dated before its ancestors it lists commits that B reaches. Whoever
    makes a commit chooses its date.
    """
    if not oids or not tips:
        return list(oids)
    reached = set(reader.rev_list(list(tips), []))
    return [oid for oid in oids if oid not in reached]


def _same_policies(reader: Reader, infos: Sequence[CommitInfo], skipped: set[Oid], trusted: Trusted) -> bool:
    """Whether no commit of a side branch changes a policy and all of it starts from the policies that are trusted."""
    plumbing = plumbing_of(reader)
    starts = {parent for info in infos for parent in info.parents if parent not in skipped}
    if any(not info.parents for info in infos):
        return False
    wanted = _policy_entries(plumbing, trusted.tip)
    if any(_policy_entries(plumbing, start) != wanted for start in sorted(starts)):
        return False
    stdin = "".join(f"{line}\n" for line in (*(info.oid for info in infos), *(f"^{start}" for start in starts)))
    args = ("rev-list", "--full-history", "--stdin", "--", *(f":(top,glob)**/{name}" for name in _STEERING))
    changed = plumbing.git(args, stdin=stdin.encode(), at_root=True).finish().decode("ascii").split()
    # A merge of two lines with the same policy files changes none of them, however git simplifies.
    return skipped.isdisjoint(changed)


def _policy_entries(plumbing: PlumbingReader, oid: Oid) -> list[bytes]:
    out = plumbing.git(("ls-tree", "-r", "-z", "--full-tree", oid)).finish()
    names = {name.encode() for name in _STEERING}
    return [line for line in out.split(b"\0") if line.partition(b"\t")[2].rsplit(b"/", 1)[-1] in names]
