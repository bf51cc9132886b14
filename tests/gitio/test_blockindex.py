"""The block index under trouble: interrupted, corrupt, locked, deleted, read-only, rewritten, shallow. The right answer or a clear refusal."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hoard_git.app.history import with_index
from hoard_git.app.history_blame import read_blame
from hoard_git.errors import HoardError
from hoard_git.gitio.blockindex import BlockIndex, EventRow
from hoard_git.gitio.blockindex_store import TRACES, Damaged
from hoard_git.gitio.plumbing import PlumbingReader
from tests.app.history_repos import Importer, block, dump, folder, linear, log, memory, story
from tests.support.environment import ROOT
from tests.support.repo import Repo, run

TEXT = block("Deploys", "The deploy job runs at noon every weekday.", name="depl01")
OTHER = block("Garden", "Tomatoes are watered on Monday and Thursday.", name="gard01")


@pytest.fixture
def history(repo: Repo) -> Repo:
    """Three commits: a block comes, changes, and goes."""
    repo.commit("add", {"MEMORY.md": memory(OTHER, TEXT)})
    repo.commit("edit", {"MEMORY.md": memory(OTHER, TEXT.replace("noon", "dusk"))})
    repo.commit("remove", {"MEMORY.md": memory(OTHER)})
    return repo


EXPECTED = [("add", "add"), ("edit", "edit"), ("remove", "remove")]


def index_file(repo: Repo) -> Path:
    return folder(repo) / "index.sqlite"


def where(repo: Repo) -> str:
    return with_index(PlumbingReader(str(repo.path)), lambda index: index.where)


def rows(repo: Repo, query: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(index_file(repo)) as connection:
        return connection.execute(query).fetchall()


# ---------------------------------------------------------------- continuing


def test_new_commits_are_added_and_nothing_else_is_done_again(history: Repo) -> None:
    assert story(history, "depl01") == EXPECTED
    before = rows(history, "SELECT id, seq, fact, op FROM ev ORDER BY id")
    history.commit("back", {"MEMORY.md": memory(OTHER, TEXT)})
    assert story(history, "depl01") == [*EXPECTED, ("back", "restore")]
    assert rows(history, "SELECT id, seq, fact, op FROM ev ORDER BY id")[: len(before)] == before


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_continuing_gives_what_building_anew_gives(repo: Repo, seed: int) -> None:
    linear(repo, 30, seed, ids=seed != 2)
    for oid in repo.line("rev-list", "--reverse", "HEAD").split()[::7]:
        dump(repo, oid)
    continued = dump(repo)
    shutil.rmtree(folder(repo))
    assert dump(repo) == continued


@pytest.mark.parametrize("seed", [4, 5])
def test_the_short_way_and_the_long_way_agree(repo: Repo, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    linear(repo, 60, seed, ids=seed == 4)
    short = dump(repo)
    shutil.rmtree(folder(repo))
    monkeypatch.setattr("hoard_git.gitio.blockindex_build.weave_quickly", lambda *_args: None)
    assert dump(repo) == short


def test_continuing_over_merges(repo: Repo) -> None:
    importer = Importer(repo)
    top = importer.commit({"MEMORY.md": memory(OTHER)})
    for number in range(6):
        fresh = memory(block(f"Side {number}", f"What the side number {number} brought along.", name=f"side{number:04d}"))
        one = importer.commit({"MEMORY.md": memory(OTHER.replace("Monday", f"day {number}"))}, "main", [top])
        two = importer.commit({f"memory/{number}.md": fresh}, "side", [top])
        top = importer.commit({f"memory/{number}.md": fresh}, "main", [one, two])
    importer.finish()
    for oid in repo.line("rev-list", "--topo-order", "--reverse", "HEAD").split()[::2]:
        dump(repo, oid)
    continued = dump(repo)
    shutil.rmtree(folder(repo))
    assert dump(repo) == continued


def test_an_amended_commit_replaces_the_old_one(history: Repo) -> None:
    assert story(history, "depl01") == EXPECTED
    history.git("commit", "-q", "--amend", "-m", "remove, amended")
    assert story(history, "depl01") == [*EXPECTED[:2], ("remove, amended", "remove")]


def test_a_reset_takes_commits_out_of_the_answer(history: Repo) -> None:
    assert story(history, "depl01") == EXPECTED
    history.git("reset", "-q", "--hard", "HEAD~2")
    assert story(history, "depl01") == EXPECTED[:1]
    assert story(history, "depl01", rev="HEAD@{1}") == EXPECTED


def test_commits_that_touch_no_memory_change_nothing(history: Repo) -> None:
    history.commit("code", {"src/a.py": "a = 1\n"})
    assert story(history, "depl01") == EXPECTED
    history.commit("more code", {"src/a.py": "a = 2\n"})
    assert story(history, "depl01") == EXPECTED
    history.git("checkout", "-q", "HEAD~1")
    assert story(history, "depl01") == EXPECTED


def test_a_policy_that_changes_what_is_memory_builds_anew(history: Repo) -> None:
    history.commit("notes", {"notes/a.md": memory(block("Note", "A note that is no memory yet.", name="note01"))})
    with pytest.raises(AssertionError):
        story(history, "note01")
    history.commit("policy", {".hoard.yaml": 'version: 1\nmemory: {topic: ["memory/*.md", "notes/*.md"]}\n'})
    assert story(history, "note01") == [("notes", "add")]


def test_another_schema_is_built_anew(history: Repo) -> None:
    story(history, "depl01")
    with sqlite3.connect(index_file(history)) as connection:
        connection.execute("UPDATE meta SET value = '0' WHERE key = 'schema'")
        connection.execute("DELETE FROM ev")
    assert story(history, "depl01") == EXPECTED


# ---------------------------------------------------------------- trouble


def test_a_deleted_index_is_built_anew(history: Repo) -> None:
    story(history, "depl01")
    shutil.rmtree(folder(history))
    assert story(history, "depl01") == EXPECTED


@pytest.mark.parametrize("damage", ["garbage", "truncated", "empty", "hole"])
def test_a_corrupt_index_is_built_anew(history: Repo, damage: str) -> None:
    story(history, "depl01")
    file = index_file(history)
    for ending in ("-wal", "-shm"):
        Path(f"{file}{ending}").unlink(missing_ok=True)
    data = file.read_bytes()
    spoiled = {
        "garbage": b"garbage" * 999,
        "truncated": data[: len(data) // 2],
        "empty": b"",
        "hole": data[:4096] + b"\xff" * (len(data) - 4096),
    }
    file.write_bytes(spoiled[damage])
    assert story(history, "depl01") == EXPECTED
    assert story(history, "depl01") == EXPECTED


@pytest.mark.parametrize("spoil", ["DELETE FROM node", "DELETE FROM prov", "DELETE FROM body", "DELETE FROM path"])
def test_rows_that_contradict_each_other_are_built_anew(history: Repo, spoil: str) -> None:
    story(history, "depl01")
    with sqlite3.connect(index_file(history)) as connection:
        connection.execute(spoil)
    assert story(history, "depl01") == EXPECTED


def test_lines_that_do_not_fit_the_file_are_attributed_anew(history: Repo) -> None:
    reader = PlumbingReader(str(history.path))

    def blame(index: BlockIndex) -> list[tuple[str, str]]:
        found = read_blame(index, reader, "MEMORY.md", work_tree=False)
        return [(line.text, line.node.subject if line.node is not None else "") for line in found.lines]

    expected = with_index(reader, blame)
    assert {subject for _text, subject in expected} == {"add"}
    with sqlite3.connect(index_file(history)) as connection:
        connection.execute("UPDATE line SET base = NULL, head = 0, tail = 0, middle = x''")
    assert with_index(reader, blame) == expected


def test_a_folder_of_the_history_that_is_gone(history: Repo) -> None:
    history.commit("folder", {"memory/a.md": memory(OTHER)})
    history.commit("and on", {"MEMORY.md": memory(TEXT)})
    history.commit("on and on", {"memory/a.md": memory(OTHER, TEXT)})
    history.commit("further", {"memory/a.md": memory(TEXT)})
    tree = history.line("rev-parse", "HEAD~1:memory")
    Path(history.path, ".git/objects", tree[:2], tree[2:]).unlink()
    with pytest.raises(HoardError, match="git could not list the history of the memory files") as caught:
        log(history)
    assert caught.value.hint == "git fsck"


def test_a_merge_whose_pieces_are_gone_is_read_anew(repo: Repo) -> None:
    importer = Importer(repo)
    base = importer.commit({"MEMORY.md": memory(TEXT)})
    one = importer.commit({"MEMORY.md": memory(TEXT, OTHER)}, "x", [base])
    two = importer.commit({"MEMORY.md": memory(TEXT), "memory/a.md": memory(OTHER)}, "y", [base])
    importer.commit({"MEMORY.md": memory(TEXT, OTHER, OTHER), "memory/a.md": memory(OTHER)}, "main", [one, two])
    importer.finish()
    reader = PlumbingReader(str(repo.path))

    def merged(index: BlockIndex) -> list[set[int]]:
        return list(index.store.merged(0))

    (facts,) = with_index(reader, merged)
    assert len(facts) > 2
    with sqlite3.connect(index_file(repo)) as connection:
        connection.execute("DELETE FROM piece")
    assert with_index(reader, merged) == [facts]


def test_a_move_that_leads_to_itself_is_damage(history: Repo) -> None:
    story(history, "depl01")
    with sqlite3.connect(index_file(history)) as connection:
        connection.execute("INSERT INTO trace VALUES(?, 1, 1, 1, ?)", (TRACES, TRACES))
    with pytest.raises(Damaged):
        with_index(PlumbingReader(str(history.path)), lambda index: index.store.trace(TRACES))


def test_an_event_without_either_side_is_damage() -> None:
    with pytest.raises(Damaged, match=r"^The block index is damaged\.$") as caught:
        _ = EventRow(1, 1, "item", "add", (), 0, 0, None, None).side
    assert caught.value.hint.endswith("/hoard/index.sqlite*")


def test_a_locked_index_is_done_without(history: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoard_git.gitio.cachefiles._WAIT_SECONDS", 0.1)
    story(history, "depl01")
    history.commit("back", {"MEMORY.md": memory(OTHER, TEXT)})
    with sqlite3.connect(index_file(history)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert story(history, "depl01") == [*EXPECTED, ("back", "restore")]
        other.rollback()


@pytest.mark.skipif(os.geteuid() == 0 and not shutil.which("unshare"), reason="root may write everywhere")
def test_a_git_dir_that_cannot_be_written_uses_the_cache_folder(history: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder(history).write_bytes(b"")  # a file where the folder would be: also root cannot make it
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert story(history, "depl01") == EXPECTED
    assert where(history).startswith(str(tmp_path / "cache"))


def test_without_any_place_it_is_built_in_memory(history: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder(history).write_bytes(b"")
    (tmp_path / "cache").write_bytes(b"")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert story(history, "depl01") == EXPECTED
    assert where(history) == ":memory:"


_ASK = (
    "import sys; sys.path.insert(0, sys.argv[1])\n"
    "from hoard_git.app.history import with_index\n"
    "from hoard_git.gitio.plumbing import PlumbingReader\n"
    "print(with_index(PlumbingReader(sys.argv[2]), lambda index: len(list(index.all_events()))))\n"
)


def test_two_builders_at_once_agree(repo: Repo) -> None:
    linear(repo, 60, 5)
    command = [sys.executable, "-c", _ASK, str(ROOT), str(repo.path)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(3)]
    answers = {process.communicate(timeout=120)[0] for process in started}
    assert len(answers) == 1
    assert int(answers.pop()) == len(dump(repo)[0]) > 60


def test_a_killed_build_leaves_nothing_wrong(repo: Repo) -> None:
    linear(repo, 60, 6)
    command = [sys.executable, "-c", _ASK, str(ROOT), str(repo.path)]
    for pause in (0.12, 0.2, 0.3):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        time.sleep(pause)
        process.send_signal(signal.SIGKILL)
        process.wait()
    found = dump(repo)
    shutil.rmtree(folder(repo))
    assert dump(repo) == found


# ---------------------------------------------------------------- kinds of repositories


def test_a_shallow_clone_is_refused(history: Repo, tmp_path: Path) -> None:
    run(["git", "clone", "-q", "--depth=1", f"file://{history.path}", str(tmp_path / "shallow")], cwd=tmp_path)
    shallow = Repo(tmp_path / "shallow")
    with pytest.raises(HoardError, match="shallow") as caught:
        log(shallow)
    assert caught.value.hint == "git fetch --unshallow"
    shallow.git("fetch", "-q", "--unshallow")
    assert story(shallow, "depl01") == EXPECTED


def test_a_partial_clone_fetches_or_refuses(history: Repo, tmp_path: Path) -> None:
    history.git("config", "uploadpack.allowFilter", "true")
    run(["git", "clone", "-q", "--filter=blob:none", f"file://{history.path}", str(tmp_path / "partial")], cwd=tmp_path)
    partial = Repo(tmp_path / "partial")
    assert story(partial, "depl01") == EXPECTED
    shutil.rmtree(folder(partial))
    run(["git", "clone", "-q", "--filter=blob:none", f"file://{history.path}", str(tmp_path / "offline")], cwd=tmp_path)
    offline = Repo(tmp_path / "offline")
    offline.git("remote", "set-url", "origin", f"file://{tmp_path}/nowhere")
    with pytest.raises(HoardError, match="missing"):
        log(offline)


def test_a_detached_head_a_linked_worktree_and_a_bare_clone_answer_alike(history: Repo, tmp_path: Path) -> None:
    history.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"), "HEAD~1")
    linked = Repo(tmp_path / "linked")
    assert story(linked, "depl01") == EXPECTED[:2]
    assert with_index(PlumbingReader(str(linked.path)), lambda index: index.where) == str(index_file(history))
    history.git("checkout", "-q", "--detach")
    assert story(history, "depl01") == EXPECTED
    run(["git", "clone", "-q", "--bare", str(history.path), str(tmp_path / "bare.git")], cwd=tmp_path)
    assert story(Repo(tmp_path / "bare.git"), "depl01") == EXPECTED


def test_an_unborn_branch_is_refused(repo: Repo) -> None:
    with pytest.raises(HoardError, match="no commit yet"):
        log(repo)


def test_a_history_without_memory_is_empty(repo: Repo) -> None:
    repo.commit("code", {"a.py": "a = 1\n"})
    assert log(repo) == []
    repo.commit("memory", {"MEMORY.md": memory(TEXT)})
    assert story(repo, "depl01") == [("memory", "add")]


def test_replace_refs_and_grafts_do_not_count(history: Repo) -> None:
    story(history, "depl01")
    history.git("replace", "HEAD", "HEAD~2")
    shutil.rmtree(folder(history))
    assert story(history, "depl01") == EXPECTED


def test_odd_paths_and_texts_survive(repo: Repo) -> None:
    path = "memory/na\u00efve \u4e2d\u6587.md"
    repo.commit("odd", {path: memory(TEXT).encode() + b"- \xff\xfe broken bytes \x1b[31m\n", "memory/link.md": "x\n"})
    repo.git("rm", "-q", "--cached", "memory/link.md")
    (repo.path / "memory/link.md").unlink()
    (repo.path / "memory/link.md").symlink_to("../MEMORY.md")
    repo.commit("link", {})
    repo.git("add", "memory/link.md")
    repo.commit("link 2", {})
    assert story(repo, "depl01") == [("odd", "add")]
    texts = [text for event in log(repo, path) for text in event.change.added]
    assert any("\udcff\udcfe broken" in text for text in texts)


def test_the_index_answers_for_its_tip_only(history: Repo) -> None:
    def alive(index: BlockIndex) -> str:
        return index.alive(index.facts_with_id("depl01")["depl01"][0])

    reader = PlumbingReader(str(history.path))
    assert with_index(reader, alive) == ""
    assert with_index(reader, alive, rev="HEAD~1") == "MEMORY.md"
