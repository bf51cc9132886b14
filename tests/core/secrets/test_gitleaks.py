"""A user's .gitleaks.toml: what is read, what is translated, what is refused."""

from __future__ import annotations

import json
import re

import pytest

from hoard_git.core.secrets import BUILTIN, Ruleset, find_secrets, ruleset_from_data
from hoard_git.core.secrets.gitleaks import extended_path, ruleset_from_gitleaks, translate
from hoard_git.errors import HoardError
from tests.core.secrets.secret_examples import expand

OWN = """
title = "ours"
[[rules]]
id = "acme-ticket"
description = "ACME ticket"
regex = '''acme-(?i)tick-([a-f0-9]{8})\\z?'''
keywords = ["acme-"]
"""


def rules_found(text: str, rules: Ruleset) -> list[str]:
    return [match.rule for match in find_secrets([text], rules=rules)]


def test_own_rule_runs_beside_the_built_in_ones() -> None:
    rules = ruleset_from_gitleaks(OWN)
    line = "use acme-TICK-00Ff12aB and " + expand("ghp_{b62:30}{crc32b62}", 4)
    assert sorted(rules_found(line, rules)) == ["acme-ticket", "github-ghp"]
    assert find_secrets(["use acme-TICK-00Ff12aB"], rules=rules)[0].value == "00Ff12aB"


def test_rule_set_survives_json() -> None:
    text = (
        OWN
        + '[[rules.allowlists]]\nregexes = ["^0000"]\nstopwords = ["dead"]\n[allowlist]\npaths = ["fixtures/"]\n[extend]\nuseDefault = true\ndisabledRules = ["github-pat"]\n'
    )
    rules = ruleset_from_gitleaks(text)
    assert Ruleset.from_data(json.loads(json.dumps(rules.to_data()))) == rules
    with pytest.raises(ValueError, match="version"):
        ruleset_from_data({"version": 9})


def test_defaults_may_be_off_and_single_rules_too() -> None:
    token = expand("ghp_{b62:30}{crc32b62}", 6)
    assert rules_found(token, ruleset_from_gitleaks("[extend]\nuseDefault = false\n")) == []
    assert "github-ghp" not in rules_found(token, ruleset_from_gitleaks('[extend]\nuseDefault = true\ndisabledRules = ["github-pat"]\n'))


@pytest.mark.parametrize(
    ("allow", "silent"),
    [
        ('regexes = ["00ff"]', False),
        ('regexes = ["(?i)00ff"]', True),
        ('stopwords = ["00FF"]', True),
        ('regexTarget = "line"\nregexes = ["harmless"]', True),
        ('condition = "AND"\nregexes = ["^00"]\nstopwords = ["zz"]', False),
        ('condition = "AND"\nregexes = ["^00"]\nstopwords = ["12"]', True),
    ],
)
def test_allowlists(allow: str, silent: bool) -> None:
    rules = ruleset_from_gitleaks(f"{OWN}[[rules.allowlists]]\n{allow}\n")
    assert (rules_found("harmless acme-tick-00Ff12aB", rules) == []) is silent


def test_paths_are_applied_by_the_caller() -> None:
    rules = ruleset_from_gitleaks(OWN + '[allowlist]\npaths = ["^fixtures/"]\n')
    line = "acme-tick-00ff12ab"
    assert rules_found(line, rules.for_path("notes/a.md")) == ["acme-ticket"]
    assert rules_found(line, rules.for_path("fixtures/a.md")) == []
    narrow = ruleset_from_gitleaks(OWN + 'path = "\\\\.env$"\n')
    assert rules_found(line, narrow.for_path("a.md")) == []
    assert rules_found(line, narrow.for_path("x.env")) == ["acme-ticket"]


def test_entropy_and_secret_group() -> None:
    text = "[[rules]]\nid = 'r'\nregex = '''k(e)y=(\\w{8})'''\nsecretGroup = 2\nentropy = 2.0\n"
    rules = ruleset_from_gitleaks(text)
    assert [match.value for match in find_secrets(["key=a1b2c3d4"], rules=rules)] == ["a1b2c3d4"]
    assert find_secrets(["key=aaaaaaab"], rules=rules) == []


@pytest.mark.parametrize(
    ("go", "text", "matches"),
    [
        (r"a(?i)b", "aB", True),
        (r"a(?i)b", "AB", False),
        (r"(?:a(?i)b|c)d", "Cd", True),
        (r"(?:a(?i)b)D", "aBd", False),
        (r"[[:alnum:]]{3}", "x9Z", True),
        (r"[[:alnum:]]{3}", "[:a", False),
        (r"[^[:space:]]", " ", False),
        (r"\Qa.b\E+", "axb", False),
        (r"\x{41}", "A", True),
        (r"(?P<n>x)y\z", "xy", True),
        (r"[a[b]", "[", True),
        (r"\d", "٣", False),
        ("(?:b{2,9})+c", "bbc", True),
        (r"[\]x]y", "]y", True),
        (r"[\w.]{3}-", "a.b-", True),
        ("(?:(?=x+)x)+y", "xxy", True),
    ],
)
def test_translation(go: str, text: str, matches: bool) -> None:
    assert (re.search(translate(go, "r"), text) is not None) is matches


ENDLESS = ["((x+)+)", "(?:a|x+)+", "((?:x+)+|z)", "(?=(?:x+)+y)", "a(?>(?:x+)+)", "(?:b+c)*", "(?:(?:x+)+)?"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("nonsense = 1", "nonsense"),
        ("[[rules]]\nid='r'\nregex='x'\nshiny=1", "shiny"),
        ("[[rules]]\nid='r'\nregex='\\pL'", "r "),
        ("[[rules]]\nid='r'\nregex='(?U)x+'", "r "),
        ("[[rules]]\nid='r'\nregex='(x'", "r "),
        ("[[rules]]\nid='slow'\nregex='(?:x+)+y'", "slow"),
        ("[[rules]]\nid='r'\npath='x'", "paths alone"),
        ("[[rules]]\nregex='x'", "no id"),
        ("[[rules]]\nid='r'\nregex='x'\nsecretGroup=3", "group 3"),
        ("[extend]\npath='other.toml'", "other.toml"),
        ("[allowlist]\nregexTarget='moon'\nregexes=['x']", "moon"),
        ("[allowlist]\ncondition='AND'\npaths=['x']\nregexes=['x']", "AND"),
        ("= broken", "not valid TOML"),
        ("[extend]\nuseDefault='no'", "useDefault"),
        ("extend='base.toml'", "'extend'"),
        ("rules='x'", "[[rules]]"),
        ("[[rules]]\nid=7\nregex='x'", "'id'"),
        ("[[rules]]\nid='r'\nregex='x'\nkeywords='acme'", "'keywords'"),
        ("[[rules]]\nid='r'\nregex='x'\nsecretGroup=-1", "'secretGroup'"),
        ("[[rules]]\nid='r'\nregex='x'\nentropy='high'", "'entropy'"),
        ("[allowlist]\ncondition='XOR'\nregexes=['x']", "condition"),
        ("[allowlist]\nregexes=['[[:^alpha:]]']", "[:^alpha:]"),
        ("[[rules]]\nid='r'\nregex='[abc'", "not closed"),
        *[(f"[[rules]]\nid='slow'\nregex='{regex}'", "slow") for regex in ENDLESS],
    ],
)
def test_refusals_are_named(text: str, named: str) -> None:
    with pytest.raises(HoardError) as caught:
        ruleset_from_gitleaks(text)
    assert named in caught.value.message
    assert caught.value.hint


def test_base_file_is_read_from_its_text() -> None:
    rules = ruleset_from_gitleaks("[extend]\npath = 'base.toml'\n", OWN)
    assert rules_found("acme-tick-00ff12ab", rules) == ["acme-ticket"]


def test_the_path_of_the_base_file_is_read_before_its_text() -> None:
    assert extended_path("[extend]\npath = 'base.toml'\n[[rules]]\nshiny = 1\n") == "base.toml"
    assert extended_path("[extend]\nuseDefault = true\n") == extended_path("title = 'ours'") == ""
    with pytest.raises(HoardError, match="'path' is not a text"):
        extended_path("[extend]\npath = 3\n")


WHOLE = BUILTIN.to_data()
DAMAGED: list[dict[str, object]] = [
    *({key: value for key, value in WHOLE.items() if key != lost} for lost in WHOLE if lost != "version"),
    *({**WHOLE, key: 3} for key in ("rows", "allow", "by_path", "disabled")),
    *({**WHOLE, key: [[]]} for key in ("rows", "allow", "by_path")),
]


@pytest.mark.parametrize("data", DAMAGED)
def test_a_damaged_rule_set_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="damaged"):
        ruleset_from_data(data)


def test_an_allowlist_of_one_rule_excuses_no_other() -> None:
    other = "[[rules]]\nid = 'acme-key'\nregex = 'key-([a-f0-9]{8})'\n"
    rules = ruleset_from_gitleaks(f"{OWN}[[rules.allowlists]]\nregexes = ['00ff']\n{other}")
    assert rules_found("acme-tick-00ff12ab and key-00ff12ab", rules) == ["acme-key"]


def test_a_secret_group_that_matched_nothing_is_no_finding() -> None:
    rules = ruleset_from_gitleaks("[[rules]]\nid = 'r'\nregex = 'acme-(?:t-(\\w{8})|none)'\nsecretGroup = 1\n")
    assert rules_found("acme-none", rules) == []
    assert rules_found("acme-t-00ff12ab", rules) == ["r"]


def test_a_rule_that_runs_on_long_words_may_be_off() -> None:
    token = expand("SK{hex:32}", 3)
    assert rules_found(token, BUILTIN) == ["twilio-api-key"]
    assert rules_found(token, ruleset_from_gitleaks("[extend]\ndisabledRules = ['twilio-api-key']\n")) == []
