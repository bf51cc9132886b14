"""`hoard trailers` as a user meets it."""

from __future__ import annotations

import json

from tests.support.repo import Workspace, run_hoard


def add(workspace: Workspace, line: str, message: str = "Add\n") -> str:
    return workspace.commit(message, {"MEMORY.md": workspace.read("MEMORY.md") + f"- {line}\n"}, author=Workspace.agent)


def test_listed_planned_and_repaired(workspace: Workspace) -> None:
    base, old = workspace.head(), add(workspace, "one", "Add one\n")
    before = workspace.snapshot()

    listed = run_hoard("trailers", f"{base}..HEAD", cwd=workspace)
    assert listed.returncode == 0
    assert [line.split()[0] for line in listed.stdout.decode().splitlines()] == ["missing", "the"]
    assert "0 ok, 1 missing, 0 mismatch" in listed.stderr.decode()
    planned = run_hoard("trailers", "--repair", f"{base}..HEAD", "--dry-run", cwd=workspace)
    assert planned.stdout.decode().split()[:3] == ["repair", old[:10], "->"]
    assert workspace.snapshot() == before
    done = run_hoard("trailers", "--repair", f"{base}..HEAD", cwd=workspace)
    assert done.returncode == 0
    assert done.stdout.decode().splitlines()[-1] == f"main: {old[:12]} -> {workspace.head()[:12]}"
    undo = done.stderr.decode().strip().rpartition("undo: ")[2]
    assert run_hoard("trailers", f"{base}..HEAD", cwd=workspace).stdout.decode().startswith("ok ")
    workspace.git(*undo.split()[1:])
    assert workspace.head() == old


def test_what_missing_means_is_said_once(workspace: Workspace) -> None:
    for name in ("a", "b"):
        workspace.commit(f"Plain {name}\n", {f"memory/{name}.md": f"- Fact {name} stands here. <!-- src:agent ts:2026-06-05 -->\n"})
    out = run_hoard("trailers", "HEAD~2..", cwd=workspace).stdout.decode()
    assert (out.count("missing   "), out.count("has no Memory-* trailers")) == (2, 1)


def test_a_mismatch_fails_and_says_what_is_wrong(workspace: Workspace) -> None:
    add(workspace, "one", "Lie\n\nMemory-Op: write\nMemory-Source: user\nMemory-Digest: sha256:00\n")

    done = run_hoard("trailers", "--json", "HEAD~1..HEAD", cwd=workspace)

    assert done.returncode == 1
    row = json.loads(done.stdout)
    assert (row["commit"], row["trailers"], row["subject"]) == (workspace.head(), "mismatch", "Lie")
    assert any("Memory-Source says user" in problem for problem in row["problems"])


def test_json_of_a_repair(workspace: Workspace) -> None:
    old = add(workspace, "one")

    data = json.loads(run_hoard("trailers", "--repair", "--json", "HEAD~1..HEAD", cwd=workspace).stdout)

    assert (data["old"], data["new"], data["dry_run"]) == (old, workspace.head(), False)
    assert data["commits"] == [{"commit": old, "new": workspace.head(), "repaired": True, "trailers": "missing", "signature_lost": False}]
    assert data["undo"] == f"git update-ref refs/heads/main {old} {workspace.head()}"


def test_misuse(workspace: Workspace) -> None:
    for args in (["--dry-run"], ["--force", "HEAD"], ["--repair"], ["nonsense..HEAD"]):
        done = run_hoard("trailers", *args, cwd=workspace)
        assert (done.returncode, b"hoard: " in done.stderr) == (2, True), args
