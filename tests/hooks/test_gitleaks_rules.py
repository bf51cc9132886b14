"""A workspace's own `.gitleaks.toml` through real `git commit`."""

from __future__ import annotations

import random

from tests.hooks.conftest import AS_AGENT
from tests.support.repo import Workspace

RULE = """\
[[rules]]
id = "acme-ticket"
description = "ACME ticket"
regex = '''acme-tick-[a-f0-9]{8}'''
"""


def commit(workspace: Workspace, text: str, *more: str) -> tuple[int, str]:
    """Add a line to memory, commit everything as the agent; return the status and what was said."""
    workspace.write("MEMORY.md", workspace.read("MEMORY.md") + text)
    workspace.git("add", "-A")
    done = workspace.git("commit", "-qm", "Note", *more, env=AS_AGENT, check=False)
    return done.returncode, (done.stdout + done.stderr).decode()


def test_an_own_rule_refuses_a_commit(hooked: Workspace) -> None:
    assert commit(hooked, "- The door takes acme-tick-00aa00aa.\n")[0] == 0
    hooked.commit("Rules", {".gitleaks.toml": RULE}, author=hooked.human)

    status, said = commit(hooked, "- The gate takes acme-tick-00bb00bb.\n")

    assert status == 1
    assert "MEMORY.md:13:18: HG201" in said
    assert "ACME ticket: …(18 characters)" in said
    assert "00bb00bb" not in said


def test_an_allowlist_lets_a_false_alarm_pass(hooked: Workspace) -> None:
    sample = f"Maple{random.randrange(1000, 10_000)}!x"
    line = f"- The db password is {sample}\n"
    assert commit(hooked, line)[0] == 1
    hooked.git("reset", "-q", "--hard")
    hooked.commit("Rules", {".gitleaks.toml": f"[allowlist]\nregexes = ['''^{sample}$''']\n"}, author=hooked.human)

    assert commit(hooked, line)[0] == 0


def test_rules_of_the_same_commit_do_not_count(hooked: Workspace) -> None:
    sample = f"Maple{random.randrange(1000, 10_000)}!x"
    hooked.write(".gitleaks.toml", f"[allowlist]\nregexes = ['''^{sample}$''']\n")

    status, said = commit(hooked, f"- The db password is {sample}\n")

    assert status == 1
    assert "HG201" in said
    assert "HG307 agent adds a file that steers the gate" in said.replace("error: ", "")
    assert sample not in said
