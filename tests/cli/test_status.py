"""`hoard status`, and `hoard` alone, as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

from hoard_git.cli.main import COMMANDS
from hoard_git.cli.render.width import width
from tests.app.support import AS_AGENT, as_agent
from tests.support.repo import MEMORY, Repo, Workspace, run_hoard

DAY = ("--date", "2026-06-15")


def facts(repo: Repo) -> dict[str, tuple[str, str, str]]:
    done = run_hoard(*DAY, "status", "--json", cwd=repo, env=AS_AGENT)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["schema"] == 1
    return {fact["name"]: (fact["status"], fact["detail"], fact["fix"]) for fact in told["facts"]}


def test_a_healthy_workspace_has_nothing_to_mark(workspace: Workspace) -> None:
    as_agent(workspace)
    run_hoard("hooks", "install", cwd=workspace)
    found = facts(workspace)
    assert {name: row[0] for name, row in found.items()} == dict.fromkeys(found, "ok")
    assert tuple(found) == ("workspace", "index", "loaded", "stale", "expired", "untagged", "duplicates", "unsigned", "changed", "hooks")
    assert found["index"][1] == f"MEMORY.md {len(MEMORY) // 200} % of 20,000 chars"
    assert all(fix for _state, _detail, fix in found.values())


def test_everything_that_is_to_be_done(workspace: Workspace) -> None:
    extra = "- same thing said\n- same thing said\n\n## Old <!-- src:web ts:2025-01-01 -->\n\n- a price\n\n## Later <!-- src:web ts:2026-05-01 -->\n\n- b\n"
    workspace.write("MEMORY.md", MEMORY + extra)
    workspace.write("memory/bare.md", "- untagged\n- also\n")
    found = facts(workspace)
    assert found["expired"][1:] == ("1 entry", "hoard consolidate --dry-run")
    assert found["stale"][1] == "1 entry"
    assert found["untagged"][1:] == ("2 entries in memory/bare.md", "hoard tag --dry-run")
    assert found["duplicates"][1] == "1 copy"
    assert found["changed"][1:] == ("2 files: MEMORY.md, memory/bare.md", "hoard commit")
    assert found["hooks"][1:] == ("off: 6 missing", "hoard hooks install")


def test_one_screen_of_eighty_columns(workspace: Workspace) -> None:
    workspace.write("memory/" + "long-name-" * 12 + "猫.md", "- untagged \x1b[31m\n")
    workspace.write("MEMORY.md", "x" * 30_000)
    for columns in ("80", "200"):
        shown = run_hoard(*DAY, "status", cwd=workspace, env={**AS_AGENT, "COLUMNS": columns}).stdout.decode()
        lines = shown.rstrip("\n").split("\n")
        assert len(lines) <= 24
        assert [line for line in lines if width(line) > int(columns)] == []
        assert "\x1b" not in shown
    assert "X index" in shown
    assert "hoard consolidate --dry-run" in shown


def test_hoard_alone_in_a_workspace_shows_the_status_and_outside_the_help(workspace: Workspace, tmp_path: Path) -> None:
    inside = run_hoard(cwd=workspace, env=AS_AGENT)
    assert inside.returncode == 0
    assert "hoard --help" in inside.stdout.decode()
    assert max(map(width, inside.stdout.decode().split("\n"))) <= 80
    assert "MEMORY.md" in inside.stdout.decode()
    bare = Repo.create(tmp_path / "plain")
    for folder in (tmp_path, bare.path):
        done = run_hoard(cwd=folder)
        assert done.returncode == 0
        shown = done.stdout.decode()
        assert all(f"\n{group}:" in shown for group, _text in COMMANDS.values())


def test_a_secret_in_a_heading_stays_in_its_file(workspace: Workspace) -> None:
    secret = "gh" + "p_" + "a1B2" * 9
    workspace.write("MEMORY.md", f"# Memory\n\n## token {secret}\n\n{('x' * 99 + chr(10)) * 300}")
    for command in ("status", "doctor"):
        done = run_hoard(*DAY, command, cwd=workspace, env=AS_AGENT)
        assert secret not in done.stdout.decode() + done.stderr.decode()
    assert b"not loaded: lines" in done.stdout


def test_a_broken_policy_is_told_and_nothing_else_is_made_up(workspace: Workspace) -> None:
    workspace.write(".hoard.yaml", "version: 9\n")
    done = run_hoard(*DAY, "status", cwd=workspace)
    assert b"only 1 is known" in done.stdout
    assert run_hoard(cwd=workspace).returncode == 2
    assert run_hoard("status", cwd=workspace.path.parent).returncode == 2


def test_a_folder_below_the_top(workspace: Workspace) -> None:
    (workspace.path / "deep").mkdir()
    done = run_hoard(*DAY, "-C", "deep", "status", cwd=workspace)
    assert done.returncode == 0
    assert b"MEMORY.md" in done.stdout


def test_a_policy_that_cannot_be_read_is_told_once(workspace: Workspace) -> None:
    workspace.write(".hoard.yaml", "version: 1\nmdoe: warn\n")
    shown = run_hoard("status", cwd=workspace).stdout.decode()
    assert shown.count("unknown key 'mdoe'") == 1
    assert "hooks" in shown
