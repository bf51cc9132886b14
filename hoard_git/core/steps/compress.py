"""Compression with hysteresis: a MEMORY.md over `compress_at` hands whole sections to topic files until it is under `compress_to`.

The heading stays with its tag and one line that counts and points; every entry stays word for word, in the topic file instead.
"""

from __future__ import annotations

import re
from itertools import groupby

from hoard_git.core.actions import Action
from hoard_git.core.archiving import class_folder, copied_heading, rebased, tag_of, tagged_trees
from hoard_git.core.counted import counted
from hoard_git.core.dates import format_day, parse_day
from hoard_git.core.discreet import name_of, quiet_slug
from hoard_git.core.drafts import Piece
from hoard_git.core.files import classify, file_default
from hoard_git.core.links import rebase
from hoard_git.core.model import RANK
from hoard_git.core.pointers import is_pointer, read_pointer
from hoard_git.core.record import Record
from hoard_git.core.removal import remove_entries, remove_husks, section_entries, section_lines, tops, whole_trees
from hoard_git.core.slugs import slugs
from hoard_git.core.tags import Tag, render_tag
from hoard_git.core.units import core_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from hoard_git.core.document import Document, Heading
    from hoard_git.core.drafts import Draft, Drafts

_ANCHOR = re.compile(r"\]\(<?([^()\s<>#]{0,400})#([^()\s<>]{1,200})")
_BLANKS = " \t\r"
_ATTEMPTS = 100
_LONGEST_STEM = 120
"""Bytes of a file's name that are taken from a title."""
_LEAST_GAIN = 64
"""Bytes that an offload has to win: a pointer in place of one short line is no gain."""


class _Section(Record):
    """An outermost section of the index: which heading, what of it may move, and how it ranks among those that could."""

    heading: int
    movable: frozenset[int]
    whole: bool
    newest: int
    size: int
    rank: int


def compress(drafts: Drafts) -> list[Action]:
    """Offload from each index file that is over the limit; says in the notes when it cannot be brought under."""
    actions: list[Action] = []
    for draft in drafts.of_class("index"):
        if len(draft.data) > drafts.policy.compress_at:
            actions += _shrink(drafts, draft)
    return actions


def _shrink(drafts: Drafts, draft: Draft) -> list[Action]:
    actions: list[Action] = []
    tried = {_key(draft, heading) for heading in _outermost(draft.document) if not _may_move(drafts, draft, heading)}
    limit = drafts.policy.compress_to
    pinned = _linked_anchors(drafts, draft.path)
    while len(draft.data) >= limit:
        section = _next(draft, tried, pinned)
        if section is None:
            drafts.notes.append(_too_large(draft, limit))
            break
        tried.add(_key(draft, section.heading))
        made = _offload(drafts, draft, section)
        if made is not None:
            actions.append(made)
    return actions


def _may_move(drafts: Drafts, draft: Draft, heading: int) -> bool:
    found = draft.document.headings[heading]
    return drafts.permits.may("offload", *draft.place(found.line))


def _too_large(draft: Draft, limit: int) -> str:
    mine = theirs = 0
    for number, entry in enumerate(draft.document.entries):
        size = sum(len(line.encode("utf-8", "surrogateescape")) + 1 for line in draft.lines[entry.line - 1 : entry.end_line])
        if draft.entry_claims[number].src == "user":
            theirs += size
        else:
            mine += size
    if theirs > mine:
        held = f"{theirs} bytes are the user's, which only the user may move"
    elif not _outermost(draft.document):
        held = "it has no sections to move; put its facts under headings"
    else:
        held = "what is left cannot be taken apart"
    return f"{draft.path} stays at {len(draft.data)} bytes, over the {limit} that it should come to: {held}."


# -------------------------------------------------------------------- which section goes


def _next(draft: Draft, tried: Collection[tuple[str, int, str]], pinned: Collection[str]) -> _Section | None:
    """The section that goes next: the one untouched longest, then the longest, then the least trusted."""
    found = [
        section
        for heading in _outermost(draft.document)
        if _key(draft, heading) not in tried and (section := _look(draft, heading, pinned)) is not None
    ]
    return min(found, key=lambda s: (s.newest, -s.size, s.rank, s.heading)) if found else None


def _key(draft: Draft, heading: int) -> tuple[str, int, str]:
    """What tells a heading from the others while lines move: its place in the snapshot, and for one that the plan has written its words."""
    found = draft.document.headings[heading]
    return (*draft.place(found.line), found.title)


def _outermost(document: Document) -> list[int]:
    """The headings right under the file's title, or without a title those of the highest level."""
    headings = document.headings
    first = headings[0] if headings else None
    title = first is not None and first.level == 1 and sum(heading.level == 1 for heading in headings) == 1
    return [number for number, heading in enumerate(headings) if heading.parent == (0 if title else -1) and not (title and number == 0)]


def _linked_anchors(drafts: Drafts, path: str) -> set[str]:
    """The headings of a file, by slug, that links anywhere in the workspace point to."""
    found = set()
    for draft in drafts:
        for line in draft.lines:
            if "](" not in line or "#" not in line:
                continue
            for match in _ANCHOR.finditer(line):
                target = match[1] or draft.path
                if target.rsplit("/", 1)[-1] == path.rsplit("/", 1)[-1]:
                    found.add(match[2].lower())
    return found


def _look(draft: Draft, heading: int, pinned: Collection[str]) -> _Section | None:
    """What of a section may move; None when nothing may, or when it would win next to nothing."""
    document, claims = draft.document, draft.entry_claims
    first, last = section_lines(document, heading)
    if any(first <= region.end_line and region.line <= last for region in document.regions):
        return None
    if any(first < h.line <= last and name in pinned for h, name in zip(document.headings, slugs(document), strict=True)):
        return None  # a link to a heading inside would point to nothing
    inside = section_entries(document, heading)
    theirs = _users_headings(draft, first, last)
    movable = {
        number
        for number in inside
        if claims[number].src != "user"
        and document.entries[number].kind not in ("front", "reference", "transcript")
        and not is_pointer(document.entries[number].text)
        and not any(start <= document.entries[number].line <= stop for start, stop in theirs if claims[number].origin != "own")
    }
    if any(document.entries[number].kind == "reference" for number in inside):
        return None  # its definitions serve links elsewhere in the file
    movable = whole_trees(document, movable)
    if not movable or not document.lines[first - 1].lstrip().startswith("#"):
        return None
    size = sum(len(line.encode("utf-8", "surrogateescape")) + 1 for number in movable for line in _lines_of(document, number))
    if size < _LEAST_GAIN + 2 * len(document.headings[heading].title.encode("utf-8", "surrogateescape")):
        return None
    whole = not theirs and movable | {n for n in inside if is_pointer(document.entries[n].text)} == set(inside)
    newest = max((parse_day(claims[number].ts) or 0 for number in movable), default=0)
    return _Section(heading, frozenset(movable), whole, newest, size, min(RANK[claims[number].src] for number in movable))


def _users_headings(draft: Draft, first: int, last: int) -> list[tuple[int, int]]:
    """The sections in these lines whose heading is the user's by a tag of its own or by inheritance."""
    return [
        section_lines(draft.document, number)
        for number, (heading, claim) in enumerate(zip(draft.document.headings, draft.heading_claims, strict=True))
        if first <= heading.line <= last and claim.src == "user"
    ]


def _lines_of(document: Document, number: int) -> Sequence[str]:
    entry = document.entries[number]
    return document.lines[entry.line - 1 : entry.end_line]


# -------------------------------------------------------------------- the move


def _offload(drafts: Drafts, draft: Draft, section: _Section) -> Action | None:
    """Move what may move of a section behind a pointer; None, with nothing changed, when it would not read the same there."""
    document, claims = draft.document, draft.entry_claims
    target = _target(drafts, draft, section.heading)
    if not target:
        return None
    piece = _whole(draft, section) if section.whole else _parts(draft, section)
    piece = rebased(piece, draft.path, target)
    wanted = sorted((core_of(rebase(document.entries[n].text, draft.path, target)), *map(str, claims[n][:3])) for n in section.movable)
    made = _describe(draft, section, target)
    states = {path: drafts[path].state() for path in (draft.path, target) if path in drafts}
    if _append(drafts, target, document.headings[section.heading], piece, wanted) and _point(drafts, draft, section, target):
        return made
    for path in (draft.path, target):
        if path in states:
            drafts[path].restore(states[path])
        else:
            drafts[path].delete()
    return None


def _describe(draft: Draft, section: _Section, target: str) -> Action:
    document, claims = draft.document, draft.entry_claims
    first, last = section_lines(document, section.heading)
    heading = document.headings[section.heading]
    lowest = min((claims[n].src for n in section.movable), key=lambda src: RANK[src])
    count = len(section.movable)
    days = f"the newest of {format_day(section.newest)}" if section.newest else "undated"
    reason = f"the index is over its size; {counted(count, 'fact')}, {days}, {section.size} bytes"
    if not section.whole:
        reason += "; the user's facts stay"
    path, line = draft.place(first)
    text = "\n".join(line.removesuffix("\r") for line in document.lines[first - 1 : last])
    block = (heading.tag.id if heading.tag is not None else "") or name_of(document, section.heading)
    return Action("offload", path, line, text, reason, block, target, lowest, lowest, end_line=draft.place(last)[1])


def _target(drafts: Drafts, draft: Draft, heading: int) -> str:
    """The topic file that a section goes to: the one its pointer names, else the one of its slug, there already or new.

    '' when the policy lets no file of that folder be a topic file.
    """
    for found in _pointers(draft, heading).values():
        path = drafts.root + found[2]
        if path in drafts and drafts[path].file_class == "topic":
            return path
    name = _cut(quiet_slug(draft.document.headings[heading].title)) or "notes"
    known = {path.lower(): path for path in drafts.before()} | {other.path.lower(): other.path for other in drafts}
    folder = class_folder(drafts, "topic", "memory/")
    for stem in (name, f"notes-{name}"):  # a title that is a date would name a daily log
        for attempt in range(1, _ATTEMPTS):
            path = f"{folder}{stem}{f'-{attempt}' if attempt > 1 else ''}.md"
            if classify(path, drafts.policy) != "topic":
                break
            there = known.get(path.lower(), path)
            if not drafts.is_free(path):
                continue
            if there not in drafts or (drafts[there].file_class == "topic" and not _is_the_users(drafts[there])):
                return there
    return ""


def _cut(name: str) -> str:
    """A name in so few bytes that it still is one with a number and an ending behind it; no character is cut in two."""
    return name.encode("utf-8", "surrogateescape")[:_LONGEST_STEM].decode("utf-8", "ignore").rstrip("-")


def _is_the_users(draft: Draft) -> bool:
    """Whether a file as a whole is the user's: what is appended there would stand under their name."""
    return any(claim.src == "user" and claim.origin in ("file", "class") for claim in (*draft.heading_claims, *draft.entry_claims)) or (
        bool(draft.heading_claims) and draft.heading_claims[0].src == "user" and draft.document.headings[0].level == 1
    )


def _pointers(draft: Draft, heading: int) -> dict[int, re.Match[str]]:
    """The lines of a section, by entry number, that point to where its facts went before."""
    found = {}
    for number in section_entries(draft.document, heading):
        match = read_pointer(draft.document.entries[number].text)
        if match is not None:
            found[number] = match
    return found


def _whole(draft: Draft, section: _Section) -> Piece:
    """The section as it stands, its pointers left out, its heading with a tag that says what it would have inherited."""
    document = draft.document
    first, last = section_lines(document, section.heading)
    skipped = {
        line
        for number in _pointers(draft, section.heading)
        for line in range(document.entries[number].line, document.entries[number].end_line + 1)
    }
    kept = [number for number in range(first, last + 1) if number not in skipped]
    lines = [document.lines[number - 1] for number in kept]
    claim = draft.heading_claims[section.heading]
    if document.headings[section.heading].tag is None and claim.src:
        lines[0] = f"{lines[0].rstrip(_BLANKS)}  {render_tag(tag_of(claim))}"
    return Piece(tuple(lines), tuple(draft.origins[number - 1] for number in kept))


def _parts(draft: Draft, section: _Section) -> Piece:
    """The movable entries of a mixed section under headings of their own, each entry with a tag of its own."""
    document, at = draft.document, section.heading
    piece = _bare_heading(draft, at) + Piece.fresh([""])
    for heading, members in groupby(tops(document, section.movable), key=lambda top: document.entries[top].heading):
        if heading != at:
            at = heading
            piece += Piece.fresh([""]) + _bare_heading(draft, at) + Piece.fresh([""])
        piece += tagged_trees(draft, members)
    return piece


def _bare_heading(draft: Draft, heading: int) -> Piece:
    return copied_heading(draft, heading, draft.document.headings[heading].level)


def _append(drafts: Drafts, target: str, heading: Heading, piece: Piece, wanted: list[tuple[str, ...]]) -> bool:
    """Put a section at the end of its topic file, and read it back there."""
    shelf = drafts.open(target, "topic", file_default(target, "topic", drafts.policy))
    old = len(shelf.document.entries)
    if not old and not shelf.document.headings and heading.level > 1:
        shelf.append(Piece((f"# {heading.title.strip()}",), piece.origins[:1]))
    shelf.append(piece)
    entries, claims = shelf.document.entries, shelf.entry_claims
    return sorted((core_of(e.text), *map(str, c[:3])) for e, c in zip(entries[old:], claims[old:], strict=True)) == wanted


def _point(drafts: Drafts, draft: Draft, section: _Section, target: str) -> bool:
    """Take what moved out of the index and leave one line that counts and points."""
    document = draft.document
    first, last = section_lines(document, section.heading)
    name = target[len(drafts.root) :]
    old = {number: int(found[1]) for number, found in _pointers(draft, section.heading).items() if found[2] == name}
    rest = len(document.entries) - len(section.movable) - len(old)
    husks = [draft.lines[heading.line - 1] for heading in document.headings if first < heading.line <= last]
    if section.whole and len(old) == len(_pointers(draft, section.heading)):
        draft.cut([(first + 1, last)] if last > first else [])
    elif remove_entries(draft, {*section.movable, *old}):
        remove_husks(draft, husks)
    else:
        return False
    at = first  # all that went stood below the heading
    count = sum(old.values()) + len(section.movable)
    claim = next(c for h, c in zip(draft.document.headings, draft.heading_claims, strict=True) if h.line == at)
    tag = "" if claim.src == "agent" else f" {render_tag(Tag('agent', format_day(drafts.today)))}"
    link = f"<{name}>" if any(sign in name for sign in " ()") else name
    follows = draft.lines[at].strip() if at < len(draft.lines) else ""
    gap = [""] if follows and follows[:1] not in "-*+" else []
    draft.insert(at, Piece.fresh([f"- \u2192 {counted(count, 'fact')} in [{name}]({link}){tag}", *gap]))
    if section.whole:
        _drop_id(draft, at)
    return len(draft.document.entries) == rest + 1


def _drop_id(draft: Draft, line: int) -> None:
    """A block's id has gone with its content: on two headings it would name neither."""
    heading = next(heading for heading in draft.document.headings if heading.line == line)
    if heading.tag is not None and heading.tag.id:
        text = draft.lines[line - 1]
        start = text.rfind("<!--")
        draft.replace(line, text[:start] + render_tag(heading.tag._replace(id="")) + text[text.find("-->", start) + 3 :])
