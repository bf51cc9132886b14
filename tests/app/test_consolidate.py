"""`hoard consolidate` against real repositories: a proposal touches nothing, an applied one loses nothing, and nobody's work is in the way."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from hoard_git.app.consolidate import Wanted, plan_head, propose, read_steps
from hoard_git.errors import HoardError
from tests.app.consolidating import DAY, OLD, december, hoard
from tests.app.support import AS_AGENT, as_agent, reader_of
from tests.support.environment import ROOT
from tests.support.repo import POLICY, Repo, Workspace, run, run_hoard


def test_a_dry_run_writes_nothing_at_all(aged: Workspace) -> None:
    before = aged.snapshot()
    objects = sorted(Path(aged.path, ".git", "objects").rglob("*"))
    status, out, err = hoard(aged, "--dry-run")
    assert (status, aged.snapshot()) == (0, before)
    assert sorted(Path(aged.path, ".git", "objects").rglob("*")) == objects
    assert "1 archived" in out
    assert "MEMORY.md:7 'Infrastructure' -> memory/archive/2026-12-30.md: 208 days old, past its ttl of 90d" in out.replace("\n    ", " ")
    assert "hoard consolidate --apply" in err


def test_a_proposal_leaves_everything_but_its_branch_as_it_was(aged: Workspace) -> None:
    aged.stage({"notes.txt": "staged\n"})
    aged.write("MEMORY.md", OLD + "\n- not committed\n")
    before = aged.snapshot()
    status, out, err = hoard(aged)

    after = aged.snapshot()
    tip = aged.head("hoard/consolidate/2026-12-30")
    assert status == 0, err
    assert (after.index, after.files) == (before.index, before.files)
    assert set(after.refs) - set(before.refs) == {f"refs/heads/hoard/consolidate/2026-12-30 {tip} "}
    assert f"Proposed on branch hoard/consolidate/2026-12-30: commit {tip[:12]}" in out
    assert aged.head(f"{tip}^") == aged.head()
    for command in (f"git merge --ff-only hoard/consolidate/{DAY}", f"git branch -D hoard/consolidate/{DAY}", f"git revert {tip[:12]}"):
        assert command in err


def test_the_commit_reads_as_a_report_and_its_trailers_are_true(aged: Workspace) -> None:
    hoard(aged)
    text = aged.message("hoard/consolidate/2026-12-30")
    assert text.startswith("Consolidate memory 2026-12-30: 1 marked stale, 1 archived\n\n")
    assert "Memory-Op: consolidate\n" in text
    assert "Memory-Removed: - archive memory/archive/2026-12-30.md\n" in text
    checked = run_hoard("check", "--range", "HEAD..hoard/consolidate/2026-12-30", "--strict", cwd=aged, env={"HOARD_DATE": DAY})
    assert checked.returncode == 0, checked.stdout.decode()


def test_the_same_proposal_is_not_made_twice(aged: Workspace) -> None:
    hoard(aged)
    tip = aged.head("hoard/consolidate/2026-12-30")
    status, out, _err = hoard(aged)
    assert (status, aged.head("hoard/consolidate/2026-12-30")) == (0, tip)
    assert "Proposed already" in out


def test_an_outdated_proposal_of_ours_is_replaced_and_one_that_was_worked_on_is_not(aged: Workspace) -> None:
    hoard(aged)
    first = aged.head("hoard/consolidate/2026-12-30")
    aged.commit("More\n", {"memory/a.md": "- A <!-- src:web ts:2026-01-01 -->\n"}, author=Workspace.agent)
    _status, out, _err = hoard(aged)
    second = aged.head("hoard/consolidate/2026-12-30")
    assert f"in place of {first[:12]}" in out
    assert aged.head(f"{second}^") == aged.head()

    aged.git("branch", "-f", "hoard/consolidate/2026-12-30", aged.head())
    own = aged.line("commit-tree", "HEAD^{tree}", "-p", "hoard/consolidate/2026-12-30", "-m", "mine")
    aged.git("branch", "-f", "hoard/consolidate/2026-12-30", own)
    _status, out, _err = hoard(aged)
    assert "Proposed on branch hoard/consolidate/2026-12-30-2" in out
    assert aged.head("hoard/consolidate/2026-12-30") == own


def test_a_proposal_that_is_checked_out_is_not_moved_under_its_files(aged: Workspace, tmp_path: Path) -> None:
    hoard(aged, "--steps", "expire")
    name = f"hoard/consolidate/{DAY}"
    first = aged.head(name)
    aged.git("worktree", "add", "-q", str(tmp_path / "look"), name)
    aged.commit("More\n", {"memory/a.md": "- A <!-- src:web ts:2026-01-01 -->\n"}, author=Workspace.agent)
    _status, out, err = hoard(aged)
    assert f"Proposed on branch {name}-2: commit" in out, err
    assert (aged.head(name), aged.line("-C", str(tmp_path / "look"), "status", "--porcelain")) == (first, "")

    aged.git("switch", "-q", f"{name}-2")
    aged.commit("And more\n", {"memory/b.md": "- B <!-- src:web ts:2026-01-01 -->\n"}, author=Workspace.agent)
    before = aged.snapshot()
    _status, out, err = hoard(aged)
    assert f"Proposed on branch {name}-3: commit" in out, err
    assert (aged.snapshot().index, aged.snapshot().files) == (before.index, before.files)
    assert (aged.head(), aged.line("status", "--porcelain")) == (aged.head(f"{name}-2"), "")


def test_a_proposal_on_top_of_the_one_that_is_checked_out_leaves_it_alone(aged: Workspace) -> None:
    aged.write("memory/a.md", "# A <!-- src:agent ts:2026-12-20 -->\n\n- The pump hums at night\n- the pump hums at night.\n")
    aged.git("add", "-A")
    aged.git("commit", "-q", "-n", "-m", "twice")
    hoard(aged, "--steps", "dedupe")
    aged.git("switch", "-q", f"hoard/consolidate/{DAY}")
    before = aged.snapshot()
    status, out, err = hoard(aged)
    assert (status, aged.snapshot().index, aged.snapshot().files) == (0, before.index, before.files), err
    assert f"Proposed on branch hoard/consolidate/{DAY}-2" in out
    assert aged.line("status", "--porcelain") == ""


def test_apply_commits_and_brings_files_and_index_along(aged: Workspace) -> None:
    aged.stage({"notes.txt": "staged\n"})
    base = aged.head()
    status, out, err = hoard(aged, "--apply")
    assert status == 0, err
    assert aged.head("HEAD^") == base
    assert aged.line("status", "--porcelain") == "A  notes.txt"
    assert "src:web ts:2026-11-20 \u26a0\ufe0f stale" in aged.read("MEMORY.md")
    assert "Infrastructure" not in aged.read("MEMORY.md")
    assert aged.read("memory/archive/2026-12-30.md").endswith("- Node-2 serves the wiki.\n- Backups run at 03:30.\n")
    assert f"git revert {aged.head()[:12]}" in err
    assert "Consolidated on main" in out
    assert aged.line("log", "-1", "--format=%an %cn") == "clawd clawd"


def test_twice_is_once(aged: Workspace) -> None:
    hoard(aged, "--apply")
    tip = aged.head()
    for option in ("--apply", "--dry-run", ""):
        status, out, _err = hoard(aged, *([option] if option else []))
        assert (status, out.splitlines()[0]) == (0, "Nothing to consolidate.")
    assert aged.head() == tip
    assert aged.line("branch", "--list", "hoard/*") == ""


def test_the_printed_undo_works_and_passes_the_gate(aged: Workspace) -> None:
    before = aged.read("MEMORY.md")
    hoard(aged, "--apply")
    aged.git("revert", "--no-edit", "HEAD", env=AS_AGENT)
    assert aged.read("MEMORY.md") == before
    checked = run_hoard("check", "--range", "HEAD~1..HEAD", cwd=aged, env={"HOARD_DATE": DAY})
    assert checked.returncode == 0, checked.stdout.decode()


def test_what_was_archived_comes_back(aged: Workspace) -> None:
    hoard(aged, "--apply")
    done = run_hoard("--date", DAY, "restore", "Infrastructure", cwd=aged, env=AS_AGENT)
    assert done.returncode == 0, done.stderr
    assert aged.read("MEMORY.md") == OLD.replace("ts:2026-11-20 -->", "ts:2026-11-20 \u26a0\ufe0f stale -->")
    assert not Path(aged.path, "memory/archive/2026-12-30.md").exists()


@pytest.mark.parametrize("place", ["worktree", "index", "untracked"])
def test_uncommitted_work_in_the_way_is_refused(aged: Workspace, place: str) -> None:
    if place == "untracked":
        aged.write("memory/archive/2026-12-30.md", "mine\n")
    else:
        aged.write("MEMORY.md", OLD + "- more\n")
        if place == "index":
            aged.git("add", "MEMORY.md")
    before = aged.snapshot()
    status, _out, err = hoard(aged, "--apply")
    assert (status, aged.snapshot()) == (2, before)
    assert "not committed" in err
    assert "hoard commit" in err


def test_a_merge_under_way_is_refused(aged: Workspace) -> None:
    Path(aged.path, ".git", "MERGE_HEAD").write_text(aged.head() + "\n", encoding="ascii")
    status, _out, err = hoard(aged, "--apply")
    assert status == 2
    assert "MERGE_HEAD" in err


def test_a_detached_head_moves_and_the_branch_does_not(aged: Workspace) -> None:
    aged.git("checkout", "-q", "--detach")
    base = aged.head()
    status, _out, _err = hoard(aged, "--apply")
    assert (status, aged.head("HEAD^"), aged.head("main")) == (0, base, base)
    assert aged.line("status", "--porcelain") == ""


def test_no_commit_yet(repo: Repo) -> None:
    status, _out, err = hoard(repo)
    assert status == 2
    assert "no commit yet" in err


def test_a_bare_repository_is_proposed_to_and_applied(aged: Workspace, tmp_path: Path) -> None:
    bare = Repo.create(tmp_path / "bare", "--bare")
    bare.git("fetch", "-q", aged.path, "main:main")
    bare.git("symbolic-ref", "HEAD", "refs/heads/main")
    base = bare.head()
    status, _out, err = hoard(bare)
    assert (status, bare.head("hoard/consolidate/2026-12-30^")) == (0, base), err
    status, _out, err = hoard(bare, "--apply")
    assert (status, bare.head("main^")) == (0, base), err


def test_a_linked_worktree(aged: Workspace, tmp_path: Path) -> None:
    aged.git("worktree", "add", "-q", "-b", "side", tmp_path / "side")
    side = Repo(tmp_path / "side")
    status, _out, err = hoard(side, "--apply")
    assert status == 0, err
    assert side.line("status", "--porcelain") == ""
    assert aged.line("status", "--porcelain") == ""
    assert aged.head("side^") == aged.head("main")


@pytest.mark.parametrize("setting", ["autocrlf", "attributes"])
def test_line_ends_that_git_converts(aged: Workspace, setting: str) -> None:
    if setting == "autocrlf":
        aged.git("config", "core.autocrlf", "true")
    else:
        aged.commit("Attributes\n", {".gitattributes": "*.md text eol=crlf\n"})
    aged.git("rm", "-q", "--cached", "-r", ".")
    aged.git("reset", "-q", "--hard")
    assert "\r\n" in aged.read_bytes("MEMORY.md").decode()
    status, _out, err = hoard(aged, "--apply")
    assert status == 0, err
    assert aged.line("status", "--porcelain") == ""
    assert aged.read_bytes("MEMORY.md").count(b"\r\n") == aged.read_bytes("MEMORY.md").count(b"\n")
    assert b"\r" not in aged.show("HEAD", "MEMORY.md")


def test_two_workspaces_in_one_repository_keep_apart(workspace: Workspace) -> None:
    workspace.commit(
        "Two\n",
        {
            ".hoard.yaml": POLICY + "memory: {roots: [agents/a, agents/b]}\n",
            "MEMORY.md": None,
            "agents/a/MEMORY.md": OLD,
            "agents/b/MEMORY.md": OLD,
        },
    )
    as_agent(workspace)
    status, _out, err = hoard(workspace, "--apply")
    assert status == 0, err
    archives = workspace.line("ls-tree", "-r", "--name-only", "HEAD", "--", "agents")
    assert archives.splitlines() == [
        "agents/a/MEMORY.md",
        "agents/a/memory/archive/2026-12-30.md",
        "agents/b/MEMORY.md",
        "agents/b/memory/archive/2026-12-30.md",
    ]


MANY = "# Memory\n\n" + "".join(f"- Old fact number {n} <!-- src:web ts:2026-01-01 -->\n" for n in range(20))


def test_too_much_at_once_is_proposed_but_only_a_human_applies_it(workspace: Workspace) -> None:
    workspace.commit("Many\n", {"MEMORY.md": MANY}, author=Workspace.agent)
    as_agent(workspace)
    before = workspace.snapshot()
    told = "".join(map(str, hoard(workspace, "--dry-run")))
    assert "propose:  hoard consolidate" in told and "--apply" not in told
    status, out, err = hoard(workspace, "--apply")
    assert (status, workspace.snapshot()) == (1, before)
    assert "HG310" in out
    assert "hoard consolidate   (writes a proposal, and says how a human takes it)" in out
    status, out, err = hoard(workspace)
    assert status == 0, err
    assert "20 of 20 active entries leave (100 %, the policy lets 25 % go): a human has to take this." in out.replace("\n  ", " ")
    base = workspace.head()
    assert "--ff-only" not in err
    for command in re.findall(r"^(?:take:| {5}) +(git merge .*|hoard commit .*?)(?: {5}.*)?$", err, re.MULTILINE):
        words = shlex.split(command)
        assert (run_hoard(*words[1:], cwd=workspace) if words[0] == "hoard" else workspace.git(*words[1:])).returncode == 0
    assert workspace.line("log", "-1", "--format=%ae %s") == "ada@example.org Consolidate memory"
    judged = run_hoard("--date", DAY, "check", "--range", f"{base}..HEAD", cwd=workspace)
    assert judged.returncode == 0, judged.stdout
    workspace.git("reset", "-q", "--hard", base)
    workspace.git("config", "user.email", "ada@example.org")
    done = run_hoard("--date", DAY, "consolidate", "--apply", cwd=workspace)
    assert done.returncode == 0, done.stderr


def test_json_has_the_contracts_keys(aged: Workspace) -> None:
    told = json.loads(hoard(aged, "--json")[1])
    assert set(told) >= {"schema", "base", "date", "branch", "commit", "actions", "review"}
    assert (told["schema"], told["date"], told["branch"]) == (1, DAY, "hoard/consolidate/2026-12-30")
    assert told["commit"] == aged.head("hoard/consolidate/2026-12-30")
    wanted = {"kind", "path", "line", "block", "text", "to", "src", "src_after", "survivor", "reason"}
    assert all(set(action) == wanted for action in told["actions"])
    assert [(a["kind"], a["path"], a["line"]) for a in told["actions"]] == [("archive", "MEMORY.md", 7), ("stale", "MEMORY.md", 12)]
    dry = json.loads(hoard(aged, "--json", "--dry-run")[1])
    assert (dry["branch"], dry["commit"]) == (None, None)
    assert dry["actions"] == told["actions"]


@pytest.mark.parametrize("other", ["hoard", "hoard/consolidate"])
def test_a_branch_in_the_way_is_told_with_the_way_out(aged: Workspace, other: str) -> None:
    aged.git("branch", other)
    status, _out, err = hoard(aged)
    assert status == 2
    assert f"A branch is called '{other}'" in err
    assert f"git branch -m {other} NEW-NAME" in err
    aged.git("branch", "-m", other, "elsewhere")
    assert hoard(aged)[0] == 0


@pytest.mark.parametrize("text", ["expire,none", "", ",", "EXPIRE"])
def test_unknown_steps(text: str) -> None:
    with pytest.raises(HoardError, match="is no step"):
        read_steps(text)


def test_steps_run_in_their_own_order() -> None:
    assert read_steps("tiers, expire") == ("expire", "tiers")


def test_apply_and_dry_run_exclude_each_other(aged: Workspace) -> None:
    assert hoard(aged, "--apply", "--dry-run")[0] == 2


def test_hoard_consolidate_is_the_cron_command(aged: Workspace, tmp_path: Path) -> None:
    program = "import sys; from hoard_git.cli.consolidate import main; sys.exit(main())"
    env = {"PYTHONPATH": str(ROOT), "HOARD_DATE": DAY, **AS_AGENT}
    dry = run([sys.executable, "-c", program, "--workspace", aged.path, "--dry-run"], cwd=tmp_path, env=env)
    assert (dry.returncode, aged.line("rev-list", "--count", "HEAD")) == (0, "2"), dry.stderr
    done = run([sys.executable, "-c", program, "--workspace", aged.path], cwd=tmp_path, env=env)
    assert (done.returncode, aged.line("rev-list", "--count", "HEAD")) == (0, "3"), done.stderr
    wrong = run([sys.executable, "-c", program], cwd=tmp_path, env=env)
    assert wrong.returncode == 2
    assert b"--workspace" in wrong.stderr


def test_an_agent_is_stopped_by_the_amount_and_a_human_is_not(workspace: Workspace) -> None:
    logs = {
        f"memory/2026-05-{day:02d}.md": "# L\n\n" + "".join(f"- Looked at pump {day} and {n}\n" for n in range(12)) for day in range(1, 8)
    }
    workspace.commit("Logs\n", logs, author=Workspace.agent)
    as_agent(workspace)
    before = workspace.snapshot()
    status, out, _err = hoard(workspace, "--apply")
    assert (status, workspace.snapshot()) == (1, before)
    assert "HG310" in out
    workspace.git("config", "user.email", "ada@example.org")
    done = run_hoard("--date", DAY, "consolidate", "--apply", cwd=workspace)
    assert done.returncode == 0, done.stderr


def test_a_plan_is_the_same_every_time(aged: Workspace) -> None:
    one, other = (plan_head(reader_of(aged), Wanted(("expire", "compress")), december, {}) for _ in range(2))
    assert one == other
    assert propose(reader_of(aged), Wanted(("expire",)), december, {}).ref == "refs/heads/hoard/consolidate/2026-12-30"
    assert aged.read("MEMORY.md") == OLD
