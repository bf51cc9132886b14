"""One finding as a line."""

from __future__ import annotations

import json

import pytest

from hoard_git.app.check import Report
from hoard_git.cli.render.json import render_report
from hoard_git.cli.render.text import render_finding
from hoard_git.core.model import Finding

OID = "0123456789abcdef" * 2 + "01234567"
BASE = Finding("HG101", "untagged-content", "error", "an entry has no provenance", "memory/a.md", 3, 5, hint="hoard tag")


@pytest.mark.parametrize(
    ("finding", "text"),
    [
        (BASE, "memory/a.md:3:5: HG101 an entry has no provenance\n    hoard tag"),
        (BASE._replace(severity="warn", hint=""), "memory/a.md:3:5: HG101 warning: an entry has no provenance"),
        (BASE._replace(severity="info", hint=""), "memory/a.md:3:5: HG101 info: an entry has no provenance"),
        (BASE._replace(column=0, hint=""), "memory/a.md:3:1: HG101 an entry has no provenance"),
        (BASE._replace(line=0, hint=""), "memory/a.md: HG101 an entry has no provenance"),
        (BASE._replace(commit=OID, hint=""), "0123456789ab memory/a.md:3:5: HG101 an entry has no provenance"),
        (BASE._replace(path="", line=0, commit=OID, hint=""), "0123456789ab commit: HG101 an entry has no provenance"),
        (
            BASE._replace(path="a\x1b[2J\n.md", message="x\u202ey", hint="p\nq"),
            "a\\x1b[2J\\n.md:3:5: HG101 x\\u202ey\n    p\\nq",
        ),
    ],
)
def test_a_finding_as_text(finding: Finding, text: str) -> None:
    assert render_finding(finding) == text


def test_a_finding_as_json() -> None:
    report = Report((BASE._replace(path="a\udcff.md", commit=OID, block="infra"), BASE), 2, 7, 1)
    data = json.loads(render_report(report))

    assert data["scanned"] == {"files": 2, "lines": 7, "commits": 1}
    assert [(row["path"], row["commit"], row["block"]) for row in data["findings"]] == [
        ("a\\udcff.md", OID, "infra"),
        ("memory/a.md", None, None),
    ]
