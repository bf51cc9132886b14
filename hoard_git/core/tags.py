"""The provenance tag: its grammar, read strictly and written canonically (INTERFACE, "The provenance tag")."""

from __future__ import annotations

import re

from hoard_git.core.dates import parse_day
from hoard_git.core.model import SOURCES
from hoard_git.core.record import Record

KEYS = ("src", "ts", "ttl", "id", "ev")
"""Our keys, in the order in which they are written."""

STALE = "\u26a0\ufe0f stale"
"""The marker that consolidation appends inside the tag; the only non-ASCII text a tag may hold."""

_LOOKS = r"(?<![a-z0-9_-])(?:src|ts|ttl)\s{0,4}[:=]"
_LONGEST_KEY, _LONGEST_VALUE = 64, 512
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")
_DIGITS = frozenset("0123456789")
_KEY_SIGNS = _LETTERS | _DIGITS | frozenset("_-")
_FOLD = str.maketrans(
    {
        "\u0455": "s", "\u017f": "s", "\u0441": "c", "\u03f2": "c", "\u0433": "r", "\u0442": "t", "\u03c4": "t", "\u2113": "l",
        "\uff1a": ":", "\ua789": ":", "\u2236": ":", "\u05c3": ":", "\ufe55": ":",
        "\u200b": None, "\u200c": None, "\u200d": None, "\u2060": None, "\ufeff": None, "\u00ad": None, "\x00": None,
    }
)  # fmt: skip
_looks: re.Pattern[str] | None = None


class Tag(Record):
    """What one provenance comment claims; empty strings mean "not given". `extra` holds other people's keys, which give no trust."""

    src: str
    ts: str
    ttl: str = ""
    id: str = ""
    ev: str = ""
    stale: bool = False
    extra: tuple[tuple[str, str], ...] = ()


def looks_like_tag(inner: str) -> bool:
    """Whether a comment's inner text means to be a provenance tag, even a broken or disguised one.

    Foreign conventions (`trigger:`, `importance:`, `project:`, `openclaw-*`, `id:` alone) do not look like one.
    """
    text = inner
    if not text.isascii():
        text = text.translate(_FOLD)
        if not text.isascii():
            text = "".join(chr(ord(c) - 0xFEE0) if 0xFF01 <= ord(c) <= 0xFF5E else c for c in text)
    global _looks
    if _looks is None:
        _looks = re.compile(_LOOKS, re.ASCII)
    return _looks.search(text.replace("\x00", "").lower()) is not None


def parse_tag(inner: str) -> Tag | str:
    """Parse the text between `<!--` and `-->`; return the tag, or one clause that says what is wrong with it.

    Keys in any order, each once, one blank between parts; the values are exact ASCII.
    """
    body = inner.strip(" \t\r")
    stale = body == STALE or body.endswith(" " + STALE)
    if stale:
        body = body[: -len(STALE)].rstrip(" ")
    if not body.isascii():
        return "a tag is printable ASCII"
    if not body.isprintable():
        return "a tag holds no control characters"
    if not body:
        return "src and ts are missing"
    if sign := _find_delimiter(body):
        return f"a tag holds no {sign}"
    seen: dict[str, str] = {}
    for part in body.split(" "):
        if not part:
            continue
        key, colon, value = part.partition(":")
        if not colon or not _is_key(key):
            return f"{_quote(part)} is not a key:value pair"
        if key in seen:
            return f"{key} stands twice"
        if not value:
            return f"{key} has no value"
        if len(value) > _LONGEST_VALUE:
            return f"{key} is longer than {_LONGEST_VALUE} characters"
        seen[key] = value
    return _build(seen, stale=stale)


def _find_delimiter(text: str) -> str:
    """Return what readers of HTML disagree about inside a comment: two dashes (an end to older ones), or a sign that starts another."""
    return next((sign for sign in ("--", "<", ">") if sign in text), "")


def _is_key(text: str) -> bool:
    return text[:1] in _LETTERS and len(text) <= _LONGEST_KEY and _KEY_SIGNS.issuperset(text)


def _build(seen: dict[str, str], *, stale: bool) -> Tag | str:
    problem = find_value_problem(seen)
    if problem:
        return problem
    extra = tuple((key, value) for key, value in seen.items() if key not in KEYS)
    return Tag(seen["src"], seen["ts"], seen.get("ttl", ""), seen.get("id", ""), seen.get("ev", ""), stale, extra)


def find_value_problem(values: dict[str, str]) -> str:
    """Return one clause about the first wrong or missing value of a tag or a front matter, or an empty string."""
    if "src" not in values:
        return "src is missing"
    if values["src"] not in SOURCES:
        return f"src is one of {', '.join(SOURCES)}, not {_quote(values['src'])}"
    if "ts" not in values:
        return "ts is missing"
    if values["ts"] != "unknown" and parse_day(values["ts"]) is None:
        return f"ts is a date YYYY-MM-DD or unknown, not {_quote(values['ts'])}"
    if "ttl" in values and not is_ttl(values["ttl"]):
        return f"ttl is a number of 1 to 4 digits with d, w or y, or never, not {_quote(values['ttl'])}"
    if "id" in values and not _is_id(values["id"]):
        return f"id is 6 to 12 lower-case letters and digits, not {_quote(values['id'])}"
    if sign := _find_delimiter(values.get("ev", "")):
        return f"ev holds no {sign}"
    return ""


def is_ttl(text: str) -> bool:
    """Whether the text is a ttl in the tag's grammar."""
    if text == "never":
        return True
    return 2 <= len(text) <= 5 and text[-1] in "dwy" and text[0] != "0" and _DIGITS.issuperset(text[:-1])


def _is_id(text: str) -> bool:
    return 6 <= len(text) <= 12 and (_LETTERS | _DIGITS).issuperset(text)


def render_tag(tag: Tag) -> str:
    """Write a tag as a whole comment, our keys first in their order, other keys as they came."""
    parts = [f"{key}:{value}" for key, value in zip(KEYS, tag[:5], strict=True) if value]
    parts += [f"{key}:{value}" for key, value in tag.extra]
    if tag.stale:
        parts.append(STALE)
    return f"<!-- {' '.join(parts)} -->"


def _quote(text: str) -> str:
    shown = text if len(text) <= 40 else text[:39] + "\u2026"
    return "'" + "".join(c if " " <= c <= "~" else "\\x%02x" % ord(c) if ord(c) < 256 else "\\u%04x" % ord(c) for c in shown) + "'"
