"""Fixtures for every test: a sealed environment, and repositories that are copied instead of built."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pygit2
import pytest
from pygit2.enums import ConfigLevel

from hoard_git.errors import HoardError
from tests.support import hints
from tests.support.environment import hermetic_environment
from tests.support.repo import Repo, Workspace, write_programs


def _apply(environment: dict[str, str], patch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name not in environment]:
        patch.delenv(name)
    for name, value in environment.items():
        patch.setenv(name, value)


@pytest.fixture(scope="session", autouse=True)
def sealed_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Seal what session fixtures see, and what libgit2 sees for the life of the process.

    libgit2 looks up its configuration folders once, when it is loaded, and does not follow a later change of HOME. A shell that starts a run
    in the background has it ignore SIGINT, and nohup SIGHUP, which would be handed on to the programs that tests interrupt.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    for level in (ConfigLevel.SYSTEM, ConfigLevel.XDG, ConfigLevel.GLOBAL, ConfigLevel.PROGRAMDATA):
        pygit2.settings.search_path[level] = ""
    with pytest.MonkeyPatch.context() as patch:
        _apply(hermetic_environment(tmp_path_factory.mktemp("session-home")), patch)
        yield


@pytest.fixture(autouse=True)
def hermetic(sealed_session: None, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh HOME for this test; returns it."""
    home = tmp_path_factory.mktemp("home")
    _apply(hermetic_environment(home), monkeypatch)
    return home


@pytest.fixture(autouse=True)
def hints_that_can_be_typed(hermetic: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever error this test meets, in its own process or in the output of a program, the command line takes the commands in its hint."""
    monkeypatch.setattr(HoardError, "__init__", hints.listening)
    hints.faults_heard()  # of the fixtures of a session, which are nobody's
    yield
    assert hints.faults_heard() == []


@pytest.fixture(scope="session")
def repo_template(sealed_session: None, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    return Repo.create(tmp_path_factory.mktemp("template") / "repo")


@pytest.fixture(scope="session")
def workspace_template(sealed_session: None, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace.create(tmp_path_factory.mktemp("template") / "workspace")


@pytest.fixture
def repo(repo_template: Repo, tmp_path: Path) -> Repo:
    """An empty repository, without a commit."""
    return Repo.copy(repo_template, tmp_path / "repo")


@pytest.fixture
def workspace(workspace_template: Workspace, tmp_path: Path) -> Workspace:
    """A repository with a policy and a MEMORY.md, committed by the human."""
    return Workspace.copy(workspace_template, tmp_path / "workspace")


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `hoard`, `git-hoard` and `hoard-hook` of this checkout, to be put on PATH."""
    return write_programs(tmp_path_factory.mktemp("programs"))
