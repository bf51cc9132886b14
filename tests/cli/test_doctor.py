"""`hoard doctor` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.app.support import AS_AGENT, as_agent
from tests.support.repo import MEMORY, Repo, Workspace, run_hoard

DAY = ("--date", "2026-06-15")


def checks(repo: Repo, *args: str) -> tuple[int, dict[str, tuple[str, str, str]]]:
    done = run_hoard(*DAY, "doctor", "--json", *args, cwd=repo, env=AS_AGENT)
    told = json.loads(done.stdout)
    assert told["schema"] == 1
    return done.returncode, {c["name"]: (c["status"], c["detail"], c["fix"]) for c in told["checks"]}


NAMES = (
    "git", "policy", "identity", "hooks", "merge-driver", "signatures", "index", "bootstrap", "host-config", "hidden-files", "worktree-flags",
    "archive", "interrupted", "freshness",
)  # fmt: skip


def test_a_healthy_workspace(workspace: Workspace) -> None:
    as_agent(workspace)
    run_hoard("hooks", "install", cwd=workspace)
    workspace.git("config", "merge.hoard.driver", "hoard-hook merge-driver %O %A %B %P")
    workspace.write(".gitattributes", "MEMORY.md merge=hoard\n")
    status, found = checks(workspace)
    assert {name: state for name, (state, *_rest) in found.items()} == dict.fromkeys(NAMES, "ok")
    assert tuple(found) == NAMES
    assert status == 0
    shown = run_hoard(*DAY, "doctor", cwd=workspace, env=AS_AGENT).stdout.decode()
    assert "ok    identity        commits here are by clawd (agent)" in shown


def test_missing_hooks_fail_with_the_next_command(workspace: Workspace) -> None:
    status, found = checks(workspace)
    assert status == 1
    assert (found["hooks"][0], found["hooks"][2]) == ("fail", "hoard hooks install")


def test_stale_entries_and_an_unlisted_author_are_warnings(workspace: Workspace) -> None:
    run_hoard("hooks", "install", cwd=workspace)
    workspace.write("MEMORY.md", MEMORY.replace("ts:2026-06-05 ttl:90d", "ts:2026-05-01 ttl:30d"))
    workspace.git("config", "user.email", "nobody@example.org")
    done = run_hoard(*DAY, "doctor", "--json", cwd=workspace)
    found = {c["name"]: c for c in json.loads(done.stdout)["checks"]}
    assert done.returncode == 0
    assert found["freshness"]["detail"] == "2 entries are stale, 0 expired"
    assert found["freshness"]["fix"] == "hoard consolidate --dry-run"


def test_a_broken_policy_fails_and_the_rest_is_still_checked(workspace: Workspace) -> None:
    workspace.write(".hoard.yaml", "version: 9\n")
    status, found = checks(workspace)
    assert status == 1
    assert found["policy"][0] == "fail"
    assert found["git"][0] == "ok"


def test_an_interrupted_consolidation_is_told_and_finished(workspace: Workspace) -> None:
    base = workspace.head()
    tree = workspace.line("rev-parse", "HEAD^{tree}")
    new = workspace.line("commit-tree", tree, "-p", base, "-m", "Consolidate")
    journal = Path(workspace.path, ".git", "hoard", "applying.json")
    journal.parent.mkdir(exist_ok=True)
    journal.write_text(json.dumps({"base": base, "commit": new, "ref": "refs/heads/main"}), encoding="ascii")

    assert checks(workspace)[1]["interrupted"] == (
        "warn", "a consolidation was cut off before its commit: everything is as it was", "hoard doctor --fix",
    )  # fmt: skip
    workspace.git("update-ref", "refs/heads/main", new)
    assert checks(workspace)[1]["interrupted"][0] == "fail"
    assert "fixed: brought the files of commit" in run_hoard(*DAY, "doctor", "--fix", cwd=workspace, env=AS_AGENT).stdout.decode()
    assert checks(workspace)[1]["interrupted"] == ("ok", "nothing was cut off", "")


def test_a_lock_is_named_and_not_deleted(workspace: Workspace) -> None:
    lock = workspace.write(".git/index.lock", "")
    _status, found = checks(workspace, "--fix")
    assert found["git"][0] == "warn"
    assert "index.lock" in found["git"][2]
    assert lock.exists()


def test_outside_a_repository(tmp_path: Path) -> None:
    done = run_hoard("doctor", cwd=tmp_path)
    assert done.returncode == 2
    assert b"hoard init" in done.stderr


def test_a_workspace_deeper_in_a_repository_is_judged_by_its_own_policy(workspace: Workspace) -> None:
    workspace.git("mv", ".hoard.yaml", "MEMORY.md", workspace.write("agents/a/x", "").parent)
    workspace.commit("Move\n")
    as_agent(workspace)
    assert checks(workspace)[1]["identity"] == ("ok", "commits here are by clawd (agent)", "")


def test_front_matter_and_other_programs_regions_are_no_untagged_facts(workspace: Workspace) -> None:
    as_agent(workspace)
    workspace.write(
        "MEMORY.md",
        "---\nname: build\n---\n\n<!-- x:start -->\n- theirs\n<!-- x:end -->\n\n## Build <!-- src:agent ts:2026-06-14 -->\n\n- Run make\n- Run tests\n",
    )
    workspace.write("memory/state.json", "{}\n")
    workspace.write("memory/archive/2026-01-01.md", "- old\n")
    assert checks(workspace)[1]["freshness"][1] == "2 entries, none of them past its ttl"
    page = run_hoard(*DAY, "report", "--out", "-", cwd=workspace).stdout.decode()
    assert "<dt>untagged entries</dt><dd>0</dd>" in page
    workspace.write("MEMORY.md", "- one\n- two\n")
    assert (
        checks(workspace)[1]["freshness"][1] == "2 entries, none of them past its ttl; 2 entries without a tag, which never ends: hoard tag"
    )
    page = run_hoard(*DAY, "report", "--out", "-", cwd=workspace).stdout.decode()
    assert "<dt>untagged entries</dt><dd>2</dd>" in page


def test_one_entry_is_told_as_one(workspace: Workspace) -> None:
    as_agent(workspace)
    workspace.write("MEMORY.md", "- Node 2 is up <!-- src:agent ts:2026-06-14 -->\n")
    assert checks(workspace)[1]["freshness"][1] == "1 entry, not past its ttl"
    workspace.write("MEMORY.md", "- Node 2 is up <!-- src:web ts:2026-05-01 -->\n")
    assert checks(workspace)[1]["freshness"][1] == "1 entry is stale, 0 expired"
    workspace.write("MEMORY.md", "# Memory\n")
    assert checks(workspace)[1]["freshness"][1] == "no entry that could go past a ttl"


def test_a_command_of_several_steps_goes_on_after_one_of_them(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = run_hoard(*DAY, "doctor", cwd=workspace, env=AS_AGENT).stdout.decode()
    assert (
        "\n      -> hoard hooks install &&\n         echo '/MEMORY.md merge=hoard' >> .gitattributes &&\n         hoard commit --human .gitattributes\n"
    ) in shown


def test_a_file_that_grows_is_told_within_the_columns_of_the_terminal(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.git("config", "merge.hoard.driver", "hoard-hook merge-driver %O %A %B %P")
    workspace.write(".gitattributes", "MEMORY.md merge=hoard\n")
    for day, lines in (("2026-05-16", 100), ("2026-06-10", 160)):
        stamp = f"{day}T12:00:00Z"
        dates = {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp}
        workspace.commit("More\n", {"MEMORY.md": ("x" * 99 + "\n") * lines}, env=dates)
    for columns in ("80", "100"):
        monkeypatch.setenv("COLUMNS", columns)
        shown = run_hoard(*DAY, "doctor", cwd=workspace, env=AS_AGENT).stdout.decode().split("\n")
        assert [line for line in shown if len(line) > int(columns)] == []
        assert ("    each up to its limit" in shown) == (columns == "80")
        assert "+200 a day, over on 2026-07-05" in "\n".join(shown)
