"""Which section of one snapshot is which section of the other: files first, then headings (core.pairing does the entries).

A section is a heading with what stands under it up to the next heading of any level; section 0 is what stands above the first one.
Repeated headings are normal (306 of 1,604 public daily logs), so a heading is known by its content first and by its title second.
"""

from __future__ import annotations

from itertools import pairwise

from hoard_git.core.likeness import count_words, dice
from hoard_git.core.provenance import file_provenance, heading_provenances, passed_on
from hoard_git.core.units import heading_text, plain_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hoard_git.core.document import Heading
    from hoard_git.core.provenance import Provenance
    from hoard_git.core.units import Side

    Section = tuple["File", int]

MOST_PAIRS = 40_000
"""Comparisons spent on one group; beyond it only neighbours are compared, so that a rewritten file stays linear."""

_LIKE = 0.5
_MOST_HOLDERS = 8


class File:
    """One file of one side while it is compared. `place` holds one number a section, the same on both sides for a pair."""

    __slots__ = ("below", "bodies", "first", "headings", "name", "partner", "place", "provenances", "rank", "side", "whole")

    def __init__(self, side: Side, rank: int) -> None:
        """Cut a file into its sections."""
        document = side.document
        self.side = side
        self.rank = rank
        self.name = side.path
        self.whole = file_provenance(document, side.default)
        self.headings = heading_provenances(document, side.default)
        lines: Sequence[str] = document.lines
        if "\r" in "".join(lines):
            lines = tuple([line.removesuffix("\r") for line in lines])
        starts = [0, *[heading.line - 1 for heading in document.headings], len(lines)]
        self.bodies = [tuple(lines[start:stop]) for start, stop in pairwise(starts)]
        self.first = [0] * len(starts)
        for count, entry in enumerate(document.entries, 1):
            self.first[entry.heading + 2] = count
        for index in range(1, len(self.first)):
            self.first[index] = max(self.first[index], self.first[index - 1])
        self.place = [-1] * (len(starts) - 1)
        self.partner: list[Section | None] = [None] * (len(starts) - 1)
        self.provenances: dict[int, list[Provenance]] = {}
        self.below: list[list[str]] = []

    def heading(self, section: int) -> Heading:
        """The heading of a section other than 0."""
        return self.side.document.headings[section - 1]

    def inherited(self, section: int) -> Provenance:
        """What an entry of the section has without a tag of its own."""
        return passed_on(self.headings[section - 1]) if section else self.whole

    def count(self, section: int) -> int:
        """How many entries stand in a section."""
        return self.first[section + 1] - self.first[section]

    def texts(self, section: int) -> list[str]:
        """The texts of a section's entries."""
        return [plain_text(entry) for entry in self.side.document.entries[self.first[section] : self.first[section + 1]]]

    def content(self, section: int) -> set[str]:
        """What a heading is known by apart from its title: its entries' texts and the headings right under it."""
        if not self.below:
            self.below = [[] for _body in self.bodies]
            for heading in self.side.document.headings:
                self.below[heading.parent + 1].append(heading_text(heading))
        return {*self.below[section], *self.texts(section)}

    def parent_title(self, section: int) -> str:
        """The title of the enclosing heading, '' at the top."""
        parent = self.heading(section).parent
        return self.side.document.headings[parent].title if parent >= 0 else ""


class Matching:
    """Pairs the sections of two sets of files and numbers them."""

    def __init__(self, old: list[File], new: list[File]) -> None:
        """Pair files, then sections in them, then what is left anywhere."""
        self.numbers = 0
        self.files = _pair_files(old, new)
        for one, other in self.files:
            one.name = other.name
            self.pair((one, 0), (other, 0))
            self._same_sections(one, other)
        left_old = [(file, at) for file in old for at in range(1, len(file.bodies)) if file.partner[at] is None]
        left_new = [(file, at) for file in new for at in range(1, len(file.bodies)) if file.partner[at] is None]
        if left_old and left_new:
            self._by_keys(left_old, left_new)
        for file in (*old, *new):
            for at, place in enumerate(file.place):
                if place < 0:
                    file.place[at] = self._number()

    def _number(self) -> int:
        self.numbers += 1
        return self.numbers

    def pair(self, old: Section, new: Section) -> None:
        """Note that two sections are one."""
        number = self._number()
        old[0].place[old[1]] = new[0].place[new[1]] = number
        old[0].partner[old[1]] = new
        new[0].partner[new[1]] = old

    def _same_sections(self, old: File, new: File) -> None:
        """Pair what did not change: from the head, from the tail, then identical sections in between."""
        head, most = 1, min(len(old.bodies), len(new.bodies))
        while head < most and _same(old, head, new, head):
            self.pair((old, head), (new, head))
            head += 1
        tail = 1
        while tail <= most - head and _same(old, len(old.bodies) - tail, new, len(new.bodies) - tail):
            self.pair((old, len(old.bodies) - tail), (new, len(new.bodies) - tail))
            tail += 1
        left_old = [(old, at) for at in range(head, len(old.bodies) - tail + 1)]
        left_new = [(new, at) for at in range(head, len(new.bodies) - tail + 1)]
        self._by_key(left_old, left_new, lambda section: (section[0].bodies[section[1]], section[0].parent_title(section[1])))

    def _by_keys(self, old: list[Section], new: list[Section]) -> None:
        keys: list[Callable[[Section], object]] = [
            lambda s: (s[0].name, heading_text(s[0].heading(s[1])), s[0].parent_title(s[1]), s[0].heading(s[1]).tag),
            lambda s: (s[0].name, heading_text(s[0].heading(s[1])), s[0].parent_title(s[1])),
            lambda s: s[0].bodies[s[1]] if s[0].count(s[1]) else None,
            lambda s: (s[0].name, heading_text(s[0].heading(s[1]))),
            lambda s: (heading_text(s[0].heading(s[1])), s[0].heading(s[1]).tag),
            lambda s: heading_text(s[0].heading(s[1])),
        ]
        for key in keys:
            old, new = self._by_key(old, new, key)
            if not old or not new:
                return
        old, new = self._by_content(old, new)
        for group in (lambda s: (s[0].name, s[0].parent_title(s[1])), lambda s: s[0].name):
            old, new = self._by_likeness(old, new, group)

    def _by_key(self, old: list[Section], new: list[Section], key: Callable[[Section], object]) -> tuple[list[Section], list[Section]]:
        """Pair sections of one key; where several share it, those whose entries agree most, then in their order."""
        groups: dict[object, tuple[list[Section], list[Section]]] = {}
        for side, sections in enumerate((old, new)):
            for section in sections:
                value = key(section)
                if value is not None:
                    groups.setdefault(value, ([], []))[side].append(section)
        for olds, news in groups.values():
            if len(olds) > 1 or len(news) > 1:
                self._agreeing(olds, news)
            rest_old = [s for s in olds if s[0].partner[s[1]] is None]
            rest_new = [s for s in news if s[0].partner[s[1]] is None]
            for one, other in zip(rest_old, rest_new, strict=False):
                self.pair(one, other)
        return [s for s in old if s[0].partner[s[1]] is None], [s for s in new if s[0].partner[s[1]] is None]

    def _agreeing(self, olds: list[Section], news: list[Section]) -> None:
        if len(olds) * len(news) > MOST_PAIRS or not olds or not news:
            return
        sets_old = [file.content(at) for file, at in olds]
        sets_new = [file.content(at) for file, at in news]
        scored = [(len(a & b), i, j) for i, a in enumerate(sets_old) for j, b in enumerate(sets_new)]
        self._greedy([(score, i, j) for score, i, j in scored if score], olds, news)

    def _greedy(self, scored: Sequence[tuple[float, int, int]], olds: list[Section], news: list[Section]) -> None:
        for _score, i, j in best_first(scored):
            one, other = olds[i], news[j]
            if one[0].partner[one[1]] is None and other[0].partner[other[1]] is None:
                self.pair(one, other)

    def _by_content(self, old: list[Section], new: list[Section]) -> tuple[list[Section], list[Section]]:
        """A renamed heading: half of what stands under the smaller of both stands under the other one."""
        self._greedy(_votes([file.content(at) for file, at in old], [file.content(at) for file, at in new]), old, new)
        return [s for s in old if s[0].partner[s[1]] is None], [s for s in new if s[0].partner[s[1]] is None]

    def _by_likeness(
        self, old: list[Section], new: list[Section], group: Callable[[Section], object]
    ) -> tuple[list[Section], list[Section]]:
        words_old = [count_words(file.heading(at).title) for file, at in old]
        words_new = [count_words(file.heading(at).title) for file, at in new]
        scored = []
        for olds, news in grouped([group(s) for s in old], [group(s) for s in new]):
            for i, j in neighbours(olds, news):
                score = dice(words_old[i], words_new[j])
                if score >= _LIKE:
                    scored.append((score, i, j))
        self._greedy(scored, old, new)
        return [s for s in old if s[0].partner[s[1]] is None], [s for s in new if s[0].partner[s[1]] is None]


def _same(old: File, one: int, new: File, other: int) -> bool:
    return old.bodies[one] == new.bodies[other] and old.parent_title(one) == new.parent_title(other)


def _pair_files(old: list[File], new: list[File]) -> list[tuple[File, File]]:
    """Pair files of one path, then files that went with files that came when they share half of the smaller one's lines."""
    by_path = {file.side.path: file for file in old}
    pairs = [(by_path[file.side.path], file) for file in new if file.side.path in by_path]
    taken = {file.side.path for _old, file in pairs}
    gone = [file for file in old if file.side.path not in taken]
    came = [file for file in new if file.side.path not in taken]
    if not gone or not came:
        return pairs
    used_gone: set[int] = set()
    used_came: set[int] = set()
    for _count, i, j in best_first(_votes([_content(file) for file in gone], [_content(file) for file in came])):
        if i not in used_gone and j not in used_came:
            used_gone.add(i)
            used_came.add(j)
            pairs.append((gone[i], came[j]))
    return pairs


def _votes(old: list[set[str]], new: list[set[str]]) -> list[tuple[float, int, int]]:
    """Count what two sets share, for all pairs that share half of the smaller one; texts that many sets hold do not count."""
    holders: dict[str, tuple[list[int], list[int]]] = {}
    for side, sets in enumerate((old, new)):
        for at, texts in enumerate(sets):
            for text in texts:
                holders.setdefault(text, ([], []))[side].append(at)
    votes: dict[tuple[int, int], int] = {}
    for olds, news in holders.values():
        if len(olds) <= _MOST_HOLDERS and len(news) <= _MOST_HOLDERS:
            for i in olds:
                for j in news:
                    votes[i, j] = votes.get((i, j), 0) + 1
    return [(count, i, j) for (i, j), count in votes.items() if 2 * count >= min(len(old[i]), len(new[j]))]


def _content(file: File) -> set[str]:
    return {line for body in file.bodies for line in body if line.strip()}


def best_first(scored: Iterable[tuple[float, int, int]]) -> list[tuple[float, int, int]]:
    """Sort by score, then by how near the two stand in their order; the same in both directions."""
    return sorted(scored, key=lambda s: (-s[0], abs(s[1] - s[2]), s[1] + s[2]))


def grouped(old: Sequence[object], new: Sequence[object]) -> list[tuple[list[int], list[int]]]:
    """Group the positions of equal keys on both sides; only groups that have both."""
    groups: dict[object, tuple[list[int], list[int]]] = {}
    for side, keys in enumerate((old, new)):
        for at, key in enumerate(keys):
            groups.setdefault(key, ([], []))[side].append(at)
    return [group for group in groups.values() if group[0] and group[1]]


def neighbours(old: Sequence[int], new: Sequence[int]) -> Iterator[tuple[int, int]]:
    """All pairs of two lists; where that is too much, those that stand at about the same place of their lists."""
    if len(old) * len(new) <= MOST_PAIRS:
        for i in old:
            for j in new:
                yield i, j
        return
    width = max(1, MOST_PAIRS // (len(old) + len(new)))
    for at, i in enumerate(old):
        for j in new[max(0, at - width) : at + width + 1]:
            yield i, j
