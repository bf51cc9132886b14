"""What every command says in a repository without files, and in one without commits: no dead end, and nothing that git said."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support.repo import Repo, Workspace, run_hoard

NEED_FILES = (
    ("status",), ("doctor",), ("check",), ("report",), ("context",), ("tag",), ("tiers",), ("init",), ("ui", "--no-open"),
    ("add", "x", "--src", "agent"), ("commit",), ("hooks", "install"),
)  # fmt: skip


@pytest.fixture
def bare(tmp_path: Path) -> Repo:
    return Repo.create(tmp_path / "b a.git", "--bare")


@pytest.mark.parametrize("command", NEED_FILES)
def test_a_bare_repository_names_the_way_to_files(bare: Repo, command: tuple[str, ...]) -> None:
    done = run_hoard(*command, cwd=bare)

    said = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b"")
    assert said.startswith("hoard: This repository is bare: it has no files, and a workspace needs some.\n  next: git clone '")
    assert said.endswith("to guard what is pushed here: hoard hooks install --server\n")
    assert not (bare.path / "hooks").exists()


def test_the_way_leads_to_a_workspace(bare: Repo) -> None:
    hint = run_hoard("init", cwd=bare).stderr.decode().partition("next: ")[2].splitlines()[0]
    clone, there, last = hint.split(" && ")
    assert (there, last) == ("cd ../workspace", "hoard init")
    subprocess.run(["sh", "-c", clone], cwd=bare.path, check=True, capture_output=True)
    assert run_hoard("init", cwd=bare.path.parent / "workspace").returncode == 0


def test_inside_of_the_git_directory(repo: Repo) -> None:
    done = run_hoard("status", cwd=repo.path / ".git")
    assert (done.returncode, done.stdout) == (2, b"")
    assert (
        done.stderr.decode()
        == f"hoard: This is the inside of a repository, where its files are not.\n  next: cd {repo.path} && hoard status\n"
    )


@pytest.mark.parametrize(
    "command", [("log",), ("verify",), ("check", "--range", "HEAD"), ("consolidate",), ("trailers",), ("check", "--commit", "HEAD~1")]
)
def test_without_a_commit_the_next_command_makes_one(repo: Repo, command: tuple[str, ...]) -> None:
    done = run_hoard(*command, cwd=repo)
    assert done.returncode == 2
    assert "There is no commit yet" in done.stderr.decode()
    assert done.stderr.decode().endswith("  next: hoard init\n")


def test_a_range_is_judged_and_its_report_written_beside(workspace: Workspace, tmp_path: Path) -> None:
    workspace.git("clone", "-q", "--bare", workspace.path, tmp_path / "b.git")
    bare = tmp_path / "b.git"
    done = run_hoard("check", "--range", "HEAD", "--report", f"sarif={tmp_path / 'a.sarif'}", cwd=bare)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.sarif").read_text(encoding="utf-8").startswith("{")
    assert run_hoard("check", "--range", "HEAD", "--report", "sarif=packed-refs", cwd=bare).returncode == 2
