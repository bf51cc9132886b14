"""The same questions to both readers, in every shape of repository; the answers are git's own, got on another way."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from hoard_git.core.model import Oid, PathChange, RepoPath
from hoard_git.errors import HoardError
from hoard_git.gitio.libgit import LibgitReader
from hoard_git.gitio.opening import open_reader
from hoard_git.gitio.plumbing import PlumbingReader
from hoard_git.gitio.process import decode_path
from hoard_git.gitio.reader import INDEX, WORKTREE, Ident, Reader
from tests.gitio.shapes import SHAPES, Shape

NOT_FOR_LIBGIT = {"sha256", "partial-v1"}
Entries = dict[RepoPath, tuple[int, Oid]]


def listed(out: bytes) -> Entries:
    """What `ls-tree -z` or `ls-files -s -z` says."""
    found: Entries = {}
    for line in out.split(b"\0")[:-1]:
        meta, _, path = line.partition(b"\t")
        words = meta.decode().split()
        found[RepoPath(decode_path(path))] = int(words[0], 8), Oid(words[2] if words[1] in {"blob", "commit"} else words[1])
    return found


def tree_of(shape: Shape, revision: str | None) -> Entries:
    if revision is None:
        return {}
    return listed(shape.repo.git("--no-replace-objects", "ls-tree", "-r", "-z", "--full-tree", revision).stdout)


def index_of(shape: Shape) -> Entries:
    top = shape.repo.git("rev-parse", "--show-toplevel", check=False).stdout.decode().strip() or str(shape.path)
    entries = listed(shape.repo.git("-C", top, "ls-files", "-s", "-z").stdout)
    return {path: entry for path, entry in entries.items() if path not in shape.intents}


def differing(before: Entries, after: Entries) -> list[PathChange]:
    none = (0, Oid(""))
    paths = sorted(
        {p for p in before.keys() | after.keys() if before.get(p) != after.get(p)}, key=lambda p: p.encode("utf-8", "surrogateescape")
    )
    return [PathChange(p, *before.get(p, none), *after.get(p, none)) for p in paths]


def commits_of(shape: Shape) -> list[str]:
    if not shape.born:
        return []
    return shape.repo.line("--no-replace-objects", "rev-list", "HEAD").split()


def parents_of(shape: Shape, oid: str) -> list[str]:
    raw = shape.repo.git("--no-replace-objects", "cat-file", "commit", oid).stdout.partition(b"\n\n")[0]
    return [line[7:].decode() for line in raw.split(b"\n") if line.startswith(b"parent ")]


@pytest.mark.parametrize("kind", ["plumbing", "batch"])
@pytest.mark.parametrize("shape", SHAPES, indirect=True)
class TestContract:
    @pytest.fixture
    def reader(self, shape: Shape, kind: str) -> Reader:
        made = open_reader(str(shape.path), batch=kind == "batch")
        expected = LibgitReader if kind == "batch" and shape.name not in NOT_FOR_LIBGIT else PlumbingReader
        assert type(made) is expected
        return made

    def test_places(self, shape: Shape, reader: Reader) -> None:
        bare = shape.repo.line("rev-parse", "--is-bare-repository") == "true"
        git_dir = shape.repo.line("rev-parse", "--absolute-git-dir")
        assert reader.git_dir() == git_dir
        assert reader.common_dir() == shape.repo.line("rev-parse", "--path-format=absolute", "--git-common-dir")
        assert reader.root() == (git_dir if bare else shape.repo.line("rev-parse", "--show-toplevel"))
        assert reader.object_format() == ("sha256" if shape.name == "sha256" else "sha1")
        assert reader.is_shallow() == (shape.name == "shallow")

    def test_head_and_revisions(self, shape: Shape, reader: Reader) -> None:
        if not shape.born:
            assert reader.head() is None
            with pytest.raises(HoardError, match="There is no commit yet"):
                reader.resolve("HEAD")
            return
        head = shape.repo.head()
        assert reader.head() == head
        assert reader.resolve("HEAD") == head
        assert reader.resolve(head[:10]) == head
        shape.repo.git("tag", "-f", "-a", "-m", "x", "v1")
        assert reader.resolve("v1") == head
        for bad in ("", "--all", "-h", "^HEAD", "HEAD..HEAD", "HEAD...HEAD", "no-such", "HEAD\n--all", "HEAD:MEMORY.md", "0" * 40):
            with pytest.raises(HoardError, match="Unknown revision"):
                reader.resolve(bad)

    def test_commits(self, shape: Shape, reader: Reader) -> None:
        oids = [Oid(o) for o in commits_of(shape)]
        found = list(reader.commits(oids))
        assert [c.oid for c in found] == oids
        for commit in found:
            raw = shape.repo.git("--no-replace-objects", "cat-file", "commit", commit.oid).stdout
            assert commit.message == raw.partition(b"\n\n")[2]
            assert list(commit.parents) == parents_of(shape, commit.oid)
            assert commit.author == commit.committer == Ident("Ada Example", "ada@example.org", 1780000000, "+0200")
            assert [name for name, _ in commit.headers] == ["tree", *["parent"] * len(commit.parents), "author", "committer"]
            assert reader.commit(commit.oid) == commit

    def test_lists_of_commits(self, shape: Shape, reader: Reader) -> None:
        oids = commits_of(shape)
        if not oids:
            assert reader.rev_list([], []) == []
            return
        found = reader.rev_list(["HEAD"], [])
        seen: set[str] = set()
        cut = shape.name == "shallow"
        for oid in found:
            assert cut or seen.issuperset(parents_of(shape, oid))
            seen.add(oid)
        if shape.name != "replaced":  # git's own list is grafted there
            assert sorted(found) == sorted(oids)
        assert reader.rev_list(["HEAD"], ["HEAD"]) == []
        assert reader.rev_list(["HEAD"], [], not_refs="refs/heads/") == []
        assert reader.rev_list(["HEAD"], [], not_refs="refs/nowhere/") == found
        assert reader.rev_list(["HEAD"], [], merges=False) == [o for o in found if len(parents_of(shape, o)) < 2]
        first = reader.rev_list(["HEAD"], [], first_parent=True)
        assert first[-1] == oids[0]
        assert all(parents_of(shape, b)[0] == a for a, b in pairwise(first))

    def test_merge_base(self, shape: Shape, reader: Reader) -> None:
        if len(commits_of(shape)) < 2:
            return
        head, before = shape.repo.head(), parents_of(shape, shape.repo.head())[0]
        assert reader.merge_base(head, before) == before

    def test_changes_of_commits(self, shape: Shape, reader: Reader) -> None:
        known = set(commits_of(shape))
        for oid in known:
            assert reader.changes(None, Oid(oid)) == differing({}, tree_of(shape, oid))
            for parent in parents_of(shape, oid):
                if parent in known or shape.name == "replaced":
                    assert reader.changes(Oid(parent), Oid(oid)) == differing(tree_of(shape, parent), tree_of(shape, oid))

    def test_trees(self, shape: Shape, reader: Reader) -> None:
        for oid in commits_of(shape):
            assert reader.tree(Oid(oid)) == tree_of(shape, oid)
        assert reader.tree(INDEX) == index_of(shape)

    def test_a_part_of_a_tree(self, shape: Shape, reader: Reader) -> None:
        wanted = [
            RepoPath("MEMORY.md"),
            RepoPath("memory"),
            RepoPath("mem*"),
            RepoPath("MEMORY.md/x"),
            *(RepoPath(f"nowhere/{n}") for n in range(9000)),
        ]
        whole = index_of(shape)
        part = {p: e for p, e in whole.items() if p == "MEMORY.md" or p.startswith("memory/")}
        assert reader.tree(INDEX, wanted) == part
        for oid in commits_of(shape):
            assert reader.tree(Oid(oid), wanted) == {
                p: e for p, e in tree_of(shape, oid).items() if p == "MEMORY.md" or p.startswith("memory/")
            }

    def test_a_part_of_a_tree_by_other_spellings(self, shape: Shape, reader: Reader) -> None:
        for oid in commits_of(shape)[:1]:
            whole = tree_of(shape, oid)
            below = {p: e for p, e in whole.items() if p.startswith("memory/")}
            assert reader.tree(Oid(oid), [RepoPath("memory/")]) == below
            assert reader.tree(Oid(oid), [RepoPath("memory/../memory")]) == below
            assert reader.tree(Oid(oid), [RepoPath("./MEMORY.md")]) == {p: e for p, e in whole.items() if p == "MEMORY.md"}

    def test_changes_to_the_index(self, shape: Shape, reader: Reader) -> None:
        head = Oid(shape.repo.head()) if shape.born else None
        expected = differing(tree_of(shape, head), index_of(shape))
        assert reader.changes(head, INDEX) == expected
        assert reader.changes(None, INDEX) == differing({}, index_of(shape))
        if isinstance(reader, PlumbingReader):
            assert reader.staged().base == head
            assert reader.staged().changes == expected
            assert reader.staged(head).changes == expected

    def test_changes_in_the_work_tree(self, shape: Shape, reader: Reader) -> None:
        head = Oid(shape.repo.head()) if shape.born else None
        if shape.name == "bare":
            with pytest.raises(HoardError):
                reader.changes(head, WORKTREE)
            return
        before = {c.path: c for c in reader.changes(head, WORKTREE)}
        said = shape.repo.git(
            "--no-replace-objects",
            "-c",
            "diff.orderFile=/dev/null",
            "status",
            "--porcelain",
            "-z",
            "--no-renames",
            "--untracked-files=no",
            "--ignore-submodules=none",
        ).stdout
        assert set(before) == {decode_path(line[3:]) for line in said.split(b"\0")[:-1]}
        top = Path(reader.root())
        target = next(p for p in index_of(shape) if not (top / p).is_symlink() and (top / p).is_file())
        content = (top / target).read_bytes()
        (top / target).write_text("- only on disk\n")
        after = {c.path: c for c in reader.changes(head, WORKTREE)}
        (top / target).write_bytes(content)
        assert after[target].new_oid == ""
        assert after[target].new_mode
        assert {p: c for p, c in after.items() if p != target} == {p: c for p, c in before.items() if p != target}
        # The file's times differ from the index now, its content does not.
        assert {c.path: c.new_mode for c in reader.changes(head, WORKTREE)} == {p: c.new_mode for p, c in before.items()}

    def test_blobs(self, shape: Shape, reader: Reader) -> None:
        oids = {oid for mode, oid in index_of(shape).values() if mode != 0o160000}
        for commit in commits_of(shape):
            oids |= {oid for mode, oid in tree_of(shape, commit).values() if mode != 0o160000}
        found = reader.blobs(oids)
        assert found == {oid: shape.repo.git("cat-file", "blob", oid).stdout for oid in oids}
        assert reader.blobs(oids) == found
        assert reader.blobs([]) == {}

    def test_missing_and_wrong_objects(self, shape: Shape, reader: Reader) -> None:
        absent = Oid("12" * (32 if shape.name == "sha256" else 20))
        with pytest.raises(HoardError, match=r"missing|failed") as caught:
            reader.blobs([absent])
        if shape.name == "shallow":
            assert caught.value.hint == "git fetch --unshallow"
        if shape.name.startswith("partial"):
            assert "partial clone" in caught.value.message
        with pytest.raises(HoardError):
            reader.commit(absent)
        with pytest.raises(HoardError):
            reader.changes(None, absent)
        with pytest.raises(HoardError):
            reader.tree(absent)
        with pytest.raises(HoardError, match="not a full object name"):
            reader.blobs([Oid("--batch-all-objects")])
        with pytest.raises(HoardError, match="not a full object name"):
            reader.changes(Oid("HEAD"), INDEX)
        if shape.born:
            with pytest.raises(HoardError, match="is a commit, not a blob"):
                reader.blobs([Oid(shape.repo.head())])

    def test_paths_with(self, shape: Shape, reader: Reader) -> None:
        targets: list[tuple[Oid | str, Entries]] = [(INDEX, index_of(shape))]
        targets += [(Oid(o), tree_of(shape, o)) for o in commits_of(shape)]
        for target, entries in targets:
            paths = [*entries, RepoPath("not/there.md"), *map(RepoPath, shape.intents)]
            texts = {p: shape.repo.git("cat-file", "blob", o).stdout for p, (m, o) in entries.items() if m in {0o100644, 0o100755}}
            for needles in ([b"needle"], [b"NEEDLE"], [b"- o", b"-"], [b".*"], [b"--all"]):
                expected = [p for p in paths if p in texts and any(n in texts[p] for n in needles)]
                assert reader.paths_with(target, needles, paths) == expected  # type: ignore[arg-type]
        assert reader.paths_with(INDEX, [], [RepoPath("MEMORY.md")]) == []
        for bad in (b"", b"two\nlines", b"n\0l"):
            with pytest.raises(HoardError):
                reader.paths_with(INDEX, [bad], [RepoPath("MEMORY.md")])

    def test_settings_and_author(self, shape: Shape, reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
        shape.repo.git("config", "hoard.Sub.Name.Key", "a\nb")
        assert reader.config("HOARD.Sub.Name.KEY") == "a\nb"
        assert reader.config("hoard.sub.name.key") is None
        assert reader.configs("hoard.") == {"hoard.Sub.Name.key": "a\nb"}
        assert reader.config("color.ui") == ("always" if shape.name == "hidden" else None)
        monkeypatch.setenv("GIT_AUTHOR_NAME", "Grace Example")
        assert reader.author().name == "Grace Example"
        assert reader.author().email == "ada@example.org"
