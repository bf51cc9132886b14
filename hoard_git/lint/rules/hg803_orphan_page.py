"""No page, index or log leads to a wiki page.

## Why

A page that nothing links to is found by search alone. Agents read from MEMORY.md and the pages that it names; what hangs on none of them is
written once and then written again somewhere else.

## Bad

    file: wiki/servers.md
    | # Servers  <!-- src:agent ts:2026-06-01 -->
    | - Node 1 runs the queue
    file: MEMORY.md
    | # Memory  <!-- src:agent ts:2026-06-01 -->

## Good

    file: wiki/servers.md
    | # Servers  <!-- src:agent ts:2026-06-01 -->
    | - Node 1 runs the queue, see [[nodes]]
    file: wiki/nodes.md
    | # Nodes  <!-- src:agent ts:2026-06-01 -->
    | - Listed in `wiki/index.md`
    file: wiki/index.md
    | # Index  <!-- src:agent ts:2026-06-01 -->
    | - [Servers](servers.md)

## Instead

Link to it from the page that a reader would come from: `hoard wiki apply` with add_link, or a line in MEMORY.md.

## Limits

Pages called index, readme, home or start are where readers begin, and are never orphans. A page's links to itself do not count, those of the
archive do not either. In a change only pages that it adds are judged.
"""

from __future__ import annotations

from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import Scene

META = Meta("HG803", "orphan-page", "info", "path")

ENTRANCES = frozenset({"index", "_index", "readme", "home", "start", "contents", "toc"})


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge every wiki page under judgement; a file that links is read once."""
    for file in scene.files:
        if file.file_class == "wiki" and file.path not in scene.before and is_orphan(file.path, scene):
            yield Hit("nothing links to this page", 0, 0, "link to it from a page or from MEMORY.md", file.path)


def is_orphan(path: str, scene: Scene) -> bool:
    """Whether readers neither begin at a page of this name nor come to it from another file."""
    if path.rpartition("/")[2].rpartition(".")[0].lower() in ENTRANCES:
        return False
    from hoard_git.lint.backlinks import backlinks

    return all(link.file_class == "archive" for link in backlinks(scene).to(path))
