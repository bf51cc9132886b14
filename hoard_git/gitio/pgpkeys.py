"""Checking PGP signatures with gpg, in a throw-away home that holds a policy's keys and nothing else.

The user's own keyring, trust database, gpg.conf and agent are not looked at, and nothing is fetched. What counts is gpg's status lines.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import weakref
from pathlib import Path

from hoard_git.core.record import Record
from hoard_git.errors import HoardError
from hoard_git.gitio.process import safe_text
from hoard_git.gitio.signatures import find_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

BEGIN, END = b"-----BEGIN PGP SIGNATURE-----", b"-----END PGP SIGNATURE-----"
_SECONDS = 60
_OPTIONS = (
    *("--no-options", "--batch", "--no-tty", "--no-autostart", "--no-auto-key-locate", "--no-auto-key-retrieve", "--no-auto-check-trustdb"),
    *("--disable-dirmngr", "--trust-model=always", "--status-fd=1"),
)
_GOOD_HASHES = {"8", "9", "10", "11"}
"""SHA-256, SHA-384, SHA-512 and SHA-224, as RFC 4880 section 9.4 numbers them; gpg still says "good" to SHA-1."""
_BINARY = "00"
"""The class of a signature over bytes; one over text would ignore line ends and blanks before them."""
_BAD = {
    "BADSIG": "it does not fit the commit",
    "EXPSIG": "it has expired",
    "EXPKEYSIG": "its key has expired",
    "REVKEYSIG": "its key was revoked",
}


class PgpAnswer(Record):
    """What gpg said: `kind` is good, bad or unknown-key; `fingerprint` is the primary key's."""

    kind: str
    fingerprint: str = ""
    detail: str = ""


class PgpHome:
    """A home with some public keys, numbered from 0 as given."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        """Import binary keys. Raises HoardError when gpg is not there or does not work."""
        self._program = find_program("gpg") or find_program("gpg2")
        if not self._program:
            raise HoardError("PGP signatures cannot be checked: gpg is not on PATH.", "Install GnuPG 2.2 or later.")
        self._home = tempfile.mkdtemp(prefix="hoard-")
        self._remove = weakref.finalize(self, shutil.rmtree, self._home, ignore_errors=True)
        self._owners: dict[str, tuple[int, ...]] = {}
        for number, data in enumerate(keys):
            for name in self._import(data):
                self._owners[name] = (*self._owners.get(name, ()), number)

    def close(self) -> None:
        """Remove the home; harmless when done twice, and done at the end of the program in any case."""
        self._remove()

    def owners(self, fingerprint: str) -> tuple[int, ...]:
        """The numbers of the keys in which a primary key was given."""
        return self._owners.get(fingerprint, ())

    def verify(self, armour: bytes, message: bytes) -> PgpAnswer:
        """Check one detached signature. Raises HoardError when gpg could not look."""
        body = armour.strip(b"\n")
        if not body.startswith(BEGIN + b"\n") or not body.endswith(b"\n" + END) or body.count(b"-----BEGIN ") != 1:
            return PgpAnswer("bad", detail="its armour is not that of one PGP signature")
        place = Path(self._home, "signature.asc")
        place.write_bytes(body + b"\n")
        lines, said = self._run(["--verify", str(place), "-"], message)
        words = [line.split(" ") for line in lines]
        verbs = [word[0] for word in words]
        if "NODATA" in verbs or verbs.count("NEWSIG") > 1:
            return PgpAnswer("bad", detail="it is not one PGP signature")
        for verb, why in _BAD.items():
            if verb in verbs:
                return PgpAnswer("bad", detail=why)
        if "NO_PUBKEY" in verbs:
            return PgpAnswer("unknown-key", fingerprint=_name(words, "ERRSIG"))
        valid = [word for word in words if word[0] == "VALIDSIG"]
        if verbs.count("NEWSIG") == 1 and verbs.count("GOODSIG") == 1 and len(valid) == 1 and len(valid[0]) >= 11:
            return self._judge(valid[0])
        if "ERRSIG" in verbs:
            return PgpAnswer("bad", detail="gpg cannot check it: its algorithm is unknown or too weak")
        raise HoardError(f"gpg could not check a signature: {said}.", "gpg --version")

    def _judge(self, valid: Sequence[str]) -> PgpAnswer:
        """Read a VALIDSIG line: class, hash and the primary key's fingerprint (GnuPG's doc/DETAILS)."""
        hash_name, kind, primary = valid[8], valid[9], valid[10]
        if hash_name not in _GOOD_HASHES:
            return PgpAnswer("bad", fingerprint=primary, detail="its hash is too weak: SHA-224 or stronger is asked for")
        if kind != _BINARY:
            return PgpAnswer("bad", fingerprint=primary, detail="it is not a signature over bytes")
        return PgpAnswer("good" if self.owners(primary) else "unknown-key", primary)

    def _import(self, data: bytes) -> list[str]:
        """Import one key block; return the fingerprints of its primary keys, none when it holds no usable key."""
        lines, said = self._run(["--import-options=import-minimal", "--import"], data)
        found = [line.split(" ")[2] for line in lines if line.startswith("IMPORT_OK ")]
        if not found and not any(line.startswith(("NODATA", "IMPORT_RES", "IMPORT_PROBLEM")) for line in lines):
            raise HoardError(f"gpg could not read a key of the policy: {said}.", "gpg --version")
        return found

    def _run(self, words: Sequence[str], stdin: bytes) -> tuple[list[str], str]:
        """Run gpg; return its status lines without their mark, and its first complaint."""
        command = [self._program, "--homedir", self._home, *_OPTIONS, *words]
        environment = {"LC_ALL": "C", "HOME": self._home, "GNUPGHOME": self._home, "PATH": os.defpath}
        try:
            done = subprocess.run(command, input=stdin, env=environment, capture_output=True, check=False, timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            raise HoardError("gpg took longer than a minute.", "Run the same command again.") from None
        except OSError as error:
            raise HoardError(f"gpg could not be run: {error.strerror}.", "gpg --version") from error
        lines = [line[9:] for line in done.stdout.decode("utf-8", "replace").split("\n") if line.startswith("[GNUPG:] ")]
        first = next((line for line in safe_text(done.stderr).split("\n") if line.strip()), "it said nothing")
        return lines, first[:200].rstrip(".")


def _name(words: Sequence[Sequence[str]], verb: str) -> str:
    """The fingerprint that ends a status line, or the long key id in its second place."""
    line = next((word for word in words if word[0] == verb), ())
    names = [word for word in (*line[-1:], *line[1:2]) if re.fullmatch(r"[0-9A-F]{16,64}", word)]
    return names[0] if names else ""
