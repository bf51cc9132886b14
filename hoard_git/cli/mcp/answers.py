"""What a tool gives back: data and errors without credentials and without characters that a terminal or a model could be misled by."""

from __future__ import annotations

import re

from hoard_git.cli.render.columns import mask_secrets
from hoard_git.cli.render.json import finding_data
from hoard_git.cli.render.text import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hoard_git.errors import HoardError

_OID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def clean(value: object) -> object:
    """Data for JSON with every text in it masked and escaped; a commit's name is left whole."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, dict):
        return {clean_text(str(key)): clean(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [clean(item) for item in value]
    return value if value is None or isinstance(value, (bool, int, float)) else clean_text(str(value))


def clean_text(text: str) -> str:
    """A text of one or more lines, credentials masked, control and invisible characters written as escapes."""
    if _OID.fullmatch(text):
        return text
    lines = mask_secrets(text).split("\n")
    return "\n".join([safe(line.replace("\t", "    ")) for line in lines]).encode("utf-8", "backslashreplace").decode()


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
