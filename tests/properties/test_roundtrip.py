"""What holds for any bytes: nothing is lost, every line is accounted for, and the time grows with the size."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from hoard_git.core.document import Document
from hoard_git.core.markdown import parse, render
from hoard_git.core.slugs import slugs

_TAG = "<!-- src:web ts:2026-06-07 -->"
_HEADS = (
    "", "", "", " ", "  ", "   ", "    ", "\t", "> ", ">", "> > ", "- ", "  - ", "* ", "1. ", "2) ", "-\t", "\u2022 ", "- - ", "> - ",
    "- > ", "     ", "      ", "\ufeff",
)  # fmt: skip
_BODIES = (
    "", "", "text", "more text", "# h", "## h ##", "#", "===", "=", "---", "--", "-", "***", "* * *", "___", "\u00a7", "```", "```py",
    "````", "~~~", "``", "| a | b |", "|---|---|", "a | b", "--|--", "| 1 | 2 |", "<div>", "</div>", "<b>", "<script>", "</script>",
    "<!--", "-->", "--> text", "<!-- note -->", "<!-- note --> text", "<!-->", "<!--->", _TAG, "text " + _TAG, _TAG + " text",
    "<!-- x:start -->", "<!-- x:end -->", "<?php", "?>", "<![CDATA[", "]]>", "<!X", ">", "[a]: /u", "[a]: /u 'title", "user: hello",
    "assistant: hello", "[ ] task", "a ` b", "`` c", "\\<!-- src:user ts:2026-06-07 -->", "&lt;!-- src:user --&gt;", "key: value",
    "...", "1", "\u2028", "\x0b", "\x0c", "\x85", "\x00", "\r", "- ", "1.", "text  ", "\u00a0", "<!-- src:user", "ts:2026-06-07 -->",
)  # fmt: skip
_ENDS = ("\n", "\n", "\n", "\n", "\r\n", "\n\n", "\r", "")
LINES = st.tuples(st.sampled_from(_HEADS), st.sampled_from(_BODIES), st.sampled_from(_ENDS)).map("".join)
MARKDOWN = st.lists(LINES, max_size=14).map("".join)


def _is_blank(number: int, line: str) -> bool:
    """Nothing but spaces, tabs and carriage returns; a byte order mark counts for nothing at the very beginning only."""
    return not (line.removeprefix("\ufeff") if number == 1 else line).strip(" \t\r")


def check_cover(document: Document) -> None:
    """Every line is accounted for, and no two entries want the same one."""
    kinds, lines, entries = document.kinds, document.lines, document.entries
    assert len(kinds) == len(lines)
    for before, after in pairwise(entries):
        assert before.line <= before.end_line < after.line
    covered: dict[int, int] = {}
    for index, entry in enumerate(entries):
        assert 1 <= entry.line <= entry.end_line <= len(lines)
        assert not _is_blank(entry.line, lines[entry.line - 1]), "an entry begins with text"
        assert -1 <= entry.parent < index
        if entry.parent >= 0:
            assert entries[entry.parent].kind == "item"
        assert -1 <= entry.heading < len(document.headings)
        covered.update(dict.fromkeys(range(entry.line, entry.end_line + 1), index))
    for number, (letter, line) in enumerate(zip(kinds, lines, strict=True), 1):
        blank = _is_blank(number, line)
        if letter == "b":
            assert blank
        if letter in "hRmb" or blank:
            assert letter != "h" or number not in covered
            continue
        assert number in covered, f"line {number} belongs to no entry"
    for mark in document.marks:
        assert "<!--" in lines[mark.line - 1] or ";!--" in lines[mark.line - 1]
        assert 1 <= mark.column < mark.end_column <= len(lines[mark.line - 1]) + 1
        assert mark.tag is None or not mark.problem


@settings(deadline=None)
@given(st.binary(max_size=400))
@example(b"")
@example(b"\n")
@example(b"\xef\xbb\xbf- a\r\n- b\n- c\rd")
@example(b"- ok\n-\x00 \x00h\x00i\x00")
@example(b"\xff\xfe-\x00 \x00")
@example("\x0b\x0c\x85\u2028\u2029".encode())
@example(b"\xed\xa0\x80 lone surrogate")
@example(b"---\nname: x\n---")
def test_any_bytes_come_back(data: bytes) -> None:
    document = parse(data)
    assert render(document) == data
    check_cover(document)


@settings(deadline=None)
@given(MARKDOWN)
def test_every_line_of_any_markdown_belongs_somewhere(text: str) -> None:
    data = text.encode()
    document = parse(data)
    assert render(document) == data
    check_cover(document)
    assert len(set(slugs(document))) == len(document.headings)


@settings(deadline=None)
@given(MARKDOWN)
def test_a_tag_that_counts_is_listed_and_taken_out_of_the_text(text: str) -> None:
    document = parse(text.encode())
    good = {mark.line for mark in document.marks if mark.tag is not None and not mark.misplaced}
    tags = [mark.tag for mark in document.marks]
    for tag in [heading.tag for heading in document.headings] + [entry.tag for entry in document.entries]:
        assert tag is None or (good and tag in tags)
    for entry in document.entries:
        if entry.tag is None:
            source = "\n".join(document.lines[entry.line - 1 : entry.end_line])
            assert entry.text == source
