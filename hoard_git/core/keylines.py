"""Which entries of a log say most, judged by their words alone: a decision, a rule, what comes back, what names a number or a name.

No model is asked and nothing is rewritten: lines are chosen, and stay as they are. The weights were set by hand on real logs; what users accept
is verbatim facts, and what they reject are status lines, shell output and whatever a page has repeated often enough.
"""

from __future__ import annotations

import re
from math import log

from hoard_git.core import starts
from hoard_git.core._keywords import BREAKS, CHATTER, HEADERS, SHELL, SIGNS, WORDS
from hoard_git.core.likeness import count_words, dice
from hoard_git.core.record import Record
from hoard_git.core.units import core_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from hoard_git.core.document import Document, Entry
    from hoard_git.core.provenance import Provenance

SHARE, FEWEST, MOST = 0.25, 3, 40
"""At most this share of a log's entries are key lines, but up to `FEWEST` in a short one and no more than `MOST` in a long one."""

TRUSTED = ("user", "agent")
"""Whose repetition counts: what a tool, a page or a search said again is not more true for it."""

_WEIGHTS = {"mark": 3.0, "decision": 2.0, "preference": 2.0, "rule": 1.75, "deadline": 1.5, "fix": 1.5}
_AGAIN, _NUMBER, _NAME = 1.5, 0.5, 0.5
_UNTRUSTED, _LONG = -1.0, -1.0
_ENOUGH = 1.25
_ALIKE = 0.6
"""Share of words (core.likeness.dice) from which a second line adds nothing to the first."""

_LONGEST, _TOO_LONG = 400, 1500
_FEWEST_WORDS = 3
_FEW = 24
"""Characters that may follow the beginning of small talk, such as a time."""

_MARK = re.compile(r"(?<![\w`#\[])(?:#remember\b|\[remember\])(?!`)", re.ASCII | re.IGNORECASE)
_NAMED = re.compile(r"`[^`]+`|https?://|(?<=[^.!?:\s] )[A-Z][A-Za-z]{2,}|(?<![A-Za-z])[A-Z]{2,}(?![a-z])|[a-z][A-Z]|[\u300c\u300e\u300a]")
_DIGIT = re.compile(r"[0-9]")
LABEL = re.compile(r"[*_]{0,2}([A-Za-z][A-Za-z ]{1,18})[*_]{0,2}:[*_]{0,2}(?:\s|$)")
_LOG_LINE = re.compile(
    r"\[?(?:[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.,Z+]{5,20}\]?\s+)?\[?(?:DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|TRACE|FATAL)[\]:|]"
    r"|(?:at|File) \S{1,200}[(:\",] ?(?:[0-9(]|line)|Traceback \(|[{\[]\s*[\"{\[]|[0-9a-f]{7,40} \S+\(\S*\):"
)
_LONG_TOKEN = re.compile(r"(?<![\w/:.])[A-Za-z0-9+/_=-]{48,}")
_ENDS = " \t\r*_~\"')\u201d\u300d"


class Key(Record):
    """A key line: the number of its entry, its weight, and what speaks for it in one word ('' when only its place among the others does)."""

    entry: int
    score: float
    why: str


def find_keys(
    document: Document,
    claims: Collection[Provenance],
    *,
    seen: Mapping[str, int] | None = None,
    form: Callable[[str], str] = core_of,
    without: Collection[int] = (),
) -> list[Key]:
    """Choose the key lines of one log, in the order of the file.

    `seen` says on how many distinct days an entry of this form occurs; `without` are entries that stay anyway and are not counted. List items
    that enclose a key line count against the share, too: they have to stay with it.
    """
    provenance = list(claims)
    counted = [
        number for number, entry in enumerate(document.entries) if number not in without and entry.kind not in ("front", "reference")
    ]
    most = min(MOST, max(FEWEST, int(SHARE * len(counted))))
    rated = []
    central = _centrality(document, counted)
    for number in counted:
        if not is_statement(document.entries[number]):
            continue
        core = core_of(document.entries[number].text)
        score, why = weigh(core)
        if provenance[number].src not in TRUSTED:
            score += _UNTRUSTED
        elif seen is not None and seen.get(form(document.entries[number].text), 0) > 1:
            score, why = score + _AGAIN, why or "again"
        rated.append(Key(number, score + central[number], why))
    return _pick(document, rated, most)


def _pick(document: Document, rated: list[Key], most: int) -> list[Key]:
    """The heaviest, as many as may stay with the items around them, and none that says nearly what a heavier one says."""
    chosen: list[Key] = []
    held: set[int] = set()
    words: list[Mapping[str, int]] = []
    for key in sorted(rated, key=lambda key: (-key.score, key.entry)):
        if len(held) >= most or (len(chosen) >= FEWEST and key.score < _ENOUGH):
            break
        path = with_parents(document, key.entry)
        own = count_words(document.entries[key.entry].text)
        if len(held | path) > most or any(dice(own, others) >= _ALIKE for others in words):
            continue
        held |= path
        words.append(own)
        chosen.append(key)
    return sorted(chosen, key=lambda key: key.entry)


def count_days(logs: Iterable[tuple[int, Document, Collection[Provenance]]], form: Callable[[str], str]) -> dict[str, int]:
    """On how many distinct days each form of an entry stands in logs, as the user or the agent wrote it; logs come as (day, document, claims)."""
    found: dict[str, set[int]] = {}
    for day, document, claims in logs:
        for entry, claim in zip(document.entries, claims, strict=True):
            if claim.src in TRUSTED and entry.kind in ("item", "text") and len(entry.text) <= _TOO_LONG:
                found.setdefault(form(entry.text), set()).add(day)
    return {text: len(seen) for text, seen in found.items()}


def with_parents(document: Document, number: int) -> set[int]:
    """An entry and the list items that enclose it."""
    path = {number}
    while (parent := document.entries[number].parent) >= 0:
        path.add(parent)
        number = parent
    return path


def weigh(core: str) -> tuple[float, str]:
    """The weight of a statement by its own words (core.units.core_of), and the kind of word that weighs most."""
    kinds = kinds_of(core)
    why = max(kinds, key=lambda kind: (_WEIGHTS[kind], kind), default="")
    score = _WEIGHTS.get(why, 0.0)
    if _DIGIT.search(core):
        score, why = score + _NUMBER, why or "number"
    if _NAMED.search(core):
        score, why = score + _NAME, why or "name"
    if len(core) > _LONGEST:
        score += _LONG
    return score, why


def kinds_of(core: str) -> set[str]:
    """Which kinds of key words a statement holds: decision, preference, rule, deadline, fix, mark."""
    words = set(count_words(core[:_TOO_LONG]))
    found = {kind for kind, group in WORDS.items() if not words.isdisjoint(group)}
    if any(char >= "\u2e80" for char in core):
        found |= {kind for kind, signs in SIGNS.items() if any(sign in core for sign in signs)}
    if is_marked(core):
        found.add("mark")
    return found


def is_marked(core: str) -> bool:
    """Whether somebody asked to keep this: `#remember` or `[remember]`, not in a code span."""
    return "remember" in core.lower() and _MARK.search(core) is not None


def is_statement(entry: Entry) -> bool:
    """Whether an entry says something in prose: no code, log or shell line, question, heading of a list, session header or small talk."""
    if entry.kind not in ("item", "text") or len(entry.text) > _TOO_LONG:
        return False
    core = core_of(entry.text)
    bare = core.rstrip(_ENDS)
    if any(starts.role_of(line) for line in entry.text.split("\n")):
        return False  # a part of a chat
    if not bare or bare[-1] in "?\uff1f:\uff1a" or is_chatter(core) or _is_output(core):
        return False
    if (label := LABEL.match(core)) and label[1].strip().lower() in HEADERS:
        return False
    words = count_words(core)
    return sum(words.values()) >= _FEWEST_WORDS or (len(words) > 1 and bool(kinds_of(core)))


def is_chatter(core: str) -> bool:
    """Whether a line only reports that nothing happened, or that something ran; a label such as `**Mail:**` before that does not count."""
    if kinds_of(core):
        return False
    label = LABEL.match(core)
    told = [core, core[label.end() :]] if label else [core]
    for text in told:
        words = " ".join(re.findall(r"[^\W_]+", text.lower()[:200]))
        if any(words == phrase or (words.startswith(phrase) and len(words) - len(phrase) <= _FEW) for phrase in CHATTER):
            return True
    return False


def _is_output(core: str) -> bool:
    """Whether a line was printed by a program or typed into a shell."""
    if core[0] == "`" and core.rstrip(_ENDS)[-1:] == "`" and core.count("`") == 2:
        return True
    if _LOG_LINE.match(core) or _LONG_TOKEN.search(core):
        return True
    first, _, rest = core.partition(" ")
    if first in ("$", ">", "#", "%", ">>>"):
        return True
    return first in SHELL and (rest[:1] == "-" or any(sign in core for sign in BREAKS)) and not kinds_of(core)


def _centrality(document: Document, numbers: Collection[int]) -> dict[int, float]:
    """For each entry, the share (0 to 1) of what its words tell apart that other entries of the file talk about, too."""
    words = {number: set(count_words(document.entries[number].text[:_TOO_LONG])) for number in numbers}
    in_entries: dict[str, int] = {}
    for of_entry in words.values():
        for word in of_entry:
            in_entries[word] = in_entries.get(word, 0) + 1
    total = len(words)
    worth = {word: log((total + 1) / count) for word, count in in_entries.items()}
    found = {}
    for number, of_entry in words.items():
        ordered = sorted(of_entry)  # sums of floats depend on their order
        whole = sum(worth[word] for word in ordered)
        shared = sum(worth[word] for word in ordered if 1 < in_entries[word] <= max(2, total // 2))
        found[number] = shared / whole if whole else 0.0
    return found
