"""The builder that other tests stand on."""

from __future__ import annotations

import os
from pathlib import Path

import pygit2
import pytest

from tests.support.environment import is_dropped
from tests.support.repo import Repo, Workspace


def test_nothing_of_the_machine_is_seen(repo: Repo, hermetic: Path) -> None:
    assert os.environ["HOME"] == str(hermetic)
    assert [name for name in os.environ if is_dropped(name) and not name.startswith(("GIT_", "XDG_", "LC_"))] == []
    assert {name for name in os.environ if name.startswith("GIT_")} == {
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_EDITOR",
        "GIT_TERMINAL_PROMPT",
    }
    origins = {line.split("\t")[0] for line in repo.line("config", "--list", "--show-origin").splitlines()}
    assert origins == {f"file:{hermetic / '.gitconfig'}", "file:.git/config"}
    assert "user.name" not in pygit2.Repository(str(repo.path)).config


def test_a_workspace_starts_clean_and_as_the_human(workspace: Workspace) -> None:
    assert workspace.line("status", "--porcelain") == ""
    assert workspace.line("log", "--format=%an <%ae> %cn <%ce>") == "Ada Example <ada@example.org> Ada Example <ada@example.org>"
    assert workspace.line("diff-files", "--name-only") == ""
    assert workspace.line("symbolic-ref", "HEAD") == "refs/heads/main"


def test_commit_takes_only_the_files_it_is_given(workspace: Workspace) -> None:
    workspace.write("other.txt", "left alone")
    oid = workspace.commit("Note\n", {"memory/2026-06-06.md": b"# Day\r\n", "MEMORY.md": None}, author=workspace.agent)
    assert workspace.head() == oid
    assert workspace.line("log", "-1", "--format=%ae %ce") == "clawd@agents.example clawd@agents.example"
    assert workspace.line("show", "--format=", "--name-status", oid).splitlines() == ["D\tMEMORY.md", "A\tmemory/2026-06-06.md"]
    assert workspace.show(oid, "memory/2026-06-06.md") == b"# Day\r\n"
    assert workspace.line("status", "--porcelain") == "?? other.txt"
    assert workspace.message() == "Note\n"


@pytest.mark.parametrize("change", ["work tree", "run bit", "index", "ref", "head"])
def test_a_snapshot_sees_every_kind_of_change(workspace: Workspace, change: str) -> None:
    before = workspace.snapshot()
    assert workspace.snapshot() == before
    match change:
        case "work tree":
            workspace.write("new.md", "x")
        case "run bit":
            (workspace.path / "MEMORY.md").chmod(0o755)
        case "index":
            workspace.git("rm", "--cached", "-q", "MEMORY.md")
        case "ref":
            workspace.git("branch", "side")
        case _:
            workspace.git("checkout", "-q", "--detach")
    assert workspace.snapshot() != before


def test_a_failing_git_command_says_what_git_said(repo: Repo) -> None:
    with pytest.raises(AssertionError, match="Not a valid object name none"):
        repo.git("cat-file", "blob", "none")
    assert repo.git("cat-file", "-e", "none", check=False).returncode != 0
