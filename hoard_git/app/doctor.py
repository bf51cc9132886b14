"""`hoard doctor`: what a workspace needs to work, checked one by one, each with the next command."""

from __future__ import annotations

import os
from collections import Counter

from hoard_git.app.policies import read_policies
from hoard_git.app.workspace import find_memory_files, read_policies_of_worktree
from hoard_git.core.files import file_default
from hoard_git.core.freshness import EXPIRED, STALE, freshness
from hoard_git.core.markdown import parse
from hoard_git.core.model import RepoPath
from hoard_git.core.policy import FILE_NAME
from hoard_git.core.provenance import provenances
from hoard_git.core.record import Record
from hoard_git.errors import HoardError
from hoard_git.gitio.applying import find_busy, find_interrupted, finish, has_moved
from hoard_git.gitio.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hoard_git.app.clock import Days
    from hoard_git.app.policies import Policies
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.plumbing import PlumbingReader

OK, WARN, FAIL = "ok", "warn", "fail"


class Check(Record):
    """One check: its name (INTERFACE, "JSON: doctor"), `ok`, `warn` or `fail`, what was seen, and the next command, '' where none is needed."""

    name: str
    status: str
    detail: str
    fix: str = ""


class Diagnosis(Record):
    """All checks in order, and what `--fix` has done, one clause each."""

    checks: tuple[Check, ...]
    done: tuple[str, ...] = ()

    @property
    def has_failed(self) -> bool:
        """Whether any check failed."""
        return any(check.status == FAIL for check in self.checks)


def diagnose(reader: PlumbingReader, days: Callable[[Policy], Days], hooks: Sequence[str], *, fix: bool = False) -> Diagnosis:
    """Run every check; with `fix` first do what is safe: settle an interrupted run. Never deletes a lock. `hooks` are those that should be there."""
    done = _settle(reader) if fix else ()
    steps: tuple[tuple[str, Callable[[], Check]], ...] = (
        ("git", lambda: _check_git(reader)),
        ("policy", lambda: _check_policy(reader)),
        ("identity", lambda: _check_identity(reader)),
        ("hooks", lambda: _check_hooks(reader, hooks)),
        ("interrupted", lambda: _check_interrupted(reader)),
        ("freshness", lambda: _check_freshness(reader, days)),
    )
    checks = []
    for name, step in steps:
        try:
            checks.append(step())
        except HoardError as error:  # a check that could not look has failed, and the others still run
            checks.append(Check(name, FAIL, error.message.rstrip("."), error.hint))
    return Diagnosis(tuple(checks), done)


def _settle(reader: PlumbingReader) -> tuple[str, ...]:
    found = finish(reader)
    if found is None:
        return ()
    if not found.moved:
        return ("forgot an interrupted run that had changed nothing",)
    kept = f"; changed since and left alone: {', '.join(found.kept)}" if found.kept else ""
    return (f"brought the files of commit {found.journal.commit[:12]} along{kept}",)


def _check_git(reader: PlumbingReader) -> Check:
    head = reader.head()
    if reader.is_shallow():
        return Check("git", FAIL, "a shallow clone: history and ranges cannot be judged", "git fetch --unshallow")
    if head is None:
        return Check("git", WARN, "no commit yet", "hoard commit")
    locks = [name for name in ("index.lock", "HEAD.lock") if os.path.lexists(reader.git_path(name))]
    if locks:
        where = reader.git_path(locks[0])
        return Check("git", WARN, f"{locks[0]} is held", f"let the other git process end; if none runs (ps -A | grep git): rm '{where}'")
    return Check("git", OK, f"HEAD is {head[:12]}")


def _check_policy(reader: PlumbingReader) -> Check:
    policies = read_policies_of_worktree(reader)
    if not policies.known:
        return Check("policy", FAIL, f"no {FILE_NAME} here", "hoard init")
    committed = read_policies(reader, reader.head(), [FILE_NAME, *[prefix + FILE_NAME for prefix, _policy in policies.by_prefix]])
    if not committed.known:
        return Check(
            "policy", FAIL, f"{FILE_NAME} is in no commit, so nothing is judged by it", f"git add {FILE_NAME} && git commit {FILE_NAME}"
        )
    if committed.by_prefix != policies.by_prefix:
        return Check("policy", WARN, f"{FILE_NAME} differs from the committed one, which counts", f"git diff HEAD -- {FILE_NAME}")
    policy = _policy_here(policies)
    if policy.mode == "warn":
        return Check("policy", WARN, "mode: warn, so the hooks report and never block", f"set mode: enforce in {FILE_NAME}")
    return Check("policy", OK, f"mode {policy.mode}, authority {policy.authority}")


def _policy_here(policies: Policies) -> Policy:
    """The policy of the repository's top, or, when the workspace lies deeper, the first one below it."""
    at_top = any(not prefix for prefix, _policy in policies.by_prefix)
    return policies.govern(FILE_NAME) if at_top or not policies.known else policies.by_prefix[0][1]


def _check_identity(reader: PlumbingReader) -> Check:
    email = reader.author().email
    policy = _policy_here(read_policies_of_worktree(reader))
    actor = next((rule for rule in policy.actors if email.lower() in rule.emails), None)
    if actor is None:
        return Check("identity", WARN, f"commits here are by {email}, whom the policy does not list", 'hoard init --agent "NAME <ADDRESS>"')
    return Check("identity", OK, f"commits here are by {actor.name or email} ({actor.kind})")


def _check_hooks(reader: PlumbingReader, hooks: Sequence[str]) -> Check:
    from hoard_git.gitio import hookfiles

    found = hookfiles.status(reader, hooks)
    bad = [one for one in found if one.state != "installed"]
    if bad:
        return Check("hooks", FAIL, ", ".join(f"{one.name}: {one.state}" for one in bad), bad[0].fix or "hoard hooks install")
    return Check("hooks", OK, f"{len(found)} installed")


def _check_interrupted(reader: PlumbingReader) -> Check:
    journal = find_interrupted(reader)
    if journal is not None:
        moved = has_moved(reader, journal)
        state = (
            f"a consolidation was cut off after its commit {journal.commit[:12]}: the branch has it, the files perhaps not yet"
            if moved
            else "a consolidation was cut off before its commit: everything is as it was"
        )
        return Check("interrupted", FAIL if moved else WARN, state, "hoard doctor --fix")
    busy = find_busy(reader)
    if busy:
        return Check("interrupted", WARN, f"something is under way here: {busy}", "git status")
    return Check("interrupted", OK, "nothing was cut off")


def _check_freshness(reader: PlumbingReader, days: Callable[[Policy], Days]) -> Check:
    policies = read_policies_of_worktree(reader)
    counts: Counter[str] = Counter()
    for path, file_class in find_memory_files(reader.root(), policies).items():
        if file_class in ("archive", "other"):
            continue
        policy = policies.govern(path)
        data = read_file(reader.root(), RepoPath(path))
        if data is None:
            continue
        today = days(policy).today
        for claim in provenances(parse(data), file_default(path, file_class, policy)):
            if claim.origin != "class" and claim.src != "user":
                counts[freshness(claim, policy, today)] += 1
    if counts[EXPIRED] or counts[STALE]:
        return Check("freshness", WARN, f"{counts[STALE]} entries are stale, {counts[EXPIRED]} expired", "hoard consolidate --dry-run")
    return Check("freshness", OK, f"{sum(counts.values())} entries, none of them past its ttl")
