"""Run the rule table over a text: keyword gate, then each awake rule's regex in a window around its keyword.

A regex is compiled when its keyword is first seen. A long line is read in windows of 8 KiB that begin 512 characters before a keyword, so a
token longer than an overlap is still whole in the window of its own keyword.
"""

from __future__ import annotations

import re
from functools import lru_cache

from hoard_git.core.record import Record
from hoard_git.core.secrets import _table, values
from hoard_git.core.secrets.checks import CHECKS
from hoard_git.core.secrets.facts import HEAD_OF, KEYWORDS, NOTHING
from hoard_git.core.secrets.text import glued

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hoard_git.core.secrets.facts import Facts

    Row = tuple[str, str, str, int, str, bool, float, tuple[str, ...]]
    Found = tuple[int, int, str, str, bool]
    Tick = Callable[[], None]

WINDOW = 8192
LEAD = 512
LONGEST_KEPT = 4096  # characters of a run for which the rules are remembered

_COMPILED: dict[str, re.Pattern[str]] = {}


class Ruleset(Record):
    """Rules of a scan, as plain values.

    `rows` are further rules of the user; `disabled` are ids of built-in rules that are off; `builtin` says whether the built-in rules (and the
    grammar of natural language) run; `allow` holds allowlists as (rule ids or empty for all, target, regexes, stop words, all must match),
    target being "secret", "match" or "line"; `by_path` holds (rule id or "" for all, regex, whether the rule runs only on paths that match or
    never on them), which `for_path` applies.
    """

    rows: tuple[Row, ...] = ()
    disabled: tuple[str, ...] = ()
    builtin: bool = True
    allow: tuple[tuple[tuple[str, ...], str, tuple[str, ...], tuple[str, ...], bool], ...] = ()
    by_path: tuple[tuple[str, str, bool], ...] = ()

    def for_path(self, path: str) -> Ruleset:
        """Return the rules that hold for a file; the path is relative to the repository, with forward slashes."""
        off: set[str] = set()
        for name, pattern, only in self.by_path:
            if (compiled(pattern).search(path) is not None) != only:
                if not name:
                    return Ruleset((), self.disabled, builtin=False)
                off.add(name)
        if not off:
            return self
        rows = tuple(row for row in self.rows if row[0] not in off)
        return self._replace(rows=rows, disabled=(*self.disabled, *sorted(off)))

    @staticmethod
    def from_data(data: dict[str, object]) -> Ruleset:
        """Return the rule set that `to_data` described; ValueError when the data is of another version or shape."""
        return ruleset_from_data(data)

    def to_data(self) -> dict[str, object]:
        """Return the rule set in JSON's types."""
        return {
            "version": 1,
            "rows": [[*row[:-1], list(row[-1])] for row in self.rows],
            "disabled": list(self.disabled),
            "builtin": self.builtin,
            "allow": [[list(a), b, list(c), list(d), e] for a, b, c, d, e in self.allow],
            "by_path": [list(entry) for entry in self.by_path],
        }


BUILTIN = Ruleset()


def ruleset_from_data(data: dict[str, object]) -> Ruleset:
    """Return the rule set that `Ruleset.to_data` described; ValueError when the data is of another version or shape."""
    if data.get("version") != 1:
        message = "not a rule set of version 1"
        raise ValueError(message)
    try:
        rows = tuple((*row[:-1], tuple(row[-1])) for row in data["rows"])  # type: ignore[attr-defined]
        allow = tuple((tuple(a), b, tuple(c), tuple(d), e) for a, b, c, d, e in data["allow"])  # type: ignore[attr-defined]
        by_path = tuple((a, b, c) for a, b, c in data["by_path"])  # type: ignore[attr-defined]
        disabled = tuple(str(name) for name in data["disabled"])  # type: ignore[attr-defined]
        builtin = bool(data["builtin"])
    except (KeyError, TypeError, IndexError, ValueError) as error:
        message = "a rule set's data is damaged"
        raise ValueError(message) from error
    return Ruleset(rows, disabled, builtin, allow, by_path)


def compiled(pattern: str) -> re.Pattern[str]:
    """Return a regex, compiled once."""
    found = _COMPILED.get(pattern)
    if found is None:
        found = _COMPILED[pattern] = re.compile(pattern)
    return found


def _places(low: str, word: str) -> list[int]:
    out = []
    at = low.find(word)
    while at >= 0:
        out.append(at)
        at = low.find(word, at + len(word))
    return out


def row_of(number: int) -> Row:
    """Return a built-in rule; the rules are read when the first one may match."""
    from hoard_git.core.secrets._rules import RULES

    return RULES[number]


class Gate(Record):
    """What a first look at a text found: keywords that are there, with their rules, and long runs."""

    words: list[tuple[str, tuple[int, ...]]]
    labels: list[tuple[str, tuple[int, ...]]]
    lines: list[tuple[int, int]]
    runs: list[tuple[int, int]]


def look(text: str, facts: Sequence[Facts], *, builtin: bool) -> Gate:
    """Take the first look; `facts` are those of the lines of the text."""
    if not builtin:
        return Gate([], [], [], [])
    heads: set[str] = set()
    words: set[int] = set()
    names: set[int] = set()
    lines: list[tuple[int, int]] = []
    runs: list[tuple[int, int]] = []
    at = 0
    for line, found in zip(text.split("\n"), facts, strict=True):
        if found is not NOTHING:
            heads.update(found.heads)
            words.update(found.words)
            names.update(found.names)
            if any(end - start >= 12 for start, end in found.runs):
                lines.append((at, at + len(line)))
                runs += [(at + start, at + end) for start, end in found.runs if end - start >= 24 and not line[start:end].isalpha()]
        at += len(line) + 1
    awake = [KEYWORDS[number] for number in sorted(words) if number >= len(HEAD_OF) or HEAD_OF[number] in heads]
    return Gate(awake, [_table.LABELS[number] for number in sorted(names)], lines, runs)


def awake(low: str, gate: Gate) -> dict[int, list[int]]:
    """Return the places of the keywords of each rule that may match."""
    places: dict[int, list[int]] = {}
    for word, numbers in gate.words:
        spots = _places(low, word)
        for number in numbers:
            places.setdefault(number, []).extend(spots)
    for word, numbers in gate.labels:
        spots = [at for at in _places(low, word) if any(a <= at < b for a, b in gate.lines)]
        for number in numbers:
            places.setdefault(number, []).extend(spots)
    return places


def scan(text: str, low: str, gate: Gate, rules: Ruleset, tick: Tick) -> Iterator[Found]:
    """Yield (start, end, rule, phrase, certain) of every value that a rule finds in the text."""
    places = awake(low, gate)
    for number, spots in places.items():
        row = row_of(number)
        if row[0] not in rules.disabled:
            tick()
            spots.sort()
            yield from _run(row, text, spots)
    for start, end in gate.runs:
        tick()
        numbers = (_in_run if end - start <= LONGEST_KEPT else _in_run.__wrapped__)(low[start:end])
        for at in range(start, end, WINDOW - LEAD) if numbers else ():
            for number in numbers:
                row = row_of(number)
                if row[0] not in rules.disabled:
                    yield from _matches(row, text, at, min(end, at + WINDOW), text.rfind("\n", 0, start) + 1, end)
    for row in rules.rows:
        tick()
        yield from _run_user(row, text, low)


@lru_cache(maxsize=1 << 12)
def _in_run(run: str) -> tuple[int, ...]:
    """Return the rules of long runs of which a needle is in this one, in lower case."""
    return tuple(number for number in _table.LONG if any(needle in run for needle in row_of(number)[7][1:]))


def _run(row: Row, text: str, spots: list[int]) -> Iterator[Found]:
    covered = -1
    for spot in spots:
        if spot < covered:
            continue
        first = text.rfind("\n", 0, spot) + 1
        last = text.find("\n", spot)
        last = len(text) if last < 0 else last
        start = max(first, spot - LEAD)
        stop = min(last, start + WINDOW)
        covered = last if stop == last else stop - 2 * LEAD
        yield from _matches(row, text, start, stop, first, last)


def _run_user(row: Row, text: str, low: str) -> Iterator[Found]:
    """Run a user's rule on every line that holds one of its keywords, or on all lines if it has none."""
    if row[7]:
        spots = sorted(at for word in row[7] for at in _places(low, word))
        yield from _run(row, text, spots)
        return
    at = 0
    size = len(text)
    while at <= size:
        last = text.find("\n", at)
        last = size if last < 0 else last
        for start in range(at, max(last, at + 1), WINDOW - LEAD):
            yield from _matches(row, text, start, min(last, start + WINDOW), at, last)
        at = last + 1


def _matches(row: Row, text: str, start: int, stop: int, first: int, last: int) -> Iterator[Found]:
    rule, what, pattern, group, check, certain, least, _ = row
    for match in compiled(pattern).finditer(text, start, stop):
        if stop < last and match.end() == stop and match.end() - match.start() < 2 * LEAD:
            continue
        taken = group if group >= 0 else next((n for n in range(1, len(match.groups()) + 1) if match.group(n)), 0)
        s, e = match.span(taken)
        if s < 0 or s == e:
            continue
        value = match.group(taken)
        if check != "user" and values.is_placeholder(value) or least and values.entropy(value) < least:
            continue
        verdict = CHECKS[check](value, text[max(first, match.start() - 200) : s], match.group())
        if verdict is not None:
            yield s, e, rule, what, verdict and certain


def scan_glued(
    text: str, low: str, gate: Gate, rules: Ruleset, taken: list[tuple[int, int]], tick: Tick
) -> Iterator[tuple[int, int, str, str, bool, str]]:
    """Yield keys that are split by blanks, line ends, quotes or plus signs: the pieces after a known prefix, put together, must fit its rule.

    The match must end where a piece ends and no piece may be a word, so that prose after a prefix is not taken for a key.
    """
    words = [pair for pair in gate.words if pair[0].replace(".", "").isalnum() and len(pair[0]) >= 3 or pair[0][-1] in "_-"]
    for word, numbers in words:
        covered = -1
        for spot in _places(low, word):
            if spot < covered or spot and text[spot - 1].isalnum() or any(a <= spot < b for a, b in taken):
                continue
            tick()
            covered = spot + 64
            for number in numbers:
                row = row_of(number)
                if row[3] or row[4] in {"labelled", "jwt"} or row[0] in rules.disabled:
                    continue
                fit = _fit(row, text, spot)
                if fit is not None:
                    yield *fit[:2], row[0], row[1], row[5], fit[2]
                    break


def _fit(row: Row, text: str, spot: int) -> tuple[int, int, str] | None:
    whole, back, ends = glued(text, spot, 400)
    usable = 0
    for number, end in enumerate(ends):
        piece = whole[ends[number - 1] if number else 0 : end]
        if number and (piece.isalpha() and (piece.islower() or piece.istitle()) or not any(c.isalnum() for c in piece)) and len(piece) < 16:
            break
        usable = number
    for number in range(usable, 0, -1):
        value = whole[: ends[number]].rstrip(".,:;")
        match = compiled(row[2]).fullmatch(value)
        if match is not None and CHECKS[row[4]](value, "", value) and not values.is_placeholder(value) and _random_enough(value):
            return spot, back[len(value) - 1] + 1, value
    return None


def _random_enough(value: str) -> bool:
    digits = sum(c.isdigit() for c in value[4:])
    return digits >= max(2, len(value) // 20) and values.entropy(value) >= 3.0
