"""Real hooks that read through both readers, run by the commands that give a hook another index, git dir or object store."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from hoard_git.core.model import RepoPath
from tests.support.environment import ROOT
from tests.support.repo import Repo

PROGRAM = """\
import json, sys
sys.path.insert(0, {root!r})
from hoard_git.core.model import Oid
from hoard_git.gitio.opening import open_reader
from hoard_git.gitio.plumbing import PlumbingReader
from hoard_git.gitio.reader import INDEX

def text(reader, oids):
    return {{oid: data.decode() for oid, data in reader.blobs(oids).items()}}

said = []
for batch in (False, True):
    reader = open_reader(".", batch=batch)
    entry = {{"kind": type(reader).__name__, "root": reader.root(), "git_dir": reader.git_dir(), "author": reader.author().email}}
    if sys.argv[1] == "pre-receive":
        assert not batch or reader._repository.get(said[0]["line"][1]) is not None
        old, new, ref = sys.stdin.readline().split() if not said else said[0]["line"]
        entry["line"] = [old, new, ref]
        entry["commits"] = reader.rev_list([new], [], not_refs="refs/")
        entry["changes"] = [reader.changes(next(iter(reader.commit(o).parents), None), o) for o in entry["commits"]]
        entry["blobs"] = text(reader, [c[4] for part in entry["changes"] for c in part if c[4]])
        entry["words"] = reader.paths_with(new, [b"needle"], list(reader.tree(new)))
    else:
        head = reader.head()
        changes = reader.changes(head, INDEX)
        entry["head"], entry["changes"] = head, changes
        entry["staged"] = PlumbingReader().staged()
        entry["blobs"] = text(reader, [c[4] for c in changes if c[4]])
        entry["words"] = reader.paths_with(INDEX, [b"needle"], list(reader.tree(INDEX)))
    said.append(entry)
open({out!r}, "w").write(json.dumps(said))
"""


class Hooked:
    """A repository whose hook writes down what the readers told it."""

    def __init__(self, repo: Repo, out: Path) -> None:
        self.repo = repo
        self.out = out

    def install(self, git_dir: Path, name: str) -> None:
        program = self.out.with_suffix(".py")
        program.write_text(PROGRAM.format(root=str(ROOT), out=str(self.out)))
        hook = git_dir / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\nexec '{sys.executable}' '{program}' {name}\n")
        hook.chmod(0o755)

    def said(self) -> dict[str, Any]:
        """What the hook was told: both readers must have said the same."""
        plumbing, batch = json.loads(self.out.read_text())
        self.out.unlink()
        assert (plumbing.pop("kind"), batch.pop("kind")) == ("PlumbingReader", "LibgitReader")
        assert plumbing == batch
        assert isinstance(plumbing, dict)
        return plumbing

    def committed(self, repo: Repo, base: str | None = "HEAD^") -> dict[str, tuple[str | None, str | None]]:
        """Old and new text of every path that the last commit changed, as git shows it afterwards."""
        if base is None:
            names = repo.git("ls-tree", "-r", "-z", "--name-only", "HEAD").stdout.split(b"\0")[:-1]
        else:
            names = repo.git("diff-tree", "-r", "-z", "--name-only", "--no-renames", base, "HEAD").stdout.split(b"\0")[:-1]

        def at(revision: str | None, name: bytes) -> str | None:
            if revision is None:
                return None
            shown = repo.git("cat-file", "blob", f"{revision}:{name.decode()}", check=False)
            return shown.stdout.decode() if shown.returncode == 0 else None

        return {name.decode(): (at(base, name), at("HEAD", name)) for name in names}


def seen(said: dict[str, Any], repo: Repo) -> dict[str, tuple[str | None, str | None]]:
    def old(oid: str) -> str | None:
        return repo.git("cat-file", "blob", oid).stdout.decode() if oid else None

    return {path: (old(before), said["blobs"].get(after)) for path, _, before, _, after in said["changes"]}


@pytest.fixture
def hooked(repo: Repo, tmp_path: Path) -> Hooked:
    made = Hooked(repo, tmp_path / "said.json")
    repo.commit("one\n", {"MEMORY.md": "- one\n", "memory/a.md": "- a\n", "other.txt": "x\n"})
    made.install(repo.path / ".git", "pre-commit")
    return made


def test_a_first_commit(repo: Repo, tmp_path: Path) -> None:
    hooked = Hooked(repo, tmp_path / "said.json")
    hooked.install(repo.path / ".git", "pre-commit")
    repo.commit("one\n", {"MEMORY.md": "- needle\n"})
    said = hooked.said()
    assert said["head"] is None
    assert said["staged"][0] is None
    assert seen(said, repo) == hooked.committed(repo, None) == {"MEMORY.md": (None, "- needle\n")}
    assert said["words"] == ["MEMORY.md"]


def test_what_is_staged_counts_and_not_the_file(hooked: Hooked) -> None:
    repo = hooked.repo
    repo.stage({"MEMORY.md": "- needle\n"})
    repo.write("MEMORY.md", "- cleaned\n")
    repo.git("commit", "-q", "-m", "two")
    said = hooked.said()
    assert seen(said, repo) == hooked.committed(repo) == {"MEMORY.md": ("- one\n", "- needle\n")}
    assert said["words"] == ["MEMORY.md"]
    assert said["staged"] == [repo.head("HEAD^"), said["changes"]]


def test_commit_all(hooked: Hooked) -> None:
    repo = hooked.repo
    repo.stage({"MEMORY.md": "- clean\n"})
    repo.write("MEMORY.md", "- needle\n")
    repo.git("commit", "-q", "-a", "-m", "two")
    said = hooked.said()
    assert seen(said, repo) == hooked.committed(repo) == {"MEMORY.md": ("- one\n", "- needle\n")}
    assert said["words"] == ["MEMORY.md"]


def test_commit_of_one_path(hooked: Hooked) -> None:
    repo = hooked.repo
    repo.stage({"memory/a.md": "- other work\n"})
    repo.write("MEMORY.md", "- needle\n")
    repo.git("commit", "-q", "-m", "two", "MEMORY.md")
    said = hooked.said()
    assert seen(said, repo) == hooked.committed(repo) == {"MEMORY.md": ("- one\n", "- needle\n")}


def test_amend(hooked: Hooked) -> None:
    repo = hooked.repo
    first = repo.head()
    repo.commit("two\n", {"MEMORY.md": "- two\n"})
    hooked.said()
    second = repo.head()
    repo.stage({"memory/a.md": None})
    repo.git("commit", "-q", "--amend", "--no-edit")
    said = hooked.said()
    assert said["head"] == second
    assert seen(said, repo) == hooked.committed(repo, second) == {"memory/a.md": ("- a\n", None)}
    assert repo.head("HEAD^") == first


def test_a_linked_worktree(hooked: Hooked, tmp_path: Path) -> None:
    linked = Repo(tmp_path / "linked")
    hooked.repo.git("worktree", "add", "-q", "-b", "linked", linked.path)
    linked.write("MEMORY.md", "- needle\n")
    linked.git("commit", "-q", "-a", "-m", "two")
    said = hooked.said()
    assert said["root"] == str(linked.path)
    assert said["git_dir"] == str(hooked.repo.path / ".git/worktrees/linked")
    assert seen(said, linked) == hooked.committed(linked) == {"MEMORY.md": ("- one\n", "- needle\n")}


def test_from_a_folder_and_with_an_author(hooked: Hooked) -> None:
    repo = hooked.repo
    repo.write("memory/a.md", "- needle\n")
    repo.git("-C", "memory", "commit", "-q", "-a", "-m", "two", "--author=Grace <grace@example.org>")
    said = hooked.said()
    assert said["author"] == "grace@example.org"
    assert said["root"] == str(repo.path)
    assert seen(said, repo) == hooked.committed(repo) == {"memory/a.md": ("- a\n", "- needle\n")}


def test_an_exported_git_dir_and_index(hooked: Hooked, tmp_path: Path) -> None:
    repo = hooked.repo
    env = {"GIT_DIR": ".git", "GIT_WORK_TREE": ".", "GIT_INDEX_FILE": str(tmp_path / "own-index")}
    repo.git("read-tree", "HEAD", env=env)
    repo.write("MEMORY.md", "- needle\n")
    repo.git("add", "MEMORY.md", env=env)
    repo.git("commit", "-q", "-m", "two", env=env)
    said = hooked.said()
    assert said["root"] == str(repo.path)
    assert seen(said, repo) == hooked.committed(repo) == {"MEMORY.md": ("- one\n", "- needle\n")}


def test_the_end_of_a_conflicted_merge(hooked: Hooked) -> None:
    repo = hooked.repo
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side\n", {"MEMORY.md": "- side\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("main\n", {"MEMORY.md": "- main\n"})
    repo.git("merge", "side", check=False)
    repo.stage({"MEMORY.md": "- needle\n"})
    repo.git("commit", "-q", "--no-edit")
    assert seen(hooked.said(), repo) == {"MEMORY.md": ("- main\n", "- needle\n")}


@pytest.mark.parametrize("count", [1, 150])
def test_pre_receive_sees_what_is_in_quarantine(tmp_path: Path, count: int) -> None:
    """150 commits come as a pack, one as loose objects."""
    server, client = Repo.create(tmp_path / "server.git", "--bare"), Repo.create(tmp_path / "client")
    hooked = Hooked(server, tmp_path / "said.json")
    client.git("remote", "add", "origin", server.path)
    client.commit("zero\n", {"MEMORY.md": "- zero\n"})
    client.git("push", "-q", "origin", "main")
    hooked.install(server.path, "pre-receive")
    for number in range(count):
        client.commit(f"{number}\n", {"MEMORY.md": f"- needle {number}\n"})
    client.git("push", "-q", "origin", "main")
    said = hooked.said()
    assert said["git_dir"] == said["root"] == str(server.path)
    assert said["commits"] == client.line("rev-list", "--reverse", f"HEAD~{count}..HEAD").split()
    assert [part[0][0] for part in said["changes"]] == ["MEMORY.md"] * count
    assert sorted(said["blobs"].values()) == sorted(f"- needle {number}\n" for number in range(count))
    assert said["words"] == [RepoPath("MEMORY.md")]
