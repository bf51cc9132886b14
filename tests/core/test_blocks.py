"""What every line is: one letter a line, and the entries and headings that come of it."""

from __future__ import annotations

import pytest

from hoard_git.core.document import Document
from hoard_git.core.markdown import parse


def read(text: str) -> Document:
    return parse(text.encode("utf-8", "surrogateescape"))


def kinds(text: str) -> str:
    """The letters of all lines but an empty last one."""
    found = read(text).kinds
    return found[:-1] if text.endswith("\n") else found


def entries(text: str) -> list[tuple[str, int, int, int]]:
    return [(entry.kind, entry.line, entry.end_line, entry.parent) for entry in read(text).entries]


def front(text: str) -> list[tuple[str, str, int]]:
    return list(read(text).front)


# ---------------------------------------------------------------- headings and rules


@pytest.mark.parametrize(
    ("line", "level", "title"),
    [
        ("# a", 1, "a"),
        ("###### a", 6, "a"),
        ("   ## a b  ", 2, "a b"),
        ("## a ##", 2, "a"),
        ("## a ## b", 2, "a ## b"),
        ("## a#", 2, "a#"),
        ("## a \\#", 2, "a \\#"),
        ("##\ta\r", 2, "a"),
        ("#", 1, ""),
        ("## ##", 2, ""),
        ("# #a", 1, "#a"),
        ("\ufeff# a", 1, "a"),
    ],
)
def test_a_heading(line: str, level: int, title: str) -> None:
    document = read(line + "\n")
    assert [(heading.level, heading.title, heading.line) for heading in document.headings] == [(level, title, 1)]
    assert document.entries == ()


@pytest.mark.parametrize("line", ["#a", "#\u00a0a", "\\# a", "####### a", "    # a", "\t# a", "- # a", "> # a", "**Backups**", "a # b"])
def test_no_heading(line: str) -> None:
    document = read(line + "\n")
    assert document.headings == ()
    assert len(document.entries) == 1


def test_headings_make_an_outline() -> None:
    document = read("# a\n### b\n## c\n#### d\n### e\n# f\n## g\n")
    assert [(heading.title, heading.parent) for heading in document.headings] == [
        ("a", -1),
        ("b", 0),
        ("c", 0),
        ("d", 2),
        ("e", 2),
        ("f", -1),
        ("g", 5),
    ]


def test_an_entry_knows_its_heading() -> None:
    document = read("x\n\n## a\n- b\n  # no\n- c\n\n# d\ne\n")
    assert [(entry.text.split("\n")[0], entry.heading) for entry in document.entries] == [("x", -1), ("- b", 0), ("- c", 0), ("e", 1)]


def test_equals_signs_under_text_make_a_heading() -> None:
    document = read("\ufeffa\n b\n===\nc\n")
    assert (document.kinds, [(h.line, h.level, h.title) for h in document.headings]) == ("hhhtb", [(1, 1, "a b")])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("status: done\n---\nnext\n", "tRt"),
        ("a\n--\nb\n", "tRt"),
        ("a\n-\nb\n", "tRt"),
        ("- a\n---\n- b\n", "iRi"),
        ("- a\n  ---\n  b\n", "iRt"),
        ("---\n***\n___\n- - -\n * * *\n", "RRRRR"),
        ("--\n+ --\n__ _ x\n", "tit"),
        ("\u00a7\na\n\u00a7\nb\n", "RtRt"),
        ("\u00a7 5\n", "t"),
        ("===\n", "t"),
        ("- a\n===\n", "it"),
        ("- a\n  ===\n", "it"),
        ("> a\n> ===\n", "qq"),
        ("\u2022 a\n===\n", "it"),
        ("> ---\n", "q"),
        ("- ***\n", "i"),
        ("- ---\n", "R"),
    ],
)
def test_rules(text: str, found: str) -> None:
    assert kinds(text) == found
    assert read(text).headings == ()


def test_headings_in_quotes_and_items_are_text_and_are_listed() -> None:
    document = read("- # a\n- b\n  ## c\n\n> # d\n\n- e\n  ===\n\n# f\n")
    assert document.nested_headings == (1, 3, 5, 7)
    assert [heading.title for heading in document.headings] == ["f"]


# ---------------------------------------------------------------- items


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("- a\n- b\n", [("item", 1, 1, -1), ("item", 2, 2, -1)]),
        ("* a\n+ b\n1. c\n2) d\n", [("item", n, n, -1) for n in (1, 2, 3, 4)]),
        ("- router:\n   - port 1\n     second line\n", [("item", 1, 1, -1), ("item", 2, 3, 0)]),
        ("- - text\n", [("item", 1, 1, -1)]),
        ("- - a\n  - b\n- c\n", [("item", 1, 1, -1), ("item", 2, 2, 0), ("item", 3, 3, -1)]),
        ("-\n- \n1.\n", [("item", n, n, -1) for n in (1, 2, 3)]),
        ("-\n  text\n", [("item", 1, 2, -1)]),
        ("-\n\n  text\n", [("item", 1, 1, -1), ("text", 3, 3, -1)]),
        ("\u2022 a\n\u2022 b\n  more\n", [("item", 1, 1, -1), ("item", 2, 3, -1)]),
        ("List:\n\u25e6 a\n", [("text", 1, 1, -1), ("item", 2, 2, -1)]),
        ("- a\n  \u2022 b\n", [("item", 1, 1, -1), ("item", 2, 2, 0)]),
        ("\u2022no\n", [("text", 1, 1, -1)]),
        ("- a\nlazy\n", [("item", 1, 2, -1)]),
        ("- a\n    - still a\n", [("item", 1, 1, -1), ("item", 2, 2, 0)]),
        ("- a\n\n  second paragraph\n", [("item", 1, 3, -1)]),
        ("- a\n\nout\n", [("item", 1, 1, -1), ("text", 3, 3, -1)]),
        ("- a\n  - b\n  after\n", [("item", 1, 1, -1), ("item", 2, 3, 0)]),
        ("- a\n  - b\n\n  after\n\n  more\n", [("item", 1, 1, -1), ("item", 2, 2, 0), ("text", 4, 4, 0), ("text", 6, 6, 0)]),
        ("- [ ] a\n- [x] b\n- [~] c\n", [("item", n, n, -1) for n in (1, 2, 3)]),
        ("- ~~old~~ new\n", [("item", 1, 1, -1)]),
        ("- a\n  ```\n  x\n  ```\n", [("item", 1, 4, -1)]),
        ("- ```\n  x\n  ```\n", [("item", 1, 3, -1)]),
        ("- a\n```\nx\n```\n", [("item", 1, 1, -1), ("code", 2, 4, -1)]),
        ("- a\n  - b\n\n  ```\n  x\n  ```\n", [("item", 1, 1, -1), ("item", 2, 2, 0), ("code", 4, 6, 0)]),
        ("text\n2. not an item\n", [("text", 1, 2, -1)]),
        ("text\n1. item\n", [("text", 1, 1, -1), ("item", 2, 2, -1)]),
        ("text\n*\n", [("text", 1, 2, -1)]),
        ("1234567890. x\n", [("text", 1, 1, -1)]),
        ("-a\n1.b\n1x\n", [("text", 1, 3, -1)]),
        ("-\ta\n\tb\n", [("item", 1, 2, -1)]),
        ("-      code\n", [("item", 1, 1, -1)]),
        ("- **Port:** 8443\n", [("item", 1, 1, -1)]),
    ],
)
def test_items(text: str, found: list[tuple[str, int, int, int]]) -> None:
    assert entries(text) == found


@pytest.mark.parametrize("spaces", range(2, 6))
def test_children_are_indented_by_two_to_five(spaces: int) -> None:
    assert entries(f"- a\n{' ' * spaces}- b\n") == [("item", 1, 1, -1), ("item", 2, 2, 0)]


@pytest.mark.parametrize("spaces", range(10))
def test_under_a_child_of_four_any_indentation_is_an_entry_of_its_own_or_lazy_text(spaces: int) -> None:
    found = entries(f"1.  a\n    - b\n{' ' * spaces}- c\n")
    parents = {0: -1, 1: -1, 2: -1, 3: -1, 4: 0, 5: 0, 6: 1, 7: 1, 8: 1, 9: 1}
    assert found == [("item", 1, 1, -1), ("item", 2, 2, 0), ("item", 3, 3, parents[spaces])]


def test_a_line_inside_an_item_that_is_not_its_own_text() -> None:
    assert kinds("- a\n  > q\n\n      code\n  <div>\n  x\n\n  <!-- c -->\n  ***\n") == "iqbcHHbmR"
    assert entries("- a\n  > q\n\n      code\n  <div>\n  x\n\n  <!-- c -->\n  ***\n") == [("item", 1, 8, -1)]


# ---------------------------------------------------------------- quotes


@pytest.mark.parametrize(
    ("text", "letters", "found"),
    [
        ("> a\n> b\n\n> c\n", "qqbq", [("quote", 1, 2, -1), ("quote", 4, 4, -1)]),
        ("> a\nlazy\n", "qq", [("quote", 1, 2, -1)]),
        ("> a\n>\nnot lazy\n", "qqt", [("quote", 1, 2, -1), ("text", 3, 3, -1)]),
        ("> ```\n> x\nout\n", "cct", [("quote", 1, 2, -1), ("text", 3, 3, -1)]),
        ("> - a\n> - b\n", "qq", [("quote", 1, 2, -1)]),
        ("> - a\n- b\n", "qi", [("quote", 1, 1, -1), ("item", 2, 2, -1)]),
        (">> a\n> b\n", "qq", [("quote", 1, 2, -1)]),
        ("> > a\n\nb\n", "qbt", [("quote", 1, 1, -1), ("text", 3, 3, -1)]),
        (">     code\n", "c", [("quote", 1, 1, -1)]),
        ("> \u2022 a\n> | b |\n> |---|\n", "qqq", [("quote", 1, 3, -1)]),
        (">\ta\n", "q", [("quote", 1, 1, -1)]),
        ("- > a\n", "i", [("item", 1, 1, -1)]),
        ("- > - a\n  > - b\n", "iq", [("item", 1, 2, -1)]),
        ("- a\n  - b\n\n  > c\n", "iibq", [("item", 1, 1, -1), ("item", 2, 2, 0), ("quote", 4, 4, 0)]),
        ("> <!-- a\n> b -->\n", "qq", [("quote", 1, 2, -1)]),
        ("> ~~~\n>\n", "cc", [("quote", 1, 2, -1)]),
        (">     a\n>\n>     b\n", "cqc", [("quote", 1, 3, -1)]),
        (">\n> -\n>\n>   a\n", "qqqq", [("quote", 1, 4, -1)]),
    ],
)
def test_a_quote_is_one_entry(text: str, letters: str, found: list[tuple[str, int, int, int]]) -> None:
    assert (kinds(text), entries(text)) == (letters, found)


# ---------------------------------------------------------------- code


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("```\n# not a heading\n- not an item\n\n```\ntext\n", "ccccct"),
        ("~~~ info `x`\n```\n~~~~\nt\n", "ccct"),
        ("````\n```\n````\nt\n", "ccct"),
        ("``` a`b\nt\n", "tt"),
        ("```\n``` x\n```  \r\nt\n", "ccct"),
        ("```\n    ```\n   ```\nt\n", "ccct"),
        ("text\n```\nx\n```\n", "tccc"),
        ("    a\n\n    b\n\n  c\n", "cbcbt"),
        ("text\n    more\n", "tt"),
        ("- a\n\n      code\n", "ibc"),
        ("\tcode\n", "c"),
        (" \tcode\n", "c"),
    ],
)
def test_code(text: str, letters: str) -> None:
    assert kinds(text) == letters
    assert read(text).headings == ()


def test_code_is_one_entry_whatever_stands_between() -> None:
    assert entries("    a\n\n\n    b\n") == [("code", 1, 4, -1)]
    assert entries("```\na\n\n# b\n```\n") == [("code", 1, 5, -1)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\n```\nb\n", 2),
        ("```\n", 1),
        ("```\n```\n", 0),
        ("- ```\n  x\n", 1),
        ("- ```\n  x\n\nout\n", 0),
        ("~~~\n```\n", 1),
        ("", 0),
    ],
)
def test_a_fence_that_swallows_the_rest_is_reported(text: str, line: int) -> None:
    assert read(text).unclosed_fence == line


# ---------------------------------------------------------------- tables


@pytest.mark.parametrize(
    ("text", "letters", "found"),
    [
        ("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n", "rrrr", [("row", 1, 2, -1), ("row", 3, 3, -1), ("row", 4, 4, -1)]),
        ("a | b\n:-: | -\n1 | 2\nrest\n", "rrrr", [("row", 1, 2, -1), ("row", 3, 3, -1), ("row", 4, 4, -1)]),
        ("a | b\n- | -\n", "ti", [("text", 1, 1, -1), ("item", 2, 2, -1)]),
        ("intro\n| a |\n|---|\n| 1 |\n", "trrr", [("text", 1, 1, -1), ("row", 2, 3, -1), ("row", 4, 4, -1)]),
        ("| a | b |\n|---|\n", "tt", [("text", 1, 2, -1)]),
        ("| a \\| b |\n|---|\n", "rr", [("row", 1, 2, -1)]),
        ("| a |\n---\n", "rr", [("row", 1, 2, -1)]),
        ("a\n|---|\n", "tt", [("text", 1, 2, -1)]),
        ("|\n|\n", "tt", [("text", 1, 2, -1)]),
        ("||\n|-|\n", "rr", [("row", 1, 2, -1)]),
        ("| a |\n|---|\n> q\n", "rrq", [("row", 1, 2, -1), ("quote", 3, 3, -1)]),
        ("| a |\n|---|\n# h\n", "rrh", [("row", 1, 2, -1)]),
        ("| a |\n|---|\n- i\n2. j\n", "rrii", [("row", 1, 2, -1), ("item", 3, 3, -1), ("item", 4, 4, -1)]),
        ("| a |\n|---|\n    x\n", "rrc", [("row", 1, 2, -1), ("code", 3, 3, -1)]),
        ("| a |\n|---|\n```\n```\n| b |\n", "rrcct", [("row", 1, 2, -1), ("code", 3, 4, -1), ("text", 5, 5, -1)]),
        ("| a |\n|---|\n\n| b |\n", "rrbt", [("row", 1, 2, -1), ("text", 4, 4, -1)]),
        ("| a |\n|---|\n<b>\n", "rrr", [("row", 1, 2, -1), ("row", 3, 3, -1)]),
        ("- | a |\n  |---|\n  | 1 |\n", "irr", [("item", 1, 3, -1)]),
        ("- x\n\n  | a |\n  |---|\n  | 1 |\nout\n", "ibrrrt", [("item", 1, 5, -1), ("text", 6, 6, -1)]),
        (
            "- x\n  - y\n\n  | a |\n  |---|\n  | 1 |\n",
            "iibrrr",
            [("item", 1, 1, -1), ("item", 2, 2, 0), ("row", 4, 5, 0), ("row", 6, 6, 0)],
        ),
    ],
)
def test_tables(text: str, letters: str, found: list[tuple[str, int, int, int]]) -> None:
    assert (kinds(text), entries(text)) == (letters, found)


# ---------------------------------------------------------------- HTML and comments


@pytest.mark.parametrize(
    ("text", "letters", "found"),
    [
        ("<h2>a</h2>\n\nb\n", "Hbt", [("html", 1, 1, -1), ("text", 3, 3, -1)]),
        ("<details><summary>x</summary>\n\n- a\n\n</details>\n", "HbibH", [("html", 1, 1, -1), ("item", 3, 3, -1), ("html", 5, 5, -1)]),
        ("<div>\na\n# b\n\nc\n", "HHHbt", [("html", 1, 3, -1), ("text", 5, 5, -1)]),
        ("<script>\n\na\n</SCRIPT> x\nb\n", "HHHHt", [("html", 1, 4, -1), ("text", 5, 5, -1)]),
        ("<style> </pre>\na\n", "Ht", [("html", 1, 1, -1), ("text", 2, 2, -1)]),
        ("<?php\n\n?>\na\n", "HHHt", [("html", 1, 3, -1), ("text", 4, 4, -1)]),
        ("<!X\n>\na\n", "HHt", [("html", 1, 2, -1), ("text", 3, 3, -1)]),
        ("<![CDATA[\n]]>\na\n", "HHt", [("html", 1, 2, -1), ("text", 3, 3, -1)]),
        ("<!1\n<1>\n<\n< a>\n", "tttt", [("text", 1, 4, -1)]),
        ("<b>\nx\n", "HH", [("html", 1, 2, -1)]),
        ("a\n<b>\n", "tt", [("text", 1, 2, -1)]),
        ("a\n<p>\n", "tH", [("text", 1, 1, -1), ("html", 2, 2, -1)]),
        ("<b> x\n<a href=x\n", "tt", [("text", 1, 2, -1)]),
        ("<http://x.org>\n", "t", [("text", 1, 1, -1)]),
        ("<!-- a -->\n", "m", []),
        ("<!-- a --> <!-- b -->\t <!-- c -->\n", "m", []),
        ("<!-- a --> <!-- b\nc -->\n", "Ht", [("html", 1, 1, -1), ("text", 2, 2, -1)]),
        ("<!--\n# a\n\n-->\nb\n", "mmmmt", [("text", 5, 5, -1)]),
        ("<!--\n--> read me\nb\n", "mHt", [("html", 2, 2, -1), ("text", 3, 3, -1)]),
        ("<!-- a --> read me\n", "H", [("html", 1, 1, -1)]),
        ("<!-->\n<!--->\n", "HH", [("html", 1, 1, -1), ("html", 2, 2, -1)]),
        ("<!-->  <!-- a -->\n", "H", [("html", 1, 1, -1)]),
        ("<!-- a --> <!-->\n", "H", [("html", 1, 1, -1)]),
        ("a\n<!-- b -->\nc\n", "tmt", [("text", 1, 1, -1), ("text", 3, 3, -1)]),
        ("- a\n  <!--\n  b\n  -->\n- c\n", "immmi", [("item", 1, 4, -1), ("item", 5, 5, -1)]),
        ("- a\n  <!--\n- c\n", "imi", [("item", 1, 2, -1), ("item", 3, 3, -1)]),
        ("- a\n  - b\n\n  <!--\n  --> c\n", "iibmH", [("item", 1, 1, -1), ("item", 2, 2, 0), ("html", 5, 5, 0)]),
        ("- <!--\n  a\n  -->\n", "imm", [("item", 1, 3, -1)]),
    ],
)
def test_html(text: str, letters: str, found: list[tuple[str, int, int, int]]) -> None:
    assert (kinds(text), entries(text)) == (letters, found)


# ---------------------------------------------------------------- references, transcripts


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("[a]: /u\n[b]: <u v> 'title'\n[c]: /u (t)\n", "ddd"),
        ("[//]: # (hidden)\ntext\n", "dt"),
        ('[a]: /u "title\nmore" \ntext\n', "ddt"),
        ("[a]: /u 'never\nends\n\ntext\n", "ddbt"),
        ("[note]: call the plumber\n", "t"),
        ("[^1]: a footnote\n", "t"),
        ("[ ]: /u\n[a]:\n[a] : /u\n", "ttt"),
        ("- [a]: /u\n  text\n", "it"),
        ("text\n[a]: /u\n", "tt"),
    ],
)
def test_link_references(text: str, letters: str) -> None:
    assert kinds(text) == letters
    assert {entry.kind for entry in read(text).entries} <= {"reference", "text", "item"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("user: hi\nassistant: hello\n", ["transcript"]),
        ("user: hi\n\nassistant: hello\nmore\n\nUSER : bye\n", ["transcript", "transcript", "transcript"]),
        ("user: a\n\nassistant: b\n\n- c\n\nuser: d\n", ["transcript", "transcript", "item", "transcript"]),
        ("# a\n\nuser: a\n\n# b\n\nassistant: b\n", ["text", "text"]),
        ("user: Ada\n", ["text"]),
        ("System: Debian\n\nTool: vim\n", ["text", "text"]),
        ("assistant:\nuser:\n", ["transcript"]),
        ("users: a\nassistant: b\n", ["text"]),
        ("user:a\n\nassistant:b\n", ["text", "text"]),
        ("- user: hi\n- assistant: hello\n", ["item", "item"]),
        ("```\nuser: hi\nassistant: hello\n```\n", ["code"]),
    ],
)
def test_a_chat_is_a_transcript(text: str, found: list[str]) -> None:
    assert [entry.kind for entry in read(text).entries] == found


# ---------------------------------------------------------------- front matter


def test_front_matter() -> None:
    text = "---\nname: 'a b'\ntags:\n- x\n- y\nmeta: {a: 1}\n\n# note\nlong: |\n  any text: here\n  - too\nurl: http://x: y\n\"q: k\": v\n---\n# h\n"
    document = read(text)
    assert document.kinds == "f" * 14 + "hb"
    assert document.front == (
        ("name", "a b", 2),
        ("tags", "", 3),
        ("meta", "{a: 1}", 6),
        ("long", "|", 9),
        ("url", "http://x: y", 12),
        ("q: k", "v", 13),
    )
    assert [(entry.kind, entry.line, entry.end_line) for entry in document.entries] == [("front", 1, 14)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("\ufeff---\nname: x\n---\n", [("name", "x", 2)]),
        ("\n  \n---\nname: x\n---\n", [("name", "x", 4)]),
        ("\ufeff\r\n---\r\nname: x\r\n...\r\n", [("name", "x", 3)]),
        ("---\nname:\n---", [("name", "", 2)]),
        ("---\nlast updated on: 2026\n---\n", [("last updated on", "2026", 2)]),
        ("---\na: [\n]\nb: \"x'\n---\n", [("a", "[", 2), ("b", "\"x'", 4)]),
        ("---\nlist: &x\n- a\n---\n", [("list", "&x", 2)]),
    ],
)
def test_front_matter_after_blank_lines_or_a_bom(text: str, found: list[tuple[str, str, int]]) -> None:
    assert front(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "---\n**[Learned in the spring audit]**\nDisk B is read-only.\n---\n",
        "---\nname: x\n",
        "---\n---\n",
        "---\n\n---\n",
        "---\n# Title\n---\n",
        "---\n- a\n- b\n---\n",
        "---\nname: x\n- a\n---\n",
        "---\nThe disk in the rack: read-only\n---\n",
        "---\nname:x\n---\n",
        "---\n]\n---\n",
        " ---\nname: x\n---\n",
        "----\nname: x\n---\n",
        "text\n---\nname: x\n---\n",
        "# a\n\n---\nname: x\n---\n",
        "---\n" + "a: b\n" * 400 + "---\n",
        "",
        "---",
    ],
)
def test_anything_else_between_dashes_is_text_between_rules(text: str) -> None:
    document = read(text)
    assert document.front == ()
    assert "f" not in document.kinds
    assert text.startswith(("text", "# a", "----", " ---")) or not text or document.kinds[0] == "R"


# ---------------------------------------------------------------- depth


@pytest.mark.parametrize(
    ("text", "depth"), [("a\n", 0), ("- a\n", 1), ("- a\n  - b\n", 2), ("- - - a\n", 3), ("> > a\n", 2), ("> - a\n", 2)]
)
def test_depth_counts_open_quotes_and_items(text: str, depth: int) -> None:
    assert read(text).depth == depth
