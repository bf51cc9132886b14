"""Since when words are in memory: what a search goes by where two entries contradict each other and only their dates decide.

A tag's date says when somebody wrote it, and moving it forward takes no knowledge. So the oldest date counts that history holds for the same words,
unless the date came with new evidence (`ev`), as HG306 asks. Dates of the user's own entries count as they stand. History is asked for such pairs only.
"""

from __future__ import annotations

from hoard_git.app.history import with_index
from hoard_git.core.dates import parse_day
from hoard_git.core.passages import bare
from hoard_git.core.units import fact_key
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.core.provenance import Provenance
    from hoard_git.gitio.blockindex import BlockIndex
    from hoard_git.gitio.plumbing import PlumbingReader


def first_dates(reader: PlumbingReader, rev: str, entries: Sequence[tuple[str, Provenance]]) -> tuple[list[str], str]:
    """For each entry, given by its words on one line and its claim, the date that counts; and '' or what is to be told.

    Where history cannot be looked at, the dates of all but the user's entries are `unknown`: none of them makes another one old.
    """
    if rev == "HEAD" and reader.head() is None:
        return [claim.ts for _words, claim in entries], ""
    try:
        return with_index(reader, lambda index: [_first(index, words, claim) for words, claim in entries], rev=rev), ""
    except HoardError as error:
        dates = [claim.ts if claim.src == "user" else "unknown" for _words, claim in entries]
        return dates, f"dates decide nothing between entries that contradict each other: {error.message.rstrip('.')}"


def _first(index: BlockIndex, words: str, claim: Provenance) -> str:
    if claim.src == "user" or parse_day(claim.ts) is None:
        return claim.ts
    told = list(_told(index, words))
    evidence = next((one.ev for one in told if one.ts == claim.ts and one.ev), "")
    days = [(day, one.ts) for one in told if (not evidence or one.ev == evidence) and (day := parse_day(one.ts)) is not None]
    return min([*days, (parse_day(claim.ts) or 0, claim.ts)])[1]


def _told(index: BlockIndex, words: str) -> Iterator[Provenance]:
    """What these words ever claimed, newest first; letter case, emphasis and a full stop make no other words."""
    key = fact_key(words)
    for event in index.events(index.facts_with_text(words), owned=False):
        for side in (event.after, event.before):
            if side is not None and fact_key(bare(side.text)) == key:
                yield side.provenance
