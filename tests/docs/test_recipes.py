"""The recipes of "Keep memory small and fresh" run as they stand: the cron line by sh, the service by what it starts."""

from __future__ import annotations

import configparser
import os
import re
import shlex
from pathlib import Path

import pytest

from tests.app.support import AS_AGENT, as_agent
from tests.support.environment import ROOT
from tests.support.repo import Workspace, run

PAGE = ROOT / "docs/how-to/keep-memory-fresh.md"
OLD = "# Memory\n\n- Old <!-- src:web ts:2026-01-01 -->\n- Young <!-- src:agent ts:2026-12-01 -->\n"


def blocks() -> list[str]:
    return re.findall(r"^```\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture
def home(hermetic: Path, workspace: Workspace) -> Path:
    """A home with the workspace where the page has it."""
    workspace.commit("Old\n", {"MEMORY.md": OLD})
    as_agent(workspace)
    (hermetic / ".openclaw").mkdir()
    workspace.path.rename(hermetic / ".openclaw/workspace")
    return hermetic


def environment(home: Path, programs: Path) -> dict[str, str]:
    return {**AS_AGENT, "HOME": str(home), "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "HOARD_DATE": "2026-12-30"}


def test_the_cron_line(home: Path, programs: Path) -> None:
    (line,) = [block.strip() for block in blocks() if block.startswith("0 3 * * *")]
    when, command = line.split(" hoard-consolidate", 1)
    assert len(when.split()) == 5
    done = run(["sh", "-c", f"hoard-consolidate{command}"], cwd=home, env=environment(home, programs))
    assert done.returncode == 0, done.stderr
    assert "1 archived" in done.stdout.decode()
    again = run(["sh", "-c", f"hoard-consolidate{command}"], cwd=home, env=environment(home, programs))
    assert (again.returncode, again.stdout.decode()) == (0, "Nothing to consolidate.\n")


def test_the_service_and_its_timer(home: Path, programs: Path) -> None:
    units = [configparser.ConfigParser(interpolation=None) for _ in range(2)]
    for unit, text in zip(units, [block for block in blocks() if block.startswith("[Unit]")], strict=True):
        unit.read_string(text)
    service, timer = units
    assert service["Service"]["Type"] == "oneshot"
    assert timer["Timer"]["OnCalendar"] == "*-*-* 03:00:00"
    assert timer["Install"]["WantedBy"] == "timers.target"
    command = shlex.split(service["Service"]["ExecStart"].replace("%h", str(home)))
    done = run(["env", *command], cwd=home.parent, env=environment(home, programs))
    assert done.returncode == 0, done.stderr


def test_the_heartbeat_line_is_memory_that_passes(home: Path, programs: Path) -> None:
    (line,) = [block for block in blocks() if block.startswith("- If no branch")]
    workspace = home / ".openclaw/workspace"
    (workspace / "HEARTBEAT.md").write_text(f"# HEARTBEAT.md\n\n{line}", encoding="utf-8")
    env = environment(home, programs)
    done = run(["hoard", "commit", "-m", "Heartbeat"], cwd=workspace, env=env)
    assert done.returncode == 0, (done.stdout, done.stderr)
    command = re.search(r"run: (hoard [a-z]+)\.", line)
    assert command is not None
    done = run(shlex.split(command[1]), cwd=workspace, env=env)
    assert "Proposed on branch hoard/consolidate/2026-12-30" in done.stdout.decode()
