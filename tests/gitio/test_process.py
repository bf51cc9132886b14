from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hoard_git.errors import HoardError
from hoard_git.gitio import process
from hoard_git.gitio.process import GitError, clean_env, decode_path, encode_path, run, safe_text, start
from tests.support.environment import ROOT
from tests.support.repo import Repo


def test_large_input_and_output_do_not_block_each_other(repo: Repo) -> None:
    oid = repo.git("hash-object", "-w", "--stdin", input=b"x" * 1000).stdout
    out = run(["cat-file", "--batch"], stdin=oid * 20_000, cwd=str(repo.path))
    assert len(out) == 20_000 * (len(oid) + len(b" blob 1000\n") - 1 + 1001)


def test_a_process_that_does_not_read_its_input_is_no_error(repo: Repo) -> None:
    for size in (1000, 5_000_000):
        assert run(["--version"], stdin=b"x" * size, cwd=str(repo.path)).startswith(b"git version")


def test_several_processes_run_at_the_same_time_and_end_in_any_order(repo: Repo) -> None:
    oid = repo.git("hash-object", "-w", "--stdin", input=b"y" * 300_000).stdout
    running = [start(["cat-file", "--batch"], stdin=oid * n, cwd=str(repo.path)) for n in (3, 1, 2)]
    assert [len(r.finish()) // 300_000 for r in reversed(running)] == [2, 1, 3]


def test_output_past_the_limit_is_refused_and_the_process_ended(repo: Repo) -> None:
    oid = repo.git("hash-object", "-w", "--stdin", input=b"z" * 3_000_000).stdout
    running = start(["cat-file", "--batch"], stdin=oid * 100, cwd=str(repo.path))
    with pytest.raises(HoardError, match="more than 2 MiB"):
        running.finish(limit=2 << 20)
    running.abandon()


def test_an_abandoned_process_leaves_no_zombie_and_no_descriptor(repo: Repo) -> None:
    table = Path("/proc/self/fd")
    before = len(list(table.iterdir())) if table.is_dir() else 0
    for _ in range(20):
        start(["cat-file", "--batch"], stdin=b"x" * 100_000, cwd=str(repo.path)).abandon()
        with pytest.raises(GitError):
            run(["no-such-command"])
    if before:
        assert len(list(table.iterdir())) == before
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_a_failure_names_the_command_and_gits_first_complaint(repo: Repo) -> None:
    with pytest.raises(GitError) as caught:
        run(["rev-parse", "--verify", "no\x1b[31m"], cwd=str(repo.path))
    assert caught.value.message == "git rev-parse failed: Needed a single revision."
    assert caught.value.status == 128
    with pytest.raises(GitError) as caught:
        run(["cat-file", "-t", "ev\u202eil"], cwd=str(repo.path))
    assert caught.value.message == r"git cat-file failed: Not a valid object name ev\u202eil."
    assert safe_text(b"a\x1b]0;b\x07\xff\xc2\x9b") == r"a\x1b]0;b\x07\xff\x9b"


def test_no_credential_reaches_a_message() -> None:
    word = "hun" + "ter2"
    text = safe_text(f"fatal: unable to access 'https://me:{word}@host/x.git/': 403\nAuthorization: Basic {word}\n\tok\r\n".encode())
    assert word not in text
    assert text == "fatal: unable to access 'https://***@host/x.git/': 403\nAuthorization: Basic ***\n ok\n"


def test_git_missing_from_path_says_how_to_go_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HoardError, match="not found on PATH") as caught:
        run(["--version"])
    assert "Install git" in caught.value.hint


def test_outside_a_repository_the_hint_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(GitError) as caught:
        run(["rev-parse", "--git-dir"], cwd=str(tmp_path))
    assert "git init" in caught.value.hint


def test_relative_paths_of_a_hook_keep_their_meaning_in_another_folder(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.stage({"memory/a.md": "- a\n"})
    monkeypatch.chdir(repo.path)
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_WORK_TREE", ".")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    assert run(["ls-files", "--full-name"], cwd="memory") == b"memory/a.md\n"


def test_the_environment_for_other_repositories_has_no_trace_of_the_hook(monkeypatch: pytest.MonkeyPatch) -> None:
    local = subprocess.run(["git", "rev-parse", "--local-env-vars"], capture_output=True, check=True, text=True).stdout.split()
    for name in [*local, "GIT_QUARANTINE_PATH", "GIT_AUTHOR_NAME", "GIT_CONFIG_KEY_0"]:
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("GIT_SSH_COMMAND", "ssh -v")
    kept = {name for name in clean_env() if name.startswith("GIT_")}
    assert kept == {"GIT_SSH_COMMAND", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL", "GIT_TERMINAL_PROMPT"}


def test_a_variable_that_changes_pathspecs_does_not_reach_our_git(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.stage({"MEMORY.md": "- a\n"})
    for name in ("GIT_LITERAL_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_GLOB_PATHSPECS"):
        monkeypatch.setenv(name, "1")
    assert run(["ls-files", "--", ":(top)memory.md"], cwd=str(repo.path)) == b""
    assert run(["ls-files", "--", ":(top)M*.md"], cwd=str(repo.path)) == b"MEMORY.md\n"


def test_closed_standard_streams_do_not_mix_up_the_pipes(repo: Repo) -> None:
    program = (
        "import os, sys; os.close(0); os.close(1); os.close(2)\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "from hoard_git.gitio.process import run\n"
        f"out = run(['hash-object', '--stdin'], stdin=b'abc', cwd={str(repo.path)!r})\n"
        f"open({str(repo.path / 'said')!r}, 'wb').write(out)\n"
    )
    subprocess.run([sys.executable, "-I", "-c", program], check=True)
    assert repo.read("said") == repo.git("hash-object", "--stdin", input=b"abc").stdout.decode()


def test_without_posix_spawn_the_answers_are_the_same(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "posix_spawnp")
    assert (
        run(["hash-object", "--stdin"], stdin=b"x" * 1_000_000, cwd=str(repo.path))
        == repo.git("hash-object", "--stdin", input=b"x" * 1_000_000).stdout
    )
    with pytest.raises(GitError, match="git rev-parse failed"):
        run(["rev-parse", "--verify", "nothing"], cwd=str(repo.path))
    oid = repo.git("hash-object", "-w", "--stdin", input=b"z" * 3_000_000).stdout
    with pytest.raises(HoardError, match="more than 2 MiB"):
        start(["cat-file", "--batch"], stdin=oid, cwd=str(repo.path)).finish(limit=2 << 20)
    started = time.monotonic()
    start(["cat-file", "--batch"], stdin=b"", cwd=str(repo.path)).abandon()
    assert time.monotonic() - started < 30
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(HoardError, match="not found on PATH"):
        run(["--version"])


def test_every_path_survives_the_way_to_text_and_back() -> None:
    for raw in (b"a", "ü/漢".encode(), b"\xff\xfe/\xc3", b"tab\t\n\x01"):
        assert encode_path(decode_path(raw)) == raw


def test_the_hot_path_imports_nothing_dear() -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\nimport hoard_git.gitio.plumbing, hoard_git.gitio.opening\n"
        "print(*[m for m in ('subprocess', 'typing', 'pathlib', 'dataclasses', 'enum', 're', 'select', 'pygit2') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, check=True).stdout.strip() == b""
    assert process.__doc__
