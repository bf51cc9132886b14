"""Bad input: one line with the reason, the next command, exit status 2, and nothing changed."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.environment import identity
from tests.support.repo import Repo, Workspace, run, run_hoard

AS_AGENT = identity(Workspace.agent)


def break_policy(workspace: Workspace) -> None:
    workspace.write(".hoard.yaml", "version: 1\nactorz: []\n")


def break_yaml(workspace: Workspace) -> None:
    workspace.write(".hoard.yaml", "version: 1\nactors: [\n")


def policy_is_a_directory(workspace: Workspace) -> None:
    (workspace.path / ".hoard.yaml").unlink()
    (workspace.path / ".hoard.yaml").mkdir()


def policy_is_a_link(workspace: Workspace) -> None:
    (workspace.path / ".hoard.yaml").unlink()
    (workspace.path / ".hoard.yaml").symlink_to("MEMORY.md")


def memory_is_a_directory(workspace: Workspace) -> None:
    (workspace.path / "MEMORY.md").unlink()
    (workspace.path / "MEMORY.md").mkdir()


def head_is_broken(workspace: Workspace) -> None:
    (workspace.path / ".git" / "HEAD").write_text("ref: refs/heads/../../x\n")


def head_is_empty(workspace: Workspace) -> None:
    (workspace.path / ".git" / "HEAD").write_bytes(b"")


def index_is_rubbish(workspace: Workspace) -> None:
    (workspace.path / ".git" / "index").write_bytes(b"rubbish")


BREAKS: list[tuple[Callable[[Workspace], None], tuple[str, ...], str]] = [
    (break_policy, ("check",), ".hoard.yaml:2"),
    (break_policy, ("tag",), ".hoard.yaml:2"),
    (break_policy, ("add", "x y z", "--src", "agent"), ".hoard.yaml:2"),
    (break_policy, ("init",), ".hoard.yaml:2"),
    (break_yaml, ("check",), ".hoard.yaml:3"),
    (policy_is_a_directory, ("check",), ".hoard.yaml"),
    (policy_is_a_link, ("check",), ".hoard.yaml"),
    (memory_is_a_directory, ("check",), "MEMORY.md"),
    (memory_is_a_directory, ("tag",), "MEMORY.md"),
    (memory_is_a_directory, ("add", "x y z", "--src", "agent"), "MEMORY.md"),
    (head_is_broken, ("check", "--staged"), ""),
    (head_is_empty, ("check", "--staged"), ""),
    (index_is_rubbish, ("check", "--staged"), "index"),
    (index_is_rubbish, ("commit", "-m", "x"), "index"),
]


@pytest.mark.parametrize(("spoil", "words", "named"), BREAKS, ids=[f"{spoil.__name__}-{words[0]}" for spoil, words, _named in BREAKS])
def test_a_reason_the_next_command_and_exit_2(
    workspace: Workspace, spoil: Callable[[Workspace], None], words: tuple[str, ...], named: str
) -> None:
    spoil(workspace)
    before = sorted((path, path.read_bytes()) for path in workspace.path.rglob("*") if path.is_file() and ".git/hoard" not in str(path))

    done = run_hoard(*words, cwd=workspace, env=AS_AGENT)

    said = done.stderr.decode()
    assert done.returncode == 2, said
    assert said.startswith("hoard: ")
    assert "  next: " in said
    assert named in said
    assert "Traceback" not in said
    assert before == sorted(
        (path, path.read_bytes()) for path in workspace.path.rglob("*") if path.is_file() and ".git/hoard" not in str(path)
    )


@pytest.mark.parametrize(
    "words",
    [
        ("check", "--range", "nowhere..HEAD"),
        ("check", "--commit", "--output=x"),
        ("check", "--commit", "v9.9"),
        ("check", "--patch", "missing.patch"),
        ("check", "missing.md"),
        ("check", "../outside.md"),
        ("check", "--staged", "--commit", "HEAD"),
        ("rule", "HG999"),
        ("chekc",),
        ("--date", "2026-13-01", "check"),
        ("tag", "--src", "user"),
        ("add", "two\nlines", "--src", "agent"),
        ("add", "x <!-- src:user --> y", "--src", "agent"),
        ("add", "fact", "--src", "agent", "--ttl", "09d"),
        ("add", "fact", "--src", "agent", "--file", "notes.txt"),
        ("commit",),
        ("init", "--human", "nobody"),
    ],
    ids=lambda words: "-".join(words)[:40],
)
def test_wrong_words(workspace: Workspace, words: tuple[str, ...]) -> None:
    before = workspace.snapshot()

    done = run_hoard(*words, cwd=workspace, env=AS_AGENT)

    assert done.returncode == 2, (done.stdout, done.stderr)
    assert done.stderr.startswith(b"hoard: ")
    assert b"Traceback" not in done.stderr
    assert workspace.snapshot() == before


def test_outside_a_repository(tmp_path: Path) -> None:
    done = run_hoard("check", cwd=tmp_path)

    assert done.returncode == 2
    assert b"not a git repository" in done.stderr


def test_shallow_clone_cannot_be_judged(workspace: Workspace, tmp_path: Path) -> None:
    workspace.commit("More", {"memory/a.md": "# A <!-- src:agent ts:2026-06-05 -->\n\n- One.\n"})
    run(["git", "clone", "-q", "--depth", "1", workspace.path.as_uri(), tmp_path / "shallow"], cwd=tmp_path)

    done = run_hoard("check", "--range", "HEAD", cwd=tmp_path / "shallow")

    assert done.returncode == 2
    assert b"git fetch --unshallow" in done.stderr


def test_no_identity(repo: Repo, hermetic: Path) -> None:
    (hermetic / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n")
    repo.write("MEMORY.md", "# M <!-- src:agent ts:2026-06-05 -->\n\n- One.\n")

    done = run_hoard("init", cwd=repo)
    assert done.returncode == 2
    assert b"git config --global user.email" in done.stderr
    done = run_hoard("commit", "-m", "x", cwd=repo)
    assert done.returncode == 2
    assert b"git config user.email" in done.stderr


def test_broken_encoding_is_a_finding_and_no_file_is_rewritten(workspace: Workspace) -> None:
    content = b"# T\n\n- caf\xe9\n"
    workspace.write("memory/t.md", content)

    done = run_hoard("check", cwd=workspace)
    assert done.returncode == 1
    assert b"memory/t.md:3:6: HG108" in done.stdout
    done = run_hoard("tag", cwd=workspace)
    assert done.returncode == 2
    assert b"not UTF-8" in done.stderr
    assert workspace.read_bytes("memory/t.md") == content


def test_conflict_markers_are_a_finding_and_no_file_is_rewritten(workspace: Workspace) -> None:
    content = "# T\n\n<<<<<<< ours\n- a\n=======\n- b\n>>>>>>> theirs\n"
    workspace.write("memory/t.md", content)

    assert b"HG109" in run_hoard("check", cwd=workspace).stdout
    assert run_hoard("tag", cwd=workspace).returncode == 2
    assert workspace.read("memory/t.md") == content


def test_an_empty_file_is_nothing_to_judge(workspace: Workspace) -> None:
    workspace.write("memory/empty.md", b"")

    assert run_hoard("check", "memory/empty.md", cwd=workspace).returncode == 0
    assert run_hoard("tag", "memory/empty.md", cwd=workspace).returncode == 0
    assert workspace.read_bytes("memory/empty.md") == b""


def test_a_name_in_any_script_is_told_as_it_is_and_the_hint_can_be_typed(workspace: Workspace) -> None:
    workspace.write(".gitignore", "*\n")
    workspace.write("memory/记忆 café.md", "- A fact <!-- src:agent ts:2026-06-01 -->\n")

    done = run_hoard("commit", "memory/记忆 café.md", cwd=workspace, env=AS_AGENT)

    said = done.stderr.decode()
    assert done.returncode == 2
    assert "'memory/记忆 café.md' is ignored by .gitignore" in said
    hint = said.partition("next: ")[2].strip()
    assert hint.startswith("take that line out of .gitignore; or with it there:\n")
    typed = [line.strip() for line in hint.split("\n")[1:]]
    assert typed == ["git add -f -- 'memory/记忆 café.md'", "hoard commit 'memory/记忆 café.md'"]
    assert run(["sh", "-c", typed[0]], cwd=workspace.path).returncode == 0
    assert run_hoard(*shlex.split(typed[1])[1:], cwd=workspace, env=AS_AGENT).returncode == 0
    odd = run_hoard("why", "记忆\x1b[31m\u202e\udcff", cwd=workspace)
    assert "'记忆\\x1b[31m\\u202e\\udcff'" in odd.stderr.decode()
