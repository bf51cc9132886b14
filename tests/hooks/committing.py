"""Commits through the hooks, and changes that they have to judge."""

from __future__ import annotations

import secrets

from tests.hooks.conftest import AS_AGENT
from tests.support.repo import Workspace

INFRASTRUCTURE = "- Backups run at 03:30.\n"


GOOD = "- The wiki moved to node-3.\n"


def commit(workspace: Workspace, *options: str, env: dict[str, str] | None = None) -> tuple[int, str]:
    """Run `git commit`; return its exit status and everything that it and the hooks printed."""
    done = workspace.git("commit", *options, env=env or AS_AGENT, check=False)
    return done.returncode, (done.stdout + done.stderr).decode()


def settle(workspace: Workspace) -> None:
    """Let git write what it caches in the index anyway: every `git commit`, refused or not, refreshes stat data and the cached tree."""
    workspace.git("update-index", "-q", "--refresh", check=False)
    workspace.git("write-tree")


def trailers(workspace: Workspace, revision: str = "HEAD") -> list[str]:
    """The trailers that git itself parses out of a commit."""
    return workspace.line("log", "-1", "--format=%(trailers:only,unfold)", revision).splitlines()


def append(workspace: Workspace, text: str, path: str = "MEMORY.md") -> None:
    workspace.write(path, workspace.read_bytes(path) + text.encode("utf-8", "surrogateescape"))


def untagged(workspace: Workspace) -> None:
    append(workspace, "\n## Rumours\n\n- The mirror has moved.\n")


def vendor_key(workspace: Workspace) -> None:
    append(workspace, f"- Deploys use {'ghp' + '_' + secrets.token_hex(18)}\n")


def edited_user_fact(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", workspace.read("MEMORY.md").replace("short and in English", "long and in French"))
