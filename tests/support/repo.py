"""Real repositories for tests, and the programs run as a user runs them."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tests.support.environment import AGENT, HUMAN, ROOT, identity
from tests.support.hints import hear_output

Files = Mapping[str, str | bytes | None]

POLICY = """\
version: 1
timezone: UTC
mode: enforce
authority: author
actors:
  - {name: Ada Example, kind: human, emails: [ada@example.org]}
  - {name: clawd, kind: agent, emails: [clawd@agents.example]}
"""

MEMORY = """\
# Memory

## Preferences <!-- src:user ts:2026-06-01 -->

- Answers are short and in English.
- The newsletter goes out on Tuesdays.

## Infrastructure <!-- src:agent ts:2026-06-05 ttl:90d -->

- Node-2 serves the wiki.
- Backups run at 03:30.
"""


@dataclass(frozen=True, slots=True)
class State:
    """Everything that a command which promises to change nothing must leave as it was; compare two with `==`."""

    index: str
    refs: tuple[str, ...]
    files: tuple[tuple[str, str], ...]


class Repo:
    """A git work tree at `path`. Paths are relative to it, with slashes; text is UTF-8 and written byte for byte."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __fspath__(self) -> str:
        return str(self.path)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.path.name!r})"

    @classmethod
    def create(cls, path: Path, *options: str) -> Self:
        """`git init` at `path`, without the sample hooks."""
        path.mkdir(parents=True, exist_ok=True)
        repo = cls(path)
        repo.git("init", "-q", "--template=", *options)
        return repo

    @classmethod
    def copy(cls, template: Repo, path: Path) -> Self:
        """A copy of `template` at `path`: half the price of `git init` and a commit."""
        shutil.copytree(template.path, path, symlinks=True)
        repo = cls(path)
        # The copy has other inode numbers than the index has noted, which plumbing would report as changed files.
        repo.git("update-index", "-q", "--refresh")
        return repo

    def git(
        self,
        *args: str | Path,
        input: str | bytes | None = None,  # noqa: A002  (subprocess's own word)
        env: Mapping[str, str] | None = None,
        check: bool = True,
    ) -> subprocess.CompletedProcess[bytes]:
        """Run git here; a failure raises with what git said on stderr, unless `check` is off."""
        result = run(["git", *args], cwd=self.path, input=input, env=env)
        if check and result.returncode != 0:
            command = " ".join(map(str, args))
            message = f"git {command} exited {result.returncode}:\n{(result.stdout + result.stderr).decode(errors='replace')}"
            raise AssertionError(message)
        return result

    def line(self, *args: str | Path) -> str:
        """What git prints, without the final newline."""
        return self.git(*args).stdout.decode().removesuffix("\n")

    def write(self, path: str, content: str | bytes) -> Path:
        """Write a file of the work tree, making its folders."""
        target = self.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
        return target

    def read(self, path: str) -> str:
        """The text of a file of the work tree."""
        return self.read_bytes(path).decode()

    def read_bytes(self, path: str) -> bytes:
        return (self.path / path).read_bytes()

    def stage(self, files: Files) -> None:
        """Write files (None removes one) and add exactly those to the index."""
        for path, content in files.items():
            if content is None:
                (self.path / path).unlink()
            else:
                self.write(path, content)
        if files:
            self.git("add", "-A", "-f", "--", *files)

    def commit(
        self,
        message: str,
        files: Files | None = None,
        *,
        author: str | None = None,
        env: Mapping[str, str] | None = None,
        options: Sequence[str] = (),
    ) -> str:
        """Stage `files`, commit the index and return the new commit's oid; hooks run.

        `author` is "Name <address>", for author and committer; without it the commit is Ada's.
        """
        self.stage(files or {})
        who = identity(author) if author else {}
        self.git("commit", "-q", "--allow-empty", "-F", "-", *options, input=message, env={**who, **(env or {})})
        return self.head()

    def head(self, revision: str = "HEAD") -> str:
        """The full oid that `revision` names."""
        return self.line("rev-parse", "--verify", "-q", "--end-of-options", revision)

    def message(self, revision: str = "HEAD") -> str:
        """The raw message of a commit."""
        return self.git("cat-file", "commit", revision).stdout.decode().partition("\n\n")[2]

    def show(self, revision: str, path: str) -> bytes:
        """The blob at `path` of a commit."""
        return self.git("cat-file", "blob", f"{revision}:{path}").stdout

    def index_bytes(self) -> bytes:
        """The index file itself; empty if there is none yet."""
        index = Path(self.line("rev-parse", "--path-format=absolute", "--git-path", "index"))
        return index.read_bytes() if index.exists() else b""

    def snapshot(self) -> State:
        """Index, refs (HEAD among them) and every file of the work tree with its mode."""
        refs = self.git("for-each-ref", "--format=%(refname) %(objectname) %(symref)").stdout.decode().splitlines()
        head = self.git("rev-parse", "--symbolic-full-name", "HEAD", check=False).stdout.decode().strip()
        detached = self.git("rev-parse", "-q", "--verify", "HEAD", check=False).stdout.decode().strip()
        return State(
            index=hashlib.sha256(self.index_bytes()).hexdigest(),
            refs=(f"HEAD {head} {detached}", *refs),
            files=tuple(sorted(_files(self.path))),
        )


class Workspace(Repo):
    """A repository with a policy (Ada is human, clawd is an agent) and a MEMORY.md of one user block and one agent block."""

    human = HUMAN
    agent = AGENT

    @classmethod
    def create(cls, path: Path, *options: str) -> Self:
        repo = super().create(path, *options)
        repo.commit("Introduce the memory policy\n", {".hoard.yaml": POLICY, "MEMORY.md": MEMORY})
        return repo

    def policy(self, text: str) -> str:
        """Commit `text` as the whole policy, as the human, and return the oid."""
        return self.commit("Change the policy\n", {".hoard.yaml": text})


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path | Repo,
    input: str | bytes | None = None,  # noqa: A002  (subprocess's own word)
    env: Mapping[str, str] | None = None,
    timeout: float = 120,
) -> subprocess.CompletedProcess[bytes]:
    """Run a program with the test's environment and `env` on top; no standard input unless given."""
    data = input.encode() if isinstance(input, str) else input
    done = subprocess.run(
        [os.fspath(part) for part in command],
        cwd=os.fspath(cwd),
        input=data if data is not None else b"",
        env={**os.environ, **(env or {})},
        capture_output=True,
        check=False,
        timeout=timeout,
    )
    hear_output(done.stderr)
    return done


def run_hoard(
    *args: str | Path,
    cwd: Path | Repo,
    env: Mapping[str, str] | None = None,
    input: str | bytes | None = None,  # noqa: A002  (subprocess's own word)
) -> subprocess.CompletedProcess[bytes]:
    """The command line as a program: `hoard ARGS…`."""
    return run([sys.executable, "-m", "hoard_git", *args], cwd=cwd, input=input, env=_with_package(env))


def run_hook(
    name: str,
    *args: str | Path,
    cwd: Path | Repo,
    env: Mapping[str, str] | None = None,
    input: str | bytes | None = None,  # noqa: A002  (subprocess's own word)
) -> subprocess.CompletedProcess[bytes]:
    """The hook entry as a program: `hoard-hook NAME ARGS…`."""
    program = "import sys; from hoard_git.cli.hook import main; sys.exit(main())"
    return run([sys.executable, "-c", program, name, *args], cwd=cwd, input=input, env=_with_package(env))


def write_programs(folder: Path) -> Path:
    """Put `hoard`, `git-hoard` and `hoard-hook` into `folder`, so that hooks find this checkout on PATH; returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    entries = {"hoard": "main", "git-hoard": "main", "hoard-hook": "hook", "hoard-consolidate": "consolidate"}
    for name, module in entries.items():
        program = folder / name
        program.write_text(
            f"#!{sys.executable}\n"
            "import sys\n"
            f"sys.path.insert(0, {str(ROOT)!r})\n"
            f"from hoard_git.cli.{module} import main\n"
            "sys.exit(main())\n",
            encoding="utf-8",
        )
        program.chmod(0o755)
    return folder


def _with_package(env: Mapping[str, str] | None) -> dict[str, str]:
    """`env` with this checkout importable, installed or not."""
    return {"PYTHONPATH": str(ROOT), **(env or {})}


def _files(root: Path) -> list[tuple[str, str]]:
    """Path and a digest of kind, run bit and content of everything below `root` but its .git."""
    found = []
    for folder, folders, names in os.walk(root):
        if ".git" in folders:
            folders.remove(".git")
        for name in [*names, *(name for name in folders if Path(folder, name).is_symlink())]:
            path = Path(folder, name)
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                content = os.fsencode(path.readlink())
            elif stat.S_ISREG(mode):
                content = path.read_bytes()
            else:
                content = b""
            digest = hashlib.sha256(content).hexdigest()
            found.append((str(path.relative_to(root)), f"{stat.S_IFMT(mode):o} {mode & 0o111:o} {digest}"))
    return found
