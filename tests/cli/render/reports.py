"""Reports for the tests of formats: every kind of place and severity, and texts that try to break out."""

from __future__ import annotations

import json
from typing import Any

from hoard_git.app.check import Report
from hoard_git.core.model import Finding
from tests.support.environment import ROOT

OID = "0123456789abcdef" * 2 + "01234567"
PLAIN = Finding("HG101", "untagged-content", "error", "an entry has no provenance", "memory/a.md", 3, 5, 4, hint="hoard tag")
GONE = Finding("HG301", "user-content-changed-by-non-human", "error", "agent deletes a user's content: 1 fact", "MEMORY.md", 8, 1, 0, OID)
OF_COMMIT = Finding("HG701", "missing-trailers", "warn", "the commit has no Memory trailers", commit=OID)
ALLOWED = Finding("HG405", "instruction", "info", "an instruction to the reader (allowed here)", "memory/b.md", 2, 1, 2, block="notes")
HOSTILE = PLAIN._replace(
    path="a,b:c%\x1b[2J\n::stop-commands::x/\udcff \u202e<&\"'.md",
    message="x,y:z 100% \r\n::error::forged ]]> <b> & \x00\x0b\x1b[31m\u202e\ufffe\U000fffff",
    hint="p\nq%0A",
    block="sec\x07tion",
    name="odd\nname",
)
EVERY = Report((PLAIN, GONE, OF_COMMIT, ALLOWED, HOSTILE), 3, 40, 2, "a..b")
NOTHING = Report((), 3, 40, 2, "a..b")


def moved(report: Report, lines: int) -> Report:
    """The same findings with so many lines above them, in other commits."""
    rows = (
        f._replace(
            line=f.line and f.line + lines, end_line=f.end_line and f.end_line + lines, commit=f.commit.replace("0", "f"), column=f.column
        )
        for f in report.findings
    )
    return report._replace(findings=tuple(rows))


def schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "tests/data/schemas" / name).read_text(encoding="utf-8"))
    return found


def obeyed(text: str) -> list[str]:
    """The characters of a text, line breaks aside, that a terminal would obey, an XML parser refuses or a reader not see."""
    return sorted(
        {c for c in text if c != "\n" and (c < " " or "\x7f" <= c < "\xa0" or "\u202a" <= c <= "\u202e" or "\ud800" <= c <= "\udfff")}
    )
