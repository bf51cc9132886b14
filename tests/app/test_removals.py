"""What links lead to, and where files went: asked of real repositories, as the work tree stands, staged, and over a range."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoard_git.app.check import check_commits, check_staged, check_state, find_range
from hoard_git.app.removals import Removals
from hoard_git.core.model import Oid
from hoard_git.gitio.opening import open_reader
from hoard_git.lint.scene import Gone
from tests.app.support import june, reader_of
from tests.support.repo import Repo, Workspace

PAGE = "# Page <!-- src:agent ts:2026-06-01 -->\n\n" + "".join(f"- Fact {n} about the page\n" for n in range(9))
WIKI = {"HG801", "HG802", "HG803", "HG804", "HG805"}


def messages(repo: Repo, *only: str) -> list[str]:
    return [f"{f.path}:{f.line} {f.message}" for f in check_state(reader_of(repo), only, june, WIKI).findings]


def test_a_move_a_removal_and_a_file_that_never_was(workspace: Workspace) -> None:
    workspace.commit("a", {"memory/a.md": PAGE, "memory/b.md": "# B\n"})
    workspace.git("mv", "memory/a.md", "memory/c.md")
    moved = workspace.commit("move")
    removed = workspace.commit("remove", {"memory/b.md": None})
    removals = Removals(reader_of(workspace), [Oid(removed)])
    assert removals.find("memory/a.md") == Gone(moved, "memory/c.md")
    assert removals.find("memory/b.md") == Gone(removed)
    assert removals.find("memory/x.md") == Gone()
    assert removals.find("memory/b.md", lambda oid: oid == moved) == Gone()


def test_odd_names_are_found(workspace: Workspace) -> None:
    workspace.commit("a", {"memory/\u00e9 \n\x01.md": PAGE})
    gone = workspace.commit("b", {"memory/\u00e9 \n\x01.md": None})
    assert Removals(reader_of(workspace), [Oid(gone)]).find("memory/\u00e9 \n\x01.md") == Gone(gone)


def test_a_removal_that_only_a_merge_makes(workspace: Workspace) -> None:
    workspace.commit("a", {"memory/a.md": PAGE})
    workspace.git("checkout", "-q", "-b", "side")
    workspace.commit("b", {"memory/b.md": "# B\n"})
    workspace.git("checkout", "-q", "main")
    workspace.commit("c", {"memory/c.md": "# C\n"})
    workspace.git("merge", "-q", "--no-commit", "side")
    workspace.git("rm", "-q", "memory/a.md")
    merge = workspace.commit("merge")
    assert Removals(reader_of(workspace), [Oid(merge)]).find("memory/a.md") == Gone(merge)


def test_a_shallow_clone_does_not_say_never(workspace: Workspace, tmp_path: Path) -> None:
    workspace.commit("a", {"memory/a.md": PAGE})
    workspace.commit("b", {"memory/a.md": None})
    workspace.commit("c", {"wiki/p.md": "# P <!-- src:agent ts:2026-06-01 -->\n[x](../memory/a.md)\n"})
    workspace.git("clone", "-q", "--depth=1", workspace.path.as_uri(), tmp_path / "clone")
    assert messages(Repo(tmp_path / "clone"), "wiki/p.md")[1:] == ["wiki/p.md:2 the link to ../memory/a.md: it is not there"]


def test_the_work_tree_with_ignored_files_and_other_pages(workspace: Workspace) -> None:
    workspace.commit("a", {"wiki/b.md": PAGE, ".gitignore": "private/\n", "README.md": "# Read\n"})
    workspace.write("private/x.md", "# X\n")
    workspace.write("wiki/a.md", "# A <!-- src:agent ts:2026-06-01 -->\n[x](../private/x.md) [y](b.md#z) [r](../README.md#read) [[b]]\n")
    assert messages(workspace, "wiki") == [
        "wiki/a.md:0 nothing links to this page",
        "wiki/a.md:2 the link to b.md#z names a heading that is not there",
    ]
    assert messages(workspace, "wiki/b.md") == []


def test_staged_pages_are_judged_by_the_index(workspace: Workspace) -> None:
    workspace.commit("a", {"wiki/b.md": PAGE})
    workspace.stage({"wiki/a.md": "# A <!-- src:agent ts:2026-06-01 -->\n[y](b.md#z) [x](c.md) [b](b.md)\n[[d]] [m](../memory)\n"})
    workspace.write("wiki/c.md", "# not staged\n")
    found = [f for f in check_staged(reader_of(workspace), june, {}).findings if f.code in WIKI]
    assert [(f.code, f.line, f.message) for f in found] == [
        ("HG803", 0, "nothing links to this page"),
        ("HG801", 2, "the link to b.md#z names a heading that is not there"),
        ("HG801", 2, "the link to c.md: it is not there"),
        ("HG802", 3, "there is no page d"),
        ("HG801", 3, "the link to ../memory: it is not there"),
    ]


@pytest.mark.parametrize("batch", [False, True])
def test_a_range_knows_the_history_of_each_commit(workspace: Workspace, batch: bool) -> None:
    link = "# A <!-- src:agent ts:2026-06-01 -->\n[b](b.md)\n"
    start = workspace.commit(
        "a", {"wiki/b.md": PAGE, "wiki/index.md": "# I <!-- src:agent ts:2026-06-01 -->\n[a](a.md)\n", "wiki/a.md": "# A\n"}
    )
    workspace.commit("fine", {"wiki/a.md": link})
    workspace.git("mv", "wiki/b.md", "wiki/c.md")
    moved = workspace.commit("move")
    broken = workspace.commit("broken", {"wiki/a.md": link + "- [again](b.md)\n", "wiki/d.md": link})
    reader = open_reader(str(workspace.path), batch=batch)
    report = check_commits(reader, find_range(reader, f"{start}..HEAD"), june, "range")
    found = [(f.commit, f.path, f.code, f.message) for f in report.findings if f.code in WIKI]
    message = f"the link to b.md: it was moved to wiki/c.md in {moved[:12]}"
    assert found == [
        (moved, "wiki/c.md", "HG803", "nothing links to this page"),
        (broken, "wiki/a.md", "HG801", message),
        (broken, "wiki/d.md", "HG803", "nothing links to this page"),
        (broken, "wiki/d.md", "HG801", message),
    ]
