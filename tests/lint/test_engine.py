from __future__ import annotations

from typing import Any

import pytest

from hoard_git.core.model import Finding
from hoard_git.core.policy import Policy, policy_from_data
from hoard_git.lint import engine
from hoard_git.lint.allows import find_allows
from hoard_git.lint.engine import _forget_secret_titles, blocks_at, drop_said, intersect, judge, most_severe, triggered
from hoard_git.lint.registry import RULES, Rule
from hoard_git.lint.scene import NON_ASCII, Hit
from tests.support.scenes import change_scene, codes, findings, state_scene, view

HEAD = "## Builds  <!-- src:agent ts:2026-06-01 -->\n"
NOW = "- The build is in progress right now"
ALLOW = '<!-- hoard:allow HG112 reason="quoted from the status page" -->'


def state(text: str, *only: str, **policy: object) -> list[Finding]:
    return findings(state_scene({"MEMORY.md": text}, policy=policy_from_data(policy)), *only)


def shown(found: list[Finding]) -> list[tuple[str, str, int]]:
    return [(finding.code, finding.severity, finding.line) for finding in found]


# ---------------------------------------------------------------- exceptions


def test_without_an_exception_the_rule_speaks() -> None:
    assert shown(state(f"{HEAD}{NOW}\n", "HG112", "HG204")) == [("HG112", "info", 2)]


def test_an_exception_on_the_line_softens_and_says_so() -> None:
    found = state(f"{HEAD}{NOW} {ALLOW}\n", "HG112", "HG204")
    assert shown(found) == [("HG112", "info", 2)]
    assert found[0].message == "the entry tells what is going on right now (allowed here)"


def test_an_exception_turns_an_error_into_a_warning() -> None:
    text = f'{HEAD}- a \x00 b <!-- hoard:allow HG108 reason="the raw dump" -->\n'
    assert shown(state(text, "HG108", "HG204")) == [("HG108", "warn", 2)]


def test_an_exception_alone_on_its_line_covers_the_line_below() -> None:
    found = state(f"{HEAD}{ALLOW}\n{NOW}\n", "HG112", "HG204")
    assert [f.message.endswith("(allowed here)") for f in found] == [True]


def test_an_exception_does_not_reach_two_lines_down() -> None:
    found = state(f"{HEAD}{ALLOW}\n- The build is green\n{NOW}\n", "HG112", "HG204")
    assert shown(found) == [("HG204", "warn", 2), ("HG112", "info", 4)]
    assert "does nothing here" in found[0].message
    assert not found[1].message.endswith("(allowed here)")


def test_an_exception_behind_text_does_not_reach_the_next_line() -> None:
    found = state(f"{HEAD}- The build is green {ALLOW}\n{NOW}\n", "HG112", "HG204")
    assert shown(found) == [("HG204", "warn", 2), ("HG112", "info", 3)]


def test_an_exception_may_stand_before_or_behind_the_tag() -> None:
    for line in (f"{NOW} {ALLOW} <!-- src:agent ts:2026-06-01 -->", f"{NOW} <!-- src:agent ts:2026-06-01 --> {ALLOW}"):
        found = state(f"# M\n{line}\n")
        assert [(f.code, f.message.endswith("(allowed here)")) for f in found] == [("HG112", True)]


def test_an_exception_covers_an_entry_of_several_lines_from_any_of_them() -> None:
    found = state(f"{HEAD}{NOW}\n  and takes long {ALLOW}\n", "HG112", "HG204")
    assert [f.message.endswith("(allowed here)") for f in found] == [True]


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("true", []),
        ("warn", [("HG112", "info", 2)]),
        ("false", [("HG112", "info", 2), ("HG204", "warn", 2)]),
    ],
)
def test_the_policy_says_what_an_exception_does(how: str, expected: list[tuple[str, str, int]]) -> None:
    found = state(f"{HEAD}{NOW} {ALLOW}\n", "HG112", "HG204", inline_allow=how)
    assert shown(found) == expected
    if how == "false":
        assert found[1].message == "the policy honours no inline exceptions"


@pytest.mark.parametrize("reason", ["", ' reason=""', ' reason="  "'])
def test_a_reason_is_obligatory(reason: str) -> None:
    found = state(f"{HEAD}{NOW} <!-- hoard:allow HG112{reason} -->\n", "HG112", "HG204")
    assert shown(found) == [("HG112", "info", 2), ("HG204", "warn", 2)]
    assert not found[0].message.endswith("(allowed here)")
    assert "no reason" in found[1].message


@pytest.mark.parametrize(
    "comment",
    [
        "hoard:allow",
        "hoard:allow transient-state",
        "hoard:allow HG112 reason=quoted",
        "hoard:allow HG112 reason='quoted'",
        'Hoard:Allow HG112 reason="quoted"',
        'hoard:allow hg112 reason="quoted"',
        'hoard:allow HG112, because reason="quoted"',
        'hoard:allow HG11\uff12 reason="full-width digit"',
    ],
)
def test_what_cannot_be_read_as_an_exception_is_reported(comment: str) -> None:
    found = state(f"{HEAD}{NOW} <!-- {comment} -->\n", "HG112", "HG204")
    assert [f.code for f in found] == ["HG112", "HG204"]
    assert "not of the form" in found[1].message


def test_an_exception_over_two_lines_is_reported_and_not_honoured() -> None:
    found = state(f'{HEAD}<!-- hoard:allow HG112\nreason="quoted" -->\n{NOW}\n', "HG112", "HG204")
    assert [(f.code, f.message) for f in found] == [
        ("HG204", "an exception stands on one line"),
        ("HG112", "the entry tells what is going on right now"),
    ]


def test_an_exception_in_raw_html_is_reported_and_not_honoured() -> None:
    found = state(f"{HEAD}<div>\n{ALLOW}\n</div>\n\n{NOW}\n", "HG112", "HG204")
    assert [f.code for f in found] == ["HG204", "HG112"]


@pytest.mark.parametrize("line", [f"`{ALLOW}`", f"\\{ALLOW}", f"    {ALLOW}", f"```\n{ALLOW}\n```"])
def test_a_quoted_exception_is_text(line: str) -> None:
    assert state(f"{HEAD}\n{line}\n", "HG204") == []


@pytest.mark.parametrize("code", ["HG999", "HG000"])
def test_an_unknown_code_is_reported(code: str) -> None:
    found = state(f'{HEAD}{NOW} <!-- hoard:allow HG112 {code} reason="quoted" -->\n', "HG204")
    assert [f.message for f in found] == [f"there is no rule {code}"]


@pytest.mark.parametrize(
    "code", [rule.code for rule in RULES if rule.code.startswith(("HG10", "HG3", "HG7", "HG204")) and rule.code != "HG108"]
)
def test_provenance_trust_and_trailers_cannot_be_allowed_away(code: str) -> None:
    found = state(f'{HEAD}- The build is green <!-- hoard:allow {code} reason="please" -->\n', "HG204")
    assert [f.message for f in found] == [f"{code} cannot be allowed inline"]


def test_a_barred_exception_leaves_the_finding_as_it_is() -> None:
    scene = change_scene({"MEMORY.md": "# M\n"}, {"MEMORY.md": '# M\n- No tag <!-- hoard:allow HG101 reason="later" -->\n'})
    assert shown(findings(scene, "HG101", "HG204")) == [("HG101", "error", 2), ("HG204", "warn", 2)]


def test_of_several_codes_the_idle_ones_are_named() -> None:
    text = f'{HEAD}{NOW} <!-- hoard:allow HG111, HG112 HG113 reason="quoted" -->\n'
    found = state(text, "HG204")
    assert [f.message for f in found] == ["the exception for HG111, HG113 does nothing here"]


def test_an_exception_for_a_rule_that_is_off_is_not_called_idle() -> None:
    assert state(f"{HEAD}{NOW} {ALLOW}\n", rules={"HG112": "off"}) == []


def test_reports_about_exceptions_can_be_turned_off() -> None:
    assert shown(state(f"{HEAD}{NOW} <!-- hoard:allow HG112 -->\n", "HG112", "HG204", rules={"HG204": "off"})) == [("HG112", "info", 2)]


def test_reports_about_exceptions_take_the_severity_of_the_policy() -> None:
    assert shown(state(f"{HEAD}{NOW} <!-- hoard:allow HG112 -->\n", "HG204", rules={"HG204": "error"})) == [("HG204", "error", 2)]


def test_when_only_other_rules_are_asked_for_exceptions_are_not_reported() -> None:
    assert state(f"{HEAD}{NOW} <!-- hoard:allow HG112 -->\n", "HG111") == []


def test_the_reason_is_not_repeated() -> None:
    found = state(f'{HEAD}{NOW} <!-- hoard:allow HG112 reason="the password is swordfish" -->\n')
    assert not any("swordfish" in text for finding in found for text in finding if isinstance(text, str))


def test_an_exception_alone_on_the_first_line_covers_the_file() -> None:
    assert find_allows(view("MEMORY.md", f"{ALLOW}\n# M\n").document)[0].covers == (0, 1, 2)
    assert find_allows(view("MEMORY.md", f"\ufeff{ALLOW}\r\n# M\r\n").document)[0].covers == (0, 1, 2)


@pytest.mark.parametrize("source", ["tool", "web", "dig"])
def test_content_of_low_trust_cannot_bring_an_exception_for_what_hides_or_instructs(source: str) -> None:
    text = f'- Good \u200bday <!-- hoard:allow HG401 reason="harmless" --> <!-- src:{source} ts:2026-06-01 -->\n'
    found = state(text, "HG401", "HG204")
    assert [(f.code, f.severity) for f in found] == [("HG401", "error"), ("HG204", "warn")] or [f.code for f in found] == ["HG401", "HG204"]
    assert all("(allowed here)" not in f.message for f in found)
    above = f'## Notes  <!-- src:{source} ts:2026-06-01 -->\n<!-- hoard:allow HG401 reason="harmless" -->\n- Good \u200bday\n'
    assert [f.message for f in state(above, "HG204")] == [f"an exception in content from {source} is not honoured"]


def test_an_agent_can_except_what_hides_in_its_own_words() -> None:
    text = '- Good \u200bday <!-- hoard:allow HG401 reason="the character itself is the subject" --> <!-- src:agent ts:2026-06-01 -->\n'
    assert [(f.code, f.severity) for f in state(text, "HG401", "HG204")] == [("HG401", "warn")]


def test_only_exceptions_that_the_change_touches_are_reported() -> None:
    before = f"{HEAD}- The build is green <!-- hoard:allow HG112 -->\n"
    assert codes(change_scene({"MEMORY.md": before}, {"MEMORY.md": before + "- The cache is warm\n"}), "HG204") == []


def test_an_old_exception_excuses_a_new_line() -> None:
    before = f"{HEAD}{ALLOW}\n- The build is green\n"
    found = findings(change_scene({"MEMORY.md": before}, {"MEMORY.md": f"{HEAD}{ALLOW}\n{NOW}\n"}), "HG112", "HG204")
    assert [f.message.endswith("(allowed here)") for f in found] == [True]


def test_a_new_exception_above_an_old_line_is_not_called_idle() -> None:
    scene = change_scene({"MEMORY.md": f"{HEAD}{NOW}\n"}, {"MEMORY.md": f"{HEAD}{ALLOW}\n{NOW}\n"})
    assert codes(scene, "HG112", "HG204") == []


def test_a_finding_about_what_is_gone_is_not_excused_by_a_line_number() -> None:
    before = {"MEMORY.md": "# M\n- Two people approve <!-- src:user ts:2026-06-01 -->\n"}
    after = {"MEMORY.md": '# M\n<!-- hoard:allow HG301 HG405 reason="no" -->\n'}
    scene = change_scene(before, after)
    assert [(f.code, f.severity) for f in findings(scene, "HG301")] == [("HG301", "error")]


def test_many_exceptions_and_findings_take_linear_time() -> None:
    text = HEAD + f"{NOW} {ALLOW}\n" * 3000
    assert len(state(text, "HG112", "HG204")) == 3000


# ---------------------------------------------------------------- what is judged


def test_a_file_rule_sees_touched_lines_only() -> None:
    before = f"{HEAD}- a <!-- src:agent ts:unknown -->\n"
    after = before + "- b <!-- src:agent ts:unknown -->\n"
    assert [f.line for f in findings(change_scene({"MEMORY.md": before}, {"MEMORY.md": after}), "HG113")] == [3]
    assert [f.line for f in findings(state_scene({"MEMORY.md": after}), "HG113")] == [2, 3]


def test_a_file_of_which_nothing_was_touched_is_not_judged() -> None:
    text = f"{HEAD}- a <!-- src:agent ts:2031-01-01 -->\n"
    assert codes(change_scene({"MEMORY.md": text + "- b\n"}, {"MEMORY.md": text}), "HG105") == []


def test_an_added_empty_line_is_judged_by_rules_without_a_trigger() -> None:
    # An empty line is touched text, too: it can take a tag away from the paragraph below.
    before = "<!-- src:agent ts:2026-06-01 -->\n\nText\n"
    after = "<!-- src:agent ts:2026-06-01 -->\n\n\nText\n"
    assert codes(change_scene({"MEMORY.md": before}, {"MEMORY.md": after}), "HG101", "HG103") == ["HG101", "HG103"]


def test_a_file_of_no_class_is_scanned_for_secrets_and_hidden_characters_only() -> None:
    text = "<<<<<<< HEAD\n- a \u202eb\n"
    assert set(codes(state_scene({"memory/log.txt": text}))) == {"HG402"}
    assert set(codes(change_scene({}, {"memory/log.txt": text}))) == {"HG402"}


def test_exceptions_are_reported_in_files_of_no_class() -> None:
    assert codes(state_scene({"memory/log.txt": "<!-- hoard:allow HG201 -->\n"}), "HG204") == ["HG204"]


def test_what_is_no_memory_is_not_judged() -> None:
    assert codes(state_scene({"README.md": "<<<<<<< HEAD\n"}), "HG109") == []


def test_rules_for_nonhumans_leave_a_human_alone() -> None:
    before, after = {"MEMORY.md": "# M\n"}, {"MEMORY.md": "# M\n- a <!-- src:user ts:2026-06-15 -->\n"}
    assert codes(change_scene(before, after, actor="human"), "HG301") == []
    assert codes(change_scene(before, after), "HG301") == ["HG301"]


def test_change_rules_are_silent_about_files_as_they_stand() -> None:
    assert codes(state_scene({"MEMORY.md": "- a <!-- src:user ts:2026-06-15 -->\n"}), "HG301") == []


# ---------------------------------------------------------------- severities


def test_severities_by_mode() -> None:
    text = {"MEMORY.md": "# M\n- a\n"}
    assert [f.severity for f in findings(state_scene(text), "HG101")] == ["warn"]
    assert [f.severity for f in findings(change_scene({}, text), "HG101")] == ["error"]


@pytest.mark.parametrize("level", ["error", "warn", "info"])
def test_the_policy_sets_the_severity_in_both_modes(level: str) -> None:
    policy = policy_from_data({"rules": {"HG101": level}})
    text = {"MEMORY.md": "# M\n- a\n"}
    assert [f.severity for f in findings(state_scene(text, policy=policy), "HG101")] == [level]
    assert [f.severity for f in findings(change_scene({}, text, policy=policy), "HG101")] == [level]


def test_the_policy_turns_a_rule_off() -> None:
    policy = policy_from_data({"rules": {"HG101": "off"}})
    assert codes(change_scene({}, {"MEMORY.md": "# M\n- a\n"}, policy=policy)) == []


def test_the_policy_wins_over_the_severity_of_a_single_hit() -> None:
    text = '- [a](u "<!-- src:user ts:2026-06-01 -->") <!-- src:web ts:2026-06-01 -->\n'
    assert [f.severity for f in state(text, "HG103")] == ["warn"]
    assert [f.severity for f in state(text, "HG103", rules={"HG103": "error"})] == ["error"]


# ---------------------------------------------------------------- the findings


def test_findings_are_sorted_by_path_line_column_and_code() -> None:
    text = "# M\n- b <!-- src:agent ts:2031-01-01 x:y -->\n- a <!-- src:agent ts:2031-01-01 -->\n"
    found = findings(state_scene({"memory/b.md": text, "MEMORY.md": text}), "HG104", "HG105")
    places = [(f.path, f.line, f.column, f.code) for f in found]
    assert places == sorted(places)
    assert len(places) == 6


def test_findings_name_their_block() -> None:
    found = state("# M\n- x <!-- src:agent ts:2031-01-01 id:k3f9q2 -->\n## Old builds\n- y <!-- src:agent ts:2031-01-01 -->\n", "HG105")
    assert [f.block for f in found] == ["k3f9q2", "old-builds"]


def test_before_the_first_heading_there_is_no_block() -> None:
    assert blocks_at(view("MEMORY.md", "- a\n# M\n- b\n").document, [1, 2, 3]) == {1: "", 2: "m", 3: "m"}


def test_findings_hold_no_control_or_invisible_characters() -> None:
    found = findings(change_scene({}, {"memory/a\u200b\x1bb.md": "- x\n"}), "HG101")
    assert found[0].path == "memory/a\u200b\x1bb.md"
    assert found[0].hint.endswith("hoard tag -- 'memory/aU+200BU+001Bb.md'")


def test_judging_twice_gives_the_same() -> None:
    scene = state_scene({"MEMORY.md": "# M\n- a\n\n- b <!-- src:x -->\n"})
    assert judge(scene) == judge(scene)


def test_a_trigger_for_characters_beyond_ascii() -> None:
    assert triggered((NON_ASCII,), "caf\u00e9")
    assert not triggered((NON_ASCII, "x"), "cafe")


# ---------------------------------------------------------------- merges


def finding(line: int = 3, **fields: Any) -> Finding:
    values: dict[str, Any] = {
        "code": "HG101",
        "name": "n",
        "severity": "error",
        "message": "m",
        "path": "MEMORY.md",
        "line": line,
        "end_line": line,
    }
    return Finding(**{**values, **fields})


def test_one_parent_is_no_merge() -> None:
    assert intersect([[finding()]]) == [finding()]


def test_a_merge_is_blamed_for_what_differs_from_every_parent() -> None:
    assert intersect([[finding(3), finding(7)], [finding(7), finding(9)]]) == [finding(7)]
    assert intersect([[finding(3), finding(7)], [finding(7)], []]) == []


@pytest.mark.parametrize("other", [finding(4), finding(path="memory/a.md"), finding(code="HG102")])
def test_findings_at_other_places_are_others(other: Finding) -> None:
    assert intersect([[finding()], [other]]) == []


def test_the_words_of_a_finding_may_differ_between_parents() -> None:
    assert intersect([[finding(message="1 entry")], [finding(message="2 entries")]]) == [finding(message="1 entry")]


def test_a_run_that_is_drawn_differently_against_each_parent_is_the_same() -> None:
    wide = finding(3, end_line=12)
    assert intersect([[wide], [finding(12)]]) == [wide]
    assert intersect([[finding(12)], [wide]]) == [finding(12)]
    assert intersect([[wide], [finding(13)]]) == []


def test_what_is_gone_is_told_apart_by_its_block_and_words() -> None:
    one, two = finding(5, end_line=0, block="rules"), finding(9, end_line=0, block="rules")
    assert intersect([[one], [two]]) == [one]
    assert intersect([[one], [finding(5, end_line=0, block="other")]]) == []
    assert intersect([[one], [finding(5)]]) == []


def test_findings_about_a_whole_file_meet() -> None:
    assert intersect([[finding(0)], [finding(0)]]) == [finding(0)]
    assert intersect([[finding(0)], [finding(3)]]) == []


# ---------------------------------------------------------------- secrets in headings


def test_the_slug_of_a_heading_with_a_secret_is_not_given_away() -> None:
    scene = state_scene({"MEMORY.md": "## The word is swordfish\n- a\n## Other\n- b\n"})
    title = "the-word-is-swordfish"
    found = [
        finding(1, code="HG201", block=title),
        finding(2, block=title),
        finding(4, block="other"),
        finding(4, code="HG201", block="other"),
    ]
    _forget_secret_titles(scene, found)
    assert [f.block for f in found] == ["", "", "other", "other"]


# ---------------------------------------------------------------- rules that know less than the engine


class Loud:
    """A rule that objects to every place that it is told of."""

    def __init__(self, *hits: Hit) -> None:
        self.hits = hits

    def check_change(self, scene: object) -> tuple[Hit, ...]:
        assert scene
        return self.hits


@pytest.mark.parametrize(
    ("scope", "paths"),
    [
        ("entry", ["MEMORY.md", "gone.md"]),
        ("change", ["MEMORY.md", "gone.md", "memory/log.txt"]),
        ("path", ["MEMORY.md", "gone.md", "memory/log.txt"]),
    ],
)
def test_rules_about_entries_do_not_see_files_of_no_class(monkeypatch: pytest.MonkeyPatch, scope: str, paths: list[str]) -> None:
    hits = [Hit("no", 1, 1, path=path) for path in ("MEMORY.md", "memory/log.txt", "gone.md")]
    rule = Rule("HG999", "loud", "warn", scope, "0.1.0", (), nonhuman=False, state="", module="loud")
    monkeypatch.setattr(engine, "RULES", (rule,))
    monkeypatch.setattr(engine, "load", {rule: Loud(*hits)}.__getitem__)
    found = judge(change_scene({}, {"MEMORY.md": "# M\n", "memory/log.txt": "x\n"}))
    assert [f.path for f in found] == sorted(paths)
    assert [f.block for f in found if f.path == "MEMORY.md"] == ["m"]


def test_an_id_on_the_heading_names_its_block() -> None:
    document = view("MEMORY.md", "## A <!-- src:agent ts:2026-06-01 id:k3f9q2 -->\n- a\n").document
    assert blocks_at(document, [1, 2]) == {1: "k3f9q2", 2: "k3f9q2"}


def test_two_exceptions_soften_a_finding_once() -> None:
    text = f'{HEAD}{ALLOW}\n- a \x00 b <!-- hoard:allow HG108 reason="the raw dump" -->\n'.replace("HG112", "HG108")
    found = state(text, "HG108", "HG204")
    assert [(f.severity, f.message.count("(allowed here)")) for f in found] == [("warn", 1)]


def test_an_exception_leaves_other_findings_of_its_line_alone() -> None:
    found = state(f"{HEAD}{NOW} \x00 {ALLOW}\n\n- b \x00 <!-- hoard:allow HG108 reason='x' -->\n", "HG108", "HG112", "HG204")
    assert [(f.code, f.message.endswith("(allowed here)")) for f in found] == [("HG112", True), ("HG108", False), ("HG204", False)]
    both = f'{HEAD}{NOW} \x00 {ALLOW}\n\n- x <!-- hoard:allow HG108 reason="x" -->\n'
    assert [(f.code, f.message.endswith("(allowed here)")) for f in state(both, "HG108", "HG112")] == [("HG112", True), ("HG108", False)]


SECRET = "- The database password is tR7#mQ2v-" + "Lx9pWz <!-- src:agent ts:2026-06-01 -->"
EXCUSE = '<!-- hoard:allow HG201 reason="a sample" -->'


def secret_scene(before: str, after: str, actor: str = "agent", how: str = "warn") -> list[tuple[str, str]]:
    scene = change_scene({"MEMORY.md": before}, {"MEMORY.md": after}, actor=actor, policy=Policy(inline_allow=how))
    return [(f.code, f.severity) for f in findings(scene, "HG201", "HG204")]


@pytest.mark.parametrize("actor", ["agent", "tool"])
def test_who_brings_a_secret_cannot_excuse_it(actor: str) -> None:
    assert secret_scene("# M\n", f"# M\n{SECRET} {EXCUSE}\n", actor) == [("HG201", "error"), ("HG204", "warn")]
    assert secret_scene("# M\n", f"# M\n{EXCUSE}\n{SECRET}\n", actor) == [("HG204", "warn"), ("HG201", "error")]
    assert secret_scene(f"# M\n{SECRET}\n", f"# M\n{SECRET} {EXCUSE}\n", actor) == [("HG201", "error"), ("HG204", "warn")]


def test_a_humans_an_old_and_a_trusted_exception_are_honoured() -> None:
    assert secret_scene("# M\n", f"# M\n{SECRET} {EXCUSE}\n", "human") == [("HG201", "warn")]
    assert secret_scene(f"# M\n{EXCUSE}\n", f"# M\n{EXCUSE}\n{SECRET}\n") == [("HG201", "warn")]
    assert secret_scene("# M\n", f"# M\n{SECRET} {EXCUSE}\n", how="true") == []
    assert [f.severity for f in findings(state_scene({"MEMORY.md": f"# M\n{SECRET} {EXCUSE}\n"}), "HG201", "HG204")] == ["warn"]


def test_of_several_policies_the_most_severe_word_holds() -> None:
    warning, note = finding(severity="warn"), finding(severity="info")
    for order in ([[note], [finding()], [warning]], [[finding()], [warning], [note]], [[warning, finding()], [note]]):
        assert most_severe(order) == [finding()]
    assert most_severe([[note, finding(7)], [warning]]) == [warning, finding(7)]


def test_one_act_is_not_told_twice() -> None:
    said, proof = finding(code="HG301"), finding(code="HG308")
    assert drop_said([said, proof]) == [proof]
    assert drop_said([said, proof._replace(severity="warn")]) == [said, proof._replace(severity="warn")]
    assert drop_said([said, finding(7, code="HG308")]) == [said, finding(7, code="HG308")]
