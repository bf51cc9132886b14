"""Names for findings that stay the same while lines move, by which a forge tells a new finding from one that it has seen."""

from __future__ import annotations

import re
from hashlib import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.core.model import Finding

_NUMBERS = re.compile(r"(?<![0-9])[0-9]{1,9}(?![0-9])")


def fingerprints(findings: Sequence[Finding]) -> list[tuple[str, int]]:
    """Give each finding 32 hex digits, and which one of its kind it is, from 1 on.

    Code, file, block and message make the kind. Lines, commits and the numbers in a message (counts, line numbers) do not: a finding is the
    same after a rebase and with text above it. No part of a file's content goes in, so that nothing can be tried out against a fingerprint.
    """
    seen: dict[str, int] = {}
    found = []
    for finding in findings:
        kind = "\0".join((finding.code, finding.path, finding.block, _NUMBERS.sub("0", finding.message)))
        digest = sha256(kind.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        seen[digest] = seen.get(digest, 0) + 1
        found.append((digest, seen[digest]))
    return found


def shown_path(finding: Finding) -> str:
    """The path for formats that take plain text: `.hoard.yaml` for what is about a commit as a whole, as every finding needs a file there.

    Bytes that are not UTF-8 and characters that a terminal would obey are escaped.
    """
    from hoard_git.cli.render.text import safe
    from hoard_git.core.policy import FILE_NAME

    return safe(finding.path.encode("utf-8", "backslashreplace").decode()) or FILE_NAME
