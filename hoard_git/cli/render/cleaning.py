"""Data without credentials and without characters that a terminal, a browser or a model could be misled by."""

from __future__ import annotations

import re

from hoard_git.cli.render.columns import mask_secrets
from hoard_git.cli.render.history import in_json
from hoard_git.cli.render.text import safe

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
    return in_json("\n".join([safe(line.replace("\t", "    ")) for line in lines]))
