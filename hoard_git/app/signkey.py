"""The human's signing key in one workspace: `hoard init --sign-key KEY.pub` reads it, lists it, and makes human commits sign with it.

Everything is set in the repository's own configuration. The agent's commits stay unsigned: its identity and the user's key in one commit would
prove the user. Only what hoard commits as the human, or what somebody signs by hand with `git commit -S`, uses the key.
"""

# ruff: noqa: PTH100, PTH111, PTH113, PTH120, PTH123 -- as in the rest of this floor, paths are text and odd bytes stay as they are

from __future__ import annotations

import os
import shlex
import subprocess

from hoard_git.app.people import SIGN_KEY, config_of
from hoard_git.core.record import Record
from hoard_git.core.sshsig import SignatureProblem, parse_key_line
from hoard_git.errors import HoardError
from hoard_git.gitio.programs import run_program
from hoard_git.gitio.signatures import find_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hoard_git.gitio.plumbing import PlumbingReader

_LARGEST = 64 << 10
MAKE_KEY = "mkdir -p -m 700 ~/.ssh && ssh-keygen -t ed25519 -f ~/.ssh/hoard"
"""ssh-keygen makes no folder for a file whose name is given (seen with OpenSSH 9.2)."""

_MAKE = f"{MAKE_KEY}, then: hoard init --sign-key ~/.ssh/hoard.pub"


class SignKey(Record):
    """A public key: its file's absolute path, the line for the policy, its fingerprint, and whether it lives in a security key."""

    path: str
    line: str
    fingerprint: str
    is_hardware: bool

    @property
    def private(self) -> str:
        """Where ssh-keygen leaves the private half, or a security key's handle."""
        return self.path.removesuffix(".pub")

    @property
    def word(self) -> str:
        """The key itself in base64, by which a policy's lines and ssh-agent's are recognised."""
        return parse_key_line(self.line).key.base64


def read_sign_key(path: str) -> SignKey:
    """Read a `.pub` file. Raises HoardError for a private key, which is not repeated anywhere, and for a key that could prove nothing."""
    full = os.path.abspath(os.path.expanduser(path))
    shown = repr(path)
    try:
        with open(full, "rb") as file:
            raw = file.read(_LARGEST + 1)
    except OSError as error:
        raise HoardError(f"The key {shown} cannot be read: {error.strerror}.", _MAKE) from error
    upper = raw.upper()
    if b"PRIVATE KEY" in upper or b"PUTTY-USER-KEY" in upper or raw.startswith(b"openssh-key-v1"):
        better = shlex.quote(f"{path}.pub") if not path.endswith(".pub") else "KEY.pub"
        raise HoardError(f"{shown} is a private key; it stays where it is, and nothing of it was kept.", f"hoard init --sign-key {better}")
    lines = [line for line in raw.split(b"\n") if line.strip() and not line.startswith(b"#")]
    if len(lines) != 1 or len(raw) > _LARGEST:
        raise HoardError(f"{shown} does not hold one public SSH key: it has {len(lines)} lines.", _MAKE)
    try:
        found = parse_key_line(lines[0].decode("utf-8", "replace"))
    except SignatureProblem as problem:
        raise HoardError(f"The key {shown} cannot be used: {problem}.", _MAKE) from None
    text = lines[0].decode("utf-8", "replace").split()
    at = text.index(found.key.kind)
    comment = "".join(c for c in " ".join(text[at + 2 :]) if " " <= c <= "~" and c not in '"\\')[:80].strip()
    options = text[:at]
    line = " ".join(part for part in (*options, found.key.kind, found.key.base64, comment) if part)
    return SignKey(full, line, found.key.fingerprint, found.key.is_hardware)


def why_unreachable(key: SignKey, reader: PlumbingReader, environ: Mapping[str, str]) -> str:
    """Say why nothing here can sign with a key, as a clause with the way out; '' when something can.

    That is a private half beside the public one, an agent that holds it, or a signing program of the user's own (gpg.ssh.program).
    """
    if os.path.isfile(key.private) and key.private != key.path:
        return ""
    if config_of(reader, "--global", "gpg.ssh.program") or config_of(reader, "--system", "gpg.ssh.program"):
        return ""
    program = find_program("ssh-add")
    if program and environ.get("SSH_AUTH_SOCK"):
        try:
            _status, said = run_program([program, "-L"], os.path.dirname(key.path), os.environ, seconds=20)
        except (OSError, subprocess.TimeoutExpired):
            said = b""
        if key.word.encode() in said.split():
            return ""
    return f"the private half of {key.path!r} is neither beside it nor in ssh-agent; load it first: ssh-add {key.private}"


def configure(reader: PlumbingReader, key: SignKey) -> list[str]:
    """Set the repository up so that human commits sign with this key, and the agent's do not; says what was done, nothing when it was so."""
    wanted = {SIGN_KEY: key.path, "gpg.format": "ssh", "user.signingKey": key.path, "commit.gpgSign": "false"}
    told = []
    for name, value in wanted.items():
        was = config_of(reader, "--local", name)
        if was == value:
            continue
        reader.git(("config", "--local", "--replace-all", name, value), fixed=False).finish()
        told.append(name + (f" (was {was})" if was else ""))
    if not told:
        return []
    touch = "; it asks for a touch each time" if key.is_hardware else ""
    return [f"human commits here are signed with {key.fingerprint}{touch}; set in this repository only: {', '.join(told)}"]
