"""What daily logs say again and again, or what was marked to be kept, becomes a candidate in MEMORY.md; it runs only when it is named.

Verbatim, one line each, with the day and the log that it was learned from. What the same page said five times was said once (one origin), and
what a tool, a page or a search said is never promoted, however often. The logs keep their lines.
"""

from __future__ import annotations

import re

from hoard_git.core._keywords import PASSING
from hoard_git.core.accounting import linked_text
from hoard_git.core.actions import Action
from hoard_git.core.archivedlogs import whole_logs
from hoard_git.core.archiving import is_closed
from hoard_git.core.dates import format_day, parse_day
from hoard_git.core.discreet import name_of
from hoard_git.core.drafts import Piece
from hoard_git.core.freshness import ENDLESS, FRESH, freshness
from hoard_git.core.keylines import LABEL, TRUSTED, is_marked, is_statement, kinds_of
from hoard_git.core.likeness import count_words
from hoard_git.core.links import rebase
from hoard_git.core.model import RANK
from hoard_git.core.provenance import Provenance
from hoard_git.core.record import Record
from hoard_git.core.removal import section_lines
from hoard_git.core.sameness import same_form
from hoard_git.core.tags import Tag, render_tag
from hoard_git.core.tiers import day_of
from hoard_git.core.units import core_of
from hoard_git.core.whereabouts import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.core.document import Document
    from hoard_git.core.drafts import Draft, Drafts

MOST = 10
"""Candidates of one day: a person has to read them."""

FEWEST_DAYS = 2
"""Distinct days on which, and distinct origins from which, a fact is seen before it counts as recurring."""

_PROSE = ("item", "text")
_LONGEST = 500
_FEWEST_WORDS = 5
_URL = re.compile(r"https?://(?:[^\s/@<>\"'`()\[\]]{1,200}@)?(?:www\.)?([^\s/:?#<>\"'`()\[\]@]{1,200})", re.ASCII | re.IGNORECASE)
_MARKER = re.compile(r"(?:[-+*\u2022]|[0-9]{1,9}[.)])\s+")
_BOX = re.compile(r"\s*(?:[-+*\u2022]|[0-9]{1,9}[.)])\s+\[[ xX~]\]\s")
_COUNTED = re.compile(
    r"(?<![\w.])[0-9]{1,4} (?:new |more |unread |open |days? (?:to|left|ago)|likes?|messages?|mails?|emails?|notifications?|mentions?|replies)"
)


class Seen(Record):
    """One sighting of a statement: in which log (and on which of its lines), on which day, from which origins, and as whose."""

    draft: Draft
    entry: int
    day: int
    claim: Provenance
    origins: frozenset[str]
    is_active: bool


def promote(drafts: Drafts, *, human: bool = False) -> list[Action]:
    """Add candidates to the index, up to ten a day: the marked ones first, then decisions and rules, then what was seen on the most days.

    `human` says that a person makes this commit: only then does a user's line stay a user's; otherwise it is the agent who says so.
    """
    index = _index_path(drafts)
    known = {_form(linked_text(entry, draft.path)) for draft in drafts.of_class("index", "topic") for entry in draft.document.entries}
    found: list[tuple[Seen, Sequence[Seen]]] = []
    for form, seen_as in _sightings(drafts).items():
        chosen = None if form in known else _candidate(seen_as)
        if chosen is not None and _is_fresh(drafts, chosen[1], human=human) and _may_rise(drafts, chosen[0]):
            found.append(chosen)
    found.sort(key=_order)
    name = f"{format_day(drafts.today)} Promoted"
    found = found[: max(0, MOST - _count_promoted(drafts, name))]
    if not found:
        return []
    if not drafts.is_free(index) or (index in drafts and not is_closed("\n".join(drafts[index].lines))):
        drafts.notes.append(f"Nothing was promoted, for what is added to {index!r} would not be read by itself: an open fence or comment.")
        return []
    draft = drafts.open(index, "index")
    actions = []
    lines = []
    for latest, sightings in found:
        actions.append(_action(latest, sightings, index, human=human))
        lines.append(_line(drafts, latest, sightings, index, human=human))
    _append(draft, name, lines, format_day(drafts.today))
    return actions


def _may_rise(drafts: Drafts, seen: Seen) -> bool:
    entry = seen.draft.document.entries[seen.entry]
    return drafts.permits.may("promote", *seen.draft.place(entry.line), core_of(entry.text))


def _count_promoted(drafts: Drafts, name: str) -> int:
    """How many lines of the day's heading there are, wherever compression has moved it."""
    count = 0
    for draft in drafts.of_class("index", "topic"):
        document = draft.document
        headings = {number for number, heading in enumerate(document.headings) if heading.title.strip() == name}
        count += sum(entry.heading in headings for entry in document.entries) if headings else 0
    return count


def _is_fresh(drafts: Drafts, sightings: Sequence[Seen], *, human: bool) -> bool:
    """Whether a line would count as fresh in the index: copying renews nothing, so what is past its ttl is not worth a copy."""
    claim = Provenance(_source(sightings, human=human), _day(drafts, sightings))
    return freshness(claim, drafts.policy, drafts.today) in (FRESH, ENDLESS)


def _day(drafts: Drafts, sightings: Sequence[Seen]) -> str:
    """The latest day on which it was said, never one to come."""
    ts = max(seen.claim.ts if parse_day(seen.claim.ts) is not None else format_day(seen.day) for seen in sightings)
    return min(ts, format_day(drafts.today))


def _order(pair: tuple[Seen, Sequence[Seen]]) -> tuple[object, ...]:
    latest, sightings = pair
    kinds = kinds_of(core_of(latest.draft.document.entries[latest.entry].text))
    return "mark" not in kinds, not kinds, -len({seen.day for seen in sightings}), -latest.day, latest.draft.path, latest.entry


def _index_path(drafts: Drafts) -> str:
    """The workspace's index, MEMORY.md when it has none yet."""
    there = drafts.of_class("index")
    return there[0].path if there else drafts.root + "MEMORY.md"


def _sightings(drafts: Drafts) -> dict[str, list[Seen]]:
    """Every statement of every log by its form, oldest day first; what is archived counts as seen on its day."""
    found: dict[str, list[Seen]] = {}
    logs = [(draft, True) for draft in drafts.of_class("daily")] + [(draft, False) for draft in whole_logs(drafts)]
    for draft, is_active in logs:
        day = day_of(draft.path)
        if day is None:
            continue
        document = draft.document
        for number, (entry, claim) in enumerate(zip(document.entries, draft.entry_claims, strict=True)):
            if (is_statement(entry) or (entry.kind in _PROSE and is_marked(core_of(entry.text)))) and not document.in_region(entry.line):
                seen = Seen(draft, number, day, claim, _origins(document, number, day), is_active)
                found.setdefault(_form(linked_text(entry, draft.path)), []).append(seen)
    for sightings in found.values():
        sightings.sort(key=lambda seen: (seen.day, seen.draft.path, seen.entry))
    return found


def _form(text: str) -> str:
    """The form of a line as it would stand in the index: whichever list marker it has in the log."""
    return same_form("- " + _MARKER.sub("", text.strip(), count=1))


def _origins(document: Document, number: int, day: int) -> frozenset[str]:
    """Where a line comes from: its evidence, else the sites that it or what it stands under links to, else its day."""
    entry = document.entries[number]
    texts = [entry.text]
    if entry.tag is not None and entry.tag.ev:
        site = _URL.match(entry.tag.ev)
        return frozenset({site[1].lower() if site else entry.tag.ev.partition("#")[0]})
    parent = entry.parent
    while parent >= 0:
        texts.append(document.entries[parent].text)
        parent = document.entries[parent].parent
    heading = entry.heading
    while heading >= 0:
        texts.append(document.headings[heading].title)
        heading = document.headings[heading].parent
    sites = {match[1].lower() for text in texts for match in _URL.finditer(text[:4000])}
    return frozenset(sites or {format_day(day)})


def _candidate(sightings: Sequence[Seen]) -> tuple[Seen, Sequence[Seen]] | None:
    """The sighting to promote: the latest in an active log. None where it does not recur, is nobody's we trust, or does not fit a line."""
    if any(seen.claim.src not in TRUSTED for seen in sightings):
        return None
    usable = [seen for seen in sightings if seen.is_active and _fits(seen)]
    if not usable:
        return None
    marked = [seen for seen in usable if _is_marked(seen)]
    if marked:
        return marked[-1], sightings
    latest = usable[-1]
    if _passes(latest.draft.document.entries[latest.entry].text):
        return None
    days = {seen.day for seen in sightings}
    origins: set[frozenset[str]] = {seen.origins for seen in sightings}
    return (latest, sightings) if len(days) >= FEWEST_DAYS and len(origins) >= FEWEST_DAYS else None


def _fits(seen: Seen) -> bool:
    """Whether a line can stand alone: one line, nothing under it, no comment in it."""
    document = seen.draft.document
    text = document.entries[seen.entry].text.replace("\r", "").strip()
    has_children = seen.entry + 1 < len(document.entries) and document.entries[seen.entry + 1].parent == seen.entry
    return "\n" not in text and "<!--" not in text and len(text) <= _LONGEST and not has_children


def _passes(text: str) -> bool:
    """Whether a line is about its day alone: a task with its checkbox, a count of news, a day such as tomorrow, `posted …`, two words of status."""
    core = core_of(text)
    if _BOX.match(text) or _COUNTED.search(core.lower()) or not PASSING.isdisjoint(count_words(core)):
        return True
    label = LABEL.match(core)
    words = count_words(core[label.end() :] if label else core)
    did = next(iter(words), "").endswith("ed")
    return not kinds_of(core) and (did or sum(words.values()) < _FEWEST_WORDS)


def _is_marked(seen: Seen) -> bool:
    return is_marked(core_of(seen.draft.document.entries[seen.entry].text))


def _source(sightings: Sequence[Seen], *, human: bool) -> str:
    lowest = min((seen.claim.src for seen in sightings), key=lambda src: RANK[src])
    return lowest if human else min(lowest, "agent", key=lambda src: RANK[src])


def _line(drafts: Drafts, latest: Seen, sightings: Sequence[Seen], index: str, *, human: bool) -> str:
    """The line as it stands in the log, under a tag that says whose it is, when it was learned and where."""
    log = latest.draft.path
    text = latest.draft.document.entries[latest.entry].text.replace("\r", "").strip()
    words = rebase(_MARKER.sub("", text, count=1), log, index)
    evidence = escape(log[len(drafts.root) :]).replace("--", "-%2D").replace("<", "%3C").replace(">", "%3E")
    return f"- {words} {render_tag(Tag(_source(sightings, human=human), _day(drafts, sightings), '', '', evidence if evidence.isascii() else ''))}"


def _append(draft: Draft, name: str, lines: Sequence[str], day: str) -> None:
    """Put the lines under the heading of the day, which is the agent's own; one of the user's of that name is left alone."""
    document = draft.document
    for number, (heading, claim) in enumerate(zip(document.headings, draft.heading_claims, strict=True)):
        if heading.title.strip() == name and claim.src == "agent" and not document.in_region(heading.line):
            last = section_lines(document, number)[1]
            between = [""] if last == heading.line else []
            draft.insert(last, Piece.fresh([*between, *lines]))
            return
    draft.append(Piece.fresh([f"## {name}  {render_tag(Tag('agent', day))}", "", *lines]))


def _action(latest: Seen, sightings: Sequence[Seen], index: str, *, human: bool) -> Action:
    document = latest.draft.document
    entry = document.entries[latest.entry]
    days = sorted({seen.day for seen in sightings})
    if _is_marked(latest):
        reason = "marked to be remembered"
    else:
        reason = f"seen on {len(days)} days, from {format_day(days[0])} to {format_day(days[-1])}"
    path, line = latest.draft.place(entry.line)
    block = name_of(document, entry.heading)
    name = entry.tag.id if entry.tag is not None and entry.tag.id else block
    end_line = line + entry.end_line - entry.line if line else 0
    return Action(
        "promote",
        path,
        line,
        core_of(entry.text),
        reason,
        name,
        index,
        latest.claim.src,
        _source(sightings, human=human),
        end_line=end_line,
    )
