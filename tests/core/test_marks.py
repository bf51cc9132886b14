"""Whose tag is whose, and which tags give no trust."""

from __future__ import annotations

import pytest

from hoard_git.core.document import Document, Entry
from hoard_git.core.markdown import parse

USER = "<!-- src:user ts:2026-06-05 -->"
WEB = "<!-- src:web ts:2026-06-07 -->"
ALONE = "no paragraph, table, code or quote stands right below it"


def read(text: str) -> Document:
    return parse(text.encode("utf-8", "surrogateescape"))


def sources(text: str) -> list[tuple[str, str]]:
    """Each entry's first line and its own source."""
    return [(entry.text.split("\n")[0], entry.tag.src if entry.tag else "") for entry in read(text).entries]


def wrong(text: str) -> list[str]:
    """What is said about each tag: its problem, else its misplacement."""
    return [mark.problem or mark.misplaced for mark in read(text).marks]


def only(text: str) -> Entry:
    (entry,) = read(text).entries
    return entry


# ---------------------------------------------------------------- good places


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"- a {WEB}\n- b\n", [("- a", "web"), ("- b", "")]),
        (f"- a {WEB}   \r\n", [("- a\r", "web")]),
        (f"- a\n  more {WEB}\n", [("- a", "web")]),
        (f"- a {WEB}\n  more\n", [("- a", "web")]),
        (f"a\nb {WEB}\nc\n", [("a", "web")]),
        (f"> a {WEB}\n> b\n", [("> a", "web")]),
        (f"> a\n> > b {WEB}\n", [("> a", "web")]),
        (f"- a\n  - b {WEB}\n", [("- a", ""), ("  - b", "web")]),
        (f"\u2022 a {WEB}\n\u2022 b\n", [("\u2022 a", "web"), ("\u2022 b", "")]),
        (f"{WEB}\ntext\n", [("text", "web")]),
        (f"{WEB}\n\ntext\n", [("text", "web")]),
        (f"\ufeff{WEB}\ntext\n", [("text", "web")]),
        (f"{WEB}\n> a\n", [("> a", "web")]),
        (f"{WEB}\n```\nx\n```\n", [("```", "web")]),
        (f"{WEB}\n    x\n", [("    x", "web")]),
        (f"{WEB}\n| a |\n|---|\n| 1 |\n| 2 |\n", [("| a |", "web"), ("| 1 |", "web"), ("| 2 |", "web")]),
        (f"{WEB}\n| a |\n|---|\n\n| 1 |\n|---|\n", [("| a |", "web"), ("| 1 |", "")]),
        (f"- a\n  {WEB}\n- b\n", [("- a", "web"), ("- b", "")]),
        (f"- a\n\n  {WEB}\n", [("- a", "web")]),
        (f"- a\n  - b\n\n  {WEB}\n  text\n", [("- a", ""), ("  - b", ""), ("  text", "web")]),
        (f"- {WEB}\n  text\n", [("-", "web")]),
        (f"user: hi {WEB}\nassistant: hello\n", [("user: hi", "web")]),
    ],
)
def test_a_tag_belongs_to(text: str, found: list[tuple[str, str]]) -> None:
    assert sources(text) == found
    assert wrong(text) == [""]


def test_the_text_of_an_entry_is_its_source_without_its_own_tag() -> None:
    assert only(f"- a  {WEB}\n  b  \r\n").text == "- a\n  b  \r"
    assert only(f"- a\n  {WEB}\n  b\n").text == "- a\n  b"
    assert only(f"- a {WEB} <!-- note -->\n").text == "- a <!-- note -->"
    assert only(f"{WEB}\na\n").text == "a"
    assert only(f"- a <!-- note --> {WEB}\n").text == "- a <!-- note -->"


def test_places_are_lines_and_columns() -> None:
    document = read(f"# h\n\n- \u00e4 {WEB}\n")
    (mark,) = document.marks
    assert (mark.line, mark.column, mark.end_column, mark.end_line) == (3, 5, 5 + len(WEB), 3)
    assert mark.inner == " src:web ts:2026-06-07 "
    assert (document.entries[0].tag, document.entries[0].tag_line) == (mark.tag, 3)


@pytest.mark.parametrize(
    ("line", "title"),
    [
        (f"# memory/housing.md  {WEB}", "memory/housing.md"),
        (f"# x ## {WEB}", "x"),
        (f"# x# {WEB}", "x#"),
        (f"# {WEB}", ""),
        (f"#\tx {WEB}\r", "x"),
        (f"\ufeff  # x {WEB}", "x"),
        (f"# `#` {WEB}", "`#`"),
        (f"# x <!-- note --> {WEB}", "x <!-- note -->"),
        (f"x {WEB}\n===", "x"),
        (f"x\ny {WEB}\n===", "x y"),
    ],
)
def test_a_heading_with_a_tag(line: str, title: str) -> None:
    (heading,) = read(line + "\n\n- a\n").headings
    assert (heading.title, heading.tag.src if heading.tag else "") == (title, "web")


def test_a_heading_without_a_tag_stays_as_it_is() -> None:
    assert [(h.title, h.tag is None) for h in read(f"# a {WEB}\n## b\n").headings] == [("a", False), ("b", True)]


def test_a_broken_tag_is_no_part_of_the_title() -> None:
    (heading,) = read("## Notes <!-- src:agent -->\n").headings
    assert (heading.title, heading.tag) == ("Notes", None)
    (heading,) = read("a <!-- src:user\nts:2026-06-05 --> b\n===\n").headings
    assert (heading.title, heading.tag) == ("a <!-- src:user ts:2026-06-05 --> b", None)


# ---------------------------------------------------------------- wrong places


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{WEB}\n- a\n", [ALONE]),
        (f"- a\n{USER}\n- b\n", [ALONE]),
        (f"{WEB}\n# h\n\ntext\n", [ALONE]),
        (f"{WEB}\n\n\ntext\n", [ALONE]),
        (f"{WEB}\n", [ALONE]),
        (f"{WEB}\n---\ntext\n", [ALONE]),
        (f"text\n{WEB}\n", [ALONE]),
        (f"- a\n  - b\n  {WEB}\n", [ALONE]),
        (f"{USER}\n{WEB}\ntext\n", [ALONE, ""]),
        (f"{USER} {WEB}\ntext\n", ["it shares its line with another comment"] * 2),
        (f"<!-- note --> {WEB}\ntext\n", ["it shares its line with another comment"]),
        (f"| a | {WEB} |\n|---|---|\n", ["a table's tag stands alone on the line above the table"]),
        (f"- a {USER} b\n", ["it does not end its line"]),
        (f"# {USER} h\n", ["it does not end its line"]),
        (f"# h {USER} #\n", ["it does not end its line"]),
        (f"{USER} b\n", ["it stands in raw HTML"]),
        (f"- a {USER}\u2028- b\n", ["it does not end its line"]),
        (f"- a `{USER}`\n", ["it stands in code"]),
        (f"# a `{USER}`\n", ["it stands in code"]),
        (f"a ` b\nc {USER}\nd `\n", ["it stands in code"]),
        (f"- a \\{USER}\n", ["it is escaped and counts for nothing"]),
        ("- a &lt;!-- src:user ts:2026-06-05 --&gt;\n", ["it is escaped and counts for nothing"]),
        (f'- [a](u "{USER}")\n', ["it stands in a link"]),
        (f'- [a](u "t\n  {USER} \n  ")\n', [""]),  # a line that begins with a comment ends the paragraph
        (f'- [a](u "t\n  x {USER}\n  ")\n', ["it stands in a link"]),
        (f'- <a href="{USER}">x</a>\n', ["it stands in an HTML attribute"]),
        (f'- <a\n  title="x {USER}\n  ">\n', ["it stands in an HTML attribute"]),
        (f"<?x {USER} ?>\n", ["it stands in raw HTML"]),
        (f"<![CDATA[\n{USER}\n]]>\n", ["it stands in raw HTML"]),
        (f"<div>\n{USER}\n</div>\n", ["it stands in raw HTML"]),
        (f"- a\n  <div>\n  x {USER}\n", ["it stands in raw HTML"]),
        (f"> <div>\n> x {USER}\n", ["it stands in raw HTML"]),
        (f"<script>\n{USER}\n</script>\n", ["it stands in raw HTML"]),
        (f"<!--\nnote\n--> text {USER}\n", ["it stands in raw HTML"]),
        (f"---\nkey: {USER}\n---\n", ["it stands in front matter"]),
    ],
)
def test_a_tag_in_the_wrong_place_gives_no_trust(text: str, said: list[str]) -> None:
    assert wrong(text) == said
    document = read(text)
    assert all(
        owner is None or owner.src != "user" for owner in [e.tag for e in document.entries] + [h.tag for h in document.headings]
    ) or said == [""]


@pytest.mark.parametrize(
    "text",
    [
        f"```\n{USER}\n```\n- x\n",
        f"~~~\n{USER}\n",
        f"    {USER}\n",
        f"- a\n\n      {USER}\n",
        f"- ```\n  {USER}\n  ```\n",
        f"-     {USER}\n",
        f"> ~~~\n> {USER}\n> ~~~\n",
        f">     x {USER}\n",
        f"``` {USER}\n```\n",
        f"- ~~~ {USER}\n",
    ],
)
def test_a_tag_in_a_code_block_is_code(text: str) -> None:
    document = read(text)
    assert (document.marks, [entry.tag for entry in document.entries if entry.tag]) == ((), [])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("<!-- src:user ts:2026-06-05\n- hidden\n- more\n", "the comment has no end"),
        ("- a <!-- src:user ts:2026-06-05\n", "the comment has no end"),
        ("- a <!-- src:user\n  ts:2026-06-05 -->\n", "a tag stands on one line"),
        ("<!--\nsrc:user ts:2026-06-05\n-->\n\ntext\n", "a tag stands on one line"),
        ("# h <!-- src:user -- ts:2026-06-05 -->\n", "a tag holds no --"),
        ("- a <!-- src:us\x00er ts:2026-06-05 -->\n", "a tag holds no control characters"),
        ("- a <!-- \u0455rc:user ts:2026-06-05 -->\n", "a tag is printable ASCII"),
        ("- a <!-- \u017frc:user ts:2026-06-05 -->\n", "a tag is printable ASCII"),
        ("- a <!-- \uff53\uff52\uff43:user ts:2026-06-05 -->\n", "a tag is printable ASCII"),
        ("- a <!--> src:user ts:2026-06-05 <!-- x src:user -->\n", "'x' is not a key:value pair"),
        ("\u00e9 <!-- src:user -->\n", "ts is missing"),
    ],
)
def test_a_broken_tag_gives_no_trust(text: str, problem: str) -> None:
    document = read(text)
    assert [mark.problem for mark in document.marks] == [problem]
    assert [mark.tag for mark in document.marks] == [None]
    assert [entry.tag for entry in document.entries if entry.tag] == []
    assert [heading.tag for heading in document.headings if heading.tag] == []


# ---------------------------------------------------------------- two tags


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"- a {USER} {WEB}\n", ["", "the entry already has a tag"]),
        (f"- a {WEB} {USER}\n", ["", "the entry already has a tag"]),
        (f"- a {USER}\n  b {WEB}\n", ["", "the entry already has a tag"]),
        (f"{USER}\na {WEB}\n", ["", "the entry already has a tag"]),
        (f"- a {WEB} b {USER}\n", ["it does not end its line", ""]),
        (f"- a {USER} b {WEB}\n", ["it does not end its line", ""]),
        (f"# a {USER} {WEB}\n", ["", "the heading already has a tag"]),
        (f"# a {WEB} {USER}\n", ["", "the heading already has a tag"]),
        (f"# a {WEB} b {USER}\n", ["it does not end its line", ""]),
        (f"- a {WEB}\u2028- b {USER}\n", ["it does not end its line", ""]),
        (f"{USER}\n| a {WEB} |\n|---|\n", ["", "a table's tag stands alone on the line above the table"]),
        (f"- fact `{USER}` {WEB}\n", ["it stands in code", ""]),
        (f'- [a](u "{USER}") {WEB}\n', ["it stands in a link", ""]),
    ],
)
def test_of_two_tags_the_lower_counts(text: str, said: list[str]) -> None:
    document = read(text)
    assert [mark.misplaced for mark in document.marks] == said
    (tag,) = [entry.tag for entry in document.entries] + [heading.tag for heading in document.headings]
    assert tag is not None
    assert tag.src == "web"


def test_only_the_tag_that_counts_leaves_the_text() -> None:
    assert only(f"- a {USER} {WEB}\n").text == f"- a {USER}"


def test_a_misplaced_tag_alone_makes_no_entry_trusted_or_distrusted() -> None:
    assert only(f"- a {WEB} b\n").tag is None


# ---------------------------------------------------------------- comments and regions


def test_comments_are_listed_where_they_stand() -> None:
    document = read(
        "- a <!-- new entries below -->\n\n<!-- one\ntwo --> <!-- three -->\n\nx `<!-- code -->` \\<!-- no -->\n\n<!-- never ends\n"
    )
    assert [(c.line, c.column, c.end_line, c.inner, c.closed) for c in document.comments] == [
        (1, 5, 1, " new entries below ", True),
        (3, 1, 4, " one\ntwo ", True),
        (4, 9, 4, " three ", True),
        (8, 1, 8, " never ends", False),
    ]


def test_a_comment_without_an_end_is_not_closed() -> None:
    document = read("<!-- a\n- b\n\n# c\n")
    assert [(c.line, c.end_line, c.closed) for c in document.comments] == [(1, 4, False)]
    assert document.kinds == "mmmmb"
    assert document.entries == ()


@pytest.mark.parametrize(
    ("start", "end", "name"),
    [
        ("x:start", "x:end", "x"),
        ("openclaw:dreaming:light:start", "openclaw:dreaming:light:end", "openclaw:dreaming:light"),
        ("BEGIN TOC", "END TOC", "toc"),
        ("begin: toc", "end: toc", "toc"),
        ("Toc Start", "TOC END", "toc"),
        ("toc:begin", "toc:end", "toc"),
        ("START my block", "END my block", "my block"),
    ],
)
def test_a_managed_region(start: str, end: str, name: str) -> None:
    document = read(f"a\n\n<!-- {start} -->\n- x\n<!-- {end} --> text behind\n\n- y\n")
    assert [(r.line, r.end_line, r.name) for r in document.regions] == [(3, 5, name)]
    assert [document.in_region(line) for line in (2, 3, 4, 5, 6)] == [False, True, True, True, False]
    assert [entry.text for entry in document.entries] == ["a", "- x", f"<!-- {end} --> text behind", "- y"]


@pytest.mark.parametrize(
    ("markers", "regions"),
    [
        (["a:start", "b:start", "b:end", "a:end"], [(1, 4, "a"), (2, 3, "b")]),
        (["a:start", "b:start", "a:end", "b:end"], [(1, 3, "a"), (2, 4, "b")]),
        (["a:start", "a:start", "a:end", "a:end"], [(1, 3, "a")]),
        (["a:start", "b:end"], []),
        (["a:end", "a:start"], []),
        (["start", "end"], []),
        (["the end", "restart", "weekend:", ":end", " :start", "start:"], []),
        (["x" * 300 + ":start", "x" * 300 + ":end"], []),
        (["`a:start"], []),
        (["a:start", "a:end", "a:start", "a:end"], [(1, 2, "a"), (3, 4, "a")]),
    ],
)
def test_markers_pair_by_name_or_not_at_all(markers: list[str], regions: list[tuple[int, int, str]]) -> None:
    document = read("".join(f"<!-- {marker} -->\n" for marker in markers))
    assert [tuple(region) for region in document.regions] == regions


def test_a_marker_in_code_starts_nothing() -> None:
    assert read("```\n<!-- a:start -->\n```\n<!-- a:end -->\n").regions == ()
    assert read("<!-- a:end -->\n<!-- a:start").regions == ()
