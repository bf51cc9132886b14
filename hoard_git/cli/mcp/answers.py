"""What a tool gives back when it cannot do what was asked: data and text, which `cli.render.cleaning` then cleans."""

from __future__ import annotations

from hoard_git.cli.render.json import finding_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hoard_git.errors import HoardError


def error_data(error: HoardError) -> dict[str, object]:
    """An error with the next step, and what the gate found where it refused."""
    data: dict[str, object] = {"error": error.message, "next": error.hint}
    findings = getattr(error, "findings", ())
    if findings:
        data["findings"] = [finding_data(finding) for finding in findings if finding.severity in ("error", "warn")]
    return data


def error_text(data: Mapping[str, object]) -> str:
    """The same for whoever reads text only."""
    lines = [str(data["error"])]
    found = data.get("findings")
    for finding in found if isinstance(found, list) else ():
        lines.append(
            f"{finding['path']}:{finding['line']}: {finding['code']} {'warning: ' if finding['severity'] == 'warn' else ''}{finding['message']}"
        )
        if finding["hint"]:
            lines.append(f"    {finding['hint']}")
    if data["next"]:
        lines.append(f"next: {data['next']}")
    return "\n".join(lines)
