"""Which entries of a scene are worth comparing with each other: all of the files as they stand, few of a change.

On every commit this runs before the comparison itself is even imported, so it looks at words alone and errs on the side of comparing.
"""

from __future__ import annotations

import re
from functools import lru_cache

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
_MOST_CLOSE = 12  # of the entries of a long list that are all alike, the closest; looking at each costs a long push 1 %
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
    found = [one for file in files for one in _words_in(file)]
    return found if any(one.judged for one in found) else []


_MOST_KEPT = 8
_kept: dict[int, tuple[FileView, list[Words]]] = {}
"""The words of the files that were asked about last, each kept with its file so that the identity stays its own: two rules ask."""


def _words_in(file: FileView) -> list[Words]:
    """The items and paragraphs of one file."""
    known = _kept.get(id(file))
    if known is not None:
        return known[1]
    judged = _judged(file)
    found = [
        tuple.__new__(Words, (file.path, number, entry.text, number in judged))  # a quarter of the constructor's time
        for number, entry in enumerate(file.document.entries)
        if entry.kind in ("item", "text")
    ]
    _kept[id(file)] = file, found
    if len(_kept) > _MOST_KEPT:
        _kept.pop(next(iter(_kept)))
    return found


def _judged(file: FileView) -> set[int]:
    """The items and paragraphs of a file that are under judgement, by number."""
    entries = file.document.entries
    if file.touched is not None and not file.touched:
        return set()
    first, last = (min(file.touched), max(file.touched)) if file.touched is not None else (1, len(file.document.lines))
    return {
        number
        for number, entry in enumerate(entries)
        if entry.line <= last and entry.end_line >= first and entry.kind in ("item", "text") and file.judges(entry.line, entry.end_line)
    }


def pick_equal(entries: list[Words]) -> set[tuple[str, int]]:
    """Entries under judgement and others that have the same long words; equal forms always do."""
    by_words: dict[frozenset[str], list[Words]] = {_long_words(one.text): [] for one in entries if one.judged}
    for one in entries:
        alike = by_words.get(_long_words(one.text))
        if alike is not None:
            alike.append(one)
    groups = [alike for alike in by_words.values() if len(alike) > 1]
    return {(one.path, one.number) for alike in groups for one in _equal(alike)} if groups else set()


def _equal(alike: list[Words]) -> list[Words]:
    """Of entries with the same long words those that may be the same: a link's target depends on the file, so it is left open."""
    from hoard_git.core.sameness import same_form

    if any("]" in one.text or "\x1e" in one.text for one in alike):
        return alike
    forms = [same_form(one.text) for one in alike]
    wanted = {form for one, form in zip(alike, forms, strict=True) if one.judged}
    return [one for one, form in zip(alike, forms, strict=True) if form in wanted]


@lru_cache(maxsize=1 << 12)
def _long_words(text: str) -> frozenset[str]:
    """Remembered, as are the cuts below: from one commit to the next most entries of a file are the same."""
    if not text.isascii():
        from unicodedata import normalize  # a shared library: only texts that need it pay for it

        text = normalize("NFC", text)
    if "](" in text:  # one file has two paths from two folders
        text = re.sub(r"\]\([^)\n]{0,1000}\)", "]", text)
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


@lru_cache(maxsize=1 << 12)
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
