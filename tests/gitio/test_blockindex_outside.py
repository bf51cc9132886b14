"""Lines that came into memory from other files are whose git says they are, and commits that touch no memory have a name then."""

from __future__ import annotations

import shutil
import sqlite3

import pytest

from hoard_git.app.history import with_index
from hoard_git.gitio.blockindex import BlockIndex
from hoard_git.gitio.plumbing import PlumbingReader
from tests.app.history_repos import folder, git_blame, memory, origins
from tests.support.repo import Repo

NOTES = "".join(f"- Note number {n} says that the nightly backup of host {n * 7} runs at {n} o'clock.\n" for n in range(12))
EXTRA = "- The router in the garden house answers on the second port only.\n"
ALL = ("-C", "-C", "-C")


@pytest.fixture
def outside(repo: Repo) -> Repo:
    """Notes that two commits wrote into a file that is no memory."""
    repo.commit("memory", {"MEMORY.md": memory("Something else.\n")})
    repo.commit("notes", {"notes.txt": NOTES})
    repo.commit("more notes", {"notes.txt": NOTES + EXTRA})
    return repo


def _subjects(repo: Repo, path: str) -> list[str]:
    reader = PlumbingReader(str(repo.path))

    def ask(index: BlockIndex) -> list[str]:
        return [repo.line("log", "-1", "--format=%s", oid) for oid in found]

    found = origins(repo, path)
    return with_index(reader, ask)


def test_a_file_that_is_renamed_into_memory_keeps_its_origins(outside: Repo) -> None:
    outside.git("rm", "-q", "notes.txt")
    outside.commit("adopt", {"memory/notes.md": NOTES + EXTRA})
    assert origins(outside, "memory/notes.md") == git_blame(outside, "memory/notes.md", "-M")
    assert _subjects(outside, "memory/notes.md") == ["notes"] * 12 + ["more notes"]


def test_so_does_one_that_is_copied_and_changed_later(outside: Repo) -> None:
    outside.commit("copy", {"memory/notes.md": NOTES + EXTRA})
    outside.commit("edit", {"memory/notes.md": NOTES.replace("host 21", "host 22") + EXTRA})
    assert origins(outside, "memory/notes.md") == git_blame(outside, "memory/notes.md", *ALL)
    assert _subjects(outside, "memory/notes.md") == ["notes"] * 3 + ["edit"] + ["notes"] * 8 + ["more notes"]


def test_lines_that_move_from_another_file_into_a_memory_file(outside: Repo) -> None:
    moved = NOTES.split("\n")[3:9]
    rest = [line for line in NOTES.split("\n") if line not in moved]
    outside.commit("move", {"notes.txt": "\n".join(rest), "MEMORY.md": memory("Something else.\n", *(f"{line}\n" for line in moved))})
    assert origins(outside, "MEMORY.md") == git_blame(outside, "MEMORY.md", *ALL)
    assert _subjects(outside, "MEMORY.md") == ["memory"] * 3 + ["notes"] * 6


def test_a_file_that_is_written_anew_stays_its_commits(outside: Repo) -> None:
    fresh = NOTES.replace("nightly backup", "weekly report").replace("Note number", "Item")
    outside.commit("fresh", {"memory/fresh.md": fresh})
    assert _subjects(outside, "memory/fresh.md") == ["fresh"] * 12


def test_lines_that_move_on_inside_of_memory_are_followed_too(outside: Repo) -> None:
    outside.git("rm", "-q", "notes.txt")
    outside.commit("adopt", {"memory/notes.md": NOTES + EXTRA})
    outside.git("rm", "-q", "memory/notes.md")
    outside.commit("archive", {"memory/archive/notes.md": NOTES + EXTRA})
    assert _subjects(outside, "memory/archive/notes.md") == ["notes"] * 12 + ["more notes"]


def test_what_git_said_is_asked_once_and_survives_new_commits(outside: Repo) -> None:
    outside.commit("copy", {"memory/notes.md": NOTES})
    first = origins(outside, "memory/notes.md")
    with sqlite3.connect(folder(outside) / "index.sqlite") as connection:
        assert connection.execute("SELECT count(*) FROM elsewhere").fetchall() == [(1,)]
        connection.execute("UPDATE elsewhere SET subject = 'kept'")
    outside.commit("edit", {"memory/notes.md": NOTES + EXTRA})
    found = origins(outside, "memory/notes.md")
    assert found[:12] == first
    reader = PlumbingReader(str(outside.path))
    assert with_index(reader, lambda index: index.node(-1).subject) == "kept"


def test_a_commit_from_outside_that_becomes_known_later_has_one_name(outside: Repo) -> None:
    outside.commit("copy", {"memory/notes.md": NOTES})
    before = origins(outside, "memory/notes.md")
    outside.commit("policy", {".hoard.yaml": 'version: 1\nmemory: {topic: ["memory/*.md", "notes.txt"]}\n'})
    assert origins(outside, "memory/notes.md") == before
    shutil.rmtree(folder(outside))
    assert origins(outside, "memory/notes.md") == before


def test_a_locked_index_answers_alike(outside: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    outside.commit("copy", {"memory/notes.md": NOTES})
    reader = PlumbingReader(str(outside.path))
    with_index(reader, lambda index: index.seq)
    with sqlite3.connect(folder(outside) / "index.sqlite") as other:
        other.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr("hoard_git.gitio.cachefiles._WAIT_SECONDS", 0.1)
        assert _subjects(outside, "memory/notes.md") == ["notes"] * 12
        other.rollback()
    assert _subjects(outside, "memory/notes.md") == ["notes"] * 12


def test_a_users_own_blame_settings_change_nothing(outside: Repo) -> None:
    outside.write("ignored", outside.line("rev-parse", "HEAD~1") + "\n")
    outside.git("config", "blame.ignoreRevsFile", "ignored")
    outside.git("config", "diff.renames", "false")
    outside.commit("copy", {"memory/notes.md": NOTES})
    assert _subjects(outside, "memory/notes.md") == ["notes"] * 12
