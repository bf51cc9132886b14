"""A check's report as SARIF."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from hoard_git import __version__
from hoard_git.app.check import Report
from hoard_git.cli.render.sarif import render_sarif
from hoard_git.core.model import Finding
from hoard_git.lint.registry import RULES
from tests.cli.render.reports import ALLOWED, EVERY, GONE, HOSTILE, NOTHING, OF_COMMIT, OID, PLAIN, moved, obeyed, schema
from tests.support.environment import ROOT


def run_of(report: Report) -> dict[str, Any]:
    text = render_sarif(report)
    data = json.loads(text)
    jsonschema.Draft202012Validator(schema("sarif-2.1.0-subset.json")).validate(data)
    assert text.isascii() and obeyed(text) == [] and text.endswith("}\n")
    (run,) = data["runs"]
    assert isinstance(run, dict)
    return run


def results(*findings: Finding) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = run_of(Report(findings, 1, 1, 1))["results"]
    return found


def test_a_clean_report_is_valid_and_empty() -> None:
    run = run_of(NOTHING)
    assert (run["results"], run["tool"]["driver"]["rules"], run["tool"]["driver"]["version"]) == ([], [], __version__)
    assert run["properties"] == {"files": 3, "lines": 40, "commits": 2, "commitsBeforePolicy": 0}


def test_where_and_what() -> None:
    (result,) = results(PLAIN)
    assert (result["ruleId"], result["level"]) == ("HG101", "error")
    assert result["message"] == {"text": "an entry has no provenance\nhoard tag"}
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "memory/a.md", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 3, "startColumn": 5, "endLine": 4},
            }
        }
    ]


def test_the_commit_is_named_and_a_line_that_is_gone_is_marked() -> None:
    (gone,) = results(GONE)
    assert gone["properties"] == {"severity": "error", "commit": OID, "goneFromFile": True}
    assert gone["locations"][0]["logicalLocations"] == [{"fullyQualifiedName": OID, "kind": "commit"}]
    assert gone["locations"][0]["physicalLocation"]["region"] == {"startLine": 8, "startColumn": 1}


def test_what_is_about_a_commit_stands_at_the_policy() -> None:
    (result,) = results(OF_COMMIT)
    assert result["level"] == "warning"
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]) == (".hoard.yaml", {"startLine": 1})


def test_what_an_exception_excuses_is_suppressed() -> None:
    allowed, plain = results(ALLOWED, PLAIN)
    assert allowed["suppressions"] == [{"kind": "inSource", "status": "accepted"}]
    assert (allowed["level"], allowed["properties"]["block"]) == ("note", "notes")
    assert "suppressions" not in plain


def test_rules_come_with_their_page_and_results_point_to_them() -> None:
    run = run_of(EVERY)
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["HG101", "HG301", "HG405", "HG701"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])
    trust = rules[1]
    assert trust["properties"]["tags"] == ["authority"]
    assert "## Why" in trust["help"]["markdown"]
    assert trust["shortDescription"]["text"].endswith(".")


def test_every_rule_has_the_page_that_its_address_names() -> None:
    report = Report(tuple(Finding(rule.code, rule.name, "warn", "m", "a.md", 1, 1, 1) for rule in RULES), 1, 1, 0)
    for rule in run_of(report)["tool"]["driver"]["rules"]:
        start = f"https://github.com/hoard-git/hoard-git/blob/v{__version__}/"
        assert rule["helpUri"].startswith(start)
        assert (ROOT / rule["helpUri"].removeprefix(start)).is_file(), rule["id"]


def test_a_finding_of_a_rule_that_is_unknown_here() -> None:
    (rule,) = run_of(Report((PLAIN._replace(code="HG999", name="to-come"),), 1, 1, 0))["tool"]["driver"]["rules"]
    assert (rule["id"], rule["shortDescription"]) == ("HG999", {"text": "to-come"})


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("memory/two words.md", "memory/two%20words.md"),
        ("a:b.md", "a%3Ab.md"),
        ("50%.md", "50%25.md"),
        ("#1?.md", "%231%3F.md"),
        ("memory/\u00fc.md", "memory/%C3%BC.md"),
        ("\udcff\n.md", "%FF%0A.md"),
    ],
)
def test_paths_are_percent_encoded(path: str, uri: str) -> None:
    (result,) = results(PLAIN._replace(path=path))
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_hostile_texts_stay_texts() -> None:
    (result,) = results(HOSTILE)
    assert obeyed(result["message"]["text"]) == []
    assert result["message"]["text"].count("\n") == 1
    assert obeyed(result["properties"]["block"]) == []


def test_fingerprints_survive_moved_lines_and_rebased_commits() -> None:
    def prints(report: Report) -> list[dict[str, str]]:
        return [result["partialFingerprints"] for result in run_of(report)["results"]]

    before = prints(EVERY)
    assert prints(moved(EVERY, 7)) == before
    assert len({one["hoardFinding/v1"] for one in before}) == len(EVERY.findings)
    assert set(before[0]) == {"hoardFinding/v1", "primaryLocationLineHash"}


def test_fingerprints_of_twins_differ_and_do_not_depend_on_numbers_in_the_text() -> None:
    first, second = results(PLAIN, PLAIN._replace(line=9, end_line=9))
    assert first["partialFingerprints"]["hoardFinding/v1"][:-2] == second["partialFingerprints"]["hoardFinding/v1"][:-2]
    assert first["partialFingerprints"] != second["partialFingerprints"]
    (five,) = results(PLAIN._replace(message="the file has 5 lines"))
    (six,) = results(PLAIN._replace(message="the file has 6 lines"))
    assert five["partialFingerprints"] == six["partialFingerprints"]
    for other in (PLAIN._replace(code="HG102"), PLAIN._replace(path="b.md"), PLAIN._replace(block="x"), PLAIN._replace(message="y")):
        assert results(other)[0]["partialFingerprints"] != first["partialFingerprints"]


def test_the_schema_refuses_what_it_should() -> None:
    validator = jsonschema.Draft202012Validator(schema("sarif-2.1.0-subset.json"))
    data = json.loads(render_sarif(Report((PLAIN,), 1, 1, 1)))
    data["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] = "two words.md"
    assert not validator.is_valid(data)
    assert not validator.is_valid({"version": "2.1.0"})
