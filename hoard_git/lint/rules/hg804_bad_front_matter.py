"""The front matter of a wiki page cannot be read, or says two things at once.

## Why

Front matter holds a page's source, date and links. Readers of YAML disagree about a key that stands twice, about anchors and tags, and about a
text with a colon in it; then one tool sees `src: web` and another `src: user`. What is opened and never closed is text to one reader and nothing
to another.

## Bad

    file: wiki/servers.md
    | ---
    | title: Servers
    | src: web
    | src: agent
    | ts: 2026-06-01
    | ---
    | # Servers

Never closed:

    file: wiki/servers.md
    | ---
    | title: Servers
    | src: agent
    |
    | # Servers

A value that needs quotes, and tags that are no list:

    file: wiki/servers.md
    | ---
    | title: Servers: all of them
    | src: agent
    | ts: 2026-06-01
    | tags: {a: b}
    | ---
    | # Servers

## Good

    file: wiki/servers.md
    | ---
    | title: "Servers: all of them"
    | src: agent
    | ts: 2026-06-01
    | tags: [infra, hosts]
    | links:
    |   - nodes
    | status: draft
    | ---
    | # Servers

## Instead

Write each key once, as `key: text` or `key: [text, text]`, and put what has a colon or another sign of YAML in it into quotes.
`hoard wiki apply` with set_front_matter does that.

## Limits

Only wiki pages are judged. Wrong values of src, ts, ttl and id are HG102's. Keys that the wiki does not know may hold nested values.
"""

from __future__ import annotations

from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG804", "bad-front-matter", "error", "entry")

_HINT = "each key once, as key: text or key: [text, text]; texts with signs of YAML in quotes"


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Judge the front matter of a page."""
    del scene
    yield from _judge(file)


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge the front matter of pages in which the change touches it, or its first line."""
    for file in scene.files:
        last = file.document.entries[0].end_line if file.document.front else 1
        if file.judges(1, max(last, 1)):
            yield from _judge(file)


def _judge(file: FileView) -> Iterator[Hit]:
    if file.file_class != "wiki" or not file.document.lines[0].removeprefix("\ufeff").startswith("---"):
        return
    from hoard_git.core.frontmatter import read_front_matter

    for fault in read_front_matter(file.document).faults:
        yield Hit(f"the front matter is bad: {fault.what}", fault.line, 1, _HINT, file.path)
