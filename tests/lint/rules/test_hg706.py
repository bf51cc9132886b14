"""HG706 judges the refs of a push, and nothing where there are none."""

from __future__ import annotations

import pytest

from hoard_git.core.policy import DEFAULT
from hoard_git.lint.engine import judge
from hoard_git.lint.scene import CommitText, RefChange, Scene

MAIN = "refs/heads/main"
OID = "1234567890" * 4


def found(*refs: RefChange, severity: str = "") -> list[tuple[str, str]]:
    policy = DEFAULT._replace(rules=(("HG706", severity),)) if severity else DEFAULT
    scene = Scene(policy, text=CommitText(b"", (), ()), refs=refs)
    return [(finding.path, finding.message) for finding in judge(scene, {"HG706"})]


@pytest.mark.parametrize(
    "ref",
    [
        RefChange(MAIN, "commit"),
        RefChange("refs/tags/v1", "tag"),
        RefChange(MAIN, "commit", lost=3),
        RefChange("refs/replace/x", ""),
        RefChange("refs/hoard/x", ""),
        RefChange("refs/hoard/undo/trailers/main/1", "commit"),
    ],
)
def test_what_passes(ref: RefChange) -> None:
    assert found(ref) == []


def test_what_does_not() -> None:
    assert [path for path, _said in found(RefChange("refs/replace/x", "commit"), RefChange("refs/hoard/x", "commit"))] == [
        "refs/hoard/x",
        "refs/replace/x",
    ]
    assert found(RefChange("refs/tags/f", "blob")) == [
        ("refs/tags/f", "the ref would name a blob and no commit, so nobody can be asked about it")
    ]
    assert found(RefChange(MAIN, "commit", 2, OID, main=True)) == [
        (MAIN, "the push rewinds the main branch and loses 2 commits, memory in 123456789012 among them")
    ]
    assert found(RefChange("refs/heads/x", "", 1, OID)) == [
        ("refs/heads/x", "the push deletes the ref and loses 1 commit, memory in 123456789012 among them")
    ]


def test_a_policy_can_turn_it_off() -> None:
    assert found(RefChange("refs/replace/x", "commit"), severity="off") == []


def test_no_refs_no_findings() -> None:
    assert found() == []
