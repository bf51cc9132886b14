"""The first step: what is past its ttl is marked stale, what is past twice its ttl goes to the archive, and the user's is only listed.

Expiry follows tags: an entry's own, its item's, its heading's or its file's. A daily log without a tag is looked after by the tiers.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from hoard_git.core.actions import Action, Place, Review, Sighting
from hoard_git.core.archiving import archive_entries, archive_sections, shelf_trouble
from hoard_git.core.discreet import name_of, names_of
from hoard_git.core.document import NO_PARENT
from hoard_git.core.freshness import EXPIRED, FRESH, STALE, UNDATED, UNKNOWN, age, freshness, told_age
from hoard_git.core.removal import remove_husks, section_entries, section_lines, tables, tops, tree_lines, whole_trees
from hoard_git.core.tags import render_tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from hoard_git.core.document import TagMark
    from hoard_git.core.drafts import Draft, Drafts
    from hoard_git.core.provenance import Provenance

CLASSES = ("index", "topic", "daily", "heartbeat")
"""What is marked and archived; identity files and wiki pages are only listed."""

_LISTED = ("identity", "wiki")
_FIXED = ("front", "reference", "transcript")
_MOST = 20


def expire(drafts: Drafts) -> list[Action]:
    """Mark and archive, file by file."""
    actions: list[Action] = []
    for draft in drafts.of_class(*CLASSES, *_LISTED):
        rewrites = draft.file_class in CLASSES
        _report(drafts, draft, rewrites=rewrites)
        if rewrites:
            actions += _archive(drafts, draft)
            actions += _mark(drafts, draft)
    return actions


# -------------------------------------------------------------------- stale marks


def _mark(drafts: Drafts, draft: Draft) -> list[Action]:
    """Put the stale mark into each deciding tag that is due, and take it out of one that is fresh again."""
    actions: list[Action] = []
    changes: list[tuple[int, str]] = []
    marks = {mark.line: mark for mark in reversed(draft.document.marks) if mark.tag is not None and not mark.misplaced}
    for line, (claim, first) in sorted(_deciding(draft).items()):
        state = freshness(claim, drafts.policy, drafts.today)
        stale = state in (STALE, EXPIRED)
        if claim.stale == stale or claim.src == "user" or (not stale and state != FRESH):
            continue
        changed = _with_mark(draft, marks.get(line), line, stale=stale)
        if changed is None:
            continue
        reason = told_age(claim, drafts.policy, drafts.today) if stale else "fresh again: its date or ttl was renewed"
        made = _action(draft, "stale", first, reason)
        if drafts.permits.may_do(made):
            actions.append(made)
            changes.append((line, changed))
    for line, changed in changes:  # each makes the file read anew
        draft.replace(line, changed)
    return actions


def _deciding(draft: Draft) -> dict[int, tuple[Provenance, int]]:
    """The line of each tag that decides for some entry: its claim, and the first such entry."""
    found: dict[int, tuple[Provenance, int]] = {}
    document = draft.document
    for number, (entry, claim) in enumerate(zip(document.entries, draft.entry_claims, strict=True)):
        if claim.line and claim.origin != "class" and entry.kind not in _FIXED and not document.in_region(entry.line):
            found.setdefault(claim.line, (claim, number))
    return found


def _with_mark(draft: Draft, mark: TagMark | None, line: int, *, stale: bool) -> str | None:
    """The line with the mark put into its tag or taken out; None where no tag counts in it, as in a front matter."""
    if mark is None or mark.tag is None or mark.end_line not in (0, line):
        return None
    text = draft.lines[line - 1]
    return text[: mark.column - 1] + render_tag(mark.tag._replace(stale=stale)) + text[mark.end_column - 1 :]


# -------------------------------------------------------------------- the archive


def _archive(drafts: Drafts, draft: Draft) -> list[Action]:
    """Move what is past twice its ttl: whole sections where nothing in them stays, else single entries."""
    actions: list[Action] = []
    refused: set[tuple[str, int]] = set()
    while found := _leaving_sections(drafts, draft, refused):
        names = names_of(draft.document)
        place = draft.place(draft.document.headings[found[0]].line)
        chosen = found
        while chosen:  # all of them at once; where that cannot be, half of them, and at last the first alone
            made = [_section_action(drafts, draft, heading, names[heading]) for heading in chosen]
            target = archive_sections(drafts, draft.path, chosen, "expired")
            if target:
                actions += [action._replace(to=target) for action in made]
                break
            chosen = chosen[: len(chosen) // 2]
        else:
            refused.add(place)
    wanted = _expired(drafts, draft)
    if wanted:
        actions += _archive_single(drafts, draft, wanted)
    if draft.file_class == "topic" and actions and not draft.document.entries and not draft.document.comments:
        draft.delete()
    return actions


def _archive_single(drafts: Drafts, draft: Draft, wanted: Collection[int]) -> list[Action]:
    document = draft.document
    claims = draft.entry_claims
    found = tables(document)
    lasts = {rows[0]: rows[-1] for rows in found}
    below = {number for rows in found for number in rows[1:]}  # the first row of a table speaks for all
    made = [
        _action(draft, "archive", number, told_age(claims[number], drafts.policy, drafts.today), lasts.get(number, number))
        for number in tops(document, wanted)
        if number not in below
    ]
    husks = {
        draft.lines[document.headings[heading].line - 1]
        for number in wanted
        for heading in _above(draft, document.entries[number].heading)
        if draft.heading_claims[heading].origin != "own" or draft.heading_claims[heading].src != "user"
    }
    target = archive_entries(drafts, draft.path, wanted, "expired")
    if not target:
        where = ", ".join(f"{path}:{line}" for path, line in [draft.place(document.entries[n].line) for n in sorted(wanted)][:_MOST])
        why = shelf_trouble(drafts) or "the rest of the file would read differently without them"
        drafts.notes.append(f"Expired, but left where they are, for {why}: {where}")
        return []
    remove_husks(draft, husks)
    return [action._replace(to=target) for action in made]


def _above(draft: Draft, heading: int) -> Iterator[int]:
    while heading >= 0:
        yield heading
        heading = draft.document.headings[heading].parent


def _expired(drafts: Drafts, draft: Draft) -> set[int]:
    """The entries that may leave by themselves: expired, not the user's, with nothing under them that stays; tables only as a whole."""
    document, claims = draft.document, draft.entry_claims
    wanted = {
        number
        for number, (entry, claim) in enumerate(zip(document.entries, claims, strict=True))
        if entry.kind not in _FIXED
        and claim.src != "user"
        and claim.origin != "class"
        and freshness(claim, drafts.policy, drafts.today) == EXPIRED
        and not document.in_region(entry.line)
        and not document.in_region(entry.end_line)
        and drafts.permits.may_archive(*draft.place(entry.line))
    }
    for rows in tables(document):
        if not wanted.issuperset(rows):
            wanted -= set(rows)
    return whole_trees(document, wanted)


def _leaving_sections(drafts: Drafts, draft: Draft, refused: Collection[tuple[str, int]]) -> list[int]:
    """The outermost sections that leave as a whole: every entry expired, no heading of the user's, no region, not the file's title."""
    document = draft.document
    wanted = _expired(drafts, draft)
    found: list[int] = []
    users = [
        h.line for h, claim in zip(document.headings, draft.heading_claims, strict=True) if claim.src == "user" and claim.origin == "own"
    ]
    end = 0
    for number, heading in enumerate(document.headings if wanted else ()):
        if heading.line <= end:
            continue
        is_title = number == 0 and heading.level == 1
        if (is_title and draft.file_class != "topic") or draft.place(heading.line) in refused:
            continue
        first, last = section_lines(document, number)
        inside = section_entries(document, number)
        if not inside or not wanted.issuperset(inside) or draft.lines[first - 1].lstrip()[:1] != "#":
            continue
        if any(first <= region.line <= last or region.line <= first <= region.end_line for region in document.regions):
            continue
        if bisect_left(users, first) == bisect_right(users, last):
            found.append(number)
            end = last
    return found


# -------------------------------------------------------------------- what is told


def _section_action(drafts: Drafts, draft: Draft, heading: int, name: str) -> Action:
    document = draft.document
    first, last = section_lines(document, heading)
    inside = section_entries(document, heading)
    oldest = max(inside, key=lambda number: age(draft.entry_claims[number], drafts.today) or 0)
    claim = draft.entry_claims[oldest]
    path, line = draft.place(first)
    own = document.headings[heading].tag
    return Action(
        "archive",
        path,
        line,
        "\n".join(line.removesuffix("\r") for line in document.lines[first - 1 : last]),
        told_age(claim, drafts.policy, drafts.today),
        (own.id if own is not None else "") or name,
        src=claim.src,
        src_after=claim.src,
        end_line=draft.place(last)[1],
    )


def _action(draft: Draft, kind: str, entry: int, reason: str, last: int | None = None) -> Action:
    """An action about one entry, or about those up to the `last` one, or, for a tag of a heading or file, about what it decides."""
    document = draft.document
    found, claim = document.entries[entry], draft.entry_claims[entry]
    text, line, end = found.text, found.line, tree_lines(document, entry if last is None else last)[1]
    heading = found.heading
    if kind == "stale" and claim.origin in ("heading", "file") and claim.line:
        heading = next(number for number, other in enumerate(document.headings) if other.line == claim.line)
        line = end = claim.line
        text = document.headings[heading].title.strip()
    elif kind == "archive":
        text = "\n".join(line.removesuffix("\r") for line in document.lines[found.line - 1 : end])
    own = document.headings[heading].tag if heading >= 0 else None
    block = claim.id or (own.id if own is not None else "") or name_of(document, heading)
    path, base = draft.place(line)
    said = text.replace("\r", "")
    return Action(kind, path, base, said, reason, block, src=claim.src, src_after=claim.src, end_line=draft.place(end)[1])


def _report(drafts: Drafts, draft: Draft, *, rewrites: bool) -> None:
    """List what a person has to look at: broken tags, unknown dates, no tag at all, and the user's facts past their ttl."""
    document = draft.document
    for mark in document.marks:
        if mark.problem or mark.misplaced:
            place = Place(*draft.place(mark.line))
            text = document.lines[mark.line - 1].strip()
            reason = mark.problem or f"the tag belongs to nothing: {mark.misplaced}"
            drafts.reviews.append(Review("malformed", reason, (Sighting(place.path, place.line, text, "", "unknown"),)))
    groups: dict[tuple[str, int, str], list[int]] = {}
    for number, (entry, claim) in enumerate(zip(document.entries, draft.entry_claims, strict=True)):
        if claim.origin == "class" or entry.kind in _FIXED or document.in_region(entry.line):
            continue
        state = freshness(claim, drafts.policy, drafts.today)
        if state in (UNDATED, UNKNOWN) and entry.parent == NO_PARENT:
            groups.setdefault(("undated", claim.line, state), []).append(number)
        elif state in (STALE, EXPIRED) and (claim.src == "user" or not rewrites or _in_front(draft, claim)):
            groups.setdefault(("expired", claim.line, state), []).append(number)
    for (kind, _line, state), members in groups.items():
        drafts.reviews.append(Review(kind, _because(drafts, draft, members, state), _sightings(draft, members)))


def _in_front(draft: Draft, claim: Provenance) -> bool:
    """Whether a claim comes from a front matter, in which no mark can stand."""
    return claim.origin == "file" and not any(heading.line == claim.line for heading in draft.document.headings)


def _because(drafts: Drafts, draft: Draft, members: Sequence[int], state: str) -> str:
    claim = draft.entry_claims[members[0]]
    if state == UNKNOWN:
        return "no tag says who wrote this and when: hoard tag"
    if state == UNDATED:
        return f"its date is unknown, so it never expires ({claim.src})"
    who = "the user's, so only the user may retire it" if claim.src == "user" else "no mark can stand here"
    return f"{told_age(claim, drafts.policy, drafts.today)}; {who}"


def _sightings(draft: Draft, members: Sequence[int]) -> tuple[Sighting, ...]:
    document = draft.document
    found = []
    for number in members[:_MOST]:
        path, line = draft.place(document.entries[number].line)
        claim = draft.entry_claims[number]
        found.append(Sighting(path, line, document.entries[number].text.replace("\r", ""), claim.src, claim.ts))
    return tuple(found)
