"""A line holds what may be a credential: a weak value behind a telling label, or a random one without a label.

## Why

Between a password and a product name there is no border that a rule can draw. What is likely but not certain is shown and does not stop the
commit; `--strict` makes it stop.

## Bad

    file: MEMORY.md
    | - wifi password: sunflower-harbour <!-- src:agent ts:2026-06-01 -->

## Good

    file: MEMORY.md
    | - The wifi password is on the router <!-- src:agent ts:2026-06-01 -->

## Instead

As for a secret: rotate it and keep a reference. If it is none, allow its fingerprint in the policy, with a reason.
"""

from __future__ import annotations

from hoard_git.lint.scene import Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import FileView, Hit, Scene

META = Meta("HG202", "possible-secret", "warn", "file")


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Judge the lines under judgement, each with its neighbours."""
    from hoard_git.lint.secretscan import find_hits

    yield from find_hits(file, scene, certain=False)
