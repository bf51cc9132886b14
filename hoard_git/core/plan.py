"""The upkeep plan of one workspace: a pure function of its files, its policy and the day. Nothing is written before somebody takes it."""

from __future__ import annotations

from hoard_git.core.accounting import Books, find_unaccounted, side_of
from hoard_git.core.dates import format_day
from hoard_git.core.drafts import Drafts
from hoard_git.core.files import ACTIVE
from hoard_git.core.permits import EVERYTHING
from hoard_git.core.record import Record
from hoard_git.core.units import Side
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from hoard_git.core.actions import Action, Review
    from hoard_git.core.drafts import Kept
    from hoard_git.core.permits import Permits
    from hoard_git.core.policy import Policy
    from hoard_git.core.summary import Summarise

STEPS = ("expire", "dedupe", "compress", "promote", "tiers")
"""Every step, in the order in which they run."""

DEFAULT_STEPS = ("expire", "dedupe", "compress", "tiers")
"""What runs when no step is named."""

_PACKED = b"\x1f"
_ROUNDS = 8
FEWEST = 10
"""Entries that have to leave the active files before their share of them counts (as in HG310)."""


class Plan(Record):
    """What would be done on a day, and what is left to a person.

    `edits` are the new bytes of each file that changes, None for one that goes. `removed` says for single entries (path and first line) where
    they went when the trees alone do not tell. `leaving` of the `active` entries leave the active files. `notes` say what could not be done. `origins` tell of each
    line of an edited file where it stood before: path and line, None for one that is new.
    """

    day: str
    actions: tuple[Action, ...] = ()
    review: tuple[Review, ...] = ()
    notes: tuple[str, ...] = ()
    edits: Mapping[str, bytes | None] = {}
    removed: Mapping[tuple[str, int], str] = {}
    leaving: int = 0
    active: int = 0
    max_loss: float = 1.0
    origins: Mapping[str, tuple[tuple[str, int] | None, ...]] = {}

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do."""
        return not self.edits

    @property
    def is_mass(self) -> bool:
        """Whether more leaves the active files than the policy lets go without a human."""
        return self.leaving >= FEWEST and self.leaving > self.max_loss * self.active


class Help(Record):
    """What a plan may ask beyond the files: names of people to mask, a summariser, and whether a human makes the commit.

    `frozen` are files that no step may see, by path, each with a sentence that says why. `permits` says which actions may be done.
    """

    names: tuple[str, ...] = ()
    summarise: Summarise | None = None
    human: bool = False
    frozen: Mapping[str, str] = {}
    permits: Permits = EVERYTHING


def make_plan(
    files: Iterable[Kept],
    policy: Policy,
    today: int,
    steps: Sequence[str] = DEFAULT_STEPS,
    *,
    root: str = "",
    taken: Collection[str] = (),
    help_from: Help | None = None,
) -> Plan:
    """Run the named steps in their order over one workspace and prove that nothing is lost.

    `today` is a day number (core.dates). Deterministic. A file with entries that the result would lose, which is a fault of this program, is
    left out of the plan, and the notes say so, as they do of those that the caller wants left out; HoardError is raised when that does not help, and nothing may be written then.
    """
    kept = tuple(files)
    names = [name for name in STEPS if name in steps]
    helper = help_from or Help()
    given = helper.frozen
    out: set[str] = set()
    while True:
        drafts = Drafts(kept, policy, today, root=root, taken=taken, frozen={*out, *given}, permits=helper.permits)
        actions = _settle(drafts, names, helper)
        edits = drafts.edits()
        after = [_side_after(drafts, path, data) for path, data in edits.items() if data is not None]
        lost = _find_lost(drafts, edits, after, actions)
        if not lost:
            break
        if out.issuperset(lost):
            raise _unproved(lost)
        out |= lost
    drafts.notes += [f"{path!r} was left as it is: not all of its entries could be followed through the steps." for path in sorted(out)]
    drafts.notes += [given[path] for path in sorted(given)]
    leaving, active = _count(drafts, edits, after, actions)
    return Plan(
        format_day(today),
        tuple(actions),
        tuple(dict.fromkeys(drafts.reviews)),
        tuple(drafts.notes),
        edits,
        _twins(drafts, actions),
        leaving,
        active,
        policy.max_loss,
        {path: tuple(drafts[path].origins) for path, data in edits.items() if data is not None},
    )


def _unproved(lost: Collection[str]) -> HoardError:
    return HoardError(
        f"The plan does not account for every entry of {min(lost)!r}; nothing was written.",
        "Report this with the file if you can, and take one step at a time meanwhile: hoard consolidate --steps expire",
    )


def _settle(drafts: Drafts, names: Sequence[str], helper: Help) -> list[Action]:
    """Run the steps until they find nothing more: what one of them takes away may have been what kept another from acting.

    All steps take part in every round, so that the same steps have nothing to do on the result. What is left to a person is what the last
    round says.
    """
    actions: list[Action] = []
    notes: list[str] = []
    for _round in range(_ROUNDS):
        drafts.reviews.clear()
        done: list[Action] = []
        for name in names:
            done += _run(name, drafts, helper)
        actions += done
        notes += drafts.notes
        drafts.notes.clear()
        if not done:
            break
    drafts.notes += dict.fromkeys(notes)
    if "dedupe" in names:
        from hoard_git.core.steps.dedupe import review

        drafts.reviews += review(drafts)
    return actions


def _run(name: str, drafts: Drafts, helper: Help) -> list[Action]:
    """One step; each is imported only when it runs."""
    if name == "expire":
        from hoard_git.core.steps.expire import expire

        return expire(drafts)
    if name == "dedupe":
        from hoard_git.core.steps.dedupe import dedupe

        return dedupe(drafts)
    if name == "compress":
        from hoard_git.core.steps.compress import compress

        actions: list[Action] = []
        if helper.summarise is not None:
            from hoard_git.core.steps.summarise import summarise

            actions += summarise(drafts, helper.summarise)
        return actions + compress(drafts)
    if name == "promote":
        from hoard_git.core.steps.promote import promote

        return promote(drafts, human=helper.human)
    from hoard_git.core.steps.tiers import tiers

    return tiers(drafts, helper.names, summarise=helper.summarise)


def _twins(drafts: Drafts, actions: Iterable[Action]) -> dict[tuple[str, int], str]:
    """How a trailer names the entry that stays, by the place of the one that went: by its id; without one, history is named instead."""
    wanted = {(a.path, a.line): a.survivor for a in actions if a.kind == "dedupe" and a.survivor is not None}
    if not wanted:
        return {}
    ids = {
        draft.place(entry.line): entry.tag.id
        for draft in drafts
        for entry in draft.document.entries
        if entry.tag is not None and entry.tag.id
    }
    return {place: f"duplicate {ids[twin]}" for place, twin in wanted.items() if twin in ids}


def _side_before(drafts: Drafts, file: Kept) -> Side:
    """A file of the snapshot for the count; only what is packed is read again."""
    if file.data[:1] == _PACKED:
        return side_of(file.path, file.file_class, file.data, file.default)
    return Side(file.path, file.file_class, drafts.original(file.path), file.default)


def _side_after(drafts: Drafts, path: str, data: bytes) -> Side:
    draft = drafts[path]
    if data[:1] == _PACKED:
        return side_of(path, draft.file_class, data, draft.default)
    return Side(path, draft.file_class, draft.document, draft.default)


def _find_lost(drafts: Drafts, edits: Mapping[str, bytes | None], after: Sequence[Side], actions: Sequence[Action]) -> set[str]:
    """Hold the result against the snapshot, entry by entry, as CI will, and return the files with entries that it loses.

    Only cold logs may name history instead.
    """
    kept = drafts.before()
    before = [_side_before(drafts, kept[path]) for path in edits if path in kept]

    def elsewhere(_texts: Sequence[str]) -> Iterator[Side]:
        for draft in drafts:
            if draft.path not in edits:
                yield Side(draft.path, draft.file_class, draft.document, draft.default)

    named = [(action.path, action.line, action.end_line) for action in actions if action.kind == "cold" and action.gone]
    return {unit.path for unit in find_unaccounted(before, after, named, elsewhere=elsewhere)}


def _count(drafts: Drafts, edits: Mapping[str, bytes | None], after: Sequence[Side], actions: Sequence[Action]) -> tuple[int, int]:
    """How many entries leave the active files for good, and how many there were.

    The archive counts as leaving, but for daily logs, where it is the ordinary way; a duplicate's twin stays.
    """
    kept = drafts.before()
    active = sum(len(drafts.original(path).entries) for path, file in kept.items() if file.file_class in ACTIVE)
    before = [Side(path, kept[path].file_class, drafts.original(path), kept[path].default) for path in edits if path in kept]
    there = [side for side in after if side.file_class in ACTIVE]
    facts = Books([side for side in before if side.file_class in ACTIVE and side.file_class != "daily"], there).left
    shelves = {action.to for action in actions if action.kind == "cold"} & kept.keys() - edits.keys()
    shelved = [
        side_of(path, kept[path].file_class, kept[path].data, kept[path].default) for path in shelves
    ]  # what stands there does not leave
    logged = Books([side for side in before if side.file_class == "daily"], [*after, *shelved]).left
    return max(0, len(facts) + len(logged) - sum(action.kind == "dedupe" for action in actions)), active
