"""A leaked value as bytes: the forms in which it is looked for, what git-filter-repo is told to put in its place, and the tombstone."""

from __future__ import annotations

import re

from hoard_git.core.counted import counted
from hoard_git.core.unwrap import unwrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SHORTEST = 6
"""Characters that a value has at least: a shorter one stands in half the words of a history."""

REPLACEMENT = b"[removed]"
_SHORTEST_LINE = 12
_BASE64_FROM = 12
_TEXT = 8192
"""git-filter-repo replaces text only in blobs without a NUL among their first bytes (2.38 to 2.47, `_tweak_blob`)."""


def forms_of(value: str) -> tuple[bytes, ...]:
    """The byte strings that stand for a value, longest first: as it is, escaped for JSON, HTML and URLs, and in base 64 at each of three offsets.

    A value of several lines, such as a private key, stands for its lines of 12 characters and more.
    """
    raw = value.encode("utf-8", "surrogateescape")
    if b"\n" in raw:
        found = {line.strip() for line in raw.split(b"\n") if len(line.strip()) >= _SHORTEST_LINE}
        found -= {line for line in found if line.startswith(b"-----")}
        return tuple(sorted(found, key=lambda form: (-len(form), form)))
    found = {raw, _json(value), _html(value), _percent(raw)}
    if len(raw) >= _BASE64_FROM:
        for form in _base64(raw):
            found |= {form, form.replace(b"+", b"-").replace(b"/", b"_")}
    return tuple(sorted(found, key=lambda form: (-len(form), form)))


def _json(value: str) -> bytes:
    return value.replace("\\", "\\\\").replace('"', '\\"').encode("utf-8", "surrogateescape")


def _html(value: str) -> bytes:
    plain = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return plain.encode("utf-8", "surrogateescape")


def _percent(raw: bytes) -> bytes:
    return b"".join(bytes((c,)) if chr(c).isascii() and (chr(c).isalnum() or c in b"-._~") else b"%%%02X" % c for c in raw)


def _base64(raw: bytes) -> Iterable[bytes]:
    """The part of each coding that does not depend on what stands before and behind."""
    from binascii import b2a_base64

    for lead in range(3):
        coded = b2a_base64(b"\0" * lead + raw, newline=False)
        end = (lead + len(raw)) * 8 // 6
        yield coded[(lead * 8 + 5) // 6 : end]


def count_forms(data: bytes, forms: Sequence[bytes]) -> int:
    """How often any of the forms stands in the bytes; places that overlap count once."""
    pattern = b"|".join(map(re.escape, forms))
    return sum(1 for _match in re.finditer(pattern, data)) if forms and any(form in data for form in forms) else 0


def count_in_object(data: bytes, forms: Sequence[bytes]) -> tuple[int, bool]:
    """How often a value stands in an object, and whether git-filter-repo can replace it there, which it cannot in packed or UTF-16 text.

    Raises HoardError when packed text is too large to be read.
    """
    count = count_forms(data, forms)
    if count:
        return count, b"\0" not in data[:_TEXT]
    if not data.startswith(b"\x1f\x8b") and b"\0" not in data[:_TEXT] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return 0, True
    text = unwrap(data, "an object of the history")
    return (count_forms(text, forms), False) if text is not None else (0, True)


def replacements(forms: Iterable[bytes]) -> bytes:
    """A file for `git filter-repo --replace-text` and `--replace-message`: one literal a line, longest first."""
    return b"".join(b"literal:%s==>%s\n" % (form, REPLACEMENT) for form in forms)


def renames(forms: Iterable[bytes]) -> bytes:
    """A file for `git filter-repo --paths-from-file` that takes a value out of file names."""
    return b"".join(b"regex:%s==>%s\n" % (re.escape(form), REPLACEMENT.strip(b"[]")) for form in forms)


def what_it_is(value: str) -> str:
    """What kind of value this is, in words and without the value: a token of a known shape, personal data, else `a value`."""
    from hoard_git.core.personal import NAMED, STRUCTURED, find_personal
    from hoard_git.core.secrets import find_secrets

    matches = [match for match in find_secrets(value.split("\n")) if match.certain]
    if matches:
        return f"a credential ({matches[0].what})"
    found = find_personal(value, kinds=STRUCTURED)
    return NAMED[found[0].kind] if found else "a value"


def tombstone(what: str, day: str, places: int, files: int, commits: int, plan: str) -> str:
    """One fact for the memory, without the value: what was taken out, when, from how many places, by which plan."""
    where = f"{counted(places, 'place')} in {counted(files, 'file')} and {counted(commits, 'commit')}"
    return (
        f"{what[0].upper()}{what[1:]} that had leaked was replaced at its source and taken out of the history on {day}: {where}, by {plan}"
    )
