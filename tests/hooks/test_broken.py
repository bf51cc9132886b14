"""What a hook does when the program itself breaks: what judges refuses, and what only writes trailers lets the commit go on."""

from __future__ import annotations

import pytest

from hoard_git.app import hookmessage
from hoard_git.cli.hook import main
from tests.support.repo import Workspace


def _break(*_arguments: object) -> None:
    raise ZeroDivisionError


@pytest.mark.parametrize(("name", "function", "status"), [("prepare-commit-msg", "prepare_commit_msg", 0), ("commit-msg", "commit_msg", 3)])
def test_a_hook_that_git_runs_with_no_verify_too_stands_in_nobodys_way(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, function: str, status: int
) -> None:
    monkeypatch.chdir(workspace.path)
    monkeypatch.setattr(hookmessage, function, _break)

    assert main([name, "message"]) == status

    said = capsys.readouterr().err
    assert f"internal error in {name}" in said and "hoard-crash-" in said
    assert ("hoard trailers --repair" in said) is (status == 0)
    assert ("git commit --no-verify" in said) is (status == 3)
