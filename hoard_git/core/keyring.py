"""The keys that a policy lists, and whose they are."""

from __future__ import annotations

from binascii import Error as Base64Error
from binascii import a2b_base64

from hoard_git.core.record import Record
from hoard_git.core.sshsig import KeyLine, SignatureProblem, parse_key_line
from hoard_git.core.trust import weakest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hoard_git.core.policy import ActorRule

PGP_BEGIN, PGP_END = "-----BEGIN PGP PUBLIC KEY BLOCK-----", "-----END PGP PUBLIC KEY BLOCK-----"
_PGP_PUBLIC_KEY = 6
"""The packet with which a public key begins, RFC 4880 section 4.3."""


class Holder(Record):
    """An actor who holds a key. `text` is the key as the policy writes it, `line` what was read from it for SSH, `data` the binary key for PGP."""

    actor: ActorRule
    text: str
    line: KeyLine | None = None
    data: bytes = b""


class KeyFault(Record):
    """A key of an actor that cannot count, by its place in the actor's list from 0, and why; it proves nothing for anybody."""

    actor: ActorRule
    number: int
    why: str


class KeyRing(Record):
    """The readable keys of a policy: SSH keys by their wire form, PGP keys in order, and what cannot be read."""

    ssh: Mapping[bytes, tuple[Holder, ...]]
    pgp: tuple[Holder, ...]
    faults: tuple[KeyFault, ...]


def read_keys(actors: Iterable[ActorRule]) -> KeyRing:
    """Read the keys of a policy's actors. A key that cannot be read counts for nobody and is named in `faults`."""
    ssh: dict[bytes, tuple[Holder, ...]] = {}
    pgp = []
    faults = []
    for actor in actors:
        for number, text in enumerate(actor.keys):
            try:
                if text.lstrip().startswith("-----BEGIN "):
                    pgp.append(Holder(actor, text, data=parse_pgp_key(text)))
                else:
                    line = parse_key_line(text)
                    ssh[line.key.blob] = (*ssh.get(line.key.blob, ()), Holder(actor, text, line))
            except SignatureProblem as problem:
                faults.append(KeyFault(actor, number, str(problem)))
    return KeyRing(ssh, tuple(pgp), tuple(faults))


def weakest_holder(holders: Iterable[Holder]) -> Holder:
    """Of the holders of one key, the one who may do least: a key that a human shares with an agent is the agent's."""
    found = list(holders)
    rule = weakest(holder.actor for holder in found)
    return next(holder for holder in found if holder.actor == rule)


def parse_pgp_key(text: str) -> bytes:
    """Give the binary form of an armoured public key; its lines may be joined by spaces. Raises SignatureProblem."""
    body = text.strip()
    if not body.startswith(PGP_BEGIN) or not body.endswith(PGP_END) or body.count("-----BEGIN ") != 1:
        raise SignatureProblem("this is not one armoured PGP public key: gpg --armor --export-options export-minimal --export KEY")
    lines = [line.strip() for line in body[len(PGP_BEGIN) : -len(PGP_END)].split("\n")]
    digits = [word for line in lines if ": " not in line for word in line.split()]
    try:
        data = a2b_base64("".join(word for word in digits if not word.startswith("=")), strict_mode=True)
    except (Base64Error, ValueError):
        data = b""
    tag = (data[0] & 0x3F if data[0] & 0x40 else (data[0] & 0x3F) >> 2) if data and data[0] & 0x80 else 0
    if tag != _PGP_PUBLIC_KEY:
        raise SignatureProblem("the armoured PGP key is damaged or not a public key")
    return data
