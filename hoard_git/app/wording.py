"""What the rules about commit messages say: a message held against the difference of the trees with the first parent."""

from __future__ import annotations

from hoard_git.app.lookup import GateLookup
from hoard_git.lint.engine import judge
from hoard_git.lint.scene import Scene

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from hoard_git.app.gate import Gate, Judgement
    from hoard_git.core.model import Finding, Oid
    from hoard_git.lint.scene import CommitText

_CODES = frozenset(("HG701", "HG702", "HG703"))


def judge_text(gate: Gate, judgement: Judgement, target: Oid | Literal["INDEX"], text: CommitText) -> list[Finding]:
    """Judge the message of a commit whose trees the gate has judged."""
    versions = judgement.versions
    scene = Scene(
        judgement.policy,
        judgement.actor,
        files=tuple(versions.after[path] for path in sorted(versions.after)),
        before=versions.before,
        changes=versions.changes,
        lookup=GateLookup(gate.shelf, versions, target, judgement.policy, gate.history),
        text=text,
    )
    return judge(scene, _CODES)
