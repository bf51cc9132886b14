"""Which file a name in a link means."""

from __future__ import annotations

import pytest

from hoard_git.core.pagenames import PageNames, holds_link

PATHS = (
    "agents/a/wiki/node-2.md",
    "agents/a/wiki/deep/node-2.md",
    "agents/a/wiki/Node_3.markdown",
    "agents/a/wiki/node-2.png",
    "agents/a/wiki/.obsidian/node-2.md",
    "agents/a/wiki/!!.md",
    "agents/b/wiki/node-4.md",
)
HOME = "agents/a/wiki/home.md"


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("node-2", ["agents/a/wiki/node-2.md"]),
        ("Node 2", ["agents/a/wiki/node-2.md"]),
        ("node-2.png", ["agents/a/wiki/node-2.png"]),
        ("deep/node-2", ["agents/a/wiki/deep/node-2.md"]),
        ("./deep/node-2", ["agents/a/wiki/deep/node-2.md"]),
        ("../wiki/node-2", ["agents/a/wiki/node-2.md"]),
        ("node 3", ["agents/a/wiki/Node_3.markdown"]),
        ("!!", ["agents/a/wiki/!!.md"]),
        ("node-4", []),  # another workspace's
        ("../../../../node-2", []),  # above the repository
        ("../deep/node-2", []),
    ],
)
def test_what_a_name_means(name: str, found: list[str]) -> None:
    assert PageNames(PATHS, "agents/a/").find(name, HOME) == found


def test_of_equals_all_are_told() -> None:
    names = PageNames(["wiki/x/node.md", "wiki/y/node.md"])
    assert names.find("node", "wiki/home.md") == ["wiki/x/node.md", "wiki/y/node.md"]
    assert names.find("node", "wiki/y/home.md") == ["wiki/y/node.md"]


@pytest.mark.parametrize("data", [b"see [[node]]", b"[a](b)", b"---\nlinks: [a]\n---\n", b"in node.md"])
def test_each_kind_of_link_is_seen(data: bytes) -> None:
    assert holds_link(data)


def test_plain_words_hold_no_link() -> None:
    assert not holds_link(b"[ ] a task (done)\n- links are nice\n")
