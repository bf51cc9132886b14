"""A merge left its conflict markers behind.

## Why

Both versions stand in the file, and an agent reads both as facts.

## Bad

    file: MEMORY.md
    | ## Servers  <!-- src:agent ts:2026-06-01 -->
    | <<<<<<< HEAD
    | - The queue runs on node 1
    | =======
    | - The queue runs on node 2
    | >>>>>>> laptop

One marker that was overlooked:

    file: MEMORY.md
    | ## Servers  <!-- src:agent ts:2026-06-01 -->
    | - The queue runs on node 1
    | >>>>>>> laptop

## Good

    file: MEMORY.md
    | Servers
    | =======
    |
    | - The queue runs on node 1 <!-- src:agent ts:2026-06-01 -->

In a fenced block:

    file: MEMORY.md
    | ## Merging  <!-- src:agent ts:2026-06-01 -->
    | ```
    | <<<<<<< HEAD
    | =======
    | >>>>>>> laptop
    | ```

## Instead

Keep the version that holds, with its tag, and delete the other and the markers. The merge driver that `hoard init` sets up merges memory files
block by block and leaves few conflicts.

## Limits

Markers in fenced code count only when the file also has a whole conflict outside of it.
"""

from __future__ import annotations

from hoard_git.core.document import CODE, ROW
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.document import Document
    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG109", "conflict-markers", "error", "file", trigger=("<<<<<<<", "|||||||", "=======", ">>>>>>>"))

OURS, BASE, MIDDLE, THEIRS = "<<<<<<<", "|||||||", "=======", ">>>>>>>"


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Yield a hit for each marker line."""
    del scene
    document = file.document
    marks = [(number, mark) for number, line in enumerate(document.lines, 1) if (mark := marker(line))]
    plain = {mark for number, mark in marks if document.kinds[number - 1] != CODE}
    fenced_too = {OURS, MIDDLE, THEIRS} <= plain
    inside = False
    for number, mark in marks:
        if document.kinds[number - 1] == CODE and not fenced_too:
            continue
        if mark == OURS:
            inside = True
        elif not inside and (mark == MIDDLE or _is_other(document, number, mark)):
            continue
        yield Hit(f"a conflict marker, {mark}, was left behind", number, 1, "keep one version with its tag, and delete the markers")
        if mark == THEIRS:
            inside = False


def marker(line: str) -> str:
    """The conflict marker that a line starts with, or ''. git writes seven characters, then a blank and a label or nothing."""
    mark = line[:7]
    if mark not in (OURS, BASE, MIDDLE, THEIRS):
        return ""
    rest = line[7:].removesuffix("\r")
    if mark == MIDDLE:
        return mark if not rest.strip(" ") else ""
    return mark if not rest or rest[0] == " " else ""


def _is_other(document: Document, number: int, mark: str) -> bool:
    """A row of an empty table, or a mail that was quoted seven times: its neighbour is quoted as well."""
    if mark == BASE:
        return document.kinds[number - 1] == ROW
    near = document.lines[max(number - 2, 0) : number + 1]
    return sum(line.startswith(">>>>>>") for line in near) > 1
