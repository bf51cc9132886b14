"""The Memory-* trailers of a commit say something that its trees do not bear out.

## Why

A trailer is a claim about the commit, and anybody can type one: `Memory-Source: user` above a web page's text, a digest copied from
another commit, one value for people and another for the tool. Trailers never raise trust here, but they are what plain git shows, so a
lying one is an error where a missing one is only a warning. Doubled keys and other spellings (`memory-source`) are refused because two
readers would take two different values from them, and prose between trailers because it can hide one.

## Bad

The message of a commit that added an agent's entry to MEMORY.md and names another source:

```text
Note where the wiki runs

Memory-Op: write
Memory-Source: user
Memory-Digest: sha256:DIGEST
```

Two values for one key:

```text
Note where the wiki runs

Memory-Op: write
Memory-Op: policy
Memory-Source: agent
Memory-Digest: sha256:DIGEST
```

Not our spelling:

```text
Note where the wiki runs

Memory-Op: write
memory-source: agent
Memory-Digest: sha256:DIGEST
```

Prose among the trailers, which git tolerates beside a line of its own:

```text
Note where the wiki runs

This paragraph is read as trailers.
Memory-Op: write
Memory-Source: agent
Memory-Digest: sha256:DIGEST
Signed-off-by: Ada Example <ada@example.org>
```

A claim in the body, above the real ones (a warning):

```text
Note where the wiki runs

Memory-Source: user
---

Memory-Op: write
Memory-Source: agent
Memory-Digest: sha256:DIGEST
```

## Good

```text
Note where the wiki runs

Signed-off-by: Ada Example <ada@example.org>
Memory-Op: write
Memory-Source: agent
Memory-Block: add - agent 2026-06-05 90d MEMORY.md#infrastructure
Memory-Digest: sha256:DIGEST
Memory-Reason: the host moved
```

## Instead

Let the tool write them: `hoard commit`, or the hooks; `hoard trailers --repair RANGE` derives them anew after a rebase with conflicts or
a squash.

## Limits

Memory-Session, Memory-Reason and Assisted-by are free text. `Co-authored-by` and `Reviewed-by` prove nothing and are not judged.
Memory-Removed is HG703's.
"""

from __future__ import annotations

from hoard_git.core.trailercheck import FALSE, STRAY, compare_trailers
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import Scene

META = Meta("HG702", "false-trailers", "error", "commit")

HINT = "hoard trailers --repair RANGE"


def check_change(scene: Scene) -> Iterator[Hit]:
    """Report each trailer that is wrong; one that merely stands in the body is a warning, as git does not read it."""
    text = scene.text
    if text is None:
        return
    for problem in compare_trailers(text.trailers, text.expected, text.message, complete=text.complete):
        if problem.kind == FALSE:
            yield Hit(problem.message, hint=HINT)
        elif problem.kind == STRAY:
            yield Hit(problem.message, hint=HINT, severity="warn")
