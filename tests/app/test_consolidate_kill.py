"""kill -9 in the middle of `hoard consolidate --apply`: the branch is at the old commit or the new one, and doctor settles the rest."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from tests.app.support import AS_AGENT, as_agent
from tests.support.environment import ROOT
from tests.support.repo import Workspace, run_hoard

FILES = {
    f"memory/topic-{n}.md": f"# Topic {n}\n\n- Old fact {n} <!-- src:web ts:2026-01-01 -->\n"
    + "".join(f"- Young fact {n} {k} <!-- src:agent ts:2026-12-01 -->\n" for k in range(12))
    for n in range(25)
}


def _wait_until_moved(workspace: Workspace, base: str, process: subprocess.Popen[bytes]) -> None:
    branch = workspace.path / ".git" / workspace.line("symbolic-ref", "HEAD")
    while process.poll() is None and branch.read_text().strip() == base:
        time.sleep(0.002)


@pytest.mark.slow
def test_killed_at_any_moment(workspace: Workspace) -> None:
    workspace.commit("Many\n", FILES, author=Workspace.agent)
    as_agent(workspace)
    base = workspace.head()
    env = {**os.environ, **AS_AGENT, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "hoard_git", "--date", "2026-12-30", "consolidate", "--steps", "expire", "--apply"]
    chance = random.Random(7)
    start = time.monotonic()
    subprocess.run(command, cwd=workspace.path, env=env, check=True, capture_output=True)
    whole = time.monotonic() - start  # a busy machine takes longer, and the moments go with it
    workspace.git("reset", "-q", "--hard", base)
    outcomes = set()
    for number in range(14):
        process = subprocess.Popen(
            command, cwd=workspace.path, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        if number % 2:  # what follows the move of the branch takes too little time to be met by chance
            _wait_until_moved(workspace, base, process)
            time.sleep(whole * chance.uniform(0, 0.2))
        elif number:
            time.sleep(whole * chance.uniform(0.1, 1.2))
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        lock = workspace.path / ".git" / "index.lock"
        lock.unlink(missing_ok=True)  # as doctor tells the user to: no git process is left
        moved = workspace.head() != base
        assert not moved or workspace.head("HEAD^") == base
        told = json.loads(run_hoard("doctor", "--json", cwd=workspace, env=AS_AGENT).stdout)
        state = next(check for check in told["checks"] if check["name"] == "interrupted")
        fixed = run_hoard("doctor", "--fix", cwd=workspace, env=AS_AGENT)
        assert b"Traceback" not in fixed.stderr
        outcomes.add((moved, state["status"]))
        assert workspace.line("status", "--porcelain") == ""
        assert ("Old fact 3" in workspace.read("memory/topic-3.md")) == (not moved)
        workspace.git("reset", "-q", "--hard", base)
    assert {moved for moved, _state in outcomes} == {True, False}
