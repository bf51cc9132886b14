"""How many words an HTML comment says to a reader, apart from what a known tool or a known key makes of it."""

from __future__ import annotations

import re

from hoard_git.core.lazy import lazy
from hoard_git.lint._names import COMMENT_KEYS, LINT_RULES, STOCK_COMMENTS, STOCK_DIGESTS

_LONGEST_VALUE = 3
"""Joined words that the value of a known key may have, as in `project:one-two-three`."""

_TOOL_WORDS = 4
"""Joined words that a marker of OpenClaw may have behind its name, as in `openclaw:wiki:open-questions:start`."""

_KNOWN = lazy(
    r"""\s*(?:/?\s?toc|tocstop|toc\s(?:start|end)|table\ of\ contents|more|truncate|end\ list|(?:omit\ (?:in|from)|no)\ toc
      |(?:begin|end)\ auto-?generated(?:\ (?:section|content|block))?
      |prettier-ignore(?:-(?:start|end|attribute))?
      |vale\s(?:on|off|\w{1,30}(?:\.\w{1,30})?\s=\s(?:yes|no))
      |(?:textlint|eslint)-(?:disable|enable)(?:-line|-next-line)?
      |remark-ignore(?:-(?:start|end))?
      |(?:cspell|spell-?checker):\s?(?:disable(?:-line|-next-line)?|enable)
      |(?:start|end)\ doctoc(?:\ generated\ toc\ please\ keep\ comment\ here\ to\ allow\ auto\ update)?|doctoc\ skip
      |don't\ edit\ this\ section,\ instead\ re-run\ doctoc\ to\ update
      |all-contributors-(?:list|badge):(?:start|end)(?:\ -\ do\ not\ remove\ or\ modify\ this\ section)?)\s*""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_LINTER = lazy(
    r"\s*(?:markdownlint-(?:(?:disable|enable)(?:-file|-line|-next-line)?|capture|restore|configure-file)|lint\s(?:disable|enable|ignore)"
    r"|textlint-(?:disable|enable)|(?:cspell|spell-?checker):\s?(?:ignore|words?|dictionar(?:y|ies)|lang(?:uage)?))(?![\w-])",
    re.IGNORECASE | re.ASCII,
)
_RULE = lazy(r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*", re.ASCII)
_CLAW = lazy(r"\s*openclaw[:-](\S{1,300})", re.IGNORECASE | re.ASCII)
_ADDRESS = lazy(
    r"https?://\S{1,2000}|(?<![\w.~/@-])[\w.~-]{0,100}(?:/[\w.~-]{0,100}){1,20}\.[A-Za-z0-9]{1,8}(?::\d{1,7}){0,2}(?![\w.~/-])"
    r"|(?<![\w.@+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}",
    re.IGNORECASE | re.ASCII,
)
_PAIR = lazy(r"(?<![^\s,;|])([A-Za-z][\w.-]{0,60})\s{0,2}[:=]\s?(?:\"([^\"\n]{0,400})\"|([^\s,;|\"]{1,200}))[,;|]?", re.ASCII)
_SIGNS = lazy("[!-&(-/:-@\\[-`{-~\u00b7\u2010-\u2015\u2026\u3001\u3002\uff01-\uff0f\uff1a-\uff20]+")
_MACHINE = lazy(r"[/:\\@#=_~|+0-9]")
_LETTERS = lazy(r"[^\W\d_]")
_HUMP = lazy(r"[a-z](?=[A-Z][a-z])")
_IDEOGRAPH = lazy("[\u3040-\u30ff\u3105-\u312f\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff]")
"""Letters of scripts without spaces, two of which make a word; Hangul has spaces and short words."""
_UNSPACED = lazy("[\u0e01-\u0edf\u1000-\u109f\u1780-\u17d3]")
"""Letters of scripts without spaces in which a word has about four: Thai, Lao, Burmese, Khmer."""
_PLAIN = lazy(r"[^\W\d_]+")
_NOTE = lazy(
    r"\s*(?:todo|fill|template|placeholder|example|optional|add |replace |edit |write |describe |your |e\.g\.|new entr|keep |update |delete |remove |customi[sz]e|insert |put |list )",
    re.IGNORECASE | re.ASCII,
)


def prose_words(inner: str) -> int:
    """Count the words of a comment, without a known tool's directive, paths, addresses, numbers and values of known keys.

    Words that signs join (`prefer-vendor`, `prefer:vendor`, `prefer_vendor`) are a name or a setting while the comment holds no more than
    two; from the third word on they are prose, however they are joined.
    """
    if _KNOWN.fullmatch(inner):
        return 0
    text = inner
    directive = _LINTER.match(text)
    if directive is not None:
        text = _RULE.sub(_rule, text[directive.end() :])
    claw = _CLAW.match(text)
    if claw is not None and sum(_count(_ADDRESS.sub(" ", claw[1]))) <= _TOOL_WORDS:
        text = text[claw.end() :]
    plain = joined = 0
    for token in _PAIR.sub(_pair, _ADDRESS.sub(" ", text)).split():
        words, names = _count(token)
        plain += words
        joined += names
    return plain + joined if joined >= 3 or (plain and plain + joined >= 3) else plain


def is_note(inner: str) -> bool:
    """Whether a comment begins like the notes in which people tell themselves what to fill in."""
    return _NOTE.match(inner) is not None


def is_stock(inner: str) -> bool:
    """Whether a comment is, word for word, one that templates of memory files bring along."""
    phrase = " ".join(_PLAIN.findall(inner.lower()))
    if phrase in STOCK_COMMENTS:
        return True
    if len(phrase) > 200:
        return False
    from hashlib import sha256

    return sha256(phrase.encode("utf-8", "replace")).hexdigest() in STOCK_DIGESTS


def _rule(match: re.Match[str]) -> str:
    name = match.group().lower()
    return " " if name in LINT_RULES or (name[:2] == "md" and name[2:].isdigit()) else match.group()


def _pair(match: re.Match[str]) -> str:
    """Nothing for a known key with a short value; else key and value as one token, so that they count as joined words."""
    value = match[3] if match[2] is None else match[2]
    glued = ":".join(value.split())
    if match[1].lower().replace("-", "_") in COMMENT_KEYS and sum(_count(glued)) <= _LONGEST_VALUE:
        return " "
    return f" {match[1]}:{glued} "


def _count(token: str) -> tuple[int, int]:
    """Return the words of one token without blanks: those that stand for themselves, and those that are joined to others; an ASCII letter alone is none."""
    plain = joined = 0
    for part in _SIGNS.split(token):
        if part.isascii():
            bare = part.strip("'")
            if len(bare) > 1 and bare.replace("'", "").isalpha():
                joined += _humps(bare)
            continue
        ideographs, unspaced = len(_IDEOGRAPH.findall(part)), len(_UNSPACED.findall(part))
        plain += ideographs // 2 + unspaced // 4
        joined += len(_LETTERS.findall(_UNSPACED.sub("", _IDEOGRAPH.sub("", part)))) > 1
    if _MACHINE.search(token):
        return plain, joined
    if joined <= 2:  # a word, or two with a hyphen
        return plain + (joined > 0), 0
    return plain, joined


def _humps(word: str) -> int:
    """Three or more words that capitals join, as in `PreferVendorThree`, are as many; a name of two is one."""
    humps = 1 + len(_HUMP.findall(word))
    return humps if humps > 2 else 1
