"""A check's report as JSON (INTERFACE, "JSON")."""

from __future__ import annotations

import json

from hoard_git.core.discreet import quiet_finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.check import Report
    from hoard_git.core.model import Finding


def render_report(report: Report) -> str:
    """One JSON object; paths that are not UTF-8 show their odd bytes as escapes."""
    return json.dumps(report_data(report), indent=2)


def report_data(report: Report) -> dict[str, object]:
    """The same as data."""
    return {
        "schema": 1,
        "scanned": {"files": report.files, "lines": report.lines, "commits": report.commits},
        "findings": [finding_data(finding) for finding in report.findings],
    }


def finding_data(finding: Finding) -> dict[str, object]:
    """One finding as INTERFACE has it."""
    finding = quiet_finding(finding)
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity,
        "message": finding.message,
        "path": finding.path.encode("utf-8", "backslashreplace").decode(),
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line,
        "commit": finding.commit or None,
        "block": finding.block or None,
        "hint": finding.hint,
    }
