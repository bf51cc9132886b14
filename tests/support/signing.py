"""Keys made for the length of a test run, and commits signed with them; nothing here touches the user's own keys or agents."""

from __future__ import annotations

import base64
import hashlib
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.support.repo import Repo

BASE = """\
version: 1
timezone: UTC
authority: {authority}
actors:
  - {{name: Ada Example, kind: human, emails: [ada@example.org], keys: [{human}]}}
  - {{name: clawd, kind: agent, emails: [clawd@agents.example], keys: [{agent}]}}
"""


@dataclass(frozen=True, slots=True)
class SshKey:
    """A key pair: `private` is the file that git is given, `line` the public key as a policy lists it."""

    private: Path
    line: str

    @property
    def blob(self) -> bytes:
        return base64.b64decode(self.line.split()[1])


@cache
def _key(folder: Path, name: str, kind: str, bits: str) -> SshKey:
    path = folder / name
    size = ["-b", bits] if bits else []
    command = ["ssh-keygen", "-q", "-t", kind, *size, "-N", "", "-C", name, "-f", str(path)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return SshKey(path, path.with_name(path.name + ".pub").read_text().strip())


def make_key(folder: Path, name: str, kind: str = "ed25519", bits: str = "") -> SshKey:
    """An SSH key pair without a passphrase, made once for a folder and a name."""
    return _key(folder, name, kind, bits)


def policy(human: str = "", agent: str = "", *, authority: str = "signature") -> str:
    """A policy with these keys; '' lists none."""
    return BASE.format(authority=authority, human=f'"{human}"' if human else "", agent=f'"{agent}"' if agent else "")


def sign_with(key: SshKey | str) -> dict[str, str]:
    """The environment in which git signs every commit with an SSH key, or with a PGP key that its fingerprint names."""
    settings = {
        "gpg.format": "openpgp" if isinstance(key, str) else "ssh",
        "user.signingkey": key if isinstance(key, str) else str(key.private),
        "commit.gpgsign": "true",
    }
    found = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (name, value) in enumerate(settings.items()):
        found |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    return found


def raw_commit(repo: Repo, revision: str = "HEAD") -> bytes:
    """The bytes of a commit object."""
    return repo.git("cat-file", "commit", revision).stdout


def write_commit(repo: Repo, raw: bytes, ref: str = "HEAD") -> str:
    """Store bytes as a commit object, whatever git thinks of them, and point a ref at it."""
    oid = repo.git("hash-object", "-t", "commit", "-w", "--literally", "--stdin", input=raw).stdout.decode().strip()
    repo.git("update-ref", ref, oid)
    return oid


def put_signature(raw: bytes, armour: bytes, header: bytes = b"gpgsig") -> bytes:
    """Put a signature header at the end of a commit's headers."""
    head, _, message = raw.partition(b"\n\n")
    return head + b"\n" + header + b" " + armour.strip(b"\n").replace(b"\n", b"\n ") + b"\n\n" + message


def sshsig(key: SshKey, payload: bytes, namespace: str = "git", hash_name: str = "sha512") -> bytes:
    """Sign bytes with ssh-keygen; returns the armour."""
    command = ["ssh-keygen", "-q", "-Y", "sign", "-f", str(key.private), "-n", namespace, "-O", f"hashalg={hash_name}"]
    return subprocess.run(command, input=payload, check=True, capture_output=True, timeout=60).stdout


def string(raw: bytes) -> bytes:
    """SSH's string: a length of four bytes, then the bytes."""
    return len(raw).to_bytes(4, "big") + raw


def build_sshsig(public: bytes, inner: bytes, *, namespace: bytes = b"git", reserved: bytes = b"", hash_name: bytes = b"sha512") -> bytes:
    """An SSH signature's armour from its parts."""
    blob = b"SSHSIG" + (1).to_bytes(4, "big") + b"".join(map(string, (public, namespace, reserved, hash_name, inner)))
    return armour_of(blob)


def armour_of(blob: bytes) -> bytes:
    text = base64.b64encode(blob)
    lines = [text[at : at + 70] for at in range(0, len(text), 70)]
    return b"\n".join([b"-----BEGIN SSH SIGNATURE-----", *lines, b"-----END SSH SIGNATURE-----", b""])


def blob_of(armour: bytes) -> bytes:
    """The bytes inside an SSH signature's armour."""
    return base64.b64decode(b"".join(armour.strip().split(b"\n")[1:-1]))


def to_be_signed(payload: bytes, hash_name: str = "sha512") -> bytes:
    """What an SSH key signs for a payload (PROTOCOL.sshsig), written here a second time as the tests' own reading of it."""
    return b"SSHSIG" + b"".join(map(string, (b"git", b"", hash_name.encode(), hashlib.new(hash_name, payload).digest())))


@dataclass(frozen=True, slots=True)
class PgpKey:
    """A PGP key in a home of its own; `text` is the armoured public key."""

    home: Path
    fingerprint: str
    text: str

    @property
    def line(self) -> str:
        """The armour on one line, as a policy can hold it."""
        lines = [line for line in self.text.strip().split("\n") if line and ": " not in line]
        return " ".join(lines)

    @property
    def environment(self) -> dict[str, str]:
        return {**sign_with(self.fingerprint), "GNUPGHOME": str(self.home)}


def run_gpg(home: Path, *words: str, input: bytes = b"") -> bytes:  # noqa: A002  (subprocess's own word)
    environment = {**os.environ, "GNUPGHOME": str(home)}
    command = ["gpg", "--batch", "--no-tty", "--pinentry-mode", "loopback", "--passphrase", "", *words]
    return subprocess.run(command, input=input, env=environment, check=True, capture_output=True, timeout=60).stdout


@cache
def make_pgp_key(home: Path, name: str, expires: str = "0", algorithm: str = "ed25519") -> PgpKey:
    """A PGP key without a passphrase; `home` has to be short, since gpg-agent's socket lies in it."""
    home.mkdir(mode=0o700, exist_ok=True)
    run_gpg(home, "--quick-gen-key", f"{name} <{name}@example.org>", algorithm, "sign", expires)
    listed = run_gpg(home, "--with-colons", "--list-keys", f"{name}@example.org").decode()
    fingerprint = next(line.split(":")[9] for line in listed.split("\n") if line.startswith("fpr:"))
    text = run_gpg(home, "--armor", "--export", fingerprint).decode()
    return PgpKey(home, fingerprint, text)


def merged(*parts: Mapping[str, str]) -> dict[str, str]:
    """Several environments as one."""
    return {name: value for part in parts for name, value in part.items()}
