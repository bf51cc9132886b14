"""The values that every room shares: sources and their order, actors, findings, changed paths."""

from __future__ import annotations

from hoard_git.core.record import Record

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import NewType

    Oid = NewType("Oid", str)
    """A full object name in lower-case hex, 40 or 64 digits; never abbreviated outside rendering."""
    RepoPath = NewType("RepoPath", str)
    """A path inside the repository, '/' between its parts, git's bytes decoded as UTF-8 with surrogateescape."""
else:
    Oid = RepoPath = str

SOURCES = ("user", "agent", "tool", "web", "dig")
"""Every `src` value, highest trust first (INTERFACE, "The provenance tag")."""

TRUSTED, LOW_TRUST = SOURCES[:2], SOURCES[2:]
"""What the user and the agent say, and what they heard."""

UNTAGGED = ""
"""The source of what carries no tag and inherits none: below `dig`."""

RANK = {UNTAGGED: 0, "dig": 1, "web": 2, "tool": 3, "agent": 4, "user": 5}
"""Trust as a number, for comparisons only."""

MODE_FILE, MODE_EXECUTABLE, MODE_LINK, MODE_GITLINK, MODE_TREE = 0o100644, 0o100755, 0o120000, 0o160000, 0o040000


class Actor(Record):
    """Who made a change, as the gate counts them.

    `kind` is `human`, `agent` or `tool`. `claimed` is what the author field alone would say; it differs from `kind` when a human's
    address comes without the proof that the policy asks for, and `why` then says which proof is missing. `verified` is true when a
    signature by a key that the policy lists decided.
    """

    kind: str
    name: str = ""
    email: str = ""
    claimed: str = ""
    why: str = ""
    verified: bool = False

    @property
    def is_human(self) -> bool:
        """Whether the gate treats this actor as a human."""
        return self.kind == "human"


class PathChange(Record):
    """One path that differs between two trees; mode 0 and an empty oid mean "not there"."""

    path: RepoPath
    old_mode: int
    old_oid: Oid
    new_mode: int
    new_oid: Oid


class Finding(Record):
    """A rule's verdict at a place; `line` and `column` are 1-based, 0 when the finding is about a whole file or commit.

    Texts hold neither secret values nor control characters. `severity` is `error`, `warn` or `info`.
    """

    code: str
    name: str
    severity: str
    message: str
    path: str = ""
    line: int = 0
    column: int = 0
    end_line: int = 0
    commit: str = ""
    block: str = ""
    hint: str = ""

    @property
    def is_gone(self) -> bool:
        """Whether it is about what stood in the file before the change; `line` is then a line of that version."""
        return self.line > 0 and self.end_line == 0
