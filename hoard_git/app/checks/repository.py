"""git: whether this is a repository in which memory can be judged and committed."""

from __future__ import annotations

import os

from hoard_git.app.checks.base import FAIL, OK, WARN, Check
from hoard_git.core.shellwords import shell_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.checks.base import Look

_LOCKS = ("index.lock", "HEAD.lock")


def check(look: Look) -> Check:
    """A lock is named and never deleted: only its owner knows whether it still works."""
    reader = look.reader
    if reader.is_shallow():
        return Check("git", FAIL, "a shallow clone: history and ranges cannot be judged", "git fetch --unshallow")
    if look.head is None:
        return Check("git", WARN, "no commit yet", "hoard init")
    locks = [name for name in _LOCKS if os.path.lexists(reader.git_path(name))]
    if locks:
        where = reader.git_path(locks[0])
        return Check(
            "git", WARN, f"{locks[0]} is held", f"let the other git process end; if none runs (ps -A | grep git): rm {shell_word(where)}"
        )
    return Check("git", OK, f"HEAD is {look.head[:12]}")
