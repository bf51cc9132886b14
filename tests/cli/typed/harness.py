"""One hint, provoked, taken from the output and typed: the case, and what carries it out."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from hoard_git.cli.main import main
from tests.support.nextsteps import commands_in_hint
from tests.support.repo import Repo

TOP, BELOW, OUTSIDE = "top", "below", "outside"
"""Where the user is: at the top of the work tree, in its `memory/`, or in the directory around it, naming it with -C."""


class Case(NamedTuple):
    """One error and its hint.

    `first` is the command that fails, without its program; a path in it stands behind `@` as seen from the top. `hint` is the hint as the code has
    it, with `{}` for what is filled in. `spoil` makes the repository one that the command fails in; `mend` is what the message asks of a person
    before they type. `fill` says what a person puts for each placeholder. `shows` is what the commands of the hint together must print. With `works`
    the first command does its work afterwards; else the hint is there to show something. `only` are the commands to type, all by default, and `typing` what they read.
    """

    name: str
    first: str
    hint: str
    spoil: Callable[[Repo], object] | None = None
    mend: Callable[[Repo], object] | None = None
    fill: Mapping[str, str] = {}
    shows: str = ""
    works: bool = True
    only: tuple[int, ...] = ()
    statuses: tuple[int, ...] = (0,)
    template: str = "workspace"
    where: str = TOP
    typing: str = ""
    date: str = "2026-06-10"

    def everywhere(self) -> list[Case]:
        """The same case from the top, from outside and, where a path may be in the hint, from below."""
        return [self._replace(where=where) for where in (TOP, OUTSIDE, BELOW) if where != BELOW or "{}" in self.hint]


class Typist:
    """Runs `hoard` in this process and what a hint says through `sh`, both where the user of a case is."""

    def __init__(self, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], programs: Path) -> None:
        self._patch = patch
        self._capsys = capsys
        patch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")

    def carry_out(self, case: Case, repo: Repo) -> None:
        """Provoke the error, type its hint and see to it that it was the right one."""
        self._patch.setenv("HOARD_DATE", case.date)
        if case.spoil is not None:
            case.spoil(repo)
        here, words = _place(case, repo)
        status, said = self.hoard(here, words)
        assert status == 2, f"no error was met, but {status}: {said}"
        message, hint = _parts(said)
        if case.where == TOP:
            pattern = ".+?".join(re.escape(part) for part in case.hint.split("{}"))
            assert re.fullmatch(pattern, hint, re.DOTALL), f"another hint: {hint}"
        if case.mend is not None:
            case.mend(repo)
        self._type(case, hint, here, message)
        if case.works:
            status, said = self.hoard(here, words)
            assert status in (0, 1), f"{hint!r} did not help: {said}"

    def hoard(self, here: Path, words: list[str]) -> tuple[int, str]:
        """The exit status and everything that was printed."""
        self._patch.chdir(here)
        status = main(words)
        out, err = self._capsys.readouterr()
        return status, out + err

    def _type(self, case: Case, hint: str, here: Path, message: str) -> None:
        commands = list(commands_in_hint(hint))
        assert commands, f"nothing to type in: {hint}"
        printed = ""
        for at, command in enumerate(commands):
            if case.only and at not in case.only:
                continue
            filled = command
            for placeholder, value in case.fill.items():
                filled = filled.replace(placeholder, value)
            done = subprocess.run(
                ["sh", "-c", filled], cwd=here, input=case.typing, capture_output=True, text=True, check=False, timeout=300
            )
            said = done.stdout + done.stderr
            printed += said
            assert done.returncode in case.statuses, f"{filled!r} exited {done.returncode}: {said}"
            assert message not in said, f"{filled!r} leads back to the same error"
        assert case.shows in printed, f"typed {commands}: {printed}"


def _place(case: Case, repo: Repo) -> tuple[Path, list[str]]:
    """The directory of the user and the words of the first command there."""
    here = {TOP: repo.path, BELOW: repo.path / "memory", OUTSIDE: repo.path.parent}[case.where]
    if case.where == BELOW:
        here.mkdir(exist_ok=True)
    base = here if case.where == BELOW else repo.path
    words = [os.path.relpath(repo.path / word[1:], base) if word.startswith("@") else word for word in shlex.split(case.first)]
    return here, ["-C", repo.path.name, *words] if case.where == OUTSIDE else words


def _parts(said: str) -> tuple[str, str]:
    """The message and the hint of the last error in an output."""
    start = said.rindex("hoard: ")
    message, _, rest = said[start:].removeprefix("hoard: ").rstrip("\n").partition("\n  next: ")
    return message, "\n".join(line.removeprefix(" " * 8) for line in rest.split("\n"))
