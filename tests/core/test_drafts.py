"""Lines that remember where they came from."""

from __future__ import annotations

import gzip

import pytest

from hoard_git.core.archivedlogs import is_whole
from hoard_git.core.drafts import Draft, Drafts, Kept, Piece
from hoard_git.core.policy import DEFAULT
from hoard_git.errors import HoardError
from tests.support.upkeep import day_number, drafts_of, texts


def test_lines_keep_their_origin_through_cuts_and_inserts() -> None:
    draft = Draft("MEMORY.md", "index", None, b"a\nb\nc\n")

    draft.cut([(1, 1)])
    draft.insert(0, Piece.fresh(["new"]))

    assert draft.data == b"new\nb\nc\n"
    assert [draft.place(line) for line in (1, 2, 3)] == [("MEMORY.md", 0), ("MEMORY.md", 2), ("MEMORY.md", 3)]


def test_a_change_that_is_taken_back_is_none() -> None:
    drafts = drafts_of({"MEMORY.md": "a\n"}, "2026-06-15")
    draft = drafts["MEMORY.md"]

    draft.replace(1, "b")
    assert texts(drafts) == {"MEMORY.md": "b\n"}
    draft.replace(1, "a")
    assert texts(drafts) == {}


def test_append_sets_apart_and_ends_in_a_newline() -> None:
    draft = Draft("a.md", "topic", None, b"one\n\n\n")
    draft.append(Piece.fresh(["two"]))
    assert draft.data == b"one\n\ntwo\n"

    fresh = Draft("b.md", "topic", None, None)
    fresh.append(Piece.fresh(["first"]))
    assert fresh.data == b"first\n"


def test_line_ends_become_those_of_the_file() -> None:
    windows = Draft("a.md", "topic", None, b"one\r\ntwo\r\n")
    windows.append(Piece.fresh(["three"]))
    assert windows.data == b"one\r\ntwo\r\n\r\nthree\r\n"

    open_end = Draft("c.md", "topic", None, b"one\r\ntwo")
    open_end.append(Piece.fresh(["three"]))
    assert open_end.data == b"one\r\ntwo\r\n\r\nthree\r\n"

    unix = Draft("b.md", "topic", None, b"one\n")
    unix.append(Piece.fresh(["two\r", "three\r"]))
    assert unix.data == b"one\n\ntwo\nthree\n"


def test_a_deleted_file_is_an_edit_and_can_come_back() -> None:
    drafts = drafts_of({"memory/a.md": "x\n"}, "2026-06-15")
    drafts["memory/a.md"].delete()
    assert texts(drafts) == {"memory/a.md": None}
    assert "memory/a.md" not in drafts
    assert list(drafts) == []

    drafts.open("memory/a.md", "topic").append(Piece.fresh(["y"]))
    assert texts(drafts) == {"memory/a.md": "y\n"}


def test_a_new_file_that_is_deleted_again_is_no_edit() -> None:
    drafts = drafts_of({}, "2026-06-15")
    drafts.open("memory/a.md", "topic").append(Piece.fresh(["y"]))
    drafts["memory/a.md"].delete()
    assert texts(drafts) == {}


PACKED = "memory/archive/logs/2026-01-01.md.gz"
NAME = PACKED.removesuffix(".gz")


def packed(data: bytes) -> Drafts:
    return Drafts([Kept(PACKED, "archive", data, None)], DEFAULT, day_number("2026-06-15"))


@pytest.mark.parametrize("text", ["# Log\n\n- one", "# Log\n\n- one\n"])
def test_a_packed_file_is_looked_at_without_being_touched(text: str) -> None:
    drafts = packed(gzip.compress(text.encode()))
    draft = drafts.peek(PACKED)
    assert (draft.path, draft.data.decode(), draft.length) == (NAME, text, 3)
    assert (draft.place(1), draft.place(3)) == ((PACKED, 1), (PACKED, 3))
    assert drafts.peek(PACKED) is draft
    assert NAME not in drafts
    assert drafts.edits() == {}


def test_an_unpacked_file_takes_the_place_of_the_packed_one_and_can_go_back() -> None:
    drafts = packed(gzip.compress(b"- one\n"))
    draft = drafts.unpack(PACKED)
    assert texts(drafts) == {PACKED: None, NAME: "- one\n"}
    assert (drafts.packed(), NAME in drafts) == ([], True)
    drafts.repack(draft)
    assert drafts.edits() == {}
    assert (drafts.packed(), NAME in drafts) == ([PACKED], False)


def test_damaged_gzip_is_no_log_and_not_an_empty_one() -> None:
    drafts = packed(gzip.compress(b"- one\n" * 99)[:-12])
    with pytest.raises(HoardError, match=r"2026-01-01\.md\.gz"):
        drafts.peek(PACKED)
    assert not is_whole(drafts, PACKED)
    assert is_whole(packed(gzip.compress(b"- one\n")), PACKED)
