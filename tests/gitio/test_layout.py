"""What is told without starting git must be what git would tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoard_git.errors import HoardError
from hoard_git.gitio.layout import find_git_dir, find_root
from hoard_git.gitio.plumbing import PlumbingReader
from tests.support.repo import Repo


def agree(path: Path) -> None:
    reader, repo = PlumbingReader(str(path)), Repo(path)
    assert reader.git_dir() == repo.line("rev-parse", "--absolute-git-dir")
    assert reader.common_dir() == repo.line("rev-parse", "--path-format=absolute", "--git-common-dir")
    top = repo.git("rev-parse", "--show-toplevel", check=False).stdout.decode().strip()
    assert reader.root() == (top or reader.git_dir())


def test_in_the_work_tree_below_it_and_inside_the_git_dir(repo: Repo) -> None:
    repo.write("a/b/c.md", "")
    for path in (repo.path, repo.path / "a/b", repo.path / ".git", repo.path / ".git/objects"):
        agree(path)


def test_through_a_link_to_the_folder(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(repo.path)
    agree(tmp_path / "link")


def test_a_current_directory_that_was_deleted_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(HoardError, match="current directory is not there any more"):
        PlumbingReader(".").git_dir()


def test_in_a_submodule(repo: Repo, tmp_path: Path) -> None:
    inner = Repo.create(tmp_path / "inner")
    inner.commit("inner\n", {"a": "b"})
    repo.git("submodule", "-q", "add", inner.path, "sub")
    agree(repo.path / "sub")


def test_in_bare_repositories(tmp_path: Path) -> None:
    bare = Repo.create(tmp_path / "bare.git", "--bare")
    agree(bare.path)
    agree(bare.path / "refs")


@pytest.mark.parametrize("setting", [("core.bare", "true"), ("core.worktree", "../elsewhere"), ("extensions.worktreeConfig", "true")])
def test_where_configuration_decides(repo: Repo, tmp_path: Path, setting: tuple[str, str]) -> None:
    (repo.path / "elsewhere").mkdir()
    repo.git("config", *setting)
    agree(repo.path)


def test_where_the_environment_decides(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit("one\n")
    linked = tmp_path / "linked"
    repo.git("worktree", "add", "-q", linked)
    for env in (
        {"GIT_CEILING_DIRECTORIES": str(tmp_path)},
        {"GIT_DIR": str(repo.path / ".git"), "GIT_WORK_TREE": str(repo.path)},
        {"GIT_DIR": str(repo.path / ".git/worktrees/linked"), "GIT_COMMON_DIR": str(repo.path / ".git"), "GIT_WORK_TREE": str(linked)},
    ):
        with monkeypatch.context() as patch:
            for name, value in env.items():
                patch.setenv(name, value)
            agree(repo.path)


def test_a_shallow_file_of_the_environment(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As pre-receive gets it when the push comes from a shallow clone."""
    oid = repo.commit("one\n")
    (tmp_path / "shallow").write_text(oid + "\n")
    assert not PlumbingReader(str(repo.path)).is_shallow()
    monkeypatch.setenv("GIT_SHALLOW_FILE", str(tmp_path / "shallow"))
    assert PlumbingReader(str(repo.path)).is_shallow()


def test_what_is_no_git_dir_is_left_to_git(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty/.git").mkdir(parents=True)
    assert find_git_dir(str(tmp_path / "empty"), {}) == ""
    assert find_git_dir(str(repo.path), {"GIT_DIR": "nowhere"}) == ""
    assert find_root(str(tmp_path / "empty"), {}) == ""
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd/.git").write_text("something else\n")
    assert find_git_dir(str(tmp_path / "odd"), {}) == ""
    (repo.path / ".git/config").unlink()
    assert find_root(str(repo.path), {}) == ""
    monkeypatch.setenv("GIT_DIR", "nowhere")
    with pytest.raises(HoardError):
        PlumbingReader(str(repo.path)).git_dir()


def test_a_repository_of_somebody_else_is_refused_in_gits_words(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(HoardError, match="dubious ownership") as caught:
        PlumbingReader(str(repo.path)).head()
    assert "safe.directory" in caught.value.hint
