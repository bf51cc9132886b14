"""`hoard purge` as a user runs it; where git-filter-repo is installed, its plan is carried out."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import pytest

from hoard_git.core.secrets import fingerprint
from tests.support.repo import POLICY, Repo, Workspace, run, run_hoard

VALUE = "tR7#mQ2v-" + "Lx9pWz"
LINE = f"- The database password is {VALUE} <!-- src:user ts:2026-06-01 -->\n"
MARK = fingerprint(VALUE, "pepper")


def leaky(workspace: Workspace) -> Workspace:
    workspace.policy(POLICY + 'secrets: {salt: "pepper"}\n')
    workspace.commit("Leak\n", {"memory/a.md": LINE, "memory/l.md.gz": gzip.compress(LINE.encode())})
    workspace.commit(f"Drop {VALUE}\n", {"memory/a.md": "- gone <!-- src:user ts:2026-06-01 -->\n", "memory/l.md.gz": None})
    workspace.git("tag", "-a", "v1", "-m", f"with {VALUE}")
    return workspace


def test_the_plan_never_shows_the_value(workspace: Workspace) -> None:
    leaky(workspace)
    state = workspace.snapshot()
    for wanted, words in ((MARK, b""), (VALUE, b""), ("-", VALUE.encode() + b"\n")):
        done = run_hoard("purge", "--plan", wanted, cwd=workspace, input=words)
        assert done.returncode == 0
        assert VALUE.encode() not in done.stdout + done.stderr
        assert b"Rotate the value first" in done.stdout and b"does not clean history" in done.stdout
        assert (b"shell's history" in done.stderr) == (wanted == VALUE)
    assert workspace.snapshot() == state


def test_json(workspace: Workspace) -> None:
    done = run_hoard("purge", "--plan", MARK, "--json", cwd=leaky(workspace))
    data = json.loads(done.stdout)
    assert (data["schema"], data["found"], data["in_place"], data["files"]) == (1, True, True, ["replacements.txt", "blobs.txt"])
    assert {place["path"]: place["current"] for place in data["paths"]} == {"memory/a.md": False, "memory/l.md.gz": False}
    assert data["tags"] == ["refs/tags/v1"]
    assert data["people"] == [{"name": "Ada Example", "email": "ada@example.org"}]
    assert VALUE not in done.stdout.decode()


def test_nothing_found_and_wrong_words(workspace: Workspace) -> None:
    done = run_hoard("purge", "--plan", "no such value", cwd=workspace)
    assert (done.returncode, done.stdout[:13]) == (0, b"Nothing found")
    assert json.loads(run_hoard("purge", "--plan", "no such value", "--json", cwd=workspace).stdout)["found"] is False
    done = run_hoard("purge", "--plan", "abc", cwd=workspace)
    assert (done.returncode, b"too short" in done.stderr) == (2, True)
    assert run_hoard("purge", cwd=workspace).returncode == 2
    workspace.git("branch", "b-zebra-99-b")
    done = run_hoard("purge", "--plan", "zebra-99", cwd=workspace)
    assert (done.returncode, b"branch or tag" in done.stderr, b"zebra-99" in done.stdout + done.stderr) == (2, True, False)
    workspace.write("memory/new.md", LINE)
    done = run_hoard("purge", "--plan", VALUE, cwd=workspace)
    assert (done.returncode, b"Only files of the work tree" in done.stderr) == (2, True)


needs_filter_repo = pytest.mark.skipif(shutil.which("git-filter-repo") is None, reason="git-filter-repo is not installed")


def carry_out(workspace: Workspace, programs: Path, new: Path, server: Path | None = None) -> list[str]:
    """Run every command of the plan, and return them."""
    data = json.loads(run_hoard("purge", "--plan", MARK, "--json", cwd=workspace).stdout)
    commands = [step["command"] for step in data["steps"] if step["command"]]
    for command in commands:
        if "NEW-CLONE" in command:
            run(["git", "clone", "-q", "--no-local", str(server), str(new)], cwd=workspace)
        done = run(["bash", "-c", f'PATH="{programs}:$PATH"; {command.replace("NEW-CLONE", str(new))}'], cwd=workspace)
        assert done.returncode == 0, (command, done.stdout, done.stderr)
    return commands


def holds(repo: Repo) -> bool:
    return VALUE.encode() in repo.git("cat-file", "--batch-all-objects", "--batch").stdout


@needs_filter_repo
def test_the_plan_in_place_really_cleans(workspace: Workspace, programs: Path, tmp_path: Path) -> None:
    leaky(workspace)
    assert holds(workspace)
    carry_out(workspace, programs, tmp_path / "new")
    assert not holds(workspace)
    assert workspace.show("HEAD~2", "memory/a.md") == LINE.replace(VALUE, "[removed]").encode()
    assert workspace.message("HEAD~1") == "Drop [removed]\n"
    assert not list(Path(workspace.path, ".git/hoard").glob("purge-*"))
    assert b"taken out of the history" in workspace.read_bytes("MEMORY.md")


@needs_filter_repo
def test_the_plan_with_a_server_really_cleans(workspace: Workspace, programs: Path, tmp_path: Path) -> None:
    leaky(workspace)
    run(["git", "init", "-q", "--bare", "-b", "main", str(tmp_path / "server.git")], cwd=tmp_path)
    workspace.git("remote", "add", "origin", str(tmp_path / "server.git"))
    workspace.git("push", "-q", "origin", "main", "v1")
    commands = carry_out(workspace, programs, tmp_path / "new", tmp_path / "server.git")
    server = Repo(tmp_path / "server.git")
    assert any("clone --mirror" in command for command in commands)
    assert not holds(Repo(tmp_path / "new"))
    server.git("gc", "-q", "--prune=now")
    assert not holds(server)
