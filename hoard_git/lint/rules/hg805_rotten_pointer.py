"""A path in MEMORY.md or a log points to a file or lines that are not there any more.

## Why

Agents leave pointers in plain text: "details in memory/servers.md", `source=memory/2026-05-02.md:7-9`. Nothing moves them when the file goes to the
archive or is renamed. Of such pointers to daily logs in public workspaces two in five lead nowhere. Whoever follows one finds nothing and takes the
summary for all there is.

## Bad

    file: MEMORY.md
    | - Node 1 runs the queue, details in memory/servers.md <!-- src:agent ts:2026-06-01 -->

Lines that the file has not:

    file: MEMORY.md
    | - Node 1 runs the queue [score=0.8 source=memory/2026-05-02.md:7-9] <!-- src:agent ts:2026-06-01 -->
    file: memory/2026-05-02.md
    | - Node 1 runs the queue

## Good

    file: MEMORY.md
    | - Node 1 runs the queue, details in memory/servers.md; one file a day, `memory/YYYY-MM-DD.md` <!-- src:agent ts:2026-06-01 -->
    file: memory/servers.md
    | - Node 1 runs the queue <!-- src:agent ts:2026-06-01 -->

## Instead

Write where it is now: the message says where history last saw it. `hoard restore PATH` brings a removed file back.

## Limits

Judged are the index and topic files, and in daily logs the links of markdown, too. Looked at are paths of markdown files below the workspace's
memory and wiki folders; of other paths only those that history once had, since a path in an agent's notes often belongs to another project. History
is not asked in local hooks and in shallow clones. A path before which the line says that it was removed or renamed is left alone.
"""

from __future__ import annotations

import re

from hoard_git.core.lazy import lazy
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.references import Reference
    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG805", "rotten-pointer", "info", "file", trigger=(".md", "]("))

_SAYS_SO = lazy(
    r"\b(?:delet|remov|deprecat|obsolet|supersed|no longer|missing|not exist|doesn.t exist|not found|gone\b)"
    r"|\b(?:archiv|renam|mov|merg|consolidat|migrat|replac)(?![^\n]{0,60}(?:\b(?:in)?to|\bin|\bsee|[\u2192>:])[\s`*\"']{1,4}$)",
    re.IGNORECASE,
)
"""What stands before a path on a line that is about its going: `moved a.md` does, `moved to a.md` does not."""


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Judge the paths on the lines under judgement, one finding for all places that point to the same lost file, and in logs the links."""
    if file.file_class not in ("index", "topic", "daily"):
        return
    from hoard_git.lint.references import find_links_of, find_pointers
    from hoard_git.lint.rules.hg801_broken_link import judge_path

    if file.file_class == "daily":
        for reference in find_links_of(file):
            yield from judge_path(file, scene, reference, "the link to ")
    places: dict[tuple[str, str], list[Hit]] = {}
    for reference in find_pointers(file):
        for hit in _judge(file, scene, reference):
            same = places.setdefault((reference.target, hit.message), [])
            if hit.line not in {other.line for other in same}:
                same.append(hit)
    for first, *others in places.values():
        more = f", and {len(others)} more line{'s' * (len(others) != 1)} of this file name it" if others else ""
        yield first._replace(message=first.message + more)


def _judge(file: FileView, scene: Scene, reference: Reference) -> Iterator[Hit]:
    from hoard_git.core.files import classify
    from hoard_git.lint.whither import is_secret, join, shown, whither

    places = whither(scene)
    path = reference.target
    found = places.find(file.path, path)
    if found is not None:
        verdict = places.judge_place(found, reference)
    elif _tells_of_it(file.document.lines[reference.line - 1][: reference.column - 1]) or ("/" not in path and places.twins(path)):
        return  # it tells of the change itself, or a name alone says enough
    else:
        verdict = places.missing(file.path, path)
        inside = join(places.root(file.path).rstrip("/"), path) or ""
        if not verdict.message.startswith("was ") and (not classify(inside, scene.policy) or "/" not in path):
            return
    if verdict.message:
        where = "a path on the same line as a secret" if is_secret(file.document.lines, reference.line) else shown(path)
        yield Hit(f"{where} {verdict.message}", reference.line, reference.column, verdict.hint)


def _tells_of_it(before: str) -> bool:
    """Whether the words before a path say that it goes; a look at the last 200 characters."""
    return _SAYS_SO.search(before[-200:]) is not None
