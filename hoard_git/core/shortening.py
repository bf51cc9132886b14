"""A daily log in two: what stays in it and what goes to the archive, line by line, both read back before anything is believed."""

from __future__ import annotations

from hoard_git.core.document import BLANK, COMMENT, ITEM
from hoard_git.core.drafts import Piece
from hoard_git.core.markdown import parse
from hoard_git.core.provenance import file_provenance, provenances
from hoard_git.core.record import Record
from hoard_git.core.removal import subtree, tables
from hoard_git.core.tags import Tag, render_tag
from hoard_git.core.units import heading_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from hoard_git.core.document import Document
    from hoard_git.core.drafts import Draft
    from hoard_git.core.provenance import Provenance

USER = "user"


class Parts(Record):
    """The entries of a log by number: `pinned` ones are not ours to move, `rest` may go to the archive, `shared` are needed in both places.

    Pinned is the user's with the whole list or table that it stands in, what lies in a region that another tool manages, and front matter.
    Shared are reference definitions: a link above them works only while they stand in its file.
    """

    pinned: frozenset[int]
    rest: tuple[int, ...]
    shared: frozenset[int]


def sort_entries(draft: Draft) -> Parts:
    """Tell what of a log may go."""
    document, claims = draft.document, draft.entry_claims
    pinned: set[int] = set()
    shared = set()
    for number, entry in enumerate(document.entries):
        if entry.kind == "reference" and claims[number].src != USER and not document.in_region(entry.line):
            shared.add(number)
        elif entry.kind == "front" or claims[number].src == USER or document.in_region(entry.line) or document.in_region(entry.end_line):
            pinned.add(number)
    for table in tables(document):
        if not pinned.isdisjoint(table):
            pinned.update(table)
    for number, entry in enumerate(document.entries):
        if entry.parent < 0 and not pinned.isdisjoint(tree := subtree(document, number)):
            pinned.update(tree)
    rest = tuple(number for number in range(len(document.entries)) if number not in pinned and number not in shared)
    return Parts(frozenset(pinned), rest, frozenset(shared - pinned))


def lines_kept(draft: Draft, entries: Collection[int]) -> set[int]:
    """The 1-based lines of a log that keeps these entries alone: with their headings, its title, the user's headings and managed regions."""
    document = draft.document
    owners = _owners(document)
    headings = _above(document, entries)
    headings |= {number for number, claim in enumerate(draft.heading_claims) if claim.src == USER}
    headings |= {number for number, heading in enumerate(document.headings) if number == 0 and heading.level == 1}
    for region in document.regions:
        headings |= _with_outer(document, _heading_before(document, region.line))
    kept = {document.headings[number].line for number in headings}
    wanted = set(entries)
    return kept | {n for n in range(1, len(document.lines) + 1) if owners.get(n, -1) in wanted or document.in_region(n)}


def stay(draft: Draft, entries: Collection[int]) -> Piece | None:
    """The log with these entries alone; None when it would not read so."""
    kept = lines_kept(draft, entries)
    for spaced in (False, True):
        piece = _select(draft, kept, {}, spaced=spaced)
        if _reads(piece, draft, sorted(set(entries)), draft.default):
            return piece
    return None


def leave(draft: Draft, entries: Collection[int], *, day: str, remark: str = "", named: Collection[int] = ()) -> Piece | None:
    """What goes to the archive: these entries with their headings, under a first heading with the tag that the file counts as.

    Lines that belong to no entry (rules, comments) go along when all of the log but its pinned parts goes, which is when there is a `remark`;
    it is put below the title. A user's heading goes as text alone, without the user's claim. An id goes only once: it stays out on the lines of
    `named`, which the log keeps. `day` is the title where there is none, and the date of what stood under a user's title. None when it would
    not read so.
    """
    document = draft.document
    owners = _owners(document)
    wanted = set(entries)
    headings = _above(document, entries)
    if remark:
        held = _above(document, range(len(document.entries)))
        headings |= {n for n, h in enumerate(document.headings) if n not in held and not document.in_region(h.line)}
        headings -= {n for n, claim in enumerate(draft.heading_claims) if claim.src == USER and n not in _above(document, entries)}
    headings |= {n for n, heading in enumerate(document.headings) if n == 0 and heading.level == 1 and not document.in_region(heading.line)}
    kept = {document.headings[number].line for number in headings}
    for line, kind in enumerate(document.kinds, 1):
        owner = owners.get(line, -1)
        loose = owner < 0 and kind != BLANK and line not in {h.line for h in document.headings} and not document.in_region(line)
        if owner in wanted or (loose and remark and line not in owners):
            kept.add(line)
    rewritten = _rewritten(draft, headings, named)
    title = file_tag(draft, day)
    first = document.headings[0] if 0 in headings and document.headings[0].level == 1 else None
    ending = "\r" if _is_crlf(document) else ""
    if first is not None and (first.tag is None or draft.heading_claims[0].src == USER):
        rewritten[first.line] = f"{heading_text(first).rstrip()}  {render_tag(title)}{ending}"
    for spaced in (False, True):
        piece = _select(draft, kept, rewritten, spaced=spaced)
        top = rewritten.get(first.line, document.lines[first.line - 1]) if first is not None else f"# {day}  {render_tag(title)}{ending}"
        if first is None:
            piece = Piece.fresh([top, ending]) + piece
        if remark:
            piece = _with_remark(piece, top, remark + ending, ending)
        if _reads(piece, draft, sorted(wanted), None):
            return piece
    return None


def _with_remark(piece: Piece, title: str, remark: str, blank: str) -> Piece:
    at = piece.lines.index(title) + 1
    follows = at < len(piece.lines) and piece.lines[at].strip()
    below = Piece.fresh([blank, remark, *([blank] if follows else [])])
    return Piece(piece.lines[:at], piece.origins[:at]) + below + Piece(piece.lines[at:], piece.origins[at:])


def file_tag(draft: Draft, day: str) -> Tag:
    """The tag that says in the archive what the log counted as; what stands under a user's title but is not the user's is the agent's."""
    found = file_provenance(draft.document, draft.default)
    if found.src in ("", USER):
        return Tag("agent", day)
    return Tag(found.src, found.ts, found.ttl, "", "", found.stale)


def _owners(document: Document) -> dict[int, int]:
    """The entry that each line belongs to: its own lines, a tag alone above it, and comments right above."""
    owners = {}
    for number, entry in enumerate(document.entries):
        first = min(entry.line, entry.tag_line) if entry.tag_line and entry.tag_line not in owners else entry.line
        while first > 1 and document.kinds[first - 2] == COMMENT and first - 1 not in owners:
            first -= 1
        owners.update(dict.fromkeys(range(first, entry.end_line + 1), number))
    return owners


def _above(document: Document, entries: Collection[int]) -> set[int]:
    found: set[int] = set()
    for number in entries:
        found |= _with_outer(document, document.entries[number].heading)
    return found


def _with_outer(document: Document, heading: int) -> set[int]:
    found = set()
    while heading >= 0:
        found.add(heading)
        heading = document.headings[heading].parent
    return found


def _heading_before(document: Document, line: int) -> int:
    return max((number for number, heading in enumerate(document.headings) if heading.line < line), default=-1)


def _rewritten(draft: Draft, headings: Collection[int], named: Collection[int]) -> dict[int, str]:
    """Lines that differ in the archive: a user's heading without its tag, and tags without their ids where the log keeps those."""
    document = draft.document
    found: dict[int, str] = {}
    for number in headings:
        heading, claim = document.headings[number], draft.heading_claims[number]
        if claim.src == USER and heading.tag is not None:
            found[heading.line] = heading_text(heading).rstrip() + ("\r" if _is_crlf(document) else "")
    for mark in document.marks:
        if mark.tag is not None and mark.tag.id and mark.line in named and mark.line not in found and mark.line == mark.end_line:
            line = document.lines[mark.line - 1]
            found[mark.line] = line[: mark.column - 1] + render_tag(mark.tag._replace(id="")) + line[mark.end_column - 1 :]
    return found


def _select(draft: Draft, kept: Collection[int], rewritten: Mapping[int, str], *, spaced: bool) -> Piece:
    """Some lines of a draft with the blank lines between them: all of them where nothing is left out, else one where it is needed.

    `spaced` puts one wherever something is left out: a sub-list from which the item `1.` is gone would be text of the item above it.
    """
    document = draft.document
    lines: list[str] = []
    origins: list[tuple[str, int] | None] = []
    last = 0
    for number in sorted(kept):
        between = document.lines[last : number - 1]
        if all(not line.strip() for line in between):
            lines += between
            origins += draft.origins[last : number - 1]
        elif last and (spaced or any(not line.strip() for line in between) or not _is_list(document, last, number)):
            lines.append("\r" if _is_crlf(document) else "")
            origins.append(None)
        lines.append(rewritten.get(number, document.lines[number - 1]))
        origins.append(draft.origins[number - 1])
        last = number
    while lines and not lines[0].strip():
        del lines[0], origins[0]
    return Piece((*lines, ""), (*origins, None))


def _is_list(document: Document, one: int, other: int) -> bool:
    return document.kinds[one - 1] == document.kinds[other - 1] == ITEM


def _is_crlf(document: Document) -> bool:
    return len(document.lines) > 1 and document.lines[0].endswith("\r")


def _reads(piece: Piece, draft: Draft, numbers: Sequence[int], default: Tag | None) -> bool:
    """Whether a file of these lines holds exactly these entries of the draft, each with the claim that it had."""
    document = parse("\n".join(piece.lines).encode("utf-8", "surrogateescape"))
    found = provenances(document, default)
    now = [(entry.kind, _plain(entry.text), _claim(claim)) for entry, claim in zip(document.entries, found, strict=True)]
    entries, claims = draft.document.entries, draft.entry_claims
    return now == [(entries[n].kind, _plain(entries[n].text), _claim(claims[n])) for n in numbers]


def _plain(text: str) -> str:
    return text.replace("\r", "").strip()


def _claim(found: Provenance) -> tuple[str, str, str, bool]:
    return found.src, found.ts, found.ttl, found.stale
