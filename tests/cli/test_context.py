"""What `hoard context` prints."""

from __future__ import annotations

import hashlib
import json

import pytest

from tests.support.repo import POLICY, Repo, Workspace, run_hoard

SECRET = "gh" + "p_" + hashlib.sha256(b"context").hexdigest()[:36]


def context(repo: Repo, *args: str, folder: str = "") -> tuple[int, str, str]:
    done = run_hoard("--date", "2026-06-15", "context", *args, cwd=repo.path / folder)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def filled(workspace: Workspace) -> Workspace:
    workspace.write("SOUL.md", "# Soul\n\nCalm and short.\n")
    workspace.write("USER.md", "# User\n\n- Likes tea\n")
    workspace.write("HEARTBEAT.md", "# HEARTBEAT.md\n\n- Look at the mail\n")
    workspace.write("memory/2026-06-15.md", "# 2026-06-15\n\n- Deployed the wiki\n- Tea again <!-- src:user ts:2026-06-15 -->\n")
    workspace.write("memory/2026-06-14.md", "# 2026-06-14\n\n- Mended the boiler\n")
    workspace.write("memory/old.md", "# Old\n\n- The queue is slow <!-- src:web ts:2026-05-01 -->\n")
    return workspace


def test_the_parts_of_a_main_session_in_order_with_their_cost(filled: Workspace) -> None:
    status, out, err = context(filled)
    assert (status, err) == (0, "")
    assert [line for line in out.split("\n") if line.startswith("===")] == [
        "=== May be stale: verify or remove: 62 chars",
        "=== SOUL.md: 24 chars",
        "=== USER.md: 20 chars",
        "=== HEARTBEAT.md: 35 chars",
        "=== memory/2026-06-15.md: 78 chars",
        "=== memory/2026-06-14.md: 34 chars",
        f"=== MEMORY.md: {len(filled.read('MEMORY.md'))} chars",
    ]
    assert "- stale since 2026-05-31: The queue is slow (memory/old.md:3)\n" in out


def test_a_group_gets_nothing_of_the_user(filled: Workspace) -> None:
    status, out, _err = context(filled, "--session", "group")
    assert status == 0
    assert out == (
        "=== SOUL.md: 24 chars\n# Soul\n\nCalm and short.\n"
        "=== HEARTBEAT.md: 35 chars\n# HEARTBEAT.md\n\n- Look at the mail\n"
        "=== memory/2026-06-15.md: 34 chars, 1 withheld\n# 2026-06-15\n\n- Deployed the wiki\n"
        "=== memory/2026-06-14.md: 34 chars\n# 2026-06-14\n\n- Mended the boiler\n"
    )


def test_what_does_not_fit_is_cut_and_named(filled: Workspace) -> None:
    filled.write("memory/2026-06-15.md", "# 2026-06-15\n\n" + "".join(f"- Step {number} of the day\n" for number in range(300)))
    filled.write("USER.md", "# User\n\n" + "x" * 5000 + "\n")
    status, out, _err = context(filled, "--budget", "3000")
    assert status == 0
    assert len(out) <= 3000
    assert "=== USER.md: left out, 5,009 chars; hoard get USER.md\n" in out
    assert "earlier lines; hoard get memory/2026-06-15.md]\n" in out
    assert "- Step 299 of the day\n" in out
    assert "- Step 1 of the day\n" not in out


def test_json(filled: Workspace) -> None:
    data = json.loads(context(filled, "--json", "--session", "group", "--budget", "9000")[1])
    assert (data["schema"], data["session"], data["budget"], data["unread"]) == (1, "group", 9000, [])
    assert [(part["name"], part["path"], part["outcome"], part["withheld"]) for part in data["parts"]] == [
        ("SOUL.md", "SOUL.md", "whole", 0),
        ("HEARTBEAT.md", "HEARTBEAT.md", "whole", 0),
        ("today", "memory/2026-06-15.md", "whole", 1),
        ("yesterday", "memory/2026-06-14.md", "whole", 0),
    ]
    assert data["chars"] == sum(part["shown"] for part in data["parts"]) == sum(len(part["text"]) for part in data["parts"])


@pytest.mark.parametrize("args", [(), ("--json",), ("--session", "group")])
def test_secrets_and_control_characters_stay_in(workspace: Workspace, args: tuple[str, ...]) -> None:
    workspace.write("HEARTBEAT.md", f"# HEARTBEAT.md\n\n- The deploy token:\n\n  {SECRET}\n- Bell \x07\n")
    status, out, err = context(workspace, *args)
    assert (status, err) == (0, "")
    assert "Bell" in out
    assert SECRET[6:20] not in out
    assert "\x07" not in out


def test_an_empty_workspace_a_link_and_several_workspaces(workspace: Workspace, repo: Repo) -> None:
    status, out, err = context(repo)
    assert (status, out, err.startswith("hoard: there is nothing to begin with")) == (0, "", True)
    (workspace.path / "SOUL.md").symlink_to("MEMORY.md")
    status, _out, err = context(workspace)
    assert (status, err) == (0, "hoard: not read: SOUL.md: is a symlink, which is not followed\n")
    repo.write(".hoard.yaml", POLICY + "memory: {roots: [agents/a, agents/b]}\n")
    repo.write("agents/a/MEMORY.md", "# A\n\n- of a\n")
    repo.write("agents/b/MEMORY.md", "# B\n\n- of b\n")
    assert context(repo)[0] == 2
    assert context(repo, folder="agents/b")[1] == "=== agents/b/MEMORY.md: 12 chars\n# B\n\n- of b\n"
