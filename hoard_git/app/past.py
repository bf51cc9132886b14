"""What history knows about entries: where a text came from, and whether a user once said it and then took it back.

Built when a rule first asks, from one `git rev-list`, one `git log --raw` and the blobs in batches: of each version only the lines that its commit
added or took away are kept, and a version is parsed only when one of its lines is asked about. Nothing is cached on disk: enforcement
trusts no cache.
"""

from __future__ import annotations

import re

from hoard_git.app.removals import Removals
from hoard_git.core.align import Side, core_text, units
from hoard_git.core.files import classify, file_default, memory_pathspecs
from hoard_git.core.markdown import parse
from hoard_git.core.model import RANK, Oid, RepoPath
from hoard_git.core.record import Record
from hoard_git.core.units import core_of
from hoard_git.gitio.opening import plumbing_of
from hoard_git.gitio.process import decode_path
from hoard_git.lint.scene import Gone, Past

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hoard_git.core.policy import Policy
    from hoard_git.gitio.plumbing import PlumbingReader
    from hoard_git.gitio.reader import Reader

_TAG = re.compile(r"\s*<!--[^>]{0,800}-->\s*$")
_VERSIONS_AT_ONCE = 400
"""Blobs held in memory together while lines are compared: as sets of lines those of 20 KB take 25 MB."""
_MOST_ENTRIES = 200_000
"""Entries of parsed versions that are kept between two questions."""
_WORDS_TRIED = 80
_MOST_ANCESTRIES = 64
"""Commits whose ancestors are kept as bits: the next commit's are its parents' and itself, without a walk."""
_SHORTEST = 4
"""Characters of a line that can be looked for; `- ok` would be found in every commit."""


class Event(Record):
    """A line came or went in one commit, `order` in topological order; `oid` is the version that holds it."""

    order: int
    came: bool
    path: str
    oid: Oid


class History:
    """The memory history behind a few tips."""

    def __init__(self, reader: Reader, tips: Sequence[Oid]) -> None:
        """Nothing is read before the first question."""
        self._reader = reader
        self._plumbing = plumbing_of(reader)
        self._tips = list(tips)
        self._graph: _Graph | None = None
        self._events: dict[tuple[object, ...], Mapping[str, list[Event]]] = {}
        self._versions: dict[tuple[Oid, str], dict[str, tuple[str, str]]] = {}
        self._noted = 0
        self._removals = Removals(self._plumbing, tips)

    def past(self, base: Oid | None, texts: Sequence[str], policy: Policy) -> Mapping[str, Past]:
        """Answer for each core text that the commits up to `base` know; other texts are absent from the answer."""
        if base is None or not self._tips:
            return {}
        if self._graph is None:
            self._graph = _read_graph(self._plumbing, self._tips)
        events = self._load(policy, self._graph)
        rows = {text: found for text in texts if (found := _rows_of(text, events))}
        if not rows:
            return {}
        behind = self._graph.ancestors(base)
        rows = {text: found for text, all_rows in rows.items() if (found := [event for event in all_rows if behind >> event.order & 1])}
        self._parse({(event.oid, event.path) for found in rows.values() for event in found}, policy)
        answers = {text: self._answer(text, found, policy, self._graph) for text, found in rows.items()}
        return {text: answer for text, answer in answers.items() if answer is not None}

    def gone(self, base: Oid | None, path: str) -> Gone | None:
        """How a file left in the commits up to `base`; None in a shallow clone."""
        if base is None or not self._tips:
            return Gone()
        if self._graph is None:
            self._graph = _read_graph(self._plumbing, self._tips)
        order, behind = self._graph.order, self._graph.ancestors(base)
        return self._removals.find(path, lambda oid: oid in order and bool(behind >> order[oid] & 1))

    def _load(self, policy: Policy, graph: _Graph) -> Mapping[str, list[Event]]:
        """The events by line, for what this policy takes for memory."""
        key = (policy.prefix, policy.roots, policy.globs)
        known = self._events.get(key)
        if known is not None:
            return known
        events: dict[str, list[Event]] = {}
        rows = _read_rows(self._plumbing, self._tips, policy, graph.order)
        for first in range(0, len(rows), _VERSIONS_AT_ONCE // 2):
            part = rows[first : first + _VERSIONS_AT_ONCE // 2]
            blobs = self._reader.blobs({oid for row in part for oid in (row.old, row.new) if oid})
            lines = {oid: set(data.decode("utf-8", "surrogateescape").split("\n")) for oid, data in blobs.items()}
            for row in part:
                before, after = lines.get(row.old, set()), lines.get(row.new, set())
                for gone, fresh, came, oid in ((before, after, True, row.new), (after, before, False, row.old)):
                    for line in fresh - gone:
                        for words in line_cores(line):
                            events.setdefault(words, []).append(Event(row.order, came, row.path, oid))
        self._events[key] = events
        return events

    def _parse(self, wanted: Iterable[tuple[Oid, str]], policy: Policy) -> None:
        """Note the source and date of every entry in these versions: all of them read at once."""
        if self._noted > _MOST_ENTRIES:
            self._versions.clear()
            self._noted = 0
        missing = [(oid, path) for oid, path in wanted if (oid, path) not in self._versions]
        blobs = self._reader.blobs({oid for oid, _path in missing})
        for oid, path in missing:
            file_class = classify(path, policy)
            side = Side(path, file_class, parse(blobs[oid]), file_default(path, file_class, policy))
            noted = {core_text(unit): unit.provenance[:2] for unit in units(side)[1]}
            self._versions[oid, path] = noted
            self._noted += len(noted)

    def _answer(self, text: str, rows: Sequence[Event], policy: Policy, graph: _Graph) -> Past | None:
        """Replay what happened to one text; None when no version holds it as an entry."""
        present: dict[str, bool] = {}
        sources = []
        newest = "unknown"
        where = ""
        for event in sorted(rows):
            known = self._versions[event.oid, event.path].get(text)
            if known is None:
                continue
            present[event.path] = event.came
            where = graph.names[event.order]
            if event.came:
                sources.append(known[0])
                newest = known[1] if newest == "unknown" else max(newest, known[1]) if known[1] != "unknown" else newest
        if not present:
            return None
        active = any(here and classify(path, policy) != "archive" for path, here in present.items())
        tagged = [source for source in sources if source]
        return Past(min(tagged, key=RANK.__getitem__, default=""), "user" in sources and not active, not active, where, newest)


class _Graph:
    """Commits in topological order, parents first, each by its number."""

    def __init__(self, names: list[Oid], parents: list[list[int]]) -> None:
        self.names = names
        self.parents = parents
        self.order = {oid: number for number, oid in enumerate(names)}
        self._behind: dict[int, int] = {}

    def ancestors(self, oid: Oid) -> int:
        """A commit and everything behind it, a bit for each number; 0 when the commit is not in the graph."""
        start = self.order.get(oid)
        if start is None:
            return 0
        if start not in self._behind:
            above = self.parents[start]
            if above and all(parent in self._behind for parent in above):
                bits = 1 << start
                for parent in above:
                    bits |= self._behind[parent]
            else:
                bits = self._walk(start)
            self._behind[start] = bits
            if len(self._behind) > _MOST_ANCESTRIES:
                self._behind.pop(next(iter(self._behind)))
        return self._behind[start]

    def _walk(self, start: int) -> int:
        found = bytearray(start // 8 + 1)
        todo = [start]
        found[start >> 3] |= 1 << (start & 7)
        while todo:
            for parent in self.parents[todo.pop()]:
                if not found[parent >> 3] >> (parent & 7) & 1:
                    found[parent >> 3] |= 1 << (parent & 7)
                    todo.append(parent)
        return int.from_bytes(found, "little")


class _Row(Record):
    """One memory file that one commit changed against one parent; an oid is '' where there is no regular file."""

    order: int
    path: str
    old: Oid
    new: Oid


def _read_graph(plumbing: PlumbingReader, tips: Sequence[Oid]) -> _Graph:
    args = ("rev-list", "--topo-order", "--reverse", "--parents", "--stdin")
    out = plumbing.git(args, stdin="".join(f"{tip}\n" for tip in tips).encode()).finish()
    names: list[Oid] = []
    parents: list[list[int]] = []
    order: dict[str, int] = {}
    for line in out.decode("ascii").splitlines():
        oid, *above = line.split(" ")
        order[oid] = len(names)
        names.append(Oid(oid))
        parents.append([order[parent] for parent in above if parent in order])
    return _Graph(names, parents)


def _read_rows(plumbing: PlumbingReader, tips: Sequence[Oid], policy: Policy, order: Mapping[Oid, int]) -> list[_Row]:
    """Every change of a memory file, a merge's against each parent."""
    args = [
        "log",
        "--stdin",
        "--topo-order",
        "--reverse",
        "--full-history",
        "-m",
        "--raw",
        "-z",
        "--no-abbrev",
        "--no-renames",
        "--format=%x01%H",
    ]
    stdin = "".join(f"{tip}\n" for tip in tips).encode()
    out = plumbing.git([*args, "--", *memory_pathspecs(policy)], stdin=stdin, at_root=True).finish()
    rows = []
    at = -1
    fields = iter(out.split(b"\0"))
    for field in fields:
        text = field.strip(b"\n")
        if text.startswith(b"\x01"):
            head, _, text = text[1:].partition(b"\n")
            at = order.get(Oid(head.decode("ascii", "replace").strip()), -1)
            text = text.lstrip(b"\n")
        if not text.startswith(b":"):
            continue
        path = decode_path(next(fields))
        old_mode, new_mode, old, new, _status = text[1:].split(b" ")
        if at >= 0 and classify(path, policy) not in ("", "other"):
            sides = [Oid(oid.decode("ascii")) if mode.startswith(b"100") else Oid("") for mode, oid in ((old_mode, old), (new_mode, new))]
            rows.append(_Row(at, RepoPath(path), *sides))
    return rows


def _rows_of(text: str, events: Mapping[str, list[Event]]) -> list[Event]:
    """The events of a text's line, or of the first line that an entry of several lines may have had."""
    return [event for words in (text, *_prefixes(text)) for event in events.get(words, ())]


def line_cores(line: str) -> set[str]:
    """What a line adds to the core text of its entry: with a comment at its end, and without it in case that is the entry's tag."""
    return {words for words in (core_of(line), core_of(_TAG.sub("", line))) if len(words) >= _SHORTEST}


def _prefixes(text: str) -> list[str]:
    """First lines that an entry of several lines may have: the text cut at each of its blanks, longest first."""
    cuts: list[str] = []
    at = text.find(" ")
    while at >= 0 and len(cuts) < _WORDS_TRIED - 1:
        cuts.append(text[:at])
        at = text.find(" ", at + 1)
    return cuts[::-1]
