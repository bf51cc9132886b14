"""A new wiki page, and what an existing one says about itself."""

from __future__ import annotations

from hoard_git.core.frontmatter import read_front_matter, write_list, write_text
from hoard_git.core.markdown import parse
from hoard_git.core.provenance import Provenance, file_provenance, front_tag, heading_provenances
from hoard_git.core.record import Record
from hoard_git.core.slugs import slug, slugs
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.core.document import Document
    from hoard_git.core.tags import Tag

_LONGEST_NAME = 100
"""Characters of a page's file name without its suffix."""


class Section(Record):
    """One heading of a page: its slug, title, level, 1-based line and provenance."""

    name: str
    title: str
    level: int
    line: int
    provenance: Provenance


class Page(Record):
    """What a page says about itself. `title` is the front matter's, else the first heading's, else the file's name."""

    title: str
    tags: tuple[str, ...]
    links: tuple[str, ...]
    provenance: Provenance
    sections: tuple[Section, ...]
    id: str = ""


def read_page(document: Document, path: str, default: Tag | None) -> Page:
    """Read a page; front matter that is bad is taken as far as it can be read (HG804 reports it)."""
    front = read_front_matter(document)
    value = front.get("title")
    first = document.headings[0].title if document.headings else ""
    title = (value.text if value is not None else "") or first or path.rpartition("/")[2].removesuffix(".md")
    sections = tuple(
        Section(name, heading.title, heading.level, heading.line, claim)
        for name, heading, claim in zip(slugs(document), document.headings, heading_provenances(document, default), strict=True)
    )
    tag = front_tag(document)
    return Page(
        title, front.texts("tags"), front.texts("links"), file_provenance(document, default), sections, tag.id if tag is not None else ""
    )


def file_name(title: str) -> str:
    """The file name for a page of this title. Raises HoardError for a title without words."""
    name = slug(title)[:_LONGEST_NAME].strip("-_.")
    if not name:
        raise HoardError(f"The title {title[:80]!r} has no words to make a file name of.", "hoard wiki new TITLE --file wiki/NAME.md")
    return name + ".md"


def make_page(title: str, tag: Tag, tags: Sequence[str], text: str) -> bytes:
    """The bytes of a new page: front matter with the source and date of the whole page, the title as heading, the text.

    Raises HoardError when it would not be read as one page of that source.
    """
    lines = ["---", f"title: {write_text(title)}", f"src: {tag.src}", f"ts: {tag.ts}"]
    lines += [f"{key}: {value}" for key, value in (("ttl", tag.ttl), ("id", tag.id), ("ev", write_text(tag.ev) if tag.ev else "")) if value]
    lines += [f"tags: {write_list(tags)}", "links: []", "---", "", f"# {title}"]
    body = text.strip("\n")
    data = ("\n".join([*lines, *(["", body] if body.strip() else [])]) + "\n").encode("utf-8", "surrogateescape")
    document = parse(data)
    page = read_page(document, "", None)
    claims = {claim.src for claim in heading_provenances(document, None)}
    deeper = all(heading.level > 1 for heading in document.headings[1:])
    is_read = not read_front_matter(document).faults and page.title == title and page.provenance.src == tag.src
    is_read = is_read and document.headings[0].title == title
    if not is_read or claims != {tag.src} or not deeper or document.unclosed_fence or document.marks or document.comments:
        raise HoardError(
            "The page would not be read as meant.",
            "A plain title of one line; in the text headings from ## on, closed fences, no comments.",
        )
    return data
