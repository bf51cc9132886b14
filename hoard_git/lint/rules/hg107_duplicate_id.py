"""Two headings or entries carry the same id.

## Why

An id is how `hoard show`, `log` and `restore` find one block through edits and moves. When two have the same one, history follows the wrong
text, and a copy of a user's tag passes for the user's block.

## Bad

    before: MEMORY.md
    | - Two people approve a release <!-- src:agent ts:2026-06-01 id:k3f9q2 -->
    after: MEMORY.md
    | - Two people approve a release <!-- src:agent ts:2026-06-01 id:k3f9q2 -->
    | - Releases go out on Friday <!-- src:agent ts:2026-06-01 id:k3f9q2 -->

In two files:

    file: MEMORY.md
    | - Two people approve a release <!-- src:agent ts:2026-06-01 id:k3f9q2 -->
    file: memory/archive/2026-06-02.md
    | - Two people approve a release <!-- src:agent ts:2026-06-01 id:k3f9q2 -->

## Good

    before: MEMORY.md
    | - Two people approve a release <!-- src:agent ts:2026-06-01 id:k3f9q2 -->
    after: memory/archive/2026-06-02.md
    | - Two people approve a release <!-- src:agent ts:2026-06-01 id:k3f9q2 -->
    after: MEMORY.md
    | - Releases go out on Friday <!-- src:agent ts:2026-06-02 id:p7w2m4 -->

## Instead

Leave `id:` out of what you copy; `hoard add` mints a new one.
"""

from __future__ import annotations

from hoard_git.core.provenance import front_tag
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG107", "duplicate-id", "error", "path", trigger=("id:", "id ", "id\t", 'id"', "id'"))


def check_change(scene: Scene) -> Iterator[Hit]:
    """Yield a hit for each id under judgement that another place has first. Runs in both modes, over all files at once."""
    judged: list[tuple[str, FileView, int, int]] = []
    first: dict[str, tuple[str, int]] = {}
    for file in scene.files:
        for name, line, column in _ids(file):
            if file.judges(line):
                judged.append((name, file, line, column))
            else:
                first.setdefault(name, (file.path, line))
    if scene.change and judged:
        # Front matter may write the key in several ways, so the bare id is looked for.
        for view in scene.lookup.views_with(sorted({name for name, *_rest in judged})):
            for name, line, _column in _ids(view):
                first.setdefault(name, (view.path, line))
    for name, file, line, column in judged:
        path, number = first.setdefault(name, (file.path, line))
        if (path, number) != (file.path, line):
            where = f"line {number}" if path == file.path else f"{path}:{number}"
            yield Hit(f"id:{name} already stands at {where}", line, column, "leave id: out of a copy", file.path)


def _ids(file: FileView) -> Iterator[tuple[str, int, int]]:
    """Yield (id, line, column) once for each tag; a front matter and the first heading may share one, both name the file."""
    if file.file_class == "other":
        return
    document = file.document
    of_file = ""
    if document.headings and document.headings[0].level == 1 and document.headings[0].tag is not None:
        of_file = document.headings[0].tag.id
    for mark in document.marks:
        if mark.tag is not None and mark.tag.id and not mark.misplaced:
            yield mark.tag.id, mark.line, mark.column
    front = front_tag(document)
    if front is not None and front.id and front.id != of_file:
        yield front.id, next(line for key, _value, line in document.front if key == "id"), 1
