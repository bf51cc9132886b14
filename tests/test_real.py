"""The program that runs over real workspaces: what it takes for a broken promise, and a run over one that is made here."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.real.pages import page
from tests.real.promises import broken_promises, only_tags_added, width
from tests.real.records import Result, Step
from tests.support.environment import ROOT
from tests.support.repo import Repo, run

TAG = b"<!-- src:agent ts:2026-05-01 ev:memory/a.md:1-2 -->"


def step(name: str = "log", out: str = "", err: str = "", *, status: int = 0, seconds: float = 0.1, megabytes: float = 30) -> Step:
    return Step(name, (name,), status, seconds, megabytes, out, err)


@pytest.mark.parametrize(
    ("before", "after", "fine"),
    [
        (b"- a\n- b\n", b"- a " + TAG + b"\n- b\n", True),
        (b"# T\r\n\r\n- a  \r\n", b"# T  " + TAG + b"\r\n\r\n- a  \r\n", True),
        (b"| a |\n|---|\n", TAG + b"\n| a |\n|---|\n", True),
        (b"- a\n", b"- a\n", True),
        (b"- a\n- b\n", b"- a " + TAG + b"\n", False),
        (b"- a\n", b"- A " + TAG + b"\n", False),
        (b"- a\n", b"- a <!-- a note -->\n", False),
        (b"- a\n", b"\n- a " + TAG + b"\n", False),
    ],
)
def test_only_tags_count_as_only_tags(before: bytes, after: bytes, fine: bool) -> None:
    assert only_tags_added(before, after) is fine


@pytest.mark.parametrize(
    ("ran", "said"),
    [
        (step(status=3), "log: exit 3"),
        (step(err="Traceback (most recent call last)"), "log: a traceback"),
        (step(status=2, err="hoard: No."), "log: exit 2 without a next command"),
        (step(seconds=10.4), "log: 10.4 s"),
        (step(megabytes=301), "log: 301 MB"),
        (step(out="a\x1b[31m"), "log: a control character in what it prints"),
        (step(out="a\u202eb"), "log: a control character in what it prints"),
        (step(out="x" * 81 + "\n"), "log: 1 lines wider than 80 columns"),
        (step(out="\u732b" * 41 + "\n"), "log: 1 lines wider than 80 columns"),
    ],
)
def test_a_broken_promise_is_told(ran: Step, said: str) -> None:
    assert broken_promises([ran]) == [said]


def test_kept_promises_are_not_told() -> None:
    fine = [
        step(status=2, err="hoard: No.\n  next: hoard log"),
        step("check", "x" * 200),
        step("get", "a\r\nb"),
        step(out="\u732b" * 40),
        step("doctor", f"    -> {'x' * 80}"),
    ]
    assert broken_promises(fine) == []
    assert [width(text) for text in ("abc", "\u732b", "e\u0301", "a\u200db")] == [3, 2, 1, 2]


def test_the_page_holds_counts_alone() -> None:
    ran = [step("check", "MEMORY.md:3:1: HG201 a secret", status=1, seconds=1.25), step("why", status=2)]
    result = Result("ann/workspace", 5, 4, 33, 2, {"error": 1, "warn": 2, "info": 3}, {}, ran, ["log: 12.0 s"])
    text = page([result], "2026-06-15")
    assert "| ann/workspace | 5 | 4 | 33 | 2 | 1 / 2 / 3 | \u2013 | `check` 1.2 | 1 | 30 | 1 | 1 |" in text
    assert "| `why` | 0.1 | 0.1 | 30 | 2 (1) |" in text
    assert "- ann/workspace: log: 12.0 s" in text
    assert "a secret" not in text


@pytest.mark.slow
def test_a_run_over_a_workspace(repo: Repo, tmp_path: Path) -> None:
    log = "# 2026-05-02\n\n- looked at the wiki, which was slow again today\n"
    repo.commit("Memory\n", {"MEMORY.md": "# Memory\n\n- Node-2 serves the wiki since 2026-05-01\n", "memory/2026-05-02.md": log})
    folder = tmp_path / "clones"
    folder.mkdir()
    before = repo.snapshot()
    run(["git", "clone", "-q", repo.path, folder / "ann+workspace"], cwd=tmp_path)
    (folder / "no-clone").mkdir()
    written, kept = tmp_path / "page.md", tmp_path / "kept"

    done = run(
        [sys.executable, ROOT / "tests/real/run.py", folder, "--page", written, "--keep", kept, "--date", "2026-06-15"], cwd=tmp_path
    )

    assert (done.returncode, done.stderr) == (0, b""), done.stdout + done.stderr
    assert done.stdout.startswith(b"ann/workspace: 1 commits, 3 files, 2 entries, 1 tags; slowest ")
    assert "| ann/workspace | 1 | 3 | 2 | 1 | 0 / 0 / " in written.read_text(encoding="utf-8")
    assert "Nothing: every promise above held in every workspace." in written.read_text(encoding="utf-8")
    assert len(list((kept / "ann+workspace").glob("*-why.out"))) == 1
    assert repo.snapshot() == before
    assert (folder / "ann+workspace/MEMORY.md").read_text(encoding="utf-8").count("<!--") == 0


def test_a_folder_without_clones_is_told(tmp_path: Path) -> None:
    done = run([sys.executable, ROOT / "tests/real/run.py", tmp_path], cwd=tmp_path)
    assert done.returncode == 2
    assert b"holds no git clones" in done.stderr
