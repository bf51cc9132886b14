"""Findings as workflow commands, which GitHub and Forgejo Actions show beside the lines of a change."""

from __future__ import annotations

from hoard_git.cli.render.fingerprints import shown_path
from hoard_git.cli.render.text import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.check import Report
    from hoard_git.core.model import Finding

_COMMANDS = {"error": "error", "warn": "warning"}


def render_github(report: Report, *, strict: bool = False) -> str:
    """One line a finding: `::error file=…,line=…,col=…,title=…::message`; nothing when there are none."""
    del strict  # the exit status says it
    return "".join(f"{_command(finding)}\n" for finding in report.findings)


def _command(finding: Finding) -> str:
    """A finding about a commit as a whole has no file; one about text that is gone has no last line, as it stands in the version before."""
    properties = []
    if finding.path:
        properties.append(f"file={_property(shown_path(finding))}")
        if finding.line:
            properties.append(f"line={finding.line}")
            if finding.end_line > finding.line:
                properties.append(f"endLine={finding.end_line}")
            properties.append(f"col={finding.column or 1}")
    properties.append(f"title={_property(f'{finding.code} {safe(finding.name)}')}")
    text = safe(finding.message) + (f"\n{safe(finding.hint)}" if finding.hint else "")
    if finding.commit:
        text = f"{finding.commit[:12]}: {text}"
    return f"::{_COMMANDS.get(finding.severity, 'notice')} {','.join(properties)}::{_data(text)}"


def _data(text: str) -> str:
    """Escape a message as the runner undoes it: a raw line break would end the command, and the next line could be another one."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
