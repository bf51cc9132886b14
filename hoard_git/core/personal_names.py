"""Names of people in running text: those of a list, and what stands behind a title. No name is guessed."""

from __future__ import annotations

import re

from hoard_git.core._wordnames import WORDS
from hoard_git.core.lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hoard_git.core.document import Document

_SHORTEST = 3
_MOST = 2000
_TITLED = lazy(
    r"(?<![\w./@-])(?:Dr|Mr|Mrs|Ms|Miss|Prof|Herr|Frau|Mevr|Dhr|Mme|Mlle|Sr|Sra)(?:\.[ \xa0]?|[ \xa0])([A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ]{2,30}(?:-[A-ZÀ-ÖØ-Þ][\w]{1,30})?)(?![\w@/])"
)
_PART = lazy(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NO_PERSON = lazy(
    r"\[bot\]|\b(?:bot|agent|ci|robot|actions?|dependabot|renovate|root|admin|user|github|gitlab|unknown|openclaw|claude|codex)\b", 2
)
_CUE = lazy(
    r"\b(?:call|called|ask|asked|tell|told|ping|remind|email|mail|thank|thanks to|invite|visit|meet|met|with|by|dear|hi|hello|for|and|from mr|reach)[ \t]{1,2}$",
    2,
)
_NOT_NAMES = (
    "name names people person contact contacts family friends team work colleagues notes misc other others role email phone birthday personal private "
    "neighbours neighbors clients customers doctors school"
)
_HEADS = frozenset(_NOT_NAMES.split())
_PARTICLES = frozenset(("de", "van", "von", "der", "den", "da", "di", "la", "le", "bin", "al"))
_BOLD = lazy(r"(?:[-*+]|[0-9]{1,3}[.)])?\s{0,4}(?:\[[ xX]\] )?(?:\*\*|__)\[?([^*_\]\n]{2,60}?)\]?:?(?:\*\*|__)")
_LEAD = lazy(
    r"(?:[-*+]|[0-9]{1,3}[.)])\s{1,4}(?:\[[ xX]\] )?\[{0,2}([^\W\d_][^:|(\[\]\n]{1,60}?)\]{0,2}(?=\s*(?::|\(|\]|\||[–—]|,| - | <|$))"
)
_ROW = lazy(r"\|\s*(?:\*\*)?([^\W\d_][^|*]{1,60}?)(?:\*\*)?\s*\|")


def find_names(text: str, names: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield 0-based spans of names: whole ones of the list, in the case they have there or in capitals, and names behind a title.

    A name that is an ordinary word as well (Mark, Grace, May) counts only beside another name or where the sentence speaks to a person.
    """
    spans: list[tuple[int, int]] = []
    doubtful: list[tuple[int, int]] = []
    pattern = _pattern(tuple(names))
    for match in pattern.finditer(text) if pattern is not None else ():
        (doubtful if match.group().lower() in WORDS else spans).append(match.span())
    spans += [match.span(1) for match in _TITLED.finditer(text)]
    for start, end in doubtful:
        beside = any(0 < start - b <= 1 or 0 < a - end <= 1 for a, b in spans)
        if (
            beside
            or _CUE.search(text, max(0, start - 20), start) is not None
            and not _is_calendar(text[start:end])
            or text[end : end + 2] in ("'s", "’s")
        ):
            spans.append((start, end))
    yield from _joined(text, spans)


_patterns: dict[tuple[str, ...], re.Pattern[str] | None] = {}


def _pattern(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """A pattern for all names, longest first; the last one is kept, since a log is masked line by line."""
    if names not in _patterns:
        wanted = sorted({name.strip() for name in names if len(name.strip()) >= 2}, key=lambda name: (-len(name), name))[:_MOST]
        forms = dict.fromkeys(form for name in wanted for form in (name, name.upper()) if len(name) > 2 or form == name)
        words = "|".join(map(re.escape, forms))
        _patterns.clear()
        _patterns[names] = re.compile(rf"(?<![\w./@#$\\-])(?:{words})(?![\w@/\\]|\.\w|-\w)") if words else None
    return _patterns[names]


def _is_calendar(word: str) -> bool:
    return word.lower() in ("may", "april", "june", "august", "march", "sunday", "summer", "autumn", "winter")


def _joined(text: str, spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Make one span of names with a blank between them: given and family name are one person."""
    last: tuple[int, int] | None = None
    for start, end in sorted(spans):
        if last is not None and start <= last[1] + 1 and text[last[1] : start] in ("", " ") or last is not None and start < last[1]:
            last = (last[0], max(last[1], end))
            continue
        if last is not None:
            yield last
        last = (start, end)
    if last is not None:
        yield last


def names_of_person(name: str) -> list[str]:
    """The whole name of an author and its parts of three letters and more that are no ordinary words; none for a program's name."""
    name = " ".join(name.split())
    if not name or not name.isprintable() or "@" in name or _NO_PERSON.search(name) is not None:
        return []
    parts = _PART.findall(name)
    found = [name] if len(parts) > 1 else []
    return found + [
        part for part in parts if len(part) >= _SHORTEST and part[0].isupper() and part.lower() not in WORDS and not part.isupper()
    ]


def names_on_page(document: Document) -> list[str]:
    """Names of a page about people: what stands in bold or at the start of its items, in the first column of its tables, and its headings below level 1."""
    found = [heading.title for heading in document.headings if heading.level > 1]
    for entry in document.entries:
        if entry.kind not in ("item", "text", "row"):
            continue
        line = document.lines[entry.line - 1].lstrip()
        for pattern in (_BOLD, _LEAD, _ROW):
            match = pattern.match(line)
            if match is not None:
                found.append(match[1])
                break
    people: list[str] = []
    for text in found:
        words = text.strip(" *_.").split()
        if 0 < len(words) <= 4 and all(word[0].isupper() or word in _PARTICLES for word in words):
            people += [name for name in names_of_person(" ".join(words)) if name.lower() not in _HEADS]
    return list(dict.fromkeys(people))
