"""With a summariser: a MEMORY.md over `compress_at` is shortened entry by entry before compression moves whole sections out.

What the program leaves out or joins goes to the archive word for word; the joined text claims the oldest date and the shortest life of its
parts, so that nothing is refreshed by being rewritten. The user's entries are never shown to it.
"""

from __future__ import annotations

from hoard_git.core.actions import Action
from hoard_git.core.archiving import archive_entries
from hoard_git.core.discreet import name_of
from hoard_git.core.drafts import Piece
from hoard_git.core.lazy import lazy
from hoard_git.core.model import RANK
from hoard_git.core.record import Record
from hoard_git.core.summary import COMPRESS_INDEX, Rejection, Source, join_claims, make_request
from hoard_git.core.tags import Tag, render_tag
from hoard_git.core.units import core_of, plain_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.core.document import Entry
    from hoard_git.core.drafts import Draft, Drafts
    from hoard_git.core.policy import Policy
    from hoard_git.core.provenance import Provenance
    from hoard_git.core.summary import Operation, Operations, Summarise

_MARKER = lazy(r"[ \t]{0,20}(?:[-+*\u2022]|[0-9]{1,9}[.)])[ \t]{1,4}")
_CHECKBOX = lazy(r"[ \t]{0,20}(?:[-+*\u2022]|[0-9]{1,9}[.)])[ \t]{1,4}\[[ xX~]\](?:\s|$)")
_POINTER = lazy(r"(?:\]\(|`|^|\s)[^\s()`]{0,200}\.md(?:[#)`\s,.;:]|$)|\]\([^)\s]{0,400}#|\u2192|\[\[")
_FEWEST = 2
"""Entries below which there is nothing to choose from."""


class _Merge(Record):
    """A joined text on its way into the file: the entry behind which it comes, its parts, and what it claims."""

    at: int
    text: str
    members: tuple[int, ...]
    claim: Provenance


def summarise(drafts: Drafts, ask: Summarise) -> list[Action]:
    """Let the program shorten each index file that is over the limit; an answer that is refused changes nothing and is said in the notes."""
    actions: list[Action] = []
    for draft in drafts.of_class("index"):
        if len(draft.data) > drafts.policy.compress_at:
            actions += _shorten(drafts, draft, ask)
    return actions


def _shorten(drafts: Drafts, draft: Draft, ask: Summarise) -> list[Action]:
    chosen = _eligible(draft)
    if len(chosen) < _FEWEST:
        return []
    document, claims = draft.document, draft.entry_claims
    sources = []
    for number in chosen:
        entry, claim = document.entries[number], claims[number]
        name = name_of(document, entry.heading) or (f"heading-{entry.heading}" if entry.heading >= 0 else "")
        sources.append(Source(core_of(plain_text(entry)), claim.src, claim.ts, draft.path, name))
    request = make_request(COMPRESS_INDEX, sources, _budget(draft, drafts.policy, sources), drafts.policy.max_loss)
    answer = ask(request)
    if isinstance(answer, Rejection):
        drafts.notes.append(f"{draft.path!r} was not shortened by the summarizer: {answer.reason}.")
        return []
    numbers = {block.id: number for block, number in zip(request.blocks, chosen, strict=True)}
    return _apply(drafts, draft, answer, numbers)


def _budget(draft: Draft, policy: Policy, sources: Sequence[Source]) -> int:
    """What may stay of the texts: enough less to come to `compress_to`, but no more is asked for than half of the allowed loss would free."""
    whole = sum(len(source.text.encode("utf-8", "surrogateescape")) + 1 for source in sources)
    excess = len(draft.data) - policy.compress_to
    return max(whole - excess, int(whole * (1 - policy.max_loss / 2)), 0)


# -------------------------------------------------------------------- what is shown


def _eligible(draft: Draft) -> list[int]:
    """The entries that stand for themselves: items and paragraphs at the left, without sub-items, whose meaning is in their own words."""
    document = draft.document
    parents = {entry.parent for entry in document.entries}
    found = []
    for number, (entry, claim) in enumerate(zip(document.entries, draft.entry_claims, strict=True)):
        if entry.kind not in {"item", "text"} or entry.parent >= 0 or number in parents or claim.src == "user":
            continue
        if entry.heading >= 0 and RANK[draft.heading_claims[entry.heading].src] > RANK[claim.src]:
            continue  # a text that comes in below a heading of higher trust would seem to have it (HG304)
        if any(document.in_region(line) for line in (entry.line, entry.end_line)) or _is_bound(draft, entry):
            continue
        found.append(number)
    return found


def _is_bound(draft: Draft, entry: Entry) -> bool:
    """Whether an entry is more than its words: a task, a pointer to another page, an introduction, a caption, or one with comments of others."""
    text = entry.text.strip()
    words = core_of(text)
    bare = words.strip("*_ ")
    if not bare or bare.endswith(":") or (words.startswith(("**", "__")) and words.endswith(("**", "__"))):
        return True
    if "<!--" in text or _CHECKBOX.match(entry.text) is not None or _POINTER.search(words) is not None:
        return True
    if entry.tag is not None and entry.tag.extra:
        return True
    above = draft.lines[entry.line - 2].strip() if entry.line > 1 else ""
    return above.startswith("<!--") and entry.tag_line != entry.line - 1


# -------------------------------------------------------------------- what is done


def _apply(drafts: Drafts, draft: Draft, answer: Operations, numbers: dict[str, int]) -> list[Action]:
    """Put the joined texts in and take the originals out; all or nothing."""
    document, claims = draft.document, draft.entry_claims
    why: dict[int, str] = {}
    merges: list[_Merge] = []
    for item in answer.items:
        members = tuple(sorted(numbers[one] for one in item.ids))
        if item.op == "merge":
            claim = join_claims([claims[number] for number in members], drafts.policy)
            merges.append(_Merge(members[0], item.text, members, claim))
        why.update(_reasons(item, numbers, draft))
    if not why:
        return []
    merges.sort(key=lambda merge: merge.at)
    told = [(number, document.entries[number], claims[number]) for number in sorted(why)]
    made = [
        Action(
            "archive",
            *draft.place(entry.line),
            plain_text(entry),
            why[number],
            block=claim.id or name_of(document, entry.heading),
            src=claim.src,
            src_after=claim.src,
            end_line=draft.place(entry.end_line)[1],
        )
        for number, entry, claim in told
    ]
    before = draft.state()
    moved = _insert(draft, merges)
    target = archive_entries(drafts, draft.path, {moved[number] for number in why}, "summarised") if moved else ""
    if not target:
        draft.restore(before)
        drafts.notes.append(f"{draft.path!r} was not shortened: with the summarizer's texts in it, the rest would not read as it does now.")
        return []
    return [action._replace(to=target) for action in made]


def _reasons(item: Operation, numbers: dict[str, int], draft: Draft) -> dict[int, str]:
    """What is said of each entry that leaves its place by one operation."""
    if item.op == "keep":
        return {}
    if item.op == "supersede":
        newer = draft.document.entries[numbers[item.ids[1]]]
        return {numbers[item.ids[0]]: f"superseded by the newer {_short(core_of(plain_text(newer)))}"}
    reason = f"summarised into {_short(item.text)}" if item.op == "merge" else "left out by the summarizer"
    return {numbers[one]: reason for one in item.ids}


def _short(text: str) -> str:
    return f"'{text if len(text) <= 60 else text[:59] + chr(0x2026)}'"


def _insert(draft: Draft, merges: Sequence[_Merge]) -> dict[int, int]:
    """Put each joined text right behind the first of its parts; return where each old entry is now, {} when the file would read otherwise."""
    document, claims = draft.document, draft.entry_claims
    expected = [(core_of(plain_text(entry)), claim.claim[:3]) for entry, claim in zip(document.entries, claims, strict=True)]
    for merge in reversed(merges):
        entry = document.entries[merge.at]
        tag = Tag(merge.claim.src, merge.claim.ts, merge.claim.ttl, "", merge.claim.ev, merge.claim.stale) if merge.claim.src else None
        tail = f" {render_tag(tag)}" if tag is not None else ""
        if entry.kind == "item":
            marker = _MARKER.match(draft.lines[entry.line - 1])
            lines = [(marker.group() if marker is not None else "- ") + merge.text + tail]
        else:
            lines = ["", merge.text + tail]
        draft.insert(entry.end_line, Piece.fresh(lines))
        expected.insert(merge.at + 1, (merge.text, merge.claim.claim[:3]))
    now = [(core_of(plain_text(entry)), claim.claim[:3]) for entry, claim in zip(draft.document.entries, draft.entry_claims, strict=True)]
    if now != expected:
        return {}
    shift = 0
    moved: dict[int, int] = {}
    places = {merge.at for merge in merges}
    for number in range(len(claims)):
        moved[number] = number + shift
        shift += number in places
    return moved
