"""The archive: one file a day, appended; each block with its tag, where it came from and why (INTERFACE, "Upkeep"; DESIGN §9)."""

from __future__ import annotations

from itertools import groupby

from hoard_git.core.changelist import NONE, escape
from hoard_git.core.dates import format_day
from hoard_git.core.discreet import name_of, names_of
from hoard_git.core.drafts import Piece
from hoard_git.core.links import rebase
from hoard_git.core.markdown import parse
from hoard_git.core.provenance import provenances
from hoard_git.core.removal import remove_entries, remove_sections, section_entries, section_lines, tables, tops, tree_lines
from hoard_git.core.tags import Tag, render_tag
from hoard_git.core.units import core_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from hoard_git.core.document import Document
    from hoard_git.core.drafts import Draft, Drafts
    from hoard_git.core.provenance import Provenance


def archive_folder(drafts: Drafts) -> str:
    """The directory of the archive of a workspace, ending in '/': what the policy's first archive glob begins with."""
    return class_folder(drafts, "archive", "memory/archive/")


def class_folder(drafts: Drafts, file_class: str, usual: str) -> str:
    """The directory in which new files of a class are made, ending in '/': what the class's first glob with a star begins with."""
    globs = dict(drafts.policy.globs).get(file_class, ())
    folder = next((glob[: glob.index("*")].rpartition("/")[0] for glob in globs if "*" in glob), "")
    return drafts.root + (folder + "/" if folder else usual)


def archive_path(drafts: Drafts) -> str:
    """The archive file of the day that the plan is made for."""
    return f"{archive_folder(drafts)}{format_day(drafts.today)}.md"


def archive_entries(drafts: Drafts, path: str, entries: Collection[int], reason: str) -> str:
    """Move entries (numbers in the draft's document, whole trees) to the day's archive file and return its path.

    Each keeps its words; one that only inherited its provenance gets a tag that says so. Returns '' with nothing changed where the entries
    could not be taken out or would not read in the archive as they do here.
    """
    draft = drafts[path]
    document, claims = draft.document, draft.entry_claims
    whole = Piece.fresh(())
    for heading, members in groupby(tops(document, entries), key=lambda top: document.entries[top].heading):
        piece = Piece.fresh([remark(drafts, path, name_of(document, heading), reason)])
        if heading >= 0:
            level = max(2, document.headings[heading].level)
            piece += copied_heading(draft, heading, level)
        whole += piece + Piece.fresh([""]) + tagged_trees(draft, members) + Piece.fresh([""])
    wanted = [(core_of(document.entries[n].text), claims[n][:3]) for n in sorted(entries)]
    return _move(drafts, path, whole, wanted, lambda: remove_entries(draft, entries))


def archive_sections(drafts: Drafts, path: str, headings: Sequence[int], reason: str) -> str:
    """Move headings, none of which stands under another, with all that stands under them to the day's archive file; else as `archive_entries`.

    All or none: a file is read again once for all of them, not once for each.
    """
    draft = drafts[path]
    document, claims = draft.document, draft.entry_claims
    names = names_of(document)
    lines: list[str] = []
    origins: list[tuple[str, int] | None] = []
    wanted: list[tuple[str, object]] = []
    for heading in headings:
        piece = draft.copy(*section_lines(document, heading))
        own = document.headings[heading].tag
        inherited = draft.heading_claims[heading]
        if own is None and inherited.src:
            line = piece.lines[0].rstrip(" \t\r")
            piece = piece._replace(lines=(f"{line}  {render_tag(tag_of(inherited))}", *piece.lines[1:]))
        piece = Piece.fresh([remark(drafts, path, names[heading], reason)]) + piece
        if not is_closed("\n".join(line.removesuffix("\r") for line in piece.lines)):
            return ""
        lines += (*piece.lines, "")
        origins += (*piece.origins, None)
        wanted += [(core_of(document.entries[n].text), claims[n][:3]) for n in section_entries(document, heading)]
    return _move(drafts, path, Piece(tuple(lines), tuple(origins)), wanted, lambda: remove_sections(draft, headings))


def copied_heading(draft: Draft, heading: int, level: int) -> Piece:
    """The line of a heading without its tag, at a level, to stand a second time: what is wrong with it is wrong where it came from."""
    found = draft.document.headings[heading]
    return Piece((f"{'#' * level} {found.title.strip()}",), (draft.origins[found.line - 1],))


def _move(drafts: Drafts, path: str, piece: Piece, wanted: Sequence[tuple[str, object]], take: Callable[[], bool]) -> str:
    """Append a piece of `path` to the day's archive file when it reads as wanted and can be taken from where it stands.

    Its relative links are written for the new place.
    """
    while piece.lines and not piece.lines[-1].strip():
        piece = Piece(piece.lines[:-1], piece.origins[:-1])
    text = "\n".join(line.removesuffix("\r") for line in piece.lines)
    read = parse(text.encode("utf-8", "surrogateescape"))
    found = [(core_of(entry.text), claim[:3]) for entry, claim in zip(read.entries, provenances(read, None), strict=True)]
    target = archive_path(drafts)
    if sorted(map(repr, found)) != sorted(map(repr, wanted)) or not is_closed(text) or not drafts.is_free(target):
        return ""
    is_new = target not in drafts
    shelf = drafts.open(target, "archive")
    before = shelf.state()
    if not shelf.is_closed and not is_closed("\n".join(shelf.lines)):
        return ""
    if not any(line.startswith("#") for line in shelf.lines):
        shelf.append(Piece.fresh([f"# Archive {format_day(drafts.today)}"]))
    shelf.append(rebased(piece, path, target))
    shelf.is_closed = True
    if take():
        return target
    shelf.restore(before)
    if is_new:
        shelf.delete()
    return ""


def shelf_trouble(drafts: Drafts) -> str:
    """Why nothing can be put into the day's archive file, in a clause; '' when something can."""
    target = archive_path(drafts)
    if not drafts.is_free(target):
        return f"something else lies in the place of {target!r}"
    if target in drafts and not drafts[target].is_closed and not is_closed("\n".join(drafts[target].lines)):
        return f"{target!r} ends inside an open fence, comment or HTML, which would swallow them: close it there"
    return ""


def is_closed(text: str) -> bool:
    """Whether what is appended to a text is read by itself: no fence, comment or raw HTML is left open at its end.

    Asked once a file and once a block, so that the growing archive is not read again for each block that it gets.
    """
    after = parse(f"{text}\n\n- x\n".encode("utf-8", "surrogateescape")).entries
    return bool(after) and after[-1].kind == "item" and after[-1].text == "- x"


def rebased(piece: Piece, old: str, new: str) -> Piece:
    """A piece with its relative links written for another file; as it is where that would give another number of lines."""
    lines = rebase("\n".join(piece.lines), old, new).split("\n")
    return Piece(tuple(lines), piece.origins) if len(lines) == len(piece.lines) else piece


def remark(drafts: Drafts, path: str, name: str, reason: str) -> str:
    """The line above an archived block: from where it came, when and why."""
    local = path[len(drafts.root) :]
    return f"<!-- hoard:archived from:{escape(local)}#{escape(name) or NONE} on:{format_day(drafts.today)} reason:{reason} -->"


def tag_of(claim: Provenance) -> Tag:
    """A tag of its own that claims what was inherited; an id and evidence are never inherited."""
    own = claim.origin == "own"
    return Tag(claim.src, claim.ts, claim.ttl, claim.id if own else "", claim.ev if own else "", claim.stale)


def tagged_trees(draft: Draft, members: Iterable[int]) -> Piece:
    """Entries one below the other, each with what stands under it and a tag of its own; rows of one table stay one, with its tag above its head."""
    document = draft.document
    below = {row for rows in tables(document) for row in rows[1:]}
    piece, before, joined = Piece.fresh(()), -1, -1  # rows join a table only behind its head: without one they would be a paragraph
    for top in members:
        if top in below and joined == top - 1:
            piece, joined = piece + _margined(draft, top), top
        else:
            joined = -1 if top in below else top
            apart = before >= 0 and not (document.entries[top].kind == "item" == document.entries[before].kind)
            piece += Piece.fresh([""] if apart else ()) + _tagged_tree(draft, top, draft.entry_claims[top])
        before = top
    return piece


def _tagged_tree(draft: Draft, top: int, claim: Provenance) -> Piece:
    """The lines of an entry with what stands under it, moved to the left margin; with a tag of its own when it claims anything."""
    document = draft.document
    piece = _margined(draft, top)
    entry = document.entries[top]
    lines, origins = list(piece.lines), list(piece.origins)
    if entry.tag is None and claim.src:
        tag = render_tag(tag_of(claim))
        at = entry.line - tree_lines(document, top)[0]
        if entry.kind == "item":
            lines[at] = f"{lines[at].rstrip(chr(32) + chr(9) + chr(13))} {tag}"
        else:
            lines.insert(at, tag)
            origins.insert(at, None)
    elif entry.tag is not None and 0 < entry.tag_line < tree_lines(document, top)[0]:  # shared with the entries above it
        lines.insert(0, render_tag(entry.tag))
        origins.insert(0, None)
    return Piece(tuple(lines), tuple(origins))


def _margined(draft: Draft, top: int) -> Piece:
    piece = draft.copy(*tree_lines(draft.document, top))
    return Piece(tuple(_dedented(draft.document, top, piece.lines)), piece.origins)


def _dedented(document: Document, top: int, lines: Sequence[str]) -> Iterator[str]:
    first = document.lines[document.entries[top].line - 1]
    width = len(first) - len(first.lstrip(" \t"))
    for line in lines:
        lead = len(line) - len(line.lstrip(" \t"))
        yield line[min(width, lead) :]
