"""The examples of the reference pages mean what the pages say."""

from __future__ import annotations

import re

import pytest

from hoard_git.app.policies import check_data, load_yaml
from hoard_git.core.markdown import parse
from hoard_git.core.policy import DEFAULT, Policy
from hoard_git.core.provenance import provenances
from hoard_git.core.tags import KEYS
from tests.support.environment import ROOT


def page(name: str) -> str:
    return (ROOT / "docs/reference" / name).read_text(encoding="utf-8")


def fenced(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def policy_of(text: str) -> Policy:
    return check_data(load_yaml(text.encode(), ".hoard.yaml"), ".hoard.yaml")


def test_the_whole_policy_of_the_page_is_valid_and_shows_the_defaults() -> None:
    (example,) = fenced(page("policy.md"), "yaml")
    policy = policy_of(example)

    assert {rule.kind for rule in policy.actors} == {"human", "agent"}
    for field in ("globs", "ttl_defaults", "ttl_ceilings"):
        assert dict(getattr(policy, field)) == dict(getattr(DEFAULT, field))
    assert (policy.low_trust_entries, policy.longest_line, policy.inline_allow) == (
        DEFAULT.low_trust_entries,
        DEFAULT.longest_line,
        DEFAULT.inline_allow,
    )


def test_the_page_names_every_key() -> None:
    text = page("policy.md")
    keys = [
        "version",
        "timezone",
        "mode",
        "authority",
        "actors",
        "memory",
        "ttl",
        "owners",
        "limits",
        "rules",
        "secrets",
        "inline_allow",
        "agent_markers",
    ]
    keys += ["budgets", "consolidate", "tiers", "personal", "search", "keys", "roots"]
    assert [key for key in keys if not re.search(rf"\b{key}\b", text)] == []


@pytest.mark.parametrize("name", ["how-to/allow-a-false-alarm.md", "how-to/judge-in-ci.md"])
def test_policies_in_how_tos_are_valid(name: str) -> None:
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    examples = [example for example in fenced(text, "yaml") if example.startswith("secrets:")]
    for example in examples:
        policy_of(example)
    assert examples or "allow" not in name


def test_every_tag_of_the_page_is_one() -> None:
    (example,) = fenced(page("tag.md"), "markdown")
    shown = [line for line in example.splitlines() if "<!--" in line]
    assert len(shown) == 4
    for line in shown:
        (mark,) = parse((re.sub(r"-->.*", "-->", line) + "\n| a |\n|---|\n").encode()).marks
        assert (mark.problem, mark.misplaced) == ("", ""), line


def test_the_page_names_every_key_of_a_tag() -> None:
    assert [key for key in KEYS if f"| `{key}` |" not in page("tag.md")] == []


def test_readme_shows_a_tag_that_counts() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (example,) = fenced(text, "markdown")
    assert [found.src for found in provenances(parse(example.encode()), None)] == ["web"]
