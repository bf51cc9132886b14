"""One piece of text under one content rule: what the tests of HG2xx and HG4xx ask again and again."""

from __future__ import annotations

from hoard_git.core.model import Finding
from hoard_git.core.policy import DEFAULT, Policy
from tests.support.scenes import change_scene, findings, state_scene

FIRST = 2
"""The line on which the text of `changed` starts, below a heading with the tag."""


def changed(
    code: str, text: str, *, src: str = "agent", actor: str = "agent", path: str = "MEMORY.md", policy: Policy = DEFAULT
) -> list[Finding]:
    """The rule's findings when somebody adds a file with this text under a heading of this source ('' for no tag)."""
    head = f"# Notes  <!-- src:{src} ts:2026-06-01 -->\n" if src else "# Notes\n"
    return findings(change_scene({}, {path: head + text + "\n"}, actor=actor, policy=policy), code)


def standing(code: str, text: str, *, path: str = "MEMORY.md", policy: Policy = DEFAULT) -> list[Finding]:
    """The rule's findings in a file as it stands, without any tag."""
    return findings(state_scene({path: text + "\n"}, policy=policy), code)


def severities(found: list[Finding]) -> list[str]:
    """The severities of findings, in order."""
    return [finding.severity for finding in found]
