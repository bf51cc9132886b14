"""Where a new entry goes in a memory file: under its heading, read back to be sure that it is one entry and that nothing else changed."""

from __future__ import annotations

from hoard_git.core.markdown import parse
from hoard_git.core.provenance import provenances
from hoard_git.core.record import Record
from hoard_git.core.slugs import slug
from hoard_git.core.tags import Tag, render_tag
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.document import Document


class Placed(Record):
    """A file with a new entry: the 1-based numbers of its line and of the first and last line put in, and how many headings are among them."""

    data: bytes
    line: int
    first: int
    last: int
    headings: int = 0


def place_entry(old: bytes, text: str, tag: Tag, heading: str, title: str) -> Placed:
    """Add one list item to a file and return the new bytes.

    It goes to the end of what stands directly under the heading called `heading` ('': under the very text `<ts> Notes` with a tag of that
    source); a heading that is not there is made at the end with a tag of that source and day, in an empty file below the title `title`. Line ends are the
    file's own. Raises HoardError when several headings have that name, or when no place can be found where it would read as one entry.
    """
    document = parse(old)
    name = heading or f"{tag.ts} Notes"
    at = _find_heading(document, name, "" if heading else tag.src)
    item = f"- {text} {render_tag(tag)}"
    for placed in _candidates(document, at, name, tag, item, title):
        if _reads_as_meant(document, placed, text, tag):
            return placed
    if document.unclosed_fence:
        raise HoardError(
            f"Line {document.unclosed_fence} opens a code fence that is never closed; an entry would be code.", "Close it with ```"
        )
    if any(not comment.closed for comment in document.comments):
        raise HoardError("The file ends inside a comment that is never closed; an entry would be hidden in it.", "Close it with -->")
    raise HoardError("This text would not be read as one entry of a list.", "Put it in plain words, or write it into the file yourself.")


def _candidates(document: Document, at: int, name: str, tag: Tag, item: str, title: str) -> Iterator[Placed]:
    """Under the heading, there with a blank line before it, and under a new heading at the end."""
    end = document.line_end()
    if at >= 0:
        after = _end_of_section(document, at)
        yield _insert(document, after, [item], end)
        yield _insert(document, after, ["", item], end)
        return
    lines = list(document.lines)
    while lines and not lines[-1].strip():
        lines.pop()
    fresh = [""] if lines else [f"# {title}", ""]
    yield _insert(document, len(lines), [*fresh, f"## {name}  {render_tag(Tag(tag.src, tag.ts))}", item], end)._replace(headings=len(fresh))


def _insert(document: Document, after: int, fresh: list[str], end: str) -> Placed:
    """Put lines below the line `after` (0: at the top); the file then ends in a newline."""
    lines = list(document.lines)
    if 0 < after == len(lines) and end and not lines[-1].endswith("\r"):
        lines[-1] += end  # the last line had no end at all; it gets the file's
    lines[after:after] = [line + end for line in fresh]
    if lines[-1]:
        lines.append("")
    last = after + len(fresh)
    return Placed("\n".join(lines).encode("utf-8", "surrogateescape"), last, after + 1, last)


def _reads_as_meant(before: Document, placed: Placed, text: str, tag: Tag) -> bool:
    """One entry more, with our tag, and everything else as it was: entries with their provenance, headings, comments."""
    after = parse(placed.data)
    kept = [(h.level, h.title) for h in after.headings if not placed.first <= h.line <= placed.last]
    made = len(after.headings) - len(kept)
    if kept != [(h.level, h.title) for h in before.headings] or made != placed.headings:
        return False
    old = [
        (entry.kind, entry.text.rstrip("\r"), found.claim) for entry, found in zip(before.entries, provenances(before, None), strict=True)
    ]
    new = []
    ours = 0
    for entry, found in zip(after.entries, provenances(after, None), strict=True):
        if entry.line == placed.line:
            ours += entry.kind == "item" and entry.end_line == entry.line and entry.tag == tag and entry.text.rstrip("\r") == f"- {text}"
        else:
            new.append((entry.kind, entry.text.rstrip("\r"), found.claim))
    comments = [[(c.inner, c.closed) for c in side.comments] for side in (before, after)]
    return ours == 1 and new == old and comments[0] == comments[1]


def _find_heading(document: Document, title: str, source: str) -> int:
    """The heading of this name: the exact title first, else the same slug. -1 when there is none.

    With a source, only the exact title with a tag of that source will do: a slug leaves the day out.
    """
    found = [
        index
        for index, heading in enumerate(document.headings)
        if (heading.title == title or (not source and slug(heading.title) == slug(title)))
        and (not source or (heading.tag is not None and heading.tag.src == source))
        and not document.in_region(heading.line)
    ]
    exact = [index for index in found if document.headings[index].title == title]
    if len(exact or found) > 1 and not source:
        places = ", ".join(str(document.headings[index].line) for index in exact or found)
        raise HoardError(f"Several headings are called {title!r} (lines {places}).", "Rename one of them, or add the line by hand.")
    return (exact or found or [-1])[-1]


def _end_of_section(document: Document, heading: int) -> int:
    """The number of the last line that stands directly under a heading, the heading's own when there is nothing."""
    last = document.headings[heading].line
    for entry in document.entries:
        if entry.heading == heading:
            last = max(last, entry.end_line)
    for region in document.regions:
        if region.line <= last <= region.end_line:
            last = region.end_line
    return last
