"""Which entries of a scene are worth comparing with each other: all of the files as they stand, few of a change.

On every commit this runs before the comparison itself is even imported, so it looks at words alone and errs on the side of comparing.
"""

from __future__ import annotations

import re

from hoard_git.core.files import local_path
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hoard_git.core.duplicates import Statement
    from hoard_git.lint.scene import FileView, Scene

    Picker = Callable[["list[Words]"], "set[tuple[str, int]]"]

_LONG = 5
_FILLERS = frozenset(("please", "remember"))
_MOST_JUDGED = 24
_CLOSE = 0.45
_MOST_CLOSE = 20  # of the entries of a long list that are all alike, the closest
_FIRST_WIDE = "\u2e80"


class Words(Record):
    """One entry before it is compared: its place, its text, and whether the change adds or alters it."""

    path: str
    number: int
    text: str
    judged: bool


def statements(scene: Scene, classes: tuple[str, ...], pick: Picker) -> Iterator[list[Statement]]:
    """Yield the statements of each workspace that may be twins, none where nothing is under judgement."""
    rooms: dict[str, list[FileView]] = {}
    for file in scene.files:
        if file.file_class in classes:
            inside = local_path(file.path, scene.policy)
            rooms.setdefault(file.path[: len(file.path) - len(inside or "")], []).append(file)
    for files in rooms.values():
        wanted = pick(_entries(files)) if scene.change else None
        if wanted is None or len(wanted) > 1:
            yield _statements(files, wanted)


def _statements(files: list[FileView], wanted: set[tuple[str, int]] | None) -> list[Statement]:
    from hoard_git.core.duplicates import find_statements
    from hoard_git.core.provenance import provenances

    found: list[Statement] = []
    for file in files:
        numbers = None if wanted is None else {number for path, number in wanted if path == file.path}
        if numbers is None or numbers:
            claims = provenances(file.document, file.default)
            found += find_statements(file.path, file.file_class, file.document, claims, numbers)
    return found


def _entries(files: list[FileView]) -> list[Words]:
    """The items and paragraphs of files; none when the change adds or alters none of them."""
    found = [
        Words(file.path, number, entry.text, file.judges(entry.line, entry.end_line))
        for file in files
        for number, entry in enumerate(file.document.entries)
        if entry.kind in ("item", "text")
    ]
    return found if any(one.judged for one in found) else []


def pick_equal(entries: list[Words]) -> set[tuple[str, int]]:
    """Entries under judgement and others that have the same long words; equal forms always do."""
    by_words: dict[frozenset[str], list[Words]] = {}
    for one in entries:
        by_words.setdefault(_long_words(one.text), []).append(one)
    return {(one.path, one.number) for alike in by_words.values() if len(alike) > 1 and any(one.judged for one in alike) for one in alike}


def _long_words(text: str) -> frozenset[str]:
    if not text.isascii():
        from unicodedata import normalize  # a shared library: only texts that need it pay for it

        text = normalize("NFC", text)
    return frozenset(word for word in re.findall(r"[^\W_]{5,}", text.lower()) if len(word) >= _LONG and word not in _FILLERS)


def pick_close(entries: list[Words]) -> set[tuple[str, int]]:
    """Entries under judgement and others that share half of their words, give or take an ending."""
    judged = [one for one in entries if one.judged]
    if len(judged) > _MOST_JUDGED:
        return {(one.path, one.number) for one in entries}
    cut = [(one, *_cut(one.text)) for one in entries]
    picked: set[tuple[str, int]] = set()
    for one, words, heads in cut:
        if not one.judged or not heads:
            continue
        close = [
            (-len(words & others), number)
            for number, (other, others, theirs) in enumerate(cut)
            if other is not one and 2 * len(heads & theirs) >= _CLOSE * (len(heads) + len(theirs))
        ]
        if close:
            picked.add((one.path, one.number))
            picked |= {(cut[number][0].path, cut[number][0].number) for _shared, number in sorted(close)[:_MOST_CLOSE]}
    return picked


def _cut(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words of a text, and their first letters; of a script without spaces each character."""
    words: set[str] = set()
    for word in re.findall(r"[^\W_]+", text.lower()):
        if word[0] >= _FIRST_WIDE:
            words.update(word)
        else:
            words.add(word)
    return frozenset(words), frozenset([word[:3] for word in words])


def place(one: Statement, other: Statement) -> str:
    """Where the other one stands, as seen from the first."""
    return f"line {other.line}" if other.path == one.path else f"{other.path}:{other.line}"
