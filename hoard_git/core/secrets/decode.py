"""Text inside text: base64, hexadecimal, percent-encoding, HTML entities, \\u escapes and reversed keys.

What decodes to printable text is handed back; the caller scans it as if it stood in the place of its wrapping.
"""

from __future__ import annotations

import re
from functools import lru_cache

from hoard_git.core.lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_KEPT = 4096  # characters of a run whose answer is remembered
LARGEST = 65536  # characters of one wrapping that are decoded

_BASE64 = lazy(r"[0-9A-Za-z+/_-]{20,}+={0,2}")
_HEX = lazy(r"(?<![0-9A-Za-z])(?:0x)?((?:[2-7][0-9A-Fa-f]|0[9ad]){12,})(?![0-9A-Za-z])")
_HEX_SPLIT = lazy(r"(?<![0-9A-Za-z])(?:\\x|0x)?[2-7][0-9a-fA-F](?:(?:[ ,:]{1,2}|\\x|[ ,]{1,2}0x)[2-7][0-9a-fA-F]){11,400}+")
_BYTES = lazy(r"[2-7][0-9a-f][ ,:]{1,2}[2-7][0-9a-f][ ,:]{1,2}[2-7][0-9a-f]")
_PERCENT = lazy(r"[^\s`\"'<>]{0,400}%[2-7][0-9A-Fa-f][^\s`\"'<>]{0,2000}")
_ENTITY = lazy(r"&#(?:x([0-9A-Fa-f]{2,4})|([0-9]{2,4}));?")
_ENTITIES = lazy(r"[^\s`\"'<>]{0,400}&#x?[0-9A-Fa-f]{2,4};[^\s`\"'<>]{0,2000}")
_ESCAPES = lazy(r"[^\s`\"'<>]{0,400}\\(?:u00|x)[2-7][0-9A-Fa-f][^\s`\"'<>]{0,2000}")
_CONTINUED = lazy(r"\n[ >\t]{0,12}([0-9A-Za-z+/_-]{8,100}={0,2})(?=\s|$)")
_REVERSED = (
    "_phg",
    "_ohg",
    "_shg",
    "_tap_buhtig",
    "-tna-ks",
    "-jorp-ks",
    "-taplg",
    "_evil_ks",
    "-bxox",
    "-pxox",
    "AIKA",
    "azIA",
    "_fh",
    "_mpn",
    "-1v-ro-ks",
    "_ksg",
    "JBFklB3T",
)
_THIN = lazy(r"(?: [0-9A-Za-z_-]){7}|(?:\.[0-9A-Za-z_-]){12}")
_SPACED = lazy(r"(?<![0-9A-Za-z])[0-9A-Za-z_./+=:-](?:[ .·][0-9A-Za-z_./+=:-](?![0-9A-Za-z])){14,200}+")


def wrapped(text: str, low: str, runs: list[tuple[int, int]]) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, decoded text); `runs` are the unbroken runs of 24 or more characters."""
    for start, stop in runs:
        end = min(stop, start + LARGEST)
        yield from _base64(text, start, end)
        if (_is_reversed if end - start <= LONGEST_KEPT else _is_reversed.__wrapped__)(text[start:end]):
            yield start, end, text[start:end][::-1]
        for match in _HEX.finditer(text, start, end):
            data = match.group(1)
            if plain := _printable(bytes.fromhex(data)):
                yield *match.span(), plain
    if "%" in text:
        for match in _PERCENT.finditer(text):
            yield *match.span(), re.sub(r"%([2-7][0-9A-Fa-f])", lambda m: chr(int(m.group(1), 16)), match.group())
    if "&#" in text:
        for match in _ENTITIES.finditer(text):
            yield *match.span(), _ENTITY.sub(lambda m: chr(int(m.group(1), 16) if m.group(1) else int(m.group(2))), match.group())
    if "\\u00" in low or "\\x" in low:
        for match in _ESCAPES.finditer(text):
            yield *match.span(), re.sub(r"\\(?:u00|x)([2-7][0-9A-Fa-f])", lambda m: chr(int(m.group(1), 16)), match.group())
    for match in _HEX_SPLIT.finditer(text) if "0x" in low or "\\x" in low or _BYTES.search(low) is not None else ():
        data = re.sub(r"0x|\\x|[ ,:]", "", match.group())
        if plain := _printable(bytes.fromhex(data)):
            yield *match.span(), plain
    for match in _SPACED.finditer(text) if _THIN.search(text) is not None else ():
        yield *match.span(), re.sub(r"(.)[ .·]", r"\1", match.group(), flags=re.DOTALL)


@lru_cache(maxsize=1 << 12)
def _is_reversed(run: str) -> bool:
    """Say whether a run holds the prefix of a key, read from right to left."""
    return any(mark in run for mark in _REVERSED)


def _base64(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    for match in _BASE64.finditer(text, start, end):
        data = match.group()
        stop = match.end()
        if stop == end or stop >= len(text) or text[stop] == "\n":
            while (
                (more := _CONTINUED.match(text, stop)) is not None
                and len(data) < LARGEST
                and (len(data) % 4 == 0 or more.group(1)[0].isalnum())
            ):
                data += more.group(1)
                stop = more.end()
        plain = unbase64(data)
        if plain is None and stop != match.end():
            stop = match.end()
            plain = unbase64(match.group())
        if plain is not None:
            yield match.start(), stop, plain


def unbase64(data: str) -> str | None:
    """Return the printable text that base 64 (either alphabet, padded or not) holds, or None."""
    return (_unbase64 if len(data) <= LONGEST_KEPT else _unbase64.__wrapped__)(data)


@lru_cache(maxsize=1 << 12)
def _unbase64(data: str) -> str | None:
    from binascii import Error, a2b_base64

    core = data.rstrip("=")
    if len(core) % 4 == 1:
        return None
    try:
        plain = a2b_base64((core + "=" * (-len(core) % 4)).replace("-", "+").replace("_", "/"))
    except Error:
        return None
    return _printable(plain)


def _printable(data: bytes) -> str | None:
    """Return bytes as text when they are UTF-8 without control characters other than line ends and tabs."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    odd = sum(not (c.isprintable() or c in "\r\n\t") for c in text)
    return text if len(text) >= 8 and odd == 0 and sum(c.isascii() for c in text) > len(text) * 0.9 else None
