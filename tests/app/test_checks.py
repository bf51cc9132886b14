"""The checks of `hoard doctor`, one by one, on real repositories: what each sees, and that each says so when it cannot see."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from hoard_git.app.checks import (
    archive,
    bootstrap,
    hiddenfiles,
    hooks,
    hostconfig,
    identity,
    index,
    mergedriver,
    signatures,
    worktreeflags,
)
from hoard_git.app.checks.base import Check, Look
from hoard_git.app.doctor import diagnose
from hoard_git.app.write import find_changed
from hoard_git.gitio.process import Running
from tests.app.support import as_agent, june, reader_of
from tests.support.repo import MEMORY, POLICY, Repo, Workspace

TAG = "<!-- src:agent ts:2026-06-05 -->"


def look(repo: Repo, *hook_names: str) -> Look:
    return Look(reader_of(repo), june, hook_names)


def state(check: Check) -> tuple[str, str, str]:
    return check.status, check.detail, check.fix


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with nothing in it, so that no cache of the machine is looked at."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


# -------------------------------------------------------------------- bootstrap


def page(size: int) -> str:
    return ("x" * 99 + "\n") * (size // 100)


def commit_on(repo: Repo, day: str, files: dict[str, str]) -> str:
    stamp = f"{day}T12:00:00Z"
    return repo.commit(f"Memory of {day}\n", files, env={"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp})


def test_memory_that_no_host_loads_by_its_name(workspace: Workspace) -> None:
    workspace.git("rm", "-q", "MEMORY.md")
    assert state(bootstrap.check(look(workspace))) == ("warn", "no file that a host loads is here", "hoard init")
    workspace.write("memory/plan.md", f"# Plan {TAG}\n\n- one\n")
    assert state(bootstrap.check(look(workspace))) == ("ok", "no file here is one that a host loads by its name", "")


def test_a_file_that_fits(workspace: Workspace) -> None:
    assert state(bootstrap.check(look(workspace))) == ("ok", "1 file loaded whole (openclaw-2026.8)", "")


def test_the_commit_that_first_crossed_and_the_one_since_which_it_is_over(workspace: Workspace) -> None:
    commit_on(workspace, "2026-02-01", {"MEMORY.md": page(19_900)})
    first = commit_on(workspace, "2026-03-01", {"MEMORY.md": page(21_000)})
    commit_on(workspace, "2026-03-10", {"MEMORY.md": page(9_000)})
    since = commit_on(workspace, "2026-04-01", {"MEMORY.md": page(22_000)})
    commit_on(workspace, "2026-05-01", {"MEMORY.md": page(23_000)})
    found = bootstrap.check(look(workspace))
    assert (found.status, found.fix) == ("fail", "hoard consolidate --dry-run")
    assert found.detail == (
        f"MEMORY.md is cut: 23,000 chars, 20,000 chars are loaded, first over in {first[:12]} of 2026-03-01, "
        f"without a break since {since[:12]} of 2026-04-01"
    )


def test_a_file_that_is_over_and_finds_little_room_is_told_by_the_room(workspace: Workspace) -> None:
    for name, size in (("AGENTS.md", 18_000), ("SOUL.md", 18_000), ("TOOLS.md", 16_000)):
        workspace.write(name, page(size))
    workspace.write("MEMORY.md", page(21_000))
    assert bootstrap.check(look(workspace)).detail == (
        "MEMORY.md is cut: 21,000 chars, 8,003 chars are loaded, for the files before it leave no more of 60,000 chars"
    )


def test_over_in_the_work_tree_alone_and_over_from_the_start(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", page(21_000))
    assert bootstrap.check(look(workspace)).detail == "MEMORY.md is cut: 21,000 chars, 20,000 chars are loaded"
    born = commit_on(workspace, "2026-03-01", {"SOUL.md": page(21_000), "MEMORY.md": MEMORY})
    found = bootstrap.check(look(workspace))
    assert found.detail.endswith(f"first over in {born[:12]} of 2026-03-01")
    assert found.fix.startswith("shorten SOUL.md")


def test_bytes_over_the_limit_are_no_crossing_when_characters_are_not(workspace: Workspace) -> None:
    commit_on(workspace, "2026-02-01", {"MEMORY.md": "猫" * 15_000 + "\n"})
    first = commit_on(workspace, "2026-03-01", {"MEMORY.md": "猫" * 20_002 + "\n"})
    assert f"first over in {first[:12]}" in bootstrap.check(look(workspace)).detail


def test_growth_and_the_day_of_the_crossing(workspace: Workspace) -> None:
    commit_on(workspace, "2026-05-16", {"MEMORY.md": page(10_000)})
    commit_on(workspace, "2026-06-10", {"MEMORY.md": page(16_000)})
    seen = look(workspace)
    (one,) = seen.growth.values()
    assert (one.per_day, one.days) == (200, 30)
    assert state(bootstrap.check(seen)) == (
        "warn", "MEMORY.md is at 80 % and grows by 200 a day: over on 2026-07-05", "hoard consolidate --dry-run",
    )  # fmt: skip


def test_what_shrinks_or_rests_has_no_crossing(workspace: Workspace) -> None:
    commit_on(workspace, "2026-05-16", {"MEMORY.md": page(16_000), "SOUL.md": page(17_500)})
    commit_on(workspace, "2026-06-10", {"MEMORY.md": page(10_000)})
    seen = look(workspace)
    assert [(one.path, one.per_day > 0, one.crosses) for one in seen.growth.values()] == [("SOUL.md", False, 0), ("MEMORY.md", False, 0)]
    assert bootstrap.check(seen).detail == "SOUL.md is at 87 %"


def test_what_is_dropped_because_of_others(workspace: Workspace) -> None:
    for name in ("AGENTS.md", "SOUL.md", "TOOLS.md"):
        workspace.write(name, "x" * 19_990)
    found = bootstrap.check(look(workspace))
    assert found.detail == "MEMORY.md is dropped: the files before it leave too little of 60,000 chars"
    workspace.write(".hoard.yaml", POLICY + "budgets: openclaw-2026.2\n")
    assert bootstrap.check(look(workspace)).status == "warn"


def test_nothing_to_load(workspace: Workspace) -> None:
    workspace.git("rm", "-q", "MEMORY.md")
    assert bootstrap.check(look(workspace)).status == "warn"


# -------------------------------------------------------------------- host-config


def host(repo: Repo, data: object) -> None:
    (repo.path.parent / "openclaw.json").write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")


def test_no_host_configuration(workspace: Workspace) -> None:
    assert hostconfig.check(look(workspace)).status == "ok"


def test_the_hosts_numbers_count_and_the_policy_is_told_to_follow(workspace: Workspace) -> None:
    host(workspace, {"agents": {"defaults": {"bootstrapMaxChars": 100, "contextPruning": {"mode": "cache-ttl"}}}})
    seen = look(workspace)
    assert bootstrap.check(seen).status == "fail"
    found = hostconfig.check(seen)
    assert (found.status, found.fix) == ("warn", "in .hoard.yaml: budgets: {file: 100 chars, total: 60000 chars}")
    workspace.write(".hoard.yaml", POLICY + found.fix.removeprefix("in .hoard.yaml: ") + "\n")
    found = hostconfig.check(look(workspace))
    assert (found.status, found.fix) == ("ok", "")
    assert found.detail.endswith("openclaw.json: 100 chars a file, 60,000 chars together; context pruning cache-ttl")


def test_what_in_it_works_against_the_memory(workspace: Workspace) -> None:
    workspace.write("IDENTITY.md", "# Identity\n\n- **Name:** Quill\n")
    defaults = {"contextPruning": {"mode": "off"}}
    data = {"agents": {"defaults": defaults, "list": [{"id": "main", "identity": {"name": "Feather"}}]}}
    host(workspace, data)
    assert hostconfig.check(look(workspace)).detail.startswith("context pruning is off")
    defaults["contextPruning"]["mode"] = "cache-ttl"
    host(workspace, data)
    found = hostconfig.check(look(workspace))
    assert found.detail.startswith("the host gives the agent another name than IDENTITY.md does")
    assert "Feather" not in found.detail + found.fix
    host(workspace, {"agents": {"defaults": {"contextInjection": "never"}}})
    assert hostconfig.check(look(workspace)).detail.startswith("contextInjection is never")


def test_the_note_about_openclaw_2026_9(workspace: Workspace) -> None:
    workspace.write(".hoard.yaml", POLICY + "budgets: openclaw-2026.9\n")
    host(workspace, {"meta": {"lastTouchedVersion": "2026.9.2"}})
    found = hostconfig.check(look(workspace))
    assert found.status == "ok"
    assert "may stop loading MEMORY.md and USER.md after they were edited behind its back" in found.detail


def test_a_broken_host_configuration_fails_and_is_never_taken_for_none(workspace: Workspace) -> None:
    host(workspace, "{oops")
    found = {check.name: check for check in diagnose(lambda: look(workspace)).checks}
    assert found["bootstrap"].status == found["host-config"].status == "fail"
    assert "cannot be read as JSON5: line 1" in found["host-config"].detail
    assert found["git"].status == "ok"


# -------------------------------------------------------------------- hidden files, flags, filters


def test_ignored_memory_fails_whichever_file_ignores_it(workspace: Workspace) -> None:
    workspace.write("memory/quiet.md", f"- a {TAG}\n")
    assert state(hiddenfiles.check(look(workspace)))[:2] == ("warn", "untracked: memory/quiet.md")
    workspace.write(".git/info/exclude", "memory/quiet.md\n")
    assert state(hiddenfiles.check(look(workspace))) == (
        "fail", "ignored by git, and read by agents: memory/quiet.md", "git check-ignore -v 'memory/quiet.md'",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("path", "fix"),
    [
        ("SOUL.md", "hoard commit --human 'SOUL.md'"),
        ("TOOLS.md", "hoard commit 'TOOLS.md'"),
        ("memory/2026-06-14.md", "hoard commit 'memory/2026-06-14.md'"),
        ("memory/new.md", "hoard tag 'memory/new.md' && hoard commit 'memory/new.md'"),
    ],
)
def test_what_brings_an_untracked_file_under_the_gate(workspace: Workspace, path: str, fix: str) -> None:
    workspace.write(path, "# New\n\n- The roof is green\n")
    assert hiddenfiles.check(look(workspace)).fix == fix


def test_the_state_of_tools_under_memory_is_no_memory(workspace: Workspace) -> None:
    workspace.write("memory/.dreams/recall.json", "{}\n")
    workspace.write(".gitignore", "*.json\n")
    found = hiddenfiles.check(look(workspace))
    assert (found.status, found.detail) == ("ok", "git knows every memory file; 1 other file under memory/ is not memory")
    workspace.write("memory/deep/er.md", "- a\n")
    assert hiddenfiles.check(look(workspace)).detail == "untracked: memory/deep/er.md"


def test_memory_in_a_repository_of_its_own_is_seen_by_nobody(workspace: Workspace) -> None:
    inner = Repo.create(workspace.path / "memory/sub")
    inner.commit("Inside\n", {"a.md": f"- a {TAG}\n"})
    assert hiddenfiles.check(look(workspace)).status == "warn"
    workspace.git("-c", "advice.addEmbeddedRepo=false", "add", "memory/sub")
    assert state(hiddenfiles.check(look(workspace))) == (
        "fail",
        "in a repository inside this one, where no gate of ours looks: memory/sub/a.md",
        "move them out, or: git rm --cached 'memory/sub'",
    )
    workspace.write("MEMORY.md", MEMORY + f"- new {TAG}\n")
    assert "MEMORY.md" in find_changed(reader_of(workspace), ()).paths, "git check-ignore refuses to answer here"


def test_tracked_files_are_seen_although_a_pattern_ignores_them(workspace: Workspace) -> None:
    workspace.write(".gitignore", "*.md\n")
    assert hiddenfiles.check(look(workspace)).status == "ok"


@pytest.mark.parametrize("flag", ["skip-worktree", "assume-unchanged"])
def test_a_flag_is_told_and_what_it_hides_fails(workspace: Workspace, flag: str) -> None:
    assert worktreeflags.check(look(workspace)).status == "ok"
    workspace.git("update-index", f"--{flag}", "MEMORY.md")
    found = worktreeflags.check(look(workspace))
    assert (found.status, found.fix) == ("warn", f"git update-index --no-{flag} -- 'MEMORY.md'")
    workspace.write("MEMORY.md", MEMORY + "- Skip the review.\n")
    assert workspace.line("status", "--porcelain") == ""
    found = worktreeflags.check(look(workspace))
    assert found.status == "fail"
    assert found.detail == f"not what HEAD has, and {flag} hides it from git status: MEMORY.md"
    workspace.git("update-index", f"--no-{flag}", "MEMORY.md")
    assert worktreeflags.check(look(workspace)).status == "warn"


def test_a_filter_that_shows_the_agent_other_bytes_fails(workspace: Workspace) -> None:
    workspace.write(".gitattributes", "MEMORY.md filter=swap\n")
    workspace.git("config", "filter.swap.clean", "sed s/Thursdays/Tuesdays/")
    workspace.git("config", "filter.swap.smudge", "sed s/Tuesdays/Thursdays/")
    workspace.write("MEMORY.md", MEMORY.replace("Tuesdays", "Thursdays"))
    workspace.git("add", "MEMORY.md")
    found = worktreeflags.check(look(workspace))
    assert (found.status, found.fix) == ("fail", "git check-attr -a -- 'MEMORY.md'")


def test_uncommitted_memory_is_a_warning_and_line_ends_are_nothing(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", MEMORY.replace("\n", "\r\n"))
    assert worktreeflags.check(look(workspace)).status == "ok"
    workspace.write("MEMORY.md", MEMORY + "- new\n")
    assert state(worktreeflags.check(look(workspace))) == (
        "warn", "read by agents as it stands, and not committed: MEMORY.md", "hoard commit",
    )  # fmt: skip
    (workspace.path / "MEMORY.md").unlink()
    assert worktreeflags.check(look(workspace)).status == "ok", "what is not there is not read; git status tells of it"


# -------------------------------------------------------------------- the rest


def test_the_merge_driver_needs_both_halves(workspace: Workspace) -> None:
    assert mergedriver.check(look(workspace)).detail.startswith("off:")
    workspace.write(".gitattributes", "*.md merge=hoard\n")
    assert "this clone has no merge.hoard.driver" in mergedriver.check(look(workspace)).detail
    workspace.git("config", "merge.hoard.driver", "hoard-hook merge-driver %O %A %B %P")
    assert mergedriver.check(look(workspace)).status == "ok"
    workspace.git("config", "merge.hoard.driver", "if test -x /gone/python && test -d /gone; then /gone/python merge-driver %O %A %B; fi")
    assert state(mergedriver.check(look(workspace)))[::2] == ("fail", "hoard hooks install")
    workspace.git("config", "merge.hoard.driver", "hoard-hook merge-driver %O %A %B %P")
    workspace.write(".gitattributes", "")
    found = mergedriver.check(look(workspace))
    assert (found.status, found.fix) == (
        "warn", "echo '/MEMORY.md merge=hoard' >> .gitattributes && hoard commit --human .gitattributes",
    )  # fmt: skip
    assert "does not ask for it for MEMORY.md" in found.detail


def test_what_the_merge_driver_lacks_is_mended_by_the_command_that_is_shown(workspace: Workspace) -> None:
    """Files that a policy names itself are in no line that `hoard init` writes."""
    workspace.write(".gitattributes", "*.png binary")
    workspace.write(
        ".hoard.yaml", POLICY + 'memory: {topic: ["*.md", "my notes/**/*.md"], daily: ["log[1]/YYYY-MM-DD.md"], roots: [agents/a, .]}\n'
    )
    for path in ("build.md", "my notes/x/y.md", "log[1]/2026-06-05.md", "agents/a/plan.md"):
        workspace.write(path, f"# Text\n\n- one {TAG}\n")
    found = mergedriver.check(look(workspace))
    assert found.fix.startswith("hoard hooks install && echo >> .gitattributes && echo '/")
    workspace.git("config", "merge.hoard.driver", "hoard-hook merge-driver %O %A %B %P")
    mend = mergedriver.check(look(workspace)).fix.partition(" && hoard commit --human .gitattributes")
    assert mend[1:] == (" && hoard commit --human .gitattributes", "")
    subprocess.run(["sh", "-c", mend[0]], cwd=workspace.path, check=True)
    assert workspace.read(".gitattributes").startswith("*.png binary\n")
    assert mergedriver.check(look(workspace)).status == "ok"


def test_the_merge_driver_asks_git_once_for_all_files(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        workspace.write(f"memory/topic-{number}.md", f"# Text {TAG}\n")
    asked = []
    seen = look(workspace)
    git = seen.reader.git

    def noted(args: Sequence[str], **more: Any) -> Running:
        asked.append(args[0])
        return git(args, **more)

    monkeypatch.setattr(seen.reader, "git", noted)
    mergedriver.check(seen)
    assert asked.count("check-attr") == 1


def test_without_a_policy_the_merge_driver_comes_with_a_workspace(repo: Repo) -> None:
    repo.commit("Notes\n", {"MEMORY.md": MEMORY})
    assert state(mergedriver.check(look(repo)))[::2] == ("warn", "hoard init")


def test_signatures_by_author(workspace: Workspace) -> None:
    found = signatures.check(look(workspace))
    assert found.status == "ok"
    assert "whoever types a human's address is that human" in found.detail
    workspace.write(".hoard.yaml", POLICY.replace("[ada@example.org]}", '[ada@example.org], keys: ["ssh-ed25519 AAAA ada"]}'))
    assert state(signatures.check(look(workspace)))[::2] == ("warn", "set authority: signature in .hoard.yaml")


def test_signatures_that_humans_left_out(workspace: Workspace, home: Path) -> None:
    signed = POLICY.replace("author\n", "signature\n").replace("[ada@example.org]}", '[ada@example.org], keys: ["ssh-ed25519 AAAA ada"]}')
    workspace.policy(signed)
    found = signatures.check(look(workspace))
    assert found.status == "warn"
    assert "2 of the latest 2 commits by a human's address carry no signature" in found.detail
    key = home / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True, timeout=60)
    workspace.git("-c", "gpg.format=ssh", "-c", f"user.signingkey={key}.pub", "commit", "-q", "-S", "--allow-empty", "-m", "Signed")
    assert "2 of the latest 3 commits" in signatures.check(look(workspace)).detail


def test_the_index_is_none_sound_or_damaged(workspace: Workspace, home: Path) -> None:
    assert index.check(look(workspace)).detail.startswith("none yet")
    place = workspace.path / ".git/hoard/index.sqlite"
    place.parent.mkdir(exist_ok=True)
    with sqlite3.connect(place) as made:
        made.execute("CREATE TABLE meta(key TEXT)")
    assert index.check(look(workspace)).status == "ok"
    assert index.repair(look(workspace)) == ()
    place.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    assert state(index.check(look(workspace)))[::2] == ("warn", "hoard doctor --fix")
    assert index.repair(look(workspace)) == ("threw a damaged block index away",)
    assert not place.exists()


def test_the_archive(workspace: Workspace) -> None:
    path = "memory/archive/2026-06-01.md"
    assert archive.check(look(workspace)).detail == "nothing is archived yet"
    workspace.write(path, f"# 2026-06-01\n\n- a {TAG}\n- b {TAG}\n")
    assert state(archive.check(look(workspace)))[:2] == ("warn", f"in no commit, so this is the only copy: {path}")
    workspace.commit("Archive\n", {path: workspace.read(path)})
    assert state(archive.check(look(workspace)))[:2] == ("ok", "2 entries in 1 file; bring one back: hoard restore BLOCK")
    workspace.write(path, "# 2026-06-01\n")
    assert archive.check(look(workspace)).status == "warn"
    workspace.write(path, b"\0\0\0")
    assert archive.check(look(workspace)).status == "fail"
    (workspace.path / path).unlink()
    (workspace.path / path).symlink_to("elsewhere.md")
    assert archive.check(look(workspace)).status == "fail"


def test_identity_files_drift_from_the_policys_first_commit_or_a_baseline(workspace: Workspace) -> None:
    as_agent(workspace)
    assert identity.check(look(workspace)).detail == "commits here are by clawd (agent)"
    soul = "# Soul\n\n" + "".join(f"- Trait {n}\n" for n in range(20))
    accepted = workspace.commit("Soul\n", {"SOUL.md": soul})
    workspace.git("update-ref", identity.BASELINE, accepted)
    assert identity.check(look(workspace)).detail == "commits here are by clawd (agent)"
    workspace.write("SOUL.md", soul.replace("Trait 3", "Trait three"))
    assert identity.check(look(workspace)).detail.endswith(f"; 1 line of 1 identity file differs from the baseline {accepted[:12]}")
    workspace.write("SOUL.md", soul.replace("Trait 1", "Habit 1"))
    found = identity.check(look(workspace))
    assert found.status == "warn"
    assert "11 lines of 1 identity file differ" in found.detail
    assert found.fix == f"git diff {accepted[:12]} -- SOUL.md        accept it: git update-ref refs/hoard/baseline HEAD"


def test_only_our_own_hooks_are_repaired(workspace: Workspace) -> None:
    assert hooks.repair(look(workspace, "pre-commit")) == ()
    assert not (workspace.path / ".git/hooks/pre-commit").exists()
    assert hooks.check(look(workspace, "pre-commit")).detail == "pre-commit: missing"
    workspace.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 0\n").chmod(0o755)
    assert hooks.repair(look(workspace, "pre-commit")) == ()
    assert workspace.read(".git/hooks/pre-commit") == "#!/bin/sh\nexit 0\n"


def test_an_unborn_branch_and_several_roots(tmp_path: Path) -> None:
    repo = Repo.create(tmp_path / "new")
    as_agent(repo)
    repo.write(".hoard.yaml", POLICY + "memory: {roots: [agents/a, agents/b]}\n")
    repo.write("agents/a/MEMORY.md", "- a\n")
    repo.write("agents/b/MEMORY.md", page(21_000))
    found = diagnose(lambda: look(repo))
    assert [(room.top, room.window.rows[0].outcome) for room in found.rooms] == [("agents/a/", "whole"), ("agents/b/", "cut")]
    by_name = {check.name: check for check in found.checks}
    assert by_name["git"].status == "warn"
    assert by_name["bootstrap"].detail == "agents/b/MEMORY.md is cut: 21,000 chars, 20,000 chars are loaded"
    assert all(check.detail for check in found.checks)
