"""What is known about facts while a history is woven: the memory of them, what a commit's parents know, and which one comes back."""

from __future__ import annotations

from hoard_git.core.record import Record
from hoard_git.core.units import core_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Sequence
    from typing import Protocol

    from hoard_git.core.units import Unit

    class Memory(Protocol):
        """What is known about facts: by id, by text, where they stood last, and in which commits they were removed or changed."""

        def new_fact(self) -> int:
            """Give a number that no fact has."""

        def by_id(self, name: str) -> Sequence[int]:
            """The facts that ever had this id; none when too many had it."""

        def by_text(self, title: str, text: str) -> Sequence[int]:
            """The facts that ever had this text (under this heading where `title` is not empty); none when too many had it."""

        def places(self, fact: int) -> Collection[str]:
            """The paths where a fact ever stood."""

        def born(self, fact: int) -> Sequence[int]:
            """The commits that brought a fact: several, where several turned out to be one."""

        def age(self, commit: int) -> tuple[int, str]:
            """What sorts commits, parents before children, in the same way whatever their numbers are."""

        def met(self, one: int, other: int) -> bool:
            """Whether two facts ever stood in one version, or one of them came when the other was known already: then they are two."""

        def removals(self, fact: int) -> Sequence[int]:
            """The commits that removed it."""

        def changes(self, fact: int) -> Sequence[int]:
            """The commits that changed its words, claims or place."""

        def note(self, event: Event, commit: int) -> None:
            """Remember an event."""

        def now(self, fact: int) -> int:
            """The number that stands for a fact after joins."""

        def all_now(self, facts: tuple[int, ...]) -> tuple[int, ...]:
            """The same for many."""

        def part(self, one: int, other: int) -> None:
            """Two facts, by the numbers that they had first, stand in one version. Raises JoinedWrongly if they were taken for one."""

        def join(self, one: int, other: int) -> int:
            """Two numbers turn out to be one fact; return the number that stays."""


class JoinedWrongly(Exception):  # noqa: N818 - it says what happened
    """Two facts that were taken for one stand in one version: all has to be woven anew, with `pair` kept apart."""

    def __init__(self, pair: frozenset[int]) -> None:
        """`pair` are the numbers that were joined."""
        super().__init__(pair)
        self.pair = pair


class Event(Record):
    """What one commit did to one unit. `op` is the first kind that applies, `also` the others; owners are facts of blocks, 0 above all headings.

    `line` to `end` are 1-based lines of the side that exists, the new one where both do; `old_line` to `old_end` those of the old side.
    """

    fact: int
    op: str
    also: tuple[str, ...]
    before: Unit | None
    after: Unit | None
    owner_before: int
    owner_after: int
    line: int
    end: int
    old_line: int
    old_end: int


class Before:
    """What a commit's parents know about facts; what happened beside them, on branches that it does not have, does not count."""

    __slots__ = ("_is_ancestor", "_memory", "_parents")

    def __init__(self, parents: Sequence[int], memory: Memory, is_ancestor: Callable[[int, int], bool]) -> None:
        """`parents` are the numbers of commits, 0 for none."""
        self._parents = parents
        self._memory = memory
        self._is_ancestor = is_ancestor

    def has(self, commit: int) -> bool:
        """Whether a commit is one of the parents or before one."""
        return any(self._is_ancestor(commit, parent) for parent in self._parents)

    def knows(self, fact: int) -> bool:
        """Whether a fact was there before."""
        return any(self.has(commit) for commit in self._memory.born(fact))

    def removals(self, fact: int) -> list[int]:
        """The commits before that removed a fact."""
        return [commit for commit in self._memory.removals(fact) if self.has(commit)]

    def latest(self, facts: Sequence[int]) -> int:
        """Of several facts the one that went last, then the one that came last."""
        age = self._memory.age

        def key(fact: int) -> tuple[object, ...]:
            gone = max(map(age, self.removals(fact)), default=(0, ""))
            return gone, max(age(commit) for commit in self._memory.born(fact) if self.has(commit)), fact

        return max(facts, key=key)


def find_known(unit: Unit, taken: Container[int], memory: Memory, standing: Callable[[str], Container[int]], before: Before) -> int:
    """The fact that a unit is which no parent has: one that once had its id or its text, and stands nowhere now; 0 for none.

    `taken` are the facts that the changed parts hold, `standing` gives those that a file holds elsewhere.
    """
    name = unit.provenance.id
    text = unit.text if unit.is_heading else core_text(unit)
    candidates = [memory.by_id(name)] if name else []
    candidates.append(memory.by_text("#" if unit.is_heading else unit.title, text))
    if not unit.is_heading and says(text, 12):
        candidates.append(memory.by_text("", text))
    stand: dict[str, Container[int]] = {}
    for facts in candidates:
        free = []
        for fact in facts:
            if fact in taken or not before.knows(fact):
                continue
            for path in memory.places(fact):
                if path not in stand:
                    stand[path] = standing(path)
            if not any(fact in stand[path] for path in memory.places(fact)):
                free.append(fact)
        if free:
            return free[0] if len(free) == 1 else before.latest(free)
    return 0


def says(text: str, least: int) -> bool:
    """Whether a text has enough letters and digits to be known again by."""
    return len(text) >= 3 * least or sum(map(str.isalnum, text)) >= least
