"""What the tests of use cases share: a day that is given, and the two people of the workspace."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict

from hoard_git.app.clock import Days, read_days
from hoard_git.core.policy import Policy
from hoard_git.gitio.plumbing import PlumbingReader
from tests.support.environment import identity
from tests.support.repo import Repo, Workspace

AS_AGENT = identity(Workspace.agent)
AS_HUMAN = identity(Workspace.human)


class Wanted(TypedDict, total=False):
    """What a search may be told beside its query (`recall.Wish`)."""

    src: str
    archive: bool
    history: bool
    rev: str


def june(policy: Policy) -> Days:
    """The fifteenth of June 2026: ten days after the workspace's last tag."""
    return read_days(policy, "2026-06-15", {})


def reader_of(repo: Repo, folder: str = "") -> PlumbingReader:
    return PlumbingReader(str(Path(repo.path, folder)))


def as_agent(repo: Repo) -> None:
    """Make the agent the repository's own identity, as `hoard init` does."""
    repo.git("config", "user.name", "clawd")
    repo.git("config", "user.email", "clawd@agents.example")


def add_hook(repo: Repo, name: str, script: str) -> None:
    path = repo.write(f".git/hooks/{name}", f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
