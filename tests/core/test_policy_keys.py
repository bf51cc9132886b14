"""A PGP key in a policy stands on several lines; other texts do not."""

from __future__ import annotations

import pytest

from hoard_git.core.policy import policy_from_data
from hoard_git.core.policydata import PolicyProblem


def test_a_key_may_have_line_breaks_and_an_address_may_not() -> None:
    armour = "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDME\n-----END PGP PUBLIC KEY BLOCK-----\n"
    actor = {"name": "Ada Example", "kind": "human", "emails": ["ada@example.org"], "keys": [armour]}
    assert policy_from_data({"version": 1, "actors": [actor]}).actors[0].keys == (armour,)
    with pytest.raises(PolicyProblem, match="list of texts"):
        policy_from_data({"version": 1, "actors": [actor | {"emails": ["ada@example.org\n"]}]})
    with pytest.raises(PolicyProblem, match="list of texts"):
        policy_from_data({"version": 1, "actors": [actor | {"keys": [armour + "\x1b"]}]})
