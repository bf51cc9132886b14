"""Expand the `example` key of rules.toml into a fake credential: {b62:36} becomes 36 random base-62 characters, and so on."""

from __future__ import annotations

import base64
import hashlib
import random
import re
import string
import uuid
import zlib

ALPHABETS = {
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "b62": string.digits + string.ascii_uppercase + string.ascii_lowercase,
    "lo": string.digits + string.ascii_lowercase,
    "up": string.digits + string.ascii_uppercase,
    "al": string.ascii_letters,
    "low": "bcdfghjkmnpqrstvwxz",
    "lowany": string.ascii_lowercase,
    "dig": string.digits,
    "us": string.ascii_letters + string.digits,
    "b64": string.ascii_letters + string.digits + "+/",
    "b32": string.ascii_uppercase + "234567",
    "b32lo": string.ascii_lowercase + "234567",
    "b58": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "bech": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "bechlo": "qpzry9x8gf2tvdw0s3jn54khce6mua7l",
}
PIECE = re.compile(r"\{([A-Za-z0-9]+)(?::([^}]+))?\}")


def expand(spec: str, seed: int) -> str:
    """Return the example of a seed; the same seed gives the same text."""
    source = random.Random(f"{spec}:{seed}")
    done = ""
    last = 0
    previous = ""
    for match in PIECE.finditer(spec):
        done += spec[last : match.start()]
        previous = _piece(match.group(1), match.group(2) or "", source, previous)
        done += previous
        last = match.end()
    return done + spec[last:]


def _piece(name: str, argument: str, source: random.Random, previous: str) -> str:
    if name in ALPHABETS:
        low, _, high = argument.partition("-")
        size = source.randint(int(low), int(high or low))
        first = source.choice("123456789") if name == "dig" else source.choice(ALPHABETS[name])
        body = first + "".join(source.choice(ALPHABETS[name]) for _ in range(size - 1))
        return body if size < 12 or len(set(body)) > 6 else _piece(name, argument, source, previous)
    if name == "pw":
        return "".join(source.choice(ALPHABETS["b62"]) for _ in range(int(argument) - 2)) + source.choice("!%+") + source.choice("23456789")
    return _special(name, argument, source, previous)


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _special(name: str, argument: str, source: random.Random, previous: str) -> str:
    if name == "uuid":
        return str(uuid.UUID(bytes=source.randbytes(16), version=4))
    if name == "quote":
        return '"'
    if name == "crc32b62":
        number, text = zlib.crc32(previous.encode()), ""
        while number:
            number, rest = divmod(number, 62)
            text = ALPHABETS["b62"][rest] + text
        return text.rjust(6, "0")
    if name in {"jwt", "jwtlike"}:
        parts = ('{"alg":"HS256","typ":"JWT"}', '{"sub":"' + str(source.randrange(10**9)) + '"}')
        return ".".join([*(_base64url(part.encode()) for part in parts), _base64url(source.randbytes(32))])
    if name == "jwe":
        sizes = (32, 12, 60, 16)
        return ".".join([_base64url(b'{"alg":"RSA-OAEP","enc":"A256GCM"}'), *(_base64url(source.randbytes(size)) for size in sizes)])
    if name == "dis":
        return f"M{_base64url(str(source.randrange(10**17, 10**18)).encode())[1:]}.{_base64url(source.randbytes(4))}.{_base64url(source.randbytes(28))}"
    if name == "hexbytes":
        return ", ".join(f"0x{source.randrange(256):02x}" for _ in range(int(argument)))
    if name == "bytes":
        return ",".join(str(source.randrange(256)) for _ in range(int(argument)))
    if name == "wif":
        body = b"\x80" + source.randbytes(32)
        data = body + hashlib.sha256(hashlib.sha256(body).digest()).digest()[:4]
        number, text = int.from_bytes(data, "big"), ""
        while number:
            number, rest = divmod(number, 58)
            text = ALPHABETS["b58"][rest] + text
        return text
    if name == "b64of":
        secret = "".join(source.choice(ALPHABETS["b62"]) for _ in range(14))
        texts = {"pem": "-----BEGIN " + "PRIVATE KEY-----\n" + base64.b64encode(source.randbytes(120)).decode()}
        return base64.b64encode(texts.get(argument, f"{argument}:{secret}").encode()).decode()
    message = f"no piece {name!r} is known"
    raise ValueError(message)
