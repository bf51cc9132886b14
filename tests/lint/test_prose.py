from __future__ import annotations

import pytest

from hoard_git.lint.prose import Link, Owners, Places, blank_code, blank_comments, decode, find_links, runs, spans
from tests.support.scenes import view


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a `b` c", "a     c"),
        ("a ``b ` c`` d", "a           d"),
        ("a ` b", "a ` b"),
        ("a \\`b\\` c", "a \\`b\\` c"),
        ("`a\nb` c", "  \n   c"),
        ("a <!-- b --> c", "a            c"),
        ("a <!-- b", "a <!-- b"),
        ('<a href="`"> `b`', '<a href="`">    '),
        ("a < b `c`", "a < b    "),
        ("a <b `c`", "a <b    "),
        ("`<!--` a -->", "       a -->"),
        ("<!-- ` --> a `", "           a `"),
        ("plain", "plain"),
        ("```a``` `b", "        `b"),
    ],
)
def test_code_and_comments_are_blanked_in_place(text: str, left: str) -> None:
    assert blank_code(text) == left


def test_comments_alone() -> None:
    assert blank_comments("a<!-- b\n-->c<!--d-->e<!--f") == "a      \n   c        e<!--f"


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[a](b)", [Link(0, False, "b", "")]),
        ("![a](<b c> 'd')", [Link(0, True, "b c", "")]),
        ("[a](b(c)d)", [Link(0, False, "b(c)d", "")]),
        ("[![a](b)](c)", [Link(1, True, "b", ""), Link(0, False, "c", "")]),
        ("[a][B  c]", [Link(0, False, "", "b c"), Link(3, False, "", "b  c".replace("  ", " "))]),
        ("[A]", [Link(0, False, "", "a")]),
        ("\\[a](b) ]", []),
        ("[a][]", [Link(0, False, "", "a"), Link(3, False, "", "")]),
    ],
)
def test_links(text: str, links: list[Link]) -> None:
    assert find_links(text) == links


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("&#105;&#x69;&amp;&unknown;", "ii&&unknown;"),
        ("&#0;&#xD800;&#x110000;", "&#0;&#xD800;&#x110000;"),
        ("%69%C3%A9 100%", "i\u00e9 100%"),
        ("%ff", "\ufffd"),
    ],
)
def test_decoding(text: str, plain: str) -> None:
    assert decode(text) == plain


DOCUMENT = """---
title: x
---
# Head `code`

- item `a
  b` c
- next

> quote
> more
>
> other

| a | b |
|---|---|
| c | d |

<div>
x
</div>

<!-- alone -->
<!-- a
b --> tail <!-- c --> end

<!-- a
--> <!-- b -->

    code

text
"""


def test_paragraphs() -> None:
    file = view("memory/x.md", DOCUMENT)
    assert [(start, end) for start, end, kind in spans(file) if kind in "tiqH"] == [
        (6, 7),
        (8, 8),
        (10, 11),
        (12, 12),
        (13, 13),
        (19, 21),
        (25, 25),
        (32, 32),
    ]
    texts = {run.line: run.text for run in runs(file)}
    assert texts[4] == "# Head       "
    assert texts[6] == "- item   \n     c"
    assert texts[2] == "title: x"
    assert texts[25] == "b --> tail            end"
    assert not {23, 24, 27, 28, 30} & set(texts)


def test_only_what_is_under_judgement() -> None:
    file = view("memory/x.md", DOCUMENT, touched=frozenset({7, 23}))
    assert [(start, end) for start, end, _kind in spans(file)] == [(6, 7), (23, 23)]


def test_places() -> None:
    (run,) = runs(view("memory/x.md", "- a\n  b\n  c\n"))
    assert [run.places().place(run.text.index(letter)) for letter in "abc"] == [(1, 3), (2, 3), (3, 3)]


def test_whose_a_line_is() -> None:
    text = "before\n\n# A  <!-- src:web ts:2026-06-01 -->\n\n- one\n- two <!-- src:tool ts:2026-06-01 -->\n  - child\n\n## B\n<!-- c -->\n\n## C  <!-- src:dig ts:2026-06-01 -->\ntext\n"
    owners = Owners(view("memory/x.md", text))
    assert [owners.source(line) for line in (1, 3, 5, 6, 7, 9, 10, 12, 13)] == [
        "web",
        "web",
        "web",
        "tool",
        "tool",
        "web",
        "web",
        "dig",
        "dig",
    ]
    assert Owners(view("memory/x.md", "<!-- c -->\n")).source(1) == ""


def test_places_of_a_text_that_begins_with_a_line_end() -> None:
    places = Places(5, "\nab\n\nc")
    assert [places.place(index) for index in (0, 1, 2, 4, 5)] == [(5, 1), (6, 1), (6, 2), (7, 1), (8, 1)]
