from __future__ import annotations

import pytest

from hoard_git.core.policy import AllowedSecret, Policy
from hoard_git.core.secrets import fingerprint
from hoard_git.errors import HoardError
from hoard_git.lint.engine import judge
from tests.support.content import FIRST, changed, severities, standing
from tests.support.scenes import change_scene, findings

VALUE = "tR7#mQ2v" + "-Lx9pWz"
TEXT = f"- The database password is {VALUE}"


def test_a_password_in_a_sentence() -> None:
    (found,) = changed("HG201", TEXT)
    assert (found.severity, found.line) == ("error", FIRST)
    assert VALUE not in found.message + found.hint
    assert "(15 characters)" in found.message


@pytest.mark.parametrize("shape", ["```\n{}\n```", "<!-- {} -->", "    {}", "> {}"])
def test_everywhere(shape: str) -> None:
    assert severities(changed("HG201", shape.format(f"db_password: {VALUE}"))) == ["error"]


@pytest.mark.parametrize("src", ["user", "web", ""])
def test_from_everybody(src: str) -> None:
    assert severities(changed("HG201", TEXT, src=src, actor="human")) == ["error"]
    assert severities(standing("HG201", TEXT)) == ["error"]


def test_a_possible_secret_is_the_other_rule_s() -> None:
    weak = "- wifi password: sunflower-harbour"
    assert changed("HG201", weak) == []
    (found,) = changed("HG202", weak)
    assert found.severity == "warn"
    assert "sunflower" not in found.message + found.hint
    assert changed("HG202", TEXT) == []


def test_a_value_that_the_policy_allows() -> None:
    salt = "grain"
    mark = fingerprint(VALUE, salt)
    (found,) = changed("HG201", TEXT, policy=Policy(salt=salt))
    assert mark in found.hint
    assert changed("HG201", TEXT, policy=Policy(salt=salt, allowed=(AllowedSecret(mark, "a test value"),))) == []
    assert changed("HG201", TEXT, policy=Policy(salt="other", allowed=(AllowedSecret(mark, "a test value"),)))


def test_another_tool_s_mark_excuses_nothing() -> None:
    assert severities(changed("HG201", TEXT + " # gitleaks:allow")) == ["error"]


def test_old_lines_are_old() -> None:
    assert findings(change_scene({"MEMORY.md": TEXT + "\n"}, {"MEMORY.md": TEXT + "\n\n- other\n"}), "HG201") == []


def test_two_files_are_two_scans() -> None:
    scene = change_scene({}, {"MEMORY.md": TEXT + "\n", "memory/x.md": "- nothing\n"})
    assert [finding.path for finding in judge(scene, {"HG201", "HG202"})] == ["MEMORY.md"]
    weak = change_scene({}, {"MEMORY.md": "- wifi password: sunflower-harbour\n", "memory/x.md": TEXT + "\n"})
    assert [(finding.code, finding.path) for finding in judge(weak, {"HG201", "HG202"})] == [
        ("HG202", "MEMORY.md"),
        ("HG201", "memory/x.md"),
    ]


def test_files_of_no_class_are_judged_too() -> None:
    assert severities(changed("HG201", TEXT, path="memory/deep/state.json")) == ["error"]


def test_a_scan_that_takes_too_long_is_no_clean_one() -> None:
    ticks = iter(range(0, 100_000, 10))
    scene = change_scene({}, {"MEMORY.md": "- anything\n"})._replace(clock=lambda: float(next(ticks)))
    with pytest.raises(HoardError, match="longer than"):
        judge(scene, {"HG201"})
