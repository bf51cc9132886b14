"""`hoard restore` refuses: everything is as it was, and the message says what can be done."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from hoard_git.app.write import Refused
from hoard_git.errors import HoardError
from tests.app.restoring import ARCHIVE, NEWS, NODE, bring, change, restored
from tests.app.support import AS_AGENT, add_hook
from tests.support.repo import MEMORY, Repo, Workspace, run_hoard


class TestRefused:
    @pytest.mark.parametrize(
        ("argument", "to", "message"),
        [
            ("Node-2", "notes.txt", "no memory file"),
            ("Node-2", ARCHIVE, "bringing back from there"),
            ("Node-2", "memory/private.md", "ignored"),
            ("memory/a.md", "memory/b.md", "comes back to its own place"),
            ("memory/deep", "", "is gone that history could bring back"),
        ],
    )
    def test_places_where_nothing_can_go(self, agents: Workspace, argument: str, to: str, message: str) -> None:
        text = "# A <!-- src:agent ts:2026-06-05 -->\n"
        agents.commit("Add\n", {"memory/a.md": text, "memory/archive/deep.md": text})
        agents.commit("Drop\n", {"MEMORY.md": MEMORY.replace(NODE, ""), "memory/a.md": None})
        agents.write(".git/info/exclude", "memory/private.md\n")

        with pytest.raises(HoardError, match=message) as caught:
            bring(agents, "memory/archive" if argument == "memory/deep" else argument, to=to)
        assert caught.value.hint

    def test_a_bare_repository(self, agents: Workspace, tmp_path: Path) -> None:
        change(agents, NODE, "")
        agents.git("clone", "-q", "--bare", str(agents.path), str(tmp_path / "bare.git"))

        with pytest.raises(HoardError, match="bare"):
            bring(Repo(tmp_path / "bare.git"), "Node-2")

    def test_a_users_fact_needs_the_user(self, agents: Workspace) -> None:
        agents.commit("Drop\n", {"MEMORY.md": MEMORY.replace(NEWS, "")}, author=Workspace.human)
        before = agents.snapshot()

        with pytest.raises(Refused) as caught:
            bring(agents, "newsletter")

        assert {finding.code for finding in caught.value.findings if finding.severity == "error"} >= {"HG301", "HG309"}
        assert "--human" in caught.value.hint
        assert agents.snapshot() == before
        restored(agents, "newsletter", human=True)
        assert agents.read("MEMORY.md") == MEMORY
        assert agents.line("log", "-1", "--format=%an <%ae>") == agents.human

    def test_words_that_a_user_took_away_from_an_agent(self, agents: Workspace) -> None:
        lowered = MEMORY.replace(NEWS, NEWS.strip() + " <!-- src:agent ts:2026-06-10 -->\n")
        agents.commit("Lower\n", {"MEMORY.md": lowered}, author=Workspace.human)
        agents.commit("Drop\n", {"MEMORY.md": MEMORY.replace(NEWS, "")}, author=Workspace.human)

        with pytest.raises(Refused) as caught:
            bring(agents, "newsletter")

        assert "HG309" in {finding.code for finding in caught.value.findings}

    def test_by_a_hook(self, agents: Workspace) -> None:
        files = {"MEMORY.md": MEMORY.replace(NODE, ""), ARCHIVE: "# Archive <!-- src:agent ts:2026-06-05 ttl:90d -->\n\n" + NODE}
        agents.commit("Archive\n", files, author=Workspace.agent)
        agents.commit(
            "Day\n", {"memory/deep/2026-06-01.md": "# Day <!-- src:agent ts:2026-06-01 -->\n\n- Did it.\n"}, author=Workspace.agent
        )
        add_hook(agents, "pre-commit", "echo 'no way' >&2; exit 1")
        agents.git("update-index", "--refresh", check=False)
        before = agents.snapshot()

        with pytest.raises(HoardError) as caught:
            bring(agents, "Node-2")

        assert caught.value.hint == "no way"
        assert agents.snapshot() == before

    def test_a_file_with_changes_of_its_own(self, agents: Workspace) -> None:
        change(agents, NODE, "")
        agents.write("MEMORY.md", agents.read("MEMORY.md") + "- Mine.\n")
        before = agents.snapshot()

        with pytest.raises(HoardError, match="not committed") as caught:
            bring(agents, "Node-2")

        assert caught.value.exit_status == 2
        assert agents.snapshot() == before

    def test_in_a_shallow_clone(self, agents: Workspace, tmp_path: Path) -> None:
        change(agents, NODE, "")
        agents.git("clone", "-q", "--depth=1", f"file://{agents.path}", str(tmp_path / "shallow"))

        with pytest.raises(HoardError, match="shallow") as caught:
            bring(Repo(tmp_path / "shallow"), "Node-2")
        assert caught.value.hint == "git fetch --unshallow"

    def test_a_blob_that_is_missing(self, agents: Workspace) -> None:
        change(agents, NODE, "")
        blob = agents.line("rev-parse", "HEAD~1:MEMORY.md")
        (agents.path / ".git/objects" / blob[:2] / blob[2:]).unlink()

        with pytest.raises(HoardError) as caught:
            bring(agents, "Node-2")
        assert caught.value.hint

    def test_names_of_nothing_and_of_several(self, agents: Workspace) -> None:
        change(agents, NODE + "- Backups run at 03:30.\n", "")

        with pytest.raises(HoardError, match="matches 'no such thing'"):
            bring(agents, "no such thing")
        with pytest.raises(HoardError, match="fits 2 blocks") as caught:
            bring(agents, ".")
        assert "Node-2 serves the wiki." in caught.value.hint
        with pytest.raises(HoardError, match="no memory file"):
            bring(agents, "Node-2", to="notes.txt")


class TestIgnored:
    """What a .gitignore names is refused with what to do, and that works when it is typed."""

    @staticmethod
    def typed(repo: Workspace, hint: str) -> None:
        for line in hint.split("\n")[1:]:
            words = shlex.split(line)
            done = run_hoard(*words[1:], cwd=repo, env=AS_AGENT) if words[0] == "hoard" else repo.git(*words[1:])
            assert done.returncode == 0, done.stderr

    @pytest.mark.parametrize("rule", ["memory/2026-*.md", "memory/", "*.md"])
    def test_a_log(self, agents: Workspace, rule: str) -> None:
        path, text = "memory/2026-06-01.md", "# 2026-06-01\n\n- Tea was at four\n"
        agents.commit("Add\n", {path: text}, author=agents.agent)
        agents.commit("Drop\n", {path: None, ".gitignore": f"# what stays here\n{rule}\n"}, author=agents.agent)

        with pytest.raises(HoardError) as caught:
            bring(agents, path)
        assert caught.value.message == f"'{path}' is ignored by .gitignore, line 2 ({rule}), and would not be kept."
        assert caught.value.hint.startswith("take that line out of .gitignore; or with it there:\n")
        self.typed(agents, caught.value.hint)
        assert agents.show("HEAD", path).decode() == text

    def test_a_log_once_the_line_is_out(self, agents: Workspace) -> None:
        path, text = "memory/2026-06-01.md", "# 2026-06-01\n\n- Tea was at four\n"
        agents.commit("Add\n", {path: text}, author=agents.agent)
        agents.commit("Drop\n", {path: None}, author=agents.agent)
        agents.write(".gitignore", "memory/2026-*.md\n")
        with pytest.raises(HoardError):
            bring(agents, path)
        agents.write(".gitignore", "")
        restored(agents, path)
        assert agents.show("HEAD", path).decode() == text

    @pytest.mark.parametrize(("rule", "place"), [("memory/tea.md", "memory/restored.md"), ("memory/", "MEMORY.md")])
    def test_a_block_of_a_file_that_is_gone(self, agents: Workspace, rule: str, place: str) -> None:
        text = "# Tea <!-- src:agent ts:2026-06-05 -->\n\n## Times\n\n- Tea was at four o'clock\n"
        agents.commit("Add\n", {"memory/tea.md": text}, author=agents.agent)
        agents.commit("Drop\n", {"memory/tea.md": None, ".gitignore": f"{rule}\n"}, author=agents.agent)

        with pytest.raises(HoardError) as caught:
            bring(agents, "Tea was at four")
        self.typed(agents, caught.value.hint)
        assert "- Tea was at four o'clock" in agents.show("HEAD", place).decode()

    def test_where_every_place_is_ignored_the_line_has_to_go(self, agents: Workspace) -> None:
        agents.commit(
            "Add\n", {"memory/tea.md": "# Tea <!-- src:agent ts:2026-06-05 -->\n\n- Tea was at four o'clock\n"}, author=agents.agent
        )
        agents.commit("Drop\n", {"memory/tea.md": None, "MEMORY.md": None}, author=agents.human)
        agents.write(".git/info/exclude", "*.md\n")
        with pytest.raises(HoardError) as caught:
            bring(agents, "Tea was at four")
        assert caught.value.hint == "take that line out of .git/info/exclude"


def test_what_is_ignored_can_be_committed_as_the_hint_says(agents: Workspace) -> None:
    agents.write(".gitignore", "memory/tea.md\n")
    agents.write("memory/tea.md", "# Tea <!-- src:agent ts:2026-06-05 -->\n\n- At four\n")
    done = run_hoard("commit", "memory/tea.md", cwd=agents, env=AS_AGENT)
    assert done.returncode == 2
    hint = done.stderr.decode().partition("next: ")[2]
    TestIgnored.typed(agents, "\n".join(line.strip() for line in hint.strip().split("\n")))
    assert b"At four" in agents.show("HEAD", "memory/tea.md")
