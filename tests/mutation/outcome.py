"""What became of the mutants: kept between runs, counted, and written into docs/explanation/proof.md."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mutation.mutants import KINDS, Mutant
from tests.support.environment import ROOT
from tests.support.pages import put_between

PAGE = ROOT / "docs/explanation/proof.md"
REASONS = ROOT / "tests/mutation/survivors.toml"
_CAUGHT = ("failed", "timed out")


@dataclass(frozen=True, slots=True)
class Found:
    """A mutant and its outcome: 'failed', 'timed out', 'survived' or 'unreached'."""

    mutant: Mutant
    outcome: str

    @property
    def passed_by(self) -> bool:
        return self.outcome not in _CAUGHT


def read_reasons() -> dict[str, str]:
    """Why survivors are no gap, by the key of the mutant."""
    return {str(key): str(why) for key, why in tomllib.loads(REASONS.read_text(encoding="utf-8")).items()}


class Memory:
    """What a folder remembers of earlier runs, in `found.jsonl`.

    `state` is a digest of code and tests. Who was caught, or is explained, stays so while its module is the same; who else passed, while nothing
    has changed.
    """

    def __init__(self, folder: Path, state: str) -> None:
        self.file = folder / "found.jsonl"
        self.state = state

    def known(self, reasons: Container[str]) -> dict[str, str]:
        """Outcomes that still hold, by the key of the mutant; `reasons` has the keys that are explained."""
        if not self.file.exists():
            return {}
        rows = [json.loads(line) for line in self.file.read_text(encoding="utf-8").splitlines()]
        now = {path: _module(path) for path in {row["path"] for row in rows} if (ROOT / path).exists()}
        same = [row for row in rows if now.get(row["path"]) == row["module"]]
        settled = [row for row in same if row["outcome"] in _CAUGHT or row["key"] in reasons or row["state"] == self.state]
        return {row["key"]: row["outcome"] for row in settled}

    def add(self, found: Found) -> None:
        mutant = found.mutant
        row = {"key": mutant.key, "path": mutant.path, "module": _module(mutant.path), "state": self.state, "outcome": found.outcome}
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


def _module(path: str) -> str:
    return hashlib.sha256((ROOT / path).read_bytes()).hexdigest()


def summary(found: Sequence[Found], reasons: Mapping[str, str], total: int, seed: int) -> str:
    """The figures as markdown: one row a layer and a kind of fault."""
    rows = [
        f"{len(found)} of {total:,} mutants, seed {seed}.",
        "",
        "| | mutants | a test failed | no end | survived | of them no gap | caught |",
        "|---|---|---|---|---|---|---|",
    ]
    groups = [("core", "hoard_git/core/"), ("lint", "hoard_git/lint/")]
    rows += [_row(name, [one for one in found if one.mutant.path.startswith(under)], reasons) for name, under in groups]
    rows += [_row(kind, [one for one in found if one.mutant.kind == kind], reasons) for kind in KINDS]
    rows.append(_row("all", found, reasons))
    return "\n".join(rows) + "\n"


def _row(name: str, found: Sequence[Found], reasons: Mapping[str, str]) -> str:
    said = Counter(one.outcome for one in found)
    passed = [one for one in found if one.passed_by]
    excused = sum(one.mutant.key in reasons for one in passed)
    real = len(found) - excused
    share = f"{(len(found) - len(passed)) / real:.1%}".replace("%", " %") if real else "–"
    return f"| {name} | {len(found)} | {said['failed']} | {said['timed out']} | {len(passed)} | {excused} | {share} |"


def survivors(found: Sequence[Found], reasons: Mapping[str, str]) -> Iterator[str]:
    """One list item a survivor: place, change, why."""
    for one in found:
        if one.passed_by:
            why = reasons.get(one.mutant.key, "not reached by any test" if one.outcome == "unreached" else "a gap")
            place = f"{one.mutant.path}:{one.mutant.start[0]}"
            yield f"- `{place}` {one.mutant.function}: {_code(one.mutant.before)} → {_code(one.mutant.after)}: {why}"


def _code(text: str) -> str:
    """A code span, long ones cut in the middle."""
    short = text if len(text) <= 120 else f"{text[:70]} … {text[-40:]}"
    return f"`` {short} ``" if "`" in short else f"`{short}`"


def write_page(found: Sequence[Found], reasons: Mapping[str, str], total: int, seed: int) -> None:
    """Put figures and survivors between the marks of the page."""
    listed = "\n".join(survivors(found, reasons)) or "None."
    text = PAGE.read_text(encoding="utf-8")
    text = put_between(text, "mutants", summary(found, reasons, total, seed))
    PAGE.write_text(put_between(text, "survivors", listed + "\n"), encoding="utf-8", newline="\n")
