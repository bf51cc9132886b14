"""Errors of use cases that few will ever meet; each says what to do, and leaves everything as it was."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from hoard_git.app import embedders, facts, history_story, merge, policyedit, purge, restore_find, trailers, verify
from hoard_git.app.embedders import open_embedder
from hoard_git.app.facts import Fact, add_fact
from hoard_git.app.history import memory_rules, with_index
from hoard_git.app.restore import Wanted, find_lost
from hoard_git.app.wikibook import Place
from hoard_git.app.wikinew import NewPage, new_page
from hoard_git.app.wikiyaml import check_front_matter
from hoard_git.app.witness import ask_witness
from hoard_git.app.workspace import _scan
from hoard_git.app.write import Wish
from hoard_git.core.model import Oid
from hoard_git.errors import HoardError
from hoard_git.gitio import confined
from hoard_git.gitio.blockindex import BlockIndex
from hoard_git.gitio.opening import open_reader
from hoard_git.gitio.reader import Ident
from tests.app.support import AS_AGENT, june, reader_of
from tests.app.test_trailers import add, plan
from tests.support.repo import MEMORY, POLICY, Repo, Workspace, run_hook


def refused(act: Callable[[], object], reason: str) -> str:
    """Run what must end in an error with this reason, and give its hint."""
    with pytest.raises(HoardError, match=reason) as caught:
        act()
    return caught.value.hint


def test_an_agent_that_writes_what_the_user_says(workspace: Workspace) -> None:
    before = workspace.snapshot()
    fact = Fact("Releases need no approval", "user")
    hint = refused(
        lambda: add_fact(reader_of(workspace), fact, Wish(agent=True), june, {}, commit=True),
        r"^An agent does not write what the user says\.$",
    )
    assert hint == "src: agent, tool, web or dig; the user: hoard add TEXT --src user"
    assert workspace.snapshot() == before


def test_a_file_that_changes_all_the_time(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    before = workspace.snapshot()
    tries: list[bytes] = []

    def changed_meanwhile(_root: str, _path: str, data: bytes, _old: bytes | None) -> bool:
        tries.append(data)
        return False

    monkeypatch.setattr(facts, "_write", changed_meanwhile)
    fact = Fact("Tea is at four", "agent")
    hint = refused(
        lambda: add_fact(reader_of(workspace), fact, Wish(), june, {}, commit=True), "MEMORY.md changes all the time; nothing was written"
    )
    assert (hint, len(tries)) == ("Run the same command again.", 20)
    assert workspace.snapshot() == before


def test_fastembed_without_its_model(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy")

    def lacking(**_options: object) -> object:
        raise RuntimeError("no such file: model.onnx")

    monkeypatch.setattr(embedders, "find_spec", lambda _name: object())
    monkeypatch.setitem(sys.modules, "fastembed", SimpleNamespace(TextEmbedding=lacking))
    hint = refused(lambda: open_embedder("fastembed", str(workspace.path), {}), "fastembed has no model on this machine: .*model.onnx")
    assert hint == "Let fastembed fetch its model once."


def test_an_embedder_with_other_weights(workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy")
    (tmp_path / "resources").mkdir()
    (tmp_path / "resources/weights.npz").write_bytes(b"others")
    monkeypatch.setattr(embedders, "find_spec", lambda _name: SimpleNamespace(submodule_search_locations=[str(tmp_path)]))
    embedder = open_embedder(embedders.USE, str(workspace.path), {})
    said = "the weights weights.npz of the embedder are not those that were measured"
    assert refused(lambda: embedder.embed(["tea"]), said) == "pip install 'hoard-git[vector]'"


def test_an_embedder_that_cannot_be_started(workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy")
    program = tmp_path / "embed"
    program.write_text("#!/bin/sh\n", encoding="ascii")
    program.chmod(0o755)
    embedder = open_embedder(str(program), str(workspace.path), dict(os.environ))

    def full(*_words: object, **_more: object) -> object:
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    monkeypatch.setattr(confined, "run_confined", full)
    assert refused(lambda: embedder.embed(["tea"]), "the embedder could not be started: Cannot allocate memory") == "hoard search --help"


def test_a_folder_that_cannot_be_looked_into(tmp_path: Path) -> None:
    (tmp_path / "memory").write_bytes(b"")
    assert (
        refused(lambda: _scan(str(tmp_path / "memory"), str(tmp_path)), "'memory' cannot be looked into: Not a directory")
        == "ls -ld 'memory'"
    )


def test_a_merge_that_cannot_be_written_leaves_no_half(tmp_path: Path) -> None:
    (tmp_path / "ours").mkdir()
    hint = refused(lambda: merge._write(str(tmp_path / "ours"), b"new"), "The merged file cannot be written: Is a directory")
    assert hint == "git merge --abort"
    assert [path.name for path in tmp_path.iterdir()] == ["ours"]
    assert refused(lambda: merge._read(str(tmp_path / "gone")), "cannot be read: No such file or directory") == "git merge --abort"


def test_front_matter_that_yaml_reads_otherwise() -> None:
    page = "---\ntitle: Node 2\nsrc: agent\nts: 2026-06-01\nnote: tea{}\n---\n\n# Node 2\n"
    check_front_matter(page.format("").encode(), "wiki/a.md")
    no_break_space = page.format("\u00a0").encode()  # a blank to us, a character to YAML
    hint = refused(lambda: check_front_matter(no_break_space, "wiki/a.md"), "YAML reads line 5 of 'wiki/a.md' otherwise")
    assert hint == "Put the text in quotes: hoard check 'wiki/a.md'"


def test_a_policy_that_no_program_can_change_safely(monkeypatch: pytest.MonkeyPatch) -> None:
    ada = Ident("Ada Example", "ada@example.org", 0, "+0000")
    key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + "A" * 42 + "E ada"
    assert b"authority: signature" in policyedit.with_sign_key(POLICY.encode(), ".hoard.yaml", ada, key)
    monkeypatch.setattr(policyedit, "_edited", lambda raw, *_rest: raw)
    hint = refused(lambda: policyedit.with_sign_key(POLICY.encode(), ".hoard.yaml", ada, key), "cannot be changed safely by a program")
    assert hint == f"Write by hand: authority: signature, and under the human: keys: [{key}]"


def test_objects_that_git_gives_otherwise_than_asked(workspace: Workspace) -> None:
    assert refused(lambda: list(purge._sides(b":100644 100644 0123")), "a list of changes that cannot be read") == "git --version"


def test_an_object_that_ends_before_its_time(workspace: Workspace) -> None:
    oid = workspace.line("rev-parse", "HEAD:MEMORY.md")

    class Cut:
        """A reader whose git is stopped in the middle of an answer."""

        def git(self, _args: object, *, stdin: bytes) -> SimpleNamespace:
            assert stdin.decode().split() == [oid]
            return SimpleNamespace(finish=f"{oid} bl".encode)

    assert refused(lambda: list(purge._read(Cut(), [oid])), f"Object {oid} cannot be read") == "git fsck"  # type: ignore[arg-type]  # a stand-in for the real one


def test_a_witness_where_there_is_nothing_to_remember(workspace: Workspace, tmp_path: Path) -> None:
    workspace.git("checkout", "-q", "--detach")
    workspace.git("branch", "-q", "-D", "main")
    file = tmp_path / "witness"
    tip = Oid(workspace.head())
    hint = refused(lambda: ask_witness(reader_of(workspace), str(file), ".", tip), "No branch here holds a commit")
    assert hint == "git switch -c NAME"
    assert not file.exists()
    workspace.git("switch", "-q", "-c", "main")
    assert ask_witness(reader_of(workspace), str(file), ".", tip).first
    assert file.exists()


def test_a_page_that_git_would_not_keep(workspace: Workspace) -> None:
    workspace.write(".gitignore", "wiki/drafts/\n")
    place = Place(reader_of(workspace), june, {})
    hint = refused(
        lambda: new_page(place, NewPage("Node 2", path="wiki/drafts/node-2.md"), Wish()), "is ignored by .gitignore and would not be kept"
    )
    assert hint == "git check-ignore -v 'wiki/drafts/node-2.md'"
    assert not (workspace.path / "wiki").exists()


def test_a_text_that_no_parent_has(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.commit("Drop\n", {"MEMORY.md": MEMORY.replace("- Node-2 serves the wiki.\n", "")})
    reader = reader_of(workspace)
    (row,) = with_index(reader, lambda index: [event for event in index.all_events() if event.op == "remove"])
    monkeypatch.setattr(history_story, "_MOST_PARENTS", 0)
    hint = refused(
        lambda: with_index(reader, lambda index: history_story.find_standing(index, reader, row.fact)), "has the text that it removed"
    )
    assert hint == f"git log -p {workspace.head()[:12]} -- 'MEMORY.md'"
    monkeypatch.setattr(restore_find, "_MOST_PARENTS", 0)
    hint = refused(
        lambda: find_lost(reader, Wanted("Node-2 serves the wiki", None), lambda _done, _all: None), "No commit has the text that "
    )
    assert hint == f"git log -p -m -1 {workspace.head()[:12]}"


def test_a_history_that_git_lists_otherwise_than_its_commits_do(workspace: Workspace) -> None:
    first = Oid(workspace.head())
    tip = Oid(workspace.commit("More\n"))
    reader = open_reader(str(workspace.path), batch=True)
    assert set(verify.read_history(reader, tip)) == {first, tip}

    class Lying:
        """A reader under a commit-graph file that lies."""

        def __init__(self, listed: list[Oid]) -> None:
            self._listed = listed
            self.root = reader.root

        def rev_list(self, _tips: object, _without: object) -> list[Oid]:
            return self._listed

        def commits(self, oids: list[Oid]) -> object:
            return reader.commits(oids)

    workspace.git("checkout", "-q", "--orphan", "other")
    stray = Oid(workspace.commit("Stray\n"))
    hint = refused(lambda: verify.read_history(Lying([tip]), tip), f"commit {tip[:12]} names {first[:12]} as its parent")  # type: ignore[arg-type]  # a stand-in for the real one
    assert hint.endswith(f"git cat-file -t {first}; git fsck")
    hint = refused(lambda: verify.read_history(Lying([tip, first, stray]), tip), "git lists commits that no commit names")  # type: ignore[arg-type]  # a stand-in for the real one
    assert hint == "git fsck"


# ---------------------------------------------------------------- trailers that cannot be made right


def test_a_malformed_commit_is_not_made_anew(workspace: Workspace) -> None:
    add(workspace, "One")
    headers = workspace.git("cat-file", "commit", "HEAD").stdout.partition(b"\n\n")[0] + b"\n"  # and no empty line behind them
    workspace.git(
        "update-ref",
        "HEAD",
        workspace.git("hash-object", "-t", "commit", "-w", "--literally", "--stdin", input=headers).stdout.decode().strip(),
    )
    tip = workspace.head()
    assert refused(lambda: plan(workspace, "HEAD~1..HEAD"), f"Commit {tip[:12]} is malformed and cannot be made anew") == "git fsck"
    assert workspace.head() == tip


def test_a_latin_message_whose_trailers_need_more_than_ascii(workspace: Workspace) -> None:
    workspace.git("config", "i18n.commitEncoding", "ISO-8859-1")
    workspace.commit("Add\n", {"memory/caf\u00e9.md": "# Caf\u00e9 <!-- src:agent ts:2026-06-05 -->\n\n- One\n"}, author=Workspace.agent)
    hint = refused(lambda: plan(workspace, "HEAD~1..HEAD"), "is not UTF-8, and its trailers need more than ASCII")
    assert hint == "Leave it out of the range."


def test_commits_that_git_names_otherwise_are_not_put_in_place(workspace: Workspace) -> None:
    add(workspace, "One")
    made = plan(workspace, "HEAD~1..HEAD")
    before = workspace.head()
    wrong = made._replace(rewrites=(made.rewrites[0]._replace(raw=made.rewrites[0].raw + b"\n"), *made.rewrites[1:]))
    assert refused(lambda: trailers.apply_repair(reader_of(workspace), wrong), "git named the new commits otherwise") == "git fsck"
    assert workspace.head() == before
    assert workspace.git("rev-parse", "--verify", "-q", made.undo_ref, check=False).returncode == 1


def test_a_link_where_a_file_was_is_not_restored(workspace: Workspace) -> None:
    (workspace.path / "memory").mkdir()
    (workspace.path / "memory/a.md").symlink_to("../MEMORY.md")
    workspace.git("add", "-A")
    workspace.git("commit", "-qm", "Link", "--no-verify")
    reader = reader_of(workspace)

    def read(index: BlockIndex) -> bytes:
        return restore_find.Finder(index, reader, memory_rules(reader, index.tip, None), at_tip=False)._file(Oid(index.tip), "memory/a.md")

    hint = refused(lambda: with_index(reader, read), "'memory/a.md' was no regular file in ")
    assert hint == f"git ls-tree {workspace.head()[:12]} -- 'memory/a.md'"


def test_a_merge_in_a_shallow_clone_is_not_judged(workspace: Workspace, tmp_path: Path) -> None:
    workspace.commit("Before\n", {"memory/a.md": "# A <!-- src:agent ts:2026-06-05 -->\n\n- One\n"})
    workspace.git("checkout", "-q", "-b", "side")
    workspace.commit("Side\n", {"memory/b.md": "# B <!-- src:agent ts:2026-06-05 -->\n\n- Two\n"}, author=Workspace.agent)
    workspace.git("checkout", "-q", "main")
    workspace.commit("Main\n", {"MEMORY.md": MEMORY.replace("03:30", "04:30")}, author=Workspace.agent)
    workspace.git("clone", "-q", "--depth=2", "--no-single-branch", f"file://{workspace.path}", str(tmp_path / "shallow"))
    shallow = Repo(tmp_path / "shallow")
    shallow.git("merge", "-q", "--no-commit", "--no-ff", "origin/side")
    before = shallow.snapshot()
    done = run_hook("pre-merge-commit", cwd=shallow, env=AS_AGENT)
    assert (done.returncode, done.stderr.decode().splitlines()[:2]) == (
        2,
        ["hoard: A merge cannot be judged in a shallow clone: its bases are missing.", "  next: git fetch --unshallow"],
    )
    assert shallow.snapshot() == before
