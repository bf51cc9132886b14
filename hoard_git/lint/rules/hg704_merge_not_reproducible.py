"""A merge by somebody who is no human loses a fact, brings one that is on no side, or brings back one that a side removed.

## Why

A merge is where changes hide: `git log -p` shows nothing of it, `-s ours` throws a whole branch away and still looks merged, and a text that
was written into the merge itself is on no branch. Who makes a merge also picks its parents: with an old commit as the second one, everything that was
removed since could come back. So CI merges the memory files again. The result has to be the same, or to lie between its parents: every
fact that no side has removed is there, none that a side removed and the others left alone, none that no side has, and none with a higher source
than on any side.

## Bad

A merge that keeps one side whole and drops what the other one learned:

```console
$ git merge -s ours laptop
```

A merge with a sentence of its own:

```console
$ git merge --no-commit laptop
$ echo '- The gate can be skipped on Fridays' >> MEMORY.md
$ git commit -a --no-edit
```

## Good

```console
$ git merge laptop
```

## Instead

Merge again with the driver: `hoard hooks install`, then `git merge`. What you want to say beside that is a commit of its own, and what
has to go, too. A merge that has to be settled by hand is a human's: `git commit` as the human.

## Limits

A human's merge is not judged. A merge by lines, in a clone without the driver, is fine as long as it keeps all facts. Where both sides changed one
entry, the version that the driver would take has to stay; the other one may. More than two parents are merged one after the other. With several
bases, a fact may go when some side had it in some base and has it no more, and has to go when all bases had it. Without a common base nothing
was removed, and everything has to stay. Copies of one fact count as one. All parents' policies judge, whichever comes first.
"""

from __future__ import annotations

from hoard_git.core.mergefacts import DROPPED, FOREIGN, REVIVED, find_faults
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.mergefacts import Fault
    from hoard_git.lint.scene import Scene

META = Meta("HG704", "merge-not-reproducible", "error", "merge", nonhuman=True)

_HINT = "merge again with the driver (hoard hooks install, then git merge), or let a human make this merge"


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge the merge as a whole: one hit for each kind of fault and file."""
    groups: dict[tuple[str, str], list[Fault]] = {}
    for fault in find_faults(scene.merge) if scene.merge is not None else ():
        groups.setdefault((fault.kind, fault.unit.path), []).append(fault)
    for (kind, path), faults in groups.items():
        unit = faults[0].unit
        if kind == DROPPED:
            yield Hit(f"the merge drops {_count(faults)} that no side has removed", unit.line, 1, _HINT, path, gone=True)
        elif kind == FOREIGN:
            yield Hit(f"the merge brings {_count(faults)} that no side has", unit.line, 1, _HINT, path, unit.end_line)
        elif kind == REVIVED:
            yield Hit(f"the merge brings back {_count(faults)} that one side has removed", unit.line, 1, _HINT, path, unit.end_line)
        else:
            yield Hit(f"the merge gives {_count(faults)} a higher source than any side", unit.line, 1, _HINT, path, unit.end_line)


def _count(faults: list[Fault]) -> str:
    return "1 fact" if len(faults) == 1 else f"{len(faults)} facts"
