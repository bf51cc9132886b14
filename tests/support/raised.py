"""Which errors of the code no test has met: run after the tests under coverage, as `python -m tests.support.raised`.

Every place that makes a HoardError, or one of its kinds, has to have been come by, but for a few guards, which are listed with their reasons.
Prints those that were not and exits 1 if there are any.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.support.environment import ROOT

GUARDS = {
    "hoard_git/app/trailers.py: would not read right with trailers": "what is written is read once more; no message is known that fails it",
}
"""Errors that only a fault of this program could make, by a piece of their text, and why they stand there. One that a test meets has no place here."""


class Raise(NamedTuple):
    """Where an error is made: the lines of the statement that does it, first and last."""

    first: int
    last: int


def kinds(sources: Mapping[str, str]) -> set[str]:
    """HoardError and every class of the code that is made from it, however far down."""
    found = {"HoardError"}
    classes = [node for text in sources.values() for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef)]
    while True:
        more = {node.name for node in classes if any(isinstance(base, ast.Name) and base.id in found for base in node.bases)}
        if more <= found:
            return found
        found |= more


def raises(text: str, names: Collection[str]) -> Iterator[Raise]:
    """Every statement of a module that makes an error of these classes, in order."""
    statements = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.stmt) and not hasattr(node, "body") and not hasattr(node, "cases")
    ]
    for statement in sorted(statements, key=lambda node: node.lineno):
        calls = (node.func for node in ast.walk(statement) if isinstance(node, ast.Call))
        if any(isinstance(called, ast.Name) and called.id in names for called in calls):
            yield Raise(statement.lineno, statement.end_lineno or statement.lineno)


def unmet(sources: Mapping[str, str], executed: Mapping[str, Collection[int]]) -> list[str]:
    """`path:line` of every error that no line run has made; `executed` are the lines of each file that were run."""
    names = kinds(sources)
    return [
        f"{path}:{place.first}"
        for path, text in sources.items()
        for place in raises(text, names)
        if not any(line in executed.get(path, ()) for line in range(place.first, place.last + 1))
    ]


def split_guards(sources: Mapping[str, str], missing: Collection[str]) -> tuple[list[str], list[str]]:
    """The unmet errors that are no guards, and the guards that were met or are not in the code any more."""
    found = {}
    for place in missing:
        path, _, number = place.rpartition(":")
        said = "\n".join(sources[path].split("\n")[int(number) - 1 : int(number) + 2])
        found[place] = next((guard for guard in GUARDS if guard.startswith(f"{path}: ") and guard.partition(": ")[2] in said), "")
    return [place for place, guard in found.items() if not guard], sorted(set(GUARDS) - set(found.values()))


def main() -> int:
    """Compare the code with what the last run under coverage has seen."""
    from coverage import Coverage

    coverage = Coverage()
    coverage.load()
    data = coverage.get_data()
    files = sorted((ROOT / "hoard_git").rglob("*.py"))
    sources = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files}
    executed = {Path(name).relative_to(ROOT).as_posix(): set(data.lines(name) or ()) for name in data.measured_files()}
    if not executed:
        print("There is no coverage data. Run the tests first: .ci/run coverage", file=sys.stderr)
        return 2
    names = kinds(sources)
    total = sum(1 for text in sources.values() for _place in raises(text, names))
    lacking, stale = split_guards(sources, unmet(sources, executed))
    for line in [*(f"{place}: no test meets this error" for place in lacking), *(f"{guard}: no guard any more" for guard in stale)]:
        print(line)
    print(f"{total} errors: {len(GUARDS)} are guards, {len(lacking)} are met by no test, all others by at least one")
    return 1 if lacking or stale else 0


if __name__ == "__main__":
    sys.exit(main())
