"""`hoard consolidate` when something is in the way, others write meanwhile, or it is killed: nothing is lost, and what happened is told."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hoard_git.app.consolidate import Wanted, apply
from hoard_git.errors import HoardError
from hoard_git.gitio import applying
from hoard_git.gitio.applying import finish, move_to
from hoard_git.gitio.writer import update_ref
from tests.app.consolidating import OLD, december, hoard
from tests.app.support import reader_of
from tests.support.repo import Workspace


@pytest.mark.parametrize("kind", ["link in the tree", "link beside the tree", "file"])
def test_something_else_where_the_archive_would_be(aged: Workspace, tmp_path: Path, kind: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    (aged.path / "memory").mkdir()
    if kind == "file":
        aged.commit("File\n", {"memory/archive": "plain\n"})
    else:
        (aged.path / "memory/archive").symlink_to(tmp_path / "elsewhere")
        if kind == "link in the tree":
            aged.git("add", "-A")
            aged.git("commit", "-q", "-m", "Link")
    head, before = aged.head(), aged.read("MEMORY.md")
    status, out, err = hoard(aged, "--steps", "expire", "--apply")
    assert (aged.path / "memory/archive").is_symlink() == (kind != "file")
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert "Infrastructure" in aged.read("MEMORY.md")
    if kind == "link beside the tree":
        assert (status, aged.head(), aged.read("MEMORY.md")) == (2, head, before), err
        return
    # what cannot be archived is marked, and the reason is told
    assert status == 0, err
    assert "left where they are" in out
    assert aged.line("diff", "--name-only", "HEAD^") == "MEMORY.md"
    assert aged.line("status", "--porcelain") == ""


def test_a_file_that_cannot_be_written_is_told_and_finished_later(aged: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_args: object) -> None:
        raise HoardError("There is no room.", "df -h")

    with monkeypatch.context() as patch:
        patch.setattr("hoard_git.gitio.applying.write_file", full)
        with pytest.raises(HoardError, match="There is no room"):
            apply(reader_of(aged), Wanted(("expire",)), december, dict(os.environ))
    done = finish(reader_of(aged))
    assert done is not None
    assert (done.moved, done.kept) == (True, ())
    assert aged.line("status", "--porcelain") == ""


def test_a_held_index_is_noticed_before_the_branch_moves(aged: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoard_git.gitio.locks.PATIENCE", 0.0)
    lock = aged.path / ".git" / "index.lock"
    lock.touch()
    before = aged.snapshot()
    with pytest.raises(HoardError, match="nothing was changed"):
        apply(reader_of(aged), Wanted(("expire",)), december, dict(os.environ))
    assert aged.snapshot() == before
    assert finish(reader_of(aged)) is None
    lock.unlink()


def test_an_index_that_is_taken_after_that_is_no_reason_to_say_that_nothing_happened(
    aged: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = aged.path / ".git" / "index.lock"

    def taken(*args: object, **kwargs: object) -> None:
        update_ref(*args, **kwargs)  # type: ignore[arg-type]  # handed on as it came
        lock.touch()

    with monkeypatch.context() as patch:
        patch.setattr("hoard_git.gitio.locks.PATIENCE", 0.0)
        patch.setattr(applying, "update_ref", taken)
        with pytest.raises(HoardError) as caught:
            apply(reader_of(aged), Wanted(("expire",)), december, dict(os.environ))
    assert caught.value.message.startswith(f"Commit {aged.head()[:12]} was made, but files or index could not be brought along: ")
    assert "nothing was changed" not in caught.value.message
    assert "hoard doctor --fix" in caught.value.hint
    lock.unlink()
    aged.git("switch", "-q", "--detach")  # the same commit by another name
    done = finish(reader_of(aged))
    assert done is not None
    assert (done.moved, done.elsewhere, done.kept) == (True, False, ())
    assert aged.line("status", "--porcelain") == ""


def test_a_run_that_was_cut_off_on_a_branch_that_was_left_since_is_told_as_such(aged: Workspace) -> None:
    base = aged.head()
    hoard(aged, "--apply")
    told = {"base": base, "commit": aged.head(), "ref": "refs/heads/main"}
    aged.git("switch", "-q", "--detach", base)
    aged.write(".git/hoard/applying.json", json.dumps(told))
    before = aged.snapshot().files
    done = finish(reader_of(aged))
    assert done is not None
    assert (done.moved, done.elsewhere) == (False, True)
    assert aged.snapshot().files == before


# -------------------------------------------------------------------- others write meanwhile
def test_a_commit_in_between_is_planned_anew_and_kept(aged: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = reader_of(aged)
    calls: list[int] = []

    def racing(*args: object, **kwargs: object) -> tuple[str, ...]:
        if not calls:
            aged.commit("Meanwhile\n", {"memory/new.md": "- New <!-- src:agent ts:2026-12-29 -->\n"}, author=Workspace.agent)
        calls.append(1)
        return move_to(*args, **kwargs)  # type: ignore[arg-type]  # handed on as it came

    monkeypatch.setattr("hoard_git.app.consolidate.move_to", racing)
    outcome = apply(reader, Wanted(("expire",)), december, dict(os.environ))
    assert len(calls) == 2
    assert outcome.commit == aged.head()
    assert aged.message("HEAD^") == "Meanwhile\n"
    assert aged.read("memory/new.md") == "- New <!-- src:agent ts:2026-12-29 -->\n"
    assert aged.line("status", "--porcelain") == ""


def test_a_branch_that_never_holds_still_is_refused(aged: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = reader_of(aged)

    def racing(*args: object, **kwargs: object) -> tuple[str, ...]:
        aged.commit("Meanwhile\n", author=Workspace.agent)
        return move_to(*args, **kwargs)  # type: ignore[arg-type]  # handed on as it came

    monkeypatch.setattr("hoard_git.app.consolidate.move_to", racing)
    with pytest.raises(HoardError, match="moved 4 times"):
        apply(reader, Wanted(("expire",)), december, dict(os.environ))
    assert aged.read("MEMORY.md") == OLD
    assert aged.line("status", "--porcelain") == ""


def test_a_file_that_is_written_meanwhile_is_not_overwritten(aged: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = reader_of(aged)

    def racing(*args: object, **kwargs: object) -> None:
        update_ref(*args, **kwargs)  # type: ignore[arg-type]  # handed on as it came
        aged.write("MEMORY.md", OLD + "\n- Written meanwhile <!-- src:agent ts:2026-12-29 -->\n")

    monkeypatch.setattr("hoard_git.gitio.applying.update_ref", racing)
    outcome = apply(reader, Wanted(("expire",)), december, dict(os.environ))
    assert outcome.kept == ("MEMORY.md",)
    assert "Written meanwhile" in aged.read("MEMORY.md")
    assert aged.read("memory/archive/2026-12-30.md")


# -------------------------------------------------------------------- crashes
class KilledError(BaseException):
    pass


@pytest.mark.parametrize("moment", ["before the ref", "after the ref", "after one file", "before the index"])
def test_after_a_kill_the_next_run_settles_it(aged: Workspace, monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    base = aged.head()
    with monkeypatch.context() as patch:
        if moment == "before the ref":
            patch.setattr(applying, "update_ref", _killer(None))
            patch.setattr(applying, "_forget", lambda _place: None)
        elif moment == "after the ref":
            patch.setattr(applying, "_bring_along", _killer(None))
        elif moment == "after one file":
            patch.setattr(applying, "_replace", _killer(applying._replace))
        else:
            patch.setattr(applying, "with_patience", _killer(None))
        with pytest.raises(KilledError):
            apply(reader_of(aged), Wanted(("expire",)), december, dict(os.environ))

    moved = moment != "before the ref"
    assert (aged.head() != base) == moved  # the branch is at the old commit or the new one, never between
    done = finish(reader_of(aged))
    assert done is not None
    assert (done.moved, done.kept) == (moved, ())
    assert aged.line("status", "--porcelain") == ""
    assert finish(reader_of(aged)) is None
    assert ("Infrastructure" in aged.read("MEMORY.md")) == (not moved)


def _killer(first: object) -> object:
    calls: list[int] = []

    def killed(*args: object, **kwargs: object) -> object:
        calls.append(1)
        if callable(first) and len(calls) == 1:
            return first(*args, **kwargs)
        raise KilledError

    return killed


def test_a_journal_that_was_cut_off_is_forgotten(aged: Workspace) -> None:
    aged.write(".git/hoard/applying.json", '{"base": "12')
    before = aged.snapshot()
    done = finish(reader_of(aged))
    assert done is not None
    assert (done.moved, aged.snapshot()) == (False, before)
