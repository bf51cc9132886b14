"""Commands that the output names reach the repository from where the user is."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from hoard_git.cli.elsewhere import as_typed_here, way_to_top
from hoard_git.core.shellwords import shell_word
from tests.support.environment import identity
from tests.support.nextsteps import commands_in_hint
from tests.support.repo import Repo, Workspace, run, run_hoard

OLD = "# Old <!-- src:agent ts:2025-01-01 ttl:30d -->\n\n- An old thing that was so.\n"


@pytest.mark.parametrize(
    ("text", "below", "outside"),
    [
        ("", "", ""),
        ("git status", "git status", "git -C w status"),
        ("hoard log", "hoard log", "hoard -C w log"),
        ("Finish it: git status", "Finish it: git status", "Finish it: git -C w status"),
        ("hoard tag 'memory/a.md'", "hoard -C .. tag 'memory/a.md'", "hoard -C w tag 'memory/a.md'"),
        ("hoard log -- 'memory'", "hoard -C .. log -- 'memory'", "hoard -C w log -- 'memory'"),
        (
            "hoard tag 'a.md' && hoard commit 'a.md'",
            "hoard -C .. tag 'a.md' && hoard -C .. commit 'a.md'",
            "hoard -C w tag 'a.md' && hoard -C w commit 'a.md'",
        ),
        ("hoard diff a1^..b2", "hoard diff a1^..b2", "hoard -C w diff a1^..b2"),
        ("hoard add 'hoard log, or: git log'", "hoard add 'hoard log, or: git log'", "hoard -C w add 'hoard log, or: git log'"),
        ("ls -ld 'it'\\''s'", "ls -ld '../it'\\''s'", "ls -ld 'w/it'\\''s'"),
        ("ls -ld 'it'\"'\"'s'", "ls -ld '../it'\\''s'", "ls -ld 'w/it'\\''s'"),
        ("mv '/it'\"'\"'s' '/b'", "mv '/it'\"'\"'s' '/b'", "mv '/it'\"'\"'s' '/b'"),
        ("ls -ld '/it'", "ls -ld '/it'", "ls -ld '/it'"),
        ("a: rm -r 'b'; git fsck", "a: rm -r '../b'; git fsck", "a: rm -r 'w/b'; git -C w fsck"),
        ("hoard init", "hoard init", "hoard -C w init"),
        ("hoard rule HG301, or hoard add --help", "hoard rule HG301, or hoard add --help", "hoard rule HG301, or hoard add --help"),
        ("hoard -C a/b context", "hoard -C .. -C a/b context", "hoard -C w -C a/b context"),
        ("git config --global a.b c", "git config --global a.b c", "git config --global a.b c"),
        ("cd '/w' && hoard status", "cd '/w' && hoard status", "cd '/w' && hoard status"),
        ('rm "$(git rev-parse --git-dir)"/x*', 'rm "$(git rev-parse --git-dir)"/x*', 'rm "$(git -C w rev-parse --git-dir)"/x*'),
        ("hoard: committed memory/a.md", "hoard: committed memory/a.md", "hoard: committed memory/a.md"),
        ("git commits here are hoard itself", "git commits here are hoard itself", "git commits here are hoard itself"),
        (
            "look:  git show a     undo:  git revert a",
            "look:  git show a     undo:  git revert a",
            "look:  git -C w show a     undo:  git -C w revert a",
        ),
    ],
)
def test_where_a_command_is_typed(text: str, below: str, outside: str) -> None:
    assert as_typed_here(text, "", "") == text
    assert as_typed_here(text, "..", "") == below
    assert as_typed_here(text, "w", "w") == outside


def test_a_directory_that_needs_quotes_and_a_beginning_in_a_folder() -> None:
    assert as_typed_here("git status", "my w", "my w") == "git -C 'my w' status"
    assert as_typed_here("hoard init    hoard log", "w", "w/sub") == "hoard -C w/sub init    hoard -C w log"


def test_the_way_to_the_top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = tmp_path / "w"
    (top / "a/b").mkdir(parents=True)
    (tmp_path / "link").symlink_to("w/a")
    monkeypatch.chdir(tmp_path)
    assert way_to_top(str(top), "w") == "w"
    assert way_to_top(str(top), "w/a/b") == "w"
    assert way_to_top(str(top), "link") == "w"
    assert way_to_top(str(top), str(top / "a")) == str(top)
    assert way_to_top(str(tmp_path / "elsewhere"), "w") == str(tmp_path / "elsewhere")
    monkeypatch.chdir(top / "a/b")
    assert way_to_top(str(top), ".") == "../.."
    assert way_to_top(str(top), "../..") == "../.."
    monkeypatch.chdir(top)
    assert way_to_top(str(top), ".") == ""
    assert way_to_top(str(top), "a") == ""


@pytest.mark.parametrize("text", ["a", "it's", '$(x) `y` "z" \\n', "-x", "", "~", "café 记忆"])
def test_a_word_comes_back_from_a_shell(text: str, tmp_path: Path) -> None:
    assert run(["sh", "-c", f"printf %s {shell_word(text)}"], cwd=tmp_path).stdout.decode() == text


def test_what_cannot_be_printed_is_escaped() -> None:
    assert shell_word("a\x1b\n\u202e\udcff") == "'a\\x1b\\n\\u202e\\udcff'"


@pytest.fixture
def with_programs(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("HOARD_DATE", "2026-06-10")


def _type_all(text: str, here: Path) -> list[str]:
    """Type every command of an output, and give those typed."""
    typed = [command for command in commands_in_hint(re.sub(r"(?<=:)  +(?=git|hoard)", " ", text)) if "KEY.pub" not in command]
    for command in typed:
        done = run(["sh", "-c", command], cwd=here, env=identity(Workspace.agent))
        assert done.returncode in (0, 1), (command, done.stderr)
    return typed


def test_what_init_says_from_outside(tmp_path: Path, with_programs: None) -> None:
    done = run_hoard("init", "my workspace", cwd=tmp_path)
    typed = _type_all(done.stderr.decode().replace("next:", ""), tmp_path)
    assert typed == ["hoard -C 'my workspace' add \"Backups run at 03:30\" --src agent", "hoard -C 'my workspace' check"]
    assert b"hoard -C 'my workspace' commit --human" in done.stdout


def test_what_a_consolidation_says_from_outside(workspace: Workspace, with_programs: None) -> None:
    workspace.commit("Old\n", {"memory/old.md": OLD}, author=Workspace.agent)
    here = workspace.path.parent
    said = run_hoard("-C", "workspace", "consolidate", cwd=here, env=identity(Workspace.agent)).stderr.decode()
    typed = _type_all("\n".join(line for line in said.splitlines() if not line.startswith(("drop", "undo"))), here)
    assert typed[0].startswith("git -C workspace diff ")
    assert any("merge --ff-only" in command for command in typed)
    assert not (workspace.path / "memory/old.md").exists()


def test_what_check_status_and_doctor_say_from_below(workspace: Workspace, with_programs: None) -> None:
    workspace.write("memory/tea.md", "- Tea is at four.\n")
    here = workspace.path / "memory"
    found = run_hoard("check", cwd=here).stdout.decode()
    assert "hoard -C .. tag memory/tea.md" in found
    assert "hoard tag memory/tea.md" in run_hoard("check", "--format", "json", cwd=here).stdout.decode()
    fixes = " ".join(run_hoard("doctor", cwd=here).stdout.decode().split())  # what is too long goes on below
    assert "-> hoard -C .. tag 'memory/tea.md' && hoard -C .. commit 'memory/tea.md'" in fixes
    assert "hoard -C memory/.. " not in run_hoard("-C", "memory", "status", cwd=workspace).stdout.decode()
    assert "hoard -C workspace commit" in run_hoard("-C", "workspace", "status", cwd=workspace.path.parent).stdout.decode()


def test_several_directories_one_behind_the_other(repo: Repo) -> None:
    repo.write("a/b/MEMORY.md", "# M\n")
    assert run_hoard("-C", "a", "-C", "b", "check", cwd=repo).returncode == 0
    said = run_hoard("-C", "b", "-C", "a", "check", cwd=repo)
    assert (said.returncode, said.stderr.splitlines()[0]) == (2, b"hoard: 'b' is no directory.")
