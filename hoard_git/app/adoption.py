"""When a workspace got its policy: what came before is never judged, and what a broken policy leaves to judge by."""

from __future__ import annotations

from hoard_git.app.policies import Policies, read_policies
from hoard_git.core.model import Oid
from hoard_git.core.policy import FILE_NAME
from hoard_git.errors import HoardError
from hoard_git.gitio.opening import plumbing_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.gitio.reader import Reader

_SPEC = f":(top,glob)**/{FILE_NAME}"
_MOST_VERSIONS = 200


class Adoption:
    """The first policy on the way to a tip; commits in its past are old content."""

    def __init__(self, reader: Reader, tips: Sequence[Oid]) -> None:
        """`tips` are tried in order; the first whose own line of history has a policy counts."""
        self.first: Oid | None = None
        self._past: set[Oid] = set()
        self.has_side_policies = False
        for tip in tips:
            found = policy_commits(reader, tip)
            if found:
                self.first = found[-1]
                self._past = set(reader.rev_list([self.first], [])) - {self.first}
                # A branch may have brought the policy in: what it has after that is governed, and is told apart by its tree.
                self.has_side_policies = bool(set(policy_commits(reader, self.first, main_line=False)) & self._past)
                return

    def precedes(self, oid: Oid) -> bool:
        """Whether a commit lies in the past of the first policy."""
        return oid in self._past

    def is_second_root(self, oid: Oid) -> bool:
        """Whether a commit that brings a policy where its parents have none stands beside the one in force."""
        return self.first is not None and oid != self.first and oid not in self._past


def policy_commits(reader: Reader, tip: Oid, *, main_line: bool = True) -> list[Oid]:
    """The commits that changed a policy file, newest first; on the first-parent line, or anywhere before the tip."""
    lines = ("--first-parent", "-m") if main_line else ("--full-history",)
    out = plumbing_of(reader).git(("log", *lines, "--no-renames", "--format=%H", tip, "--", _SPEC), at_root=True).finish()
    return [Oid(line) for line in out.decode("ascii").split("\n") if line]


def last_readable(reader: Reader, parent: Oid, names: Sequence[str], problem: HoardError) -> Policies:
    """Give the newest policies before `parent` that can be read, so that a broken one can be mended. Raises `problem` when there are none."""
    for oid in policy_commits(reader, parent)[:_MOST_VERSIONS]:
        try:
            policies = read_policies(reader, oid, names)
        except HoardError:
            continue
        if policies.known:
            return policies
    raise problem
