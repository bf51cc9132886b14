"""Who a commit's author counts as, under both kinds of authority."""

from __future__ import annotations

import pytest

from hoard_git.core.policy import DEFAULT, ActorRule, Policy
from hoard_git.core.trust import Proof, actor_of, find_marker, is_raised, will_sign

ADA = ActorRule("Ada Example", "human", ("ada@example.org", "ada@home.example"))
CLAWD = ActorRule("clawd", "agent", ("clawd@agents.example",))
SYNC = ActorRule("sync", "tool", ("sync@tools.example",))
AUTHOR = Policy(actors=(ADA, CLAWD, SYNC))
SIGNATURE = AUTHOR._replace(authority="signature")


@pytest.mark.parametrize("email", ["ada@example.org", "Ada@Example.ORG", "ada@home.example", " ada@example.org "])
def test_a_listed_human_is_a_human(email: str) -> None:
    actor = actor_of(email, AUTHOR)
    assert (actor.kind, actor.name, actor.claimed, actor.why) == ("human", "Ada Example", "human", "")


@pytest.mark.parametrize(
    ("email", "kind"), [("clawd@agents.example", "agent"), ("CLAWD@agents.example", "agent"), ("sync@tools.example", "tool")]
)
def test_a_listed_agent_or_tool_is_what_the_policy_says(email: str, kind: str) -> None:
    actor = actor_of(email, AUTHOR, environ={"CLAUDECODE": "1"})
    assert (actor.kind, actor.claimed, actor.why) == (kind, kind, "")


@pytest.mark.parametrize("email", ["eve@example.org", "ada@example.org.evil.example", "xada@example.org", "ada@example.or\u212a"])
def test_everyone_else_is_an_agent_and_is_told_why(email: str) -> None:
    actor = actor_of(email, AUTHOR)
    assert (actor.kind, actor.claimed) == ("agent", "agent")
    assert "not listed as a human in .hoard.yaml" in actor.why
    assert "the actors list" in actor.why
    assert "hoard init" not in actor.why


def test_without_an_address_there_is_nobody_to_list() -> None:
    actor = actor_of("", AUTHOR)
    assert (actor.kind, actor.why) == ("agent", "the diff names no author, so it is judged as an agent's")


def test_the_kelvin_sign_is_no_k() -> None:
    policy = Policy(actors=(ActorRule("Kim", "human", ("kim@example.org",)),))
    assert actor_of("KIM@example.org", policy).is_human
    assert not actor_of("\u212aim@example.org", policy).is_human


def test_without_a_policy_the_next_step_is_to_make_one() -> None:
    actor = actor_of("ada@example.org", DEFAULT)
    assert actor.kind == "agent"
    assert actor.why.endswith("hoard init")


def test_an_address_of_two_actors_belongs_to_the_weaker() -> None:
    policy = Policy(actors=(ADA, ActorRule("bot", "agent", ("ada@example.org",))))
    assert actor_of("ada@example.org", policy).kind == "agent"


@pytest.mark.parametrize("name", ["CLAUDECODE", "CODEX_SANDBOX", "CODEX_", "OPENCLAW_HOME", "AI_AGENT"])
def test_an_agents_marker_makes_a_human_address_an_agent(name: str) -> None:
    actor = actor_of("ada@example.org", AUTHOR, environ={"PATH": "/bin", name: "1"}, local=True)
    assert (actor.kind, actor.claimed, actor.name) == ("agent", "human", "Ada Example")
    assert f"variable {name} says" in actor.why
    assert f"unset {name}" in actor.why
    assert "--human" not in actor.why


@pytest.mark.parametrize("environ", [{"CLAUDECODE": ""}, {"MY_CLAUDECODE": "1"}, {"claudecode": "1"}, {"CODEX": "1"}, {}])
def test_what_is_no_marker_changes_nothing(environ: dict[str, str]) -> None:
    assert actor_of("ada@example.org", AUTHOR, environ=environ, local=True).is_human


def test_the_policys_own_markers_count_and_no_others() -> None:
    policy = AUTHOR._replace(agent_markers=("*_BOT", "X*Y*Z", "EXACT"))
    assert actor_of("ada@example.org", policy, environ={"CLAUDECODE": "1"}).is_human
    assert not actor_of("ada@example.org", policy, environ={"MY_BOT": "1"}).is_human


@pytest.mark.parametrize(
    ("name", "pattern", "fits"),
    [
        ("A", "A", True), ("AB", "A", False), ("AB", "A*", True), ("A", "A*", True), ("XA", "*A", True), ("XAB", "*A", False),
        ("AxxByyC", "A*B*C", True), ("ABC", "A*B*C", True), ("AC", "A*B*C", False), ("AB", "A*B*B", False), ("ABB", "A*B*B", True),
        ("A", "A*A", False), ("anything", "*", True), ("a.b", "a?b", False),
    ],
)  # fmt: skip
def test_marker_patterns(name: str, pattern: str, fits: bool) -> None:
    assert find_marker({name: "1"}, (pattern,)) == (name if fits else "")


def test_a_marker_name_never_brings_control_characters_into_the_sentence() -> None:
    actor = actor_of("ada@example.org", AUTHOR, environ={"CODEX_\x1b[2J\n": "1"})
    assert actor.kind == "agent"
    assert actor.why.isprintable()


def test_an_odd_address_never_brings_control_characters_into_the_sentence() -> None:
    assert actor_of("eve\x1b[2J\u202e@example.org", AUTHOR).why.isprintable()


# ---------------------------------------------------------------- authority: signature


@pytest.mark.parametrize("email", ["ada@example.org", "clawd@agents.example", "nobody@example.org"])
def test_a_good_signature_decides_and_the_author_is_display(email: str) -> None:
    by_ada = actor_of(email, SIGNATURE, signature=Proof("good", "Ada Example"))
    assert (by_ada.kind, by_ada.name) == ("human", "Ada Example")
    assert actor_of(email, SIGNATURE, signature=Proof("good", "clawd")).kind == "agent"
    assert actor_of(email, SIGNATURE, signature=Proof("good", "sync")).kind == "tool"


def test_a_humans_address_under_an_agents_signature_is_an_agent() -> None:
    actor = actor_of("ada@example.org", SIGNATURE, signature=Proof("good", "clawd"))
    assert (actor.kind, actor.claimed) == ("agent", "human")
    assert "clawd, which the policy lists as an agent" in actor.why


@pytest.mark.parametrize(
    ("proof", "said"),
    [
        (None, "has no signature"),
        (Proof("none"), "has no signature"),
        (Proof("bad"), "is not good"),
        (Proof("bad", "Ada Example"), "is not good"),
        (Proof("unknown-key"), "does not list"),
        (Proof("unknown-key", "Ada Example"), "does not list"),
        (Proof("good", "somebody"), "does not list"),
    ],
)
def test_a_human_without_the_proof_is_an_unproven_human(proof: Proof | None, said: str) -> None:
    actor = actor_of("ada@example.org", SIGNATURE, signature=proof)
    assert (actor.kind, actor.claimed, actor.name) == ("agent", "human", "Ada Example")
    assert said in actor.why
    assert "git commit --amend -S" in actor.why


def test_before_the_commit_exists_a_human_passes_with_a_note() -> None:
    actor = actor_of("ada@example.org", SIGNATURE, local=True)
    assert actor.is_human
    assert actor.why.startswith("unproven until signed")


def test_before_the_commit_exists_an_agents_marker_still_counts() -> None:
    assert actor_of("ada@example.org", SIGNATURE, environ={"CLAUDECODE": "1"}, local=True).kind == "agent"


def test_a_proof_that_was_found_counts_even_locally() -> None:
    assert actor_of("ada@example.org", SIGNATURE, signature=Proof("bad"), local=True).kind == "agent"


def test_the_author_alone_is_enough_only_where_the_policy_says_so() -> None:
    assert actor_of("ada@example.org", AUTHOR, signature=Proof("bad")).is_human
    assert not actor_of("ada@example.org", SIGNATURE, signature=Proof("bad")).is_human


def test_a_bad_proof_says_which_key_and_why() -> None:
    unknown = actor_of("ada@example.org", SIGNATURE, signature=Proof("unknown-key", fingerprint="SHA256:abc"))
    assert "by a key that .hoard.yaml does not list (SHA256:abc); sign it" in unknown.why
    bad = actor_of("ada@example.org", SIGNATURE, signature=Proof("bad", fingerprint="SHA256:abc", detail="it fits another commit"))
    assert "its signature is not good (it fits another commit); sign it" in bad.why


# -------------------------------------------------------------------- who is about to sign

KEY = "ssh-ed25519 AAAAkey"
KEYED = SIGNATURE._replace(actors=(ADA._replace(keys=("ssh-ed25519 AAAAother", f"verify-required {KEY} ada@laptop")), CLAWD, SYNC))


def test_a_humans_key_makes_whoever_is_the_author_that_human() -> None:
    actor = will_sign(f"{KEY} another comment\n", "clawd@agents.example", KEYED, {})
    assert actor is not None
    assert (actor.kind, actor.name, actor.email, actor.claimed) == ("human", "Ada Example", "clawd@agents.example", "human")
    assert actor.why


@pytest.mark.parametrize("key", ["", "ssh-ed25519", "AAAAkey", "ssh-ed25519 AAAAk", "ssh-rsa AAAAkey", "ssh-ed25519 ssh-ed25519"])
def test_a_key_that_is_not_listed_promises_nothing(key: str) -> None:
    assert will_sign(key, "ada@example.org", KEYED, {}) is None


def test_a_key_of_two_actors_an_agents_marker_and_another_authority_promise_nothing() -> None:
    shared = KEYED._replace(actors=(*KEYED.actors, ActorRule("bot", "agent", keys=(KEY,))))
    assert will_sign(KEY, "ada@example.org", shared, {}) is None
    assert will_sign(KEY, "ada@example.org", KEYED, {"CLAUDECODE": "1"}) is None
    assert will_sign(KEY, "ada@example.org", KEYED._replace(authority="author"), {}) is None


@pytest.mark.parametrize(
    ("old", "new", "kind", "raised"),
    [
        ("web", "agent", "human", True),
        ("agent", "web", "agent", False),
        ("agent", "agent", "agent", False),
        ("", "agent", "agent", False),
        ("", "user", "agent", True),
        ("", "user", "human", False),
        ("", "tool", "tool", False),
        ("", "agent", "tool", True),
        ("user", "", "agent", False),
    ],
)
def test_a_source_rises_beyond_a_first_one_that_its_giver_may_give(old: str, new: str, kind: str, *, raised: bool) -> None:
    assert is_raised(old, new, kind) is raised
