"""What `hoard tiers` prints."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from hoard_git.cli.context import Context
from hoard_git.cli.main import group
from hoard_git.cli.render.width import width
from tests.support.repo import Workspace

LONG = "# Log\n\n" + "".join(f"- Note {number} about the garden and its beds\n" for number in range(12))


def run(path: Path, *args: str) -> str:
    result = CliRunner().invoke(group, ["-C", str(path), "tiers", *args], obj=Context(), catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_it_says_what_is_what_and_what_comes_next(workspace: Workspace) -> None:
    workspace.write("memory/2026-06-15.md", LONG)
    workspace.write("memory/2026-06-01.md", LONG)
    workspace.write("memory/archive/logs/2026-02-01.md", LONG)
    out = run(workspace.path, "--date", "2026-06-15")
    assert out.startswith("Daily logs on 2026-06-15\n\nhot   up to 7 days old and 50.0 KB together: 1 log, 477 bytes")
    assert "\nwarm  memory/2026-06-01.md  477 bytes    12 entries  14 days old, past 7 days\n" in out
    assert "\nThe archive holds 1 older log, 477 bytes.\n" in out
    assert (
        "\nThe next consolidation would:\n  shorten memory/2026-06-01.md: 14 days old, past 7 days: 1 of 12 entries stays"
        in out.replace("\n    ", " ")
    )


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_no_line_is_wider_than_the_terminal(workspace: Workspace, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    workspace.write("memory/2026-06-15.md", LONG)
    workspace.write("memory/2026-06-01.md", LONG)
    workspace.write("memory/2026-06-02-\u4f1a\u8bae\u8bb0\u5f55-\u4f1a\u8bae\u8bb0\u5f55-\u4f1a\u8bae\u8bb0\u5f55.md", LONG)
    workspace.write("memory/2026-01-01.md", LONG + "- \u4f1a\u8bae\u8bb0\u5f55 0\n")
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = run(workspace.path, "--date", "2026-06-15").split("\n")
    longest = max(map(width, lines))
    assert longest <= columns
    assert (longest > 100) == (columns == 200)


def test_one_entry_is_no_entries(workspace: Workspace) -> None:
    workspace.write("memory/2026-06-15.md", "# Log\n\n- One note\n")
    assert re.search(r"memory/2026-06-15\.md +18 bytes +1 entry +today's", run(workspace.path, "--date", "2026-06-15"))


def test_nothing_to_do_and_nothing_there(workspace: Workspace) -> None:
    assert run(workspace.path) == ("There are no daily logs (memory/YYYY-MM-DD.md).\n\nThe next consolidation has nothing to do here.\n")


def test_json(workspace: Workspace) -> None:
    workspace.write("memory/2026-06-01.md", LONG)
    data = json.loads(run(workspace.path, "--json", "--date", "2026-06-15"))
    (space,) = data["workspaces"]
    assert (data["schema"], space["date"], space["limits"]) == (
        1,
        "2026-06-15",
        {"hot": 7, "hot_max": 51200, "warm": 90, "gzip_after": None},
    )
    assert space["logs"] == [
        {
            "path": "memory/2026-06-01.md",
            "date": "2026-06-01",
            "tier": "warm",
            "age": 14,
            "bytes": len(LONG),
            "entries": 12,
            "reason": "14 days old, past 7 days",
            "original": None,
        }
    ]
    assert [(step["kind"], step["to"], step["gone"]) for step in space["next"]] == [("warm", "memory/archive/logs/2026-06-01.md", False)]
