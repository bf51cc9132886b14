"""A check's report as a code quality report."""

from __future__ import annotations

import json
from typing import Any

import jsonschema

from hoard_git.app.check import Report
from hoard_git.cli.render.gitlab import render_gitlab
from tests.cli.render.reports import EVERY, NOTHING, OID, PLAIN, moved, obeyed, schema


def issues(report: Report) -> list[dict[str, Any]]:
    text = render_gitlab(report)
    rows: list[dict[str, Any]] = json.loads(text)
    jsonschema.Draft202012Validator(schema("gitlab-code-quality.json")).validate(rows)
    assert text.isascii()
    return rows


def test_a_clean_report_is_an_empty_list() -> None:
    assert issues(NOTHING) == []


def test_every_finding_is_an_issue_with_a_place() -> None:
    rows = issues(EVERY)
    assert [(row["severity"], row["location"]["path"], row["location"]["lines"]) for row in rows[:4]] == [
        ("critical", "memory/a.md", {"begin": 3, "end": 4}),
        ("critical", "MEMORY.md", {"begin": 8}),
        ("minor", ".hoard.yaml", {"begin": 1}),
        ("info", "memory/b.md", {"begin": 2}),
    ]
    assert rows[0]["description"] == "HG101 an entry has no provenance; hoard tag"
    assert rows[2]["description"] == f"HG701 the commit has no Memory trailers (commit {OID[:12]})"


def test_fingerprints_are_unique_and_survive_moved_lines() -> None:
    report = EVERY._replace(findings=(*EVERY.findings, PLAIN._replace(line=30, end_line=30)))
    marks = [row["fingerprint"] for row in issues(report)]
    assert len(set(marks)) == len(report.findings)
    assert [row["fingerprint"] for row in issues(moved(report, 3))] == marks


def test_hostile_texts_stay_texts() -> None:
    row = issues(EVERY)[-1]
    for text in (row["description"], row["check_name"], row["location"]["path"]):
        assert obeyed(text) == []
        assert "\n" not in text
