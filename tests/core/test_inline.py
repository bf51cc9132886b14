from __future__ import annotations

import pytest

from hoard_git.core.inline import find_comments, find_raw_comments

T = "<!-- src:user ts:2026-06-05 -->"


def _places(text: str) -> list[tuple[str, str]]:
    return [(found.place, text[found.start : found.end]) for found in find_comments(text)]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("no comment", []),
        (f"a {T}", ["plain"]),
        (f"a {T} b {T}", ["plain", "plain"]),
        (f"`{T}`", ["code"]),
        (f"``{T}` ``", ["code"]),
        (f"`a`{T}`b`", ["plain"]),
        (f"\\`{T}`", ["plain"]),
        (f"``{T}`", ["plain"]),
        (f"\\{T}", ["escaped"]),
        (f"\\\\{T}", ["plain"]),
        ("&lt;!-- src:user --&gt;", ["escaped"]),
        ("&#60;!-- src:user --&gt;", ["escaped"]),
        ("&#x3C;!-- src:user -->", ["escaped"]),
        (f'[a](u "{T}")', ["title"]),
        (f"[a](u '{T}')", ["title"]),
        (f"[a](u ({T}))", ["title"]),
        (f'[a](<u v> "{T}")', ["title"]),
        (f'[a](u "\\" {T}")', ["title"]),
        (f'](u "{T}")', ["plain"]),
        (f'[a](u\\) "{T}")', ["title"]),
        (f"[a](<u {T}", ["plain"]),
        (f"{T} [a](u", ["plain"]),
        (f'[a](u v "{T}")', ["plain"]),
        (f'[a](u "{T}"', ["plain"]),
        ("[a](<!--x-->)", ["target"]),
        ("[a](u<!--x-->)", ["target"]),
        (f'[a [b](c)](d "{T}")', ["plain"]),
        (f'[a ![b](c)](d "{T}")', ["title"]),
        (f'![a [b](c)](d "{T}")', ["title"]),
        (f'\\[a](u "{T}")', ["plain"]),
        (f"[a](u `) ` {T}\n`", ["plain"]),
        (f"<a href='{T}'>", ["attribute"]),
        (f'<a\nhref="{T}">', ["attribute"]),
        (f"<a href={T}", ["plain"]),
        (f"<http://x`> ` {T}\n`", ["code"]),
        (f"<a`b@x.org> ` {T}\n`", ["code"]),
        (f"<?x {T} ?>", ["html"]),
        (f"<![CDATA[ {T} ]]>", ["html"]),
        (f"<!X {T}", ["html"]),
        (f"<?x {T}", ["plain"]),
        (f"<!1 {T}", ["plain"]),
        (f"<![CDATA[ {T} <![CDATA[", ["plain"]),
        ("a <!-- src:user", ["open"]),
        ("a <!--> b", ["empty"]),
        ("a <!---> b", ["empty"]),
        ("a <!---->", ["plain"]),
        ("a <!-- x\ny -->", ["plain"]),
        (f"a < b {T} >", ["plain"]),
        (f"]{T}[", ["plain"]),
        (f"<b>{T}</b>", ["plain"]),
        (f'[a](b "{T}" )', ["title"]),
        (f'[a](b "{T}"\t\n )', ["title"]),
        (f'[a](<b> "{T}"  )', ["title"]),
        (f'[a](<b>c "{T}")', ["plain"]),
    ],
)
def test_where_a_comment_stands(text: str, places: list[str]) -> None:
    assert [place for place, _ in _places(text)] == places


def test_offsets_are_those_of_the_whole_comment() -> None:
    assert _places(f"a {T} `{T}`") == [("plain", T), ("code", T)]


def test_what_is_escaped_ends_at_its_line_or_its_end() -> None:
    assert _places("\\<!-- a --> b") == [("escaped", "<!-- a -->")]
    assert _places("&lt;!-- a\nb --&gt;") == [("escaped", "&lt;!-- a")]
    assert [len(text) for _, text in _places("\\<!--" + "x" * 5000)] == [600]


def test_a_link_deeper_than_readers_follow_is_none() -> None:
    assert [place for place, _ in _places("[a](" + "(" * 33 + ")" * 33 + f' "{T}")')] == ["plain"]
    assert [place for place, _ in _places("[a](" + "(" * 32 + ")" * 32 + f' "{T}")')] == ["title"]


def test_raw_html_knows_no_code_and_no_escape() -> None:
    assert [found.place for found in find_raw_comments(f"`{T}` \\{T} <!-- open")] == ["html"] * 3
