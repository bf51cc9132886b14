"""`hoard log` as a user runs it."""

from __future__ import annotations

import json

from hoard_git.cli.render.columns import cut, fill, width, wrap
from tests.app.history_repos import AGENT, block, memory
from tests.support.repo import Workspace, run_hoard

TEXT = block("Deploys", "The deploy job runs at noon every weekday.", name="depl01")


def _grown(workspace: Workspace) -> Workspace:
    workspace.commit("Add deploys\n", {"memory/d.md": memory(TEXT)}, author=AGENT)
    workspace.commit("Later\n", {"memory/d.md": memory(TEXT.replace("noon", "dusk"))}, author=AGENT)
    return workspace


def test_the_log_of_a_block(workspace: Workspace) -> None:
    result = run_hoard("log", "depl01", cwd=_grown(workspace))
    lines = result.stdout.decode().split("\n")
    assert result.returncode == 0
    assert [line.split()[2] for line in lines if line[:1].isalnum()] == ["edit", "add"]
    assert "    + - The deploy job runs at dusk every weekday." in lines
    assert "    clawd (agent); agent 2026-06-05 90d depl01" in lines


def test_json_has_one_object_a_line_with_the_keys_of_the_interface(workspace: Workspace) -> None:
    result = run_hoard("log", "--json", "depl01", cwd=_grown(workspace))
    edit, add = [json.loads(line) for line in result.stdout.decode().splitlines()]
    assert list(edit) == [
        "commit", "date", "author", "op", "event", "also", "block", "provenance", "added", "removed", "trailers",
    ]  # fmt: skip
    assert edit["commit"] == workspace.head()
    assert edit["author"] == {"name": "clawd", "email": "clawd@agents.example", "kind": "agent", "verified": False}
    assert edit["block"] == {"id": "depl01", "title": "Deploys", "path": "memory/d.md"}
    assert edit["provenance"] == {"src": "agent", "ts": "2026-06-05", "ttl": "90d", "id": "depl01"}
    assert (edit["event"], edit["trailers"], edit["op"]) == ("edit", "missing", None)
    assert add["added"] == ["## Deploys", "- The deploy job runs at noon every weekday."]


def test_filters(workspace: Workspace) -> None:
    _grown(workspace)

    def count(*options: str) -> int:
        result = run_hoard("log", "--json", *options, cwd=workspace)
        assert result.returncode == 0, result.stderr
        return len(result.stdout.splitlines())

    everything = count()
    assert count("-n", "1") == 1
    assert count("--op", "edit") == 1
    assert count("--kind", "human") + count("--kind", "agent") == everything
    assert count("--src", "user") == 1
    assert count("--since", "2 days ago") == everything
    assert count("--until", "2001-01-01") == 0
    assert count("--at", "HEAD~1", "depl01") == 1
    assert count("memory") == 3
    assert count("--", "memory/d.md") == 3
    assert count("--text", "DEPLOY job") == 2


def test_what_does_not_exist_or_is_ambiguous_exits_2(workspace: Workspace) -> None:
    _grown(workspace)
    workspace.commit("Twin\n", {"memory/e.md": memory(block("Deploys", "Another one.", name="depl02"))}, author=AGENT)
    missing = run_hoard("log", "no such thing", cwd=workspace)
    assert (missing.returncode, missing.stdout) == (2, b"")
    assert b"No path, block or text" in missing.stderr
    twin = run_hoard("log", "Deploys", cwd=workspace)
    assert twin.returncode == 2
    assert b"depl01" in twin.stderr and b"depl02" in twin.stderr
    prefix = run_hoard("log", "depl0", cwd=workspace)
    assert prefix.returncode == 2
    assert run_hoard("log", "--", "depl01", cwd=workspace).returncode == 2
    assert run_hoard("log", "--since", "--output=x", cwd=workspace).returncode == 2
    assert run_hoard("log", "memory/d.md#deploys", cwd=workspace).returncode == 0


def test_no_secret_and_no_control_character_reaches_the_output(workspace: Workspace) -> None:
    key = "Tr0ub4dor" + "&3xQ9z"
    workspace.commit("Leak\n", {"memory/x.md": memory(block("Keys\x1b[31m", f"The admin password is {key} \u202e\x07"))})
    for options in ((), ("--json",), ("--format", "agent-trace")):
        out = run_hoard("log", *options, cwd=workspace).stdout.decode()
        assert key not in out
        assert not any(c in out for c in "\x1b\x07\u202e")


def test_agent_trace_records(workspace: Workspace) -> None:
    result = run_hoard("log", "--format", "agent-trace", "depl01", cwd=_grown(workspace))
    edit, add = [json.loads(line) for line in result.stdout.decode().splitlines()]
    assert (edit["version"], edit["vcs"]) == ("0.1.0", {"type": "git", "revision": workspace.head()})
    (file,) = edit["files"]
    (conversation,) = file["conversations"]
    assert (file["path"], conversation["contributor"]) == ("memory/d.md", {"type": "ai"})
    (lines,) = conversation["ranges"]
    assert (lines["start_line"], lines["end_line"]) == (5, 5)
    assert lines["content_hash"].startswith("murmur3:")
    assert [r["start_line"] for r in add["files"][0]["conversations"][0]["ranges"]] == [3, 5]


def test_a_bare_repository_and_a_folder_below(workspace: Workspace) -> None:
    _grown(workspace)
    workspace.git("clone", "-q", "--bare", ".", "../bare.git")
    assert run_hoard("-C", "../bare.git", "log", "memory/d.md", "--json", cwd=workspace).stdout.count(b"\n") == 3
    assert run_hoard("-C", "memory", "log", "d.md", "--json", cwd=workspace).stdout.count(b"\n") == 3


def test_columns_are_aligned_whatever_stands_in_them(workspace: Workspace) -> None:
    title = "\u90e8\u7f72 \U0001f680 \u6d41\u7a0b und ein sehr langer Titel, der nicht in achtzig Spalten passt"
    entry = "\u6bcf\u500b\u5de5\u4f5c\u65e5\u4e2d\u5348\u57f7\u884c\u90e8\u7f72\u5de5\u4f5c " * 8
    workspace.commit("Wide\n", {"memory/w.md": memory(block(title, entry))}, author=AGENT)
    for columns in (80, 200):
        out = run_hoard("log", "memory/w.md", cwd=workspace, env={"COLUMNS": str(columns)}).stdout.decode()
        assert max(width(line) for line in out.split("\n")) <= columns
        assert "".join(entry.split()) in "".join(out.split())


def test_widths() -> None:
    assert [width(text) for text in ("abc", "\u4e2d\u6587", "e\u0301", "\U0001f389", "\u26a0\ufe0f", "")] == [3, 4, 1, 2, 2, 0]
    assert cut("\u4e2d\u6587\u4e2d\u6587", 5) == "\u4e2d\u6587\u2026"
    assert (fill("\u4e2d", 4), fill("abcdef", 4)) == ("\u4e2d  ", "abc\u2026")
    assert list(wrap("aa bb \u4e2d\u6587\u4e2d\u6587", 5)) == ["aa bb", "\u4e2d\u6587", "\u4e2d\u6587"]


def test_what_a_block_claimed_before_and_where_it_came_from(workspace: Workspace) -> None:
    text = block("Deploys", "The deploy job runs at noon every weekday.", src="web", ttl="30d", name="depl01")
    workspace.commit("Add\n", {"memory/d.md": memory(text)}, author=AGENT)
    workspace.commit("Raise\n", {"memory/d.md": memory(text.replace("src:web", "src:agent"))}, author=AGENT)
    workspace.commit("Move\n", {"memory/d.md": memory(), "memory/e.md": memory(text.replace("src:web", "src:agent"))}, author=AGENT)
    move, retag, added = (run_hoard("log", "depl01", cwd=workspace).stdout.decode().splitlines()[at] for at in (1, 3, 5))
    assert move == "    clawd (agent); agent 2026-06-05 30d depl01; from memory/d.md"
    assert retag == "    clawd (agent); agent 2026-06-05 30d depl01, was web 2026-06-05 30d depl01"
    assert added == "    clawd (agent); web 2026-06-05 30d depl01"


def test_words_above_all_headings_move_once(workspace: Workspace) -> None:
    workspace.commit("Add\n", {"memory/d.md": "- The deploy job runs at noon every weekday.\n"}, author=AGENT)
    workspace.commit("Move\n", {"memory/d.md": None, "memory/e.md": "- The deploy job runs at noon every weekday.\n"}, author=AGENT)
    for words in (("log", "-n", "2"), ("log", "memory/d.md"), ("log", "memory/")):
        first, second = map(json.loads, run_hoard(*words, "--json", cwd=workspace).stdout.decode().splitlines()[:2])
        assert [first["event"], first["block"]["path"], second["block"]["path"]] == ["move", "memory/e.md", "memory/d.md"]
