"""Where else the memory holds the words of an entry: what HG302 and HG314 compare new entries with."""

from __future__ import annotations

import re
from functools import lru_cache

from hoard_git.core.align import Side, Unit, core_text
from hoard_git.core.lazy import lazy
from hoard_git.core.model import RANK
from hoard_git.core.provenance import provenances
from hoard_git.core.units import FEWEST_CHARACTERS, FEWEST_WORDS, core_of, entry_unit, fact_key, is_telling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from hoard_git.core.align import Change
    from hoard_git.core.document import Document
    from hoard_git.lint.scene import FileView, Scene

MEMORY = frozenset({"index", "topic", "daily", "archive", "heartbeat", "identity", "wiki"})

_STAMP = lazy(
    r"(?:[*_\[(]{0,4}(?:\d{4}-\d\d-\d\d(?:[T ]\d{1,2}:\d\d(?::\d\d)?)?|\d{1,2}:\d\d(?::\d\d)?)(?:\s?(?:[ap]m|utc|z))?[*_\]):,]{0,4}\s{0,3}[-\u2013\u2014|:\u00b7]?\s{1,3}){1,3}",
    re.IGNORECASE | re.ASCII,
)
_OPENERS = frozenset("0123456789*_[(")
_CELL = lazy(r"(?:[^|\\]|\\.){1,2000}", re.DOTALL)


def readings(kind: str, core: str) -> list[str]:
    """The texts under which the words of a unit of this kind may stand elsewhere, those that are long enough.

    That is its own core text, what follows a time or date in front of it, and each cell of a table's row.
    """
    found = [core] if is_telling(core) else []
    stamp = _STAMP.match(core) if core[:1] in _OPENERS else None
    if stamp is not None and is_telling(core[stamp.end() :]):
        found.append(core[stamp.end() :])
    if kind == "row":
        found += [cell for match in _CELL.finditer(core) if len((cell := match.group().strip()).split()) >= FEWEST_WORDS or _is_dense(cell)]
    return found


def _is_dense(text: str) -> bool:
    """Whether a text without blanks is a sentence of a script that writes none, and not a path or an address."""
    return len(text) >= FEWEST_CHARACTERS // 2 and sum(char >= "\u2e80" for char in text) > len(text) // 2


def new_texts(scene: Scene) -> list[Change]:
    """The changes that bring an entry's words into the memory: added entries, and edited ones whose words are others now."""
    found = []
    for change in scene.changes:
        before, after = change.before, change.after
        if after is None or after.is_heading or after.kind == "front" or (before is not None and not change.has("edit")):
            continue
        core = core_text(after)
        if is_telling(core) and (before is None or fact_key(core_text(before)) != fact_key(core)):
            found.append(change)
    return found


def expected_needles(scene: Scene) -> list[str]:
    """What HG302 and HG314 will most likely look for in unchanged files, so that the search can start before they run."""
    if scene.actor.is_human:
        return []
    units = [change.after for change in new_texts(scene) if change.after is not None]
    texts = [text for unit in units if RANK[unit.provenance.src] > RANK["dig"] for text in readings(unit.kind, core_text(unit))]
    return _needles(texts)


def _needles(texts: Iterable[str]) -> list[str]:
    return sorted({needle for text in texts for needle in [_needle(text)] if needle})


def find_twins(scene: Scene, keys: Collection[str], texts: Iterable[str]) -> dict[str, list[Unit]]:
    """Return the entries with these keys that stood in the changed files before, or stand in files that the change leaves alone.

    `texts` are the entries' texts as written: unchanged files are searched for their words, however lines are broken there.
    """
    found: dict[str, list[Unit]] = {}
    _collect(found, keys, (view for view in scene.before.values() if view.file_class in MEMORY))
    needles = _needles(texts)
    if needles:
        _collect(found, keys, scene.lookup.views_with(needles))
    return found


def _collect(found: dict[str, list[Unit]], keys: Collection[str], views: Iterable[FileView]) -> None:
    for view in views:
        index = _index_of(view.document)
        hits = sorted([(number, key) for key in set(keys) if key in index for number in index[key]])
        if not hits:
            continue
        side = Side(view.path, view.file_class, view.document, view.default)
        claims = provenances(view.document, view.default)
        for number, key in hits:
            found.setdefault(key, []).append(entry_unit(side, number, claims[number]))


_MOST_KEPT = 4
_kept: dict[int, tuple[Document, dict[str, list[int]]]] = {}
"""The facts of the files that were asked about last, each kept with its document so that the identity stays its own: several rules ask."""


def _index_of(document: Document) -> dict[str, list[int]]:
    """The entries of a file, by number, that state each fact."""
    known = _kept.get(id(document))
    if known is not None:
        return known[1]
    found: dict[str, list[int]] = {}
    for number, entry in enumerate(document.entries):
        for fact in facts_of_text(entry.kind, entry.text):
            if fact in found:
                found[fact].append(number)
            else:
                found[fact] = [number]
    _kept[id(document)] = document, found
    if len(_kept) > _MOST_KEPT:
        _kept.pop(next(iter(_kept)))
    return found


_SHORT = 2000


def facts_of_text(kind: str, text: str) -> frozenset[str]:
    """The facts that an entry's text states: itself, and each of its readings."""
    return _short_facts(kind, text) if len(text) <= _SHORT else _facts(kind, text)


@lru_cache(maxsize=1 << 13)
def _short_facts(kind: str, text: str) -> frozenset[str]:
    """Remembered: the same files are searched for each of many commits."""
    return _facts(kind, text)


def _facts(kind: str, text: str) -> frozenset[str]:
    core = core_of(text.replace("\r\n", "\n").removesuffix("\r") if "\r" in text else text)
    return frozenset([fact_key(core), *map(fact_key, readings(kind, core))])


def _needle(text: str) -> str:
    """An entry's words without marker, emphasis and final stop, as one line."""
    return core_of(text).strip("*_ .")
