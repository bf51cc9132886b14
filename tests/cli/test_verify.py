"""`hoard verify` as a user runs it: what is printed, in which width, and the exit status."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.support.environment import ROOT
from tests.support.repo import Repo, Workspace, run_hoard
from tests.support.repo import run as shell
from tests.support.signed import AGENT_EDIT, AS_AGENT, USER_EDIT, Signed
from tests.support.signing import make_key, policy


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("verify-cli-keys")


@pytest.fixture
def repo(tmp_path: Path, folder: Path) -> Signed:
    return Signed.introduce(tmp_path / "signed", make_key(folder, "ada"), make_key(folder, "bot"))


def run(repo: Repo, *args: str | Path, status: int = 0) -> tuple[str, str]:
    """What is said on stdout and stderr; the exit status has to be this one."""
    done = run_hoard("verify", *args, cwd=repo, env={"HOARD_DATE": "2026-06-15", "COLUMNS": "80"})
    said = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == status, said
    return said


def test_everything_was_entitled(repo: Signed) -> None:
    root = repo.head()
    repo.make({"MEMORY.md": USER_EDIT}, repo.ada)
    out, err = run(repo)
    assert f"pin it: git config hoard.root {root}" in out
    assert "by the signature of SHA256:" in " ".join(out.split())
    assert "- MEMORY.md:6: edits a user's fact" in out
    assert "signatures of 2 commits: 2 good, 0 without, 0 by keys of nobody, 0 bad" in out
    assert "2 commits, 2 with changes that take a human: every one was entitled" in err


def test_the_command_that_pins_pins(repo: Signed) -> None:
    root = repo.head()
    out, _err = run(repo)
    command = re.search(r"pin it: (git config hoard\.root [0-9a-f]{40})", out)
    assert command is not None
    repo.git(*command[1].split()[1:])
    out, _err = run(repo)
    assert f"root {root[:12]}, pinned by git's hoard.root" in out
    assert "believed" not in out


def test_a_refusal_names_commit_place_rule_and_way_out(repo: Signed) -> None:
    repo.make({"MEMORY.md": USER_EDIT}, None)
    bad = repo.head()
    repo.make({"MEMORY.md": USER_EDIT.replace("Fridays", "Mondays")}, repo.ada)
    out, err = run(repo, status=1)
    assert f"REFUSED  {bad[:10]}" in out
    assert "HG308 edits a user's fact" in out
    assert "(the 1 that were refused; all: --all)" in out
    assert f"next: hoard check --commit {bad[:12]}" in err
    assert run_hoard("check", "--commit", bad[:12], cwd=repo).returncode == 1
    assert out.count("REFUSED") == 1 and "ok       " + repo.head()[:10] in run(repo, "--all", status=1)[0]


def test_eighty_columns_and_no_control_characters(repo: Signed, tmp_path: Path) -> None:
    odd = {"GIT_AUTHOR_NAME": "E\x1b[31mve " + "with a very long name " * 6, "GIT_AUTHOR_EMAIL": "eve@example.org"}
    repo.commit(
        "Change\n", {"MEMORY.md": USER_EDIT, "memory/" + "a-long-name" * 9 + ".md": "# x <!-- src:user ts:2026-06-15 -->\n\n- y\n"}, env=odd
    )
    for options in ((), ("--all",)):
        out, err = run(repo, *options, "--witness", str(tmp_path / "w"), status=1)
        assert "\x1b" not in out + err
        shown = [line for line in out.splitlines() if not line.startswith("  pin it:")]
        assert [line for line in shown if len(line) > 80] == []


def test_json(repo: Signed, folder: Path) -> None:
    eve = make_key(folder, "eve")
    root = repo.head()
    repo.make({"MEMORY.md": AGENT_EDIT}, None, AS_AGENT)
    repo.make({".hoard.yaml": policy(repo.ada.line, authority="author")}, eve)
    out, _err = run(repo, "--json", status=1)
    data = json.loads(out)
    assert (data["schema"], data["range"], data["tip"], data["commits"], data["before_root"], data["refused"]) == (
        1,
        "HEAD",
        repo.head(),
        3,
        0,
        1,
    )
    assert data["root"] == {"commit": root, "pinned": None}
    assert [(step["entitled"], step["by"], step["introduces"]) for step in data["policies"]] == [
        (True, "signature", True),
        (False, "none", False),
    ]
    assert "authority: signature -> author" in data["policies"][1]["files"][0]["changes"]
    assert {act["code"] for act in data["changes"][1]["acts"]} == {"HG307"}
    assert data["changes"][1]["acts"][0]["kind"] == "keys"
    assert {key: data["signatures"][key] for key in ("good", "none", "unknown-key", "bad")} == {
        "good": 1,
        "none": 1,
        "unknown-key": 1,
        "bad": 0,
    }
    assert [one["signature"]["kind"] for one in data["signatures"]["commits"]] == ["none", "unknown-key"]
    assert data["witness"] is None


def test_json_keys_are_those_of_the_reference(repo: Signed, tmp_path: Path) -> None:
    repo.make({"MEMORY.md": USER_EDIT}, None)
    data = json.loads(run(repo, "--json", "--witness", tmp_path / "w", status=1)[0])
    page = (ROOT / "docs/reference/verify.md").read_text(encoding="utf-8")

    def keys(value: object) -> set[str]:
        if isinstance(value, dict):
            return {*value, *(key for item in value.values() for key in keys(item))}
        return {key for item in value for key in keys(item)} if isinstance(value, list) else set()

    assert {key for key in keys(data) if f'"{key}"' not in page and f"`{key}`" not in page and f" {key}" not in page} == set()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--root", "HEAD"), "full name of a commit"),
        (("--root", "4" * 40), "is not in this repository"),
        (("nowhere",), "Unknown revision"),
        (("--witness", "inside"), "lies in the repository"),
        (("--accept",), "--accept goes with --witness"),
    ],
)
def test_what_cannot_be_verified(repo: Signed, args: tuple[str, ...], said: str) -> None:
    out, err = run(repo, *args, status=2)
    assert out == ""
    assert said in err and "next: " in err


def test_without_a_policy_and_without_a_repository(tmp_path: Path, repo: Signed) -> None:
    empty = Repo.create(tmp_path / "empty")
    assert "There is no commit yet.\n  next: hoard init" in run(empty, status=2)[1]
    empty.commit("x\n", {"a": "b\n"})
    assert "hoard init" in run(empty, status=2)[1]
    (tmp_path / "none").mkdir()
    assert "not a git repository" in run(Repo(tmp_path / "none"), status=2)[1]


@pytest.mark.parametrize("place", ["variable", "configuration"])
def test_a_pin_that_cannot_hold_names_a_command_that_works(workspace: Workspace, programs: Path, place: str) -> None:
    env = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "HOARD_DATE": "2026-06-15"}
    if place == "variable":
        env["HOARD_ROOT"] = workspace.head()[:12]
    else:
        workspace.git("config", "hoard.root", workspace.head()[:12])
    refused = shell(["hoard", "verify"], cwd=workspace, env=env)
    assert refused.returncode == 2
    typed = refused.stderr.decode().partition("the first policy's: ")[2].split("\n")[0]
    done = shell(["sh", "-c", typed], cwd=workspace, env=env)
    assert done.returncode == 0
    assert f"git config hoard.root {workspace.head()}" in done.stdout.decode()


def test_a_remote_is_held_against_the_end_of_an_empty_range(workspace: Workspace, tmp_path: Path) -> None:
    old = workspace.head()
    workspace.commit("More\n", {"a": "b\n"})
    workspace.git("clone", "-q", "--bare", "--template=", workspace.path, tmp_path / "remote.git")
    workspace.git("remote", "add", "origin", tmp_path / "remote.git")
    assert "was turned back" in run(workspace, f"{old}..{old}", "--witness", "origin/main", status=1)[0]
    run(workspace, "HEAD..HEAD", "--witness", "origin/main")


def test_the_witness_is_told_with_both_names(workspace: Workspace, tmp_path: Path) -> None:
    old = workspace.commit("More\n", {"a": "b\n"})
    out, _err = run(workspace, "--witness", tmp_path / "w")
    assert "made just now; it remembers 1 ref" in " ".join(out.split())
    workspace.git("reset", "-q", "--hard", "HEAD^")
    out, err = run(workspace, "--witness", tmp_path / "w", status=1)
    assert "ALARM refs/heads/main was turned back" in out
    assert f"was {old}" in out and f"is  {workspace.head()}" in out
    assert "--accept" in err
    assert "1 commit, 1 with changes that take a human: every one was entitled" in err
    assert "that is accepted now" in run(workspace, "--witness", tmp_path / "w", "--accept")[0]


def test_the_witness_is_heard_even_where_nothing_can_be_verified(workspace: Workspace, tmp_path: Path) -> None:
    run(workspace, "--witness", tmp_path / "w")
    tree = workspace.head("HEAD^{tree}")
    root = workspace.head()
    own = workspace.git("commit-tree", tree, "-m", "x").stdout.decode().strip()
    workspace.git("update-ref", "refs/heads/main", own)
    out, err = run(workspace, "--root", root, "--witness", tmp_path / "w", status=2)
    assert out == ""
    assert "ALARM refs/heads/main was rewritten" in err and "is not behind" in err


def test_a_damaged_witness(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "w").write_text("hoard-witness 1\nx\n")
    _out, err = run(workspace, "--witness", tmp_path / "w", status=2)
    assert "is damaged in line 2" in err and "mv " in err


def test_by_the_address_alone_is_said(workspace: Workspace) -> None:
    out, err = run(workspace)
    assert "by the author's address alone, which anybody can type" in " ".join(out.split())
    assert "hoard init --sign-key KEY.pub" in err
