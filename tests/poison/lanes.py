"""The gates that need more than one repository: the hook of a server, and a policy under which signatures decide.

Each has one work tree that every shape is replayed in, without hooks.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from unittest.mock import patch

from hoard_git.app.hookreceive import pre_receive
from hoard_git.cli.hookrefs import report
from hoard_git.errors import HoardError
from tests.poison.bench import Bench
from tests.poison.doing import apply, check_range, dates, said_by
from tests.poison.memory import BASE, SECONDS
from tests.poison.shapes import Answer, Gate, Shape
from tests.poison.steps import Harmless, Push, Run, Step, Steps
from tests.support.environment import HUMAN
from tests.support.repo import Repo, run, run_hoard
from tests.support.signing import SshKey, make_key, policy, sign_with

KEYS = ("ada", "ada-old", "clawd", "forge", "stranger")
"""Keys by name: the human's, one of hers that a shape may list, the agent's, a forge's and somebody's. `policy_text` lists the first and third."""

_REAL = ("GH", "PT")
"""The groups that the server meets by `git push`; for the others its hook's own code is called, which spares a minute."""

# What the server's clock shows is part of what is measured, so it stands still.
_STILL = """\
#!/bin/sh
shift 2
code=$1
shift
exec "{python}" -I -c "import time
time.time = lambda: {seconds}.0
$code" "$@"
"""


class Lane:
    """A work tree that all shapes are replayed in, one after the other."""

    def __init__(self, folder: Path, files: Mapping[str, str], keys: Mapping[str, SshKey] | None = None) -> None:
        self.repo = Repo.create(folder)
        self.keys = keys
        self.repo.commit("Set up the memory\n", files, author=HUMAN, env=dates(self._signing("ada")))
        self._base = self.repo.head()
        # For scripts that ask for them by name; all others run without hooks.
        installed = run_hoard("hooks", "install", cwd=self.repo)
        assert installed.returncode == 0, installed.stderr
        self._kept = {path: path.read_bytes() for path in (self.repo.path / ".git/config", *(self.repo.path / ".git/hooks").iterdir())}

    def replay(self, shape: Shape, steps: Steps) -> str:
        """Bring main to where the steps end; returns the commit that they follow."""
        self._clear()
        self.repo.git("checkout", "-q", "-f", "-B", "main", self._base)
        self.repo.git("clean", "-q", "-ffdx")
        for step in shape.base:
            self._apply(step)
        start = self.repo.head()
        for step in steps:
            self._apply(step)
        return start

    def _clear(self) -> None:
        """Take away what a shape may have left in .git beside its commits: configuration, hooks, the index with its flags, other refs."""
        git = self.repo.path / ".git"
        for name in ("shallow", "info/exclude", "info/attributes", "info/grafts", "index", "index.lock", "config.worktree", "MERGE_HEAD"):
            (git / name).unlink(missing_ok=True)
        (git / "hooks").mkdir(exist_ok=True)
        for path in (git / "hooks").iterdir():
            if path not in self._kept:
                path.unlink()
        for path, data in self._kept.items():
            if not path.exists() or path.read_bytes() != data:
                path.write_bytes(data)
            if path.parent.name == "hooks":
                path.chmod(0o755)
        for ref in self.repo.line("for-each-ref", "--format=%(refname)").split():
            if ref != "refs/heads/main":
                self.repo.git("update-ref", "-d", ref)

    def _apply(self, step: Step | Harmless | Run | Push) -> None:
        name = step.sign or _OWN.get(step.author, "") if isinstance(step, Step) else step.sign if isinstance(step, Run) else ""
        apply(self.repo, step, self._signing(name))

    def _signing(self, name: str) -> dict[str, str]:
        return sign_with(self.keys[name]) if self.keys and name not in {"", "none"} else {}


_OWN = {HUMAN: "ada"}
"""Who signs without being asked. The agent does not: whoever has no proof is an agent."""


class Server:
    """A bare repository with the gate in it, and one without that has the same objects at once."""

    def __init__(self, folder: Path, lane: Lane) -> None:
        self.lane = lane
        self.real = Repo(folder / "real.git")
        self.near = Repo(folder / "near.git")
        for repo in (self.real, self.near):
            run(["git", "clone", "-q", "--bare", "--template=", lane.repo.path, repo.path], cwd=folder)
        (self.near.path / "objects/info").mkdir(exist_ok=True)
        (self.near.path / "objects/info/alternates").write_text(f"{lane.repo.path}/.git/objects\n", encoding="utf-8")
        installed = run_hoard("hooks", "install", "--server", cwd=self.real.path)
        assert installed.returncode == 0, installed.stderr
        still = folder / "python"
        still.write_text(_STILL.format(python=sys.executable, seconds=SECONDS), encoding="utf-8")
        still.chmod(0o755)
        hook = self.real.path / "hooks/pre-receive"
        lines = hook.read_text(encoding="utf-8").split("\n")
        assert sum(line.startswith("python=") for line in lines) == 1
        hook.write_text("\n".join(f"python='{still}'" if line.startswith("python=") else line for line in lines), encoding="utf-8")

    def push(self, start: str, refs: Sequence[str]) -> Answer:
        """`git push` to a server of which main stands at `start`."""
        for ref in self.real.line("for-each-ref", "--format=%(refname)").split():
            if ref != "refs/heads/main":
                self.real.git("update-ref", "-d", ref)
        self.real.git("fetch", "-q", "--no-tags", self.lane.repo.path, f"+{start}:refs/heads/main")
        done = self.lane.repo.git("push", "-q", self.real.path, *refs, check=False)
        return said_by(done.returncode, b"".join(line.removeprefix(b"remote: ") for line in done.stderr.splitlines(keepends=True)))

    def receive(self, start: str, tip: str) -> Answer:
        """What the hook says to the same update, in this process."""
        said: list[str] = []
        self.near.git("update-ref", "refs/heads/main", start)
        moment = patch("hoard_git.app.clock.time.time", return_value=float(SECONDS))
        with contextlib.chdir(self.near.path), patch.dict(os.environ), moment, contextlib.redirect_stderr(io.StringIO()):
            try:
                status = report(pre_receive(f"{start} {tip} refs/heads/main\n".encode(), os.environ), said.append, "refused")
            except HoardError as error:
                said.append(f"hoard: {error}")
                status = 2
        return said_by(status, "\n".join(said).encode("utf-8", "surrogateescape"))


class FullBench(Bench):
    """The bench with a server and with keys."""

    def __init__(self, folder: Path, results: Path) -> None:
        super().__init__(folder, results)
        self._open: Lane | None = None
        self._signed: Lane | None = None
        self._server: Server | None = None

    def _beyond(self, shape: Shape, steps: Steps, gates: Sequence[Gate]) -> dict[Gate, Answer]:
        said: dict[Gate, Answer] = {}
        if "pre-receive" in gates and "pre-receive" not in shape.unasked:
            said["pre-receive"] = self._received(shape, steps)
        if "signed" in gates and "signed" not in shape.unasked:
            lane = self._signed = self._signed or self._make_signed()
            start = lane.replay(shape, steps)
            said["signed"] = check_range(lane.repo, start)
        return said

    def _received(self, shape: Shape, steps: Steps) -> Answer:
        lane = self._open = self._open or Lane(self.folder / "open", BASE)
        server = self._server = self._server or Server(self.folder, lane)
        start = lane.replay(shape, steps)
        pushes = [step.refs for step in steps if isinstance(step, Push)]
        if pushes or shape.id.startswith(_REAL):
            return server.push(start, pushes[0] if pushes else ("main",))
        return server.receive(start, lane.repo.head())

    def _make_signed(self) -> Lane:
        keys = {name: make_key(self.folder, name) for name in KEYS}
        text = policy(keys["ada"].line, keys["clawd"].line)
        return Lane(self.folder / "signed", {**BASE, ".hoard.yaml": text}, keys)
