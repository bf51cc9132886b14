"""The outcome of a hook."""

from __future__ import annotations

from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.model import Finding


class Verdict(Record):
    """What a hook says: `blocks` decides the exit status, `note` is one line for people."""

    findings: tuple[Finding, ...] = ()
    blocks: bool = False
    note: str = ""
