"""`hoard tag` on real files with real history."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from hoard_git.app.adopt import Tagged, tag_files
from hoard_git.gitio.lineages import line_days
from hoard_git.gitio.plumbing import PlumbingReader
from tests.app.support import AS_AGENT, june, reader_of
from tests.support.repo import Repo, Workspace, run, run_hoard

MAY = {"GIT_AUTHOR_DATE": "2026-05-03T23:30:00-0500", "GIT_COMMITTER_DATE": "2026-05-04T12:00:00Z"}


def tag(repo: Repo, *only: str, source: str = "agent", dry_run: bool = False) -> list[Tagged]:
    return tag_files(reader_of(repo), only, source, june, dry_run=dry_run)


def stamps(outcomes: Sequence[Tagged]) -> dict[str, list[tuple[str, str]]]:
    return {o.path: [(i.tag.ts, i.date_from) for i in o.plan.insertions] for o in outcomes if o.plan is not None}


def test_a_small_commit_dates_a_line_in_its_authors_zone(workspace: Workspace) -> None:
    workspace.commit("Notes", {"memory/a.md": "# A\n\n- One.\n"}, env=MAY)

    assert stamps(tag(workspace)) == {"memory/a.md": [("2026-05-03", "commit")]}
    assert workspace.read("memory/a.md") == "# A  <!-- src:agent ts:2026-05-03 -->\n\n- One.\n"


def test_a_bulk_commit_dates_nothing(workspace: Workspace) -> None:
    workspace.commit("Import", {"memory/a.md": "# A\n\n- One.\n", **{f"f{n}": "x" for n in range(50)}}, env=MAY)
    workspace.commit("Small", {"memory/b.md": "# B\n\n- One.\n", **{f"g{n}": "x" for n in range(49)}}, env=MAY)

    assert stamps(tag(workspace)) == {"memory/a.md": [("unknown", "")], "memory/b.md": [("2026-05-03", "commit")]}


def test_what_is_not_committed_is_of_today(workspace: Workspace) -> None:
    workspace.commit("Notes", {"memory/a.md": "# A\n\n- One.\n"}, env=MAY)
    workspace.write("memory/a.md", "# A\n\n- One.\n- Two.\n")
    workspace.write("memory/new.md", "# N\n\n- One.\n")

    assert stamps(tag(workspace)) == {
        "memory/a.md": [("2026-05-03", "commit"), ("2026-06-15", "uncommitted")],
        "memory/new.md": [("2026-06-15", "uncommitted")],
    }


def test_a_new_line_that_was_refused_can_be_tagged_and_committed(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", workspace.read("MEMORY.md") + "\n## Rumours\n\n- The mirror moved.\n")
    assert run_hoard("--date", "2026-06-15", "commit", cwd=workspace, env=AS_AGENT).returncode == 1

    assert run_hoard("--date", "2026-06-15", "tag", cwd=workspace).returncode == 0
    assert "## Rumours  <!-- src:agent ts:2026-06-15 -->\n" in workspace.read("MEMORY.md")
    done = run_hoard("--date", "2026-06-15", "commit", cwd=workspace, env=AS_AGENT)
    assert (done.returncode, done.stdout.count(b"HG")) == (0, 0), done.stdout


def test_what_was_recorded_as_found_has_no_day(workspace: Workspace) -> None:
    workspace.commit("Record memory as found\n\nMemory-Op: adopt", {"memory/a.md": "# A\n\n- One.\n"}, env=MAY)

    assert stamps(tag(workspace)) == {"memory/a.md": [("unknown", "")]}


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("notes.txt",), 2, "No memory file matches 'notes.txt'"),
        (("docs",), 2, "No memory file matches 'docs'"),
        (("memory/2026-06-01.md",), 0, "count as something without a tag: memory/2026-06-01.md"),
        ((), 0, "1 file looked at, everything is tagged"),
    ],
)
def test_what_was_not_looked_at_is_not_called_tagged(workspace: Workspace, words: tuple[str, ...], status: int, said: str) -> None:
    workspace.write("notes.txt", "x\n")
    workspace.write("docs/a.md", "- x\n")
    workspace.write("memory/2026-06-01.md", "- x\n")

    done = run_hoard("tag", *words, cwd=workspace)
    assert (done.returncode, said in done.stderr.decode()) == (status, True), done.stderr


def test_no_memory_at_all(repo: Repo) -> None:
    done = run_hoard("tag", cwd=repo)
    assert (done.returncode, done.stderr.decode()) == (0, "hoard: no memory files here\n")


def test_the_edge_of_a_shallow_clone_dates_nothing(workspace: Workspace, tmp_path: Path) -> None:
    workspace.commit("Notes", {"memory/a.md": "# A\n\n- One.\n"}, env=MAY)
    workspace.commit("More", {"x": "x"})
    run(["git", "clone", "-q", "--depth", "1", workspace.path.as_uri(), tmp_path / "shallow"], cwd=tmp_path)

    assert stamps(tag(Repo(tmp_path / "shallow"))) == {"memory/a.md": [("unknown", "")]}


def test_a_line_that_came_by_a_merge(workspace: Workspace) -> None:
    workspace.git("checkout", "-q", "-b", "side")
    workspace.commit("Side", {"memory/a.md": "# A\n\n- One.\n"}, env=MAY)
    workspace.git("checkout", "-q", "main")
    workspace.commit("Main", {"x": "x"})
    workspace.git("merge", "-q", "--no-ff", "-m", "Merge", "side")

    assert stamps(tag(workspace)) == {"memory/a.md": [("2026-05-03", "commit")]}


def test_one_blame_a_file(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.commit("Notes", {"memory/a.md": "- a\n- b\n- c\n", "memory/b.md": "- a\n"}, env=MAY)
    asked = []

    def counted(reader: PlumbingReader, path: str) -> list[int | None]:
        asked.append(path)
        return line_days(reader, path)  # type: ignore[arg-type]

    monkeypatch.setattr("hoard_git.app.adopt.line_days", counted)
    tag(workspace)
    assert asked == ["memory/a.md", "memory/b.md"]


def test_which_files_and_what_a_dry_run_leaves(workspace: Workspace) -> None:
    files = {
        "memory/a.md": "- a\n",
        "memory/archive/b.md": "- b\n",
        "memory/archive/data.json": "[1]\n",
        "memory/2026-06-01.md": "- daily\n",
        "SOUL.md": "- identity\n",
        "HEARTBEAT.md": "- beat\n",
        "memory/deep/other.md": "- other\n",
        "README.md": "- none\n",
        "wiki/page.md": "- wiki\n",
    }
    workspace.commit("Files", files)
    before = workspace.snapshot()

    assert list(stamps(tag(workspace, dry_run=True))) == ["memory/a.md", "memory/archive/b.md", "wiki/page.md"]
    assert workspace.snapshot() == before
    assert list(stamps(tag(workspace, "memory/archive", dry_run=True))) == ["memory/archive/b.md"]
    tag(workspace)
    assert tag(workspace) == []


def test_one_bad_file_does_not_stop_the_others(workspace: Workspace) -> None:
    bad = {"memory/a.md": b"- caf\xe9\n", "memory/b.md": b"<<<<<<< ours\n- a\n=======\n- b\n>>>>>>> theirs\n", "memory/d.md": b"- a\0\n"}
    for path, content in bad.items():
        workspace.write(path, content)
    workspace.write("memory/c.md", "- good\n")
    (workspace.path / "memory/e.md").symlink_to("c.md")

    done = run_hoard("--date", "2026-06-15", "tag", cwd=workspace)

    assert done.returncode == 2
    said = done.stderr.decode()
    for path in (*bad, "memory/e.md"):
        assert f"{path} was left alone" in said
        if path in bad:
            assert workspace.read_bytes(path) == bad[path]
    assert done.stdout.decode() == "memory/c.md:1: <!-- src:agent ts:2026-06-15 --> date-from:uncommitted\n"


def test_what_was_tagged_can_be_committed(workspace: Workspace) -> None:
    workspace.commit("Old", {"memory/a.md": "# A\n\n- One 2026.\n- 2026-02-01 Two.\n"}, env=MAY)
    assert run_hoard("hooks", "install", cwd=workspace).returncode == 0

    assert run_hoard("tag", cwd=workspace).returncode == 0
    done = run_hoard("commit", "-m", "Tag memory", cwd=workspace, env=AS_AGENT)

    assert done.returncode == 0, done.stdout
    assert done.stdout.count(b"HG") == 0
    assert run_hoard("--date", "2026-06-15", "check", "--strict", cwd=workspace).returncode == 0
