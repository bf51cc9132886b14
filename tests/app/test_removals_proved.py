"""HG703 against real repositories: what earlier commits, unchanged files and packed logs prove, and what they do not."""

from __future__ import annotations

import gzip
import re

import pytest

from hoard_git.app.check import check_commits, find_range
from hoard_git.app.trailers import apply_repair, judge_trailers, plan_repair
from hoard_git.core.model import Finding
from hoard_git.gitio.opening import open_reader
from tests.app.support import as_agent, june, reader_of
from tests.support.repo import Repo, Workspace, run_hoard

TAG = "<!-- src:agent ts:2026-06-05 -->"
FACTS = ("The wiki runs on node three behind the proxy", "Backups are written to the second disk each night", "Port 8080 is open")
LOG = "memory/archive/logs/2026-01-01.md"


def memory(*facts: str) -> str:
    return f"# Memory\n\n## Hosts {TAG}\n\n" + "".join(f"- {fact}\n" for fact in facts)


def start(repo: Repo) -> str:
    return repo.commit("Hosts\n", {"memory/hosts.md": memory(*FACTS)}, author=Workspace.agent)


def drop(repo: Repo, *lines: str, op: str = "consolidate", facts: tuple[str, ...] = FACTS[1:], **more: str | bytes | None) -> str:
    """Commit a file with fewer facts under these Memory-Removed lines."""
    files: dict[str, str | bytes | None] = {"memory/hosts.md": memory(*facts), **more}
    message = "".join(f"Memory-Removed: {line}\n" for line in lines)
    return repo.commit(f"Tidy up\n\nMemory-Op: {op}\n{message}", files, author=Workspace.agent)


def found(repo: Repo, revisions: str = "HEAD~..HEAD") -> list[Finding]:
    reader = open_reader(str(repo.path), batch=True)
    return [f for f in check_commits(reader, find_range(reader, revisions), june, revisions).findings if f.code == "HG703"]


def messages(repo: Repo, revisions: str = "HEAD~..HEAD") -> list[str]:
    return [finding.message.partition("; ")[0].removeprefix("Memory-Removed ") for finding in found(repo, revisions)]


NOWHERE = "an entry leaves the memory, and neither a file nor a Memory-Removed line has it"
NO_LINES = "line 1 of 1 names lines that no commit before this one has"


def test_a_consolidation_that_says_nothing(workspace: Workspace) -> None:
    start(workspace)
    oid = drop(workspace)
    (finding,) = found(workspace)
    assert (finding.path, finding.line, finding.block, finding.severity, finding.commit) == ("memory/hosts.md", 5, "hosts", "error", oid)


@pytest.mark.parametrize("op", ["consolidate", "write"])
def test_the_commit_before_and_any_before_that(workspace: Workspace, op: str) -> None:
    first = start(workspace)
    before = workspace.commit("Code\n", {"memory/hosts.md": "\n\n" + memory(*FACTS)}, author=Workspace.agent)
    drop(workspace, f"- history {before}:memory/hosts.md#L7-L7", op=op)
    assert messages(workspace) == []
    workspace.git("reset", "-q", "--hard", before)
    drop(workspace, f"- history {first}:memory/hosts.md#L5-L5", op=op)
    assert messages(workspace) == []
    workspace.git("reset", "-q", "--hard", before)
    drop(workspace, f"- history {first}:memory/hosts.md#L6-L6", op=op)
    assert messages(workspace)[0] == "line 1 of 1 names lines that do not hold what left"


def test_a_commit_that_is_not_behind_this_one_proves_nothing(workspace: Workspace) -> None:
    base = start(workspace)
    workspace.git("switch", "-q", "-c", "side")
    side = workspace.commit("Side\n", {"memory/side.md": memory("side")}, author=Workspace.agent)
    workspace.git("switch", "-q", "main")
    for oid in (side, "9" * 40, workspace.line("rev-parse", f"{base}:memory/hosts.md"), workspace.line("rev-parse", f"{base}^{{tree}}")):
        drop(workspace, f"- history {oid}:memory/hosts.md#L5-L5", op="write")
        assert messages(workspace) == [NO_LINES]
        workspace.git("reset", "-q", "--hard", base)


@pytest.mark.parametrize("place", ["memory/none.md#L5-L5", "memory/hosts.md#L5-L99", "memory#L1-L1", "%00#L1-L1", "#L1-L1"])
def test_a_place_that_is_not_there(workspace: Workspace, place: str) -> None:
    first = start(workspace)
    workspace.commit("Code\n", {"x.py": "1\n"})
    drop(workspace, f"- history {first}:{place}", op="write")
    assert messages(workspace) in ([NO_LINES], ["line 1 of 1 is not of the form that says where an entry went"])


def test_a_commit_does_not_prove_itself(workspace: Workspace) -> None:
    """Its own name cannot be in it; that of a later commit can, and proves as little."""
    start(workspace)
    dropped = drop(workspace, op="write")
    workspace.commit("Back\n", {"memory/hosts.md": memory(*FACTS)}, author=Workspace.agent)
    drop(workspace, f"- history {dropped}:memory/hosts.md#L5-L5", op="write")
    assert messages(workspace) == ["line 1 of 1 names lines that do not hold what left"]


def test_files_that_the_commit_leaves_alone(workspace: Workspace) -> None:
    other = f"# Other {TAG}\n\n- **{FACTS[0]}.** {TAG[:-3]}id:k3f9q2 -->\n"
    workspace.commit("Other\n", {"memory/other.md": other, "memory/archive/2026-06-01.md": memory(FACTS[1])}, author=Workspace.agent)
    start(workspace)
    drop(workspace, "- duplicate k3f9q2", "- archive memory/archive/2026-06-01.md", facts=FACTS[2:])
    assert messages(workspace) == []
    workspace.git("reset", "-q", "--hard", "HEAD~")
    drop(workspace, "- duplicate k3f9q3", "- archive memory/archive/2026-06-02.md", facts=FACTS[2:], op="write")
    assert messages(workspace) == [
        "line 1 of 2 names a twin that is not there",
        "line 2 of 2 names a file that is no archive after the change",
    ]


def test_logs_that_are_packed(workspace: Workspace) -> None:
    workspace.commit("Log\n", {LOG: memory(*FACTS)}, author=Workspace.agent)
    packed = gzip.compress(memory(*FACTS).encode(), mtime=0)
    workspace.commit("Pack\n\nMemory-Op: consolidate\n", {LOG: None, f"{LOG}.gz": packed}, author=Workspace.agent)
    assert messages(workspace) == []
    less = gzip.compress(memory(*FACTS[1:]).encode(), mtime=0)
    workspace.git("reset", "-q", "--hard", "HEAD~")
    workspace.commit("Pack\n\nMemory-Op: consolidate\n", {LOG: None, f"{LOG}.gz": less}, author=Workspace.agent)
    assert messages(workspace) == [NOWHERE]


def test_a_user_edit_under_the_name_of_upkeep_is_found_among_many_moves(workspace: Workspace) -> None:
    facts = [f"Shelf {n} holds the spare parts of pump {n}" for n in range(60)]
    workspace.commit("Shelves\n", {"memory/hosts.md": memory(*facts)}, author=Workspace.agent)
    moved = [*facts[:30], "Shelf 30 holds the spare parts of pump 31", *facts[31:]]
    workspace.commit(
        "Move\n\nMemory-Op: consolidate\n", {"memory/hosts.md": None, "memory/shelves.md": memory(*moved)}, author=Workspace.agent
    )
    assert [(f.path, f.line) for f in found(workspace)] == [("memory/hosts.md", 35)]


def test_after_a_rebase_the_lines_name_what_is_gone_until_they_are_repaired(workspace: Workspace) -> None:
    base = workspace.head()
    first = start(workspace)
    drop(workspace, f"- history {first}:memory/hosts.md#L5-L5")
    workspace.git("switch", "-q", "-c", "upstream", base)
    workspace.commit("Code\n", {"x.py": "1\n"})
    workspace.git("switch", "-q", "main")
    workspace.git("rebase", "-q", "upstream")
    assert messages(workspace) == [NO_LINES, NOWHERE]
    reader = open_reader(str(workspace.path), batch=True)
    (judged,) = judge_trailers(reader, find_range(reader, "HEAD~..HEAD"), june)
    assert judged.verdict == "mismatch"
    apply_repair(reader_of(workspace), plan_repair(reader_of(workspace), reader, "HEAD~..HEAD", june))
    assert messages(workspace) == []
    assert f"Memory-Removed: - history {workspace.head('HEAD~')}:memory/hosts.md#L5-L5" in workspace.message()


def test_a_merge_has_to_be_true_as_well(workspace: Workspace) -> None:
    base = start(workspace)
    workspace.git("switch", "-q", "-c", "side")
    drop(workspace, f"- history {base}:memory/hosts.md#L5-L5")
    workspace.git("switch", "-q", "main")
    workspace.commit("Code\n", {"x.py": "1\n"})
    workspace.git(
        "merge", "-q", "--no-ff", "-m", f"Merge\n\nMemory-Op: merge\nMemory-Removed: - history {base}:memory/hosts.md#L5-L5", "side"
    )
    assert messages(workspace, f"{base}..HEAD") == []
    message = f"Merge\n\nMemory-Op: merge\nMemory-Removed: - history {base}:memory/hosts.md#L6-L6\n"
    workspace.git("commit", "-q", "--amend", "-m", message)
    assert messages(workspace, f"{base}..HEAD") == ["line 1 of 1 names lines that do not hold what left"]


def crowded() -> dict[str, str]:
    """A workspace in which every step of a consolidation has something to do."""
    old, web = "<!-- src:agent ts:2025-09-01 -->", "<!-- src:web ts:2026-06-01 -->"
    rooms = "".join(
        f"## Room {n} <!-- src:agent ts:2026-06-{n % 9 + 1:02d} -->\n\n"
        + "".join(f"- Room {n} has shelf {k}, see [the plan](memory/rooms.md#{k}) and [the map](../map.md)\n" for k in range(9))
        + "\n"
        for n in range(30)
    )
    logs = {
        f"memory/{month}-{day:02d}.md": f"# {month}-{day:02d}\n\n- Decided: pump {day} stays\n- ok\n"
        + "".join(f"- Looked at pump {day} for the {k}. time\n" for k in range(20))
        for month in ("2026-05", "2026-01")
        for day in (3, 4)
    }
    index = f"# Memory\n\n## Rules <!-- src:user ts:2025-01-01 -->\n\n- Two people approve a release\n\n## Old {old}\n\n- The mirror moved\n\n{rooms}"
    copies = (
        f"# Copies {web}\n\n- The mirror for packages is pkg.fast.example today\n- **The mirror for packages is pkg.fast.example today.**\n"
    )
    return {"MEMORY.md": index, "memory/copies.md": copies, **logs}


def test_what_a_consolidation_writes_is_proved(workspace: Workspace) -> None:
    as_agent(workspace)
    workspace.commit("Memory\n", crowded())
    done = run_hoard("--date", "2026-06-15", "consolidate", "--apply", cwd=workspace)
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert "Memory-Op: consolidate" in workspace.message()
    reader = open_reader(str(workspace.path), batch=True)
    report = check_commits(reader, find_range(reader, "HEAD~..HEAD"), june, "")
    assert {f.code for f in report.findings if f.severity != "info"} & {
        "HG302",
        "HG304",
        "HG310",
        "HG403",
        "HG701",
        "HG702",
        "HG703",
    } == set()
    message = workspace.message()
    workspace.git("commit", "-q", "--amend", "--no-verify", "-m", re.sub(r"Memory-Removed: .*\n", "", message))
    lost = found(workspace)
    assert {finding.path.split("/")[-1][:7] for finding in lost} <= {"2026-01"}, "only what is cold is in history alone"
    assert lost
