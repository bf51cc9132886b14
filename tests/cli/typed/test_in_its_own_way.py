"""Hints that are met otherwise than by one command: names to choose from, hooks, limits that are lowered, and what git keeps."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from hoard_git.gitio.blockindex_store import damaged
from tests.cli.typed.conftest import Carry
from tests.cli.typed.harness import Case
from tests.support.nextsteps import commands_in_hint
from tests.support.repo import Repo, Workspace, run, run_hoard, run_hook

TWICE = "# {} <!-- src:agent ts:2026-06-05 -->\n\n## Notes\n\n- {} is at four in the garden.\n"
LOOK = ", then look at the file as it stands: hoard check"


def twice(repo: Repo) -> None:
    repo.commit("Twice\n", {f"memory/{name} cups.md": TWICE.format(name, name) for name in ("tea", "salt")})


def twice_gone(repo: Repo) -> None:
    twice(repo)
    repo.commit("Gone\n", {f"memory/{name} cups.md": f"# {name} <!-- src:agent ts:2026-06-05 -->\n" for name in ("tea", "salt")})


@pytest.mark.parametrize("folder", ["", "memory"], ids=["top", "below"])
def test_a_name_of_several_blocks_lists_names_that_work(workspace: Workspace, folder: str) -> None:
    twice(workspace)
    here = workspace.path / folder
    said = run_hoard("show", "Notes", cwd=here).stderr.decode()
    assert "Say which one:" in said
    names = re.findall(r"^ {8}(\S.*?)  Notes", said, re.MULTILINE)
    assert len(names) == 2
    for name in names:
        assert run_hoard("show", name, cwd=here).returncode == 0, name


def test_names_of_blocks_that_are_gone_work_with_their_commits(workspace: Workspace) -> None:
    twice_gone(workspace)
    said = run_hoard("show", "Notes", cwd=workspace).stderr.decode()
    found = re.findall(r"^ {8}(\S.*?)  Notes  \(.*: --at (\w+~)\)", said, re.MULTILINE)
    assert len(found) == 2
    for name, commit in found:
        assert run_hoard("show", name, "--at", commit, cwd=workspace).returncode == 0, name
    said = run_hoard("restore", "Notes", cwd=workspace).stderr.decode()
    assert "Say which, by an id" in said
    for name in re.findall(r"^ {8}(\S.*?)  Notes", said, re.MULTILINE):
        assert run_hoard("restore", name, cwd=workspace).returncode == 0, name


@pytest.mark.parametrize(("name", "words"), [("commit-msg", ()), ("pre-push", ())])
def test_a_hook_that_is_called_otherwise_than_by_git(workspace: Workspace, programs: Path, name: str, words: tuple[str, ...]) -> None:
    _typed(run_hook(name, *words, cwd=workspace, env={"PATH": f"{programs}:/usr/bin:/bin"}).stderr, workspace, programs)
    assert (workspace.path / ".git/hooks" / name).exists()


def test_a_list_of_refs_that_is_not_gits(workspace: Workspace, programs: Path) -> None:
    run_hoard("hooks", "install", cwd=workspace)
    _typed(run_hook("pre-push", "origin", "url", cwd=workspace, input="rubbish\n").stderr, workspace, programs)


def test_a_damaged_index_is_deleted_from_anywhere(workspace: Workspace) -> None:
    run_hoard("log", cwd=workspace)
    assert (workspace.path / ".git/hoard/index.sqlite").exists()
    (command,) = commands_in_hint(damaged().hint)
    (workspace.path / "memory").mkdir()
    assert run(["sh", "-c", command], cwd=workspace.path / "memory").returncode == 0
    assert not (workspace.path / ".git/hoard/index.sqlite").exists()
    assert run_hoard("log", cwd=workspace).returncode == 0


def _typed(said: bytes, workspace: Workspace, programs: Path) -> None:
    hint = said.decode().partition("\n  next: ")[2].partition("\n")[0]
    (command,) = commands_in_hint(hint)
    done = run(["sh", "-c", command], cwd=workspace, env={"PATH": f"{programs}:/usr/bin:/bin"})
    assert done.returncode == 0, done.stderr


# ---------------------------------------------------------------- cases with a setting of their own


def rules(text: str) -> Callable[[Repo], object]:
    """What writes a .gitleaks.toml and stages it."""

    def spoil(repo: Repo) -> None:
        repo.stage({".gitleaks.toml": text})

    return spoil


def good_rules(repo: Repo) -> None:
    repo.stage({".gitleaks.toml": 'title = "ours"\n'})


def linked_rules(repo: Repo) -> None:
    repo.write("ours.toml", 'title = "ours"\n')
    (repo.path / ".gitleaks.toml").symlink_to("ours.toml")
    repo.git("add", "-A")
    repo.git("commit", "-qm", "Rules", "--no-verify")
    repo.commit("Tea\n", {"memory/tea.md": TWICE.format("Tea", "Tea")})


def no_text(repo: Repo) -> None:
    repo.stage({".gitleaks.toml": b"title = '\xff'\n"})


def other_root(repo: Repo) -> None:
    """A second history with a policy of its own, merged in, and the first one pinned."""
    first = repo.head()
    policy = repo.read(".hoard.yaml")
    repo.git("switch", "-q", "--orphan", "other")
    repo.commit("Another policy\n", {".hoard.yaml": policy})
    repo.git("switch", "-q", "main")
    repo.git("merge", "-q", "--no-edit", "--allow-unrelated-histories", "-s", "ours", "other")
    repo.git("config", "hoard.root", first)


def pinned_elsewhere(repo: Repo) -> None:
    first, policy = repo.head(), repo.read(".hoard.yaml")
    repo.git("switch", "-q", "--orphan", "other")
    repo.commit("Another policy\n", {".hoard.yaml": policy})
    repo.git("config", "hoard.root", first)


def value_in_a_branch(repo: Repo) -> None:
    repo.git("branch", "some-value-of-ours")


def value_in_history(repo: Repo) -> None:
    repo.commit("Tea\n", {"memory/tea.md": TWICE.format("Tea", "some-value-of-ours")})


def broken_object(repo: Repo) -> None:
    oid = repo.line("rev-parse", "HEAD:MEMORY.md")
    path = repo.path / ".git/objects" / oid[:2] / oid[2:]
    path.chmod(0o644)
    path.write_bytes(b"not an object")


CASES = [
    Case("rules that are no file", "check --commit HEAD", "git log -1 -- {}", linked_rules, works=False, shows="Rules"),
    Case("rules that are no text", "check", "save the file as UTF-8" + LOOK, no_text, good_rules),
    Case("rules in a ring", "check", "put the rules into one file" + LOOK, rules('[extend]\npath = ".gitleaks.toml"\n'), good_rules),
    Case(
        "rules from outside",
        "check",
        "name a file by its path from the workspace's root, without '..'" + LOOK,
        rules('[extend]\npath = "../a.toml"\n'),
        good_rules,
    ),
    Case("rules that are too many", "check", "take rules out that memory does not need" + LOOK, rules("#" * (1 << 21)), good_rules),
    Case("rules that are wrong", "check", "{}" + LOOK, rules("extend = 3\n"), good_rules),
    Case(
        "a pin of another branch",
        "verify",
        "Which branches have it: git branch -a --contains {}",
        pinned_elsewhere,
        works=False,
        shows="main",
    ),
    Case(
        "a policy from elsewhere",
        "verify",
        "See how it came in: git log --graph --oneline {}...{}",
        other_root,
        works=False,
        shows="Another policy",
    ),
    Case(
        "a value in the name of a branch",
        "purge --plan some-value-of-ours",
        "git branch -m OLD NEW, or: git tag -d NAME",
        value_in_a_branch,
        fill={"OLD": "some-value-of-ours", "NEW": "aside"},
        only=(0,),
        works=False,
    ),
    Case(
        "a purge over a broken object",
        "purge --plan some-value-of-ours",
        "git fsck",
        broken_object,
        works=False,
        statuses=(1, 2, 3, 4, 5, 6, 7),
        shows="corrupt",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name.replace(" ", "-"))
def test_the_hint_works_when_typed(carry_out: Carry, case: Case) -> None:
    carry_out(case)


TOO_LARGE = Case("a version that is too large", "check --commit HEAD", "git rm --cached -- {}", works=False, shows="rm 'MEMORY.md'")
NOT_SEARCHED = Case(
    "an object that is too large",
    "purge --plan some-value-of-ours",
    "git cat-file -p {} | grep -c …",
    value_in_history,
    fill={"…": "four"},
    statuses=(0, 1),
    works=False,
)
PINNED = Case(
    "a pin in the environment",
    "verify",
    "Names that are cut short can be made to fit another commit; the first policy's: {}",
    works=False,
    shows="root ",
)
PINNED_TWICE = Case(
    "two pins",
    "verify",
    "See which is right, then drop the other: git config --get {}; echo ${}",
    lambda repo: repo.git("config", "hoard.root", "2" * 40),
    works=False,
    shows="1111",
)


def test_a_version_that_is_too_large(carry_out: Carry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoard_git.app.shelf.LARGEST_FILE", 16)
    carry_out(TOO_LARGE)


def test_an_object_that_is_too_large(carry_out: Carry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoard_git.app.purge._LARGEST", 16)
    carry_out(NOT_SEARCHED)


def test_a_pin_in_the_environment(carry_out: Carry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOARD_ROOT", "1" * 12)
    carry_out(PINNED)


def test_two_pins(carry_out: Carry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOARD_ROOT", "1" * 40)
    carry_out(PINNED_TWICE)
