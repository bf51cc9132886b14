"""What a build knows about facts while it runs: in memory, with the store behind it for what earlier builds knew."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from hashlib import blake2b
from itertools import chain, islice

from hoard_git.core.knownfacts import JoinedWrongly
from hoard_git.core.units import core_text
from hoard_git.gitio.blockindex_store import Store
from hoard_git.gitio.blockindex_values import pack, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from hoard_git.core.knownfacts import Event


def text_key(text: str) -> int:
    """A 63-bit number of a text."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big") >> 1


_MOST_PARTED = 8
"""Pairs that are kept apart, each at the price of a build; after that a fact that turns out to be two gets another number where they meet."""
_MOST_NAMESAKES = 32
"""Facts of one text or id that are remembered; what more facts have had names none of them."""


class Facts:
    """The `Memory` of core.knownfacts. `fresh` says that the store is empty and need not be asked."""

    def __init__(
        self, store: Store, is_ancestor: Callable[[int, int], bool], *, fresh: bool, parted: Collection[frozenset[int]] = ()
    ) -> None:
        """Continue the store's numbers; `is_ancestor` is about commits of the index, `parted` are pairs that must not be joined."""
        self._store = store
        self._fresh = fresh
        self._is_ancestor = is_ancestor
        self._next = 1 if fresh else 1 + max(store.one("SELECT max(fact) FROM ev"), store.one("SELECT value FROM meta WHERE key = 'facts'"))
        self._base = 0 if fresh else store.one("SELECT max(seq) FROM node")
        self._starts = array("I")  # for each commit since then the first number that a fact of it could get
        self._by_id: dict[str, tuple[int, ...]] = {}
        self._named: dict[tuple[str, int], None] = {}  # every fact that ever had an id: a copy takes it from nobody
        self._by_text: dict[str, int] = {}  # by title, NUL and text: the first fact that had it
        self._more: dict[str, list[int]] = {}  # and the others, where there are any
        self._place: dict[int, str] = {}
        self._places: dict[int, set[str]] = {}  # where it stood beside that
        self._removals: dict[int, list[int]] = {}
        self._changes: dict[int, list[int]] = {}
        self._merges: list[tuple[int, array[int]]] = []
        self._told = 0
        self.joined: dict[int, int] = {} if fresh else store.joined()
        self._told_joined = len(self.joined)
        self._members: dict[int, list[int]] = {}
        for goes in self.joined:
            self._members.setdefault(self.now(goes), []).append(goes)
        self._links: list[tuple[int, int]] = []  # every join, in their order
        self._parted = parted
        self._ages, self._oids = array("q"), list[str]()

    def begin(self, age: int, oid: str) -> int:
        """Note the next commit, and return the first number that a fact of it can get; commits come in the order of their numbers."""
        self._starts.append(self._next)
        self._ages.append(age)
        self._oids.append(oid)
        return self._next

    def age(self, commit: int) -> tuple[int, str]:
        """See `Memory`."""
        at = commit - self._base - 1
        if at >= 0:
            return self._ages[at], self._oids[at]
        row = self._store.db.execute("SELECT age, oid FROM node WHERE seq = ?", (commit,)).fetchone()
        return (int(row[0]), str(row[1])) if row is not None else (0, "")

    def new_fact(self) -> int:
        """See `Memory`."""
        self._next += 1
        return self._next - 1

    def now(self, fact: int) -> int:
        """The number that stands for a fact."""
        joined = self.joined
        while fact in joined:
            fact = joined[fact]
        return fact

    def all_now(self, facts: tuple[int, ...]) -> tuple[int, ...]:
        """See `Memory`."""
        return tuple(map(self.now, facts)) if self.joined else facts

    def by_id(self, name: str) -> Sequence[int]:
        """See `Memory`."""
        found = self._by_id.get(name, ())
        if not self._fresh:
            rows = self._store.db.execute("SELECT fact FROM ident WHERE name = ? ORDER BY fact", (name,))
            found = (*(fact for (fact,) in rows), *found)
        return self._few(found)

    def by_text(self, title: str, text: str) -> Sequence[int]:
        """See `Memory`."""
        key = f"{title}\0{text}"
        first = self._by_text.get(key, 0)
        found: tuple[int, ...] = (first, *self._more.get(key, ())) if first else ()
        if not self._fresh:
            found = (*self._store.known(text_key(key)), *found)
        return self._few(found) if len(found) > 1 or self.joined else found

    def _few(self, found: tuple[int, ...]) -> tuple[int, ...]:
        found = tuple(dict.fromkeys(map(self.now, found)))
        return found if len(found) <= _MOST_NAMESAKES else ()

    def places(self, fact: int) -> Collection[str]:
        """See `Memory`."""
        first = self._place.get(fact)
        if self._fresh and fact not in self._places:
            return (first,) if first is not None else ()
        found = {first} if first is not None else set()
        found |= self._places.get(fact, set())
        if not self._fresh:
            for member in self._class(fact):
                query = (
                    "SELECT name FROM path WHERE id IN (SELECT path0 FROM ev WHERE fact = ?1 UNION SELECT path1 FROM ev WHERE fact = ?1)"
                )
                found.update(text(name) for (name,) in self._store.db.execute(query, (member,)))
        return found

    def removals(self, fact: int) -> Sequence[int]:
        """See `Memory`."""
        return [*self._stored(fact, "op = 'remove'"), *self._removals.get(fact, ())]

    def changes(self, fact: int) -> Sequence[int]:
        """See `Memory`."""
        return [*self._stored(fact, "op NOT IN ('add', 'remove')"), *self._changes.get(fact, ())]

    def _stored(self, fact: int, condition: str) -> list[int]:
        if self._fresh:
            return []
        query = f"SELECT seq FROM ev WHERE fact = ? AND {condition}"  # noqa: S608 - a condition of ours
        return [seq for member in self._class(fact) for (seq,) in self._store.db.execute(query, (member,))]

    def _class(self, fact: int) -> list[int]:
        """A fact and those that turned out to be it."""
        return [fact, *self._members.get(fact, ())]

    # ---------------------------------------------------------------- who knew whom

    def born(self, fact: int) -> Sequence[int]:
        """See `Memory`."""
        return [self._birth(member) for member in self._class(fact)]

    def _birth(self, fact: int) -> int:
        starts = self._starts
        if starts and fact >= starts[0]:
            return self._base + bisect_right(starts, fact)
        low, high = 0, self._base  # the last commit before whose facts this number was not given yet
        while low < high:
            middle = (low + high + 1) // 2
            if self._store.one("SELECT facts FROM node WHERE seq = ?", middle) <= fact:
                low = middle
            else:
                high = middle - 1
        return low

    def merged(self, facts: Iterable[int]) -> None:
        """Note which facts stand together after a merge, as far as the sides differed."""
        self._merges.append((self._next, array("I", facts)))

    def met(self, one: int, other: int) -> bool:
        """See `Memory`."""
        born, others = self.born(one), self.born(other)
        if any(self._is_ancestor(a, b) or self._is_ancestor(b, a) for a in born for b in others):
            return True  # each was there when the other came, or could have been known again
        ones, twos = set(self._class(one)), set(self._class(other))
        if self._parted and any(frozenset((a, b)) in self._parted for a in ones for b in twos):
            return True
        latest = max(min(ones), min(twos))
        held: Iterable[Iterable[int]] = [facts for then, facts in self._merges if then > latest]
        if not self._fresh:
            held = chain(self._store.merged(max(min(born, default=0), min(others, default=0))), held)
        return any(not ones.isdisjoint(facts) and not twos.isdisjoint(facts) for facts in held)

    def part(self, one: int, other: int) -> None:
        """See `Memory`."""
        if one != other and len(self._parted) < _MOST_PARTED and self.now(one) == self.now(other):
            path = self._between(one, other)
            raise JoinedWrongly(frozenset(self._links[max(path)] if path else ()))

    def _between(self, one: int, other: int) -> list[int]:
        """The joins that made two facts one, by their places in `_links`; they form a tree."""
        beside: dict[int, list[tuple[int, int]]] = {}
        for at, (a, b) in enumerate(self._links):
            beside.setdefault(a, []).append((b, at))
            beside.setdefault(b, []).append((a, at))
        waiting: list[tuple[int, list[int]]] = [(one, [])]
        seen = {one}
        while waiting:
            fact, path = waiting.pop()
            if fact == other:
                return path
            for beyond, at in beside.get(fact, ()):
                if beyond not in seen:
                    seen.add(beyond)
                    waiting.append((beyond, [*path, at]))
        return []

    def note(self, event: Event, commit: int) -> None:
        """See `Memory`."""
        fact = event.fact
        if event.op == "remove":
            self._removals.setdefault(fact, []).append(commit)
        elif event.op != "add":
            self._changes.setdefault(fact, []).append(commit)
        by_text = self._by_text
        for unit in (event.before, event.after):
            if unit is None:
                continue
            if self._place.setdefault(fact, unit.path) != unit.path:
                self._places.setdefault(fact, set()).add(unit.path)
            name = unit.provenance.id
            known = self._by_id.get(name, ())
            if name and fact not in known:
                self._named[name, fact] = None
                if len(known) <= _MOST_NAMESAKES:
                    self._by_id[name] = (*known, fact)
            if unit.kind == "heading":
                key = "#\0" + unit.text
                if by_text.setdefault(key, fact) != fact:
                    self._another(key, fact)
                continue
            core = "\0" + core_text(unit)
            if by_text.setdefault(core, fact) != fact:
                self._another(core, fact)
            if by_text.setdefault(unit.title + core, fact) != fact:
                self._another(unit.title + core, fact)

    def _another(self, key: str, fact: int) -> None:
        more = self._more.setdefault(key, [])
        if fact not in more and len(more) < _MOST_NAMESAKES:
            more.append(fact)

    def join(self, one: int, other: int) -> int:
        """See `Memory`: the older number stays."""
        one, other = self.now(one), self.now(other)
        if one == other:
            return one
        stays, goes = min(one, other), max(one, other)
        self.joined[goes] = stays
        self._links.append((one, other))
        self._members.setdefault(stays, []).extend([goes, *self._members.pop(goes, ())])
        for known in (self._removals, self._changes):
            if goes in known:
                known.setdefault(stays, []).extend(known.pop(goes))
        places = {self._place.pop(goes)} if goes in self._place else set()
        places |= self._places.pop(goes, set())
        if places:
            self._places.setdefault(stays, set()).update(places)
        return stays

    def new_texts(self) -> tuple[list[str], bytes]:
        """The texts that facts may be known again by and that have come since the last call, and the first fact of each, packed."""
        count = len(self._by_text) - self._told
        self._told += count
        facts = pack([*islice(reversed(self._by_text.values()), count)][::-1])
        return [*islice(reversed(self._by_text), count)][::-1], facts

    def learned(self) -> tuple[list[tuple[str, int]], list[tuple[str, int]], int, list[tuple[int, int]]]:
        """All else that was learned: further facts with their texts, facts with each id that they had, the next fact, and who joined whom."""
        now = self.now
        more = [(key, now(fact)) for key, facts in self._more.items() for fact in facts]
        names = list({(name, now(fact)): None for name, fact in self._named})
        return more, names, self._next, [(fact, now(fact)) for fact in islice(self.joined, self._told_joined, None)]
