"""What a build knows about facts and commits while it runs: in memory, with the store behind it for what earlier builds knew."""

from __future__ import annotations

from hoard_git.core.units import core_text
from hoard_git.gitio.blockindex_store import TRACES, Store, text_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.core.weaving import Event


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
        self._by_text: dict[int, int] = {}
        self._place: dict[int, str] = {}
        self._removals: dict[int, list[int]] = {}
        self.joined: dict[int, int] = {}
        self._traces: dict[tuple[int, int, int, int], int] = {}
        self._next_trace = TRACES if fresh else max(TRACES, store.one("SELECT max(id) FROM trace") + 1)

    def new_fact(self) -> int:
        """See `Memory`."""
        self._next += 1
        return self._next - 1

    def now(self, fact: int) -> int:
        """The number that stands for a fact."""
        while fact in self.joined:
            fact = self.joined[fact]
        return fact

    def by_id(self, name: str) -> int:
        """See `Memory`."""
        found = self._by_id.get(name, 0)
        if not found and not self._fresh:
            found = self._store.now(self._store.one("SELECT max(fact) FROM ident WHERE name = ?", name))
        return self.now(found)

    def by_text(self, title: str, text: str) -> int:
        """See `Memory`."""
        key = text_key(title, text)
        found = self._by_text.get(key, 0)
        if not found and not self._fresh:
            found = self._store.now(self._store.one("SELECT fact FROM known WHERE key = ?", key))
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

    def note(self, event: Event, commit: int) -> None:
        """See `Memory`."""
        fact = event.fact
        if event.op == "remove":
            self._removals.setdefault(fact, []).append(commit)
        for unit in (event.before, event.after):
            if unit is None:
                continue
            self._place[fact] = unit.path
            if unit.provenance.id:
                self._by_id[unit.provenance.id] = fact
            if unit.is_heading:
                self._by_text[text_key("#", unit.text)] = fact
                continue
            core = core_text(unit)
            self._by_text[text_key(unit.title, core)] = fact
            self._by_text[text_key("", core)] = fact

    def join(self, one: int, other: int) -> int:
        """See `Memory`: the older number stays."""
        one, other = self.now(one), self.now(other)
        if one == other:
            return one
        stays, goes = min(one, other), max(one, other)
        self.joined[goes] = stays
        return stays

    def trace(self, commit: int, run: int, least: int, origin: int) -> int:
        """See `Memory`."""
        key = (commit, run, least, origin)
        found = self._traces.get(key)
        if found is None:
            found = self._traces[key] = self._next_trace
            self._next_trace += 1
        return found

    def save(self) -> None:
        """Write what was learned, and give joined facts one number everywhere but in packed pieces."""
        db = self._store.db
        db.executemany("INSERT OR REPLACE INTO known VALUES(?,?)", sorted((key, self.now(fact)) for key, fact in self._by_text.items()))
        db.executemany("INSERT OR IGNORE INTO ident VALUES(?,?)", sorted((name, self.now(fact)) for name, fact in self._by_id.items()))
        db.execute("INSERT OR REPLACE INTO meta VALUES('facts', ?)", (str(self._next),))
        db.executemany("INSERT INTO trace VALUES(?,?,?,?,?)", [(number, *key) for key, number in self._traces.items()])
        if not self.joined:
            return
        pairs = [(self.now(fact), fact) for fact in self.joined]
        db.executemany("INSERT OR REPLACE INTO joined VALUES(?,?)", [(goes, stays) for stays, goes in pairs])
        for column in ("fact", "owner0", "owner1"):
            db.executemany(f"UPDATE ev SET {column} = ? WHERE {column} = ?", pairs)  # noqa: S608 - a column of ours
        db.executemany("UPDATE OR IGNORE ident SET fact = ? WHERE fact = ?", pairs)
        self._store.forget_joined()


class Graph:
    """The commits and which are ancestors of which; `parents` are numbers, place 0 unused."""

    def __init__(self, parents: list[tuple[int, ...]]) -> None:
        """Take what is known; more is added in order."""
        self._parents: list[tuple[int, ...]] = []
        self._chain: list[int] = []
        self._merges: list[list[tuple[int, tuple[int, ...]]]] = []
        self._base: list[int] = []
        self._last: list[int] = []
        for number, found in enumerate(parents):
            self.add(number, found)

    def add(self, number: int, parents: tuple[int, ...]) -> None:
        """Add the commit with the next number. Commits in a row form a chain, so that most questions are one comparison."""
        while len(self._chain) < number:
            self._chain.append(-1)
            self._parents.append(())
        self._parents.append(parents)
        first = parents[0] if parents else 0
        chain = self._chain[first] if first else -1
        if chain >= 0 and self._last[chain] == first:
            self._last[chain] = number
        else:
            chain = len(self._base)
            self._base.append(first)
            self._last.append(number)
            self._merges.append([])
        self._chain.append(chain)
        if len(parents) > 1:
            self._merges[chain].append((number, parents[1:]))

    def is_ancestor(self, old: int, new: int) -> bool:
        """Whether `old` is `new` or an ancestor of it."""
        seen: dict[int, int] = {}
        waiting = [new]
        while waiting:
            number = waiting.pop()
            if number < old or not number:
                continue
            chain = self._chain[number]
            if chain == self._chain[old]:
                return True
            if seen.get(chain, 0) >= number:
                continue
            low = seen.get(chain, 0)
            seen[chain] = number
            waiting.append(self._base[chain])
            for merge, others in self._merges[chain]:
                if low < merge <= number:
                    waiting += others
        return False

    def reach(self, tips: Sequence[int]) -> bytearray:
        """One byte a commit: 1 for the tips and their ancestors."""
        found = bytearray(len(self._parents))
        waiting = list(tips)
        while waiting:
            number = waiting.pop()
            while number and not found[number]:
                found[number] = 1
                first, *others = self._parents[number] or (0,)
                waiting += others
                number = first
        return found


def text(value: str | bytes | None) -> str:
    """A text as the store gives it back."""
    if value is None:
        return ""
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value
