"""The proof that a change of trees loses no entry: each one that left is elsewhere, in the archive, said by a twin, or named as gone (DESIGN §9).

The plan of a consolidation is held against it before anything is written, and CI holds the commit against it again (HG703).
"""

from __future__ import annotations

from hoard_git.core.files import log_day
from hoard_git.core.lazy import lazy
from hoard_git.core.links import is_same_text, resolved
from hoard_git.core.model import RANK
from hoard_git.core.pointers import without_count
from hoard_git.core.provenance import provenances
from hoard_git.core.record import Record
from hoard_git.core.sameness import is_sentence, same_form
from hoard_git.core.slugs import slug
from hoard_git.core.units import Side, Unit, core_of, entry_unit, plain_text
from hoard_git.core.whereabouts import ARCHIVE, DUPLICATE, HISTORY, parse_removal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from hoard_git.core.document import Entry
    from hoard_git.core.tags import Tag
    from hoard_git.core.whereabouts import Removal

    Elsewhere = Callable[[Sequence[str]], Iterable[Side]]
    """Files that the change leaves alone and that hold any of these texts."""
    LinesAt = Callable[[str, str, int, int], Sequence[str] | None]
    """The 1-based lines `first` to `last` of a path in an earlier commit by its oid; None where there is no such thing."""

CODE_KINDS = ("code", "front", "transcript", "html")
"""Kinds of entries in which nothing is a markdown link."""

_TARGET = lazy(r"\]\([^)\n]{0,2000}")
_EMPTY = frozenset(("", "-", "+", "*", "\u2022"))


class Fact(Record):
    """An entry as it is counted: its place, its words as written and with links as repository paths, and its source.

    `path`, `line` and `number` (among the document's entries) say where; `title` is its heading's slug, without a leading date. `day` is that
    of the daily log that it stands in, `first` its first line as it is searched for, and `text` all of it, with links as in `linked`.
    """

    path: str
    line: int
    end_line: int
    number: int
    core: str
    linked: str
    src: str
    id: str
    title: str
    day: int | None
    first: str
    text: str


def side_of(path: str, file_class: str, data: bytes, default: Tag | None = None) -> Side:
    """Read one file for the count; one that is packed with gzip counts with what is in it. Raises HoardError for damaged gzip."""
    from hoard_git.core.markdown import parse

    if data[:1] == b"\x1f":
        from hoard_git.core.unwrap import unwrap

        inner = unwrap(data, path)
        data = data if inner is None else inner
    return Side(path, file_class, parse(data), default)


def linked_text(entry: Entry, path: str) -> str:
    """An entry's text with its relative links as repository paths: the same for a fact whose links were written for another file."""
    text = plain_text(entry)
    return text if entry.kind in CODE_KINDS else resolved(text, path)


def facts_of(side: Side) -> list[Fact]:
    """The entries of one file, without those that hold nothing."""
    document = side.document
    titles = [slug(heading.title) for heading in document.headings]
    is_log = side.file_class == "daily" or "/archive/logs/" in f"/{side.path}"
    day = log_day(side.path) if is_log else None
    found = []
    for number, (entry, claim) in enumerate(zip(document.entries, provenances(document, side.default), strict=True)):
        text = plain_text(entry)
        core = without_count(core_of(text))
        if core in _EMPTY:
            continue
        first = core_of(text.split("\n", 1)[0]) if "\n" in text else core
        text = linked_text(entry, side.path)
        linked = without_count(core_of(text)) if "](" in core or "]:" in core else core
        title = titles[entry.heading] if entry.heading >= 0 else ""
        found.append(Fact(side.path, entry.line, entry.end_line, number, core, linked, claim.src, claim.id, title, day, first, text))
    return found


def find_unaccounted(
    before: Iterable[Side], after: Iterable[Side], named: Iterable[tuple[str, int, int]] = (), *, elsewhere: Elsewhere | None = None
) -> list[Unit]:
    """Return the entries of `before` that the change loses, in the order of paths and lines.

    An entry is accounted for when it stands somewhere after the change, active or archived, with its words and its source; when a twin that
    says the same with no lower source was there before and stays; or when `named` has its place: path, first and last line before the change. A twin of a
    few words counts under the same heading only. Files that are the same on both sides may be left out when `elsewhere` can find them.
    """
    return Books(before, after, elsewhere=elsewhere).unaccounted(named)


class Books:
    """The count of one change: what left its place, what is gone from everywhere, and whether a claim about it is true."""

    def __init__(
        self, before: Iterable[Side], after: Iterable[Side], *, elsewhere: Elsewhere | None = None, lines_at: LinesAt | None = None
    ) -> None:
        """Count both sides. Without `lines_at` only the lines of `before` itself can be named."""
        self._before = {side.path: side for side in before}
        self._after = {side.path: side for side in after}
        self._elsewhere = elsewhere
        self._lines_at = lines_at
        old, self._new = self._count()
        self._old = old
        self.left, new, _stayed = _unmatched(old, self._new, _HERE)
        displaced = {_HERE[-1](fact) for fact in self.left}
        self.displaced = [fact for fact in old if _HERE[-1](fact) in displaced]
        """What left its place; of equal entries in one file, all of which one did."""
        went = self.left
        self.left, new, self._copies = _unmatched(self.left, new, _ANYWHERE)
        self.left, new = self._without_relinked(self.left, new)
        lost = {(fact.path, fact.line) for fact in self.left}
        self._moved = [fact for fact in went if (fact.path, fact.line) not in lost]
        fresh = {(fact.path, fact.line) for fact in new}
        self._survivors = [fact for fact in self._new if (fact.path, fact.line) not in fresh]
        self._forms: dict[str, list[Fact]] | None = None

    def _count(self) -> tuple[list[Fact], list[Fact]]:
        old, new = ([fact for path in sorted(sides) for fact in facts_of(sides[path])] for sides in (self._before, self._after))
        return old, new

    def _without_relinked(self, left: list[Fact], new: list[Fact]) -> tuple[list[Fact], list[Fact]]:
        """Take off entries of which some links were written for the new place and others left as they were."""
        waiting: dict[tuple[str, str, int], list[Fact]] = {}
        for twin in new:
            if "](" in twin.core:
                waiting.setdefault(_around_links(twin), []).append(twin)
        kept = []
        taken = set()
        for fact in left:
            alike = waiting.get(_around_links(fact), []) if waiting and "](" in fact.core else []
            twin_at = next((at for at, twin in enumerate(alike) if self._is_relinked(fact, twin)), -1)
            if twin_at < 0:
                kept.append(fact)
            else:
                twin = alike.pop(twin_at)
                taken.add((twin.path, twin.line))
                self._copies[fact.path, fact.line] = twin
        return kept, [twin for twin in new if (twin.path, twin.line) not in taken]

    def _is_relinked(self, fact: Fact, twin: Fact) -> bool:
        one, other = self._before[fact.path].document.entries[fact.number], self._after[twin.path].document.entries[twin.number]
        return is_same_text(core_of(plain_text(one)), fact.path, core_of(plain_text(other)), twin.path)

    # ---------------------------------------------------------------- the proof

    def unaccounted(self, named: Iterable[tuple[str, int, int]] = ()) -> list[Unit]:
        """The entries that are gone and neither said by a twin nor named; see `find_unaccounted`."""
        ranges: dict[str, list[tuple[int, int]]] = {}
        for path, first, last in named:
            ranges.setdefault(path, []).append((first, last))

        def is_named(fact: Fact) -> bool:
            return any(a <= fact.line and fact.end_line <= b for a, b in ranges.get(fact.path, ()))

        def is_excused(fact: Fact) -> bool:
            return is_named(fact) or self._has_twin(fact, besides=self._copies.get((fact.path, fact.line)))

        rest = self._exchanged([fact for fact in self.left if not is_named(fact) and not self._has_twin(fact)], is_excused)
        if rest and self._elsewhere is not None:
            known = [fact for side in self._elsewhere(sorted({fact.first for fact in rest})) for fact in facts_of(side)]
            forms = _by_form(known)

            def is_said(fact: Fact) -> bool:
                return any(says_same(fact, twin) for twin in forms.get(same_form(fact.text), ()))

            rest = self._exchanged([fact for fact in rest if not is_said(fact)], is_said)
        return [self.unit(fact) for fact in rest]

    def _exchanged(self, rest: list[Fact], is_excused: Callable[[Fact], bool]) -> list[Fact]:
        """Take off what needs no excuse because an equal entry has one: which of two equal ones a copy stands for, nobody can tell."""
        if not rest:
            return rest
        wanted = {key(fact) for fact in rest for key in _ALIKE}
        spare = [fact for fact in self._moved if any(key(fact) in wanted for key in _ALIKE) and is_excused(fact)]
        kept = []
        for fact in rest:
            other = next((other for other in spare if any(key(other) == key(fact) for key in _ALIKE)), None)
            if other is None:
                kept.append(fact)
            else:
                spare.remove(other)
        return kept

    def _has_twin(self, fact: Fact, *, besides: Fact | None = None) -> bool:
        """Whether something that was there before says the same; `besides` leaves out the fact's own copy."""
        if self._forms is None:
            self._forms = _by_form(self._survivors)
        return any(twin is not besides and says_same(fact, twin) for twin in self._forms.get(same_form(fact.text), ()))

    def unit(self, fact: Fact) -> Unit:
        """An entry of `before` as a unit."""
        side = self._before[fact.path]
        return entry_unit(side, fact.number, provenances(side.document, side.default)[fact.number])

    # ---------------------------------------------------------------- claims

    def judge(self, value: str) -> tuple[str, list[tuple[str, int, int]]]:
        """Say what is wrong with the value of a Memory-Removed trailer, '' when it is true, and which places it names.

        It is true when an entry that left its place, of that id where one is given, is where the line says. The problem is a clause.
        """
        removal = parse_removal(value)
        if removal is None:
            return "is not of the form that says where an entry went", []
        if removal.verb == HISTORY:
            return self._judge_history(removal)
        if removal.verb == DUPLICATE:
            return self._judge_duplicate(removal)
        side = self._after.get(removal.path) or self._find_file(removal)
        if side is None or (removal.verb == ARCHIVE) != _is_archive(side):
            return f"names a file that is no {'archive' if removal.verb == ARCHIVE else 'active memory'} after the change", []
        there = facts_of(side)
        words = {fact.core for fact in there} | {fact.linked for fact in there}
        named = [fact for fact in self._candidates(removal) if fact.core in words or fact.linked in words]
        return ("" if named else "names a file that does not hold what left"), _places(named)

    def _candidates(self, removal: Removal) -> list[Fact]:
        return [fact for fact in self.displaced if not removal.id or fact.id == removal.id]

    def _find_file(self, removal: Removal) -> Side | None:
        """A file that the change leaves alone, when it holds anything that left."""
        if self._elsewhere is None:
            return None
        needles = sorted({fact.first for fact in self._candidates(removal)})
        return next((side for side in self._elsewhere(needles) if side.path == removal.path), None)

    def _judge_duplicate(self, removal: Removal) -> tuple[str, list[tuple[str, int, int]]]:
        twins = [fact for fact in self._new if fact.id == removal.twin]
        if not twins and self._elsewhere is not None:
            twins = [fact for side in self._elsewhere([f"id:{removal.twin}"]) for fact in facts_of(side) if fact.id == removal.twin]
        if not twins:
            return "names a twin that is not there", []
        named = [fact for fact in self._candidates(removal) if any(says_same(fact, twin) for twin in twins)]
        return ("" if named else "names a twin that does not say the same with the same trust"), _places(named)

    def _judge_history(self, removal: Removal) -> tuple[str, list[tuple[str, int, int]]]:
        first, last = removal.lines
        side = self._before.get(removal.path)
        ours = side.document.lines[first - 1 : last] if side is not None else ()
        lines = self._lines_at(removal.oid, removal.path, first, last) if self._lines_at is not None else ours
        if lines is None or len(lines) < last - first + 1:
            return "names lines that no commit before this one has", []
        # an id that stands twice afterwards may have been taken for the entry that changed: its words are there all the same
        named_by_id = [fact for fact in self._old if removal.id and fact.id == removal.id]
        here = [fact for fact in named_by_id or self._candidates(removal) if fact.path == removal.path]
        if tuple(lines) == tuple(ours):
            named = [fact for fact in here if first <= fact.line and fact.end_line <= last]
        else:
            text = core_of(" ".join(" ".join(lines).split()))
            named = [fact for fact in here if fact.core in text]
        return ("" if named else "names lines that do not hold what left"), _places(named)


def _around_links(fact: Fact) -> tuple[str, str, int]:
    """What an entry shares with itself when only targets of its links were written anew: its source, and what stands outside of them."""
    return fact.src, _TARGET.sub("](", fact.core), fact.core.count("](")


def says_same(fact: Fact, twin: Fact) -> bool:
    """Whether a twin stands for a fact that may go: it says the same with no lower source.

    A fact of a few words says the same under the same heading only, and what two days' logs say happened twice.
    """
    form = same_form(fact.text)
    if RANK[twin.src] < RANK[fact.src] or same_form(twin.text) != form:
        return False
    if fact.day is not None and twin.day is not None and fact.day != twin.day:
        return False
    return is_sentence(form) or (fact.title == twin.title and (bool(fact.title) or fact.path == twin.path))


def _by_form(facts: Iterable[Fact]) -> dict[str, list[Fact]]:
    found: dict[str, list[Fact]] = {}
    for fact in facts:
        found.setdefault(same_form(fact.text), []).append(fact)
    return found


def _is_archive(side: Side) -> bool:
    return side.file_class == "archive" or side.path.lower().endswith(".gz")


def _places(facts: Iterable[Fact]) -> list[tuple[str, int, int]]:
    return [(fact.path, fact.line, fact.end_line) for fact in facts]


# -------------------------------------------------------------------- matching

_HERE: tuple[Callable[[Fact], object], ...] = (
    lambda fact: (fact.path, fact.text, fact.src, fact.title),
    lambda fact: (fact.path, fact.core, fact.src, fact.title),
    lambda fact: (fact.path, fact.core, fact.src),
)
"""What an entry that stays in its file shares with itself afterwards, the closest first."""

_ANYWHERE: tuple[Callable[[Fact], object], ...] = (
    lambda fact: (fact.day, fact.text, fact.src),
    lambda fact: (fact.day, fact.linked, fact.src),
    lambda fact: (fact.core, fact.linked, fact.src),
    lambda fact: (fact.linked, fact.src),
    lambda fact: (fact.core, fact.src),
)
"""What it shares with itself in another file: its log's day, links written for the new place, or left as they were."""

_ALIKE = _ANYWHERE[-2:]


def _unmatched(
    old: Sequence[Fact], new: Sequence[Fact], keys: Collection[Callable[[Fact], object]]
) -> tuple[list[Fact], list[Fact], dict[tuple[str, int], Fact]]:
    """Take each entry off against one of the other side that has the same key, key by key.

    Return what is left of both, in order, and what each of the others was taken off against, by path and line.
    """
    rest_old, rest_new = list(old), list(new)
    pairs: dict[tuple[str, int], Fact] = {}
    for key in keys:
        if not rest_old or not rest_new:
            break
        waiting: dict[object, list[int]] = {}
        for at in range(len(rest_new) - 1, -1, -1):
            waiting.setdefault(key(rest_new[at]), []).append(at)
        taken: set[int] = set()
        kept = []
        for fact in rest_old:
            twins = waiting.get(key(fact))
            if twins:
                at = twins.pop()
                taken.add(at)
                pairs[fact.path, fact.line] = rest_new[at]
            else:
                kept.append(fact)
        rest_old, rest_new = kept, [fact for at, fact in enumerate(rest_new) if at not in taken]
    return rest_old, rest_new, pairs
