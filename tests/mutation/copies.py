"""Copies of the project's files in which faults are planted, one at a time."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from tests.mutation.mutants import Mutant
from tests.support.environment import ROOT
from tests.support.house import repository_files

# Python takes compiled code for that of a source with the same size and the same second of change, so each content gets a second of its own.
_FIRST_SECOND = 1_600_000_000


def digest(*folders: str) -> str:
    """A digest of all files of the project below these folders."""
    whole = hashlib.sha256()
    for path in repository_files():
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(tuple(f"{folder}/" for folder in folders)):
            whole.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\0".encode())
    return whole.hexdigest()


@dataclass(frozen=True, slots=True)
class Copy:
    """The project's files in `tree`; `folder` around it is for what a run writes."""

    folder: Path
    tree: Path
    _seconds: Iterator[int] = field(default_factory=lambda: count(_FIRST_SECOND))

    @classmethod
    def make(cls, folder: Path) -> Copy:
        """Copy what belongs to the project, changes that are not committed among them; git's own directory stays away."""
        shutil.rmtree(folder, ignore_errors=True)
        copy = cls(folder, folder / "tree")
        for path in repository_files():
            target = copy.tree / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)
        return copy

    @contextmanager
    def holding(self, mutant: Mutant) -> Iterator[None]:
        """Plant a fault, and take it out again whatever happens."""
        path = self.tree / mutant.path
        text = path.read_text(encoding="utf-8")
        self._write(path, mutant.apply(text))
        try:
            yield
        finally:
            self._write(path, text)

    def _write(self, path: Path, text: str) -> None:
        path.write_text(text, encoding="utf-8", newline="\n")
        second = next(self._seconds)
        os.utime(path, (second, second))
