"""Who the human of `--human` is, and what makes a commit theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoard_git.app.people import as_committer, global_identity, listed_human, local_identity, remember_human, signs_by_habit
from hoard_git.core.policy import ActorRule, Policy
from hoard_git.errors import HoardError
from hoard_git.gitio.reader import Ident
from tests.app.support import reader_of
from tests.support.repo import Repo

ADA, EVE, BOT = (
    ActorRule("Ada Example", "human", ("ada@example.org", "ada@work.example")),
    ActorRule("Eve", "human", ("eve@example.org",)),
    ActorRule("clawd", "agent", ("clawd@agents.example",)),
)


def test_the_global_identity_when_it_is_listed(repo: Repo) -> None:
    assert listed_human(Policy(actors=(EVE, ADA, BOT)), reader_of(repo)) == Ident("Ada Example", "ada@example.org")
    repo.git("config", "--global", "user.email", "ADA@Work.example")
    assert listed_human(Policy(actors=(EVE, ADA)), reader_of(repo)).email == "ADA@Work.example"


def test_the_repositorys_identity_is_not_the_users(repo: Repo) -> None:
    repo.git("config", "user.email", "clawd@agents.example")

    assert global_identity(reader_of(repo)) == Ident("Ada Example", "ada@example.org")
    assert local_identity(reader_of(repo)) == Ident("clawd", "clawd@agents.example")


def test_the_only_human_when_git_knows_nobody(repo: Repo, hermetic: Path) -> None:
    (hermetic / ".gitconfig").write_text("")
    assert global_identity(reader_of(repo)) is None
    assert listed_human(Policy(actors=(EVE, BOT)), reader_of(repo)) == Ident("Eve", "eve@example.org")
    assert listed_human(Policy(actors=(ActorRule("", "human", ("eve@example.org",)),)), reader_of(repo)) == Ident("eve", "eve@example.org")


@pytest.mark.parametrize("actors", [(EVE, BOT), (EVE, ActorRule("Mo", "human", ("mo@x.example",)))])
def test_nobody_is_taken_for_somebody_else(repo: Repo, actors: tuple[ActorRule, ...]) -> None:
    with pytest.raises(HoardError, match=r"ada@example\.org is no human of the policy, which lists Eve <eve@example\.org>") as caught:
        listed_human(Policy(actors=actors), reader_of(repo))
    assert 'hoard init --human "Eve <eve@example.org>"' in caught.value.hint


def test_who_the_human_is_here_was_said_once(repo: Repo) -> None:
    assert remember_human(reader_of(repo), Ident("Ada", "ADA@example.org")) == ""
    assert remember_human(reader_of(repo), Ident("Eve", "Eve@example.org")).startswith("you are Eve <Eve@example.org> here")
    assert remember_human(reader_of(repo), Ident("Eve", "eve@example.org")) == ""
    for actors in ((ADA, EVE), (EVE, ADA), (EVE,)):
        assert listed_human(Policy(actors=actors), reader_of(repo)) == Ident("Eve", "eve@example.org")
    assert listed_human(Policy(actors=(ADA, BOT)), reader_of(repo)).email == "ada@example.org"


@pytest.mark.parametrize("actors", [(BOT,), ()])
def test_when_no_human_is_listed(repo: Repo, actors: tuple[ActorRule, ...]) -> None:
    with pytest.raises(HoardError, match="lists no human") as caught:
        listed_human(Policy(actors=actors), reader_of(repo))
    assert caught.value.hint


def test_committer_and_signature_follow_the_humans_habit(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = Ident("Ada Example", "ada@example.org")
    plain = {"GIT_COMMITTER_NAME": "Ada Example", "GIT_COMMITTER_EMAIL": "ada@example.org"}

    assert as_committer(reader_of(repo), None) == {}
    assert as_committer(reader_of(repo), ada) == plain
    repo.git("config", "commit.gpgSign", "true")
    assert not signs_by_habit(reader_of(repo))
    repo.git("config", "--global", "commit.gpgSign", "yes")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "x.y")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "z")
    assert as_committer(reader_of(repo), ada) == {
        **plain,
        "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_1": "commit.gpgSign",
        "GIT_CONFIG_VALUE_1": "true",
    }
