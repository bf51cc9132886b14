"""Findings as a GitLab code quality report: the part of the Code Climate format that GitLab reads."""

from __future__ import annotations

import json

from hoard_git.cli.render.fingerprints import fingerprints, shown_path
from hoard_git.cli.render.text import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.check import Report
    from hoard_git.core.model import Finding

_SEVERITIES = {"error": "critical", "warn": "minor", "info": "info"}


def render_gitlab(report: Report, *, strict: bool = False) -> str:
    """A JSON array, one object a finding; `[]` when there are none."""
    del strict  # the exit status says it
    known = fingerprints(report.findings)
    rows = [_issue(finding, f"{digest}-{count}") for finding, (digest, count) in zip(report.findings, known, strict=True)]
    return json.dumps(rows, indent=2) + "\n"


def _issue(finding: Finding, fingerprint: str) -> dict[str, object]:
    """GitLab drops an issue without a line, and the whole report when two fingerprints are the same."""
    lines = {"begin": max(1, finding.line)}
    if finding.end_line > finding.line:
        lines["end"] = finding.end_line
    where = f" (commit {finding.commit[:12]})" if finding.commit else ""
    hint = f"; {safe(finding.hint)}" if finding.hint else ""
    return {
        "type": "issue",
        "check_name": f"{finding.code} {safe(finding.name)}",
        "description": f"{finding.code} {safe(finding.message)}{hint}{where}",
        "categories": ["Security"],
        "severity": _SEVERITIES.get(finding.severity, "info"),
        "fingerprint": fingerprint,
        "location": {"path": shown_path(finding), "lines": lines},
    }
