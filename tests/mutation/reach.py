"""Which tests reach which line, and how long each takes: one run of the tests under coverage, with the test as its context."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from coverage import CoverageData

from tests.mutation.copies import Copy

TESTS = ("tests/core", "tests/lint", "tests/properties")
MUTATED = ("hoard_git/core", "hoard_git/lint")
_CONFIG = """\
[run]
data_file = {folder}/coverage
relative_files = true
source = {source}
"""


class BrokenRunError(Exception):
    """The tests do not pass, or cannot be run, before anything is changed."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Tests by module and line, and the seconds of every test."""

    lines: Mapping[str, Mapping[int, frozenset[str]]]
    seconds: Mapping[str, float]

    def of_line(self, path: str, numbers: Iterable[int]) -> frozenset[str]:
        """The tests that reach the first of these lines that any test reaches."""
        rows = self.lines.get(path, {})
        return next((rows[number] for number in numbers if rows.get(number)), frozenset())

    def of_module(self, path: str) -> frozenset[str]:
        """The tests that reach any line of a module."""
        return frozenset().union(*self.lines.get(path, {}).values())

    def of_own_file(self, path: str) -> frozenset[str]:
        """The tests of the file that is named after a module: what is computed when the module is imported is reached by no test."""
        return frozenset(test for test in self.seconds if _is_own(test, path))

    def choose(self, path: str, tests: Iterable[str], limit: float) -> list[str]:
        """The tests in the order to run them: those of the module's own file, then the quickest, until they took `limit` seconds together."""
        ordered = sorted(tests, key=lambda test: (not _is_own(test, path), self.seconds.get(test, 0.0), test))
        sums = accumulate(self.seconds.get(test, 0.0) for test in ordered)
        return [test for number, (test, total) in enumerate(zip(ordered, sums, strict=True)) if total <= limit or not number]


def _is_own(test: str, path: str) -> bool:
    """Whether a test is of the file named after a module, or after the code of a rule."""
    name = path.rpartition("/")[2].removesuffix(".py").partition("_" if "/rules/" in path else ".")[0]
    return f"/test_{name}" in test.partition("::")[0]


def environment(**more: str) -> dict[str, str]:
    """That of this process, without what would move a test run: colours, another configuration, bytecode that is not kept."""
    dropped = {"PYTHONDONTWRITEBYTECODE", "PYTEST_ADDOPTS", "PYTHONPATH", "COVERAGE_PROCESS_START"}
    return {name: value for name, value in os.environ.items() if name not in dropped} | more


def load_reach(folder: Path, state: str, processes: int) -> Reach:
    """What is reached in the state of the project that a digest names: as the folder remembers it, or measured. Raises BrokenRunError."""
    remembered = folder / "reach-of"
    if not remembered.exists() or remembered.read_text(encoding="utf-8") != state:
        remembered.unlink(missing_ok=True)
        copy = Copy.make(folder / "copy-coverage")
        _measure(copy.tree, folder, processes)
        remembered.write_text(state, encoding="utf-8")
    return _read(folder / "coverage", json.loads((folder / "seconds.json").read_text(encoding="utf-8")))


def _measure(tree: Path, folder: Path, processes: int) -> None:
    """Run the tests of a copy of the project once under coverage; `folder` is for the files of that run."""
    config, note = folder / "coveragerc", folder / "seconds.json"
    config.write_text(_CONFIG.format(folder=folder, source=",".join(MUTATED)), encoding="utf-8")
    (folder / "coverage").unlink(missing_ok=True)
    options = ["-q", "-x", "-n", str(processes), "-p", "no:randomly", "-p", "no:cacheprovider", "-p", "tests.mutation.plugin"]
    measured = [f"--cov-config={config}", "--cov", "--cov-report=", "--cov-context=test"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *measured, *TESTS],
        cwd=tree,
        env=environment(MUTATION_NOTE=str(note)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise BrokenRunError(done.stdout[-3000:] + done.stderr[-3000:])


def _read(file: Path, seconds: Mapping[str, float]) -> Reach:
    data = CoverageData(str(file))
    data.read()
    lines: dict[str, dict[int, frozenset[str]]] = {}
    for path in sorted(data.measured_files()):
        rows = {number: {sys.intern(name.rpartition("|")[0]) for name in names} for number, names in data.contexts_by_lineno(path).items()}
        lines[path] = {number: frozenset(names - {""}) for number, names in rows.items()}
    if not any(lines.values()):
        message = "coverage saw no line of any module."
        raise BrokenRunError(message)
    return Reach(lines, seconds)
