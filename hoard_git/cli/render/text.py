"""Findings as lines for people: `path:line:col: HGnnn message`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.model import Finding


def safe(text: str) -> str:
    """Escape what could move a cursor, hide text or fake a line: control, format and unprintable characters."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def render_finding(finding: Finding) -> str:
    """One finding: its place, code and message, and the next step on a second line."""
    where = safe(finding.path) or "commit"
    if finding.line:
        where += f":{finding.line}:{finding.column or 1}"
    commit = f"{finding.commit[:12]} " if finding.commit else ""
    level = "" if finding.severity == "error" else f" {'warning' if finding.severity == 'warn' else finding.severity}:"
    text = f"{commit}{where}: {finding.code}{level} {safe(finding.message)}"
    return f"{text}\n    {safe(finding.hint)}" if finding.hint else text
