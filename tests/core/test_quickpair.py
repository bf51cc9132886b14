"""The quick comparison of two pieces says what the thorough one of two files says."""

from __future__ import annotations

import pytest

from hoard_git.core.chunks import Chunks
from hoard_git.core.lineage import FileChange
from hoard_git.core.quickpair import QuickPairs, find_pairs, quick_changes
from hoard_git.core.versions import Piece, Version, splice
from tests.core.test_align import AGENT, WEB, kinds

NAMED = "<!-- src:agent ts:2026-06-01 id:aaa111 -->"
DATED = AGENT.replace("06-01", "06-02")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("- one old fact", "- one new fact", [("edit",)]),
        (f"- one {WEB}", f"- one {AGENT}", [("retag",)]),
        (f"- one {AGENT}", f"- one {DATED}", [("retime",)]),
        (f"- one old fact {WEB}", f"- one new fact {AGENT}", [("retag", "edit")]),
        (f"- one old fact {AGENT}", f"- one new fact {DATED}", [("edit", "retime")]),
        ("- alpha beta gamma", "- delta epsilon zeta", [("add",), ("remove",)]),
        ("- one", "- one\n- two", [("add",)]),
        ("- one\n- two", "- one", [("remove",)]),
        ("- one", "- one", []),
    ],
)
def test_one_entry(before: str, after: str, expected: list[tuple[str, ...]]) -> None:
    old, new = (f"# M <!-- src:agent ts:2026-05-01 -->\n\n- first\n{part}\n- last\n" for part in (before, after))
    assert quickly(old, new) == expected
    assert kinds(old, new) == expected


def quickly(old: str, new: str) -> list[tuple[str, ...]] | None:
    """The kinds of the changes that the short cut finds between the pieces that differ; None where it does not apply."""
    chunks = Chunks()
    version = Version("", old.encode(), [Piece(chunk, ()) for chunk in chunks.cut(old.encode())])
    cut = splice(version, new.encode(), chunks)
    change = FileChange("MEMORY.md", "index", None, version, cut)
    pieces = cut.new or [version.pieces[0].chunk]
    (old_piece, new_piece) = version.pieces[cut.first if cut.new else 0].chunk, pieces[0]
    pairs = find_pairs(old_piece, new_piece)
    return None if pairs is None else [(found.kind, *found.also) for found in quick_changes(change, pairs, old_piece, new_piece)]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("- one old fact", "- one new fact", [("edit",)]),
        (f"- one {WEB}", f"- one {AGENT}", [("retag",)]),
        ("- one", "- one\n- two", [("add",)]),
        ("- one\n- two", "- one", [("remove",)]),
        ("- one\n  - deep", "- one\n  - deeper", None),
        ("- one\n  - deep", "- one and more\n  - deep", None),
        ("- one\n- two", "- three\n- four", None),
        ("- one", "- one\n- two\n- three", None),
        (f"- one {NAMED}", f"- one {NAMED.replace('aaa', 'bbb')}", [("retag",)]),
        (f"- one old fact {NAMED}", f"- one new fact {NAMED.replace('aaa', 'bbb')}", [("edit",)]),
        (f"- alpha beta gamma {NAMED}", f"- delta epsilon zeta {NAMED}", [("edit",)]),
        (f"- alpha beta gamma {NAMED}", f"- delta epsilon zeta {NAMED.replace('aaa', 'bbb')}", [("add",), ("remove",)]),
        ("- one <!-- src:agent ts:2026-05-01 -->", "- one", [("retag",)]),
    ],
)
def test_one_entry_beside_a_paragraph(before: str, after: str, expected: list[tuple[str, ...]] | None) -> None:
    old, new = (f"# M <!-- src:agent ts:2026-05-01 -->\n\nA paragraph.\n\n- first\n{part}\n- last\n" for part in (before, after))
    assert quickly(old, new) == expected
    if expected is not None:
        assert kinds(old, new) == expected


def test_another_heading_is_left_to_the_thorough_comparison() -> None:
    old = "# M\n\n- first\n"
    assert quickly(old, old.replace("# M", "# N")) is None
    assert quickly(old + "\nText.\n", old.replace("# M", "# N") + "\nText.\n") is None


def test_an_entry_that_went_under_another_heading_is_left_to_the_thorough_comparison() -> None:
    """A piece holds several headings where one is underlined."""
    old = "# M\n\n- a\n- x\n\nPart\n====\n\n- b\n"
    new = "# M\n\n- a\n\nPart\n====\n\n- x\n- b\n"
    assert quickly(old, new) is None
    assert kinds(old, new) == [("move",)]


def test_a_file_that_is_new_or_went_has_no_two_sides() -> None:
    version = Version("", b"# M\n", [Piece(chunk, ()) for chunk in Chunks().cut(b"# M\n")])
    cut = splice(version, b"# N\n", Chunks())
    assert FileChange("MEMORY.md", "index", None, version, cut).sides == (version, cut)
    for change in (FileChange("MEMORY.md", "index", None, None, cut), FileChange("MEMORY.md", "index", None, version, None)):
        with pytest.raises(ValueError, match="one side"):
            _ = change.sides


def test_all_but_the_pair_are_as_they_were() -> None:
    assert list(QuickPairs(1, 1).same(3, 3)) == [(0, 0), (2, 2)]
    assert list(QuickPairs(-1, 1).same(2, 3)) == [(0, 0), (1, 2)]
    assert list(QuickPairs(1, -1).same(3, 2)) == [(0, 0), (2, 1)]
    assert list(QuickPairs(-1, -1).same(2, 2)) == [(0, 0), (1, 1)]
