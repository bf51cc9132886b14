"""Lines that came into memory from files that are no memory: renamed, moved or copied in. For these git itself is asked.

The index knows no other files, so it gives such lines to the commit that brought them in. When `blame` asks, every commit that it names is
looked at once (blockindex_search): did it make a memory file, or change other files beside one that hold the same lines? Then
`git blame -C -C -C` says whose they are, for these lines alone. What it says is kept, with the commits that the index has no other reason
to know: they have numbers below 0.
"""

from __future__ import annotations

from array import array

from hoard_git.gitio.blockindex_values import text
from hoard_git.gitio.blockindex_writing import writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hoard_git.gitio.blockindex_store import Store
    from hoard_git.gitio.plumbing import PlumbingReader

_AT_ONCE = 400


def follow_outside(reader: PlumbingReader, store: Store, path: str, rows: Sequence[str], origins: Sequence[int]) -> list[int]:
    """The origins of the lines of a file, those from outside of memory followed. A number below 0 is a commit that the index has only for them."""
    place = store.path_id(path)
    own = {seq for (seq,) in store.db.execute("SELECT seq FROM version WHERE path = ?", (place,))}
    wanted = sorted({(origin, place if origin in own else 0) for origin in origins if origin > 0})
    seqs = [seq for seq, _place in wanted]
    looked = {(seq, there) for seq, there, _numbers, _text in _kept(store, seqs)}
    if missing := [pair for pair in wanted if pair not in looked]:
        from hoard_git.gitio.blockindex_search import Search

        with writing(store, ("outside", "elsewhere")):
            Search(reader, store).look(missing)
    pools: dict[tuple[int, str], list[int]] = {}
    for seq, there, numbers, raw in _kept(store, seqs):
        if (seq in own) != (there == place):
            continue  # lines that moved here later stood in another file then
        found = array("i")
        found.frombytes(numbers)
        for row, number in zip(text(raw).split("\n"), found, strict=False):
            pools.setdefault((seq, row), []).append(number)
    if not pools:
        return list(origins)
    for pool in pools.values():
        pool.reverse()
    kept = [pools.get((origin, row)) for row, origin in zip(rows, origins, strict=True)]
    return [pool.pop() if pool else origin for pool, origin in zip(kept, origins, strict=True)]


def _kept(store: Store, seqs: Sequence[int]) -> Iterable[tuple[int, int, bytes, str | bytes]]:
    for first in range(0, len(seqs), _AT_ONCE):
        part = seqs[first : first + _AT_ONCE]
        marks = ",".join("?" * len(part))
        yield from store.db.execute(f"SELECT seq, path, numbers, rows FROM outside WHERE seq IN ({marks}) ORDER BY seq, path", part)  # noqa: S608
