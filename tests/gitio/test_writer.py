from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from hoard_git.core.model import Oid, RepoPath
from hoard_git.errors import HoardError
from hoard_git.gitio import locks, writer
from hoard_git.gitio.opening import open_reader
from hoard_git.gitio.plumbing import PlumbingReader
from hoard_git.gitio.process import GitError
from hoard_git.gitio.reader import Ident
from hoard_git.gitio.writer import commit_paths, update_ref, write_tree_commit
from tests.support.environment import ROOT
from tests.support.repo import Repo

MEMORY = RepoPath("MEMORY.md")


def reading(repo: Repo) -> PlumbingReader:
    return PlumbingReader(str(repo.path))


def hook(repo: Repo, name: str, script: str) -> None:
    path = repo.path / ".git/hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def git_files(repo: Repo) -> list[str]:
    """What lies in the git dir; a split index keeps its old shared part there for two weeks."""
    return sorted(path.name for path in (repo.path / ".git").iterdir() if not path.name.startswith("sharedindex"))


@pytest.fixture
def filled(repo: Repo) -> Repo:
    repo.commit("one\n", {"MEMORY.md": "- one\n", "other.txt": "x\n", "gone.md": "- gone\n"})
    return repo


class TestCommitPaths:
    @pytest.mark.parametrize("batch", [False, True])
    def test_exactly_these_paths_and_this_message(self, filled: Repo, batch: bool) -> None:
        filled.stage({"other.txt": "staged\n"})
        filled.write("other.txt", "unstaged\n")
        filled.write("MEMORY.md", "- two\n")
        (filled.path / "gone.md").unlink()
        filled.write("memory/new ü.md", "- new\n")
        filled.write("stray.md", "untracked\n")
        message = b"subject\n\n## not a comment\n---\n\nMemory-Op: write\n\n\n"
        paths = [MEMORY, RepoPath("gone.md"), RepoPath("memory/new ü.md")]
        oid = commit_paths(open_reader(str(filled.path), batch=batch), message, paths)
        assert oid == filled.head()
        assert filled.message().encode() == message
        assert filled.line("-c", "core.quotePath=false", "diff-tree", "-r", "--name-status", "HEAD^", "HEAD").split("\n") == [
            "M\tMEMORY.md",
            "D\tgone.md",
            "A\tmemory/new ü.md",
        ]
        assert filled.git("status", "--porcelain", "-z").stdout == b"MM other.txt\0?? stray.md\0"
        assert filled.show(":0", "other.txt") == b"staged\n"

    def test_a_first_commit(self, repo: Repo) -> None:
        repo.write("MEMORY.md", "- one\n")
        assert commit_paths(reading(repo), b"one\n", [MEMORY]) == repo.head()
        assert repo.git("status", "--porcelain").stdout == b""

    def test_from_a_folder_and_with_a_path_that_looks_like_a_pattern(self, filled: Repo) -> None:
        odd = RepoPath("memory/:(glob)*.md")
        filled.write(odd, "- odd\n")
        filled.write("memory/also.md", "- other\n")
        reader = PlumbingReader(str(filled.path / "memory"))
        commit_paths(reader, b"odd\n", [odd])
        assert filled.git("show", "--format=", "--name-only", "-z", "HEAD").stdout == odd.encode() + b"\0"

    def test_author_time_and_environment(self, filled: Repo) -> None:
        filled.write("MEMORY.md", "- two\n")
        author = Ident("Grace ü", "grace@example.org", 1700000000, "-0130")
        oid = commit_paths(reading(filled), b"two\n", [MEMORY], author=author, env_extra={"GIT_COMMITTER_NAME": "Clerk"})
        commit = reading(filled).commit(oid)
        assert commit.author == author
        assert commit.committer.name == "Clerk"
        filled.write("MEMORY.md", "- three\n")
        assert (
            reading(filled).commit(commit_paths(reading(filled), b"3\n", [MEMORY], author=author._replace(time=0))).author.time
            == 1780000000
        )

    def test_hooks_run_with_their_own_pathspecs_and_see_utf8(self, filled: Repo) -> None:
        hook(filled, "pre-commit", 'git diff --cached --name-only -- "M*.md" >seen; echo "$LC_ALL ${GIT_LITERAL_PATHSPECS-unset}" >>seen')
        filled.write("MEMORY.md", "- two\n")
        commit_paths(reading(filled), b"two\n", [MEMORY])
        assert filled.read("seen") == "MEMORY.md\nC.UTF-8 unset\n"

    def test_the_commit_that_was_made_is_returned_even_when_a_hook_makes_another(self, filled: Repo) -> None:
        hook(filled, "post-commit", "git update-ref HEAD HEAD^")
        filled.write("MEMORY.md", "- two\n")
        oid = commit_paths(reading(filled), b"two\n", [MEMORY])
        assert filled.head(f"{oid}^") == filled.head()

    @pytest.mark.parametrize("index", ["plain", "split", "none", "v4"])
    def test_a_refusal_leaves_everything_as_it_was(self, repo: Repo, index: str) -> None:
        if index != "none":
            repo.commit("one\n", {"MEMORY.md": "- one\n", "other.txt": "x\n"})
            repo.stage({"other.txt": "staged\n"})
        if index == "split":
            repo.git("update-index", "--split-index")
        if index == "v4":
            repo.git("update-index", "--index-version", "4")
        hook(repo, "pre-commit", "echo 'MEMORY.md:1:1: HG201 secret' >&2; exit 1")
        repo.write("MEMORY.md", "- two\n")
        repo.write("memory/new.md", "- new\n")
        before, files = repo.snapshot(), git_files(repo)
        with pytest.raises(GitError, match="HG201 secret") as caught:
            commit_paths(reading(repo), b"two\n", [MEMORY, RepoPath("memory/new.md")])
        assert caught.value.output == "MEMORY.md:1:1: HG201 secret"
        assert repo.snapshot() == before
        assert git_files(repo) == files

    def test_a_refusal_while_somebody_stages_takes_only_our_entries_back(self, filled: Repo) -> None:
        # The hook stands for another process: git has not taken the index lock of the repository away from it only because of --only.
        hook(filled, "pre-commit", "cp .git/index .git/copy; exit 1")
        filled.write("new.md", "- new\n")
        filled.write("theirs.txt", "theirs\n")
        env = {**os.environ}
        real = locks.replace_locked

        def staged_meanwhile(target: Path, data: locks.Version | None, expected: locks.Version | None) -> bool:
            if staged_meanwhile.calls:  # type: ignore[attr-defined]
                subprocess.run(["git", "add", "theirs.txt"], cwd=filled.path, env=env, check=True)
            staged_meanwhile.calls += 1  # type: ignore[attr-defined]
            return real(target, data, expected)

        staged_meanwhile.calls = 0  # type: ignore[attr-defined]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("hoard_git.gitio.writer.replace_locked", staged_meanwhile)
            with pytest.raises(GitError):
                commit_paths(reading(filled), b"x\n", [RepoPath("new.md")])
        assert filled.git("status", "--porcelain", "-z").stdout == b"A  theirs.txt\0?? new.md\0"

    @pytest.mark.parametrize("refused", [False, True])
    def test_a_change_in_the_tick_of_the_last_index_write_is_not_lost(self, filled: Repo, refused: bool) -> None:
        for name in ("core.trustCtime", "core.checkStat"):
            filled.git("config", name, {"core.trustCtime": "false"}.get(name, "minimal"))
        tick = 1_770_000_000 * 10**9
        memory, index = filled.path / "MEMORY.md", filled.path / ".git/index"
        os.utime(memory, ns=(tick, tick))
        filled.git("update-index", "--refresh")
        os.utime(index, ns=(tick, tick))
        filled.write("MEMORY.md", "- two\n")
        os.utime(memory, ns=(tick, tick))
        filled.write("new.md", "- new\n")
        if refused:
            hook(filled, "pre-commit", "exit 1")
            with pytest.raises(GitError):
                commit_paths(reading(filled), b"x\n", [RepoPath("new.md")])
            assert filled.git("--no-optional-locks", "status", "--porcelain").stdout == b" M MEMORY.md\n?? new.md\n"
        else:
            commit_paths(reading(filled), b"x\n", [MEMORY, RepoPath("new.md")])
            assert filled.show("HEAD", "MEMORY.md") == b"- two\n"

    def test_nothing_to_commit(self, filled: Repo) -> None:
        filled.stage({"other.txt": "staged\n"})
        before = filled.snapshot()
        for paths in ([MEMORY], []):
            with pytest.raises(HoardError, match="nothing to commit"):
                commit_paths(reading(filled), b"x\n", paths)
        assert filled.snapshot() == before

    def test_a_silent_refusal_is_not_nothing_to_commit(self, filled: Repo) -> None:
        hook(filled, "pre-commit", "exit 1")
        filled.write("MEMORY.md", "- two\n")
        with pytest.raises(GitError, match="git commit failed"):
            commit_paths(reading(filled), b"x\n", [MEMORY])

    def test_an_ignored_file_is_named(self, filled: Repo) -> None:
        filled.stage({".gitignore": "memory/\n"})
        filled.write("memory/a.md", "- a\n")
        before = filled.snapshot()
        with pytest.raises(HoardError, match=r"memory/a\.md is ignored by \.gitignore") as caught:
            commit_paths(reading(filled), b"x\n", [RepoPath("memory/a.md")])
        assert caught.value.hint == "git check-ignore -v 'memory/a.md'"
        assert filled.snapshot() == before

    def test_a_path_that_is_nowhere(self, filled: Repo) -> None:
        with pytest.raises(GitError, match="did not match any file"):
            commit_paths(reading(filled), b"x\n", [RepoPath("nowhere.md")])

    def test_during_a_merge(self, filled: Repo) -> None:
        filled.git("checkout", "-q", "-b", "side")
        filled.commit("side\n", {"MEMORY.md": "- side\n"})
        filled.git("checkout", "-q", "main")
        filled.commit("main\n", {"MEMORY.md": "- main\n"})
        filled.git("merge", "side", check=False)
        with pytest.raises(HoardError, match="in progress") as caught:
            commit_paths(reading(filled), b"x\n", [RepoPath("other.txt")])
        assert "git status" in caught.value.hint

    def test_with_an_object_that_is_missing(self, filled: Repo) -> None:
        filled.commit("Data\n", {"large.bin": "large\n"})
        lost = filled.line("rev-parse", "HEAD:large.bin")
        (filled.path / ".git/objects" / lost[:2] / lost[2:]).unlink()
        filled.write("MEMORY.md", "changed\n")
        with pytest.raises(HoardError) as caught:
            commit_paths(reading(filled), b"m\n", [MEMORY])
        assert caught.value.message == f"The object {lost[:12]}, which HEAD names, is missing here; nothing was committed."
        assert caught.value.hint == "git fsck --connectivity-only"
        filled.git("config", "remote.origin.promisor", "true")
        with pytest.raises(HoardError, match="partial clone") as caught:
            commit_paths(reading(filled), b"m\n", [MEMORY])
        assert caught.value.hint.endswith("git fetch --refetch --no-filter")

    def test_without_an_identity(self, filled: Repo, monkeypatch: pytest.MonkeyPatch, sealed: Path) -> None:
        for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"):
            monkeypatch.delenv(name)
        (sealed / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n")
        filled.write("MEMORY.md", "- two\n")
        with pytest.raises(HoardError, match="does not know who you are") as caught:
            commit_paths(reading(filled), b"x\n", [MEMORY])
        assert "git config user.email" in caught.value.hint


class TestLocks:
    def test_a_lock_that_goes_away_is_waited_for(self, filled: Repo) -> None:
        lock = filled.path / ".git/index.lock"
        lock.touch()
        filled.write("MEMORY.md", "- two\n")
        filled.write("new.md", "- new\n")
        timer = threading.Timer(0.5, lock.unlink)
        timer.start()
        assert commit_paths(reading(filled), b"x\n", [MEMORY, RepoPath("new.md")]) == filled.head()
        timer.join()

    @pytest.mark.parametrize("name", ["index.lock", "HEAD.lock"])
    def test_a_lock_that_stays_is_named_and_kept(self, filled: Repo, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        monkeypatch.setattr(locks, "PATIENCE", 0.3)
        lock = filled.path / ".git" / name
        lock.touch()
        os.utime(lock, (time.time() - 100, time.time() - 100))
        filled.write("MEMORY.md", "- two\n")
        filled.write("new.md", "- new\n")
        before = filled.snapshot()
        with pytest.raises(HoardError, match=rf"Another git process holds .*{name}, 10\d seconds old; nothing was changed") as caught:
            commit_paths(reading(filled), b"x\n", [MEMORY, RepoPath("new.md")])
        assert f"rm '{lock}'" in caught.value.hint
        assert lock.exists()
        lock.unlink()
        assert filled.snapshot() == before

    def test_four_writers_lose_nothing(self, filled: Repo) -> None:
        filled.stage({"other.txt": "staged\n"})
        program = (
            "import sys\n"
            f"sys.path.insert(0, {str(ROOT)!r})\n"
            "from hoard_git.gitio.plumbing import PlumbingReader\n"
            "from hoard_git.gitio.writer import commit_paths\n"
            "from hoard_git.gitio.worktree import write_file\n"
            "me, reader = sys.argv[1], PlumbingReader()\n"
            "for number in range(10):\n"
            "    path = f'memory/{me}-{number}.md'\n"
            "    write_file('.', path, b'- fact\\n', None)\n"
            "    print(commit_paths(reader, f'{me} {number}\\n'.encode(), [path]))\n"
        )
        started = [subprocess.Popen([sys.executable, "-c", program, str(n)], cwd=filled.path, stdout=subprocess.PIPE) for n in range(4)]
        told = [line.decode() for process in started for line in process.communicate(timeout=120)[0].split()]
        assert [process.returncode for process in started] == [0] * 4
        assert len(told) == 40
        assert sorted(told) == sorted(filled.line("rev-list", "HEAD", "--not", "HEAD~40").split())
        for oid in told:
            assert len(filled.line("diff-tree", "-r", "--name-only", f"{oid}^", oid).split()) == 1
        assert filled.git("status", "--porcelain").stdout == b"M  other.txt\n"

    def test_a_commit_within_a_commit_does_not_wait_for_itself(self, filled: Repo) -> None:
        program = (
            "import sys\n"
            f"sys.path.insert(0, {str(ROOT)!r})\n"
            "from hoard_git.gitio.plumbing import PlumbingReader\n"
            "from hoard_git.gitio.writer import commit_paths\n"
            "commit_paths(PlumbingReader(), b'inner\\n', ['inner.md'])\n"
        )
        filled.write("../inner.py", program)
        hook(filled, "post-commit", f"[ -e inner.md ] || {{ echo x >inner.md; '{sys.executable}' ../inner.py; }}")
        filled.write("MEMORY.md", "- two\n")
        outer = commit_paths(reading(filled), b"outer\n", [MEMORY])
        assert filled.head("HEAD^") == outer
        assert filled.message() == "inner\n"

    def test_a_turn_that_never_comes(self, filled: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(locks, "TURN", 0.2)
        filled.write("MEMORY.md", "- two\n")
        with locks.turn(str(filled.path / ".git")), pytest.raises(HoardError, match="Another hoard command"):
            commit_paths(reading(filled), b"x\n", [MEMORY])
        assert commit_paths(reading(filled), b"x\n", [MEMORY]) == filled.head()

    def test_entries_that_another_git_wrote_away_are_announced_again(self, filled: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
        real = writer._commit
        calls: list[object] = []

        def raced(plumbing: PlumbingReader, *args: Any) -> bytes:
            if not calls:
                filled.git("rm", "-q", "--cached", "new.md")
            calls.append(args)
            return real(plumbing, *args)

        monkeypatch.setattr(writer, "_commit", raced)
        filled.write("new.md", "- new\n")
        assert commit_paths(reading(filled), b"x\n", [RepoPath("new.md")]) == filled.head()
        assert len(calls) == 2
        assert filled.show("HEAD", "new.md") == b"- new\n"

    def test_an_interrupted_writer_leaves_no_lock(self, filled: Repo) -> None:
        hook(filled, "pre-commit", "touch started; sleep 20 >/dev/null 2>&1")
        filled.write("new.md", "- new\n")
        before = filled.index_bytes()
        program = (
            "import sys\n"
            f"sys.path.insert(0, {str(ROOT)!r})\n"
            "from hoard_git.gitio.plumbing import PlumbingReader\n"
            "from hoard_git.gitio.writer import commit_paths\n"
            "commit_paths(PlumbingReader(), b'x\\n', ['new.md'])\n"
        )
        process = subprocess.Popen([sys.executable, "-c", program], cwd=filled.path, stderr=subprocess.DEVNULL)
        for _ in range(200):
            if (filled.path / "started").exists():
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=15)
        assert not list((filled.path / ".git").glob("*.lock"))
        assert filled.index_bytes() == before


class TestTreeCommit:
    @pytest.mark.parametrize("options", [(), ("--object-format=sha256",), ("--bare",)])
    def test_nothing_but_objects_is_written(self, tmp_path: Path, options: tuple[str, ...]) -> None:
        repo = Repo.create(tmp_path / "made", *options)
        reader = reading(repo)
        text = "- ü\r\n".encode()
        first = write_tree_commit(reader, None, {MEMORY: text, RepoPath("memory/a\tb.md"): b""}, [], b"first\n")
        before = repo.snapshot() if "--bare" not in options else None
        edits: dict[RepoPath, bytes | None] = {MEMORY: None, RepoPath("memory/c.md"): b"- c\n"}
        author = Ident("Grace", "grace@example.org", 5, "+0100")
        second = write_tree_commit(reader, first, edits, [first], b"second\n\n---\nx\n", author=author)
        assert before is None or repo.snapshot() == before
        commit = reader.commit(second)
        assert (commit.parents, commit.author, commit.message) == ((first,), author, b"second\n\n---\nx\n")
        assert reader.blobs([reader.tree(first)[MEMORY][1]]).popitem()[1] == text
        assert set(reader.tree(second)) == {"memory/a\tb.md", "memory/c.md"}

    def test_the_run_bit_stays_and_filters_do_not_run(self, filled: Repo) -> None:
        (filled.path / "other.txt").chmod(0o755)
        filled.git("config", "core.autocrlf", "true")
        head = Oid(filled.commit("mode\n", {"other.txt": "x\n"}))
        made = write_tree_commit(reading(filled), head, {RepoPath("other.txt"): b"a\r\n"}, [head], b"x\n")
        mode, oid = reading(filled).tree(made)[RepoPath("other.txt")]
        assert (mode, reading(filled).blobs([oid])[oid]) == (0o100755, b"a\r\n")

    def test_no_edit_gives_the_same_tree(self, filled: Repo) -> None:
        head = Oid(filled.head())
        made = write_tree_commit(reading(filled), head, {}, [head], b"empty\n")
        assert reading(filled).commit(made).tree == reading(filled).commit(head).tree

    def test_links_and_absent_files_are_refused(self, filled: Repo) -> None:
        (filled.path / "link").symlink_to("other.txt")
        filled.git("add", "link")
        head = Oid(filled.commit("link\n"))
        with pytest.raises(HoardError, match="not a regular file"):
            write_tree_commit(reading(filled), head, {RepoPath("link"): b"x"}, [head], b"x\n")
        with pytest.raises(HoardError, match="cannot be deleted"):
            write_tree_commit(reading(filled), head, {RepoPath("nowhere"): None}, [head], b"x\n")

    def test_an_agents_commit_without_an_identity(self, filled: Repo, monkeypatch: pytest.MonkeyPatch, sealed: Path) -> None:
        for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"):
            monkeypatch.delenv(name)
        (sealed / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n")
        with pytest.raises(HoardError, match="does not know who you are"):
            write_tree_commit(reading(filled), None, {MEMORY: b""}, [], b"x\n")


class TestUpdateRef:
    def test_compare_and_swap(self, filled: Repo) -> None:
        reader, first = reading(filled), Oid(filled.head())
        second = write_tree_commit(reader, first, {MEMORY: b"- two\n"}, [first], b"two\n")
        ref = "refs/heads/hoard/consolidate"
        update_ref(reader, ref, first, None)
        with pytest.raises(HoardError, match="moved by someone else"):
            update_ref(reader, ref, second, None)
        with pytest.raises(HoardError, match="moved by someone else"):
            update_ref(reader, ref, first, second)
        update_ref(reader, ref, second, first)
        assert filled.head(ref) == second
        with pytest.raises(HoardError, match="moved by someone else"):
            update_ref(reader, ref, None, first)
        update_ref(reader, ref, None, second)
        assert filled.git("for-each-ref", ref).stdout == b""
        with pytest.raises(HoardError, match="moved by someone else"):
            update_ref(reader, ref, second, first)

    @pytest.mark.parametrize("ref", ["FETCH_HEAD", "main", "--stdin", "refs/heads/a b", "refs/heads/a\n"])
    def test_odd_names_are_refused(self, filled: Repo, ref: str) -> None:
        with pytest.raises(HoardError, match="not a full ref name"):
            update_ref(reading(filled), ref, Oid(filled.head()), None)

    def test_a_name_that_git_refuses(self, filled: Repo) -> None:
        with pytest.raises(GitError, match="git update-ref failed"):
            update_ref(reading(filled), "refs/heads/a..b", Oid(filled.head()), None)


def test_without_file_locks_of_the_system_the_commit_is_made_all_the_same(filled: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    filled.write("MEMORY.md", "- two\n")
    monkeypatch.setitem(sys.modules, "fcntl", None)
    assert commit_paths(reading(filled), b"x\n", [MEMORY]) == filled.head()
    monkeypatch.undo()


def test_an_index_that_never_rests(filled: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "replace_locked", lambda *_: False)
    filled.write("new.md", "- new\n")
    with pytest.raises(HoardError, match="The index changes all the time"):
        commit_paths(reading(filled), b"x\n", [RepoPath("new.md")])
