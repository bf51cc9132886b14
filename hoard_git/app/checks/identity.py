"""identity: who commits here, and how far the identity files have drifted from where they were accepted."""

from __future__ import annotations

from shlex import quote

from hoard_git.app.adoption import policy_commits
from hoard_git.app.checks.base import OK, WARN, Check, count
from hoard_git.core.linediff import diff_lines
from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, RepoPath
from hoard_git.core.record import Record
from hoard_git.gitio.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.checks.base import Look
    from hoard_git.core.model import Oid

BASELINE = "refs/hoard/baseline"
"""The commit whose identity files the human has accepted; the first policy's commit where there is no such ref."""


class Drift(Record):
    """What differs between the baseline and the work tree: lines that came or went, of how many, and in which files."""

    since: Oid
    is_set: bool
    lines: int
    of: int
    paths: tuple[str, ...]

    @property
    def is_large(self) -> bool:
        """Whether a third of what was accepted is not what the agent reads now."""
        return 3 * self.lines > self.of > 0


def check(look: Look) -> Check:
    """Name the committer, then the drift; a large drift is for a human to look at."""
    email = look.reader.author().email
    actor = next((rule for rule in look.policy.actors if email.lower() in rule.emails), None)
    if actor is None:
        return Check("identity", WARN, f"commits here are by {email}, whom the policy does not list", 'hoard init --agent "NAME <ADDRESS>"')
    who = f"commits here are by {actor.name or email} ({actor.kind})"
    drift = find_drift(look)
    if drift is None or not drift.lines:
        return Check("identity", OK, who)
    since = f"the baseline {drift.since[:12]}" if drift.is_set else f"the policy's first commit {drift.since[:12]}"
    told = f"{who}; {count(drift.lines, 'line')} of {count(len(drift.paths), 'identity file')} {'differs' if drift.lines == 1 else 'differ'} from {since}"
    if not drift.is_large:
        return Check("identity", OK, told)
    look_at = f"git diff {drift.since[:12]} -- {' '.join(map(quote, drift.paths))}"
    return Check("identity", WARN, told, f"{look_at}        accept it: git update-ref {BASELINE} HEAD")


def find_drift(look: Look) -> Drift | None:
    """Compare the identity files with the baseline, line by line; None without a commit to compare with."""
    paths = [path for path, found in look.memory.items() if found.file_class == "identity"]
    if look.head is None:
        return None
    known = look.reader.git(("rev-parse", "--verify", "--quiet", BASELINE + "^{commit}")).finish((0, 1)).strip().decode("ascii")
    base = look.reader.resolve(known) if known else next(iter(policy_commits(look.reader, look.head)[::-1]), None)
    if base is None:
        return None
    entries = look.reader.tree(base, [RepoPath(path) for path in paths]) if paths else {}
    blobs = {path: oid for path, (mode, oid) in entries.items() if mode in (MODE_FILE, MODE_EXECUTABLE)}
    old = look.reader.blobs(blobs.values()) if blobs else {}
    lines, of, touched = 0, 0, []
    for path in paths:
        now = read_file(look.reader.root(), RepoPath(path)) or b""
        before = old[blobs[RepoPath(path)]] if RepoPath(path) in blobs else b""
        of += before.count(b"\n")
        differing = _differing(before, now)
        if differing:
            lines += differing
            touched.append(path)
    return Drift(base, bool(known), lines, of, tuple(touched))


def _differing(before: bytes, now: bytes) -> int:
    """Lines that went, came or were exchanged; an exchanged one counts once."""
    if before == now:
        return 0
    old, new = (data.decode("utf-8", "surrogateescape").split("\n") for data in (before, now))
    return sum(max(old_stop - old_start, new_stop - new_start) for old_start, old_stop, new_start, new_stop in diff_lines(old, new))
