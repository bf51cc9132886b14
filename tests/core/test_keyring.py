"""The keys of a policy: whose they are, and those that count for nobody."""

from __future__ import annotations

import base64

import pytest

from hoard_git.core.keyring import parse_pgp_key, read_keys, weakest_holder
from hoard_git.core.policy import ActorRule
from hoard_git.core.sshsig import SignatureProblem
from tests.support.signing import string

BLOB = string(b"ssh-ed25519") + string(bytes(32))
LINE = "ssh-ed25519 " + base64.b64encode(BLOB).decode()
PACKET = b"\x98\x03" + b"key"
BODY = base64.b64encode(PACKET).decode()
ARMOUR = f"-----BEGIN PGP PUBLIC KEY BLOCK-----\nVersion: x\nComment: two words\n\n{BODY}\n=abcd\n-----END PGP PUBLIC KEY BLOCK-----\n"


def actor(kind: str, *keys: str) -> ActorRule:
    return ActorRule(f"the {kind}", kind, (), keys)


def test_keys_are_found_by_their_wire_form() -> None:
    ring = read_keys([actor("human", LINE + " ada", ARMOUR), actor("agent")])
    assert [holder.actor.kind for holder in ring.ssh[BLOB]] == ["human"]
    assert [(holder.actor.kind, holder.data) for holder in ring.pgp] == [("human", PACKET)]
    assert ring.faults == ()


@pytest.mark.parametrize("order", [("human", "agent", "tool"), ("tool", "human", "agent"), ("agent", "tool", "human")])
def test_a_shared_key_is_the_weakest_holders(order: tuple[str, ...]) -> None:
    ring = read_keys(actor(kind, f"{LINE} {kind}") for kind in order)
    assert weakest_holder(ring.ssh[BLOB]).actor.kind == "tool"


def test_a_key_that_cannot_be_read_is_named_and_the_others_count() -> None:
    ring = read_keys([actor("human", "k", LINE, "-----BEGIN CERTIFICATE-----")])
    assert list(ring.ssh) == [BLOB]
    assert [(fault.actor.kind, fault.number) for fault in ring.faults] == [("human", 0), ("human", 2)]


def test_an_armour_may_stand_on_one_line() -> None:
    assert parse_pgp_key(f"-----BEGIN PGP PUBLIC KEY BLOCK----- {BODY} =abcd -----END PGP PUBLIC KEY BLOCK-----") == PACKET
    assert parse_pgp_key(ARMOUR) == PACKET
    assert parse_pgp_key(ARMOUR.replace(BODY, base64.b64encode(b"\xc6\x03key").decode())) == b"\xc6\x03key"


@pytest.mark.parametrize("text", [ARMOUR * 2, ARMOUR[:-10], ARMOUR[10:], "key"])
def test_what_is_not_one_armour_is_told_how_to_make_one(text: str) -> None:
    with pytest.raises(SignatureProblem, match="not one armoured PGP public key: gpg --armor"):
        parse_pgp_key(text)


@pytest.mark.parametrize(
    "text",
    [
        ARMOUR * 2,
        ARMOUR.replace("PUBLIC", "PRIVATE"),
        ARMOUR.replace("-----END PGP PUBLIC KEY BLOCK-----", ""),
        ARMOUR.replace(BODY, ""),
        ARMOUR.replace(BODY, "!"),
        ARMOUR.replace(BODY, base64.b64encode(b"\x94\x03key").decode()),  # a secret key packet
        ARMOUR.replace(BODY, base64.b64encode(b"key").decode()),
        "0123456789ABCDEF0123456789ABCDEF01234567",
    ],
)
def test_what_is_no_armoured_public_key(text: str) -> None:
    with pytest.raises(SignatureProblem):
        parse_pgp_key(text)
