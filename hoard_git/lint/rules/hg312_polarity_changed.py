"""An edit put a negation into an agent's entry or took one out, and left the rest as it was.

## Why

"Backups are not encrypted" and "backups are encrypted" differ by one word and mean the opposite, and in a long diff nobody sees it. The same
goes for `enabled: true`, `--no-verify`, allowed and forbidden. It may be a correction; it deserves a look.

## Bad

    actor: agent
    before: MEMORY.md
    | - The bot may not deploy on Fridays <!-- src:agent ts:2026-06-01 -->
    after: MEMORY.md
    | - The bot may deploy on Fridays <!-- src:agent ts:2026-06-01 -->

In code:

    actor: agent
    before: memory/setup.md
    | - Set `verify_signatures: true` in the config <!-- src:tool ts:2026-06-01 -->
    after: memory/setup.md
    | - Set `verify_signatures: false` in the config <!-- src:tool ts:2026-06-01 -->

## Good

    actor: agent
    before: MEMORY.md
    | - The bot may deploy on Fridays <!-- src:agent ts:2026-06-01 -->
    after: MEMORY.md
    | - The bot may deploy on Mondays <!-- src:agent ts:2026-06-01 -->

Another sentence, with a negation of its own:

    actor: agent
    before: MEMORY.md
    | - The build takes nine minutes <!-- src:agent ts:2026-06-01 -->
    after: MEMORY.md
    | - The build takes nine minutes. It does not need the network. <!-- src:agent ts:2026-06-01 -->

## Instead

If it is a correction, say so: add what changed and where you saw it (`ev:`). If it is not, restore the old words: `hoard restore`.

## Limits

Knows the usual negations of English, German, Spanish, French, Portuguese, Italian, Dutch, Polish, Russian, Chinese and Japanese. A user's entries
are HG301's.
"""

from __future__ import annotations

from hoard_git.lint.polarity import find_turn
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import Scene

META = Meta("HG312", "polarity-changed", "warn", "change", nonhuman=True)


def check_change(scene: Scene) -> Iterator[Hit]:
    """Compare both versions of every edited entry."""
    for change in scene.changes:
        before, after = change.before, change.after
        if before is None or after is None or before.is_heading or "user" in (before.provenance.src, after.provenance.src):
            continue
        turn = find_turn(before.text, after.text) if change.has("edit") else ""
        if turn:
            hint = "if it is a correction, say what changed and add ev:"
            yield Hit(f"the edit turns the meaning: {turn}", after.line, 1, hint, after.path, after.end_line)
