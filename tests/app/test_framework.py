"""`hoard-hook` as the pre-commit framework runs it: the staged change, a range or whole files, and always a word about which."""

from __future__ import annotations

import subprocess

import pytest

from tests.app.support import AS_AGENT, AS_HUMAN
from tests.support.repo import Workspace, run_hook

FRAMEWORK = {**AS_AGENT, "PRE_COMMIT": "1"}
UNTAGGED = "# A\n\n- Nobody said where this is from.\n"
GOOD = "# A <!-- src:agent ts:2026-06-05 -->\n\n- One.\n"
CONFLICT = "# A\n\n<<<<<<< ours\n- a\n=======\n- b\n>>>>>>> theirs\n"


def pre_commit(workspace: Workspace, *files: str, env: dict[str, str] | None = None) -> tuple[int, str, str]:
    done = run_hook("pre-commit", *files, cwd=workspace, env={**FRAMEWORK, **(env or {})})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_the_staged_change(workspace: Workspace) -> None:
    workspace.stage({"memory/a.md": UNTAGGED})
    workspace.write("memory/a.md", GOOD)

    status, said, scanned = pre_commit(workspace)

    assert status == 1
    assert "memory/a.md:3:1: HG101" in said
    assert "staged change: 1 memory file, 4 changed lines judged" in scanned


def test_file_names_do_not_narrow_a_staged_change(workspace: Workspace) -> None:
    """A removed fact has no file that could be named."""
    workspace.stage({"MEMORY.md": workspace.read("MEMORY.md").replace("- The newsletter goes out on Tuesdays.\n", ""), "memory/b.md": GOOD})

    assert "HG301" in pre_commit(workspace, "memory/b.md")[1]


def test_a_range(workspace: Workspace) -> None:
    workspace.commit("bad", {"memory/a.md": UNTAGGED}, author=workspace.agent)
    workspace.commit("good", {"memory/a.md": GOOD}, author=workspace.agent)

    status, said, scanned = pre_commit(workspace, env={"PRE_COMMIT_FROM_REF": "HEAD~2", "PRE_COMMIT_TO_REF": "HEAD"})
    assert (status, "HG101" in said) == (1, True)
    assert "HEAD~2..HEAD: 1 memory file, 6 lines, 2 commits judged" in scanned
    assert pre_commit(workspace, env={"PRE_COMMIT_FROM_REF": "HEAD", "PRE_COMMIT_TO_REF": "HEAD"})[0] == 0
    new_branch = {"PRE_COMMIT_FROM_REF": "0" * 40, "PRE_COMMIT_TO_REF": "HEAD"}
    assert "3 commits judged" in pre_commit(workspace, env=new_branch)[2]


def test_whole_files_when_nothing_is_staged(workspace: Workspace) -> None:
    workspace.commit("files", {"memory/a.md": CONFLICT, "memory/b.md": GOOD, "README.md": CONFLICT}, author=workspace.human)

    status, said, scanned = pre_commit(workspace, "memory/a.md", "memory/b.md", "README.md")
    assert (status, "memory/a.md:3:1: HG109" in said, "README" in said) == (1, True, False)
    assert "work tree: 2 memory files" in scanned
    assert "work tree: 3 memory files" in pre_commit(workspace)[2]
    assert pre_commit(workspace, "memory/b.md")[0] == 0
    assert pre_commit(workspace, "README.md") == (0, "", "hoard: work tree: 0 memory files, 0 lines judged\n")


def test_a_policy_that_warns(workspace: Workspace) -> None:
    workspace.policy(workspace.read(".hoard.yaml").replace("enforce", "warn"))
    workspace.stage({"memory/a.md": UNTAGGED})

    status, said, scanned = pre_commit(workspace)
    assert (status, "HG101" in said, "mode: warn" in scanned) == (0, True, True)


def test_a_merge_is_judged_against_both_sides(workspace: Workspace) -> None:
    """The framework's pre-merge-commit stage: git names the other side in the environment alone."""
    workspace.git("checkout", "-q", "-b", "side")
    workspace.commit("ada", {"MEMORY.md": workspace.read("MEMORY.md").replace("short", "long")})
    workspace.git("checkout", "-q", "main")
    workspace.commit("other", {"x": "x"})
    workspace.git("merge", "-q", "--no-commit", "--no-ff", "side")
    other = workspace.head("side")
    (workspace.path / ".git/MERGE_HEAD").unlink()

    assert pre_commit(workspace)[0] == 1
    assert pre_commit(workspace, env={f"GITHEAD_{other}": "side"})[0] == 0


def test_trailers_without_what_pre_commit_found_out(workspace: Workspace) -> None:
    workspace.stage({"memory/a.md": GOOD})
    message = workspace.write(".git/COMMIT_EDITMSG", "One\n")

    assert run_hook("prepare-commit-msg", str(message), cwd=workspace, env=FRAMEWORK).returncode == 0
    assert "Memory-Op: write\nMemory-Source: agent\n" in message.read_text()
    message.write_text(message.read_text().replace("agent", "user"))
    assert run_hook("commit-msg", str(message), cwd=workspace, env=FRAMEWORK).returncode == 0
    assert "Memory-Source: agent\n" in message.read_text()


@pytest.mark.parametrize("who", ["agent", "human"])
def test_the_author_decides(workspace: Workspace, who: str) -> None:
    workspace.stage({"MEMORY.md": workspace.read("MEMORY.md").replace("short", "long")})

    assert pre_commit(workspace, env=AS_HUMAN if who == "human" else {})[0] == (0 if who == "human" else 1)


def test_what_cannot_be_judged_blocks(workspace: Workspace) -> None:
    status, _said, why = pre_commit(workspace, env={"PRE_COMMIT_FROM_REF": "nowhere", "PRE_COMMIT_TO_REF": "HEAD"})

    assert (status, "Unknown revision" in why) == (2, True)
    subprocess.run(["rm", "-rf", str(workspace.path / ".git")], check=True)
    assert pre_commit(workspace)[0] == 2
