"""The generated table of rules, the rule files and the published table of codes agree."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from hoard_git.lint import _index, index, rules
from hoard_git.lint.engine import ALLOW_CODE, SECRETS_ONLY, load
from hoard_git.lint.registry import BY_CODE, RULES, Rule
from hoard_git.lint.scene import Meta

# Code, name and default severity as users rely on them (docs/reference/rules). Where a rule has two severities both stand here.
PUBLISHED = """
HG101 untagged-content error | HG102 malformed-provenance error | HG103 misplaced-provenance error | HG104 unknown-key info
HG105 future-timestamp error | HG106 backdated-timestamp warn | HG107 duplicate-id error
HG108 broken-encoding error | HG109 conflict-markers error | HG110 unclosed-fence error
HG111 several-facts-in-one-entry info | HG112 transient-state info | HG113 undated-block info
HG114 nested-heading warn | HG115 repeated-heading info
HG201 secret error | HG202 possible-secret warn | HG203 personal-data off | HG204 allow-without-reason warn
HG301 user-content-changed-by-non-human error | HG302 source-raised error | HG303 tool-write error | HG304 trust-inherited error
HG305 ttl-over-ceiling error | HG306 renewed-without-evidence warn
HG307 protected-file-changed error | HG308 unproven-human error | HG309 user-content-replayed error
HG310 mass-removal error | HG311 past-log-changed warn
HG312 polarity-changed warn | HG313 flood warn | HG314 resurrected warn
HG401 invisible-character error | HG402 bidi-control error | HG403 hidden-markup error,warn | HG404 confusable warn
HG405 instruction error,warn | HG406 remote-image warn | HG407 encoded-payload warn | HG408 chat-tokens error
HG409 special-file error | HG410 link-outside-workspace error
HG411 hidden-by-layout warn | HG412 unwatched-file warn | HG413 fetch-and-run error
HG501 index-too-large warn | HG502 file-over-bootstrap-limit error | HG503 total-over-bootstrap-limit warn | HG504 identity-over-budget warn
HG601 stale info | HG602 expired warn | HG603 duplicate-entry warn | HG604 conflicting-entries warn
HG605 identity-stale info | HG606 identity-contradiction warn | HG607 identity-scope-creep info
HG701 missing-trailers warn | HG702 false-trailers error | HG703 unproved-removal error
HG704 merge-not-reproducible error | HG705 malformed-commit error | HG706 ref-not-allowed error
HG801 broken-link warn | HG802 broken-wikilink warn | HG803 orphan-page info | HG804 bad-front-matter error | HG805 rotten-pointer info
"""

TABLE = {parts[0]: (parts[1], parts[2].split(",")) for row in PUBLISHED.replace("\n", "|").split("|") if (parts := row.split())}


def test_the_generated_table_is_fresh() -> None:
    text = Path(inspect.getfile(_index)).read_text(encoding="utf-8")
    assert text == index.build(), "run: python -m hoard_git.lint.index > hoard_git/lint/_index.py"


def test_codes_and_names_are_unique() -> None:
    assert len({rule.code for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES) == len(BY_CODE)


def test_rules_are_in_the_order_of_their_codes() -> None:
    assert [rule.code for rule in RULES] == sorted(rule.code for rule in RULES)


def test_every_rule_file_is_in_the_table() -> None:
    files = {path.stem for folder in rules.__path__ for path in Path(folder).glob("hg*.py")}
    assert {rule.module for rule in RULES} == files


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_is_what_was_published(rule: Rule) -> None:
    assert rule.code in TABLE
    name, severities = TABLE[rule.code]
    assert rule.name == name
    assert rule.severity in severities


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_file_is_named_after_its_rule(rule: Rule) -> None:
    code, _, words = rule.module.partition("_")
    assert code == rule.code.lower()
    assert rule.name.replace("-", "_").startswith(words), "a file may shorten the name at its end"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_has_the_functions_that_its_scope_calls(rule: Rule) -> None:
    module = load(rule)
    assert isinstance(module.META, Meta)
    wanted = {
        "file": {"check"},
        "entry": {"check", "check_change"},
        "change": {"check_change"},
        "path": {"check_change"},
        "commit": {"check_change"},
        "merge": {"check_change"},
    }
    assert {name for name in ("check", "check_change") if hasattr(module, name)} >= wanted[rule.scope]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_triggers_are_lower_case_because_the_text_is(rule: Rule) -> None:
    assert [word for word in rule.trigger if word != word.lower() or not word] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_severities_are_words_of_the_policy(rule: Rule) -> None:
    words = {"error", "warn", "info", "off"}
    assert rule.severity in words
    assert rule.state in words | {""}


def test_state_mode_is_milder_only_for_untagged_content() -> None:
    # What differs between the modes is documented; an adopted workspace is no error.
    assert BY_CODE["HG101"].state == "warn"


def test_the_engine_knows_only_codes_that_were_published() -> None:
    assert {*SECRETS_ONLY, ALLOW_CODE} <= set(TABLE)
