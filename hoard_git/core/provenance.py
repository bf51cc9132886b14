"""Effective provenance: own tag, else the enclosing list item's, else the nearest heading's, else the file's, else the class default."""

from __future__ import annotations

from functools import lru_cache

from hoard_git.core.model import UNTAGGED
from hoard_git.core.record import Record
from hoard_git.core.tags import KEYS, Tag, find_value_problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.document import Document


class Provenance(Record):
    """What an entry or heading claims to be, and from where it has that.

    `origin` is `own`, `item`, `heading`, `file`, `class` or '' (untagged). `line` is the line of the deciding tag, 0 for a class default.
    `id` and `ev` are never inherited. `ttl` is as written; an empty one means the source's default.
    """

    src: str = UNTAGGED
    ts: str = "unknown"
    ttl: str = ""
    id: str = ""
    ev: str = ""
    stale: bool = False
    origin: str = ""
    line: int = 0

    @property
    def claim(self) -> tuple[str, str, str, str, str, bool, str]:
        """All but the line: equal for two places that claim the same."""
        return self[:7]


NOTHING = Provenance()


def front_tag(document: Document) -> Tag | None:
    """Return the tag that a front matter's own keys make, or None when they are absent or wrong.

    A key that stands twice makes no tag: YAML readers disagree about which one counts.
    """
    values: dict[str, str] = {}
    for key, value, _line in document.front:
        if key in KEYS:
            if key in values:
                return None
            values[key] = value
    if "src" not in values or find_value_problem(values):
        return None
    return Tag(values["src"], values["ts"], values.get("ttl", ""), values.get("id", ""), values.get("ev", ""))


def _from(tag: Tag, origin: str, line: int) -> Provenance:
    own = origin == "own"
    return Provenance(tag.src, tag.ts, tag.ttl, tag.id if own else "", tag.ev if own else "", tag.stale, origin, line)


def file_provenance(document: Document, default: Tag | None) -> Provenance:
    """What the whole file claims: its first heading's tag when that is of level 1, else its front matter's, else the class default."""
    first = document.headings[0] if document.headings else None
    if first is not None and first.level == 1 and first.tag is not None:
        return _from(first.tag, "file", first.line)
    front = front_tag(document)
    if front is not None:
        return _from(front, "file", document.entries[0].line)
    if default is not None:
        return _from(default, "class", 0)
    return NOTHING


def heading_provenances(document: Document, default: Tag | None) -> tuple[Provenance, ...]:
    """One per heading; `origin` is `own` for a heading with a tag of its own."""
    whole = file_provenance(document, default)
    found: list[Provenance] = []
    for heading in document.headings:
        if heading.tag is not None:
            found.append(_from(heading.tag, "own", heading.line))
        elif heading.parent >= 0:
            found.append(passed_on(found[heading.parent]))
        else:
            found.append(whole)
    return tuple(found)


@lru_cache(maxsize=1 << 10)
def passed_on(heading: Provenance) -> Provenance:
    """What stands under a heading inherits: the same claim without its id and evidence."""
    return heading._replace(origin="heading", id="", ev="") if heading.origin == "own" else heading


_MOST_KEPT = 16
_kept: dict[int, tuple[Document, Tag | None, tuple[Provenance, ...]]] = {}
"""Answers about the documents that were asked about last, each kept with its document so that the identity stays its own: several rules ask."""


def provenances(document: Document, default: Tag | None) -> tuple[Provenance, ...]:
    """One per entry, in the document's order."""
    known = _kept.get(id(document))
    if known is not None and known[1] == default:
        return known[2]
    found = _provenances(document, default)
    _kept[id(document)] = document, default, found
    if len(_kept) > _MOST_KEPT:
        _kept.pop(next(iter(_kept)))
    return found


def count_untagged(document: Document, default: Tag | None) -> int:
    """How many entries that could have a tag have no provenance; `default` is what the file counts as without a tag.

    Front matter and what stands in a region that another program keeps are never tagged.
    """
    return sum(
        not claim.src and entry.kind != "front" and not document.in_region(entry.line)
        for entry, claim in zip(document.entries, provenances(document, default), strict=True)
    )


def _provenances(document: Document, default: Tag | None) -> tuple[Provenance, ...]:
    whole = file_provenance(document, default)
    under = [passed_on(provenance) for provenance in heading_provenances(document, default)]
    found: list[Provenance] = []
    for entry in document.entries:
        if entry.tag is not None:
            found.append(_from(entry.tag, "own", entry.tag_line))
        elif entry.parent >= 0 and found[entry.parent].origin in ("own", "item"):
            found.append(found[entry.parent]._replace(origin="item", id="", ev=""))
        else:
            found.append(under[entry.heading] if entry.heading >= 0 else whole)
    return tuple(found)


def section_provenances(document: Document, first: int, stop: int, inherited: Provenance) -> list[Provenance]:
    """The same for the entries `first` to `stop` - 1 of one section, whose heading passes `inherited` on; a list never crosses sections."""
    found: list[Provenance] = []
    for entry in document.entries[first:stop]:
        if entry.tag is not None:
            found.append(_from(entry.tag, "own", entry.tag_line))
        elif entry.parent >= first and found[entry.parent - first].origin in ("own", "item"):
            found.append(found[entry.parent - first]._replace(origin="item", id="", ev=""))
        else:
            found.append(inherited)
    return found


def deciding_tag(document: Document, provenance: Provenance) -> Tag | None:
    """Return the tag that a provenance of this document comes from; None for a class default and for what is untagged."""
    if not provenance.line:
        return None
    for heading in document.headings:
        if heading.line == provenance.line:
            return heading.tag
    for entry in document.entries:
        if entry.tag is not None and entry.tag_line == provenance.line:
            return entry.tag
    return front_tag(document)
