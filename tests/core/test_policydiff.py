"""What a new version of a policy changes, in clauses."""

from __future__ import annotations

import base64

from hoard_git.core.policy import ActorRule, Policy
from hoard_git.core.policydiff import changes_keys, key_name, policy_changes
from tests.support.signing import string


def line(seed: bytes) -> str:
    blob = string(b"ssh-ed25519") + string(seed * 32)
    return f"ssh-ed25519 {base64.b64encode(blob).decode()}"


ONE, TWO = line(b"1"), line(b"2")
ADA = ActorRule("Ada", "human", ("ada@example.org",), (ONE,))
BOT = ActorRule("clawd", "agent", ("clawd@agents.example",))
OLD = Policy(authority="signature", actors=(ADA, BOT))


def test_a_first_policy_is_told_whole() -> None:
    told = policy_changes(None, OLD)
    assert told == [
        "introduces the policy",
        "mode: enforce",
        "authority: signature",
        f"lists Ada (human), key {key_name(ONE)}",
        "lists clawd (agent)",
    ]


def test_one_that_is_gone() -> None:
    assert policy_changes(OLD, None) == ["takes the policy away"]


def test_nothing_but_comments() -> None:
    assert policy_changes(OLD, OLD) == []


def test_a_key_is_rotated() -> None:
    new = OLD._replace(actors=(ADA._replace(keys=(TWO,)), BOT))
    assert policy_changes(OLD, new) == [f"adds key {key_name(TWO)} of Ada (human)", f"takes key {key_name(ONE)} from Ada (human)"]
    assert changes_keys(OLD, new)


def test_whose_key_it_is_counts_as_a_change_of_keys() -> None:
    assert changes_keys(OLD, OLD._replace(actors=(ADA._replace(kind="agent"), BOT)))
    assert not changes_keys(OLD, OLD._replace(mode="warn"))
    assert changes_keys(OLD, None)
    assert not changes_keys(None, Policy())


def test_what_weakens_the_gate_is_named() -> None:
    new = OLD._replace(mode="warn", authority="author", rules=(("HG301", "off"),), low_trust_entries=99)
    assert policy_changes(OLD, new) == [
        "mode: enforce -> warn",
        "authority: signature -> author",
        "HG301: off",
        "changes low_trust_entries",
    ]
    assert policy_changes(new, OLD)[2] == "HG301: as by default"


def test_actors_come_and_go() -> None:
    eve = ActorRule("", "human", ("eve@example.org",))
    new = OLD._replace(actors=(ADA._replace(emails=("a@example.org",)), eve))
    assert policy_changes(OLD, new) == ["changes the addresses of Ada (human)", "lists eve@example.org (human)", "drops clawd (agent)"]


def test_odd_texts_of_a_policy_are_made_printable() -> None:
    odd = OLD._replace(actors=(ActorRule("E\x1b[31mve", "human", (), ("junk",)),))
    assert "lists E?[31mve (human), key (unreadable)" in policy_changes(OLD, odd)
    assert key_name("-----BEGIN PGP PUBLIC KEY BLOCK----- x") == "(unreadable)"
