"""The rule table: it agrees with its source, every rule finds its own example, and no regex can run away."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path
from re import _parser as sre  # type: ignore[attr-defined]
from typing import Any

import pytest

import hoard_git.core.secrets
from hoard_git.core.secrets import _rules, find_secrets, vendors
from hoard_git.core.secrets.facts import facts_of
from hoard_git.core.secrets.gitleaks import nested_repeat
from tests.core.secrets.secret_examples import PIECE, expand

HOME = Path(hoard_git.core.secrets.__file__).parent
BUILDER = HOME.parents[2] / "docs" / "_build_secrets.py"
RULES = tomllib.loads((HOME / "rules.toml").read_text(encoding="utf-8"))["rules"]


def scan_all(text: str) -> list[tuple[str, str]]:
    low = text.lower()
    gate = vendors.look(text, facts_of(text.split("\n")), builtin=True)
    return [(rule, text[s:e]) for s, e, rule, _, _ in vendors.scan(text, low, gate, vendors.BUILTIN, lambda: None)]


def test_table_agrees_with_toml() -> None:
    if not BUILDER.exists():
        pytest.skip("the compiler is not installed with the package")
    spec = importlib.util.spec_from_file_location("_build_secrets", BUILDER)
    assert spec is not None
    assert spec.loader is not None
    builder = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(builder)
    for name, source in builder.render((HOME / "rules.toml").read_text(encoding="utf-8")).items():
        assert source == (HOME / name).read_text(encoding="utf-8")


def test_there_are_many_vendors_and_no_name_twice() -> None:
    names = [rule["id"] for rule in RULES]
    assert len(names) == len(set(names)) >= 200


def test_every_rule_finds_its_example() -> None:
    missed = {}
    for rule in RULES:
        texts = [expand(rule["example"], seed) for seed in range(4)]
        odd = [text for text in texts if rule["id"] not in {name for name, _ in scan_all(f"- {text} since May")}]
        # a check on randomness may turn down one odd draw, never the kind
        if len(odd) > 1:
            missed[rule["id"]] = odd
    assert missed == {}


# A key pair is a bare list of numbers: its keywords are words around it, and only with one of them it counts.
AROUND = {"solana-keypair"}


def samples(parsed: sre.SubPattern, most: int = 3000) -> list[str]:
    """Return texts of a parsed regex: each branch, optional piece and small class in both or all its forms, as a product up to `most`, then in turn."""
    whole = [""]
    for op, value in parsed:
        pieces = sample_piece(str(op), value, most)
        if len(whole) * len(pieces) <= most:
            whole = [head + tail for head in whole for tail in pieces]
        else:
            longest = max(len(whole), len(pieces))
            whole = [whole[at % len(whole)] + pieces[at % len(pieces)] for at in range(longest)]
    return whole


def sample_piece(op: str, value: Any, most: int) -> list[str]:
    if op == "LITERAL":
        return [chr(value)]
    if op in {"ANY", "NOT_LITERAL"}:
        return ["~"]
    if op == "IN":
        return sample_class(value)
    if op == "SUBPATTERN":
        return samples(value[3], most)
    if op == "ATOMIC_GROUP":
        return samples(value, most)
    if op == "BRANCH":
        return [text for branch in value[1] for text in samples(branch, most)]
    if op in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
        least, highest, inner = value
        once = samples(inner, most)
        counts = {least, min(int(highest), least + 1), min(int(highest), least + 2)}
        few = once if max(counts) <= 3 else once[:3]
        return [text * count for count in sorted(counts) for text in few]
    assert op in {"ASSERT", "ASSERT_NOT", "AT", "GROUPREF"}, op
    return [""]


def sample_class(members: Any) -> list[str]:
    if str(members[0][0]) == "NEGATE":
        return ["~"]
    out = []
    for op, value in members:
        if str(op) == "LITERAL":
            out.append(chr(value))
        elif str(op) == "RANGE":
            out += [chr(code) for code in range(value[0], value[1] + 1)]
        else:
            out.append({"CATEGORY_DIGIT": "7", "CATEGORY_WORD": "w", "CATEGORY_SPACE": " "}.get(str(value), "~"))
    return out


def test_every_text_of_a_rule_holds_one_of_its_keywords() -> None:
    """A rule sleeps until a keyword is there: a form of the regex without one would never be found."""
    asleep = {}
    for rule, _what, pattern, _group, _check, _certain, _least, keywords in _rules.RULES:
        words = [word for word in keywords if word != "<long>"]
        if rule in AROUND or not words:
            continue
        missed = [text for text in samples(sre.parse(pattern)) if not any(word in text.lower() for word in words)]
        if missed:
            asleep[rule] = missed[:3]
    assert asleep == {}


# id of the rule, piece of it that differs from its example: each of these forms was silent while the keyword was longer than the regex
FORMS = (
    ("tavily-key", "tvly-dev-", "tvly-"), ("tavily-key", "tvly-dev-", "tvly-prod-"), ("planetscale-token", "pscale_tkn_", "pscale_pw_"),
    ("planetscale-token", "pscale_tkn_", "pscale_oauth_"), ("tailscale-key", "tskey-auth-", "tskey-api-"), ("tailscale-key", "tskey-auth-", "tskey-client-"),
    ("langsmith-key", "lsv2_pt_", "lsv2_sk_"), ("polar-token", "polar_oat_", "polar_pat_"), ("polar-token", "polar_oat_", "polar_whs_"),
    ("anthropic-api-key", "-api03-", "-api04-"), ("anthropic-session", "-sid01-", "-sid02-"), ("moltbook-key", "moltbook_sk_", "moltbook_"),
    ("shippo-token", "_live_", "_test_"), ("duffel-token", "_live_", "_test_"), ("flutterwave-key", "FLWSECK-", "FLWSECK_TEST-"),
    ("datadog-app-key-new", "ddapp_", "ddsrt_"), ("inngest-signing-key", "-prod-", "-branch-"), ("slack-app-token", "xapp-1-", "xapp-2-"),
    ("figma-token", "figd_", "figoh_"), ("honeycomb-key", "hcaik_", "hcblk_"), ("flyio-macaroon", "fm2_", "fm2r_"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "known", "other"), FORMS)
def test_every_form_of_a_vendor_is_found(name: str, known: str, other: str) -> None:
    rule = next(rule for rule in RULES if rule["id"] == name)
    assert known in rule["example"]
    text = expand(rule["example"].replace(known, other), 3)
    assert name in {found for found, _ in scan_all(f"- {text} since May")}


def test_every_rule_is_silent_about_its_shape_without_a_value() -> None:
    loud = {}
    for rule in RULES:
        if "{" not in rule["example"]:
            continue
        for filler in "x*.":
            text = PIECE.sub(lambda match, sign=filler: '"' if match.group(1) == "quote" else sign * 24, rule["example"])  # type: ignore[misc]
            found = [match.rule for match in find_secrets([f"- {text} since May"]) if match.certain]
            if found:
                loud[rule["id"], filler] = found
    assert loud == {}


def test_no_file_of_the_room_holds_a_secret() -> None:
    for path in sorted(HOME.glob("*")):
        if path.suffix in {".py", ".toml"} and path.name != "_bip39.py":
            lines = path.read_text(encoding="utf-8").split("\n")
            certain = [
                (path.name, match.line, match.rule)
                for match in find_secrets(lines)
                if match.certain and not match.rule.startswith(("labelled", "login"))
            ]
            assert certain == []


def _patterns() -> list[tuple[str, str]]:
    found = [(row[0], row[2]) for row in _rules.RULES]
    for path in sorted(HOME.glob("*.py")):
        if path.name == "gitleaks.py":
            continue
        name = f"hoard_git.core.secrets.{path.stem}" if path.stem != "__init__" else "hoard_git.core.secrets"
        module = importlib.import_module(name)
        found += [(f"{path.stem}.{key}", value.pattern) for key, value in vars(module).items() if isinstance(value, re.Pattern)]
    return found


def test_no_regex_repeats_a_repetition_without_bounds() -> None:
    runaway = []
    for name, pattern in _patterns():
        flags = re.VERBOSE if "\n" in pattern and " " in pattern else 0
        if nested_repeat(sre.parse(pattern, flags)):
            runaway.append(name)
    assert runaway == []


@pytest.mark.parametrize(
    ("pattern", "runaway"),
    [
        ("(?:ab*)+", True),
        ("(?:a*)+", True),
        ("(?:a|b+)*", True),
        ("(?:ab)+", False),
        ("(?:ab*+)+", False),
        ("a+b+", False),
        ("(?>ab*)+", False),
    ],
)
def test_a_repetition_of_a_repetition_is_seen(pattern: str, runaway: bool) -> None:
    assert nested_repeat(sre.parse(pattern)) == runaway


def test_keywords_are_lower_case() -> None:
    assert [word for row in _rules.RULES for word in row[-1] if word != word.lower()] == []


@pytest.mark.parametrize(
    "text", ["tvly-search-results-for-the-weekly-summary", "moltbook_agents_daily_summary_2026_notes", "primary-key: user_id_and_tenant_id"]
)
def test_names_that_begin_like_a_key_are_silent(text: str) -> None:
    assert find_secrets([f"- {text} since May"]) == []
