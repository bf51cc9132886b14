"""What the rules for secrets see besides the lines themselves: names of files, another engine's findings, the workspace's own rules."""

from __future__ import annotations

import pytest

from hoard_git.core.policy import AllowedSecret, Policy
from hoard_git.core.secrets import Match, fingerprint
from hoard_git.core.secrets.gitleaks import ruleset_from_gitleaks
from hoard_git.core.secrets.vendors import Ruleset
from hoard_git.lint.scene import UserRules
from tests.core.secrets.secret_examples import expand
from tests.support.scenes import change_scene, findings, state_scene

TOKEN = expand("ghp_{b62:30}{crc32b62}", 1)
NAMED = f"memory/{TOKEN}.md"
STRONG = "Tr0ub4dor" + "&3x"
OTHER = "acme" + "-00ff12ab"
LINE = f"- ticket {OTHER} of the shop"
WEAK = "sunflower" + "-harbour"


def test_the_name_of_a_file_may_be_a_secret() -> None:
    for scene in (change_scene({}, {NAMED: "# Notes\n"}), state_scene({NAMED: "# Notes\n"})):
        (found,) = findings(scene, "HG201")
        assert found.message.startswith("the name of the file is a secret, ")
        assert found.hint.endswith(", and rename the file")
        assert TOKEN not in found.message + found.hint
        assert found.line == 0


def test_an_old_name_is_no_news_in_a_change() -> None:
    assert findings(change_scene({NAMED: "# Notes\n"}, {NAMED: "# Notes\n\nmore\n"}), "HG201") == []


@pytest.mark.parametrize("name", [f"password is {STRONG}", f"login admin - {STRONG}"])
def test_words_in_a_name_announce_nothing(name: str) -> None:
    assert findings(change_scene({}, {f"memory/{name}.md": "# Notes\n"}), "HG201") == []


def test_a_name_that_the_policy_allows() -> None:
    salt = "grain"
    allowed = Policy(salt=salt, allowed=(AllowedSecret(fingerprint(TOKEN, salt), "a test value"),))
    assert findings(change_scene({}, {NAMED: "# Notes\n"}, policy=allowed), "HG201") == []
    assert len(findings(change_scene({}, {NAMED: "# Notes\n"}, policy=Policy(salt=salt)), "HG201")) == 1


def match(value: str, line: str = LINE, number: int = 1, rule: str = "acme-ticket") -> Match:
    """What another engine says of a value in a line."""
    column = line.index(value) + 1
    return Match(rule, "ACME ticket", number, column, number, column + len(value), certain=True, value=value)


def judged(text: str, *others: Match, rules: Ruleset | None = None) -> list[tuple[str, int, int]]:
    scene = state_scene({"MEMORY.md": text})._replace(found={"MEMORY.md": others}, rules=UserRules(rules) if rules is not None else None)
    found = findings(scene, "HG201", "HG202")
    assert not any(other.value in finding.message + finding.hint for finding in found for other in others)
    return [(finding.code, finding.line, finding.column) for finding in found]


def test_what_another_engine_finds_is_found() -> None:
    assert judged(LINE + "\n") == []
    assert judged(LINE + "\n", match(OTHER)) == [("HG201", 1, LINE.index(OTHER) + 1)]
    assert judged(f"{LINE}\n- {TOKEN}\n", match(OTHER)) == [("HG201", 1, LINE.index(OTHER) + 1), ("HG201", 2, 3)]


def test_what_both_find_is_one_finding() -> None:
    line = f"- {TOKEN}"
    assert judged(line, match(TOKEN, line), match(TOKEN[4:], line)) == [("HG201", 1, 3)]
    assert judged(LINE, match(OTHER), match(OTHER[5:])) == [("HG201", 1, LINE.index(OTHER) + 1)]
    apart = f"{LINE} and {TOKEN}"
    assert len(judged(apart, match(OTHER, apart), match(TOKEN, apart))) == 2


def test_certainty_goes_before_a_possible_secret() -> None:
    line = f"- wifi password: {WEAK}"
    at = line.index(WEAK) + 1
    assert judged(line) == [("HG202", 1, at)]
    assert judged(line, match(WEAK, line)) == [("HG201", 1, at)]


@pytest.mark.parametrize(
    ("rules", "excused"),
    [
        ("title = 'ours'", False),
        ("[extend]\ndisabledRules = ['acme-ticket']", True),
        ("[extend]\ndisabledRules = ['acme-key']", False),
        ("[allowlist]\npaths = ['^MEMORY']", True),
        ("[allowlist]\npaths = ['^memory/']", False),
        ("[allowlist]\nregexes = ['^acme-00']", True),
        ("[allowlist]\nregexTarget = 'line'\nregexes = ['of the shop']", True),
        ("[allowlist]\nstopwords = ['ffff']", False),
        ("[[allowlists]]\ntargetRules = ['acme-ticket']\nregexes = ['^acme']", True),
        ("[[allowlists]]\ntargetRules = ['acme-key']\nregexes = ['^acme']", False),
    ],
)
def test_the_workspace_s_rules_excuse_another_engine_s_findings_too(rules: str, excused: bool) -> None:
    assert (judged(LINE, match(OTHER), rules=ruleset_from_gitleaks(rules)) == []) is excused


def test_a_line_number_beyond_the_file_is_still_a_finding() -> None:
    assert len(judged(LINE, match(OTHER, number=9), rules=ruleset_from_gitleaks("[allowlist]\nregexTarget='line'\nregexes=['shop']"))) == 1
