"""A link leads to a file or a heading that is not there.

## Why

An agent that follows the link finds nothing and goes on without the facts behind it, or invents them. Links break when a file is renamed, moved to
the archive or split, and nobody notices until the fact is needed.

## Bad

    file: memory/notes.md
    | - See [the servers](servers.md) <!-- src:agent ts:2026-06-01 -->

A heading that the file has not:

    file: memory/notes.md
    | - See [the queue](servers.md#queue) <!-- src:agent ts:2026-06-01 -->
    file: memory/servers.md
    | # Servers  <!-- src:agent ts:2026-06-01 -->

## Good

    file: memory/notes.md
    | - See [the servers](servers.md#node-2), [this page](memory/servers.md) and [the manual](https://manual.example/page) <!-- src:agent ts:2026-06-01 -->
    file: memory/servers.md
    | # Servers  <!-- src:agent ts:2026-06-01 -->
    | ## 2026-06-01 Node 2

## Instead

Write the new path; history knows where a file went, and the message says it. Or take the link out and keep its words.

## Limits

A path is read from the file's folder and from the workspace's root. What a change breaks in files that it leaves alone shows in `hoard check` and
`hoard wiki lint`, not in the commit. The archive is not judged, and links in daily logs are HG805's: a log says what was so on its day. Text in
brackets before `(word)` counts as a link only when the target has a slash or a dot in it.
"""

from __future__ import annotations

from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.references import Reference
    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG801", "broken-link", "warn", "file", trigger=("](", "]:"))


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Judge the links on the lines under judgement, one finding a link."""
    if file.file_class not in ("archive", "daily", "other"):
        from hoard_git.lint.references import find_links_of

        for reference in find_links_of(file):
            yield from judge_path(file, scene, reference, "the link to ")


def judge_path(file: FileView, scene: Scene, reference: Reference, what: str) -> Iterator[Hit]:
    """Judge one path that is written from the file's folder or from the root."""
    from hoard_git.lint.leaving import home_of, leaves
    from hoard_git.lint.whither import is_secret, shown, whither

    if reference.target and leaves(reference.target, home_of(file.path, scene.policy)):
        return  # HG410's
    places = whither(scene)
    found = places.find(file.path, reference.target) if reference.target else file.path
    verdict = places.missing(file.path, reference.target) if found is None else places.judge_place(found, reference)
    if verdict.message:
        named = reference.target + ("#" + reference.anchor if reference.anchor and found is not None else "")
        where = "a place on the same line as a secret" if is_secret(file.document.lines, reference.line) else shown(named)
        joint = ": it " if found is None else " "
        yield Hit(f"{what}{where}{joint}{verdict.message}", reference.line, reference.column, verdict.hint)
