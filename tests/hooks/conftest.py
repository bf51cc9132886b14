"""A workspace whose hooks are installed, as a user has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.environment import identity
from tests.support.repo import Workspace, run_hoard


@pytest.fixture(scope="session")
def hooked_template(sealed_session: None, workspace_template: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """The template of `hooked`; installing takes a quarter of a second."""
    workspace = Workspace.copy(workspace_template, tmp_path_factory.mktemp("template") / "hooked")
    done = run_hoard("hooks", "install", cwd=workspace)
    assert done.returncode == 0, done.stderr
    return workspace


@pytest.fixture
def hooked(hooked_template: Workspace, tmp_path: Path) -> Workspace:
    """A workspace with installed hooks."""
    return Workspace.copy(hooked_template, tmp_path / "hooked")


AS_AGENT = identity(Workspace.agent)
AS_HUMAN = identity(Workspace.human)


@pytest.fixture(autouse=True)
def early_june(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make it the week in which the workspace's facts were written: a new fact that is dated long before today is a finding of its own."""
    monkeypatch.setenv("HOARD_DATE", "2026-06-10")
