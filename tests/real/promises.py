"""What every command promises in any workspace, checked on what it printed. Nothing here knows a workspace."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.real.records import Step

SECONDS = 10.0
MEGABYTES = 300.0
_TAG = re.compile(rb"<!-- src:(?:user|agent|tool|web|dig) ts:[^>\n]*-->")
# Those that lay their output out for a screen. Findings are one line each, whole, and lines that end in a command to copy are not broken.
_FITTED = ("log", "blame", "why", "trailers", "verify", "consolidate", "tiers", "search", "status", "doctor")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def only_tags_added(before: bytes, after: bytes) -> bool:
    """Whether a file differs from its version before in provenance tags alone, and in the spaces or the line that a tag takes."""
    lines = []
    for line in after.split(b"\n"):
        bare = _TAG.sub(b"", line)
        if bare.strip() or bare == line:
            lines.append(bare.rstrip(b" \t\r") if bare != line else line)
    kept = before.split(b"\n")
    if len(kept) != len(lines):
        return False
    return all(new in {old, old.rstrip(b" \t\r")} for old, new in zip(kept, lines, strict=True))


def width(line: str) -> int:
    """Columns that a line takes on a terminal."""
    wide = sum(1 for char in line if unicodedata.east_asian_width(char) in "WF")
    return sum(1 for char in line if not unicodedata.combining(char) and unicodedata.category(char) != "Cf") + wide


def broken_promises(steps: Iterable[Step]) -> list[str]:
    """A line for each promise that a command broke, in the order of the commands."""
    broken = []
    for step in steps:
        said = step.out + step.err
        if step.status not in {0, 1, 2}:
            broken.append(f"{step.name}: exit {step.status}")
        if "Traceback" in said:
            broken.append(f"{step.name}: a traceback")
        if step.status == 2 and "next: " not in step.err:
            broken.append(f"{step.name}: exit 2 without a next command")
        if step.seconds > SECONDS:
            broken.append(f"{step.name}: {step.seconds:.1f} s")
        if step.megabytes > MEGABYTES:
            broken.append(f"{step.name}: {step.megabytes:.0f} MB")
        if _CONTROL.search(said.replace("\r\n", "\n") if step.name == "get" else said):
            broken.append(f"{step.name}: a control character in what it prints")
        if step.name.startswith(_FITTED):
            too_wide = [line for line in step.out.split("\n") if width(line) > 80 and not line.lstrip().startswith("-> ")]
            if too_wide:
                broken.append(f"{step.name}: {len(too_wide)} lines wider than 80 columns")
    return broken
