"""HG705 reports what is wrong with a commit object, each fault once, and only where there is a commit."""

from __future__ import annotations

from hoard_git.core.model import Actor
from hoard_git.core.policy import DEFAULT
from hoard_git.lint.engine import judge
from hoard_git.lint.scene import CommitText, Scene


def found(*faults: str, human: bool = True, severity: str = "") -> list[tuple[str, str, str]]:
    policy = DEFAULT._replace(rules=(("HG705", severity),)) if severity else DEFAULT
    scene = Scene(policy, Actor("human" if human else "agent"), text=CommitText(b"x\n", (), (), faults=faults))
    return [(finding.code, finding.severity, finding.message) for finding in judge(scene, {"HG705"})]


def test_a_commit_without_faults_passes() -> None:
    assert found() == []
    assert judge(Scene(), {"HG705"}) == []


def test_every_fault_is_told_to_humans_and_agents_alike() -> None:
    said = [("HG705", "error", f"the commit object is malformed: {fault}") for fault in ("it has 2 author lines", "it holds a NUL byte")]
    faults = ("it has 2 author lines", "it holds a NUL byte")
    assert found(*faults) == said
    assert found(*faults, human=False) == said


def test_a_policy_can_lower_it() -> None:
    assert found("it holds a NUL byte", severity="off") == []
    assert found("it holds a NUL byte", severity="warn")[0][1] == "warn"
