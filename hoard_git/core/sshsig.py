"""SSH keys and signatures as bytes: wire format, armour, and key lines as in authorized_keys.

Formats: RFC 4253 and 5656 (keys), OpenSSH's PROTOCOL.sshsig and PROTOCOL.u2f. Nothing is verified here; `Signature.signed_data` gives the bytes
that the key must have signed. Reading is stricter than ssh-keygen's, so that one signature has one spelling: no trailing bytes, no padding of
numbers, an empty reserved field, version 1.
"""

from __future__ import annotations

import hashlib
from binascii import Error as Base64Error
from binascii import a2b_base64, b2a_base64

from hoard_git.core.record import Record

NAMESPACE = "git"
"""What git signs under; a signature made for files or mail by the same key says nothing about a commit."""
BEGIN, END = b"-----BEGIN SSH SIGNATURE-----", b"-----END SSH SIGNATURE-----"
RSA_LEAST_BITS, _RSA_MOST_BITS = 2048, 16384
TOUCHED, VERIFIED = 0x01, 0x04
"""Flags that a security key signs: somebody touched it; it has seen a PIN or a finger."""

_MAGIC = b"SSHSIG"
_LARGEST = 64 * 1024
_HASHES = ("sha256", "sha512")
_CURVES = {"nistp256": 32, "nistp384": 48, "nistp521": 66}
_SK_ED25519, _SK_ECDSA = "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com"
KINDS = ("ssh-ed25519", *(f"ecdsa-sha2-{name}" for name in _CURVES), "ssh-rsa", _SK_ED25519, _SK_ECDSA)
"""Key kinds that count. DSA is broken, and certificates would hand the decision to whoever signed them."""


class SignatureProblem(ValueError):  # noqa: N818 - as PolicyProblem, it is about a place, and a caller makes a sentence of it
    """A key or signature that cannot count; the text is one clause without the full stop, safe to print."""


class PublicKey(Record):
    """One public key. `fields` are its parts after the kind, in wire order, and `blob` the whole wire form, by which keys are compared."""

    kind: str
    fields: tuple[bytes, ...]
    blob: bytes

    @property
    def is_hardware(self) -> bool:
        """Whether it lives in a security key, whose signatures tell whether it was touched."""
        return self.kind.startswith("sk-")

    @property
    def base64(self) -> str:
        """The wire form as a key line spells it."""
        return b2a_base64(self.blob, newline=False).decode("ascii")

    @property
    def fingerprint(self) -> str:
        """The name that ssh-keygen -l prints: SHA256 and unpadded base64."""
        return "SHA256:" + b2a_base64(hashlib.sha256(self.blob).digest(), newline=False).decode("ascii").rstrip("=")


class KeyLine(Record):
    """A key with what the policy asks of its signatures; both demands are for security keys."""

    key: PublicKey
    touch: bool = False
    verify: bool = False


class Signature(Record):
    """One SSH signature. `algorithm` and `value` are the inner signature's; `flags` and `counter` are a security key's, else 0."""

    key: PublicKey
    hash_name: str
    algorithm: str
    value: bytes
    flags: int
    counter: int
    blob: bytes

    def signed_data(self, message: bytes) -> bytes:
        """Give the bytes that the key signs for a message."""
        digest = hashlib.new(self.hash_name, message, usedforsecurity=True).digest()
        parts = (NAMESPACE.encode(), b"", self.hash_name.encode(), digest)
        data = _MAGIC + b"".join(map(_string, parts))
        if not self.key.is_hardware:
            return data
        application = hashlib.sha256(self.key.fields[-1]).digest()
        return application + bytes([self.flags]) + self.counter.to_bytes(4, "big") + hashlib.sha256(data).digest()

    def armour(self) -> bytes:
        """Write it as ssh-keygen does."""
        text = b2a_base64(self.blob, newline=False)
        return b"\n".join([BEGIN, *(text[at : at + 70] for at in range(0, len(text), 70)), END, b""])


def parse_signature(armour: bytes) -> Signature:
    """Read one armoured signature over a commit; anything before, after or beside it raises SignatureProblem."""
    body = armour.strip(b"\n")
    if not body.startswith(BEGIN + b"\n") or not body.endswith(b"\n" + END) or len(body) > _LARGEST:
        raise SignatureProblem("its armour is not that of one SSH signature")
    lines = body[len(BEGIN) + 1 : -len(END) - 1].split(b"\n")
    if any(len(line) != len(lines[0]) for line in lines[:-1]) or not 0 < len(lines[-1]) <= len(lines[0]):
        raise SignatureProblem("the lines of its armour are not all of one length")
    blob = _base64(b"".join(lines))
    wire = _Wire(blob)
    if wire.take(len(_MAGIC)) != _MAGIC or wire.number() != 1:
        raise SignatureProblem("it is not an SSH signature of version 1")
    key = parse_public_key(wire.string())
    namespace = wire.text()
    if namespace != NAMESPACE:
        raise SignatureProblem(f"it was made for {namespace[:40]!r}, not for git")
    if wire.string():
        raise SignatureProblem("its reserved field is not empty")
    hash_name = wire.text()
    if hash_name not in _HASHES:
        raise SignatureProblem(f"its hash {hash_name[:40]!r} is not sha256 or sha512")
    inner = _Wire(wire.string())
    wire.close()
    algorithm = inner.text()
    if algorithm not in (("rsa-sha2-256", "rsa-sha2-512") if key.kind == "ssh-rsa" else (key.kind,)):
        raise SignatureProblem(f"its algorithm {algorithm[:40]!r} does not go with a key of kind {key.kind}")
    value = inner.string()
    flags, counter = (inner.take(1)[0], inner.number()) if key.is_hardware else (0, 0)
    inner.close()
    return Signature(key, hash_name, algorithm, value, flags, counter, blob)


def parse_public_key(blob: bytes) -> PublicKey:
    """Read a key's wire form. Raises SignatureProblem for kinds that do not count, weak keys, and any other spelling of a key."""
    wire = _Wire(blob)
    kind = wire.text()
    if kind not in KINDS:
        raise SignatureProblem(f"a key of kind {kind[:60]!r} does not count")
    if kind == "ssh-rsa":
        exponent, modulus = wire.string(), wire.string()
        fields: tuple[bytes, ...] = (exponent, modulus)
        bits = parse_mpint(modulus).bit_length()
        if not RSA_LEAST_BITS <= bits <= _RSA_MOST_BITS:
            raise SignatureProblem(f"an RSA key of {bits} bits does not count; it takes {RSA_LEAST_BITS} to {_RSA_MOST_BITS}")
        power = parse_mpint(exponent)
        if power < 3 or power.bit_length() > 64 or not power & 1 or not parse_mpint(modulus) & 1:
            raise SignatureProblem("the RSA key's numbers are not those of a key")
    elif kind in ("ssh-ed25519", _SK_ED25519):
        fields = (wire.string(),)
        if len(fields[0]) != 32:
            raise SignatureProblem("the Ed25519 key has the wrong length")
    else:
        curve, point = wire.text(), wire.string()
        fields = (curve.encode("ascii"), point)
        if curve != kind.removesuffix("@openssh.com").rpartition("-")[2]:
            raise SignatureProblem("the ECDSA key's curve is not the one of its kind")
        if len(point) != 1 + 2 * _CURVES[curve] or point[0] != 4:
            raise SignatureProblem("the ECDSA key's point is not an uncompressed one")
    if kind.startswith("sk-"):
        fields = (*fields, wire.string())
    wire.close()
    return PublicKey(kind, fields, blob)


def parse_key_line(text: str) -> KeyLine:
    """Read `[OPTION,…] KIND BASE64 [COMMENT]`, a line of authorized_keys. Raises SignatureProblem.

    Options, in any case: `touch-required` and `verify-required` ask that the security key was touched, or has seen a PIN or a finger;
    `no-touch-required` waives the touch, which is otherwise asked of every security key, as sshd does; `namespaces="git"` says what holds anyway.
    """
    words = text.split()
    options: list[str] = []
    if words and words[0] not in KINDS and len(words) > 2 and words[1] in KINDS:
        options = words.pop(0).lower().split(",")
    if len(words) < 2 or words[0] not in KINDS:
        raise SignatureProblem("this is not an SSH key as in authorized_keys: KIND BASE64 COMMENT; kinds: " + ", ".join(KINDS))
    key = parse_public_key(_base64(words[1].encode("utf-8", "replace")))
    if key.kind != words[0]:
        raise SignatureProblem("the key is of another kind than it says")
    for option in options:
        if option.startswith(("valid-", "expiry-time")):
            raise SignatureProblem(
                "a date does not end a key here, since whoever makes a commit chooses its date; take the key out instead"
            )
        if option not in ("touch-required", "no-touch-required", "verify-required", 'namespaces="git"'):
            raise SignatureProblem(f"the option {option[:40]!r} is not known; known: touch-required, no-touch-required, verify-required")
    if "touch-required" in options and "no-touch-required" in options:
        raise SignatureProblem("touch-required and no-touch-required contradict each other")
    verify = "verify-required" in options
    if (verify or "touch-required" in options) and not key.is_hardware:
        raise SignatureProblem("only a security key (a kind that begins with sk-) can tell whether it was touched")
    return KeyLine(key, key.is_hardware and "no-touch-required" not in options, verify)


def missing_act(line: KeyLine, flags: int) -> str:
    """Say which act of a person a signature lacks that its key line asks for; '' when none."""
    if line.touch and not flags & TOUCHED:
        return "its security key was not touched"
    if line.verify and not flags & VERIFIED:
        return "its security key has seen neither PIN nor finger"
    return ""


def parse_mpint(raw: bytes) -> int:
    """Read the content of an mpint; negative ones and those with superfluous zeros raise SignatureProblem."""
    if (raw and raw[0] & 0x80) or (raw[:1] == b"\0" and not (len(raw) > 1 and raw[1] & 0x80)):
        raise SignatureProblem("a number in it is not written the one way")
    return int.from_bytes(raw, "big")


def parse_ecdsa(value: bytes) -> tuple[int, int]:
    """Read the two numbers of an ECDSA signature."""
    wire = _Wire(value)
    numbers = parse_mpint(wire.string()), parse_mpint(wire.string())
    wire.close()
    return numbers


class _Wire:
    """A cursor over SSH's wire format."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._at = 0

    def take(self, size: int) -> bytes:
        part = self._raw[self._at : self._at + size]
        if len(part) != size:
            raise SignatureProblem("it is cut short")
        self._at += size
        return part

    def number(self) -> int:
        return int.from_bytes(self.take(4), "big")

    def string(self) -> bytes:
        return self.take(self.number())

    def text(self) -> str:
        try:
            return self.string().decode("ascii")
        except UnicodeDecodeError:
            raise SignatureProblem("a name in it is not ASCII") from None

    def close(self) -> None:
        if self._at != len(self._raw):
            raise SignatureProblem("something follows its end")


def _string(raw: bytes) -> bytes:
    return len(raw).to_bytes(4, "big") + raw


def _base64(raw: bytes) -> bytes:
    """Decode base64 that is written the one way; `strict_mode` alone lets unused bits of the last digit be anything."""
    try:
        found = a2b_base64(raw, strict_mode=True)
    except (Base64Error, ValueError):
        found = b""
    if not found or b2a_base64(found, newline=False) != raw:
        raise SignatureProblem("its base64 is damaged")
    return found
