"""Which of several lost blocks that one name fits are one and the same: a block that was moved and archived leaves several traces."""

from __future__ import annotations

from hoard_git.core.pointers import is_pointer
from hoard_git.core.record import Record
from hoard_git.core.removal import section_entries, section_lines
from hoard_git.core.sameness import is_sentence, same_form
from hoard_git.core.slugs import slug
from hoard_git.core.units import core_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.core.restoring import Kept


class Trace(Record):
    """One block as history knows it: its number there, the newest event that it has part in (`EventRow.when`), and its last active version."""

    fact: int
    when: tuple[int, str]
    kept: Kept | None


def distinct(traces: Sequence[Trace]) -> list[Trace]:
    """One trace for each block, in the order given: the newest of those that hold the same.

    A section inside another one of the same name comes back with that, and the line that compression leaves behind (`-> 12 facts in ...`)
    stands for the section that it points to. Short entries are the same under headings of one name only.
    """
    inner = {trace.fact for trace in traces if any(_is_inside(trace, other) for other in traces)}
    traces = [trace for trace in traces if trace.fact not in inner]
    named = {_title(trace.kept) for trace in traces if trace.kept is not None and trace.kept.is_heading and not _points(trace.kept)}
    newest: dict[object, Trace] = {}
    for trace in traces:
        kept = trace.kept
        if kept is not None and kept.is_heading and _points(kept) and _title(kept) in named:
            continue
        key = trace.fact if kept is None else _key(kept)
        if key not in newest or newest[key].when < trace.when:
            newest[key] = trace
    chosen = {trace.fact for trace in newest.values()}
    return [trace for trace in traces if trace.fact in chosen]


def _is_inside(trace: Trace, other: Trace) -> bool:
    one, two = trace.kept, other.kept
    if one is None or two is None or one is two or one.document is not two.document or not (one.is_heading and two.is_heading):
        return False
    first, last = section_lines(two.document, two.at)
    return one.at != two.at and first < one.line <= last and _title(one) == _title(two)


def _title(kept: Kept) -> str:
    document = kept.document
    at = kept.at if kept.is_heading else document.entries[kept.at].heading
    return slug(document.headings[at].title) if at >= 0 else ""


def _points(kept: Kept) -> bool:
    """Whether nothing but pointers to other files stands under a heading."""
    document = kept.document
    texts = [document.entries[number].text for number in section_entries(document, kept.at)]
    return bool(texts) and all(is_pointer(text) for text in texts)


def _key(kept: Kept) -> object:
    own = kept.provenance
    if own.id and own.origin == "own":
        return own.id
    document = kept.document
    if kept.is_heading:
        words = sorted(core_of(document.entries[number].text) for number in section_entries(document, kept.at))
        return _title(kept), tuple(words)
    text = document.entries[kept.at].text
    return core_of(text).casefold(), "" if is_sentence(same_form(text)) else _title(kept)
