"""A code fence is opened and never closed.

## Why

Everything below it counts as code: tags there say nothing, headings are none, and a user's rules disappear for the gate and for every reader
of the page, while a model that reads the raw file still sees them.

## Bad

    file: MEMORY.md
    | ## Scripts  <!-- src:agent ts:2026-06-01 -->
    | ```sh
    | make backup
    |
    | ## Rules  <!-- src:user ts:2026-01-10 -->
    | - Two people approve a release

A fence that lost its end:

    before: MEMORY.md
    | ## Scripts  <!-- src:agent ts:2026-06-01 -->
    | ```sh
    | make backup
    | ```
    | - Backups run every night
    after: MEMORY.md
    | ## Scripts  <!-- src:agent ts:2026-06-01 -->
    | ```sh
    | make backup
    | - Backups run every night

## Good

    file: MEMORY.md
    | ## Scripts  <!-- src:agent ts:2026-06-01 -->
    | ```sh
    | make backup
    | ```

## Instead

Close the fence with as many of the same character as it was opened with, on a line of their own. To show a fence, use a longer one around it.

## Limits

In change mode an old fence without an end is reported again when the change adds something below it, because that is swallowed too.
"""

from __future__ import annotations

from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG110", "unclosed-fence", "error", "entry")


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Yield a hit for the file's open fence."""
    del scene
    document = file.document
    start = document.unclosed_fence
    if not start:
        return
    below = [line for line in document.lines[start:] if line.strip()]
    tags = sum("<!--" in line and "src:" in line for line in below)
    message = f"the code fence is never closed and takes in {len(below)} lines below it" if below else "the code fence is never closed"
    if tags:
        message += f", with {tags} tags that count for nothing"
    yield Hit(message, start, 1, "close it with a line of the same characters", file.path)


def check_change(scene: Scene) -> Iterator[Hit]:
    """Yield the same where the change opens the fence, takes away its end or adds something below it."""
    for file in scene.files:
        if not file.document.unclosed_fence or file.file_class == "other":
            continue
        before = scene.before.get(file.path)
        was_open = before is not None and before.document.unclosed_fence
        if not was_open or file.judges(file.document.unclosed_fence, len(file.document.lines)):
            yield from check(file, scene)
