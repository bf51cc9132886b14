"""PGP signatures through gpg in a home of our own: what is good, what is not, and what is no answer."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hoard_git.core.keyring import parse_pgp_key
from hoard_git.errors import HoardError
from hoard_git.gitio.pgpkeys import PgpHome
from tests.support.signing import PgpKey, make_pgp_key, run_gpg

pytestmark = pytest.mark.skipif(shutil.which("gpg") is None, reason="gpg is not installed")
PAYLOAD = b"tree 0\n\nhello  \n"


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """A folder with a short name: gpg-agent's socket has to fit into 108 bytes."""
    path = Path(tempfile.mkdtemp(prefix="g"))
    yield path / "h"
    subprocess.run(["gpgconf", "--homedir", str(path / "h"), "--kill", "all"], check=False, capture_output=True, timeout=60)
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def ada(home: Path) -> PgpKey:
    return make_pgp_key(home, "ada")


def sign(key: PgpKey, *options: str) -> bytes:
    return run_gpg(key.home, *options, "--armor", "--detach-sign", "-u", key.fingerprint, input=PAYLOAD)


def listed(*keys: PgpKey) -> PgpHome:
    return PgpHome([parse_pgp_key(key.line) for key in keys])


@pytest.mark.parametrize("algorithm", ["ed25519", "rsa2048", "nistp384"])
def test_a_good_signature_names_the_primary_key(home: Path, algorithm: str) -> None:
    key = make_pgp_key(home, f"by-{algorithm}", algorithm=algorithm)
    here = listed(make_pgp_key(home, "ada"), key)
    answer = here.verify(sign(key), PAYLOAD)
    assert (answer.kind, answer.fingerprint) == ("good", key.fingerprint)
    assert here.owners(answer.fingerprint) == (1,)


def test_altered_bytes_and_unlisted_keys(home: Path, ada: PgpKey) -> None:
    here = listed(ada)
    assert here.verify(sign(ada), PAYLOAD + b"x").kind == "bad"
    stranger = make_pgp_key(home, "stranger")
    answer = here.verify(sign(stranger), PAYLOAD)
    assert (answer.kind, answer.fingerprint) == ("unknown-key", stranger.fingerprint)


def test_a_subkey_signs_for_its_primary_key(home: Path) -> None:
    key = make_pgp_key(home, "primary")
    run_gpg(home, "--quick-add-key", key.fingerprint, "ed25519", "sign")
    text = run_gpg(home, "--armor", "--export", key.fingerprint).decode()
    answer = PgpHome([parse_pgp_key(text)]).verify(sign(key), PAYLOAD)
    assert (answer.kind, answer.fingerprint) == ("good", key.fingerprint)
    assert listed(key).verify(sign(key), PAYLOAD).kind == "unknown-key"  # the policy's copy does not know the subkey yet


@pytest.mark.parametrize(
    ("options", "said"), [(["--digest-algo", "SHA1"], "too weak"), (["--textmode"], "not a signature over bytes")], ids=["SHA-1", "text"]
)
def test_a_signature_that_leaves_room(home: Path, options: list[str], said: str) -> None:
    key = make_pgp_key(home, "by-rsa2048", algorithm="rsa2048")
    answer = listed(key).verify(sign(key, *options), PAYLOAD)
    assert answer.kind == "bad" and said in answer.detail


def test_two_signatures_in_one_armour_are_not_one(home: Path, ada: PgpKey) -> None:
    other = make_pgp_key(home, "other")
    both = run_gpg(home, "--armor", "--detach-sign", "-u", ada.fingerprint, "-u", other.fingerprint, input=PAYLOAD)
    for here in (listed(ada, other), listed(ada), listed(other)):
        assert here.verify(both, PAYLOAD).kind == "bad"


@pytest.mark.parametrize(
    "armour",
    [
        b"",
        b"junk",
        b"-----BEGIN PGP SIGNATURE-----\n\njunk\n-----END PGP SIGNATURE-----\n",
        b"-----BEGIN PGP SIGNATURE-----\n\n-----END PGP SIGNATURE-----\n",
        b"-----BEGIN PGP MESSAGE-----\n\nAAAA\n-----END PGP MESSAGE-----\n",
    ],
)
def test_what_is_no_signature(ada: PgpKey, armour: bytes) -> None:
    assert listed(ada).verify(armour, PAYLOAD).kind == "bad"


def test_a_revoked_key_proves_nothing(home: Path) -> None:
    key = make_pgp_key(home, "revoked")
    armour = sign(key)
    revocation = (home / "openpgp-revocs.d" / f"{key.fingerprint}.rev").read_text()
    run_gpg(home, "--import", input=revocation[revocation.index(":-----BEGIN") + 1 :].encode())
    text = run_gpg(home, "--armor", "--export", key.fingerprint).decode()
    answer = PgpHome([parse_pgp_key(text)]).verify(armour, PAYLOAD)
    assert (answer.kind, answer.detail) == ("bad", "its key was revoked")


def test_a_key_that_gpg_does_not_take_keeps_its_number(ada: PgpKey) -> None:
    here = PgpHome([b"\x98\x05junk!", parse_pgp_key(ada.line)])
    assert here.owners(ada.fingerprint) == (1,)


def test_nothing_stays_behind(ada: PgpKey) -> None:
    here = listed(ada)
    place = Path(here._home)
    assert place.stat().st_mode & 0o777 == 0o700
    here.close()
    here.close()
    assert not place.exists()


@pytest.mark.parametrize("script", ["exit 2", "kill -9 $$", "echo '[GNUPG:] GOODSIG x ada'", "echo '[GNUPG:] VALIDSIG x'"])
def test_a_gpg_that_does_not_work_is_an_error(ada: PgpKey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    armour = sign(ada)
    here = listed(ada)
    fake = tmp_path / "gpg"
    fake.write_text(f"#!/bin/sh\n{script}\n")
    fake.chmod(0o755)
    here._program = str(fake)
    with pytest.raises(HoardError, match="could not check"):
        here.verify(armour, PAYLOAD)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(HoardError, match="could not read a key"):
        listed(ada)
    here._program = str(tmp_path / "gone")
    with pytest.raises(HoardError, match="could not be run"):
        here.verify(armour, PAYLOAD)


def test_gpg_that_is_not_there(ada: PgpKey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HoardError, match="gpg is not on PATH"):
        listed(ada)
