"""`hoard consolidate` against real repositories: a proposal touches nothing, an applied one loses nothing, and nobody's work is in the way."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import sys
from pathlib import Path

import pytest

from hoard_git.app.clock import Days
from hoard_git.app.consolidate import Wanted, apply, plan_head, propose, read_steps
from hoard_git.core.policy import Policy
from hoard_git.errors import HoardError
from hoard_git.gitio import applying
from hoard_git.gitio.applying import finish, move_to
from hoard_git.gitio.writer import update_ref
from tests.app.support import AS_AGENT, as_agent, reader_of
from tests.support.environment import ROOT
from tests.support.repo import POLICY, Repo, Workspace, run, run_hoard
from tests.support.upkeep import day_number

OLD = """\
# Memory

## Preferences <!-- src:user ts:2026-06-01 -->

- Answers are short and in English.

## Infrastructure <!-- src:agent ts:2026-06-05 ttl:90d -->

- Node-2 serves the wiki.
- Backups run at 03:30.

## Web <!-- src:web ts:2026-11-20 -->

- The library is at version 3.
"""
DAY = "2026-12-30"


def december(policy: Policy) -> Days:
    del policy
    return Days(day_number(DAY), day_number(DAY))


@pytest.fixture
def aged(workspace: Workspace) -> Workspace:
    """A workspace with an expired, a stale and a user's block, in the agent's hands."""
    workspace.commit("Grow\n", {"MEMORY.md": OLD})
    as_agent(workspace)
    return workspace


def hoard(repo: Repo, *args: str, env: dict[str, str] | None = None) -> tuple[int, str, str]:
    done = run_hoard("--date", DAY, "consolidate", *args, cwd=repo, env={**AS_AGENT, **(env or {})})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


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
    status, out, err = hoard(workspace, "--apply")
    assert (status, workspace.snapshot()) == (1, before)
    assert "HG310" in out
    status, out, err = hoard(workspace)
    assert status == 0, err
    assert "20 of 20 active entries leave (100 %, the policy lets 25 % go): a human has to take this." in out.replace("\n  ", " ")
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


@pytest.mark.parametrize("kind", ["link in the tree", "link beside the tree", "file"])
def test_something_else_where_the_archive_would_be(aged: Workspace, tmp_path: Path, kind: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    (aged.path / "memory").mkdir()
    if kind == "file":
        aged.commit("File\n", {"memory/archive": "plain\n"})
    else:
        (aged.path / "memory/archive").symlink_to(tmp_path / "elsewhere")
        if kind == "link in the tree":
            aged.git("add", "-A")
            aged.git("commit", "-q", "-m", "Link")
    head, before = aged.head(), aged.read("MEMORY.md")
    status, out, err = hoard(aged, "--steps", "expire", "--apply")
    assert (aged.path / "memory/archive").is_symlink() == (kind != "file")
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert "Infrastructure" in aged.read("MEMORY.md")
    if kind == "link beside the tree":
        assert (status, aged.head(), aged.read("MEMORY.md")) == (2, head, before), err
        return
    # what cannot be archived is marked, and the reason is told
    assert status == 0, err
    assert "left where they are" in out
    assert aged.line("diff", "--name-only", "HEAD^") == "MEMORY.md"
    assert aged.line("status", "--porcelain") == ""


def test_a_file_that_cannot_be_written_is_told_and_finished_later(aged: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_args: object) -> None:
        raise HoardError("There is no room.", "df -h")

    with monkeypatch.context() as patch:
        patch.setattr("hoard_git.gitio.applying.write_file", full)
        with pytest.raises(HoardError, match="There is no room"):
            apply(reader_of(aged), Wanted(("expire",)), december, dict(os.environ))
    done = finish(reader_of(aged))
    assert done is not None
    assert (done.moved, done.kept) == (True, ())
    assert aged.line("status", "--porcelain") == ""


def test_a_held_index_is_noticed_before_the_branch_moves(aged: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoard_git.gitio.locks.PATIENCE", 0.0)
    lock = aged.path / ".git" / "index.lock"
    lock.touch()
    before = aged.snapshot()
    with pytest.raises(HoardError, match="nothing was changed"):
        apply(reader_of(aged), Wanted(("expire",)), december, dict(os.environ))
    assert aged.snapshot() == before
    assert finish(reader_of(aged)) is None
    lock.unlink()


def test_an_index_that_is_taken_after_that_is_no_reason_to_say_that_nothing_happened(
    aged: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = aged.path / ".git" / "index.lock"

    def taken(*args: object, **kwargs: object) -> None:
        update_ref(*args, **kwargs)  # type: ignore[arg-type]  # handed on as it came
        lock.touch()

    with monkeypatch.context() as patch:
        patch.setattr("hoard_git.gitio.locks.PATIENCE", 0.0)
        patch.setattr(applying, "update_ref", taken)
        with pytest.raises(HoardError) as caught:
            apply(reader_of(aged), Wanted(("expire",)), december, dict(os.environ))
    assert caught.value.message.startswith(f"Commit {aged.head()[:12]} was made, but files or index could not be brought along: ")
    assert "nothing was changed" not in caught.value.message
    assert "hoard doctor --fix" in caught.value.hint
    lock.unlink()
    aged.git("switch", "-q", "--detach")  # the same commit by another name
    done = finish(reader_of(aged))
    assert done is not None
    assert (done.moved, done.elsewhere, done.kept) == (True, False, ())
    assert aged.line("status", "--porcelain") == ""


def test_a_run_that_was_cut_off_on_a_branch_that_was_left_since_is_told_as_such(aged: Workspace) -> None:
    base = aged.head()
    hoard(aged, "--apply")
    told = {"base": base, "commit": aged.head(), "ref": "refs/heads/main"}
    aged.git("switch", "-q", "--detach", base)
    aged.write(".git/hoard/applying.json", json.dumps(told))
    before = aged.snapshot().files
    done = finish(reader_of(aged))
    assert done is not None
    assert (done.moved, done.elsewhere) == (False, True)
    assert aged.snapshot().files == before


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


# -------------------------------------------------------------------- others write meanwhile


def test_a_commit_in_between_is_planned_anew_and_kept(aged: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = reader_of(aged)
    calls: list[int] = []

    def racing(*args: object, **kwargs: object) -> tuple[str, ...]:
        if not calls:
            aged.commit("Meanwhile\n", {"memory/new.md": "- New <!-- src:agent ts:2026-12-29 -->\n"}, author=Workspace.agent)
        calls.append(1)
        return move_to(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr("hoard_git.app.consolidate.move_to", racing)
    outcome = apply(reader, Wanted(("expire",)), december, dict(os.environ))
    assert len(calls) == 2
    assert outcome.commit == aged.head()
    assert aged.message("HEAD^") == "Meanwhile\n"
    assert aged.read("memory/new.md") == "- New <!-- src:agent ts:2026-12-29 -->\n"
    assert aged.line("status", "--porcelain") == ""


def test_a_branch_that_never_holds_still_is_refused(aged: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = reader_of(aged)

    def racing(*args: object, **kwargs: object) -> tuple[str, ...]:
        aged.commit("Meanwhile\n", author=Workspace.agent)
        return move_to(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr("hoard_git.app.consolidate.move_to", racing)
    with pytest.raises(HoardError, match="moved 4 times"):
        apply(reader, Wanted(("expire",)), december, dict(os.environ))
    assert aged.read("MEMORY.md") == OLD
    assert aged.line("status", "--porcelain") == ""


def test_a_file_that_is_written_meanwhile_is_not_overwritten(aged: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = reader_of(aged)

    def racing(*args: object, **kwargs: object) -> None:
        update_ref(*args, **kwargs)  # type: ignore[arg-type]
        aged.write("MEMORY.md", OLD + "\n- Written meanwhile <!-- src:agent ts:2026-12-29 -->\n")

    monkeypatch.setattr("hoard_git.gitio.applying.update_ref", racing)
    outcome = apply(reader, Wanted(("expire",)), december, dict(os.environ))
    assert outcome.kept == ("MEMORY.md",)
    assert "Written meanwhile" in aged.read("MEMORY.md")
    assert aged.read("memory/archive/2026-12-30.md")


# -------------------------------------------------------------------- crashes


class KilledError(BaseException):
    pass


@pytest.mark.parametrize("moment", ["before the ref", "after the ref", "after one file", "before the index"])
def test_after_a_kill_the_next_run_settles_it(aged: Workspace, monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    base = aged.head()
    with monkeypatch.context() as patch:
        if moment == "before the ref":
            patch.setattr(applying, "update_ref", _killer(None))
            patch.setattr(applying, "_forget", lambda _place: None)
        elif moment == "after the ref":
            patch.setattr(applying, "_bring_along", _killer(None))
        elif moment == "after one file":
            patch.setattr(applying, "_replace", _killer(applying._replace))
        else:
            patch.setattr(applying, "with_patience", _killer(None))
        with pytest.raises(KilledError):
            apply(reader_of(aged), Wanted(("expire",)), december, dict(os.environ))

    moved = moment != "before the ref"
    assert (aged.head() != base) == moved  # the branch is at the old commit or the new one, never between
    done = finish(reader_of(aged))
    assert done is not None
    assert (done.moved, done.kept) == (moved, ())
    assert aged.line("status", "--porcelain") == ""
    assert finish(reader_of(aged)) is None
    assert ("Infrastructure" in aged.read("MEMORY.md")) == (not moved)


def _killer(first: object) -> object:
    calls: list[int] = []

    def killed(*args: object, **kwargs: object) -> object:
        calls.append(1)
        if callable(first) and len(calls) == 1:
            return first(*args, **kwargs)
        raise KilledError

    return killed


def test_a_journal_that_was_cut_off_is_forgotten(aged: Workspace) -> None:
    aged.write(".git/hoard/applying.json", '{"base": "12')
    before = aged.snapshot()
    done = finish(reader_of(aged))
    assert done is not None
    assert (done.moved, aged.snapshot()) == (False, before)


def test_a_plan_is_the_same_every_time(aged: Workspace) -> None:
    one, other = (plan_head(reader_of(aged), Wanted(("expire", "compress")), december, {}) for _ in range(2))
    assert one == other
    assert propose(reader_of(aged), Wanted(("expire",)), december, {}).ref == "refs/heads/hoard/consolidate/2026-12-30"
    assert aged.read("MEMORY.md") == OLD


@pytest.mark.parametrize("step", ["expire", "compress"])
def test_a_secret_in_a_heading_is_in_no_remark_file_name_message_or_report(aged: Workspace, step: str) -> None:
    key = "gh" + "p_" + hashlib.sha256(step.encode()).hexdigest()[:36]
    word = "Xy!9z" + "Qw#77"  # its slug is no secret to a detector, and still says most of it
    facts = "".join(f"- Fact number {number} of the cellar is long enough to be moved\n" for number in range(300))
    day = "2026-06-05" if step == "expire" else "2026-12-20"
    head = f"<!-- src:agent ts:{day} ttl:90d -->\n\n- The first fact here\n- The user's own <!-- src:user ts:2026-06-05 -->\n"
    text = f"# M\n\n## Keys {key} {head}\n## Router password: {word} {head}"
    aged.write("MEMORY.md", text + (facts if step == "compress" else ""))
    aged.git("add", "-A")
    aged.git("commit", "-q", "-n", "--no-edit", "-m", "by hand")
    told = [hoard(aged, "--steps", step, *more) for more in (("--dry-run",), ("--dry-run", "--json"), ("--apply",))]
    assert [status for status, _out, _err in told] == [0, 0, 0], told
    # the heading stays for what is the user's, and a second one would be refused: the file is left as it is, and the line is told
    assert aged.line("status", "--porcelain") == ""
    notes = " ".join(told[0][1].split())
    assert f"'MEMORY.md' is left as it is, for line {3 if step == 'expire' else 8} would be refused (HG201" in notes

    if step == "compress":  # its heading stays as well
        return
    aged.write("MEMORY.md", aged.read("MEMORY.md").replace("- The user's own <!-- src:user ts:2026-06-05 -->\n", ""))
    aged.git("add", "-A")
    aged.git("commit", "-q", "-n", "-m", "the section may go whole")
    told += [hoard(aged, "--steps", step, *more) for more in (("--dry-run",), ("--dry-run", "--json"), ("--apply",))]
    assert [status for status, _out, _err in told] == [0] * 6, told
    changed = aged.line("diff", "--name-only", "HEAD^").split("\n")
    assert changed[-1].startswith("memory/")
    for seen in (*(out + err for _status, out, err in told), aged.message("HEAD"), *changed):
        assert key not in seen
        assert "xy9z" not in seen.lower()
    assert "xy9z" not in aged.line("show", "--format=", "HEAD").lower()


def test_a_secret_in_a_line_that_would_be_rewritten_stops_its_file_alone(workspace: Workspace) -> None:
    value = "tR7#mQ2v-" + "Lx9pWz"
    expired = "## Db <!-- src:agent ts:2025-01-01 ttl:30d -->\n\n- The mail {0}\n- new one here <!-- src:agent ts:2026-12-01 -->\n"
    files = {
        "memory/t.md": f"# T\n\n{expired.format('password is ' + value)}",
        "memory/u.md": f"# U\n\n{expired.format('server is old')}",
    }
    workspace.commit("Grow\n", files)
    as_agent(workspace)
    status, out, err = hoard(workspace, "--steps", "expire", "--dry-run")
    assert status == 0, err
    assert "memory/u.md:5" in out and "memory/t.md:5" not in out
    status, out, err = hoard(workspace, "--steps", "expire", "--apply")
    assert (status, workspace.read("memory/t.md")) == (0, files["memory/t.md"]), err
    assert "server is old" in workspace.read("memory/archive/2026-12-30.md")
    told = " ".join(out.split())
    assert "'memory/t.md' is left as it is, for line 5 would be refused (HG201 password after a label" in told
    assert "hoard purge --plan -" in told
    assert value not in out + err + workspace.message()


def test_what_the_workspaces_own_rules_refuse_is_named_where_it_stands_now(aged: Workspace) -> None:
    rules = "[[rules]]\nid = 'local'\nregex = 'Backups run at [0-9:]+'\n"
    text = OLD.replace("- Node-2", "- Kept <!-- src:agent ts:2026-12-01 -->\n- Node-2")
    aged.commit("Rules\n", {".gitleaks.toml": rules, "MEMORY.md": text}, author=Workspace.human)
    status, out, _err = hoard(aged, "--steps", "expire", "--apply")
    assert status == 1
    assert "MEMORY.md:11:" in out and "memory/archive/" not in out


PACKED_LOG = "memory/archive/logs/2026-06-05.md.gz"


@pytest.mark.parametrize("keeps_log", [True, False])
def test_a_packed_original_turns_cold_and_is_packed_again(workspace: Workspace, *, keeps_log: bool) -> None:
    workspace.policy(POLICY + "tiers: {hot: 7d, warm: 90d, gzip_after: 30d}\n")
    lines = "".join(f"- Looked at pump number {n} in the cellar\n" for n in range(14))
    workspace.commit("Log\n", {"memory/2026-06-05.md": f"# L\n\n{lines}- We decided to rent a second pump from jo@kouter.be\n"})
    for day in ("2026-06-20", "2026-07-20"):
        done = run_hoard("consolidate", "--steps", "tiers", "--apply", "--date", day, cwd=workspace)
        assert done.returncode == 0, done.stderr
    whole = gzip.decompress(workspace.read_bytes(PACKED_LOG))
    assert b"reason:warm" in whole and b"pump number 3" in whole
    assert b"1 older log" in run_hoard("tiers", "--date", "2026-07-20", cwd=workspace).stdout
    if not keeps_log:
        workspace.commit("Drop the log\n", {"memory/2026-06-05.md": None})

    done = run_hoard("consolidate", "--steps", "tiers", "--apply", cwd=workspace, env={"HOARD_DATE": DAY})
    assert done.returncode == 0, done.stderr + done.stdout
    cold = gzip.decompress(workspace.read_bytes(PACKED_LOG))
    assert b"reason:warm" not in cold and b"pump number 3" not in cold and b"[EMAIL]" in cold and b"kouter" not in cold
    assert not (workspace.path / PACKED_LOG.removesuffix(".gz")).exists()
    checked = run_hoard("check", "--commit", "HEAD", "--date", DAY, cwd=workspace)
    assert checked.returncode == 0, checked.stdout
    again = run_hoard("consolidate", "--steps", "tiers", "--dry-run", "--date", DAY, cwd=workspace)
    assert b"Nothing to consolidate" in again.stdout


def test_packed_logs_that_are_left_are_named(workspace: Workspace) -> None:
    packed = gzip.compress(b"# L\n\n- a note\n")
    workspace.commit("Pack\n", {"memory/2026-06-05.md.gz": packed, PACKED_LOG: packed[:20]})
    status, out, _err = hoard(workspace, "--steps", "tiers", "--dry-run")
    told = " ".join(out.split())
    assert status == 0
    assert "'memory/2026-06-05.md.gz' is packed and lies outside of the archive, so it is left as it is" in told
    assert f"{PACKED_LOG!r} cannot be unpacked, so it is left as it is" in told


def test_a_name_that_the_cold_tier_masks_is_in_no_trailer_either(workspace: Workspace) -> None:
    workspace.policy(POLICY + "personal: {names: [Ines Vermeulen]}\n")
    lines = "".join(f"- Looked at pump number {n} in the cellar\n" for n in range(14))
    head = "# 2026-06-05\n\n## Morning with Ines Vermeulen, jo@kouter.be\n\n"
    workspace.commit("Log\n", {"memory/2026-06-05.md": f"{head}{lines}- We decided to rent a pump\n"})
    status, out, err = hoard(workspace, "--steps", "tiers", "--apply", env={"GIT_AUTHOR_EMAIL": "ada@example.org"})
    assert status == 0, out + err
    message = workspace.message()
    assert "[PERSON]" in workspace.read("memory/archive/logs/2026-06-05.md")
    assert not [word for word in ("ines", "vermeulen", "kouter") if word in message.lower()], message
    assert "Memory-Block: remove - agent 2026-06-05 - memory/2026-06-05.md#-\n" in message
    assert run_hoard("check", "--commit", "HEAD", "--date", DAY, cwd=workspace).returncode == 0
