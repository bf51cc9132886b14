"""The commits of the block index as a graph: which are ancestors of which, and which is the nearest one that the index has."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.gitio.blockindex_store import Store
    from hoard_git.gitio.plumbing import PlumbingReader


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

    def parents(self, number: int) -> tuple[int, ...]:
        """The parents of a commit."""
        return self._parents[number]

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


class Growing:
    """The graph of an index that is being built: made only once a commit does not follow the one before, where all that is older is an ancestor."""

    __slots__ = ("_added", "_fresh", "_store", "made", "plain")

    def __init__(self, store: Store, *, fresh: bool) -> None:
        """Continue the store's commits; of a `fresh` build, which may run in another process, it is never asked."""
        self._store = store
        self._fresh = fresh
        self._added: list[tuple[int, tuple[int, ...]]] = []
        self.made: Graph | None = None
        self.plain = fresh or store.one("SELECT value FROM meta WHERE key = 'plain'") == 1

    def add(self, number: int, parents: tuple[int, ...]) -> None:
        """Add the commit with the next number; its number can be asked for at once."""
        self.plain = self.plain and parents == ((number - 1,) if number > 1 else ())
        if self.made is not None:
            self.made.add(number, parents)
        elif not self._fresh:
            self._added.append((number, parents))
        elif not self.plain:
            self.made = Graph([(), (), *[(before,) for before in range(1, number - 1)]])
            self.made.add(number, parents)

    def is_ancestor(self, old: int, new: int) -> bool:
        """Whether `old` is `new` or an ancestor of it."""
        if self.plain:
            return old <= new
        if self.made is None:
            known = self._store.parents()
            known += [parents for number, parents in self._added if number >= len(known)]
            self.made = Graph(known)
        return self.made.is_ancestor(old, new)


def nearest(reader: PlumbingReader, store: Store, oid: str) -> int:
    """The number of the nearest indexed commit at or before `oid`: on its first parents, since the index has every merge."""
    for part in _first_parents(reader, oid):
        for line in part:
            found = store.seq_of(line)
            if found:
                return found
    return 0


def _first_parents(reader: PlumbingReader, oid: str) -> Iterator[list[str]]:
    skip, size = 0, 200
    while True:
        out = (
            reader.git(("rev-list", "--first-parent", f"--skip={skip}", f"--max-count={size}", oid, "--")).finish().decode("ascii").split()
        )
        yield out
        if len(out) < size:
            return
        skip += size
        size = 20_000
