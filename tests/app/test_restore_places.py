"""`hoard restore`: from which places a block comes back, and into which."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoard_git.app.restore import Present
from hoard_git.errors import HoardError
from tests.app.restoring import ARCHIVE, BACKUP, NODE, bring, change, restored
from tests.support.repo import MEMORY, Repo, Workspace


class TestPlaces:
    @pytest.mark.parametrize("words", ["Only the side knew", "The side kept this"])
    def test_a_side_branch_that_was_merged_away_and_pruned(self, agents: Workspace, words: str) -> None:
        agents.git("checkout", "-q", "-b", "side")
        change(agents, NODE, NODE + "- Only the side knew.\n")
        change(agents, "- Only the side knew.\n", "")
        change(agents, NODE, NODE + "- The side kept this.\n")
        agents.git("checkout", "-q", "main")
        agents.git("merge", "-q", "-s", "ours", "side", "-m", "Ours")
        agents.git("branch", "-q", "-D", "side")
        agents.git("reflog", "expire", "--expire=now", "--all")
        agents.git("gc", "-q", "--prune=now")

        restored(agents, words)

        assert agents.read("MEMORY.md") == MEMORY.replace(NODE, f"{NODE}- {words}.\n")

    def test_a_branch_that_was_never_merged(self, agents: Workspace) -> None:
        agents.git("checkout", "-q", "-b", "side")
        change(agents, NODE, NODE + "- Only the side knows.\n")
        agents.git("checkout", "-q", "main")

        restored(agents, "Only the side knows")

        assert agents.read("MEMORY.md") == MEMORY.replace(NODE, NODE + "- Only the side knows.\n")

    def test_the_archive_copy_goes_in_the_same_commit(self, agents: Workspace) -> None:
        head = "# Archive <!-- src:agent ts:2026-06-12 -->\n"
        part = "\n## Infrastructure <!-- src:agent ts:2026-06-05 ttl:90d -->\n\n"
        files = {"MEMORY.md": MEMORY.replace(NODE, ""), ARCHIVE: head + "\n- Something else.\n" + part + NODE}
        agents.commit("Archive\n", files, author=Workspace.agent)

        done = restored(agents, "Node-2")

        assert agents.read("MEMORY.md") == MEMORY
        assert agents.read(ARCHIVE) == head + "\n- Something else.\n"
        assert done.archive == ARCHIVE
        assert sorted(agents.line("diff-tree", "--no-commit-id", "--name-only", "-r", "HEAD").split()) == ["MEMORY.md", ARCHIVE]
        assert "Memory-Block: restore" in agents.message()

    def test_an_archive_file_that_held_nothing_else_is_deleted(self, agents: Workspace) -> None:
        change(agents, "- Backups run at 03:30.\n", BACKUP)
        files = {"MEMORY.md": MEMORY.replace("- Backups run at 03:30.\n", ""), ARCHIVE: f"# Archive\n\n{BACKUP}"}
        agents.commit("Archive\n", files, author=Workspace.agent)

        restored(agents, "bkp234")

        assert agents.read("MEMORY.md").endswith(BACKUP)
        assert not (agents.path / ARCHIVE).exists()

    def test_an_archive_file_that_was_deleted(self, agents: Workspace) -> None:
        archived = "# Archive\n\n## Infrastructure <!-- src:agent ts:2026-06-05 ttl:90d -->\n\n" + NODE
        agents.commit("Archive\n", {"MEMORY.md": MEMORY.replace(NODE, ""), ARCHIVE: archived}, author=Workspace.agent)
        agents.commit("Delete\n", {ARCHIVE: None})

        assert restored(agents, "Node-2").path == "MEMORY.md"
        assert agents.read("MEMORY.md") == MEMORY

    def test_what_was_only_ever_archived_needs_a_place(self, agents: Workspace) -> None:
        agents.commit("Archive\n", {ARCHIVE: "# Old <!-- src:agent ts:2026-05-01 -->\n\n- Old news here.\n"})

        with pytest.raises(HoardError, match="never stood outside the archive") as caught:
            bring(agents, "Old news here")
        assert "--to" in caught.value.hint
        done = restored(agents, "Old news here", to="memory/news.md")
        assert agents.read("memory/news.md") == "# Old <!-- src:agent ts:2026-05-01 -->\n\n- Old news here.\n"
        assert (done.archive, (agents.path / ARCHIVE).exists()) == (ARCHIVE, False)

    def test_into_another_file(self, agents: Workspace) -> None:
        change(agents, NODE, "")
        agents.commit("Wiki\n", {"memory/wiki.md": "# Wiki <!-- src:agent ts:2026-06-10 -->\n\n- Runs.\n"})

        restored(agents, "Node-2", to="memory/wiki.md")

        wanted = (
            "# Wiki <!-- src:agent ts:2026-06-10 -->\n\n- Runs.\n\n## Infrastructure <!-- src:agent ts:2026-06-05 ttl:90d -->\n\n" + NODE
        )
        assert agents.read("memory/wiki.md") == wanted

    def test_an_older_version(self, agents: Workspace) -> None:
        change(agents, "Node-2 serves the wiki", "Node-2 serves the wiki and the mail")
        change(agents, "- Node-2 serves the wiki and the mail.\n", "")

        restored(agents, "Node-2", rev="HEAD~2")

        assert agents.read("MEMORY.md") == MEMORY

    def test_a_file_and_a_folder_of_files(self, agents: Workspace) -> None:
        day = {f"memory/2026-06-0{n}.md": f"# Day {n}\n\n- Did {n}.\n" for n in (1, 2)}
        agents.commit("Days\n", day, author=Workspace.agent)
        agents.commit("Gone\n", dict.fromkeys(day), author=Workspace.agent)

        restored(agents, "memory/2026-06-01.md")
        assert agents.read("memory/2026-06-01.md") == day["memory/2026-06-01.md"]
        restored(agents, "memory")
        assert agents.read("memory/2026-06-02.md") == day["memory/2026-06-02.md"]
        assert agents.line("status", "--porcelain") == ""

    def test_in_a_linked_worktree(self, agents: Workspace, tmp_path: Path) -> None:
        change(agents, NODE, "")
        agents.git("worktree", "add", "-q", str(tmp_path / "linked"))
        linked = Repo(tmp_path / "linked")

        restored(linked, "Node-2")

        assert linked.read("MEMORY.md") == MEMORY
        assert NODE not in agents.read("MEMORY.md")

    def test_a_copy_in_the_archive_that_is_known_by_its_id_alone(self, agents: Workspace) -> None:
        change(agents, "- Backups run at 03:30.\n", BACKUP)
        rev = agents.head()
        archived = "# Archive\n\n- Backups ran at 04:30, once. <!-- src:agent ts:2026-06-06 ttl:90d id:bkp234 -->\n"
        agents.commit("Archive\n", {"MEMORY.md": MEMORY, ARCHIVE: archived}, author=Workspace.agent)
        agents.commit("Drop\n", {"MEMORY.md": MEMORY.replace("- Backups run at 03:30.\n", "")}, author=Workspace.agent)

        done = restored(agents, "bkp234", rev=rev)

        assert (done.archive, (agents.path / ARCHIVE).exists()) == (ARCHIVE, False)
        assert agents.read("MEMORY.md").endswith(BACKUP)

    @pytest.mark.parametrize("name", ["Infrastructure", "Node-2"])
    def test_a_copy_in_the_archive_that_is_known_by_its_words(self, agents: Workspace, name: str) -> None:
        rev = agents.head()
        section = MEMORY[MEMORY.index("## Infra") :]
        files = {"MEMORY.md": MEMORY.replace("\n" + section, ""), ARCHIVE: "# Archive\n\n" + section}
        agents.commit("Archive\n", files, author=Workspace.agent)

        done = restored(agents, name, rev=rev)

        assert done.archive == ARCHIVE
        assert (agents.path / ARCHIVE).exists() == (name == "Node-2")

    def test_a_file_as_it_was_at_a_commit(self, agents: Workspace) -> None:
        for text in ("- Did one.\n", "- Did two.\n"):
            agents.commit("Day\n", {"memory/2026-06-01.md": f"# Day\n\n{text}"}, author=Workspace.agent)
        agents.commit("Gone\n", {"memory/2026-06-01.md": None}, author=Workspace.agent)

        restored(agents, "memory/2026-06-01.md", rev="HEAD~2")

        assert agents.read("memory/2026-06-01.md") == "# Day\n\n- Did one.\n"

    def test_the_second_of_two_headings_of_one_name(self, agents: Workspace) -> None:
        agents.commit("Twice\n", {"memory/a.md": "# A <!-- src:agent ts:2026-06-05 -->\n\n## Ports\n\n- 80\n\n## Ports\n\n- 81\n"})

        done = bring(agents, "memory/a.md#ports-1")

        assert isinstance(done, Present)
        assert (done.path, done.line) == ("memory/a.md", 7)
