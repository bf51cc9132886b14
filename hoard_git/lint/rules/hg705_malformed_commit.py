"""A commit object is written in a way that lets one program read something else in it than another.

## Why

A commit is a few lines of text, and programs disagree about odd ones. Of two author lines git shows the last and libgit2 the first. A second
signature header, or one of another object format beside the good one, leaves `git verify-commit` content while it makes the same signed commit
exist under two names. A NUL byte ends the message for git and not for others; an encoding such as UTF-7 lets the bytes say one thing and the
text another. Nobody makes such a commit by accident, so it is refused whole, and its signature proves nothing.

## Bad

```
tree 8cd42fa5bd6bfd8ee64c8c1a1b2d3a0b36d6f87e
author clawd <clawd@agents.example> 1781100000 +0000
author Ada Example <ada@example.org> 1781100000 +0000
committer Ada Example <ada@example.org> 1781100000 +0000
```

## Good

```
tree 8cd42fa5bd6bfd8ee64c8c1a1b2d3a0b36d6f87e
author Ada Example <ada@example.org> 1781100000 +0000
committer Ada Example <ada@example.org> 1781100000 +0000
gpgsig -----BEGIN SSH SIGNATURE-----
 (base64)
 -----END SSH SIGNATURE-----
```

## Instead

Make the commit again with git itself: `git commit --amend --no-edit`, for several `git rebase --force-rebase BASE`. On a server,
`git config receive.fsckObjects true` refuses most of these before any hook runs.

## Limits

Headers that git does not know, such as `change-id` or `mergetag`, are fine. Names and messages may be in any encoding in which ASCII letters
stand for themselves, when the commit declares it.
"""

from __future__ import annotations

from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import Scene

META = Meta("HG705", "malformed-commit", "error", "commit")

HINT = "make it again with git itself: git commit --amend --no-edit"


def check_change(scene: Scene) -> Iterator[Hit]:
    """Report what core.commitobject found in the object."""
    for fault in scene.text.faults if scene.text is not None else ():
        yield Hit(f"the commit object is malformed: {fault}", hint=HINT)
