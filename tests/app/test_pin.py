"""The pinned root in `check --range`, pre-push and pre-receive (HG307)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.hooks.server import Server, make_server, note, push
from tests.support.environment import AGENT, HUMAN, identity
from tests.support.repo import MEMORY, POLICY, Repo, Workspace, run_hoard

AS_AGENT, AS_HUMAN = identity(AGENT), identity(HUMAN)


def check(repo: Repo, revisions: str, root: str = "") -> tuple[int, list[str], str]:
    """Exit status, codes of errors, and what was said on stderr."""
    done = run_hoard("check", "--json", "--range", revisions, cwd=repo, env={"HOARD_ROOT": root, "HOARD_DATE": "2026-06-10"})
    found = json.loads(done.stdout)["findings"] if done.stdout else []
    return done.returncode, sorted({one["code"] for one in found if one["severity"] == "error"}), done.stderr.decode()


def other_history(repo: Repo, branch: str = "other") -> str:
    repo.git("checkout", "-q", "--orphan", branch)
    return repo.commit("Another beginning\n", {".hoard.yaml": POLICY, "MEMORY.md": MEMORY})


def test_a_range_that_comes_from_the_root(workspace: Workspace) -> None:
    root = workspace.head()
    workspace.commit("More\n", {"a": "b\n"})
    assert check(workspace, "HEAD", root)[:2] == (0, [])
    assert check(workspace, "HEAD^..HEAD", root)[:2] == (0, [])


def test_another_history(workspace: Workspace) -> None:
    root = workspace.head()
    other_history(workspace)
    assert check(workspace, "other")[:2] == (0, [])
    status, codes, _said = check(workspace, "other", root)
    assert (status, codes) == (1, ["HG307"])


@pytest.mark.parametrize("ours", [True, False])
def test_another_root_that_takes_the_right_one_in(workspace: Workspace, ours: bool) -> None:
    root = workspace.head()
    other = other_history(workspace)
    first, second = (root, other) if ours else (other, root)
    workspace.git("checkout", "-q", "--detach", first)
    workspace.git("merge", "-q", "-s", "ours", "--allow-unrelated-histories", "--no-edit", second)
    assert check(workspace, "HEAD", root)[:2] == (1, ["HG307"])


def test_a_pin_that_cannot_be_looked_at(workspace: Workspace) -> None:
    status, codes, said = check(workspace, "HEAD", "4" * 40)
    assert (status, codes) == (2, [])
    assert "is not in this repository" in said
    assert check(workspace, "HEAD", "HEAD")[0] == 2
    workspace.git("config", "hoard.root", workspace.head())
    assert check(workspace, "HEAD", "4" * 40)[0] == 2


@pytest.fixture
def server(workspace: Workspace, tmp_path: Path) -> Server:
    made = make_server(workspace, tmp_path / "server.git")
    made.git("config", "hoard.root", workspace.head())
    return made


def test_the_server_takes_what_comes_from_its_root(workspace: Workspace, server: Server) -> None:
    workspace.commit("Write\n", {"MEMORY.md": MEMORY + note(1)}, env=AS_AGENT)
    status, said = push(workspace)
    assert status == 0, said
    assert server.head("main") == workspace.head()


def test_the_server_refuses_another_history_and_takes_pages_without_memory(workspace: Workspace, server: Server) -> None:
    other_history(workspace)
    before = server.refs()
    status, said = push(workspace, "other")
    assert status != 0
    assert "HG307" in said and "does not contain the pinned root" in said
    assert server.refs() == before
    workspace.git("checkout", "-q", "--orphan", "pages")
    workspace.git("rm", "-rfq", ".")
    workspace.commit("Pages\n", {"index.html": "<p>\n"})
    status, said = push(workspace, "pages")
    assert status == 0, said


def test_the_server_refuses_everything_when_its_pin_cannot_be_looked_at(workspace: Workspace, server: Server) -> None:
    server.git("config", "hoard.root", "4" * 40)
    workspace.commit("Write\n", {"MEMORY.md": MEMORY + note(1)}, env=AS_AGENT)
    status, said = push(workspace)
    assert status != 0
    assert "is not in this repository" in said


def test_an_empty_server_with_a_pin_takes_the_right_first_push(workspace: Workspace, tmp_path: Path) -> None:
    root = workspace.head()
    other = other_history(workspace)
    server = Server.create(tmp_path / "empty.git", "--bare", "-b", "main")
    server.install()
    server.git("config", "hoard.root", root)
    workspace.git("remote", "add", "origin", server.path)
    status, said = push(workspace, f"{other}:refs/heads/main")
    assert status != 0
    assert "is not in this repository" in said
    status, said = push(workspace, f"{root}:refs/heads/main")
    assert status == 0, said


def test_a_bare_repository_is_verified_too(workspace: Workspace, server: Server, tmp_path: Path) -> None:
    done = run_hoard("verify", "main", "--witness", tmp_path / "w", cwd=server)
    assert done.returncode == 0, done.stderr
    assert f"root {workspace.head()[:12]}, pinned by git's hoard.root" in done.stdout.decode()
    assert run_hoard("verify", "--witness", "inside", cwd=server).returncode == 2


def test_a_push_that_brings_mode_warn_cannot_soften_the_pin(workspace: Workspace, tmp_path: Path) -> None:
    """The server is empty, so the pushed policy is the one in force; the history has the root in it, and a beginning of its own as well."""
    root = workspace.head()
    workspace.git("checkout", "-q", "--orphan", "other")
    other = workspace.commit("Another beginning\n", {".hoard.yaml": POLICY.replace("enforce", "warn"), "MEMORY.md": MEMORY})
    workspace.git("merge", "-q", "-s", "ours", "--allow-unrelated-histories", "--no-edit", root)
    server = Server.create(tmp_path / "empty.git", "--bare", "-b", "main")
    server.install()
    server.git("config", "hoard.root", root)
    workspace.git("remote", "add", "origin", server.path)
    status, said = push(workspace, "HEAD:refs/heads/main")
    assert status != 0
    assert f"{other[:12]} .hoard.yaml: HG307 brings a policy that does not come from the pinned root" in said
    assert server.refs() == {}
