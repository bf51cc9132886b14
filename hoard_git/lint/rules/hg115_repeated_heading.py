"""The same heading stands twice at the same place of the outline.

## Why

`PATH#slug` names a block by its heading. When there are two, the second is `slug-1`, and it changes its name when the first one goes. What belongs
together lies apart, and each half grows duplicates of the other.

## Bad

    file: MEMORY.md
    | # Memory
    | ## Servers  <!-- src:agent ts:2026-06-01 -->
    | - Node 1 runs the queue
    | ## Mia  <!-- src:agent ts:2026-06-01 -->
    | - Mia does the invoices
    | ## Servers  <!-- src:agent ts:2026-06-02 -->
    | - Node 2 runs the cache

## Good

    file: MEMORY.md
    | # Memory
    | ## 2026-06-01 Notes  <!-- src:agent ts:2026-06-01 -->
    | ### Servers
    | - Node 1 runs the queue
    | ## 2026-06-02 Notes  <!-- src:agent ts:2026-06-02 -->
    | ### Servers
    | - Node 2 runs the cache

## Instead

Put the entries under the first heading, with tags of their own where source or day differ.

## Limits

Headings with different days, or with tags of different sources, are different headings. In daily logs only headings of exactly the same words
are reported.
"""

from __future__ import annotations

from hoard_git.core.dates import parse_day
from hoard_git.core.slugs import slug
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.document import Heading
    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG115", "repeated-heading", "info", "file", trigger=("#", "==="))


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Yield one hit for the first heading that repeats an earlier one under the same parent; logs that a program writes hold hundreds."""
    del scene
    first: dict[tuple[int, str, str], int] = {}
    found: list[tuple[int, int]] = []
    for heading in file.document.headings:
        name = heading.title if file.file_class == "daily" else _name(heading)
        source = heading.tag.src if heading.tag is not None else ""
        line = first.setdefault((heading.parent, name, source), heading.line)
        if name and line != heading.line and file.judges(heading.line):
            found.append((heading.line, line))
    more = f", and {len(found) - 1} more in this file repeat others" if len(found) > 1 else ""
    for at, line in found[:1]:
        yield Hit(f"the heading repeats the one on line {line}{more}", at, 1, "put the entries under the first one")


def _name(heading: Heading) -> str:
    """The slug, with the leading day that a slug drops; the words where a title has no letters."""
    title = heading.title.strip()
    day = title[:10] if parse_day(title[:10]) is not None else ""
    return f"{day} {slug(title) or title.lower()}".strip()
