"""Heading slugs: GitHub's anchor of a title, without the date that dated headings begin with."""

from __future__ import annotations

import re
from functools import lru_cache

from hoard_git.core.dates import parse_day

TYPE_CHECKING = False

if TYPE_CHECKING:
    from hoard_git.core.document import Document

_WORD = frozenset(("Lu", "Ll", "Lt", "Lm", "Lo", "Nl", "Mn", "Mc", "Me", "Nd", "Pc"))
"""Unicode categories of what GitHub keeps (Ruby's `\\p{Word}`, and github-slugger, which is generated from the same properties)."""
_LONGEST = 1000
"""Characters of a title that make its slug; markup is not looked for in what lies behind."""

_MARKUP = (
    r"(?P<code>(?<!`)(?P<ticks>`{1,9}+)(?P<inside>(?:[^`]|(?<!`)(?!(?P=ticks)(?!`))`++)*?)(?P=ticks)(?!`))"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|!\[[^\]\[]*+\](?:\([^()\s]*+(?:\s++[^()]*+)?\)|\[[^\]\[]*+\])"
    r"|\[(?P<link>[^\]\[]*+)\]\([^()]*+(?:\([^()]*+\)[^()]*+)?\)"
    r"|<(?P<url>[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*+)>"
    r"|</?[A-Za-z][^<>]*+>|<!--.*?-->"
)
_UNDERSCORES = r"(?<![^\W_])(?<!_)(_{1,3})(?=[^\s_])((?:[^_]|(?<=\w)_(?=[^\W_]))*[^\s_])\1(?!_)(?![^\W_])"
_COMPILED: dict[str, re.Pattern[str]] = {}


def _pattern(source: str) -> re.Pattern[str]:
    pattern = _COMPILED.get(source)
    if pattern is None:
        pattern = _COMPILED[source] = re.compile(source)
    return pattern


def slug(title: str) -> str:
    """Return the anchor that GitHub gives a heading, lower-case, its leading ISO date left out unless nothing else is there.

    `title` is a heading's text without markers and tag. The result may be empty (a title of emoji alone) and is not unique: `slugs` is.
    """
    title = title.strip()
    if title[:10].isascii() and parse_day(title[:10]) is not None and not title[10:11].isalnum():
        rest = title[10:].lstrip(" \t:,.\u2013\u2014-")
        without = _anchor(rest)
        if without.strip("-_"):
            return without
    return _anchor(title)


def slugs(document: Document) -> tuple[str, ...]:
    """Return one slug a heading, in the document's order; repeats get `-1`, `-2`, as github-slugger counts them."""
    seen: dict[str, int] = {}
    found = []
    for heading in document.headings:
        base = name = slug(heading.title)
        while name in seen:
            seen[base] += 1
            name = f"{base}-{seen[base]}"
        seen[name] = 0
        found.append(name)
    return tuple(found)


@lru_cache(maxsize=1 << 12)
def _anchor(title: str) -> str:
    """Remembered: a document's headings are asked for in every commit that changes it."""
    text = _plain(title[:_LONGEST]) if any(sign in title for sign in "`*_[<\\&") else title[:_LONGEST]
    text = text.strip().lower()
    if text.isascii():
        kept = [c if c.isalnum() or c in "-_" else "-" if c == " " else "" for c in text]
    else:
        from unicodedata import category  # a shared library: only titles that need it pay for it

        kept = [c if c in "-_" or category(c) in _WORD else "-" if c == " " else "" for c in text]
    return "".join(kept)


def _plain(title: str) -> str:
    """Reduce inline markup to its text: code, links, images (none), HTML tags, character references and `_emphasis_`."""
    parts: list[str] = []
    kept: list[str] = []
    at = 0

    def keep(text: str) -> str:
        kept.append(text)
        return f"\x00{len(kept) - 1}\x00"

    for match in _pattern(_MARKUP).finditer(title.replace("\x00", "")):
        parts.append(title[at : match.start()])
        at = match.end()
        if match["code"]:
            parts.append(keep(match["inside"].strip()))
        elif match["escaped"]:
            parts.append(keep(match["escaped"]))
        elif match["link"] is not None:
            parts.append(_plain(match["link"]))
        elif match["url"]:
            parts.append(match["url"])
    parts.append(title[at:])
    text = "".join(parts)
    if "_" in text:
        for _ in range(3):
            text = _pattern(_UNDERSCORES).sub(r"\2", text)
    if "&" in text and ";" in text:
        from html import unescape  # its table of names is large, and titles with references are rare

        text = unescape(text)
    for number, piece in enumerate(kept):
        text = text.replace(f"\x00{number}\x00", piece)
    return text
