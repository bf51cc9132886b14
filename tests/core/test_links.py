"""Relative links of a text that moves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoard_git.core.links import is_same_text, rebase, resolved

OLD, NEW = "MEMORY.md", "memory/housing.md"


@pytest.mark.parametrize(
    ("text", "fresh"),
    [
        pytest.param("- see [a](memory/a.md)", "- see [a](a.md)", id="link"),
        pytest.param("- see [a]() and [b](b.md)", "- see [a]() and [b](../b.md)", id="no target"),
        pytest.param("- see [a](./memory/a.md)", "- see [a](a.md)", id="dot"),
        pytest.param("- ![plan](img/plan.png)", "- ![plan](../img/plan.png)", id="image"),
        pytest.param("- [![plan](img/p.png)](wiki/p.md)", "- [![plan](../img/p.png)](../wiki/p.md)", id="image in a link"),
        pytest.param('- [a](a.md "The title") end', '- [a](../a.md "The title") end', id="title"),
        pytest.param("- [a](<my file.md>)", "- [a](<../my file.md>)", id="angle brackets"),
        pytest.param("- [a](a%20b.md)", "- [a](../a%20b.md)", id="percent"),
        pytest.param("- [a](a_(1).md)", "- [a](../a_(1).md)", id="parentheses"),
        pytest.param("- [a](a.md?raw=1#top)", "- [a](../a.md?raw=1#top)", id="query and anchor"),
        pytest.param("- [a](#rules)", "- [a](../MEMORY.md#rules)", id="anchor of the old file"),
        pytest.param("- [a](memory/housing.md#rules)", "- [a](housing.md#rules)", id="anchor of the new file"),
        pytest.param("- [a](memory/)", "- [a](./)", id="folder"),
        pytest.param("- [a](.)", "- [a](../)", id="root folder"),
        pytest.param("[1]: a.md 'T'", "[1]: ../a.md 'T'", id="definition"),
        pytest.param("[1]: <a b.md>", "[1]: <../a b.md>", id="definition in angle brackets"),
        pytest.param("- one [a](a.md)\n  two [b](b.md)\n", "- one [a](../a.md)\n  two [b](../b.md)\n", id="continuation"),
        pytest.param("- [a\n  b](a.md)", "- [a\n  b](../a.md)", id="over a line end"),
        pytest.param("    - deep [a](a.md)", "    - deep [a](../a.md)", id="nested item by itself"),
        pytest.param("| [a](a.md) | b |", "| [a](../a.md) | b |", id="row"),
        pytest.param("## [A](a.md) <!-- src:web ts:unknown -->", "## [A](../a.md) <!-- src:web ts:unknown -->", id="heading"),
        pytest.param("> [a](a.md)\r\n> b\r", "> [a](../a.md)\r\n> b\r", id="quote with carriage returns"),
        pytest.param("- \u65e5\u672c [a](\u65e5.md)", "- \u65e5\u672c [a](../\u65e5.md)", id="other scripts"),
    ],
)
def test_a_link_leads_to_the_same_place(text: str, fresh: str) -> None:
    assert rebase(text, OLD, NEW) == fresh
    assert resolved(fresh, NEW) == resolved(text, OLD)
    assert resolved(rebase(fresh, NEW, OLD), OLD) == resolved(text, OLD)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("- https://example.org/a.md and <https://example.org>", id="autolinks"),
        pytest.param("- [a](https://example.org/a.md) [m](mailto:a@example.org) [c](C:/a.md)", id="schemes"),
        pytest.param("- [a](/a.md) [b](//example.org/b.md) [c](~/c.md)", id="roots"),
        pytest.param("- [a](../../a.md) [b](x/../../b.md)", id="leaves the repository"),
        pytest.param("- `[a](a.md)` and ``[b](`b.md)``", id="code spans"),
        pytest.param("```\n[a](a.md)\n```", id="fence"),
        pytest.param("- x\n\n      [a](a.md)\n", id="indented code"),
        pytest.param("- [a][1] [b] [c][]", id="references"),
        pytest.param("- \\[a](a.md)", id="escaped"),
        pytest.param("- [a]() [b](<>)", id="empty"),
        pytest.param("- [a](a b.md) [c](c.md", id="no links"),
        pytest.param("<!-- [a](a.md) -->", id="comment"),
        pytest.param('<a href="a.md">x</a>\n', id="raw HTML"),
        pytest.param("- [a](..\\a.md) [b](%2e%2e/b.md)", id="what markdown does not resolve"),
        pytest.param("- [^1]: a.md", id="footnote"),
    ],
)
def test_all_else_stays(text: str) -> None:
    assert rebase(text, OLD, NEW) == text
    assert resolved(text, OLD) == text


def test_code_beside_a_link_in_one_section() -> None:
    text = "## H\n\n- [a](a.md) `[b](b.md)`\n    - [c](c.md)\n\n```\n[d](d.md)\n```\n\n[e]: e.md\n"
    assert rebase(text, OLD, NEW) == "## H\n\n- [a](../a.md) `[b](b.md)`\n    - [c](../c.md)\n\n```\n[d](d.md)\n```\n\n[e]: ../e.md\n"


def test_folders_with_odd_names_are_coded() -> None:
    assert rebase("[a](a.md)", "my notes/(1)/x.md", "y.md") == "[a](my%20notes/%281%29/a.md)"
    assert resolved("[a](a.md)", "my notes/x.md") == resolved("[a](my%20notes/a.md)", "y.md")
    assert resolved("[a](<my notes/a.md>)", "y.md") == "[a](<my%20notes/a.md>)"


def test_a_name_that_looks_like_a_scheme_stays_relative() -> None:
    assert rebase("[a](../notes:1.md)", "memory/a.md", "b.md") == "[a](./notes:1.md)"
    assert rebase("[a](./notes:1.md)", "memory/a.md", "memory/x/b.md") == "[a](../notes:1.md)"


def test_in_the_same_folder_only_anchors_change() -> None:
    assert rebase("[a](b/../c.md) [d](#e)", "memory/a.md", "memory/b.md") == "[a](b/../c.md) [d](a.md#e)"
    assert rebase("[a](b.md) [d](#e)", "memory/a.md", "memory/a.md") == "[a](b.md) [d](#e)"


PATHS = st.sampled_from(["MEMORY.md", "memory/a.md", "memory/archive/logs/2026-06-01.md", "my notes/a.md", "wiki/x/y.md", "memory/b.md"])
TARGETS = st.sampled_from(
    ["a.md", "../a.md", "./x/", "..", "#top", "x.md#y", "../../../up.md", "https://e.example/a.md", "/a.md", "a%20b.md", "<a b.md>", "n:1.md",
     "./n:1.md", "", "memory/a.md", "../my%20notes/a.md", "~/x", "?q"]
)  # fmt: skip
WORDS = st.sampled_from(["see", "`code`", "*bold*", "\\", "<b>", "[x]", "!", "(", "\n", "> ", "- ", "    ", "```", "<!-- c -->", "|", "]("])


@given(st.lists(st.one_of(WORDS, TARGETS.map("[l]({})".format), TARGETS.map("![i]({} 't')".format)), max_size=12), PATHS, PATHS, PATHS)
def test_moving_there_and_on_loses_no_link(parts: list[str], first: str, second: str, third: str) -> None:
    text = " ".join(parts)
    moved = rebase(text, first, second)
    assert is_same_text(text, first, moved, second)
    assert is_same_text(moved, second, rebase(moved, second, third), third)
    assert moved.count("\n") == text.count("\n")
    if ".." not in resolved(text, first):
        assert resolved(moved, second) == resolved(text, first)


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("- [a](../a.md) [up](../up.md)", True),
        ("- [a](a.md) [up](../up.md)", True),
        ("- [a](b.md) [up](../up.md)", False),
        ("- [a](../a.md) [up](up.md)", False),
        ("- [b](../a.md) [up](../up.md)", False),
        ("- [a](../a.md)", False),
    ],
)
def test_a_link_that_leaves_beside_one_that_does_not(other: str, same: bool) -> None:
    text = "- [a](a.md) [up](../up.md)"
    assert rebase(text, OLD, NEW) == "- [a](../a.md) [up](../up.md)"
    assert is_same_text(text, OLD, other, NEW) is same


@pytest.mark.parametrize("piece", ["[a](a.md) ", "[", "![a](", "[a](((((", "[[[[a](b.md)", "`", "\\["])
def test_a_long_line_stays_linear(piece: str) -> None:
    text = "- " + piece * (100_000 // len(piece))
    assert resolved(rebase(text, OLD, NEW), NEW) == resolved(text, OLD)
