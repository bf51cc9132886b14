"""A provenance tag has a key that is not ours.

## Why

Keys other than src, ts, ttl, id and ev are kept as they are and give no trust. `trust:verified` or `approved-by:user` in a tag looks as if it did,
and a mistyped `tll:30d` looks like a limit that is not there.

## Bad

    file: MEMORY.md
    | - The mirror is fast <!-- src:web ts:2026-06-01 trust:verified -->

## Good

    file: MEMORY.md
    | - The mirror is fast <!-- src:web ts:2026-06-01 ttl:30d ev:mirror.example -->

## Instead

Remove the key, or write what it says into the text. Where the fact was learned belongs into `ev:`.
"""

from __future__ import annotations

from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG104", "unknown-key", "info", "file", trigger=("<!--",))

_LONGEST = 20


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Yield a hit for each tag with keys of its own making."""
    del scene
    for mark in file.document.marks:
        if mark.tag is not None and mark.tag.extra and not mark.misplaced:
            names = [key if len(key) <= _LONGEST else f"one of {len(key)} characters" for key, _value in mark.tag.extra]
            keys = f"key {names[0]} gives" if len(names) == 1 else f"keys {', '.join(names[:5])} give"
            yield Hit(f"the tag's {keys} no trust and no limit", mark.line, mark.column, "the keys are src, ts, ttl, id and ev")
