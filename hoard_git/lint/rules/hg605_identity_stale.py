r"""A line of an identity file speaks of a day long past, or of somebody or something that only the archive still knows.

## Why

Identity files are rules: nobody gives them a date, so nothing in them ever expires. A deadline of last winter, or a project that has been archived,
is obeyed in every session until somebody reads the file again.

## Bad

    file: AGENTS.md
    | # Rules
    |
    | - Freeze all deploys until 2025-12-31.

A project that has ended:

    file: USER.md
    | ## Projects
    |
    | - **Osprey Relaunch**: daily report at nine
    file: memory/archive/2026-05-01.md
    | - Osprey Relaunch is done <!-- src:agent ts:2025-10-01 -->

## Good

    file: AGENTS.md
    | # Rules
    |
    | - Freeze all deploys until 2026-12-31.
    | - Decided on 2024-02-01: two people approve a release.

Still spoken of elsewhere:

    file: USER.md
    | ## Projects
    |
    | - **Osprey Relaunch**: daily report at nine
    file: memory/osprey.md
    | # Osprey Relaunch <!-- src:agent ts:2026-06-01 -->
    |
    | - the relaunch is in July

## Instead

Delete the line, or say what holds now. `hoard why TEXT` tells since when it stands there.

## Limits

Only a day (`2025-12-31`) that ended more than 90 days ago and that words such as `until`, `by`, `due` or `bis` lead up to; and names that begin an item
under a heading about people or projects. Names are compared with the files that are judged, so `hoard check SOUL.md` alone finds none. A change is never
judged by this rule.
"""

from __future__ import annotations

import re

from hoard_git.core.document import CODE
from hoard_git.core.lazy import lazy
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.document import Document
    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG605", "identity-stale", "info", "path")

GRACE = 90
"""Days after a day named in a rule from which it counts as past."""

_UNTIL = lazy(
    r"(?<!\w)(?:until|till|through|thru|by|due|deadline|expires?|ends?|ending|valid to|scheduled for|planned for|launch(?:es)? on|bis|frist|"
    r"hasta|jusqu'au|fino al|\u622a\u6b62|\u5230\u671f|\u76f4\u5230)(?!\w)\W{0,4}(?:\w{1,20}\W{1,3}){0,2}(\d{4}-\d\d-\d\d)(?!\d)",
    re.IGNORECASE,
)
_ABOUT = lazy(
    r"(?<!\w)(?:people|persons?|team|contacts?|colleagues?|clients?|customers?|projects?|working on|active|current|"
    r"personen|projekte?|kunden|\u4eba|\u9879\u76ee|\u5c08\u6848|\u5718\u968a|\u56e2\u961f)",
    re.IGNORECASE,
)
_LABEL = lazy(
    r"\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(?:\*\*|__)?([^\W\d_][\w.&'\u2019 -]{2,58}?[\w.])(?:\*\*|__)?\s*(?:[:(\u2014\u2013]| - |\*\*|$)"
)


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge the identity files as they stand."""
    files = [file for file in scene.files if file.file_class == "identity"]
    if scene.change or not files:
        return
    for file in files:
        yield from _find_days(file, scene.today)
    archive = [file for file in scene.files if file.file_class == "archive"]
    if archive:
        yield from _find_names(files, archive, scene)


def _find_days(file: FileView, today: int) -> Iterator[Hit]:
    from hoard_git.core.dates import parse_day

    for number, line in enumerate(file.document.lines, 1):
        for match in _UNTIL.finditer(line) if "-" in line and file.document.kinds[number - 1] != CODE else ():
            day = parse_day(match[1])
            if day is not None and today - day > GRACE:
                message = f"speaks of {match[1]} as a day to come, and that was {today - day} days ago"
                yield Hit(message, number, match.start(1) + 1, "delete it, or say what holds now", file.path)


def _find_names(files: list[FileView], archive: list[FileView], scene: Scene) -> Iterator[Hit]:
    """Names under headings about people or projects that the archive knows and no active file but the identity files does."""
    old = "\n".join(line for file in archive for line in file.document.lines)
    active = [file for file in scene.files if file.file_class in ("index", "topic", "daily", "heartbeat", "wiki")]
    now = "\n".join(line for file in active for line in file.document.lines)
    for file in files:
        for number, name in _names(file.document):
            word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
            if word.search(old) and not word.search(now):
                message = "names what only the archive still speaks of"
                yield Hit(
                    message, number, 1, "delete the line if it has ended; hoard search or hoard why tells what became of it", file.path
                )


def _names(document: Document) -> Iterator[tuple[int, str]]:
    """The names that begin items under such headings: more than one word, or one with a capital or digit inside, so that plain words are none."""
    for entry in document.entries:
        if entry.kind != "item" or entry.heading < 0 or not _ABOUT.search(document.headings[entry.heading].title):
            continue
        match = _LABEL.match(entry.text.split("\n", 1)[0])
        words = match[1].split() if match is not None else []
        if match is not None and len(words) <= 4 and all(word[0].isupper() or word[0].isdigit() for word in words):
            yield entry.line, match[1]
