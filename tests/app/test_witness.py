"""`--witness`: what branches named is remembered outside the repository, and what was undone is told by name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hoard_git.app.witness import Sightings, ask_witness
from hoard_git.core.model import Oid
from hoard_git.core.witness import parse_witness
from hoard_git.errors import HoardError
from hoard_git.gitio.plumbing import PlumbingReader
from tests.support.environment import ROOT
from tests.support.repo import Repo, Workspace


@pytest.fixture
def file(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    return folder / "witness"


def ask(repo: Repo, name: str | Path, *, accept: bool = False) -> Sightings:
    return ask_witness(PlumbingReader(str(repo.path)), str(name), str(repo.path), Oid(repo.head()), accept=accept)


def states(told: Sightings) -> dict[str, str]:
    return {one.ref.removeprefix("refs/"): one.state for one in told.seen}


def test_the_first_run_says_so_and_remembers(workspace: Workspace, file: Path) -> None:
    told = ask(workspace, file)
    assert (told.first, states(told), told.alarms) == (True, {"heads/main": "new"}, [])
    assert [(tip.oid, tip.ref) for tip in parse_witness(file.read_bytes())] == [(workspace.head(), "refs/heads/main")]
    told = ask(workspace, file)
    assert (told.first, states(told)) == (False, {"heads/main": "same"})


def test_what_moves_forward_is_remembered_and_nothing_is_taken_out(workspace: Workspace, file: Path) -> None:
    ask(workspace, file)
    before = file.read_bytes()
    workspace.commit("More\n", {"a": "b\n"})
    workspace.git("branch", "topic")
    workspace.git("tag", "-a", "-m", "x", "v1")
    assert states(ask(workspace, file)) == {"heads/main": "advanced", "heads/topic": "new", "tags/v1": "new"}
    assert file.read_bytes().startswith(before)
    before = file.read_bytes()
    assert set(states(ask(workspace, file)).values()) == {"same"}
    assert file.read_bytes() == before


def test_a_branch_that_is_turned_back(workspace: Workspace, file: Path) -> None:
    old = workspace.commit("More\n", {"a": "b\n"})
    ask(workspace, file)
    workspace.git("reset", "-q", "--hard", "HEAD^")
    for _again in range(2):  # it is told until somebody agrees
        told = ask(workspace, file)
        assert [(one.ref, one.state, one.old, one.new) for one in told.alarms] == [
            ("refs/heads/main", "rolled-back", old, workspace.head())
        ]
        assert told.alarms[0].date
    assert states(ask(workspace, file, accept=True)) == {"heads/main": "accepted"}
    assert states(ask(workspace, file)) == {"heads/main": "same"}


def test_a_history_that_is_rewritten_and_its_old_commits_thrown_away(workspace: Workspace, file: Path) -> None:
    old = workspace.commit("More\n", {"a": "b\n"})
    ask(workspace, file)
    workspace.git("commit", "-q", "--amend", "-m", "Less")
    assert [(one.state, one.old) for one in ask(workspace, file).alarms] == [("rewritten", old)]
    workspace.git("reflog", "expire", "--expire=now", "--all")
    workspace.git("gc", "-q", "--prune=now")
    assert workspace.git("cat-file", "-e", old, check=False).returncode != 0
    assert [(one.state, one.old) for one in ask(workspace, file).alarms] == [("rewritten", old)]


def test_a_branch_that_vanishes_with_its_commits_and_one_that_was_merged(workspace: Workspace, file: Path) -> None:
    workspace.git("branch", "merged")
    workspace.git("checkout", "-qb", "lost")
    lost = workspace.commit("Lost\n", {"a": "b\n"})
    workspace.git("checkout", "-q", "main")
    ask(workspace, file)
    workspace.git("branch", "-q", "-D", "lost", "merged")
    told = ask(workspace, file)
    assert states(told) == {"heads/lost": "vanished", "heads/main": "same", "heads/merged": "merged"}
    assert [(one.ref, one.old, one.new) for one in told.alarms] == [("refs/heads/lost", lost, None)]
    assert states(ask(workspace, file)) == {"heads/lost": "vanished", "heads/main": "same"}
    ask(workspace, file, accept=True)
    assert states(ask(workspace, file)) == {"heads/main": "same"}
    workspace.git("branch", "lost")
    assert states(ask(workspace, file)) == {"heads/lost": "new", "heads/main": "same"}


def test_one_alarm_does_not_keep_the_others_from_being_remembered(workspace: Workspace, file: Path) -> None:
    workspace.git("branch", "other")
    workspace.commit("More\n", {"a": "b\n"})
    ask(workspace, file)
    workspace.git("branch", "-f", "other", "main")
    workspace.git("reset", "-q", "--hard", "HEAD^")
    assert states(ask(workspace, file)) == {"heads/main": "rolled-back", "heads/other": "advanced"}
    assert states(ask(workspace, file)) == {"heads/main": "rolled-back", "heads/other": "same"}


def test_every_branch_is_gone(workspace: Workspace, file: Path) -> None:
    ask(workspace, file)
    workspace.git("update-ref", "-d", "refs/heads/main")
    told = ask_witness(PlumbingReader(str(workspace.path)), str(file), str(workspace.path), Oid("4" * 40))
    assert states(told) == {"heads/main": "vanished"}


def test_proposals_come_and_go(workspace: Workspace, file: Path) -> None:
    workspace.git("branch", "hoard/consolidate/2026-06-15")
    assert states(ask(workspace, file)) == {"heads/main": "new"}


def test_dates_out_of_order_do_not_matter(workspace: Workspace, file: Path) -> None:
    ask(workspace, file)
    for when in ("4000000000", "1000000000", "1780000000"):
        dates = {"GIT_AUTHOR_DATE": f"@{when} +0000", "GIT_COMMITTER_DATE": f"@{when} +0000"}
        workspace.commit("More\n", {"a": when}, env=dates)
    assert states(ask(workspace, file)) == {"heads/main": "advanced"}


# ---------------------------------------------------------------- what is no witness


@pytest.mark.parametrize("damage", [b"", b"x", b"hoard-witness 9\n", b"\0" * 40])
def test_a_damaged_witness_is_never_an_empty_one(workspace: Workspace, file: Path, damage: bytes) -> None:
    file.write_bytes(damage)
    with pytest.raises(HoardError, match="is damaged in line 1"):
        ask(workspace, file)
    assert file.read_bytes() == damage


def test_a_witness_that_is_cut_or_changed(workspace: Workspace, file: Path) -> None:
    ask(workspace, file)
    raw = file.read_bytes()
    for damage in (raw[:-3], raw.replace(b"refs/heads/main", b"refs/heads/mine"), raw + b"more\n"):
        file.write_bytes(damage)
        with pytest.raises(HoardError, match="damaged"):
            ask(workspace, file, accept=True)
        assert file.read_bytes() == damage


@pytest.mark.parametrize("place", ["witness", ".git/witness", "memory/../witness"])
def test_a_witness_inside_the_repository_witnesses_nothing(workspace: Workspace, place: str) -> None:
    with pytest.raises(HoardError, match="lies in the repository"):
        ask(workspace, place)


def test_a_witness_inside_it_by_way_of_a_link(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(workspace.path)
    with pytest.raises(HoardError, match="lies in the repository"):
        ask(workspace, tmp_path / "link/witness")


def test_no_link_is_followed_and_no_folder_made(workspace: Workspace, file: Path) -> None:
    file.symlink_to(file.with_name("other"))
    with pytest.raises(HoardError, match="symlink"):
        ask(workspace, file)
    with pytest.raises(HoardError, match="folder of the witness"):
        ask(workspace, file.parent / "none/witness")
    with pytest.raises(HoardError, match="cannot be read"):
        ask(workspace, file.parent)


def test_a_shallow_clone_is_no_party(workspace: Workspace, tmp_path: Path, file: Path) -> None:
    workspace.commit("More\n", {"a": "b\n"})
    workspace.git("clone", "-q", "--depth", "1", f"file://{workspace.path}", tmp_path / "shallow")
    with pytest.raises(HoardError, match="shallow"):
        ask(Repo(tmp_path / "shallow"), file)


def test_two_runs_at_once_lose_nothing(workspace: Workspace, file: Path) -> None:
    """Each run makes a branch of its own and asks; afterwards every branch is remembered."""
    script = (
        "import sys, subprocess\n"
        "from hoard_git.app.witness import ask_witness\n"
        "from hoard_git.gitio.plumbing import PlumbingReader\n"
        "repo, file, tip, name = sys.argv[1:]\n"
        "for n in range(5):\n"
        "    subprocess.run(['git', '-C', repo, 'branch', f'{name}{n}'], check=True)\n"
        "    ask_witness(PlumbingReader(repo), file, repo, tip)\n"
    )
    command = [sys.executable, "-c", script, str(workspace.path), str(file), workspace.head()]
    runs = [subprocess.Popen([*command, name], cwd=ROOT, stderr=subprocess.PIPE) for name in "abcd"]
    ends = [(run.communicate(timeout=120)[1], run.returncode) for run in runs]
    assert [status for _said, status in ends] == [0] * 4, ends
    tips = parse_witness(file.read_bytes())
    assert len(tips) == len({tip.ref for tip in tips}) == 21


# ---------------------------------------------------------------- a remote's ref


@pytest.fixture
def cloned(workspace: Workspace, tmp_path: Path) -> tuple[Workspace, Repo]:
    """A workspace and the remote that it has pushed to."""
    workspace.commit("More\n", {"a": "b\n"})
    workspace.git("clone", "-q", "--bare", "--template=", workspace.path, tmp_path / "remote.git")
    workspace.git("remote", "add", "origin", tmp_path / "remote.git")
    return workspace, Repo(tmp_path / "remote.git")


def test_a_remote_remembers_what_was_pushed(cloned: tuple[Workspace, Repo]) -> None:
    workspace, _remote = cloned
    assert states(ask(workspace, "origin/main")) == {"heads/main": "same"}
    assert states(ask(workspace, "origin/refs/heads/main")) == {"heads/main": "same"}
    old = workspace.head()
    workspace.commit("More\n", {"a": "c\n"})
    assert states(ask(workspace, "origin/main")) == {"heads/main": "advanced"}
    workspace.git("reset", "-q", "--hard", "HEAD~2")
    assert [(one.state, one.old, one.new) for one in ask(workspace, "origin/main").alarms] == [("rolled-back", old, workspace.head())]
    workspace.commit("Else\n", {"a": "d\n"})
    assert [(one.state, one.old) for one in ask(workspace, "origin/main").alarms] == [("rewritten", old)]


def test_a_local_copy_of_the_remotes_branch_has_no_say(cloned: tuple[Workspace, Repo]) -> None:
    workspace, _remote = cloned
    workspace.git("reset", "-q", "--hard", "HEAD^")
    workspace.git("update-ref", "refs/remotes/origin/main", "HEAD")
    assert states(ask(workspace, "origin/main")) == {"heads/main": "rolled-back"}


def test_a_tag_of_the_remote(cloned: tuple[Workspace, Repo]) -> None:
    workspace, _remote = cloned
    workspace.git("tag", "-a", "-m", "x", "v1")
    workspace.git("push", "-q", "origin", "v1")
    assert states(ask(workspace, "origin/v1")) == {"tags/v1": "same"}


def test_a_remote_that_knows_more_cannot_be_compared_before_a_fetch(cloned: tuple[Workspace, Repo], tmp_path: Path) -> None:
    workspace, remote = cloned
    workspace.git("clone", "-q", remote.path, tmp_path / "second")
    Repo(tmp_path / "second").commit("Theirs\n", {"x": "y\n"})
    Repo(tmp_path / "second").git("push", "-q", "origin", "main")
    with pytest.raises(HoardError, match="that commit is not here"):
        ask(workspace, "origin/main")


def test_a_remote_that_cannot_be_asked(cloned: tuple[Workspace, Repo]) -> None:
    workspace, _remote = cloned
    with pytest.raises(HoardError, match="has no branch or tag 'mian'"):
        ask(workspace, "origin/mian")
    with pytest.raises(HoardError, match="nothing to accept"):
        ask(workspace, "origin/main", accept=True)
    workspace.write("origin/main", "x\n")
    with pytest.raises(HoardError, match="is a file here"):
        ask(workspace, "origin/main")
    (workspace.path / "origin/main").unlink()
    workspace.git("remote", "set-url", "origin", workspace.path / "nowhere")
    with pytest.raises(HoardError, match="cannot be asked"):
        ask(workspace, "origin/main")
