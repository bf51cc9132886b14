r"""A path is not a plain file with a plain name: a link, a submodule, a twin or look-alike of a memory file, an odd name, or an attribute trick.

## Why

What stands behind a symlink or a submodule escapes the gate. A second `memory.md` beside `MEMORY.md` is another file on one system and the same
on the next, and hosts have loaded both. `MEM` U+200C `ORY.md`, `MEM0RY.md` and `MEMORY.md` with a blank or a dot behind it are taken for the
real one, and `memory/team.md` with one Cyrillic letter for another page. Names with line breaks, with a leading dash (of memory, and of
anything at the top, where `*` makes an option of it) or with U+200C inside `.git` attack the tools that read them. And `.gitattributes` can
keep a memory file out of every diff or change its bytes at checkout. Among 5,122 real memory files there was no link and no twin. A run bit
is only a warning. Other names that are not ASCII are fine, wholly Cyrillic ones as well.

## Bad

    actor: agent
    after: memory/-rf.md
    | - An option or a file? <!-- src:agent ts:2026-06-01 -->

A twin:

    actor: agent
    after: MEMORY.md
    | - One <!-- src:agent ts:2026-06-01 -->
    after: memory.MD
    | - Two <!-- src:agent ts:2026-06-01 -->

A digit for a letter:

    actor: agent
    after: MEM0RY.md
    | - Two <!-- src:agent ts:2026-06-01 -->

## Good

    actor: agent
    after: memory/résumé 2026.md
    | - A name in French <!-- src:agent ts:2026-06-01 -->

## Instead

Store plain files with plain names. Leave memory paths out of `.gitattributes` apart from `merge=hoard` and `text`.
"""

from __future__ import annotations

from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import Scene

META = Meta("HG409", "special-file", "error", "path")


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge every path that the change adds or alters, and the attribute lines among the files."""
    if all(_is_usual(change.new_mode, change.old_mode) for change in scene.paths) and not any(
        f.path.endswith(".gitattributes") for f in scene.files
    ):
        return
    from hoard_git.lint import oddpaths

    yield from oddpaths.find_odd_paths(scene)
    for file in scene.files:
        if file.path.rsplit("/", 1)[-1] == ".gitattributes":
            for number, line in file.judged_lines():
                trick = oddpaths.attribute_trick(line, file.path, scene)
                if trick:
                    yield Hit(trick, number, 1, "leave memory files out of it", path=file.path)


def _is_usual(mode: int, old_mode: int) -> bool:
    """Whether nothing needs a closer look: deleted, or a plain file that was there before as one."""
    return not mode or (mode == old_mode == 0o100644)
