"""A commit takes entries away and does not say truly where they went.

## Why

Nothing is lost, as long as whoever looks for a fact is told where it is. A commit of upkeep (`Memory-Op: consolidate` or `archive`) may rewrite
hundreds of lines, and nobody reads them all; so each entry that left has to be found by itself: elsewhere word for word, in the archive, said by a
twin of no lower source, or named by a `Memory-Removed` line. CI does the sum again from the two trees. In any commit, a `Memory-Removed` line that is
there has to be true: the file holds the entry, the twin says the same, the earlier commit has these lines.

## Bad

A consolidation that drops an entry and says nothing:

```text
Consolidate memory

Memory-Op: consolidate
Memory-Source: agent
Memory-Block: remove - agent 2026-06-05 90d MEMORY.md#infrastructure
Memory-Digest: sha256:DIGEST
```

An entry that is said to be in a file which does not hold it:

```text
Tidy up

Memory-Op: write
Memory-Source: agent
Memory-Block: remove - agent 2026-06-05 90d MEMORY.md#infrastructure
Memory-Removed: - archive memory/archive/2026-06-15.md
Memory-Digest: sha256:DIGEST
```

A twin that is not there:

```text
Tidy up

Memory-Op: write
Memory-Source: agent
Memory-Block: remove - agent 2026-06-05 90d MEMORY.md#infrastructure
Memory-Removed: - duplicate k3f9q2
Memory-Digest: sha256:DIGEST
```

## Good

```text
Consolidate memory

Memory-Op: consolidate
Memory-Source: agent
Memory-Block: remove - agent 2026-06-05 90d MEMORY.md#infrastructure
Memory-Removed: - history PARENT:MEMORY.md#L6-L6
Memory-Digest: sha256:DIGEST
```

## Instead

Let the tool write the lines: `hoard consolidate`, `hoard commit`, or the hooks. After a rebase on a forge the names of earlier commits are
others: `hoard trailers --repair RANGE`. An entry that should not have gone comes back with `hoard restore`.

## Limits

Which operation a commit was is its own word; without one of upkeep only the lines that are there are judged. Missing trailers are HG701's. In a
merge of more than two parents the lines are not judged.
"""

from __future__ import annotations

from hoard_git.core.trailers import OP, REMOVED
from hoard_git.core.whereabouts import PROVED, removed_line
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.core.accounting import Books
    from hoard_git.core.units import Side, Unit
    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG703", "unproved-removal", "error", "commit")

_HINT = "hoard trailers --repair RANGE, or hoard restore what should not have gone"


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge the lines that are there, then, for upkeep, every entry that left."""
    text = scene.text
    if text is None or not text.complete or not text.expected:
        return
    values = [trailer.value for trailer in text.trailers if trailer.key == REMOVED]
    proves = any(trailer.key == OP and trailer.value in PROVED for trailer in text.trailers)
    if not values and not proves:
        return
    known = {trailer.value for trailer in text.expected if trailer.key == REMOVED}
    known |= _older_lines(scene, known)
    if not proves and known.issuperset(values):
        return
    books = _open_books(scene)
    named: list[tuple[str, int, int]] = []
    for number, value in enumerate(values, 1):
        problem, places = books.judge(value)
        named += places
        if problem and value not in known:
            yield Hit(f"{REMOVED} line {number} of {len(values)} {problem}", hint=_HINT)
    if proves:
        yield from _unnamed(books.unaccounted(named))


def _older_lines(scene: Scene, known: set[str]) -> set[str]:
    """The lines that a commit had before neighbours were joined, each of which is about one entry."""
    oid = next((value.partition(" history ")[2].partition(":")[0] for value in known if " history " in value), "")
    return {line for change in scene.changes if (line := removed_line(change, oid or None))}


def _open_books(scene: Scene) -> Books:
    from hoard_git.core.accounting import Books

    def elsewhere(texts: Sequence[str]) -> list[Side]:
        return [view.side() for view in scene.lookup.views_with(texts)]

    before = [view.side() for view in scene.before.values() if _is_counted(view)]
    after = [view.side() for view in scene.files if _is_counted(view)]
    return Books(before, after, elsewhere=elsewhere, lines_at=scene.lookup.lines_at)


def _is_counted(view: FileView) -> bool:
    """Whether a file's entries are memory; what is packed with gzip is read as well."""
    return view.file_class not in ("other", "binary", "attributes") or (view.file_class == "binary" and view.path.lower().endswith(".gz"))


def _unnamed(lost: Sequence[Unit]) -> Iterator[Hit]:
    """One finding for all that left one block."""
    from hoard_git.core.slugs import slug

    blocks: dict[tuple[str, str], list[Unit]] = {}
    for unit in lost:
        blocks.setdefault((unit.path, unit.title), []).append(unit)
    for (path, title), units in blocks.items():
        what = "an entry leaves" if len(units) == 1 else f"{len(units)} entries leave"
        message = f"{what} the memory, and neither a file nor a {REMOVED} line has {'it' if len(units) == 1 else 'them'}"
        yield Hit(message, units[0].line, 1, _HINT, path, gone=True, block=slug(title))
