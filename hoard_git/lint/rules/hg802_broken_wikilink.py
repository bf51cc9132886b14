"""A wikilink names a page or a heading that is not there.

## Why

`[[node-2]]` promises a page with what is known about node-2. Without it the reader's next step leads nowhere, and a search by backlinks misses the
facts. Two pages of the same name are as bad: one tool opens this one, another that one.

## Bad

    file: wiki/servers.md
    | # Servers  <!-- src:agent ts:2026-06-01 -->
    | - Runs on [[node-2]]

A heading that the page has not:

    file: wiki/servers.md
    | # Servers  <!-- src:agent ts:2026-06-01 -->
    | - Runs on [[nodes#Node 2]]
    file: wiki/nodes.md
    | # Nodes  <!-- src:agent ts:2026-06-01 -->

A link in front matter:

    file: wiki/servers.md
    | ---
    | title: Servers
    | src: agent
    | ts: 2026-06-01
    | links: [node-2]
    | ---
    | # Servers

## Good

    file: wiki/servers.md
    | ---
    | title: Servers
    | src: agent
    | ts: 2026-06-01
    | links: [nodes]
    | ---
    | # Servers
    | - Runs on [[Nodes#Node 2|the second node]], see [[#Servers]] and `[[any]]`
    file: wiki/nodes.md
    | # Nodes  <!-- src:agent ts:2026-06-01 -->
    | ## Node 2

A host's orders and code are no wikilinks:

    file: wiki/servers.md
    | # Servers  <!-- src:agent ts:2026-06-01 -->
    | - [[reply_to_current]] starts a reply, `[[ -f x ]]` asks a shell, [[1, 2]] is a matrix

## Instead

Make the page (`hoard wiki new TITLE`), correct the name, or write the words without brackets.

## Limits

A name is looked for as a path, as the end of a path, as a file name and as the slug of a title, whatever its letter case. Outside of wiki pages
wikilinks are judged only in a workspace that has wiki pages or an Obsidian vault. The archive and daily logs are not judged.
"""

from __future__ import annotations

from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.references import Reference
    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG802", "broken-wikilink", "warn", "file", trigger=("[[", "links", "-"))


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Judge the wikilinks on the lines under judgement, one finding a link."""
    if file.file_class in ("archive", "daily", "other"):
        return
    in_front = any(key == "links" for key, _value, _line in file.document.front)
    if not in_front and not any("[[" in text for _number, text in file.judged_lines()):
        return
    from hoard_git.lint.references import find_wikilinks

    for reference in find_wikilinks(file):
        yield from _judge(file, scene, reference)


def _judge(file: FileView, scene: Scene, reference: Reference) -> Iterator[Hit]:
    from hoard_git.lint.leaving import home_of, leaves
    from hoard_git.lint.pages import has_pages, pages_of
    from hoard_git.lint.whither import is_secret, shown, whither

    if file.file_class != "wiki" and not has_pages(scene):
        return
    if reference.target and leaves(reference.target, home_of(file.path, scene.policy)):
        return  # HG410's
    names = pages_of(scene, file.path)
    found = names.find(reference.target, file.path) if reference.target else [file.path]
    named = "the name on the same line as a secret" if is_secret(file.document.lines, reference.line) else shown(reference.target)
    if not found:
        verdict = whither(scene).missing(file.path, reference.target + ".md")
        known = verdict.message.startswith("was ")
        message = f"there is no page {named}" + (f"; it {verdict.message}" if known else "")
        yield Hit(
            message, reference.line, reference.column, verdict.hint if known else "make it: hoard wiki new TITLE, or correct the name"
        )
    elif len(found) > 1:
        places = " and ".join(shown(path) for path in found[:2])
        yield Hit(f"the name {named} fits {len(found)} pages: {places}", reference.line, reference.column, "write it with its folder")
    else:
        verdict = whither(scene).judge_place(found[0], reference)
        if verdict.message:
            yield Hit(f"the link to {named or 'this page'} {verdict.message}", reference.line, reference.column, verdict.hint)
