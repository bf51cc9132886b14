"""Daily logs, and the tiers step run over them."""

from __future__ import annotations

from collections.abc import Mapping

from hoard_git.core.actions import Action
from hoard_git.core.policy import DEFAULT, Policy
from hoard_git.core.steps.tiers import tiers
from tests.support.upkeep import drafts_of, texts

LOG = "memory/2026-06-01.md"


ORIGINAL = "memory/archive/logs/2026-06-01.md"


TAG = "<!-- src:agent ts:2026-06-01 -->"


NOTE = "<!-- hoard:archived from:memory/2026-06-01.md#- on:2026-06-15 reason:warm -->"


PACKING = DEFAULT._replace(tiers=(("hot", "7d"), ("hot_max", "50KB"), ("warm", "90d"), ("gzip_after", "30d")))


FULL = """\
# 2026-06-01 Diary

## Morning

- Looked at the news for a while
- We decided to move the wiki to node-2
- Sorted some pictures
- Read a long text about gardens

## Afternoon

- Walked through the old notes
- Listened to the radio
- Fixed the import of old mails, the cause was a full disk
- Drank tea in the kitchen
- Mailed ann@example.org that the plan must hold

## Evening

- Had a look at the printer
- Washed the dishes
- Watered the plants
"""


KEPT = """\
# 2026-06-01 Diary

## Morning

- We decided to move the wiki to node-2

## Afternoon

- Fixed the import of old mails, the cause was a full disk
- Mailed ann@example.org that the plan must hold
"""


def plain(text: str) -> str:
    return text


def stars(text: str) -> str:
    return text.replace("ann@example.org", "[EMAIL-1a2b]")


def run(
    files: Mapping[str, str], day: str = "2026-06-15", policy: Policy = DEFAULT
) -> tuple[list[Action], dict[str, str | None], dict[str, str]]:
    """The actions, what changed, and all files afterwards."""
    drafts = drafts_of(files, day, policy)
    actions = tiers(drafts, mask=stars)
    changed = texts(drafts)
    after = {path: text for path, text in {**files, **changed}.items() if text is not None}
    return actions, changed, after


def archived(text: str) -> str:
    """A log as it stands in the archive."""
    first, _, rest = text.partition("\n")
    return f"{first}  {TAG}\n\n{NOTE}\n{rest}"
