"""interrupted: whether a run of ours was cut off, or git is in the middle of something."""

from __future__ import annotations

from hoard_git.app.checks.base import FAIL, OK, WARN, Check
from hoard_git.gitio.applying import find_busy, find_interrupted, finish, has_moved, is_elsewhere

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.checks.base import Look


def check(look: Look) -> Check:
    """What has not moved the branch has changed nothing; what has may have files to bring along."""
    journal = find_interrupted(look.reader)
    if journal is not None:
        moved = has_moved(look.reader, journal)
        state = "a consolidation was cut off before its commit: everything is as it was"
        if moved:
            state = f"a consolidation was cut off after its commit {journal.commit[:12]}: the branch has it, the files perhaps not yet"
        elif is_elsewhere(look.reader, journal):
            state = f"a consolidation was cut off after its commit {journal.commit[:12]}, which is on {journal.ref} and not checked out here now"
        return Check("interrupted", FAIL if moved else WARN, state, "hoard doctor --fix")
    busy = find_busy(look.reader)
    if busy:
        return Check("interrupted", WARN, f"something is under way here: {busy}", "git status")
    return Check("interrupted", OK, "nothing was cut off")


def repair(look: Look) -> tuple[str, ...]:
    """Bring along the files that an interrupted run left behind, those that nobody has touched since."""
    found = finish(look.reader)
    if found is None:
        return ()
    if found.elsewhere:
        return (
            f"forgot an interrupted run; its commit {found.journal.commit[:12]} is on {found.journal.ref}, which is not checked out here now",
        )
    if not found.moved:
        return ("forgot an interrupted run that had changed nothing",)
    kept = f"; changed since and left alone: {', '.join(found.kept)}" if found.kept else ""
    return (f"brought the files of commit {found.journal.commit[:12]} along{kept}",)
