"""Recognises text in coded form: base64, hex, rot13, percent and entity coding, character escapes, data URLs."""

from __future__ import annotations

import re
from binascii import Error, a2b_base64

from hoard_git.core.lazy import lazy
from hoard_git.lint.prose import decode

ROT13 = "a sentence in rot13"

_ROT13 = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "NOPQRSTUVWXYZABCDEFGHIJKLMnopqrstuvwxyzabcdefghijklm")
_URLSAFE = str.maketrans("-_", "+/")
_HEX = lazy(r"(?:0x)?((?:[0-9a-f]{2}){12,}|(?:[0-9A-F]{2}){12,})")
_WORDS = lazy(r"[^\W\d_]{2,}")
_ODD_WORD = lazy(r"[bcdfghjklmnpqrstvwxz]{6}", re.IGNORECASE)
_LETTER_ENTITY = lazy(
    r"(?:&#(?:6[5-9]|[78][0-9]|90|9[7-9]|1[01][0-9]|12[0-2]|[xX](?:4[1-9A-Fa-f]|5[0-9Aa]|6[1-9A-Fa-f]|7[0-9Aa]));)", re.ASCII
)
_LETTER_PERCENT = lazy(
    r"(?<![\w%])[A-Za-z]{0,20}(?:%(?:4[1-9A-Fa-f]|5[0-9Aa]|6[1-9A-Fa-f]|7[0-9Aa])[A-Za-z]{0,20}){1,40}(?![\w%])", re.ASCII
)
_ESCAPES = lazy(r"(?:\\x[2-7][0-9A-Fa-f]|\\u00[2-7][0-9A-Fa-f]){6,}", re.ASCII)
_DATA_URL = lazy(
    r"\bdata:(?:text/[a-z0-9.+-]{1,40}|application/(?:json|javascript|xhtml\+xml)|(?=[;,]))[^,\s]{0,100},[^\s)\"']{6}",
    re.IGNORECASE | re.ASCII,
)
# Frequent words in rot13: the, and, you, not, from, this, that, with, for, ignore, always, never, user, send, all, previous.
_ROTATED = lazy(
    r"\b(?:gur|naq|lbh|abg|sebz|guvf|gung|jvgu|sbe|vtaber|nyjnlf|arire|hfre|fraq|nyy|cerivbhf|vafgehpgvbaf|gb|vf|bs)\b",
    re.IGNORECASE | re.ASCII,
)


def decodes(token: str) -> tuple[str, str]:
    """Return `base64` or `hex text`, and the prose that the token decodes to (base64 up to three times); two empty texts for all others."""
    found = _HEX.fullmatch(token)
    if found is not None:
        raw = bytes.fromhex(found[1])
        return ("hex text", _text(raw)) if is_prose(raw) else ("", "")
    data = token
    for _round in range(3):
        decoded = _base64(data)
        if decoded is None:
            break
        if is_prose(decoded):
            return "base64", _text(decoded)
        if not decoded.isascii() or not re.fullmatch(rb"[0-9A-Za-z+/_=\r\n-]{16,}", decoded):
            break
        data = decoded.decode("ascii").replace("\n", "").replace("\r", "")
    return "", ""


def rotated(line: str) -> str:
    """The line with each ASCII letter thirteen places on."""
    return line.translate(_ROT13)


def _text(raw: bytes) -> str:
    """The text that `is_prose` has found in the bytes."""
    return raw.decode("utf-16-le" if _is_wide(raw) else "utf-8")


def _is_wide(raw: bytes) -> bool:
    return len(raw) > 8 and not any(raw[1::2])


def _base64(token: str) -> bytes | None:
    body = token.rstrip("=").translate(_URLSAFE)
    if len(body) % 4 == 1:
        body = body[:-1]
    try:
        return a2b_base64(body + "=" * (-len(body) % 4))
    except Error:
        return None


def is_prose(raw: bytes) -> bool:
    """Whether bytes are text with words and blanks between them, in any script; random bytes and packed data never are."""
    try:
        text = _text(raw)
    except UnicodeDecodeError:
        return False
    if not text.replace("\n", " ").replace("\t", " ").replace("\r", " ").isprintable():
        return False
    words = _WORDS.findall(text)
    letters = sum(map(len, words))
    if any("\u3040" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af" for char in text):
        return letters >= 4 and letters >= 0.6 * len(text)
    return len(words) >= 3 and text.count(" ") >= 2 and letters >= 0.55 * len(text) and _ODD_WORD.search(text) is None


def find_coded(line: str, *, code: bool) -> tuple[int, str] | None:
    """Return the 0-based place and a description of coded words in a line, or None."""
    match = _DATA_URL.search(line)
    if match is not None:
        return match.start(), "a data URL that holds text"
    match = _ESCAPES.search(line)
    if match is not None and not code:
        return match.start(), "words written as character escapes"
    if code:
        return None
    match = _LETTER_ENTITY.search(line)
    if match is not None:
        return match.start(), "letters written as HTML entities"
    for match in _LETTER_PERCENT.finditer(line):
        word = decode(match.group())
        if len(word) >= 4 and word.isalpha():
            return match.start(), "letters in percent coding"
    words = {found.group().lower() for found in _ROTATED.finditer(line)}
    if len(words) >= 3 and len(words & {"gb", "vf", "bs"}) < len(words) - 1:
        return 0, ROT13
    return None
