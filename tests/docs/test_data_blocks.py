"""The JSON and TOML blocks of the pages about the wiki and MCP: the operations are applied, and every host's entry starts the server."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import pytest

from tests.app.support import as_agent
from tests.support.environment import ROOT
from tests.support.repo import Workspace, run_hoard


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / "docs/how-to" / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def front(text: str) -> str:
    return text.split("---\n")[1]


def test_the_operations_of_the_wiki_page_do_what_its_table_says(workspace: Workspace) -> None:
    (page,) = [block for block in blocks("keep-a-wiki.md", "text") if block.startswith("---\n")]
    (operations,) = blocks("keep-a-wiki.md", "json")
    page = page.replace("links: [queue]", "links: []") + "\n## Load\n\n- Five jobs an hour\n"
    queue = "# Queue  <!-- src:agent ts:2026-06-01 -->\n\n- Nine jobs\n"
    workspace.commit("Pages\n", {"wiki/node-2.md": page, "wiki/queue.md": queue})
    as_agent(workspace)

    for commits in (1, 0):  # a batch that is sent twice writes once
        before = workspace.head()
        done = run_hoard("--date", "2026-06-20", "wiki", "apply", "-", cwd=workspace, input=operations)
        assert done.returncode == 0, done.stderr
        assert workspace.line("rev-list", "--count", f"{before}..HEAD") == str(commits)

    assert workspace.message().startswith("Node 2 sends the reports\n\nMemory-Op: write\n")
    text = workspace.read("wiki/node-2.md")
    assert front(text) == "title: Node 2\nsrc: agent\nts: 2026-06-15\nttl: 30d\ntags: [infra, mail]\nlinks: [queue]\n"
    assert text.partition("## Load")[2] == (
        "  <!-- src:agent ts:2026-06-20 -->\n\n- Nine jobs an hour\n"
        "\n## Notes  <!-- src:web ts:2026-06-20 ev:https://status.example/n2 -->\n\n- Reports go out at 06:00\n"
    )


def entries() -> list[dict[str, Any]]:
    """What each host is told to start."""
    found = [json.loads(block) for block in blocks("serve-memory-over-mcp.md", "json")]
    found += [tomllib.loads(block) for block in blocks("serve-memory-over-mcp.md", "toml")]
    servers = [it.get("mcpServers") or it.get("mcp_servers") or it["mcp"]["servers"] for it in found]
    return [server["memory"] for server in servers]


def test_what_every_host_starts_serves_the_workspace(workspace: Workspace) -> None:
    first, *others = entries()
    assert others == [first, first]
    assert first["command"] == "hoard"
    pytest.importorskip("mcp", reason="the extra mcp is not installed")
    words = [str(workspace.path) if word == "/path/to/workspace" else word for word in first["args"]]
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    asked = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})
    done = run_hoard(*words, cwd=ROOT, input=asked + "\n")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[0])["result"]["serverInfo"]["name"] == "hoard-git"
