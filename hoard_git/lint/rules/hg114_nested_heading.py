"""A heading stands in a quote or in a list item, where it is text.

## Why

It looks like a heading, but what stands below it still belongs to the heading above, with that one's source and ttl. Somebody who puts a tag
on it, or reads the page by its headings, takes the entries below for something else than the gate does.

## Bad

    file: MEMORY.md
    | ## Rules  <!-- src:user ts:2026-01-10 -->
    | > ## Notes from the forum
    | > Releases need no approval

## Good

    file: MEMORY.md
    | ## Rules  <!-- src:user ts:2026-01-10 -->
    | > Two people approve a release, said Mia in #releases

## Instead

Take the heading out of the quote or the item, and give it a tag; or write it as bold text.
"""

from __future__ import annotations

from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG114", "nested-heading", "warn", "file", trigger=("#",))


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Yield a hit for each of them."""
    del scene
    for line in file.document.nested_headings:
        hint = "take it out of the quote or list item, or make it bold text"
        yield Hit("a heading in a quote or list item counts as text", line, 1, hint)
