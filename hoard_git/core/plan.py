"""The upkeep plan of one workspace: a pure function of its files, its policy and the day. Nothing is written before somebody takes it."""

from __future__ import annotations

from collections import Counter

from hoard_git.core.accounting import find_unaccounted, side_of
from hoard_git.core.dates import format_day
from hoard_git.core.drafts import Drafts
from hoard_git.core.files import ACTIVE
from hoard_git.core.markdown import parse
from hoard_git.core.record import Record
from hoard_git.core.units import Side, core_of
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from hoard_git.core.actions import Action, Place, Review
    from hoard_git.core.drafts import Kept
    from hoard_git.core.policy import Policy
    from hoard_git.core.summary import Summarise

STEPS = ("expire", "dedupe", "compress", "promote", "tiers")
"""Every step, in the order in which they run."""

DEFAULT_STEPS = ("expire", "dedupe", "compress", "tiers")
"""What runs when no step is named."""

_ROUNDS = 5
FEWEST = 10
"""Entries that have to leave the active files before their share of them counts (as in HG310)."""


class Plan(Record):
    """What would be done on a day, and what is left to a person.

    `edits` are the new bytes of each file that changes, None for one that goes. `removed` says for single entries (path and first line) where
    they went when the trees alone do not tell. `leaving` of the `active` entries leave the active files. `notes` say what could not be done.
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

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do."""
        return not self.edits

    @property
    def is_mass(self) -> bool:
        """Whether more leaves the active files than the policy lets go without a human."""
        return self.leaving >= FEWEST and self.leaving > self.max_loss * self.active


class Help(Record):
    """What a plan may ask beyond the files: names of people to mask, a summariser, and whether a human makes the commit."""

    names: tuple[str, ...] = ()
    summarise: Summarise | None = None
    human: bool = False


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

    `today` is a day number (core.dates). Deterministic. Raises HoardError when the result does not account for every entry, which is a fault
    of this program: nothing may be written then.
    """
    drafts = Drafts(files, policy, today, root=root, taken=taken)
    actions = _settle(drafts, [name for name in STEPS if name in steps], help_from or Help())
    edits = drafts.edits()
    removed = {(a.path, a.line): _twin(drafts, a.survivor) for a in actions if a.kind == "dedupe" and a.survivor is not None}
    _prove(drafts, edits, actions)
    leaving, active = _count(drafts, edits, actions)
    reviews = tuple(_once(drafts.reviews))
    return Plan(
        format_day(today),
        tuple(actions),
        reviews,
        tuple(drafts.notes),
        edits,
        {key: told for key, told in removed.items() if told},
        leaving,
        active,
        policy.max_loss,
    )


def _settle(drafts: Drafts, names: Sequence[str], helper: Help) -> list[Action]:
    """Run the steps until they find nothing more: what one of them takes away may have been what kept another from acting.

    A promotion copies, so it runs once. What is left to a person is what the last round says.
    """
    actions: list[Action] = []
    notes: list[str] = []
    for number in range(_ROUNDS):
        drafts.reviews.clear()
        done: list[Action] = []
        for name in names:
            if name != "promote" or not number:
                done += _run(name, drafts, helper)
        actions += done
        notes += drafts.notes
        drafts.notes.clear()
        if not done:
            break
    drafts.notes += dict.fromkeys(notes)
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


def _twin(drafts: Drafts, survivor: Place) -> str:
    """How a trailer names the entry that stays: by its id; '' when it has none, and history is named instead."""
    kept = drafts.before().get(survivor.path)
    if kept is None:
        return ""
    for draft in drafts:
        for entry in draft.document.entries:
            if draft.place(entry.line) == (survivor.path, survivor.line):
                return f"duplicate {entry.tag.id}" if entry.tag is not None and entry.tag.id else ""
    return ""


def _once(reviews: Iterable[Review]) -> list[Review]:
    """Each review item once, in order."""
    return list(dict.fromkeys(reviews))


def _prove(drafts: Drafts, edits: Mapping[str, bytes | None], actions: Sequence[Action]) -> None:
    """Hold the result against the snapshot, entry by entry, as CI will; only cold logs may name history instead."""
    kept = drafts.before()
    before = [side_of(path, kept[path].file_class, kept[path].data, kept[path].default) for path in edits if path in kept]
    after = [side_of(path, drafts[path].file_class, data, drafts[path].default) for path, data in edits.items() if data is not None]

    def elsewhere(_texts: Sequence[str]) -> Iterator[Side]:
        for draft in drafts:
            if draft.path not in edits:
                yield Side(draft.path, draft.file_class, draft.document, draft.default)

    named = [(action.path, action.line, action.end_line) for action in actions if action.kind == "cold" and action.gone]
    lost = find_unaccounted(before, after, named, elsewhere=elsewhere)
    if lost:
        raise HoardError(
            f"The plan does not account for {len(lost)} entries, such as {lost[0].path!a} line {lost[0].line}; nothing was written.",
            "Report this with the file if you can, and leave a step out meanwhile: hoard consolidate --steps expire",
        )


def _count(drafts: Drafts, edits: Mapping[str, bytes | None], actions: Sequence[Action]) -> tuple[int, int]:
    """How many entries leave the active files for good, and how many there were.

    As HG310 counts: the original of a daily log in the archive is the ordinary way, and a duplicate's twin stays.
    """
    before: Counter[str] = Counter()
    logged: Counter[str] = Counter()
    active = 0
    for path, kept in drafts.before().items():
        if kept.file_class not in ACTIVE:
            continue
        entries = parse(kept.data).entries if path in edits else drafts[path].document.entries
        active += len(entries)
        if path in edits:
            (logged if kept.file_class == "daily" else before).update(core_of(entry.text) for entry in entries)
    after: Counter[str] = Counter()
    shelved: Counter[str] = Counter()
    for path, data in edits.items():
        if data is not None and path in drafts:
            (after if drafts[path].file_class in ACTIVE else shelved).update(core_of(e.text) for e in drafts[path].document.entries)
    lost = sum((before - after).values()) + sum((logged - after - shelved).values())
    return max(0, lost - sum(action.kind == "dedupe" for action in actions)), active
