"""A commit's trailers as its trees demand them: one function for hooks, commands and CI."""

from __future__ import annotations

from hoard_git.core.changelist import expected_trailers
from hoard_git.core.trailers import OP, OPS, parse_trailers
from hoard_git.lint.scene import CommitText

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hoard_git.app.gate import Judgement
    from hoard_git.core.trailers import Trailer
    from hoard_git.gitio.reader import CommitInfo

_MOST_PARENTS = 2


def expected_for(
    judgement: Judgement, *, op: str = "", session: str = "", reason: str = "", removed: Mapping[tuple[str, int], str] | None = None
) -> tuple[Trailer, ...]:
    """The Memory trailers of a judged change; none when it touches no memory. An unknown `op` counts as `write`.

    `removed` says for single entries where they went when the trees alone do not tell.
    """
    if not judgement.touches_memory:
        return ()
    versions = judgement.versions
    return expected_trailers(
        versions.changes,
        {path: view.document for path, view in versions.before.items()},
        {path: view.document for path, view in versions.after.items()},
        op=op if op in OPS else "write",
        parent=versions.base,
        removed=removed,
        session=session,
        reason=reason,
    )


def commit_text(judgement: Judgement, info: CommitInfo) -> CommitText:
    """A commit's message beside what its trees demand. Which operation it was cannot be told from trees, so its own word is taken."""
    found = parse_trailers(info.message)
    said = next((trailer.value for trailer in found if trailer.key.lower() == OP.lower()), "")
    default = "merge" if len(info.parents) > 1 else ""
    # git settles which parents an octopus keeps after its hooks have run, so what they wrote cannot be held against the trees.
    return CommitText(info.message, found, expected_for(judgement, op=said or default), complete=len(info.parents) <= _MOST_PARENTS)
