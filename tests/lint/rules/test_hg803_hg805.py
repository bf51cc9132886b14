from __future__ import annotations

import pytest

from hoard_git.core.frontmatter import LARGEST
from hoard_git.core.model import Finding
from hoard_git.core.policy import Policy
from hoard_git.lint.backlinks import backlinks
from hoard_git.lint.scene import FileView, Gone
from tests.lint.rules.test_hg801_hg802 import Tree
from tests.support.scenes import change_scene, findings, state_scene, view

PAGE = "# Page  <!-- src:agent ts:2026-06-01 -->\n"


class Linked(Tree):
    """A tree in which one unchanged file holds a text."""

    def __init__(self, path: str, text: str) -> None:
        super().__init__({path: text, "wiki/page.md": PAGE})
        self.view = view(path, text)

    def linking(self) -> list[FileView]:
        return [self.view]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("MEMORY.md", "- see [[page]]"),
        ("wiki/other.md", "- see [p](page.md)"),
        ("memory/2026-06-01.md", "- wrote wiki/page.md"),
        ("wiki/other.md", "---\ntitle: o\nlinks: [page]\n---\n# O"),
    ],
)
def test_a_page_that_something_leads_to(path: str, text: str) -> None:
    assert findings(state_scene({"wiki/page.md": PAGE, path: text + "\n"}), "HG803") == [] or path.startswith("wiki/")
    assert findings(change_scene({}, {"wiki/page.md": PAGE}, lookup=Linked(path, text + "\n")), "HG803") == []


@pytest.mark.parametrize(
    ("path", "text"), [("memory/archive/x.md", "- see [[page]]"), ("MEMORY.md", "- a page"), ("MEMORY.md", "`[[page]]`")]
)
def test_a_page_that_nothing_leads_to(path: str, text: str) -> None:
    found = findings(change_scene({}, {"wiki/page.md": PAGE}, lookup=Linked(path, text + "\n")), "HG803")
    assert [(f.path, f.line, f.severity) for f in found] == [("wiki/page.md", 0, "info")]


def test_a_link_to_itself_does_not_count_and_entrances_need_none() -> None:
    files = {"wiki/page.md": PAGE + "[[page]]\n", "wiki/index.md": PAGE, "wiki/README.md": PAGE}
    assert [f.path for f in findings(state_scene(files), "HG803")] == ["wiki/page.md"]


def test_an_edit_of_an_old_orphan_is_no_news() -> None:
    assert findings(change_scene({"wiki/page.md": PAGE}, {"wiki/page.md": PAGE + "- x\n"}), "HG803") == []


# ---------------------------------------------------------------- front matter


def front(text: str) -> list[str]:
    return [f"{f.line} {f.message}" for f in findings(state_scene({"wiki/page.md": text}), "HG804")]


@pytest.mark.parametrize(
    "text",
    [
        "# No front matter\n",
        "---\n\nText between two rules.\n\n---\n",
        '---\ntitle: x\ntags: [a, "b, c"]\naliases:\n- x\nother:\n  nested: {a: [1, 2]}\n  text: |\n    more\n---\n# X\n',
        "---\r\ntitle: x\r\nlinks: []\r\n---\r\n# X\r\n",
        "---\ntitle: 'it''s'  # a comment\nts: 2026-06-01\ntags:\nurl: https://a.example/b\n---\n# X\n",
    ],
)
def test_front_matter_that_everybody_reads_alike(text: str) -> None:
    assert front(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("---\ntitle: a\ntitle: b\n---\n", ["3 title stands twice"]),
        ("---\n'src': agent\nsrc: user\n---\n", ["3 src stands twice"]),
        ("---\ntitle: a: b\n---\n", ["2 title has a value that YAML readers disagree about; put it in quotes"]),
        ("---\nsrc: &x user\nts: *x\n---\n", ["2 anchors, aliases and tags of YAML are not read", "2 src has a value", "3 anchors", "3 ts has"]),
        ("---\nother: !!python/name x\n---\n", ["2 a value needs quotes", "2 anchors, aliases and tags of YAML are not read"]),
        ("---\nother:\n  deep: &a [1]\n---\n", ["3 anchors, aliases and tags of YAML are not read"]),
        ("---\ntags: {a: b}\n---\n", ["2 tags has a value that YAML readers disagree about; put it in quotes"]),
        ("---\nlinks: [[node]]\n---\n", ["2 links is no list of texts in brackets"]),
        ("---\ntitle: |\n  two\n  lines\n---\n", ["2 title holds more than one line"]),
        ("---\ntitle:\n---\n", ["2 title is no text"]),
        ("---\ntitle: x\n\nText\n", ["1 it is opened with --- and never closed"]),
        ("---\ntitle: x\nno key\n---\n", ["3 this line is no key with a value"]),
        ("---\ntitle: " + "x" * 201 + "\n---\n", ["2 title holds a text of more than 200 characters"]),
        ("---\ntitle: x\n" + "".join(f"k{n}: {'y' * 90}\n" for n in range(200)) + "---\n", ["1 it is longer than 16 KB"]),
    ],
)  # fmt: skip
def test_bad_front_matter(text: str, found: list[str]) -> None:
    told = front(text)
    assert len(told) == len(found)
    for one, other in zip(sorted(told), sorted(found), strict=True):
        assert one.startswith(other.split(" ", 1)[0] + " the front matter is bad: " + other.split(" ", 1)[1])


def test_front_matter_is_judged_where_a_change_touches_it() -> None:
    bad = "---\ntitle: a: b\n---\n# X\n"
    assert findings(change_scene({"wiki/p.md": bad}, {"wiki/p.md": bad + "- x\n"}), "HG804") == []
    assert len(findings(change_scene({}, {"wiki/p.md": bad}), "HG804")) == 1
    assert findings(state_scene({"memory/p.md": bad}), "HG804") == []


# ---------------------------------------------------------------- pointers


def pointers(text: str, path: str = "MEMORY.md", tree: Tree | None = None, policy: Policy | None = None) -> list[Finding]:
    scene = state_scene({path: text + "\n"}, lookup=tree or Tree({"memory/a.md": "# A\n\n- x\n", "docs/deep.md": "", "SOUL.md": ""}))
    return findings(scene if policy is None else scene._replace(policy=policy), "HG805")


@pytest.mark.parametrize(
    "text",
    [
        "- see memory/a.md, `memory/a.md`, ./memory/a.md, memory/a.md:3, memory/a.md#a, (memory/a.md)",
        "- [score=0.5 source=memory/a.md:1-3]",
        "<!-- openclaw-memory-promotion:memory:memory/a.md:1:3 -->\n- x",
        "- see https://forge.example/memory/b.md, ~/x/memory/b.md, /srv/memory/b.md and $HOME/memory/b.md",
        "- write `memory/YYYY-MM-DD.md`, `memory/<topic>.md`, memory/*.md and memory/xxx.md",
        "- other/b.md and b.md are another project's",
        "- `deep.md` lies somewhere",
        "- deleted memory/b.md",
        "- renamed memory/b.md to memory/a.md",
        "```\nmemory/b.md\n```",
        "- fact <!-- src:agent ts:2026-06-01 ev:memory/b.md -->",
        "- [memory/a.md](memory/a.md)",
    ],
)
def test_a_pointer_that_is_fine_or_not_ours(text: str) -> None:
    assert pointers(text) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- see memory/b.md", "memory/b.md is not there"),
        ("- https://forge.example memory/b.md", "memory/b.md is not there"),
        ("- see `memory/b.md:7-9`", "memory/b.md is not there"),
        ("- moved to memory/b.md", "memory/b.md is not there"),
        ("- memory/a.md:7-9", "memory/a.md names line 9 of a file that has 3"),
        ("- memory/a.md#b", "memory/a.md names a heading that is not there"),
        ("<!-- openclaw-memory-promotion:memory:memory/b.md:1:3 -->\n- x", "memory/b.md is not there"),
        ("- memory/b.md\n- memory/b.md\n- memory/b.md", "memory/b.md is not there, and 2 more lines of this file name it"),
    ],
)
def test_a_rotten_pointer(text: str, message: str) -> None:
    assert [finding.message for finding in pointers(text)] == [message]


def test_history_knows_paths_of_other_folders() -> None:
    tree = Tree({}, {"docs/x.md": Gone("a" * 40), "memory/docs/x.md": Gone()})
    assert [f.message for f in pointers("- docs/x.md, docs/y.md", tree=tree)] == ["docs/x.md was removed in aaaaaaaaaaaa"]


def test_many_pointers_on_a_long_line_are_read_in_linear_time() -> None:
    assert pointers("- " + "a/b.md " * 20_000) == []
    assert pointers("- " + "a" * 100_000 + ".md") == []


def test_two_places_on_one_line_are_one() -> None:
    assert [f.message for f in pointers("- memory/b.md and memory/b.md")] == ["memory/b.md is not there"]
    assert [f.message for f in pointers("- memory/b.md and memory/b.md\n- memory/b.md")] == [
        "memory/b.md is not there, and 1 more line of this file name it"
    ]


@pytest.mark.parametrize("path", ["SOUL.md", "wiki/page.md", "memory/archive/2026-01-01.md"])
def test_pointers_of_other_files_are_left_alone(path: str) -> None:
    assert pointers("- memory/b.md", path) == []


def test_only_touched_lines_of_a_paragraph_are_judged() -> None:
    before = "See memory/b.md for the rest\nand for more.\n"
    after = before.replace("for more", "memory/c.md")
    found = findings(change_scene({"MEMORY.md": before}, {"MEMORY.md": after}, lookup=Tree({})), "HG805")
    assert [(f.line, f.message) for f in found] == [(2, "memory/c.md is not there")]


def test_what_a_page_leads_to() -> None:
    text = PAGE + "[o](other.md) [[other#Page]] [here](#page) [[#Page]] [gone](gone.md) [[page]]\n"
    scene = state_scene({"wiki/page.md": text, "wiki/other.md": PAGE, "memory/deep/x.txt": "[o](../../wiki/other.md)\n"})
    found = backlinks(scene)
    assert [(link.source, link.line, link.target) for link in found.of("wiki/page.md")] == [("wiki/page.md", 2, "wiki/other.md")] * 2
    assert found.to("wiki/other.md") == found.of("wiki/page.md")
    assert found.of("wiki/other.md") == found.to("wiki/page.md") == found.of("memory/deep/x.txt") == []


def test_front_matter_that_is_too_large_to_read_names_no_pages() -> None:
    large = "---\nlinks: [gone]\nnote: " + "x" * LARGEST + "\n---\n# P\n"
    scene = state_scene({"wiki/page.md": large}, lookup=Tree({}))
    assert (findings(scene, "HG802"), len(findings(scene, "HG804"))) == ([], 1)
    small = large.replace("x" * LARGEST, "x")
    assert len(findings(state_scene({"wiki/page.md": small}, lookup=Tree({})), "HG802")) == 1
