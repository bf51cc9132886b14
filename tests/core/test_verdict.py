"""Whether a line is what it claims to be, seen from the commit that wrote it last."""

from __future__ import annotations

import pytest

from hoard_git.core.model import Actor
from hoard_git.core.verdict import judge_line

HUMAN, AGENT, TOOL = Actor("human", claimed="human"), Actor("agent", claimed="agent"), Actor("tool", claimed="tool")
UNPROVEN = Actor("agent", claimed="human", why="it is not signed")


@pytest.mark.parametrize(
    ("src", "actor", "sources", "known", "verdict", "why"),
    [
        ("user", HUMAN, None, True, "agree", "may write it"),
        ("user", HUMAN, ["user", "agent"], True, "agree", "may write it"),
        ("agent", AGENT, ["agent"], True, "agree", "may write it"),
        ("web", AGENT, None, True, "agree", "may write it"),
        ("user", AGENT, None, True, "disagree", "an agent wrote it"),
        ("user", AGENT, ["user"], True, "disagree", "an agent wrote it"),
        ("user", HUMAN, ["agent"], True, "disagree", "trailers do not name user"),
        ("web", AGENT, [], True, "disagree", "trailers do not name web"),
        ("web", TOOL, None, True, "disagree", "tools may not write memory"),
        ("user", UNPROVEN, None, True, "unverified", "without the proof"),
        ("agent", UNPROVEN, None, True, "unverified", "without the proof"),
        ("agent", AGENT, None, False, "unverified", "does not list the author"),
        ("user", None, None, True, "unverified", "not committed yet"),
        ("", AGENT, ["agent"], True, "unverified", "claims no source"),
    ],
)
def test_the_verdict_about_a_line(src: str, actor: Actor | None, sources: list[str] | None, known: bool, verdict: str, why: str) -> None:
    found = judge_line(src, actor, sources, known=known)
    assert found[0] == verdict
    assert why in found[1]
