"""`hoard trailers`: commits held against their trees, and messages made right without touching a tree, a file or an author."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoard_git.app.check import find_range
from hoard_git.app.trailers import Judged, Repair, apply_repair, judge_trailers, plan_repair, undo_command
from hoard_git.errors import HoardError
from hoard_git.gitio.opening import open_reader
from tests.app.support import june, reader_of
from tests.support.repo import Repo, Workspace, run_hoard

DATES = {"GIT_AUTHOR_DATE": "1781000000 +0530", "GIT_COMMITTER_DATE": "1781000100 -0800"}


def judged(repo: Repo, text: str = "HEAD") -> list[Judged]:
    reader = open_reader(str(repo.path), batch=True)
    return list(judge_trailers(reader, find_range(reader, text), june))


def verdicts(repo: Repo, text: str = "HEAD") -> list[str]:
    return [each.verdict for each in judged(repo, text)]


def plan(repo: Repo, text: str) -> Repair:
    return plan_repair(reader_of(repo), open_reader(str(repo.path), batch=True), text, june)


def repair(repo: Repo, text: str) -> Repair:
    found = plan(repo, text)
    apply_repair(reader_of(repo), found)
    return found


def add(repo: Repo, line: str, message: str = "", *, path: str = "MEMORY.md") -> str:
    old = repo.read(path) if (repo.path / path).exists() else "# Notes <!-- src:agent ts:2026-06-05 -->\n\n"
    return repo.commit(message or f"Add {line}\n", {path: f"{old}- {line}\n"}, author=Workspace.agent, env=DATES)


def facts_of(repo: Repo, rev: str) -> list[str]:
    """Everything of the commits behind `rev` but names, parents and messages, oldest first."""
    return repo.line("log", "--reverse", "--topo-order", "--format=%T %an %ae %ad %cn %ce %cd %s", "--date=raw", rev).splitlines()


def trailers_of(repo: Repo, rev: str = "HEAD") -> list[str]:
    return repo.line("log", "-1", "--format=%(trailers:only,unfold)", rev).splitlines()


def test_each_commit_that_touches_memory_is_judged(workspace: Workspace) -> None:
    workspace.commit("Code\n", {"x.py": "1\n"})
    add(workspace, "one")
    repair(workspace, "HEAD~..HEAD")
    good = workspace.message()
    add(workspace, "two", good)

    rows = judged(workspace, "HEAD~3..HEAD")

    assert [(each.verdict, each.info.oid) for each in rows] == [("ok", workspace.head("HEAD~1")), ("mismatch", workspace.head())]
    assert any("Memory-Digest" in problem.message for problem in rows[1].problems)


def test_missing_trailers_are_derived_and_nothing_else_changes(workspace: Workspace) -> None:
    base = workspace.head()
    add(workspace, "one")
    workspace.commit("Code\n", {"x.py": "1\n"}, env=DATES)
    add(workspace, "two", "Second\n\nA body.\n\nSigned-off-by: A <a@b.example>\n")
    workspace.write("MEMORY.md", workspace.read("MEMORY.md") + "- not committed\n")
    workspace.stage({"staged.txt": "mine\n"})
    before, index, old = facts_of(workspace, "HEAD"), workspace.index_bytes(), workspace.head()

    done = repair(workspace, f"{base}..HEAD")

    assert workspace.head() == done.new != old
    assert facts_of(workspace, "HEAD") == before
    assert workspace.index_bytes() == index
    assert workspace.line("status", "--porcelain").splitlines() == [" M MEMORY.md", "A  staged.txt"]
    assert verdicts(workspace, f"{base}..HEAD") == ["ok", "ok"]
    assert trailers_of(workspace)[:3] == ["Signed-off-by: A <a@b.example>", "Memory-Op: write", "Memory-Source: agent"]
    assert workspace.message("HEAD~1") == "Code\n"
    assert workspace.head("HEAD~3") == base
    assert [(each.old, each.repaired) for each in done.rewrites] == [
        (workspace.head(f"{old}~2"), True), (workspace.head(f"{old}~1"), False), (old, True)
    ]  # fmt: skip
    workspace.git("fsck", "--strict")


def test_undone_by_the_command_that_is_printed(workspace: Workspace) -> None:
    base, old = workspace.head(), add(workspace, "one")
    done = repair(workspace, f"{base}..HEAD")
    assert workspace.head(done.undo_ref) == old

    workspace.git(*undo_command(done).split()[1:])

    assert workspace.head() == old
    assert workspace.line("status", "--porcelain") == ""
    again = repair(workspace, f"{base}..HEAD")
    assert (again.new, workspace.head(again.undo_ref)) == (done.new, old)


def test_lying_trailers_are_replaced_and_the_named_operation_stays(workspace: Workspace) -> None:
    base = workspace.head()
    message = "Lie\n\nMemory-Op: consolidate\nMemory-Source: user\nMemory-Digest: sha256:00\nMemory-Reason: weekly\nReviewed-by: B <b@c.example>\n"
    add(workspace, "one", message)
    assert verdicts(workspace, f"{base}..HEAD") == ["mismatch"]

    repair(workspace, f"{base}..HEAD")

    found = trailers_of(workspace)
    assert found[:3] == ["Reviewed-by: B <b@c.example>", "Memory-Op: consolidate", "Memory-Source: agent"]
    assert found[-1] == "Memory-Reason: weekly"
    assert verdicts(workspace, f"{base}..HEAD") == ["ok"]


@pytest.mark.parametrize("way", ["merge --squash", "forge", "rebase"])
def test_a_squash_keeps_sessions_and_reasons(workspace: Workspace, way: str) -> None:
    base = workspace.head()
    workspace.git("checkout", "-q", "-b", "topic")
    for number in ("one", "two"):
        add(workspace, number, f"Add {number}\n\nMemory-Op: write\nMemory-Session: s-{number}\nMemory-Reason: because {number}\n")
    repair(workspace, f"{base}..HEAD")
    messages = [workspace.message("HEAD~1"), workspace.message("HEAD")]
    workspace.git("checkout", "-q", "main")
    workspace.git("merge", "-q", "--squash", "topic")
    if way == "merge --squash":
        workspace.git("commit", "-q", "--no-edit")
    elif way == "forge":
        text = "Topic (#1)\n\n" + "\n".join(f"* {message}" for message in messages) + "\n---------\n\nAcked-by: A <a@b.example>\n"
        workspace.git("commit", "-q", "-F", "-", "--cleanup=verbatim", input=text)
    else:
        workspace.git("commit", "-q", "-F", "-", input="\n\n".join(messages))
    assert verdicts(workspace, f"{base}..HEAD") in (["missing"], ["mismatch"])

    repair(workspace, f"{base}..HEAD")

    found = trailers_of(workspace)
    assert verdicts(workspace, f"{base}..HEAD") == ["ok"]
    assert [line for line in found if line.startswith("Memory-Block")] == [
        "Memory-Block: add - agent 2026-06-05 90d MEMORY.md#infrastructure"
    ]
    both = ("s-two; s-one", "because two; because one") if way == "merge --squash" else ("s-one; s-two", "because one; because two")
    assert found[-2:] == [f"Memory-Session: {both[0]}", f"Memory-Reason: {both[1]}"]
    assert workspace.message().count("Memory-Digest") == (3 if way == "merge --squash" else 1)


def test_merges_get_their_new_parents(workspace: Workspace) -> None:
    base = workspace.head()
    for name in ("left", "right"):
        workspace.git("checkout", "-q", "-b", name, base)
        add(workspace, name, path=f"memory/{name}.md")
    workspace.git("checkout", "-q", "main")
    add(workspace, "middle", path="memory/middle.md")
    workspace.git("merge", "-q", "left", "right", "-m", "Octopus")
    add(workspace, "after")
    before, old = sorted(facts_of(workspace, "HEAD")), workspace.head()

    done = repair(workspace, f"{base}..HEAD")

    assert sorted(facts_of(workspace, "HEAD")) == before
    assert workspace.line("log", "-1", "--format=%s %P", "HEAD~1").split()[0] == "Octopus"
    parents = workspace.line("rev-parse", "HEAD~1^@").split()
    new: dict[str, str] = {each.old: each.new for each in done.rewrites}
    assert parents == [new[oid] for oid in workspace.line("rev-parse", f"{old}~1^@").split()]
    assert set(verdicts(workspace, f"{base}..HEAD")) == {"ok"}
    assert "Memory-Op: merge" in trailers_of(workspace, "HEAD~1")
    assert set(done.held) == {"refs/heads/left", "refs/heads/right"}


def test_names_of_commits_in_trailers_follow(workspace: Workspace) -> None:
    base = workspace.head()
    add(workspace, "one")
    workspace.commit("Drop\n", {"MEMORY.md": workspace.read("MEMORY.md").replace("- one\n", "")}, env=DATES)
    repair(workspace, "HEAD~1..HEAD")
    assert f"history {workspace.head('HEAD~1')}:" in workspace.message()

    repair(workspace, f"{base}..HEAD~1")

    assert f"history {workspace.head('HEAD~1')}:MEMORY.md#L" in workspace.message()


def test_signatures_are_named_before_they_are_lost(workspace: Workspace) -> None:
    base = workspace.head()
    add(workspace, "one")
    raw = workspace.git("cat-file", "commit", "HEAD").stdout.replace(b"\n\nAdd", b"\ngpgsig -----BEGIN\n x\n -----END\n\nAdd", 1)
    signed = workspace.git("hash-object", "-t", "commit", "-w", "--stdin", input=raw).stdout.decode().strip()
    workspace.git("update-ref", "HEAD", signed)

    done = repair(workspace, f"{base}..HEAD")

    assert [(each.old, each.signed) for each in done.rewrites] == [(signed, True)]
    assert b"gpgsig" not in workspace.git("cat-file", "commit", "HEAD").stdout


def test_a_range_that_is_right_changes_nothing(workspace: Workspace) -> None:
    base = workspace.head()
    add(workspace, "one")
    repair(workspace, f"{base}..HEAD")

    found = plan(workspace, f"{base}..HEAD")

    assert (found.rewrites, found.new) == ((), workspace.head())


class TestRefused:
    def test_commits_of_another_branch(self, workspace: Workspace) -> None:
        workspace.git("checkout", "-q", "-b", "side")
        add(workspace, "one")
        workspace.git("checkout", "-q", "main")

        with pytest.raises(HoardError, match="not on the current branch") as caught:
            plan(workspace, "main..side")
        assert "git branch --contains" in caught.value.hint

    def test_a_detached_head_a_merge_in_progress_and_no_commits(self, workspace: Workspace) -> None:
        with pytest.raises(HoardError, match="no commits"):
            plan(workspace, "HEAD..HEAD")
        workspace.git("update-ref", "MERGE_HEAD", "HEAD")
        with pytest.raises(HoardError, match="in progress"):
            plan(workspace, "HEAD")
        workspace.git("update-ref", "-d", "MERGE_HEAD")
        workspace.git("checkout", "-q", "--detach")
        with pytest.raises(HoardError, match="detached"):
            plan(workspace, "HEAD")

    def test_a_branch_that_moved_meanwhile(self, workspace: Workspace) -> None:
        found = plan(workspace, "HEAD")
        add(workspace, "one")
        before = workspace.snapshot()

        with pytest.raises(HoardError, match="moved by someone else"):
            apply_repair(reader_of(workspace), found)
        assert workspace.snapshot() == before

    def test_a_shallow_clone(self, workspace: Workspace, tmp_path: Path) -> None:
        add(workspace, "one")
        workspace.git("clone", "-q", "--depth=1", f"file://{workspace.path}", str(tmp_path / "shallow"))

        with pytest.raises(HoardError, match="shallow"):
            judged(Repo(tmp_path / "shallow"))

    def test_what_is_on_a_remote_branch_unless_forced(self, workspace: Workspace, tmp_path: Path) -> None:
        base = workspace.head()
        add(workspace, "one")
        workspace.git("clone", "-q", "--bare", str(workspace.path), str(tmp_path / "far.git"))
        workspace.git("remote", "add", "origin", str(tmp_path / "far.git"))
        workspace.git("fetch", "-q", "origin")
        before = workspace.snapshot()

        done = run_hoard("trailers", "--repair", f"{base}..HEAD", cwd=workspace)

        assert (done.returncode, workspace.snapshot() == before) == (2, True)
        assert "origin/main" in done.stderr.decode() and "--force" in done.stderr.decode()
        assert run_hoard("trailers", "--repair", "--force", f"{base}..HEAD", cwd=workspace).returncode == 0
        assert verdicts(workspace, f"{base}..HEAD") == ["ok"]
