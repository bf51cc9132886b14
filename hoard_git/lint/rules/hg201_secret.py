"""A line holds a credential: a token of a known shape, a private key, or a password in plain words.

## Why

Memory is pushed, mirrored, searched and put into prompts. Whatever was committed once must count as known, even after it was deleted. Agents
write credentials down in sentences ("the password for the staging admin is ..."), which scanners for code do not see, so both shapes and
sentences are read, in code blocks, comments, tables and coded text as well. Neither the finding nor any other output repeats the value.

## Bad

    file: MEMORY.md
    | - The database password is tR7#mQ2v-Lx9pWz <!-- src:agent ts:2026-06-01 -->

## Good

    file: MEMORY.md
    | - The database password is in the vault under db/staging; see $DB_PASSWORD <!-- src:agent ts:2026-06-01 -->

## Instead

Rotate the value first, then take it out of the file; what was pushed is public. Keep a reference: the name of the vault entry or of the variable. A value that is no secret is allowed by its fingerprint in the policy, with a reason.
"""

from __future__ import annotations

from hoard_git.lint.scene import Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import FileView, Hit, Scene

META = Meta("HG201", "secret", "error", "file")


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Judge the lines under judgement, each with its neighbours, and the name of a new file."""
    from hoard_git.lint.secretscan import find_hits, find_name_hits

    yield from find_name_hits(file, scene)
    yield from find_hits(file, scene, certain=True)
