"""Errors that few will ever meet, from the command line and the hooks: each ends with exit 2, its reason and what to do; nothing is changed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hoard_git.app import consolidate, purge, refupdates, shelf, tour, wikiyaml, witness
from hoard_git.cli.commands import wiki as wiki_command
from hoard_git.cli.main import main
from hoard_git.errors import HoardError
from tests.app.support import AS_AGENT, june, reader_of
from tests.support.repo import MEMORY, POLICY, Repo, Workspace, run_hook

ROOTS = POLICY + "memory: {roots: [agents/a, agents/b]}\n"
VALUE = "tR7#mQ2v-" + "Lx9pWz"


class Refused:
    """Runs `hoard` in this process, sees to it that it ends with exit 2 and changes nothing, and gives what it said: the reason and the hint."""

    def __init__(self, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._patch = patch
        self._capsys = capsys

    def __call__(self, repo: Repo, *words: str) -> tuple[str, str]:
        before = repo.snapshot()
        self._patch.chdir(repo.path)
        status = main(["--date", "2026-06-15", *words])
        said = self._capsys.readouterr().err
        assert (status, repo.snapshot() == before) == (2, True), said
        reason, _, hint = said.removeprefix("hoard: ").rstrip("\n").partition("\n  next: ")
        return reason, hint


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Refused:
    return Refused(monkeypatch, capsys)


def test_a_fact_for_one_of_several_workspaces(repo: Repo, refused: Refused) -> None:
    repo.commit("Start\n", {".hoard.yaml": ROOTS, "agents/a/MEMORY.md": MEMORY, "agents/b/MEMORY.md": MEMORY})
    said = refused(repo, "add", "Tea is at four", "--src", "agent")
    assert said == ("This repository holds several workspaces.", "hoard add … --file agents/a/MEMORY.md")
    said = refused(repo, "wiki", "new", "Node 2")
    assert said == ("This repository holds several workspaces.", "hoard wiki new TITLE --file agents/a/wiki/NAME.md")


def test_a_page_where_the_policy_has_no_wiki(workspace: Workspace, refused: Refused) -> None:
    said = refused(workspace, "wiki", "new", "Node 2", "--file", "notes.md")
    assert said == ("'notes.md' is no wiki page under this policy.", "hoard wiki new TITLE --file wiki/NAME.md")
    workspace.policy(POLICY + "memory: {wiki: []}\n")
    assert refused(workspace, "wiki", "new", "Node 2")[0] == "The policy names no wiki pages."


def test_operations_that_are_too_many_or_no_text(
    workspace: Workspace, refused: Refused, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "operations.json"
    file.write_bytes(b'[{"op": "create", "title": "\xff"}]')
    assert refused(workspace, "wiki", "apply", str(file)) == ("The operations are not UTF-8.", "Save the file as UTF-8.")
    monkeypatch.setattr(wiki_command, "_LARGEST_INPUT", 1 << 20)
    file.write_bytes(b" " * ((1 << 20) + 1))
    assert refused(workspace, "wiki", "apply", str(file)) == ("The operations are larger than 1 MB.", "Split them into several files.")


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        ({"op": "append_section", "page": "node-2", "section": "!?", "text": "- a"}, "A section needs a name in words, not '!?'."),
        ({"op": "set_front_matter", "page": "node-2", "values": {"title": "a\nb"}}, "title is a text of one line"),
        ({"op": "set_front_matter", "page": "node-2", "values": {"ttl": 3}}, "ttl is a text of one line"),
    ],
)
def test_operations_that_ask_for_what_cannot_be(
    workspace: Workspace, refused: Refused, tmp_path: Path, operation: dict[str, object], reason: str
) -> None:
    workspace.commit("Page\n", {"wiki/node-2.md": "---\ntitle: Node 2\nsrc: agent\nts: 2026-06-01\n---\n\n# Node 2\n"})
    file = tmp_path / "operations.json"
    file.write_text(json.dumps([operation]), encoding="utf-8")
    said, hint = refused(workspace, "wiki", "apply", str(file))
    assert reason in said
    assert hint


def test_front_matter_that_is_a_book(workspace: Workspace, refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wikiyaml, "LARGEST", 2048)
    page = f"---\ntitle: Node 2\nsrc: agent\nts: 2026-06-01\nnote: {'x' * 2048}\n---\n\n# Node 2\n"
    workspace.commit("Page\n", {"wiki/node-2.md": page})
    workspace.write("operations.json", '[{"op": "set_front_matter", "page": "node-2", "values": {"title": "Node two"}}]')
    said, hint = refused(workspace, "wiki", "apply", "operations.json")
    assert "is longer than 2 KB" in said
    assert hint == "Move text below it."


def test_a_range_without_a_common_ancestor(workspace: Workspace, refused: Refused) -> None:
    workspace.git("checkout", "-q", "--orphan", "other")
    workspace.commit("Another root\n")
    said = refused(workspace, "diff", "main...other")
    assert said == ("The two ends of 'main...other' have no common ancestor.", "hoard diff A..B")


def test_repairing_trailers_on_a_branch_without_a_commit(workspace: Workspace, refused: Refused) -> None:
    workspace.commit("More\n", {"memory/a.md": "# A <!-- src:agent ts:2026-06-05 -->\n\n- One\n"})
    workspace.git("symbolic-ref", "HEAD", "refs/heads/unborn")
    said = refused(workspace, "trailers", "--repair", "main~1..main")
    assert said == ("There is no commit yet, so there is nothing to repair.", "hoard init")


def test_a_witness_of_nothing_and_one_that_is_too_large(
    repo: Repo, refused: Refused, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "outside" / "witness"
    file.parent.mkdir()
    repo.write(".hoard.yaml", POLICY)
    said, _hint = refused(repo, "verify", "--witness", str(file))
    assert said
    assert not file.exists()
    repo.commit("Start\n", {".hoard.yaml": POLICY, "MEMORY.md": MEMORY})
    monkeypatch.setattr(witness, "LARGEST", 1 << 20)
    file.write_bytes(b"#" * ((1 << 20) + 1))
    said, hint = refused(repo, "verify", "--witness", str(file))
    assert "is larger than 1 MiB" in said
    assert f"mv {file} {file}.damaged" in hint


def test_a_pinned_root_that_a_shallow_clone_lacks(workspace: Workspace, refused: Refused, tmp_path: Path) -> None:
    root = workspace.head()
    workspace.commit("More\n", {"memory/a.md": "# A <!-- src:agent ts:2026-06-05 -->\n\n- One\n"})
    workspace.git("clone", "-q", "--depth=1", f"file://{workspace.path}", str(tmp_path / "shallow"))
    said, hint = refused(Repo(tmp_path / "shallow"), "verify", "--root", root)
    assert "shallow" in said
    assert hint == "git fetch --unshallow"


def test_restoring_to_outside_of_the_repository(workspace: Workspace, refused: Refused) -> None:
    said, hint = refused(workspace, "restore", "Backups", "--to", "../elsewhere.md")
    assert said == "'../elsewhere.md' is no file of the work tree."
    assert hint == "Name a memory file below the top folder: --to memory/restored.md"


def test_a_purge_that_meets_what_it_cannot_search(workspace: Workspace, refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.commit("Leak\n", {"memory/a.md": f"# A <!-- src:user ts:2026-06-01 -->\n\n- The password is {VALUE}\n"})
    monkeypatch.setattr(purge, "_LARGEST", 16)
    said, hint = refused(workspace, "purge", "--plan", VALUE)
    assert "and was not searched" in said
    assert hint.startswith("git cat-file -p ")
    assert VALUE not in said + hint


def test_a_purge_over_a_broken_object(workspace: Workspace, refused: Refused) -> None:
    oid = workspace.line("rev-parse", "HEAD:MEMORY.md")
    path = Path(workspace.path, ".git/objects", oid[:2], oid[2:])
    path.chmod(0o644)
    path.write_bytes(b"not an object")
    said, hint = refused(workspace, "purge", "--plan", VALUE)
    assert "cannot be read" in said or "object" in said
    assert hint == "git fsck"


def test_a_memory_file_that_is_too_large_to_be_judged(workspace: Workspace, refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "LARGEST_FILE", 16)
    said = refused(workspace, "check", "--commit", "HEAD")
    assert said == ("'MEMORY.md' is larger than 64 MiB and cannot be judged.", "git rm --cached -- 'MEMORY.md'")


def test_rules_extended_from_what_is_no_file(workspace: Workspace, refused: Refused) -> None:
    workspace.write("target.toml", "title = 'a'\n")
    (workspace.path / "base.toml").symlink_to("target.toml")
    workspace.write(".gitleaks.toml", '[extend]\npath = "base.toml"\n')
    workspace.git("add", "-A")
    workspace.git("commit", "-qm", "Rules", "--no-verify")
    workspace.commit("More\n", {"memory/a.md": "# A <!-- src:agent ts:2026-06-05 -->\n\n- One\n"})
    said, hint = refused(workspace, "check", "--commit", "HEAD")
    assert "'base.toml' is not a regular file." in said
    assert hint.startswith("git log -1 -- ")


def test_gitleaks_rules_of_another_shape(workspace: Workspace, refused: Refused) -> None:
    workspace.write(".gitleaks.toml", "extend = 3\n")
    workspace.git("add", "-A")
    workspace.git("commit", "-qm", "Rules", "--no-verify")
    workspace.commit("More\n", {"memory/a.md": "# A <!-- src:agent ts:2026-06-05 -->\n\n- One\n"})
    said, hint = refused(workspace, "check", "--commit", "HEAD")
    assert "'extend' is not a table" in said
    assert "write it as [extend]" in hint


def test_more_proposals_than_a_day_has_names_for(workspace: Workspace, refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.commit("Old\n", {"memory/a.md": "# A <!-- src:agent ts:2025-01-01 ttl:90d -->\n\n- One old thing\n"})
    workspace.git("update-ref", "refs/heads/hoard/consolidate/2026-06-15", "HEAD~1")
    monkeypatch.setattr(consolidate, "range", lambda first, _end: range(first, 2), raising=False)
    said = refused(workspace, "consolidate")
    assert said == ("There are too many proposals of this day.", "git branch --list 'hoard/consolidate/*'")


def test_a_tour_that_goes_wrong_says_so(workspace: Workspace, refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tour, "take_tour", lambda _show, _today: False)
    said = refused(workspace, "tour")
    assert said == ("This step of the tour did not do what it should; the tour ends here.", "Please report what it printed.")


# ---------------------------------------------------------------- hooks


def hook(workspace: Workspace, name: str, *words: str) -> tuple[int, str]:
    done = run_hook(name, *words, cwd=workspace, env=AS_AGENT)
    return done.returncode, done.stderr.decode()


def test_hooks_that_are_called_otherwise_than_by_git(workspace: Workspace) -> None:
    status, said = hook(workspace, "post-commit")
    assert (status, said.splitlines()[0]) == (2, "hoard: There is no hook 'post-commit'.")
    assert "pre-receive" in said.splitlines()[1]
    status, said = hook(workspace, "commit-msg")
    assert (status, said.splitlines()[0]) == (2, "hoard: commit-msg needs the message file that git names.")
    status, said = hook(workspace, "prepare-commit-msg")  # which never stands in the way
    assert (status, said.splitlines()[0]) == (0, "hoard: prepare-commit-msg needs the message file that git names.")


def test_a_message_file_that_is_not_there(workspace: Workspace) -> None:
    workspace.stage({"MEMORY.md": MEMORY + "- Tea is at four.\n"})
    status, said = hook(workspace, "commit-msg", "no-such-file")
    assert (status, said.splitlines()[:2]) == (2, ["hoard: The commit message file cannot be read.", f"  next: ls -la '{workspace.path}'"])


def test_a_push_of_too_many_refs(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refupdates, "_MOST_UPDATES", 1)
    with pytest.raises(HoardError, match="more than 1 refs cannot be judged") as caught:
        refupdates.Push(reader_of(workspace), [None, None], None, june)  # type: ignore[list-item,arg-type]  # too many, whatever they are
    assert caught.value.hint == "Push in several goes."


def test_the_merge_driver_keeps_ours_when_a_file_is_gone(workspace: Workspace) -> None:
    for name in ("base", "ours"):
        workspace.write(name, MEMORY)
    status, said = hook(workspace, "merge-driver", "base", "ours", "gone", "7", "MEMORY.md")
    assert status == 1
    assert "so ours is left as it was" in said
    assert workspace.read("ours") == MEMORY
    assert not list(workspace.path.glob("*.hoard-*"))
    status, said = hook(workspace, "merge-driver", "base")
    assert (status, "hoard hooks install" in said) == (3, True)


@pytest.mark.parametrize(
    ("words", "reason", "hint"),
    [
        (("consolidate", "--apply", "--dry-run"), "--apply and --dry-run exclude each other.", "hoard consolidate --dry-run"),
        (("get", ".."), "'..' lies outside the workspace, or is all of it.", "hoard get MEMORY.md"),
        (("get", "."), "'.' lies outside the workspace, or is all of it.", "hoard get MEMORY.md"),
        (("rule", "HG999"), "There is no rule 'HG999'.", "hoard rule"),
        (
            ("log", "--since", "whenever"),
            "--since takes a date, not 'whenever'.",
            "hoard log --since=2026-06-01    or: hoard log --since='2 weeks ago'",
        ),
        (("log", "--until=-x"), "--until takes a date, not '-x'.", "hoard log --until=2026-06-01    or: hoard log --until='2 weeks ago'"),
        (("show", "MEMORY.md"), "'MEMORY.md' is a file or folder, not a block.", "hoard log -- 'MEMORY.md'"),
        (
            ("why", "Nobody has said this"),
            "Nothing in the history of this memory says 'Nobody has said this'.",
            "hoard search --history 'Nobody has said this'",
        ),
        (("blame", "notes.md"), "'notes.md' is no committed memory file at this commit.", "what is not committed yet: git status"),
        (("help", "logg"), "There is no command 'logg'.", "Did you mean: hoard log"),
        (
            ("hooks", "install", "--server"),
            "This repository has a work tree, and a server's hook belongs into a bare one.",
            "hoard -C PATH/TO/REPOSITORY.git hooks install --server",
        ),
    ],
)
def test_words_that_lead_nowhere(workspace: Workspace, refused: Refused, words: tuple[str, ...], reason: str, hint: str) -> None:
    workspace.write("notes.md", "Something.\n")
    assert refused(workspace, *words) == (reason, hint)


def test_a_fact_for_a_file_beside_the_only_workspace(repo: Repo, refused: Refused) -> None:
    repo.commit("Start\n", {"agents/a/.hoard.yaml": POLICY, "agents/a/MEMORY.md": MEMORY, "README.md": "x\n"})
    reason, hint = refused(repo, "add", "Tea is at four", "--src", "agent", "--file", "memory/tea.md")
    assert reason == "'memory/tea.md' lies in no workspace; there is one in 'agents/a'."
    assert hint.startswith("hoard -C agents/a add")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("MEMORY.md", "'./MEMORY.md' is memory or steers the gate, and would be lost; nothing was written."),
        (".hoard.yaml", "'./.hoard.yaml' is memory or steers the gate, and would be lost; nothing was written."),
        (".git/config", "'./.git/config' is one of git's own files, and would be lost; nothing was written."),
        ("notes.txt", "'./notes.txt' is there already and was not written by this command; nothing was written."),
    ],
)
def test_a_report_takes_the_place_of_nothing_else(workspace: Workspace, refused: Refused, name: str, reason: str) -> None:
    workspace.write("notes.txt", "Mine.\n")
    assert refused(workspace, "report", "--out", name)[0] == reason


def test_a_report_from_a_linked_work_tree_keeps_out_of_what_it_shares(workspace: Workspace, refused: Refused, tmp_path: Path) -> None:
    workspace.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    name = str(workspace.path / ".git/hooks/page.html")
    reason = refused(Repo(tmp_path / "linked"), "report", "--out", name)[0]
    assert reason == f"{name!r} is one of git's own files, and would be lost; nothing was written."


def test_operations_with_a_key_twice_or_without_end(workspace: Workspace, refused: Refused, tmp_path: Path) -> None:
    twice, deep = tmp_path / "twice.json", tmp_path / "deep.json"
    twice.write_text('{"operations": [], "operations": []}')
    deep.write_text("[" * 100_000)
    assert refused(workspace, "wiki", "apply", str(twice)) == (
        "A key stands twice in one object of the operations.",
        "Write each key once.",
    )
    assert refused(workspace, "wiki", "apply", str(deep)) == ("The operations are nested too deep.", "hoard wiki apply --help")


def test_commits_that_others_may_have_are_not_written_anew(workspace: Workspace, refused: Refused) -> None:
    """A range that lacks trailers, of which a remote branch has the last commit."""
    start = workspace.head()
    workspace.commit("No trailers\n", {"MEMORY.md": MEMORY + "- Tea is at four.\n"}, author=Workspace.agent)
    workspace.git("update-ref", "refs/remotes/origin/main", "HEAD")
    reason, hint = refused(workspace, "trailers", f"{start}..HEAD", "--repair")
    assert reason == "Commits of this range are on a remote branch (origin/main); nothing was rewritten."
    assert "--force" in hint


def test_a_consolidation_in_the_middle_of_something_else(workspace: Workspace, refused: Refused) -> None:
    workspace.commit(
        "Old\n", {"MEMORY.md": MEMORY + "- Tea is at four. <!-- src:agent ts:2026-01-01 ttl:30d -->\n"}, author=Workspace.agent
    )
    (workspace.path / ".git" / "CHERRY_PICK_HEAD").write_text(f"{workspace.head()}\n")
    reason, hint = refused(workspace, "consolidate", "--apply")
    assert reason.startswith("Something else is under way here (")
    assert hint == "Finish or abort it first: git status"


def test_a_push_without_the_name_of_its_remote(workspace: Workspace) -> None:
    done = run_hook("pre-push", cwd=workspace, input="")
    assert done.returncode == 2
    assert "pre-push needs the name of the remote that git gives." in done.stderr.decode()


@pytest.mark.parametrize("words", [("commit",), ("commit", "MEMORY.md")])
def test_what_is_no_file_at_all_is_not_committed(workspace: Workspace, refused: Refused, words: tuple[str, ...]) -> None:
    path = workspace.path / "MEMORY.md"
    path.unlink()
    os.mkfifo(path)
    assert refused(workspace, *words) == ("'MEMORY.md' is not a regular file.", "ls -ld 'MEMORY.md'")
