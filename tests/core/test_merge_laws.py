"""Laws of the merge over random files and edits: the same both ways, nothing lost, nothing invented, no source raised."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hoard_git.core.align import Side, units
from hoard_git.core.markdown import parse
from hoard_git.core.merge import CannotMerge, Merged, merge
from hoard_git.core.model import RANK

WORDS = ("node", "wiki", "backup", "mail", "port", "queue")
SOURCES = ("user", "agent", "tool", "web", "dig")

tags = st.one_of(
    st.just(""),
    st.builds(" <!-- src:{} ts:2026-06-0{} -->".format, st.sampled_from(SOURCES), st.integers(1, 9)),
    st.builds(" <!-- src:{} ts:2026-06-0{} ttl:{}d -->".format, st.sampled_from(SOURCES), st.integers(1, 9), st.integers(1, 99)),
)
words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
items = st.builds("- {} {}{}\n".format, words, st.integers(0, 30), tags)
pieces = st.one_of(
    items,
    items,
    items,
    st.builds("- {} {}\n  - {}\n".format, words, st.integers(0, 30), words),
    st.builds("\n{} {}\n{}{}\n\n".format, words, st.integers(0, 30), words, tags),
    st.builds("\n| {} | v |\n|---|---|\n| {} | 1 |\n\n".format, words, words),
    st.builds("\n```\n{}\n```\n\n".format, words),
    st.builds("\n<!-- {} -->\n".format, words),
    st.builds("\n<!-- {0}:start -->\n- {1}\n<!-- {0}:end -->\n\n".format, st.sampled_from(WORDS), words),
    st.builds("\n{} {}{}\n\n".format, st.sampled_from(("##", "##", "###")), words, tags),
)
files = st.lists(pieces, max_size=10)
edits = st.lists(st.tuples(st.sampled_from(("add", "drop", "swap", "move")), st.integers(0, 12), st.integers(0, 12), pieces), max_size=4)


def edited(base: list[str], changes: list[tuple[str, int, int, str]]) -> bytes:
    found = list(base)
    for kind, at, to, piece in changes:
        if kind == "add":
            found.insert(at, piece)
        elif at < len(found):
            old = found.pop(at)
            if kind == "swap":
                found.insert(at, piece)
            elif kind == "move":
                found.insert(to, old)
    return "".join(found).encode()


def facts(data: bytes) -> dict[str, int]:
    """Each entry's text with its highest rank."""
    found: dict[str, int] = {}
    for unit in units(Side("MEMORY.md", "index", parse(data)))[1]:
        found[unit.text] = max(found.get(unit.text, 0), RANK[unit.provenance.src])
    return found


def tried(base: bytes | None, one: bytes, other: bytes) -> Merged | str:
    try:
        return merge(base, one, other)
    except CannotMerge as reason:
        return str(reason)


@settings(max_examples=150, deadline=None)
@given(files, edits, edits, st.booleans())
def test_the_laws(base: list[str], left: list[tuple[str, int, int, str]], right: list[tuple[str, int, int, str]], has_base: bool) -> None:
    old = "".join(base).encode() if has_base else None
    one, other = edited(base, left), edited(base, right)
    assume(one != other)
    merged, swapped = tried(old, one, other), tried(old, other, one)
    assert merged == swapped
    if isinstance(merged, str):
        return
    before, ours, theirs, here = facts(old or b""), facts(one), facts(other), facts(merged.data)
    gave_way = {lost.words for lost in merged.lost}
    for side, opposite in ((ours, theirs), (theirs, ours)):
        lost = [text for text in side if text not in here and text not in gave_way and (text in opposite or text not in before)]
        assert lost == []
    assert [text for text in here if text not in ours and text not in theirs] == []
    highest = {text: max(ours.get(text, 0), theirs.get(text, 0)) for text in here}
    assert [text for text, rank in here.items() if rank > max(highest[text], RANK["dig"])] == []


@given(files, edits)
def test_a_side_that_changed_nothing(base: list[str], changes: list[tuple[str, int, int, str]]) -> None:
    old, new = "".join(base).encode(), edited(base, changes)
    assert merge(old, old, new).data == new
    assert merge(old, new, old).data == new
    assert merge(old, new, new).data == new
    assert merge(None, new, new).data == new
