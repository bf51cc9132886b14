"""A second person joins a workspace that asks for signatures: whose key is whose, and who may list it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoard_git.app.setup import Choices, Outcome, set_up
from hoard_git.errors import HoardError
from tests.app.support import june
from tests.support.repo import POLICY, Repo, Workspace, run_hoard
from tests.support.signing import SshKey, make_key

BEN = "Ben Sample <ben@example.org>"


@pytest.fixture
def ben(folder: Path) -> SshKey:
    return make_key(folder, "ben")


def init(path: Path, key: SshKey, human: str = "") -> Outcome:
    return set_up(str(path), Choices(human, sign_key=f"{key.private}.pub"), june, {})


@pytest.fixture
def shared(tmp_path: Path, ada: SshKey) -> Repo:
    """Ada's workspace; her key signs."""
    init(tmp_path / "ada", ada)
    return Repo(tmp_path / "ada")


def test_who_is_listed_lists_the_other(shared: Repo, ada: SshKey, ben: SshKey) -> None:
    config = shared.read(".git/config")

    outcome = init(shared.path, ben, BEN)

    assert outcome.oid == shared.head()
    policy = shared.read(".hoard.yaml")
    assert f'{{name: "Ben Sample", kind: human, emails: ["ben@example.org"], keys: ["{ben.line}"]}}' in policy
    assert f'keys: ["{ada.line}"]' in policy
    assert shared.read(".git/config") == config
    assert shared.line("log", "-1", "--format=%ae") == "ada@example.org"
    assert any("still signed with SHA256:" in line for line in outcome.left)
    done = run_hoard("verify", cwd=shared)
    assert done.returncode == 0, done.stdout
    assert b"lists Ben Sample (human), key" in done.stdout
    assert init(shared.path, ben, BEN).oid is None


def test_the_other_then_signs_in_a_clone(shared: Repo, ben: SshKey, tmp_path: Path) -> None:
    init(shared.path, ben, BEN)
    shared.git("clone", "-q", shared.path, tmp_path / "ben")
    clone = Repo(tmp_path / "ben")
    init(clone.path, ben, BEN)
    clone.write("MEMORY.md", clone.read("MEMORY.md") + "\n## Rules <!-- src:user ts:2026-06-15 -->\n\n- Answers are short.\n")

    clone.git("config", "--global", "user.email", "ben@example.org")
    done = run_hoard("--date", "2026-06-15", "commit", "--human", cwd=clone)

    assert done.returncode == 0, done.stderr
    done = run_hoard("verify", cwd=clone)
    assert b"a human, Ben Sample, by the signature of" in done.stdout


def test_who_is_not_listed_is_told_whom_to_ask(shared: Repo, ben: SshKey, tmp_path: Path) -> None:
    shared.git("clone", "-q", shared.path, tmp_path / "ben")
    clone = Repo(tmp_path / "ben")

    outcome = init(clone.path, ben, BEN)

    assert outcome.oid is None
    assert clone.line("status", "--porcelain") == ""
    (how,) = [line for line in outcome.left if line.startswith("give one of them")]
    assert f'hoard init --human "{BEN}" --sign-key ben.pub' in how
    assert "signkey" not in clone.read(".git/config").lower()


def test_a_key_is_never_listed_for_somebody_else(shared: Repo, ben: SshKey, tmp_path: Path) -> None:
    """Ben's own git identity, and no word about whose key it is: the only human listed is not he."""
    shared.git("clone", "-q", shared.path, tmp_path / "ben")
    clone = Repo(tmp_path / "ben")
    clone.git("config", "--global", "user.email", "ben@example.org")
    clone.git("config", "--global", "user.name", "Ben Sample")

    with pytest.raises(HoardError, match="not clear whose key") as told:
        init(clone.path, ben)

    assert f'If it is somebody new: hoard init --human "{BEN}" --sign-key KEY.pub' in told.value.hint
    assert 'hoard init --human "Ada Example <ada@example.org>" --sign-key KEY.pub' in told.value.hint
    assert clone.line("status", "--porcelain") == ""


def test_the_first_key_is_one_of_a_human_who_is_listed(workspace: Workspace, ben: SshKey) -> None:
    with pytest.raises(HoardError, match="does not ask for signatures yet"):
        init(workspace.path, ben, BEN)
    assert workspace.read(".hoard.yaml") == POLICY
