"""HG307: the files that steer the gate."""

from __future__ import annotations

import pytest

from hoard_git.core.model import MODE_FILE, MODE_LINK, Actor, Oid, PathChange, RepoPath
from tests.support.scenes import Files, change_scene, findings, state_scene

PROTECTED = [
    ".hoard.yaml", "agents/a/.hoard.yaml", ".HOARD.yaml", ".gitattributes", "memory/.gitattributes", ".mailmap", ".gitmodules",
    ".hoard/allowed_signers", "keys/allowed_signers", ".github/workflows/ci.yml", ".GitHub/workflows/ci.yml", ".gitlab-ci.yml",
    ".forgejo/workflows/x.yaml", ".circleci/config.yml", ".husky/pre-commit", "app/.husky/pre-commit", ".githooks/pre-push",
    ".pre-commit-config.yaml", "lefthook.yml", "Jenkinsfile", "azure-pipelines.yml",
    ".claude/settings.json", "app/.claude/settings.local.json", ".Claude/Settings.json", ".claude/hooks/stop.sh", "app/.claude/hooks/stop.sh",
]  # fmt: skip


def said(before: Files, after: Files, actor: str = "agent", *, introduces: bool = False) -> list[tuple[str, str]]:
    scene = change_scene(before, after, actor=actor, introduces=introduces)
    return [(finding.path, finding.message) for finding in findings(scene, "HG307")]


@pytest.mark.parametrize("path", PROTECTED)
@pytest.mark.parametrize("actor", ["agent", "tool"])
def test_a_non_human_leaves_it_alone(path: str, actor: str) -> None:
    what = "the policy" if path.lower().endswith(".hoard.yaml") else "a file that steers the gate"
    assert said({}, {path: "a\n"}, actor) == [(path, f"{actor} adds {what}")]
    assert said({path: "a\n"}, {path: "b\n"}, actor) == [(path, f"{actor} changes {what}")]
    gone = "the policy is removed" if what == "the policy" else f"{actor} removes {what}"
    assert said({path: "a\n"}, {}, actor) == [(path, gone)]


@pytest.mark.parametrize("path", PROTECTED)
def test_a_human_may_change_it(path: str) -> None:
    assert said({}, {path: "a\n"}, "human") == []
    assert said({path: "a\n"}, {path: "b\n"}, "human") == []


@pytest.mark.parametrize(
    "path",
    [
        "MEMORY.md",
        "src/main.py",
        "docs/.github.md",
        "github/x.yml",
        "hoard.yaml",
        ".hoard.yaml.md",
        "src/.github/x.yml",
        ".mcp.json",
        ".claude/commands/tidy.md",
        ".claude/settings.json.md",
        "claude/settings.json",
        "my.claude/settings.json",
    ],
)
def test_other_files_are_free(path: str) -> None:
    assert said({path: "a\n"}, {path: "b\n"}) == []


@pytest.mark.parametrize("path", [".hoard.yaml", "agents/a/.hoard.yaml"])
@pytest.mark.parametrize("actor", ["agent", "human"])
def test_nobody_removes_the_policy(path: str, actor: str) -> None:
    assert said({path: "version: 1\n"}, {}, actor) == [(path, "the policy is removed")]
    assert (path, "the policy is removed") in said({path: "version: 1\n"}, {"old/.hoard.yaml": "version: 1\n"}, actor)


@pytest.mark.parametrize("mode", [MODE_LINK, 0o160000])
def test_nobody_replaces_the_policy_by_a_link(mode: int) -> None:
    path = PathChange(RepoPath(".hoard.yaml"), MODE_FILE, Oid("1" * 40), mode, Oid("2" * 40))
    found = findings(change_scene({}, {}, actor="human", paths=(path,)), "HG307")
    assert [f.message for f in found] == ["the policy is replaced by something that is no file"]


@pytest.mark.parametrize(
    "path", ["MEMORY.md", "memory/a.md", "memory/2026-06-15.md", "memory/archive/a.md", "wiki/a.md", "SOUL.md", "HEARTBEAT.md"]
)
def test_a_policy_and_memory_do_not_go_together(path: str) -> None:
    before = {".hoard.yaml": "version: 1\n", path: "- a\n"}
    said_of_policy = [(".hoard.yaml", "the policy changes together with memory")]
    assert said(before, {".hoard.yaml": "version: 1\nmode: warn\n", path: "- b\n"}, "human") == said_of_policy
    assert said(before, {".hoard.yaml": "version: 1\nmode: warn\n"}, "human") == said_of_policy


def test_two_policies_that_go_with_memory_are_one_finding() -> None:
    before = {".hoard.yaml": "version: 1\n", "agents/a/.hoard.yaml": "version: 1\n", "MEMORY.md": "- a\n"}
    after = {".hoard.yaml": "version: 1\nmode: warn\n", "agents/a/.hoard.yaml": "version: 1\nmode: warn\n", "MEMORY.md": "- b\n"}
    assert said(before, after, "human") == [(".hoard.yaml", "the policy changes together with memory")]


@pytest.mark.parametrize("path", ["src/main.py", ".gitattributes", ".github/workflows/ci.yml", "memory/state.json"])
def test_a_policy_and_other_files_may(path: str) -> None:
    assert said({".hoard.yaml": "version: 1\n"}, {".hoard.yaml": "version: 1\nmode: warn\n", path: "x\n"}, "human") == []


def test_a_protected_file_that_is_no_policy_may_go_with_memory() -> None:
    assert said({}, {".gitattributes": "a\n", "MEMORY.md": "- a\n"}, "human") == []


def test_the_commit_that_introduces_the_policy_may_carry_the_starter_files() -> None:
    starter = {".hoard.yaml": "version: 1\n", ".gitattributes": "a\n", "MEMORY.md": "# M\n", "SOUL.md": "# S\n"}
    assert said({}, starter, "human", introduces=True) == []
    assert [path for path, _message in said({}, starter, "agent", introduces=True)] == [".gitattributes", ".hoard.yaml"]


def test_an_unproven_human_is_told_what_is_missing() -> None:
    scene = change_scene({".hoard.yaml": "version: 1\n"}, {".hoard.yaml": "version: 1\nmode: warn\n"})
    scene = scene._replace(actor=Actor("agent", "Ada", "ada@example.org", "human", "sign it: git commit --amend -S"))
    assert [f.hint for f in findings(scene, "HG307")] == ["sign it: git commit --amend -S"]


def test_files_as_they_stand_are_no_change() -> None:
    assert findings(state_scene({".hoard.yaml": "version: 1\n", "MEMORY.md": "- a\n"}), "HG307") == []
