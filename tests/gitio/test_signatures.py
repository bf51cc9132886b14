"""SSH signatures of every kind of key, made by ssh-keygen, checked by both engines; and everything that must not pass for one."""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import os
import tempfile
from pathlib import Path

import pytest

from hoard_git.core.sshsig import TOUCHED, VERIFIED, SignatureProblem, parse_key_line, parse_signature
from hoard_git.errors import HoardError
from hoard_git.gitio import signatures
from hoard_git.gitio.signatures import Asked, find_program, verify_ssh
from tests.support.signing import SshKey, blob_of, build_sshsig, make_key, sshsig, string, to_be_signed

PAYLOAD = b"tree 0\nauthor Ada <ada@example.org> 1 +0000\n\nhello\n"
HAS_LIBRARY = importlib.util.find_spec("cryptography") is not None
needs_library = pytest.mark.skipif(not HAS_LIBRARY, reason="the extra `sign` (cryptography) is not installed")
ENGINES = [pytest.param("library", marks=needs_library), "program"]
KINDS = [("ed25519", ""), ("ecdsa", "256"), ("ecdsa", "384"), ("ecdsa", "521"), ("rsa", "2048"), ("rsa", "3072")]


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("ssh-keys")


def good(armour: bytes, payload: bytes = PAYLOAD, engine: str = "") -> bool:
    return verify_ssh([Asked(parse_signature(armour), payload)], engine=engine)[0]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("hash_name", ["sha256", "sha512"])
@pytest.mark.parametrize(("kind", "bits"), KINDS)
def test_a_signature_of_every_kind_is_good_for_its_bytes_alone(keys: Path, kind: str, bits: str, hash_name: str, engine: str) -> None:
    key = make_key(keys, f"{kind}{bits}", kind, bits)
    armour = sshsig(key, PAYLOAD, hash_name=hash_name)

    assert parse_signature(armour).key == parse_key_line(key.line).key
    assert good(armour, engine=engine)
    assert not good(armour, PAYLOAD + b" ", engine=engine)
    assert not good(armour, b"", engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_many_are_answered_in_order(keys: Path, engine: str) -> None:
    key = make_key(keys, "ed25519", "ed25519")
    signature = parse_signature(sshsig(key, PAYLOAD))
    asked = [Asked(signature, PAYLOAD if number % 3 else PAYLOAD[:-1]) for number in range(20)]

    assert verify_ssh(asked, engine=engine) == [bool(number % 3) for number in range(20)]
    assert verify_ssh([], engine=engine) == []


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("kind", "bits"), KINDS[:5])
def test_another_key_in_the_signature_makes_it_bad(keys: Path, kind: str, bits: str, engine: str) -> None:
    mine, other = make_key(keys, f"{kind}{bits}", kind, bits), make_key(keys, f"{kind}{bits}-other", kind, bits)
    inner = parse_signature(sshsig(mine, PAYLOAD))
    forged = build_sshsig(other.blob, string(inner.algorithm.encode()) + string(inner.value))

    assert parse_signature(forged).key.blob == other.blob
    assert not good(forged, engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_every_flipped_byte_of_a_value_is_noticed(keys: Path, engine: str) -> None:
    key = make_key(keys, "ed25519", "ed25519")
    signature = parse_signature(sshsig(key, PAYLOAD))
    step = 1 if engine == "library" else 16
    for at in range(0, len(signature.value), step):
        value = bytearray(signature.value)
        value[at] ^= 1
        blob = signature.blob.replace(signature.value, bytes(value))
        assert verify_ssh([Asked(signature._replace(value=bytes(value), blob=blob), PAYLOAD)], engine=engine) == [False]


@pytest.mark.parametrize("namespace", ["file", "hoard", "git ", "GIT"])
def test_a_signature_made_for_something_else_is_none(keys: Path, namespace: str) -> None:
    armour = sshsig(make_key(keys, "ed25519", "ed25519"), PAYLOAD, namespace)

    with pytest.raises(SignatureProblem, match="not for git"):
        parse_signature(armour)


# ---------------------------------------------------------------- security keys, by a key in software


def hardware(kind: str, flags: int, payload: bytes = PAYLOAD) -> tuple[str, bytes]:
    """The key line and the signature that a security key would give (PROTOCOL.u2f)."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    application = b"ssh:"
    ending = bytes([flags]) + (7).to_bytes(4, "big")
    data = hashlib.sha256(application).digest() + ending + hashlib.sha256(to_be_signed(payload)).digest()
    if kind == "sk-ssh-ed25519@openssh.com":
        private = ed25519.Ed25519PrivateKey.generate()
        public = string(private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))
        value = private.sign(data)
    else:
        curve = ec.generate_private_key(ec.SECP256R1())
        public = string(b"nistp256") + string(curve.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
        r, s = utils.decode_dss_signature(curve.sign(data, ec.ECDSA(hashes.SHA256())))
        value = b"".join(string(number.to_bytes(number.bit_length() // 8 + 1, "big")) for number in (r, s))
    blob = string(kind.encode()) + public + string(application)
    armour = build_sshsig(blob, string(kind.encode()) + string(value) + ending)
    return f"{kind} {base64.b64encode(blob).decode()} token", armour


@needs_library
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("flags", [0, TOUCHED, TOUCHED | VERIFIED])
@pytest.mark.parametrize("kind", ["sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com"])
def test_a_security_key_signs_its_flags_too(kind: str, flags: int, engine: str) -> None:
    line, armour = hardware(kind, flags)
    signature = parse_signature(armour)

    assert signature.key == parse_key_line(line).key
    assert (signature.flags, signature.counter) == (flags, 7)
    assert good(armour, engine=engine)
    assert not good(armour, PAYLOAD + b"x", engine=engine)
    raised = blob_of(armour)[:-5] + bytes([flags ^ TOUCHED]) + blob_of(armour)[-4:]
    assert verify_ssh([Asked(signature._replace(flags=flags ^ TOUCHED, blob=raised), PAYLOAD)], engine=engine) == [False]


# ---------------------------------------------------------------- where the answer may come from


def test_programs_of_the_workspace_are_never_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "ssh-keygen"
    fake.write_text("#!/bin/sh\necho 'Good \"git\" signature for anybody'\n")
    fake.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    real = find_program("ssh-keygen")
    for path in (".", "", f".{os.pathsep}{os.environ['PATH']}", f"{os.pathsep}{os.environ['PATH']}"):
        monkeypatch.setenv("PATH", path)
        assert find_program("ssh-keygen") in ("", real)


def test_nothing_to_check_with_is_an_error_and_no_answer(keys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    armour = sshsig(make_key(keys, "ed25519", "ed25519"), PAYLOAD)
    monkeypatch.setattr(signatures, "_has_library", lambda: False)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(HoardError, match="cannot be checked") as caught:
        good(armour)
    assert "hoard-git[sign]" in caught.value.hint
    with pytest.raises(HoardError, match="cryptography is not installed"):
        good(armour, engine="library")


@pytest.mark.parametrize(
    "script", ["exit 1", "exit 255", "echo unknown option -- Y >&2; exit 1", "kill -9 $$", "exit 0", "echo Good; exit 0"]
)
def test_an_ssh_keygen_that_does_not_work_is_an_error(keys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    armour = sshsig(make_key(keys, "ed25519", "ed25519"), PAYLOAD)
    fake = tmp_path / "ssh-keygen"
    fake.write_text(f"#!/bin/sh\n{script}\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    with pytest.raises(HoardError, match="could not"):
        good(armour, engine="program")


def test_what_ssh_keygen_gets_is_bare_and_nothing_stays_behind(keys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    armour = sshsig(make_key(keys, "ed25519", "ed25519"), PAYLOAD)
    fake, seen, temporary = tmp_path / "bin/ssh-keygen", tmp_path / "seen", tmp_path / "temporary"
    fake.parent.mkdir()
    temporary.mkdir()
    fake.write_text(f"#!/bin/sh\nexport -p > {seen}\necho 'Could not verify signature.'\nexit 255\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("SSH_AUTH_SOCK", "somewhere")
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))

    assert not good(armour, engine="program")
    assert "HOME" not in seen.read_text() and "SSH_AUTH_SOCK" not in seen.read_text()
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("engine", ENGINES)
def test_a_point_that_is_on_no_curve_is_nobodys_key(keys: Path, engine: str) -> None:
    key = make_key(keys, "ecdsa256", "ecdsa", "256")
    inner = parse_signature(sshsig(key, PAYLOAD))
    bent = key.blob[:-1] + bytes([key.blob[-1] ^ 1])
    forged = build_sshsig(bent, string(inner.algorithm.encode()) + string(inner.value))

    assert not good(forged, engine=engine)


def test_an_rsa_signature_without_its_leading_zero_is_good(keys: Path) -> None:
    key = make_key(keys, "rsa2048", "rsa", "2048")
    for number in range(3000):
        armour = sshsig_in_process(key, b"%d" % number)
        if armour is None:
            pytest.skip("the extra `sign` (cryptography) is not installed")
        signature = parse_signature(armour)
        if signature.value.startswith(b"\0"):
            short = build_sshsig(key.blob, string(b"rsa-sha2-512") + string(signature.value[1:]))
            assert good(short, b"%d" % number, "library")
            assert good(short, b"%d" % number, "program")
            return
    pytest.fail("no signature of 3,000 began with a zero byte")


def sshsig_in_process(key: SshKey, payload: bytes) -> bytes | None:
    """Sign with an RSA key without starting a program each time."""
    if not HAS_LIBRARY:
        return None
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import padding, rsa
    from cryptography.hazmat.primitives.serialization import load_ssh_private_key

    private = load_ssh_private_key(key.private.read_bytes(), None)
    assert isinstance(private, rsa.RSAPrivateKey)
    value = private.sign(to_be_signed(payload), padding.PKCS1v15(), hashes.SHA512())
    return build_sshsig(key.blob, string(b"rsa-sha2-512") + string(value))
