"""The one spelling of keys and signatures: what parses, and every bent form that does not."""

from __future__ import annotations

import base64
import hashlib

import pytest

from hoard_git.core.sshsig import (
    KINDS,
    TOUCHED,
    VERIFIED,
    SignatureProblem,
    missing_act,
    parse_ecdsa,
    parse_key_line,
    parse_mpint,
    parse_public_key,
    parse_signature,
)
from tests.support.signing import armour_of, blob_of, build_sshsig, string, to_be_signed

ED25519 = string(b"ssh-ed25519") + string(bytes(range(32)))
SK = string(b"sk-ssh-ed25519@openssh.com") + string(bytes(32)) + string(b"ssh:")
INNER = string(b"ssh-ed25519") + string(b"s" * 64)


def line(blob: bytes, kind: str = "ssh-ed25519", before: str = "", after: str = " ada") -> str:
    return f"{before}{kind} {base64.b64encode(blob).decode()}{after}"


def rsa(bits: int = 2048, exponent: bytes = b"\x01\x00\x01", first: int = 0x80) -> bytes:
    modulus = bytes([0, first, *([1] * (bits // 8 - 1))])
    return string(b"ssh-rsa") + string(exponent) + string(modulus)


def ecdsa(curve: bytes = b"nistp256", size: int = 32, head: int = 4, kind: bytes = b"ecdsa-sha2-nistp256") -> bytes:
    return string(kind) + string(curve) + string(bytes([head]) + bytes(2 * size))


def test_a_key_line_is_read_with_its_comment() -> None:
    read = parse_key_line(line(ED25519, after=" ada@laptop of two words"))
    assert (read.key.kind, read.key.fields, read.key.blob) == ("ssh-ed25519", (bytes(range(32)),), ED25519)
    assert (read.touch, read.verify) == (False, False)
    assert len(read.key.fingerprint) == 50 and "=" not in read.key.fingerprint
    assert parse_key_line(line(ED25519, after="")) == read


@pytest.mark.parametrize(
    ("options", "touch", "verify"),
    [
        ("", True, False),
        ("touch-required ", True, False),
        ("no-touch-required ", False, False),
        ("verify-required ", True, True),
        ("VERIFY-required,no-touch-required ", False, True),
        ('namespaces="git" ', True, False),
    ],
)
def test_a_security_key_must_be_touched_unless_its_line_waives_it(options: str, touch: bool, verify: bool) -> None:
    read = parse_key_line(line(SK, KINDS[-2], options))
    assert (read.touch, read.verify) == (touch, verify)


@pytest.mark.parametrize(
    ("touch", "verify", "flags", "missing"),
    [
        (True, False, TOUCHED, ""),
        (True, False, 0, "not touched"),
        (True, False, VERIFIED, "not touched"),
        (False, False, 0, ""),
        (True, True, TOUCHED, "neither PIN nor finger"),
        (False, True, 0, "neither PIN nor finger"),
        (True, True, TOUCHED | VERIFIED, ""),
        (True, True, 0xFF, ""),
    ],
)
def test_the_act_that_a_line_asks_for(touch: bool, verify: bool, flags: int, missing: str) -> None:
    found = missing_act(parse_key_line(line(SK, KINDS[-2]))._replace(touch=touch, verify=verify), flags)
    assert (missing in found) if missing else found == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not an SSH key"),
        ("k", "not an SSH key"),
        ("ssh-ed25519", "not an SSH key"),
        ("ssh-dss AAAAB3NzaC1kc3MAAACB ada", "not an SSH key"),
        ("ssh-ed25519-cert-v01@openssh.com AAAA ada", "not an SSH key"),
        ("SHA256:abcdefgh", "not an SSH key"),
        (line(ED25519, "ssh-rsa"), "another kind than it says"),
        (line(ED25519, before="cert-authority "), "is not known"),
        (line(ED25519, before="ada@example.org "), "is not known"),
        (line(ED25519, before='valid-before="20300101" '), "take the key out"),
        (line(ED25519, before='expiry-time="20300101" '), "take the key out"),
        (line(ED25519, before='namespaces="git,file" '), "is not known"),
        (line(ED25519, before="touch-required "), "only a security key"),
        (line(ED25519, before="verify-required "), "only a security key"),
        (line(SK, KINDS[-2], "touch-required,no-touch-required "), "contradict"),
        (line(ED25519 + b"\0"), "something follows"),
        (line(ED25519[:-1]), "cut short"),
        (line(string(b"ssh-ed25519") + string(bytes(31))), "wrong length"),
        (line(ED25519).replace("AAAA", "AA=A", 1), "damaged"),
        (line(ED25519, after="= ada"), "damaged"),
        (line(rsa(1024), "ssh-rsa"), "1024 bits"),
        (line(rsa(2048, first=0x40), "ssh-rsa"), "one way"),
        (line(rsa(exponent=b"\x01"), "ssh-rsa"), "not those of a key"),
        (line(rsa(exponent=b"\x02\x00"), "ssh-rsa"), "not those of a key"),
        (line(rsa(exponent=b"\x01" * 9), "ssh-rsa"), "not those of a key"),
        (line(rsa(exponent=b"\x00\x03"), "ssh-rsa"), "one way"),
        (line(rsa(32768), "ssh-rsa"), "32768 bits"),
        (line(ecdsa(size=31), "ecdsa-sha2-nistp256"), "uncompressed"),
        (line(ecdsa(head=2), "ecdsa-sha2-nistp256"), "uncompressed"),
        (line(ecdsa(b"nistp384", 48), "ecdsa-sha2-nistp256"), "not the one of its kind"),
        ("ecdsa-sha2-nistp256 " + base64.b64encode(string(b"ecdsa-sha2-nistp256\xe9")).decode(), "not ASCII"),
    ],
)
def test_a_key_that_cannot_count_says_why(text: str, why: str) -> None:
    with pytest.raises(SignatureProblem, match=why) as caught:
        parse_key_line(text)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("blob", [ED25519, SK, rsa(), rsa(4096), ecdsa()])
def test_a_key_is_known_by_its_wire_form(blob: bytes) -> None:
    assert parse_public_key(blob).blob == blob
    for at in range(len(blob)):
        with pytest.raises(SignatureProblem):
            parse_public_key(blob[:at])


def test_a_signature_and_its_armour_are_one() -> None:
    armour = build_sshsig(ED25519, INNER)
    read = parse_signature(armour)
    assert (read.key.blob, read.hash_name, read.algorithm, read.value) == (ED25519, "sha512", "ssh-ed25519", b"s" * 64)
    assert read.armour() == armour
    assert parse_signature(armour.rstrip(b"\n")) == read


def test_every_cut_of_a_signature_is_refused() -> None:
    blob = blob_of(build_sshsig(ED25519, INNER))
    for at in range(len(blob)):
        with pytest.raises(SignatureProblem):
            parse_signature(armour_of(blob[:at]))


_ONE = build_sshsig(ED25519, INNER)
_BLOB = blob_of(_ONE)


@pytest.mark.parametrize(
    ("armour", "why"),
    [
        pytest.param(_ONE + _ONE, "one length", id="two armours"),
        pytest.param(b"x\n" + _ONE, "armour", id="before"),
        pytest.param(_ONE + b"x\n", "armour", id="after"),
        pytest.param(b" " + _ONE, "armour", id="indented"),
        pytest.param(_ONE.replace(b"SSH SIGNATURE", b"PGP SIGNATURE"), "armour", id="other armour"),
        pytest.param(_ONE.replace(b"\n", b"\r\n"), "armour", id="CRLF"),
        pytest.param(armour_of(b"A" * 70_000), "armour", id="large"),
        pytest.param(_ONE.replace(b"\n-----END", b"\n\n-----END"), "one length", id="a blank line at the end"),
        pytest.param(_ONE.replace(b"-----\n", b"-----\n\n", 1), "one length", id="a blank line at the start"),
        pytest.param(_ONE[:60] + b"\n" + _ONE[60:], "one length", id="other line breaks"),
        pytest.param(armour_of(_BLOB + b"\0"), "follows", id="trailing byte"),
        pytest.param(armour_of(b"SSHSIX" + _BLOB[6:]), "version 1", id="magic"),
        pytest.param(armour_of(_BLOB[:9] + b"\0" + _BLOB[10:]), "version 1", id="version 0"),
        pytest.param(armour_of(_BLOB[:9] + b"\2" + _BLOB[10:]), "version 1", id="version 2"),
        pytest.param(build_sshsig(ED25519, INNER, namespace=b""), "not for git", id="no namespace"),
        pytest.param(build_sshsig(ED25519, INNER, namespace=b"git\0"), "not for git", id="NUL in namespace"),
        pytest.param(build_sshsig(ED25519, INNER, reserved=b"x"), "reserved", id="reserved"),
        pytest.param(build_sshsig(ED25519, INNER, hash_name=b"sha1"), "sha1", id="sha1"),
        pytest.param(build_sshsig(ED25519, INNER, hash_name=b"SHA512"), "SHA512", id="upper-case hash"),
        pytest.param(build_sshsig(ED25519, INNER + b"\0"), "follows", id="inner tail"),
        pytest.param(build_sshsig(ED25519, string(b"ssh-rsa") + string(b"s")), "does not go", id="other algorithm"),
        pytest.param(build_sshsig(rsa(), string(b"ssh-rsa") + string(b"s")), "does not go", id="RSA with SHA-1"),
        pytest.param(build_sshsig(SK, string(b"sk-ssh-ed25519@openssh.com") + string(b"s")), "cut short", id="no flags"),
        pytest.param(build_sshsig(ED25519, INNER + b"\1" + bytes(4)), "follows", id="flags of a plain key"),
        pytest.param(_ONE.replace(b"\n-----END", b"=\n-----END"), "damaged", id="too much padding"),
        pytest.param(_ONE.replace(b"U1NI", b"U1 I", 1), "damaged", id="blank in base64"),
    ],
)
def test_a_bent_signature_is_refused(armour: bytes, why: str) -> None:
    with pytest.raises(SignatureProblem, match=why) as caught:
        parse_signature(armour)
    assert str(caught.value).isprintable()


def test_unused_bits_of_base64_are_zero() -> None:
    blob = _BLOB + b""
    text = base64.b64encode(blob)
    pad = text.count(b"=")
    if not pad:
        blob = blob_of(build_sshsig(ED25519, INNER, namespace=b"gi"))
        text = base64.b64encode(blob)
    assert text.endswith(b"=")
    digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    at = len(text.rstrip(b"=")) - 1
    other = digits[digits.index(text[at : at + 1]) + 1 :][:1]
    bent = text[:at] + other + text[at + 1 :]
    assert base64.b64decode(bent) == blob
    with pytest.raises(SignatureProblem, match="damaged"):
        parse_signature(b"-----BEGIN SSH SIGNATURE-----\n" + bent + b"\n-----END SSH SIGNATURE-----\n")


def test_numbers_have_one_spelling() -> None:
    assert [parse_mpint(raw) for raw in (b"", b"\x01", b"\x7f", b"\x00\x80", b"\x01\x00")] == [0, 1, 127, 128, 256]
    for raw in (b"\x80", b"\x00", b"\x00\x7f", b"\x00\x00\x80"):
        with pytest.raises(SignatureProblem):
            parse_mpint(raw)
    assert parse_ecdsa(string(b"\x05") + string(b"\x06")) == (5, 6)
    with pytest.raises(SignatureProblem):
        parse_ecdsa(string(b"\x05") + string(b"\x06") + b"\0")


def test_a_key_is_spelled_as_in_its_line() -> None:
    assert parse_key_line(line(rsa(), "ssh-rsa")).key.base64 == base64.b64encode(rsa()).decode()


def test_a_kind_that_does_not_count_is_refused_whoever_spells_it() -> None:
    with pytest.raises(SignatureProblem, match="a key of kind 'ssh-dss' does not count"):
        parse_public_key(string(b"ssh-dss") + string(bytes(32)))
    with pytest.raises(SignatureProblem, match="does not count"):
        parse_signature(build_sshsig(string(b"ssh-ed25519-cert-v01@openssh.com") + string(bytes(32)), INNER))


@pytest.mark.parametrize("hash_name", ["sha256", "sha512"])
def test_what_a_key_signs(hash_name: str) -> None:
    read = parse_signature(build_sshsig(ED25519, INNER, hash_name=hash_name.encode()))
    assert read.signed_data(b"tree 1\n") == to_be_signed(b"tree 1\n", hash_name)


def test_a_security_key_signs_its_application_the_act_and_the_counter() -> None:
    inner = string(KINDS[-2].encode()) + string(b"s" * 64) + bytes([TOUCHED | VERIFIED]) + (259).to_bytes(4, "big")
    read = parse_signature(build_sshsig(SK, inner))
    assert (read.flags, read.counter) == (TOUCHED | VERIFIED, 259)
    parts = [hashlib.sha256(b"ssh:").digest(), b"\x05", b"\x00\x00\x01\x03", hashlib.sha256(to_be_signed(b"tree 1\n")).digest()]
    assert read.signed_data(b"tree 1\n") == b"".join(parts)
