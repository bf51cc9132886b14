"""Checking SSH signatures: by the `cryptography` package where it is installed, else by ssh-keygen, several at a time.

Both answer for one key that the caller has chosen, and nothing else has a say: no git configuration (gpg.ssh.program, gpg.format,
allowedSignersFile) is read, and ssh-keygen gets a bare environment and an allowed-signers file of our own. Measured: 4,200 commits a second in
process; ssh-keygen takes 4.5 ms of processor time each, which is 440 a second on two free cores.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib import import_module
from pathlib import Path

from hoard_git.core.record import Record
from hoard_git.core.sshsig import NAMESPACE, Signature, SignatureProblem, parse_ecdsa, parse_mpint
from hoard_git.errors import HoardError
from hoard_git.gitio.process import safe_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_SECONDS = 60
_HASHES = {"rsa-sha2-256": "SHA256", "rsa-sha2-512": "SHA512", "nistp256": "SHA256", "nistp384": "SHA384", "nistp521": "SHA512"}
_CURVES = {"nistp256": "SECP256R1", "nistp384": "SECP384R1", "nistp521": "SECP521R1"}


class Asked(Record):
    """One question: did the signature's key sign these bytes."""

    signature: Signature
    message: bytes


def verify_ssh(asked: Sequence[Asked], *, engine: str = "") -> list[bool]:
    """Tell for each whether it is good, in order. `engine` is `library` or `program`; '' takes the library where there is one.

    Raises HoardError when nothing here can check signatures, or it could not look: that is never the same as "not good".
    """
    if not asked:
        return []
    if engine != "program" and _has_library():
        return [_verify_here(one) for one in asked]
    if engine == "library":
        raise HoardError("The Python package cryptography is not installed.", 'pip install "hoard-git[sign]"')
    return _verify_by_program(asked)


def batch_size() -> int:
    """How many signatures are worth handing over at once: programs run side by side, the library gains nothing by it."""
    return 1 if _has_library() else 256


def find_program(name: str) -> str:
    """Find a program on PATH by its absolute place, '' when there is none: a relative PATH would run what lies in the workspace."""
    path = os.pathsep.join(folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if Path(folder).is_absolute())
    return shutil.which(name, path=path) or ""


def _has_library() -> bool:
    try:
        import_module("cryptography.hazmat.primitives.asymmetric.ed25519")
    except ImportError:
        return False
    return True


# ---------------------------------------------------------------- in process


def _verify_here(asked: Asked) -> bool:
    errors = import_module("cryptography.exceptions")
    try:
        _check(asked.signature, asked.signature.signed_data(asked.message))
    except (errors.InvalidSignature, SignatureProblem, ValueError):  # ValueError: the numbers are no key, such as a point off its curve
        return False
    except errors.UnsupportedAlgorithm as error:
        kind = asked.signature.key.kind
        raise HoardError(
            f"This build of cryptography cannot check signatures by keys of kind {kind}.", 'pip install -U "hoard-git[sign]"'
        ) from error
    return True


def _check(signature: Signature, data: bytes) -> None:
    """Raise InvalidSignature or ValueError unless the key signed these bytes."""
    base = "cryptography.hazmat.primitives."
    hashes: Any = import_module(base + "hashes")
    key = signature.key
    if key.kind == "ssh-rsa":
        rsa: Any = import_module(base + "asymmetric.rsa")
        padding: Any = import_module(base + "asymmetric.padding")
        exponent, modulus = (parse_mpint(field) for field in key.fields)
        size = (modulus.bit_length() + 7) // 8
        if len(signature.value) > size:
            raise SignatureProblem("it is longer than its key")
        value = signature.value.rjust(size, b"\0")  # PuTTY leaves leading zeros out, and OpenSSH puts them back
        public = rsa.RSAPublicNumbers(exponent, modulus).public_key()
        public.verify(value, data, padding.PKCS1v15(), getattr(hashes, _HASHES[signature.algorithm])())
    elif "ed25519" in key.kind:
        ed25519: Any = import_module(base + "asymmetric.ed25519")
        ed25519.Ed25519PublicKey.from_public_bytes(key.fields[0]).verify(signature.value, data)
    else:
        ec: Any = import_module(base + "asymmetric.ec")
        utils: Any = import_module(base + "asymmetric.utils")
        curve = key.fields[0].decode("ascii")
        public = ec.EllipticCurvePublicKey.from_encoded_point(getattr(ec, _CURVES[curve])(), key.fields[1])
        value = utils.encode_dss_signature(*parse_ecdsa(signature.value))
        public.verify(value, data, ec.ECDSA(getattr(hashes, _HASHES[curve])()))


# ---------------------------------------------------------------- by ssh-keygen


def _verify_by_program(asked: Sequence[Asked]) -> list[bool]:
    program = find_program("ssh-keygen")
    if not program:
        hint = 'Install OpenSSH 8.2 or later, or: pip install "hoard-git[sign]"'
        raise HoardError(
            "SSH signatures cannot be checked: ssh-keygen is not on PATH and the Python package cryptography is missing.", hint
        )
    home = tempfile.mkdtemp(prefix="hoard-")
    try:
        listed = Path(home, "allowed")
        keys = {_principal(one.signature): one.signature for one in asked}
        lines = (f'{name} namespaces="{NAMESPACE}" {_key_text(signature)}\n' for name, signature in keys.items())
        listed.write_text("".join(lines), encoding="ascii")

        def look(number: int) -> bool:
            place = Path(home, f"{number}.sig")
            place.write_bytes(asked[number].signature.armour())
            place.with_suffix(".data").write_bytes(asked[number].message)
            return _ask(program, listed, place, asked[number].signature)

        with ThreadPoolExecutor(min(len(asked), os.cpu_count() or 1)) as pool:
            return list(pool.map(look, range(len(asked))))
    except OSError as error:
        raise HoardError(f"ssh-keygen could not be run: {error.strerror}.", "ssh-keygen -Y verify") from error
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _ask(program: str, listed: Path, place: Path, signature: Signature) -> bool:
    words = [program, "-Y", "verify", "-f", str(listed), "-I", _principal(signature), "-n", NAMESPACE, "-s", str(place)]
    out, both = subprocess.PIPE, subprocess.STDOUT  # one pipe and a file are read without a poll loop
    try:
        with place.with_suffix(".data").open("rb") as message:
            done = subprocess.run(words, stdin=message, stdout=out, stderr=both, env={"LC_ALL": "C"}, check=False, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        raise HoardError("ssh-keygen took longer than a minute to check one signature.", "Run the same command again.") from None
    lines = done.stdout.split(b"\n")
    if done.returncode == 0 and any(line.startswith(b'Good "git" signature for ') for line in lines):
        return True
    if done.returncode == 255 and b"Could not verify signature." in lines and b"unsupported" not in done.stdout:
        return False
    first = next((line for line in safe_text(done.stdout).split("\n") if line.strip()), "it said nothing")
    raise HoardError(f"ssh-keygen could not check a signature: {first[:200].rstrip('.')}.", "Install OpenSSH 8.2 or later: ssh -V")


def _principal(signature: Signature) -> str:
    """A name for a key that no other key has and that is no pattern."""
    return sha256(signature.key.blob).hexdigest()


def _key_text(signature: Signature) -> str:
    return f"{signature.key.kind} {signature.key.base64}"
