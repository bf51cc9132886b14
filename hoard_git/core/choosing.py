"""Which lines of a warm log stay when a summariser is asked (core.summary); the whole log is in the archive whatever it answers."""

from __future__ import annotations

from hoard_git.core.keylines import is_statement
from hoard_git.core.record import Record
from hoard_git.core.slugs import slugs
from hoard_git.core.summary import WARM_LOG, Rejection, Source, join_claims, make_request
from hoard_git.core.tags import Tag, render_tag
from hoard_git.core.units import core_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.core.drafts import Draft
    from hoard_git.core.policy import Policy
    from hoard_git.core.summary import Operation, Summarise

SHARE, LEAST = 4, 2048
"""A warm log may keep one in so many bytes, but this many in any case."""


class Choice(Record):
    """The entries that stay; `merged` has the new line of an entry that stands for several, by its line. `problem` is '' for a taken answer."""

    entries: frozenset[int] = frozenset()
    merged: tuple[tuple[int, str], ...] = ()
    problem: str = ""


def choose(draft: Draft, numbers: Sequence[int], policy: Policy, summarise: Summarise) -> Choice:
    """Ask about the statements among these entries that have nothing under or around them; none of them is the user's.

    All may be dropped, for none is lost. What is merged takes the first one's place, with the common source and the oldest date.
    """
    document, claims = draft.document, draft.entry_claims
    parents = {entry.parent for entry in document.entries}
    asked = [n for n in numbers if n not in parents and document.entries[n].parent < 0 and is_statement(document.entries[n])]
    if not asked:
        return Choice(problem="there is no statement to ask about")
    names = slugs(document)
    sources = []
    for number in asked:
        heading = document.entries[number].heading
        claim = claims[number]
        text = core_of(document.entries[number].text)
        sources.append(Source(text, claim.src, claim.ts, draft.path, names[heading] if heading >= 0 else ""))
    room = max(LEAST, len(draft.data) // SHARE)
    request = make_request(WARM_LOG, sources, room, 1.0)
    answer = summarise(request)
    if isinstance(answer, Rejection):
        return Choice(problem=answer.reason)
    by_id = {block.id: number for block, number in zip(request.blocks, asked, strict=True)}
    kept: set[int] = set()
    merged: list[tuple[int, str]] = []
    for item in answer.items:
        of_item = [by_id[one] for one in item.ids]
        if item.op == "keep":
            kept.update(of_item)
        elif item.op == "supersede":
            kept.add(of_item[-1])
        elif item.op == "merge":
            line = _merged_line(draft, of_item, item, policy)
            kept.update(of_item if line is None else [min(of_item)])
            merged += [] if line is None else [line]
    return Choice(frozenset(kept), tuple(merged))


def _merged_line(draft: Draft, numbers: Sequence[int], item: Operation, policy: Policy) -> tuple[int, str] | None:
    """The line that stands for several list items; None where the first is not one line of a list, and all of them stay."""
    entry = draft.document.entries[min(numbers)]
    if entry.kind != "item" or entry.line != entry.end_line or entry.tag_line not in (0, entry.line):
        return None
    claim = join_claims([draft.entry_claims[number] for number in numbers], policy)
    tag = f" {render_tag(Tag(claim.src, claim.ts, claim.ttl, '', claim.ev, claim.stale))}" if claim.src else ""
    ending = "\r" if draft.lines[entry.line - 1].endswith("\r") else ""
    return entry.line, f"- {item.text}{tag}{ending}"
