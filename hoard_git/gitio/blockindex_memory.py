"""What a build knows about facts while it runs: in memory, with the store behind it for what earlier builds knew."""

from __future__ import annotations

from hashlib import blake2b
from itertools import islice

from hoard_git.core.units import core_text
from hoard_git.gitio.blockindex_store import Store
from hoard_git.gitio.blockindex_values import pack, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.core.weaving import Event


def text_key(text: str) -> int:
    """A 63-bit number of a text."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big") >> 1


class Facts:
    """The `Memory` of core.weaving. `fresh` says that the store is empty and need not be asked."""

    def __init__(self, store: Store, *, fresh: bool) -> None:
        """Continue the store's numbers."""
        self._store = store
        self._fresh = fresh
        self._next = 1 + (
            0
            if fresh
            else max(
                store.one("SELECT max(fact) FROM ev"),
                store.one("SELECT max(owner1) FROM ev"),
                store.one("SELECT value FROM meta WHERE key = 'facts'"),
            )
        )
        self._by_id: dict[str, int] = {}
        self._named: dict[tuple[str, int], None] = {}  # every fact that ever had an id: a copy takes it from nobody
        self._by_text: dict[str, int] = {}  # by title, NUL and text
        self._place: dict[int, str] = {}
        self._removals: dict[int, list[int]] = {}
        self._changes: dict[int, list[int]] = {}
        self._told = 0
        self.joined: dict[int, int] = {}

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

    def by_id(self, name: str) -> int:
        """See `Memory`."""
        found = self._by_id.get(name, 0)
        if not found and not self._fresh:
            query = "SELECT fact FROM ev WHERE fact IN (SELECT fact FROM ident WHERE name = ?) ORDER BY id DESC LIMIT 1"
            found = self._store.now(self._store.one(query, name))
        return self.now(found)

    def by_text(self, title: str, text: str) -> int:
        """See `Memory`."""
        key = f"{title}\0{text}"
        found = self._by_text.get(key, 0)
        if not found and not self._fresh:
            found = self._store.now(self._store.one("SELECT fact FROM known WHERE key = ?", text_key(key)))
        return self.now(found)

    def place(self, fact: int) -> str:
        """See `Memory`."""
        found = self._place.get(fact)
        if found is None and not self._fresh:
            query = "SELECT name FROM path WHERE id = (SELECT CASE WHEN path1 THEN path1 ELSE path0 END FROM ev WHERE fact = ? ORDER BY id DESC LIMIT 1)"
            row = self._store.db.execute(query, (fact,)).fetchone()
            found = text(row[0]) if row else ""
        return found or ""

    def removals(self, fact: int) -> Sequence[int]:
        """See `Memory`."""
        found = self._removals.get(fact, [])
        if not self._fresh:
            found = [*(seq for (seq,) in self._store.db.execute("SELECT seq FROM ev WHERE fact = ? AND op = 'remove'", (fact,))), *found]
        return found

    def changes(self, fact: int) -> Sequence[int]:
        """See `Memory`."""
        found = self._changes.get(fact, [])
        if not self._fresh:
            query = "SELECT seq FROM ev WHERE fact = ? AND op NOT IN ('add', 'remove')"
            found = [*(seq for (seq,) in self._store.db.execute(query, (fact,))), *found]
        return found

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
            self._place[fact] = unit.path
            name = unit.provenance.id
            if name and self._by_id.get(name) != fact:
                self._by_id[name] = fact
                self._named[name, fact] = None
            if unit.is_heading:
                by_text["#\0" + unit.text] = fact
                continue
            core = "\0" + core_text(unit)
            by_text[unit.title + core] = fact
            by_text[core] = fact

    def join(self, one: int, other: int) -> int:
        """See `Memory`: the older number stays."""
        one, other = self.now(one), self.now(other)
        if one == other:
            return one
        stays, goes = min(one, other), max(one, other)
        self.joined[goes] = stays
        for known in (self._removals, self._changes):
            if goes in known:
                known.setdefault(stays, []).extend(known.pop(goes))
        return stays

    def new_texts(self) -> list[str]:
        """The texts that facts may be known again by and that have come since the last call."""
        count = len(self._by_text) - self._told
        self._told += count
        return list(islice(reversed(self._by_text), count))[::-1]

    def learned(self) -> tuple[bytes, list[tuple[str, int]], int, list[tuple[int, int]]]:
        """All that was learned: the facts of the texts in the order in which they came, facts with each id that they had, the next fact, and who joined whom."""
        now = self.now
        texts = pack(map(now, self._by_text.values()) if self.joined else self._by_text.values())
        return texts, list({(name, now(fact)): None for name, fact in self._named}), self._next, [(fact, now(fact)) for fact in self.joined]
