"""Whose policies are in force where commits are to go, and what is new in an update of a ref: for `check --range`, pre-push and pre-receive."""

from __future__ import annotations

from hoard_git.app.policies import Policies, read_policies
from hoard_git.core.model import Oid
from hoard_git.core.policy import FILE_NAME, RULES_NAME
from hoard_git.core.record import Record
from hoard_git.gitio.opening import plumbing_of
from hoard_git.gitio.process import decode_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.gitio.plumbing import PlumbingReader
    from hoard_git.gitio.reader import CommitInfo, Reader

_STEERING = (FILE_NAME, RULES_NAME)
"""What decides how a commit is judged: policies, and the rules for secrets beside them."""


class Trusted(Record):
    """A commit whose policies are in force where something is to go, and those policies."""

    tip: Oid
    policies: Policies


def read_trusted(reader: Reader, tips: Sequence[Oid]) -> Trusted | None:
    """The first of these commits that has a policy, None when none has. Raises HoardError when its policy cannot be read."""
    for tip in dict.fromkeys(tips):
        paths = policy_paths(reader, tip)
        if paths:
            return Trusted(tip, read_policies(reader, tip, paths))
    return None


def policy_paths(reader: Reader, commit: Oid) -> list[str]:
    """Every policy in a commit's tree."""
    out = plumbing_of(reader).git(("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit)).finish()
    return [decode_path(path) for path in out.split(b"\0") if path.rsplit(b"/", 1)[-1] == FILE_NAME.encode()]


def merge_bases(reader: Reader, one: Oid, other: Oid) -> list[Oid]:
    """All best common ancestors of two commits, none where the histories are unrelated."""
    out = plumbing_of(reader).git(("merge-base", "--all", one, other)).finish((0, 1))
    return [Oid(line) for line in out.decode("ascii").split("\n") if line]


def split_range(text: str) -> tuple[str, str, str]:
    """Take `A..B`, `A...B` or `B` apart into start, dots and end; of a single B the first two are ''."""
    start, dots, end = text.partition("..." if "..." in text else "..")
    return (start, dots, end) if dots else ("", "", start)


def is_zero(rev: str) -> bool:
    """Whether this is what a forge writes for "no commit"."""
    return len(rev) in (40, 64) and not rev.strip("0")


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
    if strict and (trusted is None or not same_policies(reader, infos, trusted.tip)):
        return Arrival(tuple(everything))
    inner = {parent for info in infos for parent in info.parents}
    return Arrival(tuple(fresh), tuple(info.oid for info in infos if info.oid not in inner))


def met_on_the_way(reader: Reader, new: Oid, old: Oid | None, main: Oid | None) -> list[Oid]:
    """Where a branch that was at `old` has since met the main branch, by a merge or a rebase: what main has there was judged there."""
    if old is None or main is None or old == main:
        return []
    return without(reader, merge_bases(reader, new, main), [old])


def without(reader: Reader, oids: Sequence[Oid], tips: Sequence[Oid]) -> list[Oid]:
    """Leave out what these tips reach, exactly.

    `git rev-list A ^B` goes by commit dates and stops early: with a B that is dated before its ancestors it lists commits that B reaches. Whoever
    makes a commit chooses its date.
    """
    if not oids or not tips:
        return list(oids)
    reached = set(reader.rev_list(list(tips), []))
    return [oid for oid in oids if oid not in reached]


def same_policies(reader: Reader, infos: Sequence[CommitInfo], force: Oid) -> bool:
    """Whether none of these commits changes a policy, and all that they build on has the very policies of the commit `force`."""
    plumbing = plumbing_of(reader)
    within = {info.oid for info in infos}
    starts = {parent for info in infos for parent in info.parents if parent not in within}
    if any(not info.parents for info in infos):
        return False
    wanted = _policy_entries(plumbing, force)
    if any(_policy_entries(plumbing, start) != wanted for start in sorted(starts)):
        return False
    stdin = "".join(f"{line}\n" for line in (*(info.oid for info in infos), *(f"^{start}" for start in starts)))
    args = ("rev-list", "--full-history", "--stdin", "--", *(f":(top,glob)**/{name}" for name in _STEERING))
    changed = plumbing.git(args, stdin=stdin.encode(), at_root=True).finish().decode("ascii").split()
    # A merge of two lines with the same policy files changes none of them, however git simplifies.
    return within.isdisjoint(changed)


def _policy_entries(plumbing: PlumbingReader, oid: Oid) -> list[bytes]:
    out = plumbing.git(("ls-tree", "-r", "-z", "--full-tree", oid)).finish()
    names = {name.encode() for name in _STEERING}
    return [line for line in out.split(b"\0") if line.partition(b"\t")[2].rsplit(b"/", 1)[-1] in names]
