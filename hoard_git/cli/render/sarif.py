"""Findings as SARIF 2.1.0 (OASIS), the format that code scanning services read."""

from __future__ import annotations

import json
from importlib import import_module
from urllib.parse import quote_from_bytes

from hoard_git import __version__
from hoard_git.cli.render.fingerprints import fingerprints
from hoard_git.cli.render.text import safe
from hoard_git.core.policy import FILE_NAME
from hoard_git.lint.registry import BY_CODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hoard_git.app.check import Report
    from hoard_git.core.model import Finding

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
HOME = "https://github.com/hoard-git/hoard-git"

_LEVELS = {"error": "error", "warn": "warning"}
_TAGS = {"HG2": "security", "HG3": "authority", "HG4": "security", "HG7": "authority"}
_ALLOWED = " (allowed here)"  # how lint/allows.py marks what an inline exception excuses


def render_sarif(report: Report, *, strict: bool = False) -> str:
    """One run with the rules that found something, and a result a finding."""
    del strict  # the exit status says it
    codes = sorted({finding.code for finding in report.findings})
    names = {finding.code: finding.name for finding in report.findings}
    driver = {
        "name": "hoard",
        "version": __version__,
        "informationUri": HOME,
        "rules": [_rule(code, names[code]) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True}],
        "results": _results(report.findings, {code: index for index, code in enumerate(codes)}),
        "properties": {
            "files": report.files,
            "lines": report.lines,
            "commits": report.commits,
            "commitsBeforePolicy": report.before_policy,
        },
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(code: str, name: str) -> dict[str, object]:
    """A rule with its page, which is its module's docstring."""
    row = BY_CODE.get(code)
    tags = [tag for prefix, tag in _TAGS.items() if code.startswith(prefix)]
    if row is None:
        return {"id": code, "name": safe(name), "shortDescription": {"text": safe(name)}, "properties": {"tags": tags}}
    page = (import_module(f"hoard_git.lint.rules.{row.module}").__doc__ or row.name).strip()
    page = "\n".join(safe(line) for line in page.split("\n"))
    summary = page.split("\n", 1)[0]
    return {
        "id": code,
        "name": row.name,
        "shortDescription": {"text": summary},
        "fullDescription": {"text": summary},
        "help": {"text": page, "markdown": page},
        "helpUri": f"{HOME}/blob/v{__version__}/docs/reference/rules/{code.lower()}-{row.name}.md",
        "defaultConfiguration": {"level": _LEVELS.get(row.severity, "note")},
        "properties": {"tags": tags},
    }


def _results(findings: Sequence[Finding], index: Mapping[str, int]) -> list[dict[str, object]]:
    known = fingerprints(findings)
    return [_result(finding, index[finding.code], *known[number]) for number, finding in enumerate(findings)]


def _result(finding: Finding, index: int, digest: str, count: int) -> dict[str, object]:
    """One result. GitHub drops one that has no file: what is about a commit as a whole is put on the policy's first line.

    GitHub matches results by `primaryLocationLineHash` alone and makes it from the line in its own checkout when it is missing; here the
    checkout is of the base branch. The property `goneFromFile` says that the line is one of the version before.
    """
    text = safe(finding.message) + (f"\n{safe(finding.hint)}" if finding.hint else "")
    properties: dict[str, object] = {"severity": finding.severity}
    location: dict[str, object] = {"physicalLocation": _place(finding)}
    if finding.commit:
        properties["commit"] = finding.commit
        location["logicalLocations"] = [{"fullyQualifiedName": finding.commit, "kind": "commit"}]
    if finding.block:
        properties["block"] = safe(finding.block)
    if finding.is_gone:
        properties["goneFromFile"] = True
    result: dict[str, object] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": _LEVELS.get(finding.severity, "note"),
        "message": {"text": text},
        "locations": [location],
        "partialFingerprints": {"hoardFinding/v1": f"{digest}:{count}", "primaryLocationLineHash": f"{digest[:16]}:{count}"},
        "properties": properties,
    }
    if finding.message.endswith(_ALLOWED):
        result["suppressions"] = [{"kind": "inSource", "status": "accepted"}]
    return result


def _place(finding: Finding) -> dict[str, object]:
    region = {"startLine": max(1, finding.line)}
    if finding.column:
        region["startColumn"] = finding.column
    if finding.end_line > finding.line:
        region["endLine"] = finding.end_line
    uri = quote_from_bytes((finding.path or FILE_NAME).encode("utf-8", "surrogateescape"), safe="/")
    return {"artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"}, "region": region}
