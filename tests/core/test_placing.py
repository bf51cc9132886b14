"""Where a new entry goes, and that it always reads as one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoard_git.core.markdown import parse
from hoard_git.core.placing import place_entry
from hoard_git.core.provenance import provenances
from hoard_git.core.tags import Tag
from hoard_git.errors import HoardError

AGENT = Tag("agent", "2026-06-15", "", "abc234")
MARK = "<!-- src:agent ts:2026-06-15 id:abc234 -->"
HEADING = "<!-- src:agent ts:2026-06-15 -->"


def placed(old: str, text: str = "Fact", heading: str = "", tag: Tag = AGENT) -> str:
    return place_entry(old.encode(), text, tag, heading, "MEMORY.md").data.decode()


def test_an_empty_file_gets_a_title_and_a_heading_of_the_source() -> None:
    result = place_entry(b"", "Fact", AGENT, "", "new")

    assert result.data.decode() == f"# new\n\n## 2026-06-15 Notes  {HEADING}\n- Fact {MARK}\n"
    assert (result.line, result.first, result.last) == (4, 1, 4)


def test_a_second_fact_of_the_day_follows_the_first() -> None:
    assert placed(placed(""), "Second").endswith(f"- Fact {MARK}\n- Second {MARK}\n")


def test_notes_of_another_source_are_another_heading() -> None:
    web = Tag("web", "2026-06-15", "", "abc235")

    assert placed(placed(""), "Seen", tag=web).endswith(
        "\n\n## 2026-06-15 Notes  <!-- src:web ts:2026-06-15 -->\n- Seen <!-- src:web ts:2026-06-15 id:abc235 -->\n"
    )


def test_below_what_stands_directly_under_the_heading() -> None:
    old = "# M\n\n## A <!-- src:agent ts:2026-06-01 -->\n\n- One\n\n### Below\n\n- Two\n\n## B\n"

    assert placed(old, heading="A") == old.replace("- One\n", f"- One\n- Fact {MARK}\n")


def test_a_heading_is_found_by_its_slug_too() -> None:
    old = "## 2026-06-05 Infra & more  <!-- src:agent ts:2026-06-05 -->\n- One\n"

    assert placed(old, heading="infra & More") == old + f"- Fact {MARK}\n"


def test_a_heading_that_is_not_there_is_made() -> None:
    assert placed("# M\n\n\n", heading="New") == f"# M\n\n## New  {HEADING}\n- Fact {MARK}\n\n\n"


def test_a_name_that_two_headings_have_is_refused() -> None:
    with pytest.raises(HoardError, match=r"lines 1, 3") as caught:
        placed("## A\n- x\n## A\n- y\n", heading="A")
    assert caught.value.hint


def test_an_entry_under_a_heading_of_another_source_keeps_its_own_tag() -> None:
    old = "## Rules <!-- src:user ts:2026-06-01 -->\n- Mine\n"
    document = parse(placed(old, heading="Rules").encode())

    assert [found.src for found in provenances(document, None)] == ["user", "agent"]


@pytest.mark.parametrize(
    ("old", "expected"),
    [
        ("## A\r\n- x\r\n", "## A\r\n- x\r\n- Fact {mark}\r\n"),
        ("## A\r\n- x", "## A\r\n- x\r\n- Fact {mark}\r\n"),
        ("## A\n- x", "## A\n- x\n- Fact {mark}\n"),
        ("## A", "## A\n- Fact {mark}\n"),
        ("\ufeff## A\n- x\n", "\ufeff## A\n- x\n- Fact {mark}\n"),
        ("## A\n- x\n  more\n", "## A\n- x\n  more\n- Fact {mark}\n"),
        ("## A\n| a | b |\n|---|---|\n| 1 | 2 |\n", "## A\n| a | b |\n|---|---|\n| 1 | 2 |\n- Fact {mark}\n"),
        ("## A\n```\ncode\n```\n", "## A\n```\ncode\n```\n- Fact {mark}\n"),
        ("## A\n<!-- x:start -->\n- a\n<!-- x:end -->\n- b\n", "## A\n<!-- x:start -->\n- a\n<!-- x:end -->\n- b\n- Fact {mark}\n"),
        ("## A\n<div>\nx\n</div>\n", "## A\n<div>\nx\n</div>\n\n- Fact {mark}\n"),
        ("## A\n<!-- x:start -->\n- a\n<!-- x:end -->\n## B\n", "## A\n<!-- x:start -->\n- a\n<!-- x:end -->\n- Fact {mark}\n## B\n"),
    ],
)
def test_line_ends_tables_code_and_regions(old: str, expected: str) -> None:
    assert placed(old, heading="A") == expected.format(mark=MARK)


@pytest.mark.parametrize("old", ["## A\n```\nopen\n", "## A\n- x\n<!-- open\n"])
def test_a_file_that_ends_inside_something_is_refused(old: str) -> None:
    with pytest.raises(HoardError, match="never closed"):
        placed(old, heading="B")


def test_a_heading_whose_section_ends_in_an_open_fence_takes_nothing() -> None:
    with pytest.raises(HoardError, match="Line 2 opens a code fence that is never closed"):
        placed("## A\n```\nopen\n", heading="A")
    assert placed("## A\n- x\n<!-- open\n", heading="A") == f"## A\n- x\n- Fact {MARK}\n<!-- open\n"


LINES = st.lists(
    st.sampled_from(
        [
            "# A",
            "## B  <!-- src:user ts:2026-01-01 -->",
            "- item",
            "  - child <!-- src:web ts:2026-02-02 -->",
            "",
            "text",
            "| a | b |",
            "|---|---|",
            "```",
            "> quote",
            "<div>",
            "---",
            "1. one",
            "    code",
            "<!-- x:start -->",
            "<!-- x:end -->",
            "<!-- note",
            "user: hi",
            "\r",
            "- é\r",
        ]
    ),
    max_size=14,
)


@given(LINES, st.sampled_from(["", "A", "B", "C"]), st.sampled_from(["Fact", "a `b` c", "**bold**", "x | y", "# not a heading"]))
@settings(deadline=None)
def test_only_lines_are_added_and_everything_else_reads_as_before(lines: list[str], heading: str, text: str) -> None:
    old = "\n".join(lines).encode()
    try:
        result = place_entry(old, text, AGENT, heading, "M")
    except HoardError:
        return
    new = result.data.split(b"\n")
    rest = new[: result.first - 1] + new[result.last :]
    assert [line.rstrip(b"\r") for line in rest if line] == [line.rstrip(b"\r") for line in old.split(b"\n") if line]
    document = parse(result.data)
    (entry,) = [entry for entry in document.entries if entry.line == result.line]
    assert (entry.kind, entry.tag, entry.text.rstrip("\r")) == ("item", AGENT, f"- {text}")


@pytest.mark.parametrize("text", ["```", "~~~", "    deep", "<div>", "<!DOCTYPE html>"])
def test_a_text_that_would_be_no_entry_is_refused(text: str) -> None:
    with pytest.raises(HoardError, match="This text would not be read as one entry of a list") as caught:
        place_entry(b"", text, AGENT, "", "M")
    assert caught.value.hint == "Put it in plain words, or write it into the file yourself."
