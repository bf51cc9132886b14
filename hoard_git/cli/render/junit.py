"""Findings as JUnit XML, which most CI servers read: one test case a rule that found something."""

from __future__ import annotations

import re
from html import escape

from hoard_git.cli.render.text import render_finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.app.check import Report
    from hoard_git.core.model import Finding

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render_junit(report: Report, *, strict: bool = False) -> str:
    """One suite. A rule with errors fails, with `strict` one with warnings too; what else it found is its output.

    A report without findings has one case that passes: servers take a suite without any for a run that went wrong.
    """
    rules: dict[str, list[Finding]] = {}
    for finding in report.findings:
        rules.setdefault(finding.code, []).append(finding)
    cases = [_case(found, strict=strict) for _code, found in sorted(rules.items())]
    body = "".join(text for text, _failed in cases) or '    <testcase classname="hoard.check" name="no findings" time="0"/>\n'
    counts = f'tests="{len(cases) or 1}" failures="{sum(failed for _text, failed in cases)}" errors="0"'
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites name="hoard check" {counts} time="0">\n'
        f'  <testsuite name="hoard check" {counts} skipped="0" time="0">\n{_scanned(report)}{body}  </testsuite>\n'
        "</testsuites>\n"
    )
    # As ASCII it is the same bytes whatever encoding the terminal or the pipe has.
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _scanned(report: Report) -> str:
    counts = (("files", report.files), ("lines", report.lines), ("commits", report.commits), ("before-policy", report.before_policy))
    rows = "".join(f'      <property name="{name}" value="{count}"/>\n' for name, count in counts)
    return f"    <properties>\n{rows}    </properties>\n"


def _case(found: Sequence[Finding], *, strict: bool) -> tuple[str, bool]:
    """The case of one rule, and whether it fails."""
    name = _text(f"{found[0].code} {found[0].name}")
    fatal = ("error", "warn") if strict else ("error",)
    failing = [finding for finding in found if finding.severity in fatal]
    other = [finding for finding in found if finding.severity not in fatal]
    inner = ""
    if failing:
        places = f"{len(failing)} finding{'s' * (len(failing) != 1)}"
        inner += f'      <failure message="{places}" type="{name}">{_lines(failing)}</failure>\n'
    if other:
        inner += f"      <system-out>{_lines(other)}</system-out>\n"
    return f'    <testcase classname="hoard.check" name="{name}" time="0">\n{inner}    </testcase>\n', bool(failing)


def _lines(found: Sequence[Finding]) -> str:
    return _text("\n".join(render_finding(finding) for finding in found))


def _text(text: str) -> str:
    """Text for an element or a quoted attribute; what XML 1.0 cannot hold at all becomes U+FFFD."""
    return escape(_NOT_XML.sub("\ufffd", text))
