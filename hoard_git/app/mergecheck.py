"""A merge commit held against its recomputation: the sides, their bases, and what the merge by entry and git's merge by lines make of them."""

from __future__ import annotations

from hoard_git.app.rangecheck import merge_bases
from hoard_git.core.files import file_default
from hoard_git.core.merge import CannotMerge, merge
from hoard_git.core.mergefacts import MergeSides, cores, texts_of
from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, Oid, RepoPath
from hoard_git.core.record import Record
from hoard_git.core.units import Side
from hoard_git.errors import HoardError
from hoard_git.lint.engine import judge, most_severe
from hoard_git.lint.scene import Scene

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hoard_git.app.gate import Gate, Judgement
    from hoard_git.app.policies import Policies
    from hoard_git.core.model import Finding, PathChange
    from hoard_git.core.policy import Policy
    from hoard_git.core.tags import Tag

CODE = "HG704"
_NOT_MEMORY = ("", "other", "binary", "attributes")
_USERS = ("HG301", "HG308")
"""Rules about a user's facts, whose removals are told by heading."""
_BLOBS = (MODE_FILE, MODE_EXECUTABLE)

Parent = tuple[Oid, tuple["PathChange", ...]]


def judge_merge(
    gate: Gate, judgements: Sequence[Judgement], parents: Sequence[Parent], policies: Sequence[Policies], findings: Sequence[Finding]
) -> list[Finding]:
    """Judge a merge by somebody who is no human, under the policies of all parents.

    `judgements` are those against each parent, `parents` come with what differs from each, `findings` are those that hold against every parent.
    Findings against two parents count as one when they are about the removal of a user's facts under one heading, also where each human removed
    another fact. Such findings are taken back for a file that is just what its sides make of it. Raises HoardError when a base is missing.
    """
    check = _Check(gate, policies, parents)
    if not check.paths:
        return list(findings)
    sides = check.sides()
    actor = judgements[0].actor
    asked = dict.fromkeys(judgement.policy for judgement in judgements)
    found = most_severe(judge(Scene(policy=policy, actor=actor, merge=sides), {CODE}) for policy in asked)
    clean = sides.settled - {finding.path for finding in found}
    kept = [finding for finding in findings if not (finding.path in clean and finding.code in _USERS and finding.is_gone)]
    return [*kept, *found]


class _Versions(Record):
    """One path: the blobs of the result, of each parent, and of the bases that the first parent has with each other; '' where there is no file."""

    result: Oid
    parents: tuple[Oid, ...]
    bases: tuple[tuple[Oid, ...], ...]


class _Check:
    """What has to be read for one merge."""

    def __init__(self, gate: Gate, policies: Sequence[Policies], parents: Sequence[Parent]) -> None:
        """List the memory files that any side and the result differ in."""
        self.gate = gate
        self.policies = policies
        self.parents = parents
        results: dict[RepoPath, Oid] = {}
        for _oid, changes in parents:
            results.update((c.path, c.new_oid if c.new_mode in _BLOBS else Oid("")) for c in changes)
        self.results = results
        self.paths = sorted(path for path in results if self._class(path) not in _NOT_MEMORY)

    def sides(self) -> MergeSides:
        """Read all versions and merge anew what two sides changed."""
        reader = self.gate.reader
        if reader.is_shallow():
            raise HoardError("A merge cannot be judged in a shallow clone: its bases are missing.", "git fetch --unshallow")
        olds = [{c.path: c.old_oid if c.old_mode in _BLOBS else Oid("") for c in changes} for _oid, changes in self.parents]
        blobs = [{path: old.get(path, self.results[path]) for path in self.paths} for old in olds]
        count = len(self.parents)
        trees = {
            (one, other): [self._tree(base) for base in merge_bases(reader, self.parents[one][0], self.parents[other][0])]
            for one in range(count)
            for other in range(one + 1, count)
        }
        bases = {pair: tuple(self._files(tree) for tree in found) for pair, found in trees.items()}
        excused: set[str] = set()
        settled: set[str] = set()
        for path in self.paths:
            olds_of = tuple(tuple(tree.get(path, Oid("")) for tree in trees[0, other]) for other in range(1, count))
            versions = _Versions(self.results[path], tuple(side[path] for side in blobs), olds_of)
            if {versions.result} != set(versions.parents):
                texts, is_settled = self._recompute(path, versions)
                excused |= texts
                settled.update([path] if is_settled else [])
        return MergeSides(
            self._files(self.results), tuple(self._files(side) for side in blobs), bases, frozenset(excused), frozenset(settled)
        )

    def _recompute(self, path: RepoPath, versions: _Versions) -> tuple[frozenset[str], bool]:
        """The texts that may be gone because of how this file merges, and whether the result is the recomputed one."""
        oids = {oid for oid in (versions.result, *versions.parents, *(base for bases in versions.bases for base in bases)) if oid}
        data = {**self.gate.shelf.blobs(sorted(oids)), Oid(""): b""}
        result, first, *others = (data[oid] for oid in (versions.result, *versions.parents))
        default = self._default(path)
        excused: frozenset[str] = frozenset()
        sides = [self._side(path, oid) for oid in versions.parents if oid]
        for number in range(max(1, *map(len, versions.bases))):
            bases = [found[min(number, len(found) - 1)] if found else Oid("") for found in versions.bases]
            merged: bytes = first
            lost: list[str] = []
            try:
                for base, other in zip(bases, others, strict=True):
                    part = merge(data[base] if base else None, merged, other, default)
                    merged, lost = part.data, [*lost, *(gone.words for gone in part.lost)]
            except CannotMerge:
                excused |= texts_of(sides, in_regions=True)
            else:
                excused |= cores(lost)
                if merged == result:
                    return excused, True
            if versions.result and all(versions.parents) and all(bases) and _by_lines([data[b] for b in bases], first, others) == result:
                return excused | texts_of(sides), True
        return excused, False

    def _tree(self, commit: Oid) -> dict[RepoPath, Oid]:
        shelf = self.gate.shelf
        entries = shelf.tree(commit) if shelf.many else self.gate.reader.tree(commit, self.paths)
        return {path: entries[path][1] for path in self.paths if path in entries and entries[path][0] in _BLOBS}

    def _files(self, blobs: Mapping[RepoPath, Oid]) -> tuple[Side, ...]:
        return tuple(self._side(path, blobs[path]) for path in self.paths if blobs.get(path))

    def _side(self, path: RepoPath, oid: Oid) -> Side:
        return Side(path, self._class(path), self.gate.shelf.document(oid, path), self._default(path))

    def _class(self, path: str) -> str:
        return self._ruling(path)[0]

    def _default(self, path: str) -> Tag | None:
        return file_default(path, *self._ruling(path))

    def _ruling(self, path: str) -> tuple[str, Policy]:
        """The class of a path and the policy that says so: the first one by which it is memory."""
        asked = [(self.gate.shelf.classify(path, policy), policy) for policy in (policies.govern(path) for policies in self.policies)]
        return next((row for row in asked if row[0] not in _NOT_MEMORY), asked[0])


def _by_lines(bases: Sequence[bytes], first: bytes, others: Sequence[bytes]) -> bytes | None:
    """What git makes of a file without the driver, one parent after the other; None where that is a conflict."""
    from hoard_git.gitio.linemerge import merge_lines

    merged: bytes | None = first
    for base, other in zip(bases, others, strict=True):
        merged = merge_lines(base, merged, other) if merged is not None else None
    return merged
