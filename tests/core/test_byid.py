"""Ids decide which unit is which, whatever the texts say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoard_git.core.align import Change, Side, units
from hoard_git.core.byid import by_id
from hoard_git.core.markdown import parse

if TYPE_CHECKING:
    from hoard_git.core.align import Unit


def entry(text: str, name: str = "") -> Unit:
    """The one entry of a page, with this id."""
    key = f" id:{name}" if name else ""
    page = parse(f"# Notes\n\n- {text} <!-- src:agent ts:2026-06-01{key} -->\n".encode())
    return units(Side("MEMORY.md", "index", page, None))[1][0]


def heading(title: str, name: str) -> Unit:
    page = parse(f"# {title} <!-- src:agent ts:2026-06-01 id:{name} -->\n".encode())
    return units(Side("MEMORY.md", "index", page, None))[0][0]


def test_a_removal_and_an_addition_of_one_id_are_an_edit() -> None:
    old, new = entry("the wiki runs on node-1", "wiki01"), entry("pages are served by the second machine", "wiki01")
    assert by_id([Change("remove", old, None), Change("add", None, new)]) == [Change("edit", old, new)]
    assert by_id([Change("add", None, new), Change("remove", old, None)]) == [Change("edit", old, new)]


def test_a_pair_of_two_ids_is_a_removal_and_an_addition() -> None:
    old, new = entry("the wiki runs on node-1", "wiki01"), entry("the wiki runs on node-2", "wiki02")
    assert by_id([Change("edit", old, new)]) == [Change("add", None, new), Change("remove", old, None)]


def test_pairs_whose_ids_are_crossed_are_uncrossed() -> None:
    one, two = entry("apples are red", "aaaaa1"), entry("pears are green", "bbbbb2")
    one_now, two_now = entry("pears are green", "aaaaa1"), entry("apples are red", "bbbbb2")
    assert by_id([Change("retag", one, two_now), Change("retag", two, one_now)]) == [
        Change("edit", two, two_now),
        Change("edit", one, one_now),
    ]


def test_without_an_id_on_both_sides_nothing_is_changed() -> None:
    listed = [
        Change("edit", entry("one"), entry("two")),
        Change("edit", entry("one", "aaaaa1"), entry("two")),
        Change("edit", entry("one"), entry("two", "bbbbb2")),
        Change("add", None, entry("three")),
        Change("remove", entry("four"), None),
    ]
    assert by_id(listed) == listed


def test_a_heading_and_an_entry_of_one_id_are_two() -> None:
    title, fact = heading("Wiki", "wiki01"), entry("the wiki runs on node-1", "wiki01")
    assert by_id([Change("remove", title, None), Change("add", None, fact)]) == [Change("add", None, fact), Change("remove", title, None)]
    renamed = heading("The wiki", "wiki01")
    assert by_id([Change("remove", title, None), Change("add", None, renamed)]) == [Change("edit", title, renamed)]
