"""`hoard purge --plan`: the value is found wherever git keeps it, nothing is changed, and nothing that is told holds it."""

from __future__ import annotations

import gzip
import stat
from pathlib import Path

import pytest

from hoard_git.app.purge import Found, find_value
from hoard_git.app.purgeplan import hide, make_plan, write_private
from hoard_git.core.secrets import fingerprint
from hoard_git.errors import HoardError
from tests.app.support import reader_of
from tests.support.repo import POLICY, Repo, Workspace, run

VALUE = "tR7#mQ2v-" + "Lx9pWz"
LINE = f"- The database password is {VALUE} <!-- src:user ts:2026-06-01 -->\n"
SALTED = POLICY + 'secrets: {salt: "pepper"}\n'


def look(repo: Repo, wanted: str = VALUE, *, regex: bool = False) -> Found:
    return find_value(reader_of(repo), wanted, regex=regex)


def test_a_value_in_files_messages_tags_and_packed_logs(workspace: Workspace) -> None:
    first = workspace.commit("Leak\n", {"memory/a.md": LINE + LINE, "memory/2026-06-01.md.gz": gzip.compress(LINE.encode())})
    second = workspace.commit(f"Drop {VALUE}\n", {"memory/a.md": "- gone\n"}, author="Ines Vermeulen <ines@example.org>")
    workspace.git("tag", "-a", "v1", "-m", f"with {VALUE}")
    before = workspace.snapshot()
    found = look(workspace)
    assert [(hit.kind, hit.times, hit.plain) for hit in found.hits if hit.kind != "blob"] == [("commit", 1, True), ("tag", 1, True)]
    assert sorted((hit.times, hit.plain) for hit in found.hits if hit.kind == "blob") == [(1, False), (2, True)]
    assert [(spot.commit, spot.path, spot.brings) for spot in found.spots] == [
        (first, "memory/2026-06-01.md.gz", True), (first, "memory/a.md", True), (second, "memory/a.md", False),
    ]  # fmt: skip
    assert (found.commits, found.messages) == ((first, second), (second,))
    assert found.paths == ("memory/2026-06-01.md.gz", "memory/a.md")
    assert found.refs == ("refs/heads/main", "refs/tags/v1")
    assert found.head == found.worktree == ("memory/2026-06-01.md.gz",)
    assert found.people == (("Ada Example", "ada@example.org"), ("Ines Vermeulen", "ines@example.org"))
    assert found.reflog == found.stashes == ()
    assert workspace.snapshot() == before


def test_a_value_that_only_a_stash_a_reflog_or_nothing_knows(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", workspace.read("MEMORY.md") + LINE)
    workspace.git("stash", "-q")
    assert look(workspace).stashes == ("stash@{0}",)
    lost = workspace.commit("Leak\n", {"memory/b.md": LINE})
    workspace.git("reset", "-q", "--hard", "HEAD~1")
    found = look(workspace)
    assert lost in found.reflog and "refs/stash" in found.refs and "refs/heads/main" not in found.refs
    workspace.git("stash", "drop", "-q")
    workspace.git("reflog", "expire", "--expire=now", "--all")
    found = look(workspace)
    assert found.hits and not any(hit.reachable for hit in found.hits)
    assert found.commits == found.refs == ()
    workspace.git("gc", "-q", "--prune=now")
    assert look(workspace).hits == ()


def test_a_merge_brings_nothing_that_a_parent_has(workspace: Workspace) -> None:
    workspace.git("checkout", "-q", "-b", "side")
    leak = workspace.commit("Leak\n", {"memory/a.md": LINE})
    workspace.git("checkout", "-q", "main")
    workspace.commit("Other\n", {"memory/b.md": "- b\n"})
    workspace.git("merge", "-q", "--no-ff", "-m", "Join", "side")
    assert look(workspace).commits == (leak,)


def test_the_index_and_linked_worktrees_count(workspace: Workspace, tmp_path: Path) -> None:
    workspace.stage({"memory/a.md": LINE})
    found = look(workspace)
    assert [hit.reachable for hit in found.hits] == [True]
    assert found.worktree == ("memory/a.md",)
    workspace.git("reset", "-q", "--hard")
    workspace.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    linked = Repo(tmp_path / "linked")
    oid = linked.commit("Leak\n", {"memory/c.md": LINE})
    assert look(workspace).commits == (oid,)
    assert look(workspace).reflog == ()


def test_a_name_of_a_file_or_branch_that_is_the_value(workspace: Workspace) -> None:
    workspace.commit("Leak\n", {f"memory/{VALUE}.md": "- x\n"})
    workspace.git("branch", "fix-" + VALUE.replace("#", "-"))
    found = look(workspace)
    assert {hit.kind for hit in found.hits} == {"tree"}
    assert found.paths == (f"memory/{VALUE}.md",)
    assert hide(found.paths[0], found) == "memory/\u2026.md"
    found = look(workspace, VALUE.replace("#", "-"))
    assert (found.hits, found.named_refs) == ((), ("refs/heads/fix-" + VALUE.replace("#", "-"),))


def test_a_fingerprint_finds_the_credential_by_any_salt(workspace: Workspace) -> None:
    workspace.policy(SALTED)
    workspace.commit("Leak\n", {"memory/a.md": LINE})
    assert look(workspace, fingerprint(VALUE, "pepper")).values == (VALUE,)
    assert look(workspace, fingerprint("another", "pepper")) == Found(objects=look(workspace, VALUE).objects)


def test_a_regular_expression_means_what_it_matches(workspace: Workspace) -> None:
    workspace.commit("Leak\n", {"memory/a.md": LINE + "- and tR7#zzzzz-Lx9pWz\n"})
    assert look(workspace, r"tR7#\S{5,6}Lx9pWz", regex=True).values == (VALUE, "tR7#zzzzz-Lx9pWz")
    assert look(workspace, "nothing like this", regex=True).values == ()
    with pytest.raises(HoardError, match="fewer than 6"):
        look(workspace, "(?:tR7)+(?:nope)?", regex=True)
    workspace.commit("Many\n", {"memory/b.md": "".join(f"- number {n:06d}\n" for n in range(60))})
    with pytest.raises(HoardError, match="more than 50"):
        look(workspace, r"number \d{6}", regex=True)


@pytest.mark.parametrize(
    ("wanted", "regex", "said"),
    [
        ("abcde", False, "too short"), ("     x     ", False, "too short"), ("a\0bcdefgh", False, "too short"), ("hgs1:12", False, "20 hex"),
        ("(((((((", True, "no regular expression"), ("(?:abc)*x*", True, "nothing at all"), ("hgs1:0123456789abcdef0123", False, "no salt"),
    ],
)  # fmt: skip
def test_what_cannot_be_looked_for(workspace: Workspace, wanted: str, regex: bool, said: str) -> None:
    with pytest.raises(HoardError, match=said) as raised:
        look(workspace, wanted, regex=regex)
    assert wanted not in f"{raised.value.message} {raised.value.hint}"


def test_a_shallow_or_broken_clone_is_not_clean(workspace: Workspace, tmp_path: Path) -> None:
    workspace.commit("Leak\n", {"memory/a.md": LINE})
    run(["git", "clone", "-q", "--depth=1", f"file://{workspace.path}", str(tmp_path / "shallow")], cwd=tmp_path)
    with pytest.raises(HoardError, match="shallow"):
        look(Repo(tmp_path / "shallow"))
    run(["git", "-C", str(workspace.path), "config", "uploadpack.allowFilter", "true"], cwd=tmp_path)
    run(["git", "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{workspace.path}", str(tmp_path / "partial")], cwd=tmp_path)
    with pytest.raises(HoardError, match="partial clone"):
        look(Repo(tmp_path / "partial"))
    blob = workspace.line("rev-parse", "HEAD:memory/a.md")
    (workspace.path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(HoardError):
        look(workspace)


def test_nothing_in_an_empty_or_bare_repository(repo: Repo, workspace: Workspace, tmp_path: Path) -> None:
    assert look(repo).hits == ()
    workspace.commit("Leak\n", {"memory/a.md": LINE})
    run(["git", "clone", "-q", "--mirror", str(workspace.path), str(tmp_path / "bare.git")], cwd=tmp_path)
    found = look(Repo(tmp_path / "bare.git"))
    assert (len(found.hits), found.worktree) == (1, ())


# -- the plan


def test_a_plan_writes_private_files_and_holds_the_value_nowhere_else(workspace: Workspace) -> None:
    workspace.commit("Leak\n", {"memory/a.md": LINE, f"memory/{VALUE}.md": "- x\n", "memory/l.md.gz": gzip.compress(LINE.encode())})
    found = look(workspace)
    plan = make_plan(reader_of(workspace), found, "-", "2026-12-01")
    folder = Path(plan.folder)
    assert folder == Path(workspace.path.resolve(), ".git/hoard", plan.name)
    assert plan.files == ("replacements.txt", "blobs.txt", "paths.txt")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE((folder / name).stat().st_mode) for name in plan.files} == {0o600}
    assert f"literal:{VALUE}==>[removed]\n".encode() in (folder / "replacements.txt").read_bytes()
    assert VALUE not in repr(plan) and "tR7" not in repr(plan)
    assert plan.in_place
    assert [step.command for step in plan.steps if "filter-repo --force --partial" in step.command]
    assert plan.what == "a value"
    assert "3 places in 3 files and 1 commit" in plan.tombstone and "2026-12-01" in plan.tombstone
    assert make_plan(reader_of(workspace), found, "-", "2026-12-01") == plan


def test_what_was_pushed_is_rewritten_in_a_mirror(workspace: Workspace, tmp_path: Path) -> None:
    workspace.commit("Leak\n", {"memory/a.md": LINE})
    run(["git", "init", "-q", "--bare", str(tmp_path / "server.git")], cwd=tmp_path)
    workspace.git("remote", "add", "origin", f"https://ada:{'x' * 9}@host.invalid/m.git")
    plan = make_plan(reader_of(workspace), look(workspace), "-", "2026-12-01")
    assert not plan.in_place  # nothing is known of the server
    assert "x" * 9 not in repr(plan)
    workspace.git("remote", "set-url", "origin", str(tmp_path / "server.git"))
    workspace.git("push", "-q", "origin", "main")
    plan = make_plan(reader_of(workspace), look(workspace), "-", "2026-12-01")
    assert not plan.in_place and plan.remotes == (("origin", str(tmp_path / "server.git")),)
    assert any("clone --mirror" in step.command for step in plan.steps)
    later = "another-" + "value-99"
    workspace.commit("Later\n", {"memory/b.md": f"- {later}\n"})
    assert make_plan(reader_of(workspace), look(workspace, later), "-", "2026-12-01").in_place


def test_a_plan_names_what_else_holds_the_value(workspace: Workspace, tmp_path: Path) -> None:
    workspace.git("branch", f"fix-{VALUE}")
    workspace.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    workspace.commit("Trailers\n\nMemory-Digest: sha256:00\n", {"memory/a.md": "- a\n"})
    workspace.write("MEMORY.md", LINE)
    workspace.git("stash", "-q")
    workspace.stage({"memory/lost.md": LINE + "- lost\n"})
    workspace.git("rm", "-q", "--cached", "memory/lost.md")
    plan = make_plan(reader_of(workspace), look(workspace), "-", "2026-12-01")
    told = "\n".join((*plan.copies, *plan.notes))
    for words in (
        "1 linked worktree:",
        "stash@{0}",
        "nothing reaches any more",
        "1 file of the work tree",
        "1 name of a branch or tag with it",
    ):
        assert words in told
    assert any("trailers --repair" in step.command for step in plan.steps)
    workspace.commit("Leak\n", {"memory/b.md": LINE})
    workspace.git("reset", "-q", "--hard", "HEAD~1")
    plan = make_plan(reader_of(workspace), look(workspace), "-", "2026-12-01")
    assert any("only reflogs or stashes" in text for text in plan.copies)


def test_the_folder_of_the_files_may_not_be_a_link(workspace: Workspace, tmp_path: Path) -> None:
    folder = workspace.path / ".git/hoard/purge-x"
    folder.parent.mkdir(exist_ok=True)
    folder.symlink_to(tmp_path)
    with pytest.raises(HoardError, match="a link"):
        write_private(str(folder), {"a": b"x"})
    folder.unlink()
    folder.write_text("a file")
    with pytest.raises(HoardError, match="cannot be written"):
        write_private(str(folder), {"a": b"x"})
