"""`hoard check`: files as they stand, the index, a commit or a range, all judged by the same gate."""

# ruff: noqa: PTH118 -- repository paths are text, and these functions keep odd bytes as they are

from __future__ import annotations

import os

from hoard_git.app.adoption import Adoption
from hoard_git.app.gate import Gate
from hoard_git.app.message import commit_text
from hoard_git.app.netresult import NO_ENDS, NOTHING
from hoard_git.app.past import History
from hoard_git.app.proof import Proofs
from hoard_git.app.rangecheck import is_zero, merge_bases, split_range
from hoard_git.app.rows import Row, judge_all, rare_collections
from hoard_git.app.standing import standing_scenes
from hoard_git.core.model import Finding, Oid
from hoard_git.core.policy import FILE_NAME
from hoard_git.core.record import Record
from hoard_git.core.trust import actor_of
from hoard_git.errors import HoardError
from hoard_git.gitio.reader import INDEX
from hoard_git.lint.engine import judge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from hoard_git.app.clock import Days
    from hoard_git.app.engines import SecondEngine
    from hoard_git.app.gate import Judgement
    from hoard_git.app.netresult import Ends
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.plumbing import PlumbingReader
    from hoard_git.gitio.reader import CommitInfo, Reader


_MOST_PARENTS = 64
"""Every two are held against each other: with 40 that takes 1.5 s, with 1,000 a quarter of an hour."""


class Report(Record):
    """What was looked at and what was found. `warns_only` is true when the policy's mode is `warn`.

    `commits` were judged; `before_policy` more lie in the past of the workspace's first policy and were not. `introducing` are those that bring a
    policy where their parents have none.
    """

    findings: tuple[Finding, ...]
    files: int
    lines: int
    commits: int
    what: str = ""
    warns_only: bool = False
    before_policy: int = 0
    introducing: tuple[Oid, ...] = ()


def check_state(
    reader: PlumbingReader, only: Sequence[str], days: Callable[[Policy], Days], codes: Collection[str] | None = None
) -> Report:
    """Judge memory files as they stand in the work tree, untracked and ignored ones too.

    `only` limits this to files and directories, `codes` to some rules.
    """
    findings: list[Finding] = []
    files = lines = 0
    warns_only = False
    for scene in standing_scenes(reader, only, days):
        findings += judge(scene, codes)
        files += len(scene.paths)
        lines += sum(len(view.document.lines) for view in scene.files)
        warns_only = warns_only or scene.policy.mode == "warn"
    findings.sort(key=lambda f: (f.path, f.line, f.column, f.code))
    return Report(tuple(findings), files, lines, 0, "work tree", warns_only)


def check_staged(
    reader: Reader, days: Callable[[Policy], Days], environ: Mapping[str, str], *, second: SecondEngine | None = None
) -> Report:
    """Judge HEAD against the index, as pre-commit does; `second` looks for secrets, too."""
    author = reader.author()
    gate = Gate(reader, days=days)
    head = reader.head()

    def judge_index() -> Judgement:
        return gate.judge((head,), INDEX, lambda policy: actor_of(author.email, policy, environ=environ, local=True))

    judgement = judge_index()
    if second is not None:
        second.collect(Oid(""), judgement)
        gate.found = second.search()
        judgement = judge_index() if second.concerned else judgement
    return report_of(judgement, "staged")


def report_of(judgement: Judgement, what: str) -> Report:
    """The report of one judgement."""
    warns_only = judgement.policy.mode == "warn"
    return Report(judgement.findings, len(judgement.memory_paths), judgement.lines, 0, what, warns_only)


def check_commits(
    reader: Reader,
    oids: Sequence[Oid],
    days: Callable[[Policy], Days],
    what: str,
    *,
    second: SecondEngine | None = None,
    ends: Ends = NO_ENDS,
) -> Report:
    """Judge every commit against all its parents, each under the parent's policy; oldest first. `second` looks for secrets, too.

    Raises HoardError in a shallow clone: parents are missing there, and so is the past that the rules ask about.
    """
    if oids and reader.is_shallow():
        raise HoardError(
            "Commits cannot be judged in a shallow clone: parents and the past of the facts are missing.", "git fetch --unshallow"
        )
    with rare_collections():
        return _check_commits(reader, oids, days, what, second=second, ends=ends)


def _check_commits(
    reader: Reader,
    oids: Sequence[Oid],
    days: Callable[[Policy], Days],
    what: str,
    *,
    second: SecondEngine | None,
    ends: Ends,
) -> Report:
    net, trusted = ends.net, ends.trusted
    memo = {} if ends.memo is None else ends.memo
    gate = Gate(reader, days=days, history=History(reader, oids[-1:]))
    proofs = Proofs(reader, oids)
    head = reader.head()
    tips = [*oids[-1:], *([head] if head is not None and oids else [])]
    if trusted is not None:
        tips = [trusted.tip, *tips]
        gate.fallback = trusted.policies
    adoption = Adoption(reader, tips)

    def judge_one(info: CommitInfo) -> Row | None:
        if is_old(gate, adoption, info.oid):
            return None
        judgement = judge_commit(gate, info, proofs)
        if second is not None:
            second.collect(info.oid, judgement)
        human = net.touched(info, judgement, proofs) if net is not None else NOTHING
        return Row(info.oid, info.parents, judgement.findings, judgement.introduces, judgement.memory_paths, judgement.lines, human)

    if net is not None:
        net.prepare(reader, oids)
    # What a second engine is to look through has to come together here.
    fresh = [oid for oid in oids if oid not in memo]
    memo.update(
        (row.oid, row) for row in judge_all(reader, fresh, judge_one, alone=second is not None, close=proofs.close) if row is not None
    )
    rows = [memo[oid] for oid in oids if oid in memo]
    findings = {row.oid: row.findings for row in rows}
    if second is not None:
        gate.found = second.search()
        findings.update((info.oid, judge_commit(gate, info, proofs).findings) for info in reader.commits(second.concerned))
    # A branch may be made so that its own root comes first on the main line: what the range builds on is older than that.
    outside = {parent for row in rows for parent in row.parents}.difference(oids)
    roots = [row.oid for row in rows if row.introduces]
    governed = bool(roots) and any(_has_policy(gate, oid) for oid in outside)
    for oid in roots:
        if governed or adoption.is_second_root(oid):
            findings[oid] = (*findings[oid], second_root())
    told = [finding._replace(commit=oid) for oid, of_commit in findings.items() for finding in of_commit]
    if net is not None:
        told += net.findings(gate, told, {row.oid: row.human for row in rows})
    files = {path for row in rows for path in row.paths}
    lines = sum(row.lines for row in rows)
    return Report(tuple(told), len(files), lines, len(rows), what, before_policy=len(oids) - len(rows), introducing=tuple(roots))


def is_old(gate: Gate, adoption: Adoption, oid: Oid) -> bool:
    """Whether a commit lies in the past of the first policy and has none itself: old content, which nobody judges."""
    return adoption.precedes(oid) and not (adoption.has_side_policies and _has_policy(gate, oid))


def _has_policy(gate: Gate, oid: Oid) -> bool:
    """Whether a commit has a policy: in the past of the first one on the main line some may, as on a branch that brought it in."""
    return any(path.rsplit("/", 1)[-1] == FILE_NAME for path in gate.shelf.tree(oid))


def second_root() -> Finding:
    """What is said about a commit that brings a policy beside the one in force (HG307)."""
    message = "brings a policy of its own beside the one in force, by which nobody here has agreed to be judged"
    return Finding(
        "HG307", "protected-file-changed", "error", message, FILE_NAME, hint="start the branch from a commit that has the policy"
    )


def judge_commit(gate: Gate, info: CommitInfo, proofs: Proofs | None = None) -> Judgement:
    """Judge one commit, its message, signature and object included. `proofs` remembers signatures from one commit to the next.

    Raises HoardError for a merge of more branches than can be held against each other in a few seconds.
    """
    if len(info.parents) > _MOST_PARENTS:
        raise HoardError(
            f"The commit {info.oid[:12]} merges {len(info.parents):,} branches at once; more than {_MOST_PARENTS} cannot be judged.",
            "Merge them a few at a time.",
        )
    checked = proofs or Proofs(gate.reader)
    judgement = gate.judge(
        info.parents or (None,),
        info.oid,
        lambda policy: checked.actor(info, policy),
        text=lambda judgement: commit_text(judgement, info),
    )
    return checked.finish(judgement, info)


def find_range(reader: Reader, text: str) -> list[Oid]:
    """Resolve `A..B`, `A...B` (from their merge bases) or `B` to the commits that it adds, oldest first.

    Zeros for A mean a branch that is new: everything that B reaches. Zeros for B mean a branch that is gone: nothing.
    """
    start, dots, end = split_range(text)
    if is_zero(end):
        return []
    tip = find_tip(reader, text)
    if not dots or is_zero(start):
        return reader.rev_list([tip], [])
    base = reader.resolve(start or "HEAD")
    known: list[str] = [base]
    if dots == "..." and reader.merge_base(base, tip) is not None:  # it tells a shallow clone from histories with nothing in common
        known = [*merge_bases(reader, base, tip)]
    return reader.rev_list([tip], known)


def find_tip(reader: Reader, text: str) -> Oid:
    """Resolve the end of a range, which may hold no commits."""
    return reader.resolve(split_range(text)[2] or "HEAD")


def inside(reader: Reader, directory: str, paths: Sequence[str]) -> list[str]:
    """Turn the user's paths into repository paths. Raises HoardError for one outside the work tree or that is not there."""
    found = inside_or_gone(reader, directory, paths)
    for path, given in zip(found, paths, strict=True):
        if not os.path.lexists(os.path.join(reader.root(), path)):
            raise HoardError(f"{given!r} is not there.", "git status")
    return found


def inside_or_gone(reader: Reader, directory: str, paths: Sequence[str]) -> list[str]:
    """Turn the user's paths into repository paths, whether there is such a file or not. Raises HoardError for one outside."""
    root = os.path.realpath(reader.root())
    found = []
    for path in paths:
        full = os.path.normpath(os.path.join(os.path.realpath(directory), path))
        if full != root and not full.startswith(root + os.sep):
            raise HoardError(f"{path!r} lies outside the work tree.", f"Give a path below {root}")
        found.append("" if full == root else os.path.relpath(full, root).replace(os.sep, "/"))
    return found
