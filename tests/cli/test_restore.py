"""`hoard restore` as a user meets it."""

from __future__ import annotations

import json

from tests.app.support import AS_AGENT
from tests.support.repo import MEMORY, Workspace, run_hoard

NODE = "- Node-2 serves the wiki.\n"
DAY = ("--date", "2026-06-15")


def test_lost_listed_restored_and_present(workspace: Workspace) -> None:
    workspace.commit("Drop\n", {"MEMORY.md": MEMORY.replace(NODE, "")}, author=Workspace.agent)
    gone = workspace.head()[:10]

    listed = run_hoard(*DAY, "restore", "Node-2", "--list", cwd=workspace).stdout.decode().splitlines()
    assert listed[0].split()[0] == gone
    assert listed[0].split()[2:] == ["remove", "MEMORY.md:10", "Infrastructure"]
    assert listed[1] == "    agent 2026-06-05 90d; clawd (agent)"
    done = run_hoard(*DAY, "restore", "Node-2", cwd=workspace, env=AS_AGENT)
    said = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert said.startswith(f"{workspace.head()} - MEMORY.md:10\n    + {NODE}  claims   agent 2026-06-05 90d, from its heading\n  written  ")
    assert "by Ada Example (human) in" in said and "no signature was verified" in said
    assert f"by clawd (agent) in {gone}" in said
    assert f"git revert {workspace.head()[:12]}" in done.stderr.decode()
    again = run_hoard("restore", "Node-2", cwd=workspace)
    assert (again.returncode, again.stdout.decode()) == (0, "'Node-2 serves the wiki.' stands in MEMORY.md:10; nothing was restored.\n")


def test_json(workspace: Workspace) -> None:
    workspace.commit("Drop\n", {"MEMORY.md": MEMORY.replace(NODE, "")}, author=Workspace.agent)

    rows = [json.loads(line) for line in run_hoard("restore", "Node-2", "--list", "--json", cwd=workspace).stdout.splitlines()]
    assert [(row["event"], row["path"], row["line"], row["author"]["kind"]) for row in rows] == [
        ("remove", "MEMORY.md", 10, "agent"),
        ("add", "MEMORY.md", 10, "human"),
    ]
    data = json.loads(run_hoard(*DAY, "restore", "Node-2", "--no-commit", "--json", cwd=workspace, env=AS_AGENT).stdout)
    assert {key: data[key] for key in ("restored", "commit", "path", "line", "text", "along", "tagged", "archive")} == {
        "restored": True, "commit": None, "path": "MEMORY.md", "line": 10, "text": NODE.strip(), "along": [], "tagged": False, "archive": None
    }  # fmt: skip


def test_refused_with_the_finding_and_the_next_step(workspace: Workspace) -> None:
    workspace.commit("Drop\n", {"MEMORY.md": MEMORY.replace("- Answers are short and in English.\n", "")})
    before = workspace.snapshot()

    done = run_hoard(*DAY, "restore", "Answers are short", cwd=workspace, env=AS_AGENT)

    assert (done.returncode, workspace.snapshot() == before) == (1, True)
    assert "HG301" in done.stdout.decode()
    assert "--human" in done.stderr.decode()
    done = run_hoard(*DAY, "restore", "Answers are short", "--human", cwd=workspace, env=AS_AGENT)
    assert done.returncode == 0
    assert done.stderr.decode().rpartition("undo: ")[2] == f"git revert -n {workspace.head()[:12]} && hoard commit --human\n"
    assert workspace.read("MEMORY.md") == MEMORY


def test_what_fits_nothing(workspace: Workspace) -> None:
    done = run_hoard("restore", "\x1b[31mno such", cwd=workspace)

    assert done.returncode == 2
    assert b"\x1b" not in done.stderr and b"next:" in done.stderr


def test_candidates_never_show_a_credential_that_only_its_label_gives_away(workspace: Workspace) -> None:
    value = "violet" + "Harbor" + str(73) + "kite"
    block = "\n## {} <!-- src:agent ts:2026-06-05 ttl:90d -->\n\n- The password of it is:\n- {}{}\n"
    both = block.format("Wiki", value, "A") + block.format("Blog", value, "B")
    workspace.commit("Two\n", {"MEMORY.md": MEMORY + both}, author=Workspace.agent)
    workspace.commit("Drop\n", {"MEMORY.md": MEMORY}, author=Workspace.agent)

    done = run_hoard(*DAY, "restore", value[:9], cwd=workspace)
    said = (done.stdout + done.stderr).decode()
    assert done.returncode == 2, said
    assert "fits 2 blocks" in said
    assert value not in said
    assert said.count("(its words hold a secret)") == 2


def test_a_place_behind_a_symbolic_link_and_no_place(workspace: Workspace) -> None:
    workspace.commit("Drop\n", {"MEMORY.md": MEMORY.replace(NODE, "")}, author=Workspace.agent)
    (workspace.path / "elsewhere").mkdir()
    (workspace.path / "memory").symlink_to("elsewhere")
    for words in (("restore", "Node-2", "--to", "memory/w.md"), ("add", "More", "--src", "agent", "--file", "memory/w.md")):
        done = run_hoard(*words, cwd=workspace)
        assert done.returncode == 2
        assert done.stderr.decode().splitlines() == [
            "hoard: 'memory' is a symbolic link; memory is in real folders.",
            "  next: see where it points: ls -l 'memory'",
        ]
    assert list((workspace.path / "elsewhere").iterdir()) == []
    done = run_hoard("restore", "Node-2", "--to", "", cwd=workspace)
    assert done.returncode == 2 and "is no file of the work tree" in done.stderr.decode()
