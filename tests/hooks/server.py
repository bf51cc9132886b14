"""A bare repository with the gate in it, and clones that push to it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.hooks.conftest import AS_AGENT
from tests.support.repo import Files, Repo, Workspace, run_hoard

TODAY = dt.datetime.now(tz=dt.UTC).date().isoformat()
"""The server goes by its own clock, so what is pushed is dated today."""


class Server(Repo):
    """A bare repository with pre-receive in place."""

    def objects(self) -> list[str]:
        """Every file of the object database: what a refused push must not add to."""
        return sorted(str(path.relative_to(self.path)) for path in (self.path / "objects").rglob("*") if path.is_file())

    def refs(self) -> dict[str, str]:
        rows = self.line("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
        return dict(row.split(" ") for row in rows)

    def install(self) -> None:
        done = run_hoard("hooks", "install", "--server", cwd=self.path)
        assert done.returncode == 0, done.stdout + done.stderr


def make_server(workspace: Workspace, path: Path) -> Server:
    """A bare clone of a workspace with the gate; the workspace gets it as `origin`."""
    workspace.git("clone", "-q", "--bare", "--template=", workspace.path, path)
    server = Server(path)
    server.git("config", "gc.auto", "0")
    server.git("config", "--unset", "remote.origin.url")
    server.install()
    workspace.git("remote", "add", "origin", path)
    workspace.git("fetch", "-q", "origin")
    return server


def push(repo: Repo, *refs: str, env: Mapping[str, str] | None = None, options: Sequence[str] = ()) -> tuple[int, str]:
    """Run `git push`; return its exit status and all that was said."""
    done = repo.git("push", *options, "origin", *(refs or ("HEAD",)), env=env, check=False)
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def note(number: int | str) -> str:
    """A fact of the agent's own, of today."""
    return f"- Job {number} ran well. <!-- src:agent ts:{TODAY} -->\n"


def agent_commit(workspace: Workspace, files: Files, message: str = "Write\n") -> str:
    return workspace.commit(message, files, env=AS_AGENT, options=("--no-verify",))


def with_note(workspace: Workspace, number: int | str, path: str = "MEMORY.md") -> Files:
    """The file with one more fact."""
    old = workspace.read(path) if (workspace.path / path).exists() else f"# Notes <!-- src:agent ts:{TODAY} -->\n\n"
    return {path: old + note(number)}


def without_user_fact(workspace: Workspace) -> Files:
    return {"MEMORY.md": workspace.read("MEMORY.md").replace("- The newsletter goes out on Tuesdays.\n", "")}
