from __future__ import annotations

import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from hoard_git import __version__
from hoard_git.errors import HoardError
from hoard_git.gitio import hookfiles
from hoard_git.gitio.hookfiles import (
    HookAction,
    apply_install,
    hooks_dir,
    plan_install,
    plan_server,
    render,
    status,
    templates_dir,
    uninstall,
)
from hoard_git.gitio.plumbing import PlumbingReader
from tests.support.repo import Repo, run

# It leaves early, as a shim does when nothing is to be judged.
TEMPLATE = """\
#!/bin/sh
# hoard test shim
hoard_python=@PYTHON@
hoard_package=@PACKAGE@
[ ! -f leave-early ] || exit 0
exec "$hoard_python" -c 'import sys; open("told", "a").write(repr((sys.argv[1:], sys.stdin.read())) + "\\n")' "$hoard_package" "$@"
"""
NAMES = ["pre-commit", "pre-push"]


@pytest.fixture(autouse=True)
def templates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "templates"
    folder.mkdir()
    for name in NAMES:
        (folder / name).write_text(TEMPLATE)
    monkeypatch.setattr(hookfiles, "templates_dir", lambda: folder)
    return folder


@pytest.fixture
def interpreter(tmp_path: Path) -> str:
    """An interpreter whose path needs quoting."""
    folder = tmp_path / 'it\'s a "path" $HOME'
    folder.mkdir()
    (folder / "python").symlink_to(sys.executable)
    return str(folder / "python")


def reading(repo: Repo) -> PlumbingReader:
    return PlumbingReader(str(repo.path))


def install(repo: Repo, interpreter: str, **options: bool) -> list[HookAction]:
    actions = plan_install(reading(repo), NAMES, interpreter, str(repo.path), **options)
    apply_install(actions)
    return actions


def states(repo: Repo) -> list[str]:
    return [hook.state for hook in status(reading(repo), NAMES)]


def kinds(actions: list[HookAction]) -> list[str]:
    return [action.kind for action in actions]


def foreign(repo: Repo, name: str = "pre-commit", text: str = "#!/bin/sh\necho foreign >>said\n", mode: int = 0o711) -> Path:
    path = repo.path / ".git/hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def test_install_run_status_uninstall(repo: Repo, interpreter: str) -> None:
    assert states(repo) == ["missing", "missing"]
    assert kinds(install(repo, interpreter)) == ["install", "install"]
    assert states(repo) == ["installed", "installed"]
    repo.commit("one\n", {"a": "b"})
    assert repo.read("told") == repr(([str(repo.path)], "")) + "\n"
    before = repo.snapshot()
    assert kinds(install(repo, interpreter)) == ["keep", "keep"]
    assert repo.snapshot() == before
    assert kinds(uninstall(reading(repo), NAMES)) == ["remove", "remove"]
    assert uninstall(reading(repo), NAMES) == []
    assert list((repo.path / ".git/hooks").iterdir()) == []


def test_a_foreign_hook_runs_first_and_comes_back(repo: Repo, interpreter: str) -> None:
    path = foreign(repo)
    content, mode = path.read_bytes(), path.stat().st_mode
    assert states(repo) == ["foreign", "missing"]
    assert kinds(install(repo, interpreter)) == ["chain", "install"]
    assert states(repo) == ["chained", "installed"]
    repo.commit("one\n", {"a": "b"})
    assert repo.read("said") == "foreign\n"
    assert repo.read("told")
    assert kinds(install(repo, interpreter)) == ["keep", "keep"]
    assert kinds(uninstall(reading(repo), NAMES)) == ["restore", "remove"]
    assert (path.read_bytes(), path.stat().st_mode) == (content, mode)
    assert [p.name for p in path.parent.iterdir()] == ["pre-commit"]


def test_a_foreign_hooks_failure_counts_and_both_get_the_input(repo: Repo, interpreter: str, tmp_path: Path) -> None:
    foreign(repo, "pre-push", '#!/bin/sh\ncat >said; echo "$@" >>said\n')
    install(repo, interpreter)
    remote = Repo.create(tmp_path / "remote", "--bare")
    oid = repo.commit("one\n", {"a": "b"})
    (repo.path / "told").unlink()
    repo.git("push", "-q", str(remote.path), "main")
    line = f"refs/heads/main {oid} refs/heads/main {'0' * 40}\n"
    assert repo.read("said") == f"{line}{remote.path} {remote.path}\n"
    assert repo.read("told") == repr(([str(repo.path), str(remote.path), str(remote.path)], line)) + "\n"
    foreign(repo, "pre-push.hoard-chained", "#!/bin/sh\nexit 3\n")
    repo.commit("two\n", {"a": "c"})
    assert repo.git("push", "-q", str(remote.path), "main", check=False).returncode != 0


def test_a_foreign_link_is_kept_as_a_link(repo: Repo, interpreter: str) -> None:
    path = foreign(repo, "real")
    link = path.with_name("pre-commit")
    link.symlink_to("real")
    install(repo, interpreter)
    assert not link.is_symlink()
    uninstall(reading(repo), NAMES)
    assert str(link.readlink()) == "real"


def test_a_foreign_hook_runs_even_where_the_shim_leaves_early_or_was_moved(repo: Repo, interpreter: str) -> None:
    path = foreign(repo)
    install(repo, interpreter)
    repo.write("leave-early", "")
    repo.commit("one\n")
    path.rename(path.with_name("pre-commit.legacy"))
    path.write_text('#!/bin/sh\nexec .git/hooks/pre-commit.legacy "$@"\n')
    path.chmod(0o755)
    repo.commit("two\n")
    assert repo.read("said") == "foreign\n" * 2


def test_a_chained_hook_without_input_leaves_none_to_the_shim(repo: Repo, interpreter: str, tmp_path: Path) -> None:
    foreign(repo, "pre-push", "#!/bin/sh\ncat >said\n")
    install(repo, interpreter)
    repo.git("hook", "run", "pre-push", "--", "origin", "url")
    assert (repo.read("said"), repo.read("told")) == ("", repr(([str(repo.path), "origin", "url"], "")) + "\n")


def test_a_foreign_hook_that_is_not_executable_is_kept_and_not_run(repo: Repo, interpreter: str) -> None:
    path = foreign(repo, mode=0o640)
    install(repo, interpreter)
    repo.commit("one\n", {"a": "b"})
    assert repo.read("told")
    assert not (repo.path / "said").exists()
    assert "pre-commit.hoard-chained, which is not executable" in status(reading(repo), NAMES)[0].detail
    uninstall(reading(repo), NAMES)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_the_real_templates_can_be_filled_and_chained(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hookfiles, "templates_dir", templates_dir)
    for template in sorted(templates_dir().iterdir()):
        for chained in ("", template.name):
            shim = tmp_path / template.name
            shim.write_bytes(render(template.read_bytes(), "/it's/python", "/a b", chained=chained))
            assert subprocess.run(["sh", "-n", str(shim)], check=False).returncode == 0
            assert hookfiles._values(shim.read_bytes(), template.name) == ("/it's/python", "/a b")


def test_a_second_foreign_hook_is_never_overwritten(repo: Repo, interpreter: str) -> None:
    foreign(repo)
    install(repo, interpreter)
    path = foreign(repo, text="#!/bin/sh\necho second\n")
    assert states(repo) == ["foreign", "installed"]
    with pytest.raises(HoardError, match=r"pre-commit\.hoard-chained is there already"):
        install(repo, interpreter)
    assert uninstall(reading(repo), ["pre-commit"]) == []
    assert path.read_text() == "#!/bin/sh\necho second\n"


def test_a_hook_that_appears_after_the_plan_is_left_alone(repo: Repo, interpreter: str) -> None:
    actions = plan_install(reading(repo), NAMES, interpreter, str(repo.path))
    path = foreign(repo)
    with pytest.raises(HoardError, match="was changed meanwhile") as caught:
        apply_install(actions)
    assert caught.value.hint == "hoard hooks install"
    assert "foreign" in path.read_text()


def test_a_servers_hook_that_appears_after_the_plan_names_the_servers_command(tmp_path: Path, templates: Path, interpreter: str) -> None:
    (templates / "pre-receive").write_text(TEMPLATE)
    server = Repo(tmp_path / "server.git")
    run(["git", "init", "-q", "--bare", server.path], cwd=tmp_path)
    actions = plan_server(reading(server), ["pre-receive"], interpreter, str(tmp_path))
    Path(actions[0].path).write_text("#!/bin/sh\necho foreign\n")
    with pytest.raises(HoardError, match="was changed meanwhile") as caught:
        apply_install(actions)
    assert caught.value.hint == "hoard hooks install --server"


def test_a_crash_between_moving_and_placing_is_mended(repo: Repo, interpreter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = foreign(repo)
    content = path.read_bytes()

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(hookfiles, "_place", full)
        with pytest.raises(OSError, match="No space"):
            install(repo, interpreter)
    assert path.read_bytes() == content
    path.rename(path.with_name("pre-commit.hoard-chained"))
    assert kinds(install(repo, interpreter)) == ["install", "install"]
    assert states(repo)[0] == "chained"
    (path).unlink()
    uninstall(reading(repo), NAMES)
    assert path.read_bytes() == content


def test_states_that_need_a_repair(repo: Repo, interpreter: str, templates: Path) -> None:
    install(repo, interpreter)
    path = repo.path / ".git/hooks/pre-commit"
    path.chmod(0o644)
    assert states(repo)[0] == "outdated"
    assert kinds(install(repo, interpreter))[0] == "update"
    assert stat.S_IMODE(path.stat().st_mode) == 0o755
    (templates / "pre-commit").write_text(TEMPLATE + "# newer\n")
    assert states(repo)[0] == "outdated"
    assert kinds(install(repo, interpreter))[0] == "update"
    assert states(repo) == ["installed", "installed"]
    shutil.rmtree(Path(interpreter).parent)
    found = status(reading(repo), NAMES)[0]
    assert (found.state, found.fix) == ("broken-interpreter", "hoard hooks install")
    assert "is gone" in found.detail
    assert kinds(install(repo, sys.executable)) == ["update", "update"]
    assert states(repo) == ["installed", "installed"]


def test_a_users_own_hook_that_calls_hoard_is_not_ours(repo: Repo, interpreter: str) -> None:
    path = foreign(repo, text="#!/bin/sh\nexec hoard-hook pre-commit\n")
    install(repo, interpreter)
    assert states(repo)[0] == "chained"
    uninstall(reading(repo), NAMES)
    assert path.read_text() == "#!/bin/sh\nexec hoard-hook pre-commit\n"


def test_linked_worktrees_and_bare_repositories(repo: Repo, interpreter: str, tmp_path: Path) -> None:
    repo.commit("one\n")
    linked = Repo(tmp_path / "linked")
    repo.git("worktree", "add", "-q", "-b", "linked", linked.path)
    (linked.path / "folder").mkdir()
    assert hooks_dir(PlumbingReader(str(linked.path / "folder"))) == repo.path / ".git/hooks"
    assert states(linked) == ["missing", "missing"]
    bare = Repo.create(tmp_path / "bare.git", "--bare")
    assert kinds(install(bare, interpreter)) == ["install", "install"]
    assert (bare.path / "hooks/pre-push").is_file()


class TestManagers:
    def test_a_folder_that_other_repositories_share_is_left_alone(self, repo: Repo, interpreter: str, tmp_path: Path) -> None:
        shared = tmp_path / "shared hooks"
        repo.git("config", "--global", "core.hooksPath", shared)
        assert hooks_dir(reading(repo)) == shared
        actions = install(repo, interpreter)
        assert kinds(actions) == ["print"]
        assert "other repositories share" in actions[0].text
        assert all("git config --local core.hooksPath" in hook.fix for hook in status(reading(repo), NAMES))
        assert "git config --local core.hooksPath" in actions[0].text
        assert not shared.exists()
        assert states(repo) == ["missing", "missing"]

    def test_a_folder_of_this_repository_is_used(self, repo: Repo, interpreter: str) -> None:
        repo.git("config", "core.hooksPath", ".githooks")
        assert kinds(install(repo, interpreter)) == ["install", "install"]
        assert (repo.path / ".githooks/pre-commit").is_file()

    @pytest.mark.parametrize("hooks_path", [".husky/_", ".husky"])
    @pytest.mark.parametrize("content", [None, b"npm test\n", b"npm test", b"", b"#!/bin/sh\r\n"])
    def test_husky(self, repo: Repo, interpreter: str, hooks_path: str, content: bytes | None) -> None:
        path = repo.path / ".husky/pre-commit"
        path.parent.mkdir()
        if content is not None:
            path.write_bytes(content)
        repo.git("config", "core.hooksPath", hooks_path)
        actions = install(repo, interpreter)
        assert kinds(actions) == ["print"]
        assert "hoard hooks install --husky" in actions[0].text
        assert 'hoard-hook pre-commit "$@"' in actions[0].text
        assert {hook.fix for hook in status(reading(repo), NAMES)} == {"hoard hooks install --husky"}
        assert (path.read_bytes() if path.exists() else None) == content
        assert kinds(install(repo, interpreter, edit_husky=True)) == ["append", "append"]
        assert path.read_bytes().count(b"hoard-hook pre-commit") == 1
        assert path.read_bytes().startswith(content or b"")
        assert states(repo) == ["installed", "installed"]
        assert kinds(install(repo, interpreter, edit_husky=True)) == ["keep", "keep"]
        assert subprocess.run(["sh", "-n", str(path)], check=False).returncode == 0
        assert kinds(uninstall(reading(repo), NAMES)) == ["remove", "remove"]
        if content:
            assert path.read_bytes() == content
        assert states(repo)[1] == "missing"

    def test_lefthook(self, repo: Repo, interpreter: str) -> None:
        repo.write("lefthook.yml", "pre-commit:\n  commands: {}\n")
        actions = install(repo, interpreter)
        (action,) = actions
        assert (action.kind, action.name) == ("print", "pre-commit, pre-push")
        assert "run: hoard-hook pre-push {0}\n      use_stdin: true" in action.text
        assert states(repo) == ["missing", "missing"]
        repo.write("lefthook.yml", "pre-commit:\n  commands: {hoard: {run: hoard-hook pre-commit}}\n")
        assert states(repo) == ["installed", "missing"]
        assert "lefthook install" in status(reading(repo), NAMES)[1].fix
        assert kinds(install(repo, interpreter)) == ["keep", "print"]

    def test_the_pre_commit_framework_by_its_config(self, repo: Repo, interpreter: str, templates: Path) -> None:
        repo.write(".pre-commit-config.yaml", "repos: []\n")
        names = ["pre-commit", "pre-merge-commit", "prepare-commit-msg", "commit-msg", "post-rewrite"]
        for name in names:
            (templates / name).write_text(TEMPLATE)
        (action,) = plan_install(reading(repo), names, interpreter, "/package")
        assert action.kind == "print"
        block = action.text.partition("\n")[2]
        assert block == (
            f"repos:\n  - repo: https://github.com/hoard-git/hoard-git\n    rev: v{__version__}\n    hooks:\n"
            "      - id: hoard-check\n      - id: hoard-trailers\n      - id: hoard-commit-msg"
        )
        rows = status(reading(repo), names)
        assert [row.state for row in rows] == ["missing"] * 4
        assert "hoard-check" in rows[0].fix
        assert not (repo.path / ".git/hooks/pre-commit").exists()

        repo.write(".pre-commit-config.yaml", block.replace("- id: hoard-trailers", "# - id: hoard-trailers"))
        assert "id: hoard-trailers" in plan_install(reading(repo), names, interpreter, "/package")[-1].text
        repo.write(".pre-commit-config.yaml", block)
        assert kinds(plan_install(reading(repo), names, interpreter, "/package")) == ["keep"] * 4
        assert [row.fix for row in status(reading(repo), names)] == [f"pre-commit install -t {name}" for name in names[:4]]
        for name in names[:4]:
            foreign(repo, name, "#!/bin/sh\n# File generated by pre-commit: https://pre-commit.com\n")
        assert {(row.state, row.fix) for row in status(reading(repo), names)} == {("installed", "")}

    def test_the_pre_commit_framework_by_its_hook(self, repo: Repo, interpreter: str) -> None:
        path = foreign(repo, text="#!/bin/sh\n# File generated by pre-commit: https://pre-commit.com\n")
        before = path.read_bytes()
        assert kinds(install(repo, interpreter)) == ["print"]
        assert path.read_bytes() == before
        assert states(repo) == ["foreign"]


def test_templates_are_filled_exactly() -> None:
    assert render(b"p=@PYTHON@\nq=@PACKAGE@\n", "/a'b", "/c d") == b"p='/a'\\''b'\nq='/c d'\n"
    for bad in (b"p=@PYTHON@\n", b"p=@PYTHON@\nq=@PACKAGE@@PACKAGE@\n"):
        with pytest.raises(HoardError, match="exactly once"):
            render(bad, "/a", "/b")
    with pytest.raises(HoardError, match="line break"):
        render(TEMPLATE.encode(), "/a\nb", "/b")


@pytest.mark.parametrize("name", ["no-such-hook", "../pre-commit", "", "pre-commit/"])
def test_a_hook_without_a_template(repo: Repo, interpreter: str, name: str) -> None:
    with pytest.raises(HoardError, match="There is no hook named"):
        plan_install(reading(repo), [name], interpreter, "/package")


def test_a_template_without_assignments(repo: Repo, interpreter: str, templates: Path) -> None:
    foreign(repo)
    (templates / "pre-commit").write_text("#!/bin/sh\nexec @PYTHON@ @PACKAGE@\n")
    with pytest.raises(HoardError, match="has no line for @PYTHON@"):
        install(repo, interpreter)


def test_where_templates_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "checkout/hoard_git"
    package.mkdir(parents=True)
    monkeypatch.setattr("hoard_git.__file__", str(package / "__init__.py"))
    with pytest.raises(HoardError, match="templates are missing"):
        templates_dir()
    (tmp_path / "checkout/hooks").mkdir()
    assert templates_dir() == tmp_path / "checkout/hooks"
    (package / "_hooks").mkdir()
    assert templates_dir() == package / "_hooks"
