"""Signing again what a rebase, a cherry-pick or an amend has left unsigned, with the hooks in place and the agent's identity in the repository."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.hooks.conftest import AS_AGENT, AS_HUMAN
from tests.support.repo import MEMORY, Workspace, run_hoard
from tests.support.signing import SshKey, make_key, policy

EDIT = MEMORY.replace("on Tuesdays", "on Fridays")
OTHER = MEMORY.replace("- Backups run at 03:30.", "- Backups run at 04:30.")


@pytest.fixture(scope="module")
def ada(tmp_path_factory: pytest.TempPathFactory) -> SshKey:
    return make_key(tmp_path_factory.mktemp("sign-again"), "ada")


@pytest.fixture
def repo(hooked: Workspace, ada: SshKey) -> Workspace:
    """Ada's key is listed and set up as `hoard init --sign-key` does it: git here commits as the agent, unsigned."""
    agent = AS_AGENT["GIT_AUTHOR_NAME"], AS_AGENT["GIT_AUTHOR_EMAIL"]
    settings = {
        "user.name": agent[0],
        "user.email": agent[1],
        "gpg.format": "ssh",
        "user.signingKey": f"{ada.private}.pub",
        "hoard.signKey": f"{ada.private}.pub",
        "commit.gpgSign": "false",
    }
    for name, value in settings.items():
        hooked.git("config", name, value)
    hooked.commit("Keys\n", {".hoard.yaml": policy(ada.line)}, env=AS_HUMAN, options=("--no-verify", "-S"))
    return hooked


def said(repo: Workspace, *args: str, env: Mapping[str, str] | None = None) -> tuple[int, str]:
    done = repo.git(*args, env=env, check=False)
    return done.returncode, (done.stdout + done.stderr).decode()


def is_good(repo: Workspace, commits: str) -> bool:
    return run_hoard("check", "--range", commits, cwd=repo).returncode == 0


def user_commit(repo: Workspace, text: str) -> str:
    repo.write("MEMORY.md", text)
    done = run_hoard("commit", "--human", "-m", "Mine", cwd=repo)
    assert done.returncode == 0, done.stderr
    return repo.head()


def test_every_commit_of_a_rebased_branch_is_signed_again(repo: Workspace) -> None:
    base = repo.head()
    repo.git("checkout", "-qb", "mine")
    user_commit(repo, EDIT)
    user_commit(repo, EDIT.replace("on Fridays", "on Mondays"))
    repo.git("checkout", "-qB", "main", base)
    repo.commit("Job\n", {"notes.txt": "x\n"})
    repo.git("checkout", "-q", "mine")
    repo.git("rebase", "-q", "main")
    assert not is_good(repo, "main..mine")

    status, text = said(repo, "rebase", "--exec", "git commit --amend -S --no-edit", "main")

    assert status == 0, text
    assert is_good(repo, "main..mine")


@pytest.mark.parametrize("sign", ["-S", "-aqS", "--gpg-sign", "KEY"])
def test_the_human_signs_what_the_agents_identity_commits(repo: Workspace, ada: SshKey, sign: str) -> None:
    repo.write("MEMORY.md", EDIT)

    status, text = said(repo, "commit", "-a", "-m", "Mine", sign if sign != "KEY" else f"-S{ada.private}.pub")

    assert status == 0, text
    assert "unproven until signed" in text
    assert is_good(repo, "HEAD^..HEAD")


@pytest.mark.parametrize("how", [(), ("-S",), ("-m-S",)])
def test_an_agent_does_not_pass_by_asking(repo: Workspace, tmp_path: Path, how: tuple[str, ...]) -> None:
    """Without a signature, with its own key, and with a word that only looks like the option."""
    repo.git("config", "user.signingKey", f"{make_key(tmp_path, 'bot').private}.pub")
    repo.write("MEMORY.md", EDIT)

    status, text = said(repo, "commit", "-a", "-m", "Mine", *how)

    assert status == 1
    assert "HG301" in text


def test_an_agents_marker_overrules_the_key(repo: Workspace) -> None:
    repo.write("MEMORY.md", EDIT)

    status, text = said(repo, "commit", "-a", "-m", "Mine", "-S", env={"CLAUDECODE": "1"})

    assert status == 1
    assert "HG301" in text


def test_an_unsigned_amend_of_the_users_commit_stays_the_agents(repo: Workspace) -> None:
    user_commit(repo, EDIT)

    status, text = said(repo, "commit", "--amend", "--no-edit")

    assert status == 1
    assert "HG30" in text
