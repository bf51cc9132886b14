"""`hoard restore` refuses: everything is as it was, and the message says what can be done."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoard_git.app.write import Refused
from hoard_git.errors import HoardError
from tests.app.restoring import ARCHIVE, NEWS, NODE, bring, change, restored
from tests.app.support import add_hook
from tests.support.repo import MEMORY, Repo, Workspace


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
