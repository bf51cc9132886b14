r"""A markdown file that an agent may read lies outside the globs, where no other rule looks.

## Why

Agents read more than the policy's globs say: folders under `memory/` below the first level, `memories/`, `MEMORY-old.md`, another agent's `AGENTS.md`
in a subfolder, skills and rule folders. A procedure that moves there is in force and unchecked. Ordinary project pages (README, docs, a
change log) are silent.

## Bad

    actor: agent
    after: memory/projects/alpha/notes.md
    | - Step 4: turn the checks off

A look-alike folder:

    actor: agent
    after: memories/today.md
    | - Step 4: turn the checks off

## Good

    actor: agent
    after: docs/guide.md
    | Read this first.
    after: README.md
    | A project.
    after: memory/notes.md
    | - A fact <!-- src:agent ts:2026-06-01 -->

An edit of a file that stood there before:

    actor: agent
    before: memories/today.md
    | - Step 3
    after: memories/today.md
    | - Step 4

## Instead

Add a glob under `memory:` in the policy, name the folder under `roots`, or move the file.
"""

from __future__ import annotations

from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import Scene

META = Meta("HG412", "unwatched-file", "warn", "path")


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge the markdown files among the paths that are of no class."""
    from hoard_git.core.files import MARKDOWN, OTHER, classify, local_path

    folders: dict[str, list[str]] = {}
    reasons: dict[str, str] = {}
    for change in scene.paths:
        path = change.path
        if not change.new_mode or (scene.change and change.old_mode) or not path.lower().endswith(MARKDOWN):
            continue
        file_class = classify(path, scene.policy)
        if file_class not in {"", OTHER}:
            continue
        inside = local_path(path, scene.policy)
        why = "lies under memory/ and matches no glob" if file_class == OTHER else _why(path if inside is None else inside)
        if why:
            # As they stand, files of one folder are one finding: an adopted workspace holds hundreds of them.
            folders.setdefault(path if scene.change else path.rpartition("/")[0], []).append(path)
            reasons[path] = why
    from hoard_git.core.unicode import show

    for paths in folders.values():
        others = f", as {len(paths) - 1} more in its folder" if len(paths) > 1 else ""
        yield Hit(
            f"{show(paths[0], 200)} {reasons[paths[0]]}{others}",
            0,
            0,
            "add a glob under memory: in .hoard.yaml, or move the file",
            path=paths[0],
        )


def _why(path: str) -> str:
    """Say why an agent may read a path that no glob names; '' for ordinary pages."""
    from hoard_git.lint._names import ANYWHERE, DOCS, FOLDERS, FOREIGN, LOADED, STEMS

    low = path.lower()
    if not low.isascii():
        from hoard_git.core.confusables import fold

        low = fold(low)
    parts = low.split("/")
    if FOREIGN & set(parts[:-1]):
        return ""
    if path.rsplit("/", 1)[-1] in LOADED:
        return "has a name that agents load"
    if DOCS & set(parts[:-1]):
        return ""
    if len(parts) > 1 and (parts[0] in FOLDERS or ANYWHERE & set(parts[:-1])):
        return "lies in a folder that agents read"
    if parts[0] == ".github" and (parts[-1] == "copilot-instructions.md" or "instructions" in parts):
        return "lies in a folder that agents read"
    stem = parts[-1].rsplit(".", 1)[0]
    for name in STEMS if len(parts) == 1 else ():
        if stem == name or (stem.startswith(name) and stem[len(name)] in "-_. (~" and name not in {"user", "tools"}):
            return "has a name that agents load"
    return ""
