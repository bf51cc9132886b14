"""Checks that a found value must pass; a rule names one in its `validate` key.

Each takes the value and its surroundings and answers True (certain), False (possible) or None (no finding).
"""

from __future__ import annotations

import re

from hoard_git.core.lazy import lazy
from hoard_git.core.secrets import values
from hoard_git.core.secrets._labels import HASHES, word_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Verdict = bool | None
    Check = Callable[[str, str, str], Verdict]  # value, text of the line before it, the whole match

_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_KEYISH = lazy(
    r"key|token|secret|auth|\bapi|\bpat\b|password|passwd|\bpw\b|cred|bearer|login|schl[uü]ssel|zugang|clave|llave|cl[eé]|jeton|chave|chiave|sleutel|segre|ключ|токен|секрет|密|令牌|キー|トークン|klucz|anahtar|키|토큰",
    re.IGNORECASE,
)


def github_crc(value: str) -> bool:
    """Say whether the last six characters of a GitHub token are the CRC32 of the thirty before (base 62)."""
    from zlib import crc32

    body, check = value[4:-6], value[-6:]
    number = crc32(body.encode("ascii", "replace"))
    text = ""
    while number:
        number, rest = divmod(number, 62)
        text = _BASE62[rest] + text
    return text.rjust(6, "0") == check


def _crc32(value: str, before: str, whole: str) -> Verdict:
    """A wrong checksum is still suspicious: GitHub has changed its format before."""
    if github_crc(value):
        return True
    return True if values.is_opaque(value[4:], 20) else None


def _random(value: str, before: str, whole: str) -> Verdict:
    return None if values.is_placeholder(value) else True


def _user(value: str, before: str, whole: str) -> Verdict:
    return True


def _opaque(value: str, before: str, whole: str) -> Verdict:
    body = re.sub(r"^[A-Za-z0-9]{1,9}[-_.:]", "", value)
    if values.is_uuid(value) or values.is_ordinary(value) and not values.is_opaque(body, 20):
        return None
    if not values.is_opaque(body, 13):
        return None
    low = before[-40:].lower()
    return None if any(mark in low for mark in HASHES) and not _KEYISH.search(low) else True


def _labelled(value: str, before: str, whole: str) -> Verdict:
    """A vendor's name alone is not enough: some word for key must stand near, and none for hash."""
    core = value.removeprefix("0x")
    plain = values.is_hex(core) or values.is_uuid(value)
    if values.is_placeholder(value) or (not plain and not values.is_opaque(core, 12)) or plain and len(set(core)) < 7:
        return None
    near = before[-100:].lower()
    context = whole.lower() if len(whole) < 400 else ""
    if any(mark in context[: -len(value)] for mark in HASHES):
        return None
    if re.search(r"(?:\bid|_id|\bids)[\"'`]?\s{0,2}[:=]?\s{0,2}[\"'`]?$", near) or near.endswith("/"):
        return None
    if _KEYISH.search(near) or _KEYISH.search(context):
        return True
    if len(value) >= 32 and not plain and values.is_opaque(value, 32):
        return True
    # nothing but a colon between the vendor's name and the value
    return True if not values.is_uuid(value) and re.fullmatch(r"[\w .]{2,30}[:=→]\s{0,3}[`\"']?", whole[: -len(value)]) else None


def _base64ish(value: str, before: str, whole: str) -> Verdict:
    """An AWS secret: 40 characters of base 64, so most hold digits and both cases; a git hash is 40 of hex."""
    if values.is_hex(value) or values.is_placeholder(value) or not values.is_opaque(value, 40) or value.count("/") > 6:
        return None
    gap = whole[: -len(value)].lower()
    return (
        None if any(mark in gap for mark in ("sha", "commit", "hash", "digest", "arn:", "s3:", "://", "fingerprint", "signature")) else True
    )


def _app_password(value: str, before: str, whole: str) -> Verdict:
    """Four groups of four letters: they must not be words."""
    letters = value.replace(" ", "").replace("-", "")
    if len(set(letters)) < 7 or sum(c in "aeiou" for c in letters) > 6:
        return None
    return re.search(r"app|pass|pw|key", before[-80:] + whole, re.IGNORECASE) is not None


def _jwt(value: str, before: str, whole: str) -> Verdict:
    """The header of a JWT is JSON with an "alg"."""
    from binascii import Error, a2b_base64

    head = value.split(".", 1)[0]
    try:
        text = a2b_base64((head + "=" * (-len(head) % 4)).replace("-", "+").replace("_", "/"))
    except Error:
        return None
    if not text.startswith(b"{") or b'"alg"' not in text and b'"typ"' not in text:
        return None
    return None if values.is_placeholder(value[-30:]) else True


def _discord(value: str, before: str, whole: str) -> Verdict:
    """The first part of a Discord token is the base 64 of a numeric user id."""
    first, _, rest = value.partition(".")
    if not any(c.isdigit() for c in rest) or not values.is_opaque(rest.replace(".", ""), 20):
        return None
    return True if any(c.isupper() for c in first[1:]) and any(c.islower() for c in first) else None


def _mixed_hex(value: str, before: str, whole: str) -> Verdict:
    body = re.sub(r"^[A-Za-z]{1,3}", "", value)
    low = before[-30:].lower()
    if any(mark in low for mark in HASHES) or before.endswith("/"):
        return None
    return True if any(c.isdigit() for c in body) and any(c.isalpha() for c in body) and len(set(body)) >= 9 else None


def _url(value: str, before: str, whole: str) -> Verdict:
    """Password of a URL: not a variable, not the user's own name again, not a tutorial's word; weak words only warn."""
    rest = whole.split("://", 1)[1]
    user = rest.split(":", 1)[0].lstrip("/")
    host = whole.rsplit("@", 1)[1].lower()
    plain = _unquote(value)
    if re.match(r"^\d{1,5}(?:/|$)", value) and "@" in whole and "/" in value:
        return None
    if values.is_placeholder(plain) or values.is_reference(plain) or plain.lower() == user.lower() or plain.isdigit() and len(plain) < 6:
        return None
    if (
        re.search(r"(?:^|[.-])example(?:\.|$)|^host(?:name)?(?:[:/.]|$)|^your|^<|^\{|^\$|^domain", host)
        and values.strength(plain) < values.STRONG
    ):
        return None
    if plain.lower() in {
        user.lower() + "pass",
        user.lower() + "password",
        user.lower() + "123",
        user.lower() + "_password",
        "dev",
        "devpass",
    }:
        return None if "localhost" in host or "127.0.0.1" in host else False
    if re.fullmatch(r"[A-Z][A-Z0-9_]{2,40}", plain) and "_" in plain or plain.upper() == plain and plain.isalpha():
        return None
    grade = values.strength(plain)
    if grade >= values.FAIR or values.is_opaque(plain, 10) or values.is_uuid(plain) or values.is_hex(plain) and len(plain) >= 16:
        return True
    if len(plain) >= 10 and plain.isalpha() and not plain.istitle() and not plain.islower() and not plain.isupper():
        return True
    if any(c in plain for c in "()[]{}") and grade == values.NONE:
        return None
    return None if host.startswith(("localhost", "127.0.0.1", "db:", "postgres:")) and grade == values.NONE else False


def _unquote(value: str) -> str:
    """Undo percent-encoding of ASCII."""
    return re.sub(r"%([2-7][0-9A-Fa-f])", lambda m: chr(int(m.group(1), 16)), value)


def _query(value: str, before: str, whole: str) -> Verdict:
    plain = _unquote(value)
    name = whole[1 : -len(value) - 1].lower()
    if values.is_placeholder(plain) or values.is_reference(plain):
        return None
    if name in {"key", "code", "signature", "sid", "session", "sessionid", "token", "auth"}:
        return True if values.is_opaque(plain, 20) or values.is_uuid(plain) and name in {"token", "auth", "key"} else None
    if values.is_opaque(plain, 12) or values.is_uuid(plain) or values.is_hex(plain) and len(plain) >= 24:
        return True
    return True if "pass" in name or name == "pwd" and values.strength(plain) >= values.FAIR and "secret" not in plain else None


def _password(value: str, before: str, whole: str) -> Verdict:
    grade = values.strength(value)
    if grade >= values.FAIR:
        return True
    if values.is_placeholder(value) or values.is_reference(value) or values.is_ordinary(value):
        return None
    # a connection string with several parts: the value is a password whatever it looks like
    many = before.count(";") + before.count("&") >= 1
    return False if many and grade >= values.WEAK else None


def _bearer(value: str, before: str, whole: str) -> Verdict:
    if values.is_placeholder(value) or values.is_reference(value):
        return None
    return True if values.is_opaque(value, 16) or values.is_uuid(value) else None


def _basic(value: str, before: str, whole: str) -> Verdict:
    """Basic authorization is base 64 of user:password."""
    from binascii import Error, a2b_base64

    try:
        text = a2b_base64(value + "=" * (-len(value) % 4)).decode("utf-8")
    except (Error, UnicodeDecodeError, ValueError):
        return None
    user, colon, word = text.partition(":")
    if not colon or not text.isprintable() or values.is_placeholder(word) or word.lower() == user.lower():
        return None
    return True if len(text) >= 6 else None


def _header(value: str, before: str, whole: str) -> Verdict:
    if values.is_placeholder(value) or values.is_reference(value) or values.is_ordinary(value) and not values.is_uuid(value):
        return None
    return True if values.is_opaque(value, 16) or values.is_uuid(value) or values.strength(value) == values.STRONG else None


def _cookie(value: str, before: str, whole: str) -> Verdict:
    name, _, text = value.partition("=")
    if re.search(r"(?i)^(?:_ga|_gid|utm|lang|theme|consent|locale|path|domain|expires|max-age|samesite)", name):
        return None
    return True if values.is_opaque(_unquote(text).replace("%", ""), 16) else None


# what stands behind an option that a sentence only names: without --token flag
_FLAG_WORDS = word_set(
    "flag flags option options argument arguments arg args parameter parameters param switch switches setting settings field value"
)


def _flag_password(value: str, before: str, whole: str) -> Verdict:
    grade = values.strength(value)
    if value.lower().strip(".,;:)") in _FLAG_WORDS:
        return None
    if grade >= values.PHRASE:
        return True
    if values.is_placeholder(value) or values.is_reference(value) or value.startswith("-"):
        return None
    if values.is_opaque(value, 12) or values.is_uuid(value) or values.is_hex(value) and len(value) >= 16:
        return True
    if values.is_ordinary(value):
        return None
    return False if grade == values.WEAK else None


def _strong_password(value: str, before: str, whole: str) -> Verdict:
    if values.is_ordinary(value):
        return None
    return (
        True if values.strength(value) >= values.FAIR and (values.strength(value) == values.STRONG or values.is_opaque(value, 10)) else None
    )


def _pgpass(value: str, before: str, whole: str) -> Verdict:
    """Five fields with a port are a pgpass line: any value but a placeholder is a password, a word only warns."""
    if values.is_placeholder(value) or values.is_reference(value) or value.isdigit() or "//" in whole:
        return None
    return values.strength(value) >= values.FAIR or values.is_opaque(value, 10) or len(value) >= 12 and values.random_letters(value)


def _base32(value: str, before: str, whole: str) -> Verdict:
    """A TOTP seed: base 32, with digits or without a word in it."""
    core = value.replace(" ", "").replace("-", "").upper()
    vowels = sum(c in "AEIOU" for c in core)
    digits = sum(c.isdigit() for c in core)
    if digits and len(set(core)) >= 7:
        return True
    return True if len(core) >= 16 and vowels <= len(core) * 0.3 and len(set(core)) >= 8 and " " not in value else None


def _wif(value: str, before: str, whole: str) -> Verdict:
    """Base 58 with a double SHA-256 checksum."""
    from hashlib import sha256

    number = 0
    for char in value:
        number = number * 58 + "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".index(char)
    data = number.to_bytes(38 if value[0] in "KL" else 37, "big") if number.bit_length() <= 304 else b""
    return True if data and sha256(sha256(data[:-4]).digest()).digest()[:4] == data[-4:] else None


def luhn(digits: str) -> bool:
    """Say whether the digits pass Luhn's check (payment cards)."""
    total = 0
    for place, char in enumerate(reversed(digits)):
        number = int(char) * (1 + place % 2)
        total += number - 9 if number > 9 else number
    return total % 10 == 0


CHECKS: dict[str, Check] = {
    "": _random, "user": _user, "crc32": _crc32, "opaque": _opaque, "labelled": _labelled, "base64ish": _base64ish, "apppw": _app_password, "jwt": _jwt,
    "discord": _discord, "mixedhex": _mixed_hex, "url": _url, "query": _query, "password": _password, "bearer": _bearer, "basic": _basic,
    "header": _header, "cookie": _cookie, "flagpw": _flag_password, "strongpw": _strong_password, "pgpass": _pgpass, "base32": _base32, "wif": _wif,
}  # fmt: skip
