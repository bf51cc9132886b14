"""What the hooks refused on this machine: day, hook, codes and paths, never a word of the content. `hoard report` shows it.

Kept in `<common git dir>/hoard/refused`, one JSON object a line. It is a diary for people: nothing is decided by it, a line that cannot be read is
skipped, and one that cannot be written is lost without a word, since the refusal itself matters more.
"""

# ruff: noqa: PTH103, PTH105, PTH116, PTH118, PTH123 -- importing pathlib costs 8 ms where a bare interpreter starts in 6

from __future__ import annotations

import os

from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.core.model import Finding
    from hoard_git.gitio.plumbing import PlumbingReader

_NAME = "refused"
_LONGEST = 256 * 1024
"""Bytes after which the older half is forgotten."""
_MOST_PATHS = 5


class Refusal(Record):
    """One refused commit. `time` is seconds since 1970, `codes` maps a rule's code to how often it spoke, `paths` are the first few."""

    time: int
    hook: str
    codes: tuple[tuple[str, int], ...]
    paths: tuple[str, ...]


def note_refusal(reader: PlumbingReader, hook: str, findings: Sequence[Finding]) -> None:
    """Write a refusal down: its errors only. Never raises."""
    import json
    import time

    from hoard_git.core.discreet import quiet_path

    errors = [finding for finding in findings if finding.severity == "error"]
    codes: dict[str, int] = {}
    for finding in errors:
        codes[finding.code] = codes.get(finding.code, 0) + 1
    paths = list(dict.fromkeys(quiet_path(finding.path) for finding in errors if finding.path))[:_MOST_PATHS]
    line = json.dumps({"time": int(time.time()), "hook": hook, "codes": codes, "paths": paths}) + "\n"
    try:
        folder = os.path.join(reader.common_dir(), "hoard")
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, _NAME)
        _shorten(path)
        with open(path, "ab") as file:
            file.write(line.encode("ascii"))
    except OSError:
        return


def _shorten(path: str) -> None:
    """Forget the older half of a diary that has grown too long."""
    try:
        if os.stat(path).st_size <= _LONGEST:
            return
    except FileNotFoundError:
        return
    with open(path, "rb") as file:
        kept = file.read()[-_LONGEST // 2 :].partition(b"\n")[2]
    beside = f"{path}.{os.getpid()}"
    with open(beside, "wb") as file:
        file.write(kept)
    os.replace(beside, path)


def read_refusals(reader: PlumbingReader) -> list[Refusal]:
    """Read the diary, oldest first; [] where there is none."""
    import json

    try:
        with open(os.path.join(reader.common_dir(), "hoard", _NAME), "rb") as file:
            raw = file.read(2 * _LONGEST)
    except OSError:
        return []
    found = []
    for line in raw.split(b"\n"):
        try:
            data = json.loads(line)
            codes = tuple((str(code), int(count)) for code, count in data["codes"].items())
            found.append(Refusal(int(data["time"]), str(data["hook"]), codes, tuple(map(str, data["paths"]))))
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
    return found
