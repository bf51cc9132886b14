"""Two identity files contradict each other.

## Why

SOUL.md, IDENTITY.md, USER.md, AGENTS.md and TOOLS.md are all loaded, and each is read as a rule. Where two of them differ the agent follows the one that
it happened to read last, today this one and tomorrow that.

## Bad

    file: IDENTITY.md
    | - **Name:** Quill
    file: SOUL.md
    | # Soul
    |
    | Name: Feather

Two rules that cannot both be kept:

    file: AGENTS.md
    | ## Mail
    |
    | - Summary mails go to the whole team every Friday
    file: SOUL.md
    | ## Mail
    |
    | - Summary mails do not go to the whole team every Friday

## Good

    file: IDENTITY.md
    | - **Name:** Quill
    | - **Pronouns:**
    file: SOUL.md
    | # Soul
    |
    | Name: Quill
    file: USER.md
    | - **Name:** Mia

## Instead

Keep the one that holds and delete the other: who the agent is in IDENTITY.md, how it works in AGENTS.md, whom it works for in USER.md.

## Limits

Compared are a few facts that have one value (name, pronouns, emoji of the agent in SOUL.md and IDENTITY.md; time zone and language in USER.md, TOOLS.md and
AGENTS.md), and rules in nearly the same words that differ in a negation, a number or an opposite (as HG604 does it). Rules in other words are not seen.
"""

from __future__ import annotations

import re

from hoard_git.core.document import ITEM, QUOTE, TEXT
from hoard_git.core.files import bootstrap_name
from hoard_git.core.lazy import lazy
from hoard_git.core.record import Record
from hoard_git.lint.scene import FileView, Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.core.duplicates import Statement
    from hoard_git.lint.scene import Scene

META = Meta("HG606", "identity-contradiction", "warn", "path")

_AGENT, _USER = ("SOUL.md", "IDENTITY.md"), ("USER.md", "TOOLS.md", "AGENTS.md")
_KEYS = {"name": _AGENT, "pronouns": _AGENT, "emoji": _AGENT, "timezone": _USER, "time zone": _USER, "language": _USER}
_FACT = lazy(r"\s*(?:[-*+]\s+)?(?:\*\*|__)?([A-Za-z][A-Za-z ]{2,12}?)(?:\*\*|__)?\s*:\s*(?:\*\*|__)?\s*([^\n]{1,80}?)\s*(?:\*\*|__)?\s*")
_OPEN = ("(", "_(", "*(", "[", "<", "unknown", "tbd", "?", "none", "n/a")
"""How a value begins that says nothing yet."""
_PROSE = (ITEM, TEXT, QUOTE)
_HINT = "keep the one that holds, and delete the other"


class Fact(Record):
    """One value of one of the keys."""

    key: str
    value: str
    path: str
    line: int


def check_change(scene: Scene) -> Iterator[Hit]:
    """Compare the identity files of each workspace with each other; of a change what it adds or alters with all of them."""
    mine = [file for file in scene.files if file.file_class == "identity"]
    if not mine:
        return
    rooms: dict[str, list[FileView]] = {}
    for file in mine:
        name = bootstrap_name(file.path, file.file_class, scene.policy)
        if name:
            rooms.setdefault(file.path[: len(file.path) - len(name)], []).append(file)
    for top, files in rooms.items():
        everyone = [*files, *_others(scene, top, files)] if scene.change else files
        if len(everyone) > 1:
            yield from _facts(scene, everyone)
            yield from _rules(scene, everyone)


def _others(scene: Scene, top: str, files: Sequence[FileView]) -> Iterator[FileView]:
    """The identity files that a change leaves alone; none of their lines is under judgement."""
    from hoard_git.core.files import file_default
    from hoard_git.core.markdown import parse

    known = {file.path for file in files} | {str(change.path) for change in scene.paths}
    wanted = [top + name for name in dict.fromkeys((*_AGENT, *_USER)) if top + name not in known]
    for path, data in scene.lookup.texts(wanted).items():
        yield FileView(path, "identity", parse(data), file_default(path, "identity", scene.policy), frozenset())


def _facts(scene: Scene, files: Sequence[FileView]) -> Iterator[Hit]:
    found: dict[str, list[Fact]] = {}
    for file in files:
        name = bootstrap_name(file.path, file.file_class, scene.policy)
        for number, line in enumerate(file.document.lines, 1):
            match = _FACT.fullmatch(line) if ":" in line and file.document.kinds[number - 1] in _PROSE else None
            key = match[1].strip().lower() if match is not None else ""
            value = match[2].strip(" *_\r").casefold() if match is not None else ""
            if match is not None and name in _KEYS.get(key, ()) and value and not value.startswith(_OPEN):
                found.setdefault(key.replace("time zone", "timezone"), []).append(Fact(key, value, file.path, number))
    views = {file.path: file for file in files}
    for facts in found.values():
        for at, one in enumerate(facts):
            other = next((two for two in facts[:at] if two.path != one.path and not _is_same(one.value, two.value)), None)
            if other is None:
                continue
            here, there = (one, other) if views[one.path].judges(one.line) else (other, one)
            if views[here.path].judges(here.line):
                yield Hit(f"gives another {one.key} than {there.path}:{there.line}", here.line, 1, _HINT, here.path)


def _is_same(one: str, two: str) -> bool:
    """Whether two values may mean the same: one is a part of the other, letter case and signs aside."""
    first, second = (re.sub(r"[\W_]+", " ", value).strip() or value for value in (one, two))
    return first == second or f" {first} " in f" {second} " or f" {second} " in f" {first} "


def _rules(scene: Scene, files: Sequence[FileView]) -> Iterator[Hit]:
    from hoard_git.core.duplicates import find_statements
    from hoard_git.core.nearness import CONFLICT, find_near
    from hoard_git.core.provenance import provenances

    views = {file.path: file for file in files}
    found: list[Statement] = []
    for file in files:
        # As a topic file: what is compared are the words under their headings, which is all that an identity file has.
        found += find_statements(file.path, "topic", file.document, provenances(file.document, file.default))
    judged = {(one.path, one.number) for one in found if views[one.path].judges(one.line, one.end_line)} if scene.change else None
    if judged is not None and not judged:
        return
    for item in find_near(found, about=judged):
        first, *rest = item.statements
        if item.kind != CONFLICT or all(one.path == first.path for one in rest):
            continue
        pair = next((one, two) for one in item.statements for two in item.statements if one.path != two.path)
        here, there = pair if judged is None or (pair[0].path, pair[0].number) in judged else pair[::-1]
        yield Hit(f"contradicts {there.path}:{there.line}: {item.reason}", here.line, 1, _HINT, here.path, here.end_line)
