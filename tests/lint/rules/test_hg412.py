from __future__ import annotations

import pytest

from hoard_git.core.model import MODE_FILE, Finding, Oid, PathChange, RepoPath
from hoard_git.core.policy import DEFAULT, Policy
from hoard_git.lint.engine import judge
from hoard_git.lint.scene import Scene
from tests.support.scenes import change_scene, codes


def judged(*paths: str, policy: Policy = DEFAULT, change: bool = True, mode: int = MODE_FILE) -> list[Finding]:
    changes = tuple(PathChange(RepoPath(path), 0, Oid(""), mode, Oid("2" * 40)) for path in paths)
    return judge(Scene(policy=policy, change=change, paths=changes), {"HG412"})


@pytest.mark.parametrize(
    "path",
    ["memory/deep/notes.md", "memory/notes.markdown", "memory/x.MDX", "memories/today.md", ".memory/x.md", "Memory/x.md", "memory-bank/x.md", "MEMORY-old.md",
     "MEMORY.markdown", "memory.md", "Soul.md", "CLAUDE.local.md", "GEMINI.md", "src/AGENTS.md", "docs/CLAUDE.md", "agents/x/MEMORY.md", "skills/deploy/SKILL.md",
     ".claude/commands/x.md", ".cursor/rules/x.mdc", ".github/copilot-instructions.md", ".github/instructions/x.md", "rules/x.md", "pkg/skills/x.md",
     "mem\u043ery/x.md", ".openclaw/x.md"],
)  # fmt: skip
def test_markdown_that_an_agent_may_read(path: str) -> None:
    (found,) = judged(path)
    assert (found.severity, found.path) == ("warn", path)
    assert found.message.isascii()


@pytest.mark.parametrize(
    "path",
    ["MEMORY.md", "memory/x.md", "memory/2026-06-01.md", "memory/archive/x.md", "wiki/a/b.md", "AGENTS.md", "README.md", "docs/guide.md", "CHANGELOG.md",
     "src/readme.md", "docs/skills-of-the-team.md", "tests/memory/x.md", "node_modules/x/AGENTS.md", "memory/x.json", "skills/run.py", "notes/today.md",
     "user-guide.md", "memoirs.md", ".github/PULL_REQUEST_TEMPLATE.md"],
)  # fmt: skip
def test_memory_and_ordinary_pages(path: str) -> None:
    assert judged(path) == []


def test_a_deleted_file_is_gone() -> None:
    assert judged("memory/deep/x.md", mode=0) == []


def test_a_glob_of_the_policy_watches_it() -> None:
    globs = tuple((name, ("memory/**/*.md",) if name == "topic" else globs) for name, globs in DEFAULT.globs)
    assert judged("memory/deep/notes.md", policy=Policy(globs=globs)) == []


def test_in_a_standing_tree_a_folder_is_one_finding() -> None:
    found = judged("memory/a/1.md", "memory/a/2.md", "memory/b/1.md", change=False)
    assert [finding.path for finding in found] == ["memory/a/1.md", "memory/b/1.md"]
    assert "1 more" in found[0].message
    assert [(finding.line, finding.column) for finding in found] == [(0, 0), (0, 0)], "the whole file, no place in it"
    assert len(judged("memory/a/1.md", "memory/a/2.md")) == 2


def test_a_path_outside_of_the_workspace_is_judged_by_its_whole_name() -> None:
    assert judged("skills/x.md", policy=Policy(prefix="sub/"))


def test_only_what_is_added_or_renamed_is_reported() -> None:
    assert codes(change_scene({"memories/a.md": "x\n"}, {"memories/a.md": "y\n"}), "HG412") == []
    assert codes(change_scene({"docs/a.md": "x\n"}, {"memories/a.md": "x\n"}), "HG412") == ["HG412"]
