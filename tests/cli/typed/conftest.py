"""The typist, and the repositories that its cases begin with: built once, copied for each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.typed.harness import Case, Typist
from tests.support.repo import Repo, Workspace

Carry = Callable[[Case], None]


@pytest.fixture
def carry_out(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    programs: Path,
    workspace_template: Workspace,
    repo_template: Repo,
    tmp_path: Path,
) -> Carry:
    """Carries a case out in a fresh copy of its template: `workspace`, or `repo` for an empty one."""
    typist = Typist(monkeypatch, capsys, programs)
    template = {"workspace": workspace_template, "repo": repo_template}

    def carry(case: Case) -> None:
        name = "the workspace"  # a name with a blank: what a hint says about it has to be quoted
        typist.carry_out(case, type(template[case.template]).copy(template[case.template], tmp_path / name))

    return carry
