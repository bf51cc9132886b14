"""What a search finds: one passage for each entry of a file, with the words around it that say what it is about.

A passage is known by its words, its headings and the items that it stands under, and not by its line or file. So an edit makes one new
passage, a move makes none, and the same entry in two files is one passage at two places.
"""

from __future__ import annotations

from hashlib import blake2b

from hoard_git.core.provenance import Provenance, heading_provenances, provenances
from hoard_git.core.record import Record
from hoard_git.core.slugs import slugs
from hoard_git.core.terms import columns, without_comments
from hoard_git.core.units import core_of, plain_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.core.document import Document, Entry
    from hoard_git.core.tags import Tag

_LONGEST_CONTEXT = 300
"""Characters of each heading, item or table head that a passage stands under."""
_MOST_PARENTS = 6


class Passage(Record):
    """One entry, or a heading that nothing stands under.

    `key` names it, `unit` names its words with its innermost heading, `meaning` its words alone. `text` is on one line, without list marker
    and comments; `words` and `pairs` are what the index keeps (core.terms). `slug` is that of its heading. Lines are 1-based and inclusive.
    """

    key: bytes
    unit: bytes
    meaning: bytes
    text: str
    words: str
    pairs: str
    kind: str
    line: int
    end_line: int
    slug: str
    provenance: Provenance


def digest(*parts: str) -> bytes:
    """Sixteen bytes that stand for some texts."""
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def bare(text: str) -> str:
    """The words of an entry as a search shows them: one line, no list marker, no comment, broken characters as U+FFFD."""
    text = core_of(without_comments(text))
    if text.isascii():
        return text
    return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)


def make_passage(text: str, titles: Sequence[str], around: Sequence[str] = ()) -> tuple[bytes, bytes, bytes, str, str, str]:
    """The first six values of a passage: `titles` are those of its headings, innermost last, `around` the items that it stands under."""
    words = bare(text)
    context = [bare(part)[:_LONGEST_CONTEXT] for part in (*titles, *around)]
    title = context[len(titles) - 1] if titles else ""
    found, pairs = columns(" ".join([*context, words]))
    return digest("passage", *context, words), unit_of(words, title), digest("meaning", words), words, found, pairs


def unit_of(words: str, title: str) -> bytes:
    """What is the same for an entry of today and one of history, of which no more than the innermost heading is known."""
    return digest("unit", title, words)


def find_passages(document: Document, default: Tag | None) -> Iterator[Passage]:
    """Every passage of a file, in the order of its lines but for headings, which come last. What has neither a word nor a sign is none."""
    titles = _title_paths(document)
    names = slugs(document)
    head: Entry | None = None
    before: Entry | None = None
    for entry, claim in zip(document.entries, provenances(document, default), strict=True):
        if entry.kind == "row":
            head = entry if before is None or before.kind != "row" or before.end_line + 1 != entry.line else head
        around = _parents(document, entry)
        if entry.kind == "row" and head is not None and head is not entry:
            around = [*around, head.text]
        before = entry
        made = make_passage(plain_text(entry), titles[entry.heading] if entry.heading >= 0 else (), around)
        if made[3] and (made[4] or made[5]):
            yield Passage(*made, entry.kind, entry.line, entry.end_line, names[entry.heading] if entry.heading >= 0 else "", claim)
    lived_in = _filled(document)
    for index, (heading, claim) in enumerate(zip(document.headings, heading_provenances(document, default), strict=True)):
        if index not in lived_in:
            made = make_passage(heading.title, titles[index][:-1])
            if made[3] and (made[4] or made[5]):
                yield Passage(*made, "heading", heading.line, heading.line, names[index], claim)


def _title_paths(document: Document) -> list[tuple[str, ...]]:
    paths: list[tuple[str, ...]] = []
    for heading in document.headings:
        above = paths[heading.parent] if heading.parent >= 0 else ()
        paths.append((*above, heading.title.strip()))
    return paths


def _parents(document: Document, entry: Entry) -> list[str]:
    found: list[str] = []
    at = entry.parent
    while at >= 0 and len(found) < _MOST_PARENTS:
        found.append(plain_text(document.entries[at]))
        at = document.entries[at].parent
    return found[::-1]


def _filled(document: Document) -> set[int]:
    """The headings that an entry stands under, at any depth."""
    found = set()
    for entry in document.entries:
        at = entry.heading
        while at >= 0 and at not in found:
            found.add(at)
            at = document.headings[at].parent
    return found
