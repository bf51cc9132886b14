"""What goes with a section or an entry that is taken out, and what stays."""

from __future__ import annotations

import pytest

from hoard_git.core.archiving import archive_entries, archive_sections
from hoard_git.core.markdown import parse
from hoard_git.core.removal import remove_entries, remove_husks, remove_sections, tables
from tests.support.upkeep import drafts_of, texts

NOTE = "<!-- hoard:archived from:memory/a.md#one on:2026-06-01 reason:expired -->"


@pytest.mark.parametrize("head", ["", "# Archive\n\n", "text\n\n"])
def test_the_note_above_a_section_goes_with_it_in_the_first_line_too(head: str) -> None:
    drafts = drafts_of({"memory/a.md": f"{head}{NOTE}\n## One\n\n- a\n\n## Two\n\n- b\n"}, "2026-06-15")
    draft = drafts["memory/a.md"]
    heading = next(number for number, heading in enumerate(draft.document.headings) if heading.title == "One")
    assert remove_sections(draft, [heading])
    assert texts(drafts) == {"memory/a.md": f"{head}## Two\n\n- b\n"}


@pytest.mark.parametrize(
    ("before", "entry", "after"),
    [
        ("- a\n- b\n- c\n", 1, "- a\n- c\n"),
        ("one\n\ntwo\n\nthree\n", 1, "one\n\nthree\n"),
        ("one\n\ntwo\n", 0, "two\n"),
        ("- a\n\n- b\n\n\n- c\n", 1, "- a\n\n- c\n"),
        ("text\n- a\nmore\n", 1, "text\n"),
        ("one\n- a\n\ntwo\n", 1, "one\n\ntwo\n"),
        ("one\n```\ncode\n```\ntwo\n", 1, "one\n\ntwo\n"),
        ("one\r\n```\r\ncode\r\n```\r\ntwo\r\n", 1, "one\r\n\r\ntwo\r\n"),
        ("one\n\n- a\ntwo\n\n\nthree\n", 1, "one\n\nthree\n"),
    ],
)
def test_blank_lines_behind_what_goes_do_not_pile_up(before: str, entry: int, after: str) -> None:
    drafts = drafts_of({"MEMORY.md": before}, "2026-06-15")
    assert remove_entries(drafts["MEMORY.md"], {entry})
    assert texts(drafts) == {"MEMORY.md": after}


def test_tables_are_told_apart() -> None:
    page = "| a |\n|---|\n| b |\n| c |\n\n- item\n\n| d |\n|---|\n\ntext\n\n| e |\n|---|\n| f |\n"
    document = parse(page.encode())
    words = [[document.entries[number].text[2] for number in rows] for rows in tables(document)]
    assert words == [["a", "b", "c"], ["d"], ["e", "f"]]
    assert tables(parse(b"# T\n\ntext\n\n- item\n")) == []


@pytest.mark.parametrize("gone", [{2}, {2, 3}, {3}])
def test_rows_that_leave_without_their_head_take_the_tag_of_the_table_along_each(gone: set[int]) -> None:
    tag = "<!-- src:web ts:2026-01-01 -->"
    rows = ["| a |\n|---|\n", "| 1 |\n", "| 2 |\n", "| 3 |\n"]
    drafts = drafts_of({"MEMORY.md": f"# M\n\n{tag}\n{''.join(rows)}"}, "2026-06-15")
    assert archive_entries(drafts, "MEMORY.md", gone, "expired") == "memory/archive/2026-06-15.md"
    after = texts(drafts)
    assert after["MEMORY.md"] == f"# M\n\n{tag}\n{''.join(row for number, row in enumerate(rows) if number not in gone)}"
    moved = "\n".join(f"{tag}\n{rows[number]}" for number in sorted(gone))
    assert (after["memory/archive/2026-06-15.md"] or "").endswith(f"## M\n\n{moved}")


def test_the_note_above_an_entry_goes_with_it() -> None:
    drafts = drafts_of({"memory/a.md": f"# Archive\n\n- z\n\n{NOTE}\n- a\n\n- b\n"}, "2026-06-15")
    assert remove_entries(drafts["memory/a.md"], {1})
    assert texts(drafts) == {"memory/a.md": "# Archive\n\n- z\n\n- b\n"}


def test_an_empty_heading_goes_unless_something_would_read_differently() -> None:
    drafts = drafts_of({"a.md": "# T\n\n## A\n\n## B\n\n- b\n", "MEMORY.md": "- a\n## A\n  ## B\n  text\n"}, "2026-06-15")
    for draft in drafts:
        remove_husks(draft, {"## A"})
    assert texts(drafts) == {"a.md": "# T\n\n## B\n\n- b\n"}


def test_what_cannot_be_taken_out_is_not_archived_either() -> None:
    drafts = drafts_of({"MEMORY.md": "- it is up\n<!-- src:web ts:2026-06-01 -->\n- it is up\n> said so\n"}, "2026-06-15")
    assert archive_entries(drafts, "MEMORY.md", [1], "expired") == ""
    assert texts(drafts) == {}
    assert archive_entries(drafts, "MEMORY.md", [2], "expired") == "memory/archive/2026-06-15.md"


def test_a_section_in_which_a_fence_stays_open_is_not_archived_and_neither_are_those_with_it() -> None:
    text = "# M\n\n## Closed <!-- src:agent ts:2026-01-01 -->\n\n- a fact\n\n## Open <!-- src:agent ts:2026-01-01 -->\n\n```\ncode\n"
    drafts = drafts_of({"MEMORY.md": text}, "2026-06-15")
    assert archive_sections(drafts, "MEMORY.md", [1, 2], "expired") == ""
    assert texts(drafts) == {}  # nothing has changed
    assert archive_sections(drafts, "MEMORY.md", [1], "expired") == "memory/archive/2026-06-15.md"
