"""The front matter of a wiki page, changed key by key: every other line stays as it is, and what is written is read back."""

from __future__ import annotations

from hoard_git.core import wikiops
from hoard_git.core.frontmatter import KNOWN, read_front_matter, trailing_comment, write_list, write_text
from hoard_git.core.markdown import parse, render
from hoard_git.core.model import RANK
from hoard_git.core.provenance import file_provenance, front_tag, provenances
from hoard_git.core.shellwords import shell_word
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.document import Document
    from hoard_git.core.frontmatter import Front
    from hoard_git.core.tags import Tag
    from hoard_git.core.wikiops import Operation

    Values = dict[str, str | tuple[str, ...] | None]


def set_values(data: bytes, document: Document, operation: Operation, page: str, default: Tag | None) -> bytes:
    """Set keys, or add one link to `links`; the same bytes when nothing differs.

    Raises HoardError for a page of the user's, for front matter that cannot be read, and for a source that would be raised.
    """
    front = read_front_matter(document)
    if front.faults:
        fault = front.faults[0]
        raise HoardError(
            f"The front matter of {page!r} is bad (line {fault.line}): {fault.what}.", f"Mend it first: hoard check {shell_word(page)}"
        )
    claim = file_provenance(document, default)
    if claim.src == "user":
        raise HoardError(f"{page!r} is the user's page; its front matter is not changed here.", "The user changes it: hoard commit --human")
    values: Values = dict(operation.values)
    if operation.op == wikiops.LINK:
        known = front.texts("links")
        if operation.to in known:
            return data
        values = {"links": (*known, operation.to)}
    _check_source(document, values, page, claim.src)
    values = {key: value for key, value in values.items() if _differs(front, key, value)}
    if not values:
        return data
    fresh = _write(document, front, values)
    if not _reads_as_meant(document, parse(fresh), front, values, default):
        raise HoardError(f"The front matter of {page!r} would not be read as meant.", "Change it by hand, then: hoard commit")
    return fresh


def _differs(front: Front, key: str, value: str | tuple[str, ...] | None) -> bool:
    known = front.get(key)
    if value is None or known is None:
        return (value is None) != (known is None)
    return known.texts != ((value,) if isinstance(value, str) else value) or known.kind != ("text" if isinstance(value, str) else "list")


def _check_source(document: Document, values: Values, page: str, claimed: str) -> None:
    """A source may fall and never rise; it, its date and its ttl count only together, and only where no heading's tag goes before them."""
    tag_keys = [key for key in ("src", "ts", "ttl", "ev") if key in values]
    if not tag_keys:
        return
    first = document.headings[0] if document.headings else None
    if first is not None and first.level == 1 and first.tag is not None:
        raise HoardError(
            f"The tag of the first heading says what {page!r} is, so {tag_keys[0]} in the front matter would count for nothing.",
            "Replace the section instead.",
        )
    wanted = values.get("src")
    if isinstance(wanted, str) and RANK[wanted] > RANK[claimed]:
        was = claimed or "untagged"
        raise HoardError(
            f"The source of {page!r} is {was} and cannot be raised to {wanted}.", "Untagged pages: hoard tag" if not claimed else "Keep it."
        )
    if front_tag(document) is None:
        raise HoardError(
            f"{page!r} has no source in its front matter, so {tag_keys[0]} would count for nothing.",
            f"Write src and ts into its front matter, then: hoard commit {shell_word(page)}",
        )


def _write(document: Document, front: Front, values: Values) -> bytes:
    lines, end = list(document.lines), document.line_end()
    fresh = {
        key: f"{key}: {write_text(value) if isinstance(value, str) else write_list(value)}"
        for key, value in values.items()
        if value is not None
    }
    for value in reversed(front.values):
        if value.key not in values:
            continue
        old = [line.removesuffix("\r") for line in lines[value.line - 1 : value.end_line]]
        notes = [line for line in old[1:] if line.lstrip()[:1] == "#"]
        line = fresh.pop(value.key, None)
        put = [] if line is None else [line + trailing_comment(old[0]) + end]
        lines[value.line - 1 : value.end_line] = [*put, *[note + end for note in notes]]
    added = [fresh[key] + end for key in KNOWN if key in fresh]
    if front.last:
        last = front.last + len(lines) - len(document.lines)
        lines[last - 1 : last - 1] = added
    else:
        mark = "\ufeff" if lines[0].startswith("\ufeff") else ""
        lines[0] = lines[0].removeprefix("\ufeff")
        lines = [f"{mark}---{end}", *added, f"---{end}", *lines]
    return render(document._replace(lines=tuple(lines)))


def _reads_as_meant(before: Document, after: Document, front: Front, values: Values, default: Tag | None) -> bool:
    now = read_front_matter(after)
    wanted = {value.key: (value.kind, value.texts) for value in front.values}
    for key, value in values.items():
        wanted.pop(key, None)
        if value is not None:
            wanted[key] = ("text", (value,)) if isinstance(value, str) else ("list", value)
    found = {value.key: (value.kind, value.texts) for value in now.values}
    return not now.faults and found == wanted and _body(before, default) == _body(after, default)


def _body(document: Document, default: Tag | None) -> object:
    """What stands below the front matter. Its provenance may follow the front matter's and is not looked at, only whether it has its own."""
    claims = provenances(document, default)
    entries = [(e.kind, e.text, e.tag, c.origin) for e, c in zip(document.entries, claims, strict=True) if e.kind != "front"]
    return entries, [(h.level, h.title, h.tag) for h in document.headings], [(c.inner, c.closed) for c in document.comments]
