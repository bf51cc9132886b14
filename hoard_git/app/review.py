"""Looking through a consolidation before it is taken: the proposals there are, what each would do, and a commit of what was accepted of it."""

from __future__ import annotations

import re
from collections import Counter

from hoard_git.app.clock import Days
from hoard_git.app.consolidate import BRANCHES, Wanted, apply, plan_head
from hoard_git.app.history import is_blob
from hoard_git.core.dates import parse_day
from hoard_git.core.model import Oid
from hoard_git.core.permits import Permits
from hoard_git.core.plan import DEFAULT_STEPS, STEPS
from hoard_git.core.plantext import steps_told
from hoard_git.core.record import Record
from hoard_git.core.trailers import OP, parse_trailers
from hoard_git.errors import HoardError
from hoard_git.gitio.applying import checked_out
from hoard_git.gitio.writer import update_ref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hoard_git.app.consolidate import Outcome
    from hoard_git.core.actions import Action
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.plumbing import PlumbingReader
    from hoard_git.gitio.reader import CommitInfo

    DaysOf = Callable[[Policy], Days]

_SUBJECT = re.compile(rb"Consolidate memory ([0-9]{4}-[0-9]{2}-[0-9]{2}):")

READY, MOVED, TAKEN, FOREIGN = "ready", "moved", "taken", "foreign"
"""A proposal on top of HEAD; one that HEAD has left behind; one that HEAD holds; a branch that is no proposal of ours, or on which somebody has worked."""


class Proposal(Record):
    """A branch below hoard/consolidate/. `name` is the branch's, `base` the commit that it was made for, `day` the one that it was made on.

    `state` is READY, MOVED, TAKEN or FOREIGN. `message` is the commit's, `date` in seconds since 1970.
    """

    ref: str
    name: str
    commit: Oid
    base: Oid | None
    day: str
    state: str
    message: bytes
    author: str
    date: int


class Moved(HoardError):  # noqa: N818 - what happened, in the words of the house
    """HEAD is not the commit any more that was looked at. Nothing was changed."""

    def __init__(self, now: Oid) -> None:
        """`now` is where HEAD is."""
        super().__init__(f"HEAD has moved to {now[:12]} since this plan was made; nothing was changed.", "hoard consolidate --dry-run")


class Changed(HoardError):  # noqa: N818 - as Moved
    """What was accepted cannot be done just so without what was dropped. Nothing was changed; `outcome` is what could be done."""

    def __init__(self, outcome: Outcome) -> None:
        """Keep the plan of what was accepted."""
        super().__init__("Without what was dropped the plan is another one; nothing was changed.", "hoard consolidate --dry-run")
        self.outcome = outcome


def list_proposals(reader: PlumbingReader) -> list[Proposal]:
    """Every branch below hoard/consolidate/, the latest first."""
    asked = ("for-each-ref", "--format=%(objectname) %(objecttype) %(refname)", BRANCHES)
    head = reader.head()
    found = []
    for line in reader.git(asked).finish().split(b"\n"):
        oid, kind, name = [*line.split(b" ", 2), b"", b""][:3]
        if kind == b"commit":
            ref = name.decode("utf-8", "surrogateescape")
            found.append(_proposal(reader, ref, reader.commit(Oid(oid.decode("ascii"))), head))
    return sorted(found, key=lambda proposal: (-proposal.date, proposal.name))


def find_proposal(reader: PlumbingReader, name: str) -> Proposal:
    """The proposal on a branch, given by its name. Raises HoardError when there is none."""
    found = next((proposal for proposal in list_proposals(reader) if proposal.name == name), None)
    if found is None:
        raise HoardError(f"There is no proposal {name[:80]!r}.", "git branch --list 'hoard/consolidate/*'")
    return found


def _proposal(reader: PlumbingReader, ref: str, info: CommitInfo, head: Oid | None) -> Proposal:
    subject = _SUBJECT.match(info.message)
    ours = any(t.key == OP and t.value == "consolidate" for t in parse_trailers(info.message)) and len(info.parents) == 1
    base = info.parents[0] if len(info.parents) == 1 else None
    state = FOREIGN if not ours or subject is None else READY if base == head else MOVED
    if state == MOVED and head is not None and reader.merge_base(info.oid, head) == info.oid:
        state = TAKEN
    day = subject[1].decode("ascii") if subject is not None else ""
    return Proposal(ref, ref.removeprefix("refs/heads/"), info.oid, base, day, state, info.message, info.author.name, info.committer.time)


def days_of(proposal: Proposal, days: DaysOf) -> DaysOf:
    """The day that a proposal was made on, for every policy; `days` where it names none."""
    number = parse_day(proposal.day)
    return days if number is None else lambda _policy: Days(number, number)


def replan(reader: PlumbingReader, proposal: Proposal, days: DaysOf, environ: Mapping[str, str]) -> tuple[Wanted, Outcome] | None:
    """Make a proposal's plan again, to know its actions; None where that does not give its very tree.

    Then a summarizer took part, other steps, or another version of this program. Only for a READY one: the plan is made for HEAD.
    """
    told = steps_told(proposal.message)
    for steps in dict.fromkeys((DEFAULT_STEPS, STEPS, tuple(step for step in STEPS if step in told))):
        wanted = Wanted(steps)
        outcome = plan_head(reader, wanted, days_of(proposal, days), environ)
        if outcome.base == proposal.base and _gives(reader, outcome, proposal.commit):
            return wanted, outcome
    return None


def _gives(reader: PlumbingReader, outcome: Outcome, commit: Oid) -> bool:
    """Whether a plan's edits come to the tree of a commit."""
    edits = {str(path): data for plan in outcome.plans for path, data in plan.edits.items()}
    changes = {str(change.path): change.new_oid if change.new_mode else "" for change in reader.changes(outcome.base, commit)}
    return edits.keys() == changes.keys() and all(
        not changes[path] if data is None else bool(changes[path]) and is_blob(data, changes[path]) for path, data in edits.items()
    )


def take(
    reader: PlumbingReader, wanted: Wanted, base: Oid, accepted: Sequence[Action], days: DaysOf, environ: Mapping[str, str]
) -> Outcome:
    """Commit exactly these actions of the plan for `base` on the current branch, which has to be there still.

    Raises, with nothing changed, Moved when HEAD is another commit, Changed when the accepted actions alone come to something else, Refused
    when the gate objects, and HoardError for all that keeps `hoard consolidate --apply` from working.
    """
    if not accepted:
        raise HoardError("Nothing is accepted, so there is nothing to commit.", "hoard consolidate --dry-run")

    def confirm(outcome: Outcome) -> None:
        if outcome.base != base:
            raise Moved(outcome.base)
        if Counter(action for plan in outcome.plans for action in plan.actions) != Counter(accepted):
            raise Changed(outcome)

    return apply(reader, wanted._replace(permits=Permits(accepted)), days, environ, confirm=confirm)


def drop(reader: PlumbingReader, ref: str, commit: Oid) -> None:
    """Delete a proposal's branch if it still is at `commit`. Raises HoardError for another branch, and one that is checked out somewhere."""
    if not ref.startswith(BRANCHES):
        raise HoardError(f"{ref[:80]!r} is no proposal.", "git branch --list 'hoard/consolidate/*'")
    if ref in checked_out(reader):
        raise HoardError(f"{ref.removeprefix('refs/heads/')!r} is checked out, so it stays.", "git worktree list")
    update_ref(reader, ref, None, commit, reason="hoard ui: drop")
