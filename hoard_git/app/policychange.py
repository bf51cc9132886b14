"""What is asked of a new version of the policy itself, and of a merge of files that steer the gate, beside who may change them (HG307)."""

from __future__ import annotations

from hoard_git.core.files import is_protected
from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, Finding, Oid
from hoard_git.core.policy import FILE_NAME
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from hoard_git.app.policies import Policies
    from hoard_git.core.model import PathChange, RepoPath
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.reader import Reader


def policy_findings(
    read: Callable[[Mapping[RepoPath, Oid]], Mapping[str, Policy]], paths: Sequence[PathChange], policies: Policies | None
) -> list[Finding]:
    """Judge the policies that a change brings; `policies` are those before it, None where there were none.

    One that cannot be read must not get in: every commit after it would be judged by the one before. Nor may one that leaves no human who
    could change it again, or a key that can never prove anything.
    """
    found = []
    for change in paths:
        if change.path.rsplit("/", 1)[-1] != FILE_NAME or change.new_mode not in (MODE_FILE, MODE_EXECUTABLE):
            continue
        try:
            new = read({change.path: change.new_oid})[str(change.path)]
        except HoardError as problem:
            said = f"the new policy cannot be read: {problem.message.rstrip('.')}"
            found.append(_finding(said, change.path, problem.hint))
            continue
        old = policies.govern(change.path) if policies is not None and policies.known else None
        found += [_finding(said, change.path, hint) for said, hint in _faults(new, old)]
    return found


def merge_findings(reader: Reader, parents: Sequence[tuple[Oid | None, Sequence[PathChange]]]) -> list[Finding]:
    """Judge what a merge that is no human's does to the files that steer the gate; each parent comes with what differs from it.

    Findings about a merge are those that hold against every parent, so keeping one side's old or foreign policy would be nobody's act. Such
    a file must be what a three-way merge by whole files gives, whichever parent is the first: a version that the other side has replaced since
    is stale, and of two that both sides changed neither is an agent's to choose. Histories without a common ancestor count as both changed.
    """
    if len(parents) < 2:
        return []
    found = []
    bases: dict[tuple[Oid, Oid], Oid | None] = {}
    for path in sorted({change.path for _parent, paths in parents for change in paths if is_protected(change.path)}):
        after = next((c.new_mode, c.new_oid) for _parent, paths in parents for c in paths if c.path == path)
        sides = [_version(reader, parent, path) for parent, _paths in parents]
        fresh = {version: parent for (parent, _paths), version in zip(parents, sides, strict=True)}
        for one, (parent, _paths) in enumerate(parents):
            for two, (other, _others) in enumerate(parents):
                if one != two and sides[one] != sides[two] and sides[one] == _version(reader, _base(reader, parent, other, bases), path):
                    fresh.pop(sides[one], None)
        if len(fresh) != 1 or after not in fresh:
            message = "a merge settles a file that steers the gate otherwise than its branches do: one has changed it since, or both have"
            newest = next(iter(fresh.values())) if len(fresh) == 1 else None
            hint = (
                f"take the newer one: git checkout {newest[:12]} -- {path}" if newest else "let a human whom both sides list merge and sign"
            )
            found.append(_finding(message, path, hint))
    return found


def _version(reader: Reader, commit: Oid | None, path: RepoPath) -> tuple[int, Oid]:
    return reader.tree(commit, [path]).get(path, (0, Oid(""))) if commit is not None else (0, Oid(""))


def _base(reader: Reader, one: Oid | None, two: Oid | None, known: dict[tuple[Oid, Oid], Oid | None]) -> Oid | None:
    """The merge base of two parents, asked for once for all files."""
    if one is None or two is None:
        return None
    if (one, two) not in known:
        known[one, two] = reader.merge_base(one, two)
    return known[one, two]


def _finding(message: str, path: str, hint: str) -> Finding:
    return Finding("HG307", "protected-file-changed", "error", message, path, hint=hint)


def _faults(new: Policy, old: Policy | None) -> Iterator[tuple[str, str]]:
    """What is wrong with a policy that can be read, each with the way out."""
    known = {key for actor in old.actors for key in actor.keys} if old is not None else set()
    if any(key not in known for actor in new.actors for key in actor.keys):
        from hoard_git.core.keyring import read_keys

        for fault in read_keys(new.actors).faults:
            if fault.actor.keys[fault.number] not in known:
                name = "".join(c if c.isprintable() else "?" for c in fault.actor.name)[:80] or f"an actor of kind {fault.actor.kind}"
                yield f"key {fault.number + 1} of {name} proves nothing: {fault.why}", "write the key as in its .pub file, or take it out"
    if old is not None and _has_human(old) and not _has_human(new):
        yield (
            "the new policy leaves no human who could change it again",
            "keep a human with an address, and with a key for authority: signature",
        )
    elif old is None and new.authority == "signature" and not _has_human(new):
        yield (
            "the policy asks for signatures and lists no human's key that can be read",
            "list the content of the human's .pub file under keys:",
        )


def _has_human(policy: Policy) -> bool:
    """Whether anybody can count as a human under a policy."""
    humans = [actor for actor in policy.actors if actor.kind == "human"]
    if policy.authority != "signature":
        return any(actor.emails for actor in humans)
    from hoard_git.core.keyring import read_keys

    ring = read_keys(humans)
    return bool(ring.ssh or ring.pgp)
