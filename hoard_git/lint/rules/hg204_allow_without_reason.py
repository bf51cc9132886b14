"""An inline exception gives no reason, names a rule that cannot be excused, or excuses nothing.

## Why

An exception takes a rule out of the gate. The reason is what a reviewer can judge; without one nobody knows later whether it still holds.
An exception that excuses nothing waits for the day on which the same line holds something worse. One that names provenance, trust or
trailers would let anybody write the gate away, so it has no effect. The same goes for one about hidden or instructing text in content from
tools, web pages or digs: such content can bring its own exception along. An exception for a secret that an agent or a tool adds is not honoured
in the change that adds it, unless the policy says `inline_allow: true`: who writes a secret down must not be the one who excuses it.

The policy says what an exception does: `inline_allow: warn` turns errors into warnings and warnings into notes, `true` drops them, `false`
honours none.

## Bad

    file: MEMORY.md
    | ## Imports  <!-- src:agent ts:2026-06-05 -->
    | - The import is in progress right now <!-- hoard:allow HG112 -->

An exception that excuses nothing:

    file: MEMORY.md
    | ## Imports  <!-- src:agent ts:2026-06-05 -->
    | - The import runs every night <!-- hoard:allow HG112 reason="it ran when this was written" -->

An exception for a rule that cannot be excused:

    file: MEMORY.md
    | ## Imports
    | - The import runs every night <!-- hoard:allow HG101 reason="the tag follows tomorrow" -->

An agent's exception for a secret:

    actor: agent
    before: MEMORY.md
    | # Memory
    after: MEMORY.md
    | # Memory
    | - The token budget is 200000 <!-- src:agent ts:2026-06-05 --> <!-- hoard:allow HG201 reason="a number" -->

## Good

    file: MEMORY.md
    | ## Imports  <!-- src:agent ts:2026-06-05 -->
    | - The import is in progress right now <!-- hoard:allow HG112 reason="text of the status page, quoted" -->

Alone on the line above:

    file: MEMORY.md
    | ## Imports
    | <!-- hoard:allow HG112 reason="text of the status page, quoted" -->
    | - The import is in progress right now <!-- src:agent ts:2026-06-05 -->

## Instead

Write `<!-- hoard:allow HG201 reason="…" -->` at the end of the line, beside the provenance tag, or alone on the line above. Name several
rules with commas. Remove the exception when it is no longer needed. For a value that is no secret, list its fingerprint in the policy.
To turn a rule off everywhere, use `rules:` in the policy.

## Limits

Only exceptions that the change touches are reported. Whether one excuses nothing is said only where every line that it covers was judged.
"""

from __future__ import annotations

from hoard_git.lint.scene import Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import FileView, Hit, Scene

META = Meta("HG204", "allow-without-reason", "warn", "file", trigger=("hoard:allow",))


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Yield nothing: the engine reports exceptions after all rules have run, for only then it shows which of them do something."""
    del file, scene
    yield from ()
