"""One operation on one wiki page: new bytes, read back to be sure that only what was meant has changed and that nothing is worth more than before."""

from __future__ import annotations

from hoard_git.core import wikiops
from hoard_git.core.document import NO_PARENT
from hoard_git.core.markdown import parse, render
from hoard_git.core.model import RANK, UNTAGGED
from hoard_git.core.provenance import heading_provenances, provenances
from hoard_git.core.record import Record
from hoard_git.core.slugs import slug, slugs
from hoard_git.core.tags import Tag, render_tag
from hoard_git.core.wikifront import set_values
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.core.document import Document
    from hoard_git.core.provenance import Provenance
    from hoard_git.core.wikiops import Operation


class Splice(Record):
    """Lines that take the place of others: 1-based first and last line of the new ones (last = first - 1 for none), and of the old ones."""

    data: bytes
    first: int
    last: int
    old_first: int
    old_last: int


class Meant(Record):
    """What new lines are to be: nothing in them above this level and rank, and first a heading of this title ('' for none)."""

    level: int
    title: str
    rank: int


class Writing(Record):
    """Who writes when: the day of new tags, and what the page counts as without a tag."""

    today: str
    default: Tag | None = None


def apply_operation(data: bytes, operation: Operation, page: str, writing: Writing) -> bytes:
    """Return the page after one operation; the same bytes when there is nothing to do. `page` is for messages.

    Raises HoardError when it cannot be done: for what is the user's, for a section that is not there or there twice, for text that would not
    stay inside its section.
    """
    document = parse(data)
    if operation.op in (wikiops.SET, wikiops.LINK):
        return set_values(data, document, operation, page, writing.default)
    if operation.op == wikiops.REPLACE:
        return _replace(document, operation, page, writing)
    return _append(document, operation, page, writing)


# -------------------------------------------------------------------- sections


def find_section(document: Document, name: str, page: str) -> int:
    """The heading that a name means: its title, its slug, its id; -1 when there is none. Raises HoardError when several fit."""
    names = slugs(document)
    wanted, short = name.strip().lower(), slug(name)
    by_title = [at for at, heading in enumerate(document.headings) if heading.title.strip().lower() == wanted]
    by_name = [at for at, known in enumerate(names) if known in (wanted, short) and known]
    by_id = [at for at, heading in enumerate(document.headings) if heading.tag is not None and heading.tag.id and heading.tag.id == name]
    for found in (by_id, by_title, by_name):
        if len(found) > 1:
            places = ", ".join(f"{names[at]} (line {document.headings[at].line})" for at in found[:8])
            raise HoardError(f"Several sections of {page!r} are called {name[:80]!r}.", f"Name one by its slug: {places}")
        if found:
            return found[0]
    return -1


def section_end(document: Document, at: int) -> int:
    """The last line of a heading's block: up to the next heading of the same or a higher level, trailing blank lines left out."""
    level = document.headings[at].level
    return _last_line(document, at, next((h.line for h in document.headings[at + 1 :] if h.level <= level), len(document.lines) + 1))


def _last_line(document: Document, at: int, stop: int) -> int:
    """The last line before the line `stop` that is not blank, the heading's own at least."""
    last, least = stop - 1, _title_end(document, at)
    while last > least and not document.lines[last - 1].strip():
        last -= 1
    return last


def _title_end(document: Document, at: int) -> int:
    """The last line of a heading itself: one more for an underlined one."""
    line = document.headings[at].line
    below = document.lines[line] if line < len(document.lines) else ""
    is_underlined = not document.lines[line - 1].lstrip(" \ufeff").startswith("#") and bool(below.strip()) and not below.strip(" \t\r=")
    return line + 1 if is_underlined else line


def _claims(document: Document, default: Tag | None) -> tuple[tuple[Provenance, ...], tuple[Provenance, ...]]:
    return heading_provenances(document, default), provenances(document, default)


def _check_free(document: Document, first: int, last: int, what: str) -> None:
    """Raise HoardError where another tool owns lines."""
    for region in document.regions:
        if region.line <= last and first <= region.end_line:
            raise HoardError(f"{what} holds a region that another tool writes ({region.name[:40]!r}).", "Write beside it.")


def _is_users(document: Document, default: Tag | None, first: int, last: int) -> int:
    """The first line from `first` to `last` that is the user's; 0 when there is none."""
    headings, entries = _claims(document, default)
    lines = [h.line for h, claim in zip(document.headings, headings, strict=True) if claim.src == "user" and first <= h.line <= last]
    lines += [e.line for e, claim in zip(document.entries, entries, strict=True) if claim.src == "user" and first <= e.line <= last]
    return min(lines, default=0)


# -------------------------------------------------------------------- replacing


def _replace(document: Document, operation: Operation, page: str, writing: Writing) -> bytes:
    at = find_section(document, operation.section, page)
    what = f"The section {operation.section[:80]!r} of {page!r}"
    if at < 0:
        raise HoardError(f"There is no section {operation.section[:80]!r} in {page!r}.", _sections(document))
    heading = document.headings[at]
    end = section_end(document, at)
    users = _is_users(document, writing.default, heading.line, end)
    if users:
        raise HoardError(
            f"{what} holds what the user said (line {users}).",
            "Append a section of your own, or let the user change it: hoard commit --human",
        )
    _check_free(document, heading.line, end, what)
    claim = heading_provenances(document, writing.default)[at]
    source = _lower(operation.src, claim.src)
    old = heading.tag
    tag = Tag(
        source,
        writing.today,
        operation.ttl or (old.ttl if old else ""),
        old.id if old else "",
        operation.ev,
        extra=old.extra if old else (),
    )
    text = _lines(operation.text)
    head = [_with_tag(document, at, tag), *document.lines[heading.line : _title_end(document, at)]]
    if _body(document, at, end) == text and claim.src == source:
        return render(document)
    splice = _splice(document, heading.line, end, [*head, "", *text])
    try:
        return _checked(document, splice, writing, Meant(heading.level, heading.title, RANK[source]))
    except _NotAsMeantError:
        raise _not_as_meant(page) from None


def _body(document: Document, at: int, end: int) -> list[str]:
    lines = [line.removesuffix("\r") for line in document.lines[_title_end(document, at) : end]]
    while lines and not lines[0].strip():
        lines.pop(0)
    return lines


def _with_tag(document: Document, at: int, tag: Tag) -> str:
    """The heading's line with this tag instead of the one that it has."""
    heading = document.headings[at]
    line = document.lines[heading.line - 1].rstrip(" \t\r")
    mark = next(
        (m for m in document.marks if m.line == heading.line and m.tag is not None and m.tag == heading.tag and not m.misplaced), None
    )
    if mark is None:
        return f"{line}  {render_tag(tag)}"
    return line[: mark.column - 1] + render_tag(tag) + line[mark.end_column - 1 :]


def _lower(wanted: str, known: str) -> str:
    """The lower of two sources; what was untagged gets the writer's, for its words are new."""
    return wanted if known == UNTAGGED or RANK[wanted] <= RANK[known] else known


# -------------------------------------------------------------------- appending


def _append(document: Document, operation: Operation, page: str, writing: Writing) -> bytes:
    tag = Tag(operation.src, writing.today, operation.ttl, "", operation.ev)
    at = find_section(document, operation.section, page)
    if at < 0:
        return _append_new(document, operation, page, writing, tag)
    heading, claim = document.headings[at], heading_provenances(document, writing.default)[at]
    what = f"The section {operation.section[:80]!r} of {page!r}"
    if claim.src == "user":
        raise HoardError(f"{what} is the user's (line {heading.line}).", "Append under another name: a section that is not there is made.")
    end = _direct_end(document, at)
    _check_free(document, end, end, what)
    text = _lines(operation.text)
    inside = parse("\n".join(text).encode("utf-8", "surrogateescape"))
    if _stands_there(document, at, inside):
        return render(document)
    if inside.headings and end < section_end(document, at):
        raise HoardError(
            f"{what} has sections below it, and the text brings headings.", f"Name the section to append to: {_sections(document)}"
        )
    inherits = (claim.src, claim.ts, claim.ttl) == (tag.src, tag.ts, tag.ttl) and not tag.ev
    fresh = text if inherits else _tagged(inside, text, tag)
    for lead in ([], [""]):
        try:
            splice = _splice(document, end + 1, end, [*lead, *fresh])
            return _checked(document, splice, writing, Meant(heading.level, "", RANK[tag.src]))
        except _NotAsMeantError:
            continue
    raise _not_as_meant(page)


def _stands_there(document: Document, at: int, inside: Document) -> bool:
    """Whether every entry of a text stands directly under the heading already, word for word: an operation that is sent twice writes once."""
    known = {(entry.kind, entry.text.replace("\r", "")) for entry in document.entries if entry.heading == at}
    return not inside.headings and all((entry.kind, entry.text) in known for entry in inside.entries)


def _append_new(document: Document, operation: Operation, page: str, writing: Writing, tag: Tag) -> bytes:
    name = operation.section
    if not slug(name):
        raise HoardError(f"A section needs a name in words, not {name[:80]!r}.", "Give section: Notes")
    lines = list(document.lines)
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    fresh = [*([""] if end else []), f"## {name}  {render_tag(tag)}", "", *_lines(operation.text)]
    splice = _splice(document, end + 1, end, fresh)
    try:
        return _checked(document, splice, writing, Meant(2, name, RANK[tag.src]))
    except _NotAsMeantError:
        raise _not_as_meant(page) from None


def _direct_end(document: Document, at: int) -> int:
    """The last line of what stands directly under a heading."""
    return _last_line(document, at, next((h.line for h in document.headings[at + 1 :]), len(document.lines) + 1))


def _tagged(inside: Document, text: Sequence[str], tag: Tag) -> list[str]:
    """The text with a tag for each heading and each entry that no heading or item of it speaks for."""
    lines = list(text)
    for heading in inside.headings:
        if heading.parent == NO_PARENT:
            lines[heading.line - 1] = f"{lines[heading.line - 1].rstrip()}  {render_tag(tag)}"
    for entry in inside.entries:
        if entry.heading == NO_PARENT and entry.parent == NO_PARENT and entry.kind == "item":
            lines[entry.line - 1] = f"{lines[entry.line - 1].rstrip()} {render_tag(tag)}"
    for line in sorted(_starts(inside), reverse=True):
        lines.insert(line - 1, render_tag(tag))
    return lines


def _starts(inside: Document) -> Iterator[int]:
    """The first lines of what takes its tag from the line above: paragraphs, quotes, code, and the heads of tables."""
    last = 0
    for entry in inside.entries:
        if entry.heading != NO_PARENT or entry.parent != NO_PARENT or entry.kind == "item":
            continue
        if entry.kind != "row" or entry.line > last + 1:
            yield entry.line
        last = entry.end_line


# -------------------------------------------------------------------- putting in and reading back


class _NotAsMeantError(Exception):
    """The result does not read as meant."""


def _not_as_meant(page: str) -> HoardError:
    return HoardError(
        f"The text would not stay inside its section of {page!r}: a heading, fence, comment or list in it reaches over the end.",
        "Use headings below the section's level, and close every fence.",
    )


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    return [line.rstrip("\r") for line in lines]


def _splice(document: Document, first: int, last: int, fresh: Sequence[str]) -> Splice:
    """Put lines in the place of the 1-based lines `first` to `last`; line ends are the file's own, and the file then ends in one."""
    end = document.line_end()
    lines = list(document.lines)
    if first > len(lines) and lines[-1] and end and not lines[-1].endswith("\r"):
        lines[-1] += end
    put = [line + end for line in fresh]
    below = lines[last:]
    if below and below[0].strip():
        below = [end, *below]  # what follows begins a block of its own
        put_last = first + len(put)
    else:
        put_last = first + len(put) - 1
    lines = [*lines[: first - 1], *put, *below]
    if not below or lines[-1]:
        lines.append("")
    return Splice("\n".join(lines).encode("utf-8", "surrogateescape"), first, put_last, first, last)


def _checked(before: Document, splice: Splice, writing: Writing, meant: Meant) -> bytes:
    """Return the new bytes when everything outside reads as before and nothing inside is above its rank or its level."""
    if not _is_as_meant(before, parse(splice.data), splice, writing, meant):
        raise _NotAsMeantError
    return splice.data


def _is_as_meant(before: Document, after: Document, splice: Splice, writing: Writing, meant: Meant) -> bool:
    old, new = _reading(before, writing, splice.old_first, splice.old_last), _reading(after, writing, splice.first, splice.last)
    inside = [h for h in after.headings if splice.first <= h.line <= splice.last]
    deeper = inside[1:] if meant.title else inside
    good = old == new and (not meant.title or bool(inside and (inside[0].title, inside[0].level) == (meant.title, meant.level)))
    good = good and all(heading.level > meant.level for heading in deeper) and bool(after.unclosed_fence) <= bool(before.unclosed_fence)
    headings, entries = _claims(after, writing.default)
    ranks = [RANK[c.src] for h, c in zip(after.headings, headings, strict=True) if splice.first <= h.line <= splice.last]
    for entry, claim in zip(after.entries, entries, strict=True):
        if splice.first <= entry.line <= splice.last:
            ranks.append(RANK[claim.src])
            good = (
                good and (entry.parent == NO_PARENT or after.entries[entry.parent].line >= splice.first) and entry.end_line <= splice.last
            )
    return good and bool(ranks) and max(ranks) <= meant.rank and min(ranks) > RANK[UNTAGGED]


def _reading(document: Document, writing: Writing, first: int, last: int) -> tuple[object, ...]:
    """What stands outside of some lines: headings, entries with their provenance, comments, marks that count for nothing."""
    headings, entries = _claims(document, writing.default)
    around_headings = [
        (h.level, h.title, h.tag, c.claim) for h, c in zip(document.headings, headings, strict=True) if not first <= h.line <= last
    ]
    around = [
        (e.kind, e.text.replace("\r", ""), c.claim) for e, c in zip(document.entries, entries, strict=True) if not first <= e.line <= last
    ]
    comments = [(c.inner, c.closed) for c in document.comments if not first <= c.line <= last]
    odd = [(m.inner, m.misplaced) for m in document.marks if m.misplaced and not first <= m.line <= last]
    return around_headings, around, comments, odd


def _sections(document: Document) -> str:
    names = [name for name in slugs(document) if name][:20]
    return f"Sections: {', '.join(names)}" if names else "The page has no sections; append_section makes one."
