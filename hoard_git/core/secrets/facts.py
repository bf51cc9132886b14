"""What the lines of a text hold that may announce or be a secret: keywords of rules, labels and solid runs, found line by line.

None of them crosses a line end, so what is known of a line holds wherever it stands. The lines that were not seen before are searched as one
text, and the last ones are remembered: a history brings the same lines again and again.
"""

from __future__ import annotations

from bisect import bisect_right

from hoard_git.core.lazy import lazy
from hoard_git.core.record import Record
from hoard_git.core.secrets import _table
from hoard_git.core.secrets.labels import find_labels
from hoard_git.core.secrets.text import lower, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Pair = tuple[str, tuple[int, ...]]
    Hit = tuple[int, int, int]

KEPT = 5 << 20
"""Characters of lines that are remembered."""

_HEAD = lazy(r"[0-9a-z]{1,12}[-_]")
_SOLID = lazy(r"(?<![0-9A-Za-z+/_.:=~@%!|#;&-])(?!(?:[a-z]++|[0-9]++)(?![0-9A-Za-z+/_.:=~@%!|#;&-]))[0-9A-Za-z+/_.:=~@%!|#;&-]{8,}+")
_DIGIT = lazy("[0-9]|[a-z][A-Z]")
_LONG = 12  # characters of a run that makes keywords of the name of a service count on its line


class Facts(Record):
    """What one line holds; places count from its start.

    `heads` are heads of keywords as the scan for heads sees them, `words` indices into KEYWORDS, `names` into `_table.LABELS` (only where a long
    run stands on the line), `runs` the solid runs with a digit or a change of case in them, `hits` the labels.
    """

    heads: tuple[str, ...] = ()
    words: tuple[int, ...] = ()
    names: tuple[int, ...] = ()
    runs: tuple[tuple[int, int], ...] = ()
    hits: tuple[Hit, ...] = ()


NOTHING = Facts()
_BY_HEAD = [(head, pair) for head, pairs in _table.HEADS.items() for pair in pairs]
KEYWORDS: tuple[Pair, ...] = (*(pair for _head, pair in _BY_HEAD), *_table.ANYWHERE, *_table.RUNS)
"""All keywords that count on any line: those with a head, those looked for anywhere, those of solid runs."""

HEAD_OF = tuple(head for head, _pair in _BY_HEAD)
"""The heads of the first of them."""

_ANYWHERE = len(HEAD_OF)
_RUNS = _ANYWHERE + len(_table.ANYWHERE)

_known: dict[str, Facts] = {}
_kept = 0


def facts_of(lines: Sequence[str]) -> list[Facts]:
    """Return the facts of each line."""
    found = [_known.get(line) for line in lines]
    if None not in found:
        return found  # type: ignore[return-value]
    fresh = list(dict.fromkeys([line for line, known in zip(lines, found, strict=True) if known is None]))
    new = _find(fresh)
    _remember(new)
    return [new[line] if known is None else known for line, known in zip(lines, found, strict=True)]


def _remember(new: dict[str, Facts]) -> None:
    global _kept
    _known.update(new)
    _kept += sum(map(len, new))
    while _kept > KEPT:
        oldest = next(iter(_known))
        del _known[oldest]
        _kept -= len(oldest)


def _find(lines: Sequence[str]) -> dict[str, Facts]:
    """Search lines as one text."""
    text = "\n".join(lines)
    low = lower(text)
    flat = plain(low)
    search = _Search(lines, text, low, flat)
    search.words(_table.ANYWHERE, _ANYWHERE)
    search.heads()
    search.runs()
    for hit in find_labels(text, low):
        at = search.line(hit[0])
        start = search.starts[at]
        search.hits.setdefault(at, []).append((hit[0] - start, hit[1] - start, hit[2]))
    return search.facts()


class _Search:
    """One search; each answer is filed under the number of its line."""

    def __init__(self, lines: Sequence[str], text: str, low: str, flat: str) -> None:
        self.lines, self.text, self.low, self.flat = lines, text, low, flat
        self.starts = [0]
        for line in lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.found_heads: dict[int, set[str]] = {}
        self.found_words: dict[int, set[int]] = {}
        self.names: dict[int, set[int]] = {}
        self.solid: dict[int, list[tuple[int, int]]] = {}
        self.hits: dict[int, list[Hit]] = {}

    def line(self, at: int) -> int:
        """The number of the line around a place."""
        return bisect_right(self.starts, at) - 1

    def _file(self, table: dict[int, set[int]], word: str, number: int) -> None:
        within = self.flat if word.isascii() else self.low
        at = within.find(word)
        while at >= 0:
            line = self.line(at)
            table.setdefault(line, set()).add(number)
            at = within.find(word, self.starts[line + 1])

    def words(self, pairs: Iterable[Pair], first: int) -> None:
        """File keywords that count wherever they stand."""
        for number, (word, _rules) in enumerate(pairs, first):
            if word in self.flat or not word.isascii():
                self._file(self.found_words, word, number)

    def heads(self) -> None:
        """File heads, and the keywords that begin with one."""
        ends = {
            found: kept
            for found in {*_HEAD.findall(self.flat)}
            if (kept := tuple(found[at:] for at in range(len(found)) if found[at:] in _table.HEADS))
        }
        for match in _HEAD.finditer(self.flat) if not ends.keys().isdisjoint(_table.HEADS) else ():
            if match.group() in _table.HEADS:
                self.found_heads.setdefault(self.line(match.start()), set()).add(match.group())
        wanted = {head for kept in ends.values() for head in kept}
        for number, head in enumerate(HEAD_OF):
            if head in wanted:
                self._file(self.found_words, KEYWORDS[number][0], number)

    def runs(self) -> None:
        """File solid runs, the keywords that count in them, and names of services on lines with a long one."""
        for match in _SOLID.finditer(self.text):
            run = match.group()
            if _DIGIT.search(run) is not None:
                start, end = match.span()
                line = self.line(start)
                self.solid.setdefault(line, []).append((start - self.starts[line], end - self.starts[line]))
        solid = {at: "\n".join([self.lines[at][a:b] for a, b in spans]).lower() for at, spans in self.solid.items()}
        joined = "\n".join(solid.values())
        for number, (word, _rules) in enumerate(_table.RUNS, _RUNS):
            if word in joined:
                for at, runs in solid.items():
                    if word in runs:
                        self.found_words.setdefault(at, set()).add(number)
        long = {at for at, spans in self.solid.items() if any(b - a >= _LONG for a, b in spans)}
        for number, (word, _rules) in enumerate(_table.LABELS if long else ()):
            if word in self.flat or not word.isascii():
                self._file(self.names, word, number)
        for at in self.names.keys() - long:
            del self.names[at]

    def facts(self) -> dict[str, Facts]:
        """Put the answers together; most lines share the one that says nothing."""
        touched = {*self.found_heads, *self.found_words, *self.names, *self.solid, *self.hits}
        return {
            line: NOTHING
            if at not in touched
            else Facts(
                tuple(self.found_heads.get(at, ())),
                tuple(self.found_words.get(at, ())),
                tuple(self.names.get(at, ())),
                tuple(self.solid.get(at, ())),
                tuple(self.hits.get(at, ())),
            )
            for at, line in enumerate(self.lines)
        }
