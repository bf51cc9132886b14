from __future__ import annotations

import secrets
from collections.abc import Collection

import pytest

from hoard_git.core.document import Document
from hoard_git.core.markdown import parse
from hoard_git.core.model import Finding
from hoard_git.lint.backlinks import backlinks
from hoard_git.lint.scene import Gone, NoLookup
from tests.support.scenes import change_scene, findings, state_scene


class Tree(NoLookup):
    """A tree beside the judged files, and what history says about some that are gone."""

    def __init__(self, files: dict[str, str], gone: dict[str, Gone] | None = None) -> None:
        self.files = files
        self.history = gone

    def paths(self) -> Collection[str]:
        return self.files

    def has(self, path: str) -> bool:
        return path in self.files or any(known.startswith(path + "/") for known in self.files)

    def document(self, path: str) -> Document | None:
        return parse(self.files[path].encode()) if path in self.files else None

    def gone(self, path: str) -> Gone | None:
        return None if self.history is None else self.history.get(path, Gone())


BESIDE = Tree({
    "README.md": "# Read me\n\n## 2026-05-01 How to <!-- src:agent ts:2026-05-01 id:k3f9q2 -->\n",
    "src/main.py": "x\n" * 9,
    "wiki/nodes.md": "# Nodes\n\n## Node 2\n",
    "wiki/deep/er/queue.md": "# Queue\n",
    "wiki/a/twin.md": "# A\n",
    "wiki/b/twin.md": "# B\n",
    "wiki/old_name.md": "# Old\n",
    "docs/plan (1).md": '# Plan <a id="goal"></a>\n',
})  # fmt: skip


def judged(code: str, text: str, path: str = "wiki/page.md", tree: Tree = BESIDE) -> list[Finding]:
    return findings(state_scene({path: text + "\n"}, lookup=tree), code)


@pytest.mark.parametrize(
    "text",
    [
        "- [x](../README.md)",
        "- [x](README.md)",  # from the workspace's root
        "- [x](nodes.md#node-2) and [y](nodes.md#Node%202)",
        "- [x](../README.md#how-to) [x](../README.md#2026-05-01-how-to) [x](../README.md#k3f9q2)",
        "- [x](../docs/plan%20(1).md#goal) [x](<../docs/plan (1).md>)",
        "- [x](../src/) [x](../src) ![x](../src/main.py)",
        "- [x](../src/main.py#L3) [x](../src/main.py:3)",
        "- [x](nodes)",
        "# Here\n\n- [x](#here)",
        "- [x](https://a.example/b.md) [x](mailto:a@b.example) [x](example.com/x.md) [x](#)",
        "- `[x](gone.md)`\n\n```\n[x](gone.md)\n```",
        "- [x](<file>.md) [x](path/to/{name}.md) [x](notes/YYYY-MM-DD.md) [x](...)",
        "- f[0](x) and [note](word)",
        "- [x](../../outside.md)",  # HG410's
        "[^1]: gone.md",
    ],
)
def test_a_link_that_leads_somewhere_or_is_no_path(text: str) -> None:
    assert judged("HG801", text) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- [x](gone.md)", "the link to gone.md: it is not there"),
        ("- ![x](img/gone.png)", "the link to img/gone.png: it is not there"),
        ("[x]: gone.md\n\n[x]", "the link to gone.md: it is not there"),
        ("- [x](nodes.md#node-3)", "the link to nodes.md#node-3 names a heading that is not there"),
        ("# Here\n\n- [x](#there)", "the link to #there names a heading that is not there"),
        ("- [x](nodes.md#L9-L12)", "the link to nodes.md names line 12 of a file that has 3"),
        ("> - [x](gone.md)", "the link to gone.md: it is not there"),
        ("| a | b |\n|---|---|\n| [x](gone.md) | y |", "the link to gone.md: it is not there"),
    ],
)
def test_a_broken_link(text: str, message: str) -> None:
    assert [finding.message for finding in judged("HG801", text)] == [message]


def test_a_file_of_the_same_name_is_offered() -> None:
    assert [finding.hint for finding in judged("HG801", "- [x](queue.md)")] == ["did you mean wiki/deep/er/queue.md?"]


def test_history_says_where_a_file_went() -> None:
    commit = "a" * 40
    gone = {"wiki/one.md": Gone(commit, "wiki/two.md"), "wiki/two.md": Gone("b" * 40, "wiki/nodes.md"), "wiki/three.md": Gone(commit)}
    tree = Tree(BESIDE.files, gone)
    moved, removed, never = judged("HG801", "- [x](one.md)\n- [x](three.md)\n- [x](four.md)", tree=tree)
    assert (moved.message, moved.hint) == (
        "the link to one.md: it was moved to wiki/nodes.md in bbbbbbbbbbbb",
        "write wiki/nodes.md",
    )
    assert (removed.message, removed.hint) == (
        "the link to three.md: it was removed in aaaaaaaaaaaa",
        "see it: git show aaaaaaaaaaaa^:wiki/three.md",
    )
    assert never.message == "the link to four.md: it is not there, and never was in this history"


def test_moves_in_a_ring_end() -> None:
    tree = Tree({}, {"wiki/a.md": Gone("a" * 40, "wiki/b.md"), "wiki/b.md": Gone("b" * 40, "wiki/a.md")})
    assert ["was removed" in finding.message for finding in judged("HG801", "- [x](a.md)", tree=tree)] == [True]


def test_a_target_beside_a_secret_is_not_repeated() -> None:
    key = "ghp" + "_" + secrets.token_hex(18)
    found = judged("HG801", f"- [x]({key}.md)") + judged("HG802", f"- [[{key}]]") + judged("HG805", f"- memory/{key}.md", "MEMORY.md")
    assert len(found) == 3
    assert all(key not in f"{finding.message} {finding.hint}" for finding in found)


def test_the_archive_and_logs_are_left_to_others() -> None:
    assert judged("HG801", "- [x](gone.md)", "memory/archive/2026-01-01.md") == []
    assert judged("HG801", "- [x](gone.md)", "memory/2026-01-01.md") == []
    assert [finding.severity for finding in judged("HG805", "- [x](gone.md)", "memory/2026-01-01.md")] == ["info"]


def test_only_touched_lines_of_a_change_are_judged() -> None:
    before = {"wiki/a.md": "- [x](gone.md)\n"}
    after = {"wiki/a.md": "- [x](gone.md)\n- [x](lost.md)\n- [y](b.md)\n", "wiki/b.md": "# B\n"}
    assert [(f.line, f.severity) for f in findings(change_scene(before, after, lookup=BESIDE), "HG801")] == [(2, "warn")]


def test_a_file_that_the_change_deletes_is_gone() -> None:
    before = {"wiki/nodes.md": "# Nodes\n"}
    found = findings(change_scene(before, {"wiki/a.md": "- [x](nodes.md)\n"}, lookup=BESIDE), "HG801")
    assert [finding.message for finding in found] == ["the link to nodes.md: it is not there"]


# ---------------------------------------------------------------- wikilinks


@pytest.mark.parametrize(
    "text",
    [
        "- [[nodes]] [[Nodes]] [[nodes.md]] [[wiki/nodes]] [[nodes|the nodes]] ![[nodes]]",
        "- [[nodes#Node 2]] [[nodes#node-2]] [[nodes#Nodes#Node 2]] [[nodes#^block]]",
        "- [[queue]] [[er/queue]] [[deep/er/queue]] [[Old Name]] [[a/twin]] [[./nodes]]",
        "# Here\n\n- [[#Here]]",
        "- [[reply_to_current]] [[reply_to:123]] [[audio_as_voice]] [[ -f x ]] [[1, 2]] [['a']] [[project: alpha]] [[...]] [[<name>]]",
        "- `[[gone]]` and \\[[gone]]\n\n```\n[[gone]]\n```",
        "| a |\n|---|\n| [[nodes\\|n]] |",
        "- [[../../.ssh/config]]",  # HG410's
    ],
)
def test_a_wikilink_that_leads_somewhere_or_is_none(text: str) -> None:
    assert judged("HG802", text) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- [[gone]]", "there is no page gone"),
        ("- [[x/nodes]]", "there is no page x/nodes"),
        ("- [[../nodes]]", "there is no page ../nodes"),
        ("- [[nodes#Node 3]]", "the link to nodes names a heading that is not there"),
        ("- [[#There]]", "the link to this page names a heading that is not there"),
        ("- [[twin]]", "the name twin fits 2 pages: wiki/a/twin.md and wiki/b/twin.md"),
        ("---\ntitle: x\nlinks: [nodes, gone]\n---\n# X", "there is no page gone"),
        ("---\ntitle: x\nlinks:\n  - nodes\n  - '[[gone]]'\n---\n# X", "there is no page gone"),
    ],
)
def test_a_broken_wikilink(text: str, message: str) -> None:
    assert [finding.message for finding in judged("HG802", text)] == [message]


def test_a_page_in_the_same_folder_goes_before_its_twin() -> None:
    assert judged("HG802", "- [[twin]]", "wiki/a/page.md") == []


def test_without_a_wiki_double_brackets_elsewhere_are_text() -> None:
    assert judged("HG802", "- [[gone]]", "MEMORY.md", Tree({"README.md": ""})) == []
    assert len(judged("HG802", "- [[gone]]", "MEMORY.md")) == 1


def test_history_says_where_a_page_went() -> None:
    tree = Tree(BESIDE.files, {"wiki/gone.md": Gone("a" * 40, "wiki/nodes.md")})
    assert [f.message for f in judged("HG802", "- [[gone]]", tree=tree)] == [
        "there is no page gone; it was moved to wiki/nodes.md in aaaaaaaaaaaa"
    ]


def test_a_file_name_with_blanks_is_one_name() -> None:
    beside = Tree({"Areas/About Me.md": "# About\n", "MEMORY.md": "# M\n"})
    assert judged("HG801", "- [About](Areas/About Me.md), [it](<Areas/About Me.md>)", "MEMORY.md", beside) == []
    (found,) = judged("HG801", "- [About](Areas/About You Then.md) and more", "MEMORY.md", beside)
    assert "Areas/About You Then.md" in found.message
    (found,) = judged("HG801", '- [About](Areas/Gone.md "About Me.md") and more', "MEMORY.md", beside)
    assert "Areas/Gone.md:" in found.message


def test_a_link_may_lead_to_a_folder_and_not_out_of_the_repository() -> None:
    assert judged("HG801", "- [x](..) and [y](../)") == []
    out = "- [x](../../../../nodes.md)"
    assert (judged("HG801", out), len(judged("HG410", out))) == ([], 1)
    assert backlinks(state_scene({"wiki/page.md": out, "nodes.md": "# N"})).of("wiki/page.md") == []


def test_a_move_to_a_place_that_history_does_not_know() -> None:
    tree = Tree({}, {"wiki/a.md": Gone("a" * 40, "wiki/b.md")})
    (found,) = judged("HG801", "- [x](a.md)", tree=tree)
    assert found.message == "the link to a.md: it was removed in aaaaaaaaaaaa"


def test_an_anchor_may_be_the_id_of_an_entry() -> None:
    tree = Tree({"wiki/a.md": "# A\n\n- fact <!-- src:agent ts:2026-05-01 id:k3f9q2 -->\n"})
    assert judged("HG801", "- [x](a.md#k3f9q2)", tree=tree) == []
    assert len(judged("HG801", "- [x](a.md#k3f9q3)", tree=tree)) == 1


@pytest.mark.parametrize("path", ["memory/archive/2026-01-01.md", "memory/2026-01-01.md", "memory/deep/x.txt"])
def test_wikilinks_of_the_archive_and_of_logs_are_left_to_others(path: str) -> None:
    assert judged("HG802", "- [[gone]]", path) == []


def test_names_in_front_matter_are_judged_where_a_change_touches_them() -> None:
    before = "---\ntitle: p\nlinks:\n  - gone\n  - lost\n---\n# P\n"
    new = {"wiki/p.md": before.replace("lost", "missing")}
    assert [(f.line, f.message) for f in findings(change_scene({"wiki/p.md": before}, new, lookup=BESIDE), "HG802")] == [
        (5, "there is no page missing")
    ]


def test_a_lookup_that_knows_nothing_says_so() -> None:
    nothing = NoLookup()
    assert nothing.document("MEMORY.md") is None
    assert nothing.lines_at("a" * 40, "MEMORY.md", 1, 2) is None
    assert not nothing.has("MEMORY.md")
