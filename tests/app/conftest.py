"""Fixtures of the use cases' tests: a workspace that has grown, and keys of a few people, made once for a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.consolidating import OLD
from tests.app.support import as_agent
from tests.support.repo import Workspace
from tests.support.signing import SshKey, make_key


@pytest.fixture
def aged(workspace: Workspace) -> Workspace:
    """A workspace with an expired, a stale and a user's block, in the agent's hands."""
    workspace.commit("Grow\n", {"MEMORY.md": OLD})
    as_agent(workspace)
    return workspace


@pytest.fixture
def agents(workspace: Workspace) -> Workspace:
    as_agent(workspace)
    return workspace


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("keys")


@pytest.fixture(scope="session")
def ada(folder: Path) -> SshKey:
    return make_key(folder, "ada")


@pytest.fixture(scope="session")
def bot(folder: Path) -> SshKey:
    return make_key(folder, "bot")


@pytest.fixture(scope="session")
def eve(folder: Path) -> SshKey:
    return make_key(folder, "eve")
