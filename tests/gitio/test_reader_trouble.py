"""What cannot be read is an error in plain words, never "nothing there"."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from hoard_git.core.model import Oid, RepoPath
from hoard_git.errors import HoardError
from hoard_git.gitio.opening import open_reader
from hoard_git.gitio.plumbing import PlumbingReader
from hoard_git.gitio.rawformat import parse_raw, portions, ref_glob
from hoard_git.gitio.reader import INDEX, WORKTREE, Ident, Reader, parse_commit, parse_ident
from tests.gitio.shapes import build
from tests.support.repo import Repo


@pytest.fixture(params=["plumbing", "batch"])
def batch(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "batch")


def reading(repo: Repo, *, batch: bool = False) -> Reader:
    return open_reader(str(repo.path), batch=batch)


def conflict(repo: Repo) -> None:
    repo.commit("base\n", {"MEMORY.md": "- base\n"})
    repo.git("checkout", "-q", "-b", "other")
    repo.commit("theirs\n", {"MEMORY.md": "- theirs\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("ours\n", {"MEMORY.md": "- ours\n"})
    repo.git("merge", "other", check=False)


def test_unmerged_paths_stop_every_look_at_the_index(repo: Repo, batch: bool) -> None:
    conflict(repo)
    reader = reading(repo, batch=batch)
    for look in (
        lambda: reader.changes(Oid(repo.head()), INDEX),
        lambda: reader.changes(None, INDEX),
        lambda: reader.tree(INDEX),
        PlumbingReader(str(repo.path)).staged,
    ):
        with pytest.raises(HoardError, match=r"unmerged paths in the index, as MEMORY\.md") as caught:
            look()
        assert "git add" in caught.value.hint
    assert [(c.path, c.new_oid) for c in reader.changes(Oid(repo.head()), WORKTREE)] == [("MEMORY.md", "")]


@pytest.mark.parametrize("content", ["", "garbage\n", "12" * 20 + "\n", "ref: refs/heads/main\n"])
def test_a_broken_head_is_not_an_unborn_one(repo: Repo, content: str, batch: bool) -> None:
    repo.commit("one\n", {"MEMORY.md": "- a\n"})
    (repo.path / ".git/refs/heads/main").write_text(content)
    with pytest.raises(HoardError):
        reading(repo, batch=batch).head()
    with pytest.raises(HoardError):
        PlumbingReader(str(repo.path)).staged()


def test_a_head_whose_commit_was_lost_is_broken(repo: Repo) -> None:
    oid = repo.commit("one\n", {"MEMORY.md": "- a\n"})
    (repo.path / ".git/objects" / oid[:2] / oid[2:]).unlink()
    with pytest.raises(HoardError, match="HEAD is broken") as caught:
        reading(repo).head()
    assert "git fsck" in caught.value.hint


def test_no_repository_at_all(tmp_path: Path, batch: bool) -> None:
    with pytest.raises(HoardError) as caught:
        open_reader(str(tmp_path), batch=batch)
    assert "git init" in caught.value.hint


@pytest.mark.parametrize("key", ["refStorage", "hoardUnknown"])
def test_a_repository_that_git_itself_cannot_open(repo: Repo, key: str, batch: bool) -> None:
    repo.commit("one\n", {"MEMORY.md": "- a\n"})
    repo.git("config", "core.repositoryFormatVersion", "1")
    repo.git("config", f"extensions.{key}", "reftable")
    with pytest.raises(HoardError, match="git rev-parse failed"):
        reading(repo, batch=batch).head()


def test_a_blob_that_is_gone_is_not_a_file_without_the_word(repo: Repo, batch: bool) -> None:
    oid = repo.commit("one\n", {"MEMORY.md": "- needle\n", "other.md": "- needle\n"})
    blob = repo.head("HEAD:MEMORY.md")
    (repo.path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(HoardError, match="git grep failed"):
        reading(repo, batch=batch).paths_with(Oid(oid), [b"needle"], [RepoPath("MEMORY.md"), RepoPath("other.md")])
    with pytest.raises(HoardError, match=f"Object {blob} is missing"):
        reading(repo, batch=batch).blobs([Oid(blob)])


def test_a_partial_clone_whose_origin_is_away_says_so(tmp_path: Path, batch: bool) -> None:
    shape = build("partial", tmp_path)
    reader = open_reader(str(shape.path), batch=batch)
    blob = Oid(shape.repo.line("rev-parse", "HEAD~1:memory/a.md"))
    shutil.rmtree(tmp_path / "partial/source")
    with pytest.raises(HoardError, match="partial clone") as caught:
        reader.blobs([blob])
    assert "git fetch --refetch" in caught.value.hint


def test_histories_without_a_common_commit(repo: Repo) -> None:
    first = repo.commit("one\n")
    repo.git("checkout", "-q", "--orphan", "other")
    second = repo.commit("two\n")
    assert reading(repo).merge_base(first, second) is None
    (repo.path / ".git/shallow").write_text(first + "\n")
    with pytest.raises(HoardError, match="shallow clone") as caught:
        reading(repo).merge_base(first, second)
    assert caught.value.hint == "git fetch --unshallow"


def test_the_edge_of_a_shallow_clone_is_not_a_first_commit(tmp_path: Path, batch: bool) -> None:
    shape = build("shallow", tmp_path)
    reader = open_reader(str(shape.path), batch=batch)
    commit = reader.commit(Oid(shape.repo.head()))
    assert len(commit.parents) == 1
    with pytest.raises(HoardError, match="shallow"):
        reader.changes(commit.parents[0], commit.oid)
    with pytest.raises(HoardError, match="shallow clone"):
        reader.resolve("HEAD~1")
    with pytest.raises(HoardError, match="shallow"):
        reader.rev_list(["HEAD"], [commit.parents[0]])


def test_a_commit_that_git_would_not_make_is_read_as_it_is(repo: Repo, batch: bool) -> None:
    tree = repo.line("write-tree")
    raw = (
        f"tree {tree}\nauthor A <a@example.org> 1 +0000\nauthor B \xfc <b@example.org> 2 -0130\ncommitter C <c> odd\nencoding ISO-8859-1\n"
        "gpgsig one\n two\n \n three\ngpgsig again\n\nsubject\n\n\0body"
    ).encode("latin-1")
    oid = Oid(repo.git("hash-object", "-t", "commit", "-w", "--literally", "--stdin", input=raw).stdout.decode().strip())
    commit = reading(repo, batch=batch).commit(oid)
    assert commit.author == Ident("B ü", "b@example.org", 2, "-0130")
    assert commit.committer == Ident("C", "c", 0, "")
    assert commit.message == b"subject\n\n\0body"
    assert commit.encoding == "ISO-8859-1"
    assert [value for name, value in commit.headers if name == "gpgsig"] == [b"one\ntwo\n\nthree", b"again"]


@pytest.mark.parametrize("missing", ["tree", "author", "committer"])
def test_a_commit_without_an_obligatory_header_is_refused(missing: str) -> None:
    lines = {"tree": "tree " + "1" * 40, "author": "author A <a> 1 +0000", "committer": "committer A <a> 1 +0000"}
    raw = "\n".join(line for name, line in lines.items() if name != missing) + "\n\nx"
    with pytest.raises(HoardError, match=f"has no {missing}"):
        parse_commit(Oid("2" * 40), raw.encode())


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"Ada Example <ada@example.org> 1780000000 +0200", Ident("Ada Example", "ada@example.org", 1780000000, "+0200")),
        (b" <> 0 +0000", Ident("", "", 0, "+0000")),
        (b"A <a> b> 5 -0000", Ident("A", "a> b", 5, "-0000")),
        (b"A <a@b> 99999999999999999999 +0000", Ident("A", "a@b", 0, "")),
        (b"A <a@b>", Ident("A", "a@b")),
        (b"", Ident("", "")),
        (b"\xff <\xfe> 1 +0000", Ident("\udcff", "\udcfe", 1, "+0000")),
    ],
)
def test_names_of_headers(raw: bytes, expected: Ident) -> None:
    assert parse_ident(raw) == expected


def test_without_an_identity_the_hint_says_how_to_set_one(repo: Repo, monkeypatch: pytest.MonkeyPatch, sealed: Path) -> None:
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_CONFIG_GLOBAL"):
        monkeypatch.delenv(name)
    (sealed / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n")
    with pytest.raises(HoardError, match="does not know who you are") as caught:
        reading(repo).author()
    assert "git config user.email" in caught.value.hint


@pytest.mark.parametrize("out", [b"no nul", b":1 2\0", b":1 2\0path\0", b"100644 100644 a b M\0path\0", b":100644 100644 a b\0p\0"])
def test_what_is_not_raw_output_is_refused(out: bytes) -> None:
    with pytest.raises(HoardError, match="cannot be read"):
        parse_raw(out)


def test_a_ref_prefix_with_a_wildcard_is_refused(repo: Repo) -> None:
    assert ref_glob("refs/remotes/origin") == "refs/remotes/origin/*"
    for bad in ("heads/", "refs/*", "--all", "refs/\n"):
        with pytest.raises(HoardError, match="start with refs/"):
            ref_glob(bad)


def test_all_refs_can_be_left_out(repo: Repo) -> None:
    repo.commit("one\n")
    tree = repo.line("write-tree")
    new = repo.line("commit-tree", "-p", "HEAD", "-m", "new", tree)
    assert reading(repo).rev_list([new], [], not_refs="refs/") == [new]


def test_many_paths_are_asked_in_portions(repo: Repo) -> None:
    paths = [RepoPath(f"memory/{'x' * 200}{number}.md") for number in range(1500)]
    assert len(list(portions(paths))) == 4
    repo.stage({paths[3]: "needle", paths[1400]: "needle", paths[7]: "other"})
    assert reading(repo).paths_with(INDEX, [b"needle"], paths) == [paths[3], paths[1400]]


def test_the_cache_is_bounded_and_right(repo: Repo, monkeypatch: pytest.MonkeyPatch, batch: bool) -> None:
    monkeypatch.setattr("hoard_git.gitio.plumbing._CACHE_BYTES", 100)
    monkeypatch.setattr("hoard_git.gitio.libgit._CACHE_BYTES", 100)
    reader = reading(repo, batch=batch)
    texts = [b"%d" % n * 12 for n in range(20)] + [b"long" * 50]
    oids = [Oid(repo.git("hash-object", "-w", "--stdin", input=text).stdout.decode().strip()) for text in texts]
    for _ in range(2):
        assert reader.blobs(oids) == dict(zip(oids, texts, strict=True))
    assert sum(map(len, vars(reader)["_cache"].values())) <= 100


def test_a_gitdir_file_that_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: elsewhere\n")
    with pytest.raises(HoardError):
        PlumbingReader(str(tmp_path)).git_dir()


def test_a_reader_of_another_repository_does_not_see_the_hooks_one(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = Repo.create(tmp_path / "other")
    head = other.commit("other\n", {"a": "b"})
    repo.commit("one\n")
    monkeypatch.setenv("GIT_DIR", str(repo.path / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(repo.path / ".git/index"))
    for batch in (False, True):
        reader = open_reader(str(other.path), batch=batch, foreign=True)
        assert reader.head() == head
        assert list(reader.tree(INDEX)) == ["a"]
        assert reader.git_dir() == str(other.path / ".git")
    assert os.environ["GIT_DIR"]


def test_a_commit_without_headers_is_refused() -> None:
    with pytest.raises(HoardError, match="has no tree"):
        parse_commit(Oid("2" * 40), b"\nonly a message\n")


def test_a_damaged_tree_is_reported_and_not_empty(repo: Repo, batch: bool) -> None:
    oid = Oid(repo.commit("one\n", {"memory/a.md": "- a\n"}))
    tree = repo.head("HEAD:memory")
    (repo.path / ".git/objects" / tree[:2] / tree[2:]).unlink()
    for look in (
        lambda: reading(repo, batch=batch).tree(oid),
        lambda: reading(repo, batch=batch).tree(oid, [RepoPath("memory/.hoard.yaml")]),
        lambda: reading(repo, batch=batch).tree(oid, [RepoPath("memory")]),
        lambda: reading(repo, batch=batch).changes(None, oid),
    ):
        with pytest.raises(HoardError):
            look()
    repo.write("memory/b.md", "- b\n")
    repo.git("add", "memory/b.md")
    with pytest.raises(HoardError):
        PlumbingReader(str(repo.path)).staged()


def test_a_header_of_very_many_lines() -> None:
    """Taken line by line into one growing text it would be four minutes' work, and whoever pushes chooses its length."""
    lines = [b"line %d" % number for number in range(400_000)]
    raw = b"tree " + b"0" * 40 + b"\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\nx-note " + b"\n ".join(lines) + b"\nlast x\n\nText\n"
    info = parse_commit(Oid("0" * 40), raw)
    assert info.headers[3:] == (("x-note", b"\n".join(lines)), ("last", b"x"))
    assert info.message == b"Text\n"
