"""What somebody reads who has typed `hoard` for the first time, or something that is not quite right."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.repo import Repo, Workspace, run_hoard


def test_hoard_alone_where_no_workspace_is_ends_with_how_to_begin(repo: Repo, tmp_path: Path) -> None:
    for place in (repo.path, tmp_path):
        done = run_hoard(cwd=place)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.decode().splitlines()[-2:] == [
            "This is no workspace yet. Make or adopt one: hoard init",
            "See it work first: hoard tour    Explain a command: hoard help init",
        ]


def test_a_missing_choice_is_told_in_one_line(workspace: Workspace) -> None:
    done = run_hoard("add", "x", cwd=workspace)
    assert done.returncode == 2
    said = done.stderr.decode().splitlines()
    assert said == ["hoard: Missing option '--src'. Choose from: user, agent, tool, web, dig", "  next: hoard add --help"]


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["chek"], "Did you mean: hoard check"),
        (["help", "chek"], "Did you mean: hoard check"),
        (["help", "hooks", "instal"], "Did you mean: hoard hooks install"),
        (["help", "zzz"], "hoard --help"),
        (["help", "add", "x"], "hoard add --help"),
    ],
)
def test_a_typing_slip(workspace: Workspace, words: list[str], hint: str) -> None:
    done = run_hoard(*words, cwd=workspace)
    assert done.returncode == 2
    assert done.stderr.decode().endswith(f"\n  next: {hint}\n")


@pytest.mark.parametrize("command", ["status", "log", "rule"])
def test_a_day_that_is_none_stops_every_command(workspace: Workspace, command: str) -> None:
    for words in (("--date", "2026-13-01", command), (command, "--date", "2026-13-01")):
        done = run_hoard(*words, cwd=workspace)
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.startswith(b"hoard: '2026-13-01' is not a date.")


def test_the_table_of_rules_fits_a_terminal_and_stays_one_line_a_rule_in_a_pipe(tmp_path: Path) -> None:
    piped = run_hoard("rule", cwd=tmp_path).stdout.decode()
    assert piped.count("\n") == piped.count("\nHG") + 1
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "hoard_git", "rule"], cwd=tmp_path, stdout=theirs, env={**os.environ, "COLUMNS": "80"}
    ) as program:
        os.close(theirs)
        shown = b""
        try:
            while data := os.read(ours, 65536):
                shown += data
        except OSError:  # the other end is closed
            pass
        assert program.wait(30) == 0
    os.close(ours)
    lines = shown.decode().replace("\r\n", "\n").splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(line.startswith("HG") for line in lines) == piped.count("\n")
