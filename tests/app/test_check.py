"""`hoard check` in all its modes: what is looked at, and what cannot be judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoard_git.app.check import Report, check_commits, check_staged, check_state, find_range
from hoard_git.app.fix import fix_files
from hoard_git.errors import HoardError
from hoard_git.gitio.opening import open_reader
from tests.app.support import AS_AGENT, june, reader_of
from tests.support.repo import POLICY, Repo, Workspace, run

UNTAGGED = "# A\n\n- Nobody said where this is from.\n"
GOOD = "# A <!-- src:agent ts:2026-06-05 -->\n\n- One.\n"


def state(repo: Repo, *only: str) -> Report:
    return check_state(reader_of(repo), only, june)


def judged(repo: Repo, revisions: str) -> Report:
    reader = open_reader(str(repo.path), batch=True)
    return check_commits(reader, find_range(reader, revisions), june, revisions)


def codes(report: Report) -> list[str]:
    return [f"{finding.path}:{finding.line} {finding.code}" for finding in report.findings if finding.severity != "info"]


class TestState:
    def test_untracked_and_ignored_files_are_read(self, workspace: Workspace) -> None:
        workspace.write(".git/info/exclude", "memory/ignored.md\n")
        workspace.write("memory/ignored.md", UNTAGGED)
        workspace.write("memory/untracked.md", UNTAGGED)

        report = state(workspace)

        assert codes(report) == ["memory/ignored.md:3 HG101", "memory/untracked.md:3 HG101", "memory/untracked.md:3 HG603"]
        assert (report.files, report.what) == (3, "work tree")
        assert {finding.severity for finding in report.findings if finding.code == "HG101"} == {"warn"}

    def test_links_are_reported_and_not_followed(self, workspace: Workspace, tmp_path: Path) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        (outside / "x.md").write_text("- secret plans\n")
        (workspace.path / "memory").mkdir()
        (workspace.path / "memory/link.md").symlink_to(outside / "x.md")
        (workspace.path / "memory/archive").symlink_to(outside)
        (workspace.path / "wiki").symlink_to(outside)

        assert codes(state(workspace)) == ["memory/archive:0 HG409", "memory/link.md:0 HG409", "wiki:0 HG409"]

    def test_memory_that_is_a_link_itself(self, workspace: Workspace, tmp_path: Path) -> None:
        (workspace.path / "memory").symlink_to(tmp_path)

        assert codes(state(workspace)) == ["memory:0 HG409"]

    def test_many_roots(self, workspace: Workspace) -> None:
        workspace.write(".hoard.yaml", POLICY + "memory: {roots: [agents/a, agents/b]}\n")
        for name in ("agents/a/MEMORY.md", "agents/b/memory/x.md", "agents/c/MEMORY.md"):
            workspace.write(name, UNTAGGED)

        assert codes(state(workspace)) == ["agents/a/MEMORY.md:3 HG101", "agents/b/memory/x.md:3 HG101"]

    def test_a_policy_below_governs_what_is_below(self, workspace: Workspace) -> None:
        workspace.write("b/.hoard.yaml", POLICY + "rules: {HG101: error}\n")
        workspace.write("b/MEMORY.md", UNTAGGED)
        workspace.write("memory/x.md", UNTAGGED)

        assert {(f.path, f.severity) for f in state(workspace).findings if f.code == "HG101"} == {
            ("b/MEMORY.md", "error"),
            ("memory/x.md", "warn"),
        }

    def test_globs_that_reach_through_the_whole_tree(self, workspace: Workspace) -> None:
        workspace.write(".hoard.yaml", POLICY + "memory: {topic: ['**/*.note.md']}\n")
        for name in ("x.note.md", "a/b/x.note.md", "node_modules/x.note.md", "a/.git/x.note.md"):
            workspace.write(name, UNTAGGED)

        assert codes(state(workspace)) == ["a/b/x.note.md:3 HG101", "x.note.md:3 HG101", "x.note.md:3 HG603"]

    def test_no_directory_below_memory_is_passed_over(self, workspace: Workspace) -> None:
        workspace.write("memory/archive/venv/x.md", UNTAGGED)

        assert codes(state(workspace)) == ["memory/archive/venv/x.md:3 HG101"]

    def test_only_what_is_named(self, workspace: Workspace) -> None:
        for name in ("memory/a.md", "memory/archive/b.md"):
            workspace.write(name, UNTAGGED)

        assert codes(state(workspace, "memory/archive")) == ["memory/archive/b.md:3 HG101"]
        assert state(workspace, "memory/a.md").files == 1
        with pytest.raises(HoardError, match="no memory file"):
            state(workspace, ".hoard.yaml")

    def test_a_pipe_is_not_opened(self, workspace: Workspace) -> None:
        (workspace.path / "memory").mkdir()
        import os

        os.mkfifo(workspace.path / "memory/pipe.md")
        with pytest.raises(HoardError, match="regular file"):
            state(workspace)


class TestStaged:
    def test_the_index_and_not_the_work_tree(self, workspace: Workspace) -> None:
        workspace.stage({"memory/a.md": UNTAGGED})
        workspace.write("memory/a.md", GOOD)

        report = check_staged(reader_of(workspace), june, AS_AGENT)
        assert codes(report) == ["memory/a.md:3 HG101"]
        assert (report.files, report.lines) == (1, 4)

    def test_an_unborn_branch(self, repo: Repo) -> None:
        repo.stage({"memory/a.md": UNTAGGED})

        assert codes(check_staged(reader_of(repo), june, {})) == ["memory/a.md:3 HG101"]


class TestRange:
    def test_every_commit_by_its_own(self, workspace: Workspace) -> None:
        workspace.commit("bad", {"memory/a.md": UNTAGGED}, author=workspace.agent)
        bad = workspace.head()
        workspace.commit("mended", {"memory/a.md": None}, author=workspace.agent)

        report = judged(workspace, "HEAD~2..HEAD")
        assert report.commits == 2
        assert [(f.commit, f.code) for f in report.findings if f.severity == "error"] == [(bad, "HG101")]

    def test_which_commits(self, workspace: Workspace) -> None:
        first = workspace.head()
        workspace.git("checkout", "-q", "-b", "side")
        side = workspace.commit("side", {"a": "a"})
        workspace.git("checkout", "-q", "main")
        main = workspace.commit("main", {"b": "b"})
        workspace.git("merge", "-q", "--no-ff", "-m", "merge", "side")
        merge, zero = workspace.head(), "0" * 40
        reader = open_reader(str(workspace.path))

        expected = {
            f"{first}..HEAD": {side, main, merge},
            "..side": set(),
            "side..": {main, merge},
            "main~1...side": {side},
            "side...main~1": {main},
            "HEAD": {first, side, main, merge},
            f"{zero}..HEAD": {first, side, main, merge},
            f"HEAD..{zero}": set(),
            "HEAD..HEAD": set(),
        }
        assert {text: set(find_range(reader, text)) for text in expected} == expected

    @pytest.mark.parametrize("text", ["nowhere..HEAD", "HEAD..nowhere", "nowhere", "0..HEAD", "-x..HEAD", "a..b..c"])
    def test_unknown_revisions(self, workspace: Workspace, text: str) -> None:
        with pytest.raises(HoardError, match="Unknown revision"):
            find_range(open_reader(str(workspace.path)), text)

    def test_an_empty_range_is_nothing_to_judge(self, workspace: Workspace) -> None:
        assert judged(workspace, "HEAD..HEAD") == Report((), 0, 0, 0, "HEAD..HEAD")

    def test_a_shallow_clone_cannot_answer(self, workspace: Workspace, tmp_path: Path) -> None:
        for n in range(3):
            workspace.commit(f"c{n}", {f"f{n}": "x"})
        run(["git", "clone", "-q", "--depth", "3", workspace.path.as_uri(), tmp_path / "shallow"], cwd=tmp_path)

        with pytest.raises(HoardError) as caught:
            judged(Repo(tmp_path / "shallow"), "HEAD~1..HEAD")
        assert caught.value.hint == "git fetch --unshallow"

    def test_a_root_commit_and_a_merge(self, workspace: Workspace) -> None:
        workspace.git("checkout", "-q", "--orphan", "other")
        workspace.git("rm", "-rfq", ".")
        workspace.commit("other root", {"memory/a.md": UNTAGGED}, author=workspace.agent)
        workspace.git("checkout", "-q", "main")
        workspace.git("merge", "-q", "--allow-unrelated-histories", "--no-ff", "-m", "merge", "other")

        report = judged(workspace, "HEAD~1..HEAD")
        assert [workspace.line("log", "-1", "--format=%s", f.commit) for f in report.findings if f.code == "HG101"] == ["other root"]

    def test_the_policy_of_the_parent_counts(self, workspace: Workspace) -> None:
        workspace.commit("both", {".hoard.yaml": POLICY + "rules: {HG101: 'off'}\n", "memory/a.md": UNTAGGED}, author=workspace.agent)

        assert {"HG101", "HG307"} <= {f.code for f in judged(workspace, "HEAD~1..HEAD").findings}


class TestFix:
    def test_invisible_characters_go_and_a_second_run_changes_nothing(self, workspace: Workspace) -> None:
        workspace.write("memory/a.md", "# A <!-- src:agent ts:2026-06-05 -->\r\n\r\n- pass\u200bword\u2060s are \u00e9lsewhere\r\n")

        assert fix_files(reader_of(workspace), ()) == ["memory/a.md: removed invisible characters on 1 line"]
        assert (
            workspace.read_bytes("memory/a.md").decode() == "# A <!-- src:agent ts:2026-06-05 -->\r\n\r\n- passwords are \u00e9lsewhere\r\n"
        )
        assert fix_files(reader_of(workspace), ()) == []
        assert codes(state(workspace)) == []

    def test_what_the_user_said_stays(self, workspace: Workspace) -> None:
        text = "# A <!-- src:user ts:2026-06-05 -->\n\n- mi\u200bne\n- no\u200bt mine <!-- src:agent ts:2026-06-05 -->\n"
        workspace.write("memory/a.md", text)
        workspace.write("SOUL.md", "- so\u200bul\n")

        fix_files(reader_of(workspace), ())

        assert workspace.read("memory/a.md") == text.replace("no\u200bt", "not")
        assert workspace.read("SOUL.md") == "- so\u200bul\n"

    def test_what_the_user_said_is_theirs_to_mend(self, workspace: Workspace) -> None:
        text = "# A <!-- src:user ts:2026-06-05 -->\n\n- mi\u200bne\n"
        workspace.write("memory/a.md", text)
        workspace.git("config", "user.email", "clawd@agents.example")

        for environ in (None, {"CLAUDECODE": "1"}, {"GIT_AUTHOR_EMAIL": "clawd@agents.example"}):
            (said,) = fix_files(reader_of(workspace), (), environ)
            assert said.startswith("memory/a.md:3: left alone: it is the user's")
            assert workspace.read("memory/a.md") == text
        assert fix_files(reader_of(workspace), (), {}) == ["memory/a.md: removed invisible characters on 1 line"]
        assert workspace.read("memory/a.md") == text.replace("\u200b", "")

    def test_byte_order_marks_and_bidi_controls(self, workspace: Workspace) -> None:
        controls = "".join(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))
        workspace.write("memory/a.md", f"\ufeff# A <!-- src:agent ts:2026-06-05 -->\n\n- o\ufeffne {controls}two\n")

        fix_files(reader_of(workspace), ())
        assert workspace.read("memory/a.md") == "\ufeff# A <!-- src:agent ts:2026-06-05 -->\n\n- one two\n"

    def test_what_has_no_one_right_answer_is_named(self, workspace: Workspace) -> None:
        workspace.write("memory/a.md", "# A <!-- src:agent ts:2026-06-05 -->\n\n- o\U000e0041ne\n")
        workspace.write("memory/b.md", "# B <!-- src:agent ts:2026-06-05 -->\n\n- a\0b\n")

        assert fix_files(reader_of(workspace), ()) == [
            "memory/a.md:3: left alone: U+E0041 TAG LATIN CAPITAL LETTER A has no one right answer",
            "memory/b.md: left alone: Line 3 is not UTF-8 text or holds a NUL; mend it first.",
        ]

    def test_nothing_that_becomes_a_tag_or_heading(self, workspace: Workspace) -> None:
        text = "# A <!-- src:agent ts:2026-06-05 -->\n\n- x <!-- s\u200brc:user ts:2026-06-05 -->\n"
        workspace.write("memory/a.md", text)

        (said,) = fix_files(reader_of(workspace), ())
        assert said.startswith("memory/a.md:3: left alone: ")
        assert workspace.read("memory/a.md") == text

    def test_what_cannot_be_read_is_left(self, workspace: Workspace) -> None:
        workspace.write("memory/a.md", b"- caf\xe9 \xe2\x80\x8b\n")
        workspace.write("memory/archive/a.json", '["\u200b"]\n')
        before = workspace.snapshot()

        assert fix_files(reader_of(workspace), ()) == ["memory/a.md: left alone: Line 1 is not UTF-8 text or holds a NUL; mend it first."]
        assert workspace.snapshot() == before


def test_a_merge_of_very_many_branches_is_refused_and_not_worked_through(workspace: Workspace) -> None:
    def commit(*words: str) -> str:
        return workspace.git("commit-tree", "HEAD^{tree}", *words, env=AS_AGENT).stdout.decode().strip()

    parents = [word for number in range(65) for word in ("-p", commit("-p", "HEAD", "-m", str(number)))]
    oid = commit(*parents, "-m", "All of them")

    with pytest.raises(HoardError, match="merges 65 branches at once"):
        judged(workspace, f"HEAD..{oid}")
