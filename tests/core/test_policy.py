"""The policy from plain data: defaults, every key, and what is refused where."""

from __future__ import annotations

from typing import Any

import pytest

from hoard_git.core.budget import PROFILES
from hoard_git.core.policy import DEFAULT, ActorRule, AllowedSecret, policy_from_data
from hoard_git.core.policydata import PolicyProblem


def test_nothing_said_is_the_default() -> None:
    assert policy_from_data(None) == policy_from_data({}) == DEFAULT
    assert policy_from_data({}, "a/") == DEFAULT._replace(prefix="a/")


def test_every_key() -> None:
    policy = policy_from_data(
        {
            "version": 1,
            "timezone": "Europe/Berlin",
            "mode": "warn",
            "authority": "signature",
            "actors": [
                {"name": "Ada", "kind": "human", "emails": ["Ada@Example.org"], "keys": ["ssh-ed25519 AAAA ada"]},
                {"name": "bot", "kind": "tool"},
            ],
            "memory": {"index": "NOTES.md", "topic": ["notes/*.md"], "roots": ["agents/a", "./b/"]},
            "ttl": {"defaults": {"agent": "30d"}, "ceilings": {"tool": "1y"}},
            "owners": {"SOUL.md": "agent", "X.md": "web"},
            "limits": {"low_trust_entries": 0, "line": 500},
            "budgets": {"MEMORY.md": "10KB", "total": 60000},
            "rules": {"HG405": False, "HG601": "info"},
            "secrets": {"salt": "s", "allow": [{"fingerprint": "hgs1:" + "0" * 20, "reason": "sample"}]},
            "inline_allow": True,
            "consolidate": {"compress_at": "20KB", "compress_to": 1000, "max_loss": "12.5%"},
            "tiers": {"hot": "3d", "hot_max": "10KB", "warm": "30d", "gzip_after": "1y"},
            "agent_markers": ["X_*"],
            "personal": {"names": ["Ada"], "keep": "Berlin"},
            "search": {"vector_weight": 0, "embedder": "use"},
        }
    )
    assert (policy.timezone, policy.mode, policy.authority) == ("Europe/Berlin", "warn", "signature")
    assert policy.actors == (ActorRule("Ada", "human", ("ada@example.org",), ("ssh-ed25519 AAAA ada",)), ActorRule("bot", "tool"))
    assert dict(policy.globs)["index"] == ("NOTES.md",)
    assert dict(policy.globs)["daily"] == ("memory/YYYY-MM-DD*.md",)
    assert policy.roots == ("agents/a", "b")
    assert [policy.ttl_default(source) for source in ("user", "agent", "web", "")] == ["never", "30d", "30d", "never"]
    assert dict(policy.ttl_ceilings) == {"web": "90d", "dig": "90d", "tool": "1y"}
    assert (dict(policy.owners)["SOUL.md"], dict(policy.owners)["X.md"], dict(policy.owners)["USER.md"]) == ("agent", "web", "agent")
    assert (policy.low_trust_entries, policy.longest_line) == (0, 500)
    assert policy.budgets == (("MEMORY.md", "10KB"), ("total", "60000 chars"))
    assert [policy.severity_of(code, "error") for code in ("HG405", "HG601", "HG101")] == ["off", "info", "error"]
    assert (policy.salt, policy.allowed) == ("s", (AllowedSecret("hgs1:" + "0" * 20, "sample"),))
    assert policy.inline_allow == "true"
    assert (policy.compress_at, policy.compress_to, policy.max_loss) == (20 * 1024, 1000, 0.125)
    assert dict(policy.tiers) == {"hot": "3d", "hot_max": "10KB", "warm": "30d", "gzip_after": "1y"}
    assert (policy.agent_markers, policy.personal_names, policy.personal_keep) == (("X_*",), ("Ada",), ("Berlin",))
    assert (policy.vector_weight, policy.embedder) == (0.0, "use")


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_a_profile_by_its_name(profile: str) -> None:
    assert policy_from_data({"budgets": profile}).budgets == (("profile", profile),)


BAD: list[tuple[Any, tuple[str | int, ...], str]] = [
    ([], (), "mapping"),
    ("text", (), "mapping"),
    ({1: 2}, (), "keys are texts"),
    ({"actorz": []}, ("actorz",), "unknown key 'actorz'; known here: actors, agent_markers, authority"),
    ({"version": 2}, ("version",), "only 1 is known"),
    ({"version": True}, ("version",), "only 1 is known"),
    ({"timezone": "Berlin; rm"}, ("timezone",), "form"),
    ({"timezone": 1}, ("timezone",), "form"),
    ({"mode": "off"}, ("mode",), "one of enforce, warn"),
    ({"mode": ["warn"]}, ("mode",), "one of enforce, warn"),
    ({"authority": "trust me"}, ("authority",), "one of"),
    ({"actors": {}}, ("actors",), "a list"),
    ({"actors": ["Ada"]}, ("actors", 0), "mapping"),
    ({"actors": [{"name": "Ada"}]}, ("actors", 0), "needs a kind"),
    ({"actors": [{"kind": "boss"}]}, ("actors", 0, "kind"), "one of human, agent, tool"),
    ({"actors": [{"kind": "human", "emails": [1]}]}, ("actors", 0, "emails"), "a list of texts"),
    ({"actors": [{"kind": "human", "emails": [""]}]}, ("actors", 0, "emails"), "a list of texts"),
    ({"actors": [{"kind": "human", "emails": ["a\x1b@b"]}]}, ("actors", 0, "emails"), "a list of texts"),
    ({"actors": [{"kind": "human", "mail": "a@b"}]}, ("actors", 0, "mail"), "known here: emails, keys, kind, name"),
    ({"memory": {"topic": "/abs/*.md"}}, ("memory", "topic"), "below the workspace"),
    ({"memory": {"topic": ["a/../../x"]}}, ("memory", "topic"), "below the workspace"),
    ({"memory": {"topic": ["**/**/**"]}}, ("memory", "topic"), "at most 2"),
    ({"memory": {"roots": ["/"]}}, ("memory", "roots"), "below the policy's directory"),
    ({"memory": {"roots": ["../x"]}}, ("memory", "roots"), "below the policy's directory"),
    ({"memory": {"roots": ["agents/*"]}}, ("memory", "roots"), "without"),
    ({"memory": {"notes": "x"}}, ("memory", "notes"), "unknown key"),
    ({"ttl": {"defaults": {"agent": "09d"}}}, ("ttl", "defaults", "agent"), "a ttl such as"),
    ({"ttl": {"defaults": {"me": "9d"}}}, ("ttl", "defaults", "me"), "a source is one of"),
    ({"ttl": {"max": 1}}, ("ttl", "max"), "unknown key"),
    ({"personal": {"name": ["Ada"]}}, ("personal", "name"), "unknown key 'name'; known here: keep, names"),
    ({"search": {"vectors": 1}}, ("search", "vectors"), "unknown key"),
    ({"limits": {"lines": 1}}, ("limits", "lines"), "unknown key"),
    ({"owners": {"SOUL.md": "nobody"}}, ("owners", "SOUL.md"), "one of user"),
    ({"limits": {"line": 0}}, ("limits", "line"), "from 1"),
    ({"limits": {"line": True}}, ("limits", "line"), "whole number"),
    ({"limits": {"line": 1.5}}, ("limits", "line"), "whole number"),
    ({"budgets": "openclaw"}, ("budgets",), "a profile is one of"),
    ({"budgets": {"MEMORY.md": "1 MB"}}, ("budgets", "MEMORY.md"), "unit"),
    ({"budgets": {"totl": "60000 chars"}}, ("budgets", "totl"), "known here: profile, file, total"),
    ({"budgets": {"memory/a.md": "1KB"}}, ("budgets", "memory/a.md"), "known here"),
    ({"budgets": {"file": 0}}, ("budgets", "file"), "more than nothing"),
    ({"budgets": {"profile": "openclaw"}}, ("budgets", "profile"), "one of openclaw-2026.2"),
    ({"rules": {"secret": "off"}}, ("rules", "secret"), "by its code"),
    ({"rules": {"HG201": "fatal"}}, ("rules", "HG201"), "one of error, warn, info, off"),
    ({"rules": {"HG201": True}}, ("rules", "HG201"), "one of error"),
    ({"secrets": {"allow": [{"fingerprint": "x", "reason": "y"}]}}, ("secrets", "allow", 0, "fingerprint"), "20 hex digits"),
    ({"secrets": {"allow": [{"fingerprint": "hgs1:" + "0" * 20, "reason": " "}]}}, ("secrets", "allow", 0), "needs a reason"),
    ({"inline_allow": "maybe"}, ("inline_allow",), "one of false, warn, true"),
    ({"consolidate": {"compress_at": "10KB"}}, ("consolidate",), "smaller"),
    ({"consolidate": {"compress_at": "400 lines"}}, ("consolidate", "compress_at"), "a size such as 15KB"),
    ({"consolidate": {"compress_to": True}}, ("consolidate", "compress_to"), "a size such as 15KB"),
    ({"consolidate": {"max_loss": "101%"}}, ("consolidate", "max_loss"), "a share"),
    ({"consolidate": {"max_loss": 0.25}}, ("consolidate", "max_loss"), "a share"),
    ({"tiers": {"hot": "7"}}, ("tiers", "hot"), "a ttl"),
    ({"search": {"vector_weight": 2}}, ("search", "vector_weight"), "from 0 to 1"),
    ({"search": {"vector_weight": float("nan")}}, ("search", "vector_weight"), "from 0 to 1"),
]


@pytest.mark.parametrize(("data", "at", "what"), BAD, ids=[str(n) for n in range(len(BAD))])
def test_a_bad_value_names_its_place(data: Any, at: tuple[str | int, ...], what: str) -> None:
    with pytest.raises(PolicyProblem) as caught:
        policy_from_data(data)
    assert caught.value.at == at
    assert what in caught.value.what


def test_a_profile_and_a_number_that_differs_from_it() -> None:
    policy = policy_from_data({"version": 1, "budgets": {"profile": "openclaw-2026.2", "MEMORY.md": "10KB"}})
    assert policy.budgets == (("profile", "openclaw-2026.2"), ("MEMORY.md", "10KB"))
