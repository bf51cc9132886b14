"""Repositories of every kind that git can make and this tool may meet, each with some history and something staged."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.support.repo import Repo


@dataclass(frozen=True)
class Shape:
    """`path` is where a reader is opened; `repo` runs git there. `intents` are paths with intent-to-add entries."""

    name: str
    path: Path
    intents: frozenset[str] = frozenset()

    @property
    def repo(self) -> Repo:
        return Repo(self.path)

    @property
    def born(self) -> bool:
        return self.repo.git("rev-parse", "-q", "--verify", "HEAD", check=False).returncode == 0


FIRST: dict[str, str | bytes | None] = {
    "MEMORY.md": "# Memory\n\n- one\n",
    "memory/a.md": "- a\n",
    "memory/deep/er/b.md": "- b\n",
    "empty.md": b"",
    "run.sh": "#!/bin/sh\n",
}
STAGED: dict[str, str | bytes | None] = {"MEMORY.md": "# Memory\n\n- one\n- staged\n", "memory/a.md": None, "new.md": "- new\n"}


def _history(repo: Repo) -> None:
    repo.commit("first\n\nbody\n", FIRST)
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side\n", {"memory/side.md": "- side\n"})
    repo.git("checkout", "-q", "main")
    (repo.path / "run.sh").chmod(0o755)
    repo.commit("second\n", {"MEMORY.md": "# Memory\n\n- one\n- two\n", "run.sh": "#!/bin/sh\n"})
    repo.git("merge", "-q", "--no-edit", "side")
    repo.commit("last\n", {"memory/a.md": "- a\n- needle\n"})


def _plain(path: Path, *options: str) -> Repo:
    repo = Repo.create(path, *options)
    _history(repo)
    repo.stage(STAGED)
    return repo


def _unborn(path: Path) -> Shape:
    repo = Repo.create(path)
    repo.stage({"MEMORY.md": "- first\n", "empty.md": b""})
    return Shape("", path)


def _detached(path: Path) -> Shape:
    repo = _plain(path)
    repo.git("checkout", "-q", "--detach")
    return Shape("", path)


def _linked(path: Path) -> Shape:
    repo = Repo.create(path / "main")
    _history(repo)
    repo.git("worktree", "add", "-q", "-b", "linked", path / "linked")
    Repo(path / "linked").stage(STAGED)
    return Shape("", path / "linked")


def _bare(path: Path) -> Shape:
    _history(Repo.create(path / "source"))
    Repo(path).git("clone", "-q", "--bare", path / "source", path / "bare.git")
    return Shape("", path / "bare.git")


def _sparse_index(path: Path) -> Shape:
    repo = Repo.create(path)
    _history(repo)
    repo.git("sparse-checkout", "init", "--cone", "--sparse-index")
    repo.stage({"MEMORY.md": "- staged\n"})
    assert repo.git("ls-files", "--sparse").stdout.count(b"memory/\n") == 1
    return Shape("", path)


def _split_index(path: Path) -> Shape:
    repo = Repo.create(path)
    _history(repo)
    repo.git("update-index", "--split-index")
    repo.stage(STAGED)
    return Shape("", path)


def _index_v4(path: Path) -> Shape:
    repo = _plain(path)
    repo.git("update-index", "--index-version", "4")
    return Shape("", path)


def _shallow(path: Path) -> Shape:
    _history(Repo.create(path / "source"))
    Repo(path).git("clone", "-q", "--depth=1", f"file://{path}/source", path / "clone")
    Repo(path / "clone").stage(STAGED)
    return Shape("", path / "clone")


def _partial(path: Path) -> Shape:
    source = Repo.create(path / "source")
    _history(source)
    source.git("config", "uploadpack.allowFilter", "true")
    source.git("config", "uploadpack.allowAnySHA1InWant", "true")
    Repo(path).git("clone", "-q", "--filter=blob:none", f"file://{path}/source", path / "clone")
    Repo(path / "clone").stage(STAGED)
    return Shape("", path / "clone")


def _partial_v1(path: Path) -> Shape:
    shape = _partial(path)
    shape.repo.git("config", "core.repositoryFormatVersion", "1")
    shape.repo.git("config", "extensions.partialClone", "origin")
    return shape


def _names(path: Path) -> Shape:
    repo = Repo.create(path)
    names = [
        "memory/naïve ü.md",
        "memory/with space.md",
        "memory/tab\there.md",
        "memory/line\nbreak.md",
        'memory/"quoted".md',
        "memory/:(glob)*.md",
    ]
    repo.commit("first\n", dict.fromkeys(names, "- old\n"))
    for name in (":(top)odd.md", "memory/[a].md", "memory/a.md"):  # a pathspec of another meaning
        repo.write(name, f"- needle in {name}\n")
    (repo.path / os.fsdecode(b"memory/bad-\xff\xfe.md")).write_bytes(b"- needle\n")
    repo.stage({name: f"- needle {number}\n" for number, name in enumerate(names)})
    repo.git("add", "-A")
    return Shape("", path)


def _gitlink(path: Path) -> Shape:
    """With `ignore = all`, which hides a changed submodule from every diff command that is not told otherwise."""
    repo = Repo.create(path)
    oids = [repo.commit(f"{n}\n", {"MEMORY.md": f"- {n}\n"}) for n in range(2)]
    modules = '[submodule "memory/sub"]\n\tpath = memory/sub\n\turl = ./elsewhere\n\tignore = all\n'
    repo.stage({".gitmodules": modules})
    for oid in oids:
        repo.git("update-index", "--add", "--cacheinfo", f"160000,{oid},memory/sub")
        repo.commit("link\n")
    repo.git("update-index", "--cacheinfo", f"160000,{oids[0]},memory/sub")
    repo.git("config", "diff.ignoreSubmodules", "all")
    return Shape("", path)


def _types(path: Path) -> Shape:
    """Files that become links and folders, and the other way round."""
    repo = Repo.create(path)
    repo.commit("first\n", {"a": "file\n", "b/c": "in a folder\n", "d": "stays\n"})
    (repo.path / "a").unlink()
    (repo.path / "a").symlink_to("d")
    repo.git("rm", "-q", "-r", "b")
    repo.write("b", "a file now\n")
    repo.git("add", "-A")
    repo.commit("turned\n")
    (repo.path / "a").unlink()
    repo.stage({"a/b/c": "needle\n"})
    return Shape("", path)


def _hidden(path: Path) -> Shape:
    """Everything that makes `git diff` show nothing: -diff, a NUL byte, forced colours, an external diff, odd prefixes and orders."""
    repo = _plain(path)
    repo.stage({".gitattributes": "*.md -diff -text\n", "memory/nul.md": b"- a\0b needle\n"})
    for name, value in {
        "color.ui": "always",
        "color.diff": "always",
        "diff.external": "false",
        "diff.noprefix": "true",
        "diff.orderFile": "/nowhere",
        "diff.relative": "true",
        "diff.renames": "copies",
        "diff.mnemonicPrefix": "true",
        "grep.patternType": "perl",
        "grep.lineNumber": "true",
        "core.abbrev": "7",
    }.items():
        repo.git("config", name, value)
    return Shape("", path)


def _quoted(path: Path) -> Shape:
    shape = _names(path)
    shape.repo.git("config", "core.quotePath", "true")
    return shape


def _replaced(path: Path) -> Shape:
    """A replace ref and a graft that each show another history."""
    repo = _plain(path)
    repo.git("replace", "HEAD", "HEAD~2")
    graft = repo.line("--no-replace-objects", "rev-parse", "HEAD~1")
    (repo.path / ".git/info").mkdir(exist_ok=True)
    (repo.path / ".git/info/grafts").write_text(graft + "\n")
    return Shape("", path)


def _intents(path: Path) -> Shape:
    repo = _plain(path)
    repo.write("announced.md", "- needle\n")
    repo.write("memory/announced.md", b"")
    repo.git("add", "-N", "announced.md", "memory/announced.md")
    return Shape("", path, frozenset({"announced.md", "memory/announced.md"}))


def _subfolder(path: Path) -> Shape:
    _plain(path).git("config", "diff.relative", "true")
    return Shape("", path / "memory/deep")


def _separate(path: Path) -> Shape:
    """`git init --separate-git-dir`, and core.worktree pointing back."""
    repo = Repo.create(path / "tree", f"--separate-git-dir={path / 'store.git'}")
    repo.git("config", "core.worktree", str(path / "tree"))
    _history(repo)
    repo.stage(STAGED)
    return Shape("", path / "tree")


SHAPES: dict[str, Callable[[Path], Shape]] = {
    "plain": lambda path: Shape("", _plain(path).path),
    "unborn": _unborn,
    "detached": _detached,
    "linked": _linked,
    "bare": _bare,
    "sha256": lambda path: Shape("", _plain(path, "--object-format=sha256").path),
    "sparse-index": _sparse_index,
    "split-index": _split_index,
    "index-v4": _index_v4,
    "shallow": _shallow,
    "partial": _partial,
    "partial-v1": _partial_v1,
    "names": _names,
    "quoted": _quoted,
    "gitlink": _gitlink,
    "types": _types,
    "hidden": _hidden,
    "replaced": _replaced,
    "intents": _intents,
    "subfolder": _subfolder,
    "separate": _separate,
}


def build(name: str, folder: Path) -> Shape:
    """Make the repository of that name below `folder`."""
    path = folder / name
    path.mkdir()
    made = SHAPES[name](path)
    return Shape(name, made.path, made.intents)
