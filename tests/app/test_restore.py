"""`hoard restore`: whatever history or the archive still has comes back as it was, in one commit, or everything stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoard_git.app.restore import Present, Restored, Wanted, find_lost, restore
from hoard_git.app.write import Refused, Wish
from hoard_git.errors import HoardError
from tests.app.support import add_hook, as_agent, june, reader_of
from tests.support.repo import MEMORY, Repo, Workspace

NODE = "- Node-2 serves the wiki.\n"
NEWS = "- The newsletter goes out on Tuesdays.\n"
BACKUP = "- Backups run at 04:30. <!-- src:agent ts:2026-06-06 ttl:90d id:bkp234 -->\n"
ARCHIVE = "memory/archive/2026-06-12.md"


def bring(repo: Repo, argument: str, *, rev: str = "", to: str = "", human: bool = False, commit: bool = True) -> Restored | Present:
    reader = reader_of(repo)
    wanted = Wanted(argument, argument, repo.head(rev) if rev else "", to)
    found = find_lost(reader, wanted, lambda _done, _all: None)
    return restore(reader, wanted, found, Wish(human=human), june, {}, commit=commit)


def restored(repo: Repo, argument: str, *, rev: str = "", to: str = "", human: bool = False, commit: bool = True) -> Restored:
    done = bring(repo, argument, rev=rev, to=to, human=human, commit=commit)
    assert isinstance(done, Restored)
    return done


def change(repo: Repo, old: str, new: str, path: str = "MEMORY.md") -> str:
    before = repo.read_bytes(path)
    assert old.encode() in before
    return repo.commit("Change\n", {path: before.replace(old.encode(), new.encode())}, author=Workspace.agent)


@pytest.fixture
def agents(workspace: Workspace) -> Workspace:
    as_agent(workspace)
    return workspace


def test_what_has_no_tag_comes_back_to_be_tagged(agents: Workspace) -> None:
    old = "# Notes\n\n- The kiln fires at 1200 degrees.\n- The glaze is on the shelf.\n"
    agents.commit("Old\n", {"memory/kiln.md": old}, author=Workspace.agent)
    gone = agents.commit("Remove\n", {"memory/kiln.md": old.replace("- The kiln fires at 1200 degrees.\n", "")}, author=Workspace.agent)
    with pytest.raises(Refused) as refused:
        bring(agents, "kiln fires")
    assert [finding.code for finding in refused.value.findings if finding.severity == "error"] == ["HG101"]
    assert "--no-commit" in refused.value.hint and "memory/kiln.md" in refused.value.hint

    done = restored(agents, "kiln fires", commit=False)
    assert (done.oid, agents.head(), agents.read("memory/kiln.md")) == (None, gone, old)
    assert [finding.code for finding in done.findings if finding.severity == "error"] == ["HG101"]


def test_without_a_commit_a_secret_stays_out_all_the_same(agents: Workspace) -> None:
    key = "ghp_" + "".join(chr(48 + n * 7 % 10) + chr(97 + n * 11 % 26) for n in range(18))
    agents.commit(
        "Old\n", {"memory/kiln.md": f"# Notes\n\n- The kiln key is {key}\n- The glaze is on the shelf.\n"}, author=Workspace.agent
    )
    agents.commit("Remove\n", {"memory/kiln.md": "# Notes\n\n- The glaze is on the shelf.\n"}, author=Workspace.agent)
    with pytest.raises(Refused):
        bring(agents, "kiln key", commit=False)
    assert "kiln key" not in agents.read("memory/kiln.md")


def test_who_wrote_the_words_is_not_the_merge_that_went_back_to_them(agents: Workspace) -> None:
    wrote = agents.head()
    agents.git("checkout", "-q", "-b", "side")
    change(agents, "serves the wiki", "serves nothing")
    agents.git("checkout", "-q", "main")
    change(agents, NEWS, "")
    agents.git("merge", "-q", "-s", "ours", "-m", "ours", "side")
    change(agents, NODE, "")
    done = restored(agents, "Node-2 serves the wiki")
    assert done.text == NODE.strip()
    assert done.found.writer is not None
    assert done.found.writer.commit == agents.line("log", "-1", "--format=%H", "-S", NODE.strip(), wrote)


def test_an_entry_comes_back_between_its_neighbours(agents: Workspace) -> None:
    gone = change(agents, NODE, "")
    agents.stage({"staged.txt": "mine\n"})

    done = restored(agents, "Node-2 serves")

    assert agents.read("MEMORY.md") == MEMORY
    assert (done.path, done.line, done.text, done.along, done.tagged) == ("MEMORY.md", 10, NODE.strip(), (), False)
    assert done.oid == agents.head()
    assert agents.line("diff-tree", "--no-commit-id", "--name-only", "-r", "HEAD") == "MEMORY.md"
    assert agents.line("status", "--porcelain") == "A  staged.txt"
    assert (
        "Memory-Op: restore\nMemory-Source: agent\nMemory-Block: add - agent 2026-06-05 90d MEMORY.md#infrastructure\n" in agents.message()
    )
    assert done.found.writer is not None and done.found.taken is not None
    assert (done.found.writer.name, done.found.writer.kind, done.found.writer.commit) == ("Ada Example", "human", agents.head("HEAD~2"))
    assert (done.found.taken.name, done.found.taken.kind, done.found.taken.commit) == ("clawd", "agent", gone)


@pytest.mark.parametrize("name", ["bkp234", "bkp", "backups run at 04:30"])
def test_by_id_beginning_and_words_with_its_own_tag(agents: Workspace, name: str) -> None:
    change(agents, "- Backups run at 03:30.\n", BACKUP)
    whole = agents.read_bytes("MEMORY.md")
    change(agents, BACKUP, "")
    change(agents, NODE, NODE + "- Node-3 is new.\n")

    done = restored(agents, name)

    assert agents.read_bytes("MEMORY.md") == whole.replace(BACKUP.encode(), b"- Node-3 is new.\n" + BACKUP.encode()) or (
        agents.read_bytes("MEMORY.md") == whole.replace(BACKUP.encode(), BACKUP.encode() + b"- Node-3 is new.\n")
    )
    assert done.found.name == "bkp234"


@pytest.mark.parametrize("name", ["MEMORY.md#infrastructure", "Infrastructure", "## infrastructure"])
def test_a_section_comes_back_whole(agents: Workspace, name: str) -> None:
    section = MEMORY[MEMORY.index("## Infra") :]
    change(agents, "\n" + section, "")

    done = restored(agents, name)

    assert agents.read("MEMORY.md") == MEMORY
    assert done.text == section.rstrip("\n")


def test_a_heading_that_is_gone_is_made_again_with_its_tag(agents: Workspace) -> None:
    section = MEMORY[MEMORY.index("\n## Infra") :]
    change(agents, section, "\n## Other <!-- src:agent ts:2026-06-08 -->\n\n- Other.\n")

    done = restored(agents, "Node-2")

    assert agents.read("MEMORY.md") == MEMORY.replace(
        "- Backups run at 03:30.\n", "\n## Other <!-- src:agent ts:2026-06-08 -->\n\n- Other.\n"
    )
    assert done.along == ("Infrastructure",)


def test_carriage_returns_are_kept(agents: Workspace) -> None:
    text = MEMORY.replace("\n", "\r\n")
    agents.commit("CRLF\n", {"MEMORY.md": text})
    change(agents, NODE.replace("\n", "\r\n"), "")

    restored(agents, "Node-2")

    assert agents.read_bytes("MEMORY.md") == text.encode()


def test_a_list_item_brings_its_sub_items_and_a_sub_item_its_item(agents: Workspace) -> None:
    tree = "- Servers:\n  - alpha serves mail\n  - beta serves news\n"
    change(agents, NODE, tree)
    whole = agents.read("MEMORY.md")
    change(agents, tree, "")

    restored(agents, "Servers:")
    assert agents.read("MEMORY.md") == whole
    change(agents, tree, "")
    done = restored(agents, "beta serves news")
    assert agents.read("MEMORY.md") == whole.replace("  - alpha serves mail\n", "")
    assert done.along == ("Servers:",)


def test_trust_never_rises_with_a_heading_that_was_raised(workspace: Workspace) -> None:
    change(workspace, NODE, "")
    workspace.commit(
        "Raise\n", {"MEMORY.md": workspace.read("MEMORY.md").replace("src:agent ts:2026-06-05 ttl:90d", "src:user ts:2026-06-10")}
    )

    done = restored(workspace, "Node-2", human=True)

    assert done.tagged
    assert done.text == "- Node-2 serves the wiki. <!-- src:agent ts:2026-06-05 ttl:90d -->"


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


class TestPresent:
    def test_a_fact_that_stands(self, agents: Workspace) -> None:
        before = agents.snapshot()

        done = bring(agents, "Node-2")

        assert isinstance(done, Present)
        assert (done.path, done.line) == ("MEMORY.md", 10)
        assert agents.snapshot() == before

    def test_a_heading_that_stands_names_what_left_it(self, agents: Workspace) -> None:
        change(agents, NODE, "")

        done = bring(agents, "Infrastructure")

        assert isinstance(done, Present)
        assert (done.line, done.gone) == (8, ("Node-2 serves the wiki.",))

    def test_an_id_that_stands_in_another_file_and_a_file_that_is_there(self, agents: Workspace) -> None:
        change(agents, "- Backups run at 03:30.\n", BACKUP)
        rev = agents.head()
        moved = "# Ops <!-- src:agent ts:2026-06-05 -->\n\n" + BACKUP
        agents.commit("Move\n", {"MEMORY.md": MEMORY.replace("- Backups run at 03:30.\n", ""), "memory/ops.md": moved})

        done, file = bring(agents, "bkp234", rev=rev), bring(agents, "memory/ops.md")

        assert isinstance(done, Present) and isinstance(file, Present)
        assert (done.path, done.line, file.path, file.line) == ("memory/ops.md", 3, "memory/ops.md", 0)
        assert isinstance(bring(agents, "memory/ops.md", rev="HEAD"), Present)

    def test_the_same_words_written_anew(self, agents: Workspace) -> None:
        change(agents, NODE, "")
        rev = agents.head("HEAD~1")
        change(agents, "- Backups run at 03:30.\n", "- Backups run at 03:30.\n" + NODE)

        assert isinstance(bring(agents, "Node-2", rev=rev), Present)


def test_without_a_commit(agents: Workspace) -> None:
    change(agents, NODE, "")
    head, index = agents.head(), agents.index_bytes()

    done = restored(agents, "Node-2", commit=False)

    assert done.oid is None
    assert (agents.head(), agents.index_bytes(), agents.read("MEMORY.md")) == (head, index, MEMORY)


def test_every_version_newest_first(agents: Workspace) -> None:
    first = agents.head()
    second = change(agents, NODE, "- Node-2 serves wiki and mail.\n")
    third = change(agents, "- Node-2 serves wiki and mail.\n", "")

    found = find_lost(reader_of(agents), Wanted("Node-2", None), lambda _done, _all: None)

    rows = [(made.commit, made.event, made.kind, f"{made.path}:{made.line}", made.provenance.src, made.text) for made in found.versions]
    assert rows == [
        (third, "remove", "agent", "MEMORY.md:10", "agent", "- Node-2 serves wiki and mail."),
        (second, "edit", "agent", "MEMORY.md:10", "agent", "- Node-2 serves wiki and mail."),
        (first, "add", "human", "MEMORY.md:10", "agent", NODE.strip()),
    ]


# -------------------------------------------------------------------- one block, several traces

SECTION = "## Servers <!-- src:agent ts:2026-06-05 ttl:90d -->\n\n- Node-2 serves the wiki.\n- Node-3 serves the mail.\n"


def test_a_block_that_was_offloaded_and_then_archived_is_one_block(agents: Workspace) -> None:
    pointer = "- \u2192 2 facts in [memory/servers.md](memory/servers.md)"
    agents.commit("Grow\n", {"MEMORY.md": f"# Memory\n\n{SECTION}"}, author=Workspace.agent)
    stub = SECTION.partition("\n\n")[0] + f"\n\n{pointer}\n"
    topic = f"# Servers\n\n{SECTION}"
    agents.commit("Offload\n", {"MEMORY.md": f"# Memory\n\n{stub}", "memory/servers.md": topic}, author=Workspace.agent)
    both = f"# Archive\n\n{stub}\n{topic.replace('# Servers', '## Servers', 1).replace('## ## ', '## ')}"
    agents.commit("Archive\n", {"MEMORY.md": "# Memory\n", "memory/servers.md": None, ARCHIVE: both}, author=Workspace.agent)

    done = restored(agents, "Servers")

    assert (done.path, agents.read("memory/servers.md")) == ("memory/servers.md", topic)


def test_the_same_section_of_two_times_is_the_latest(agents: Workspace) -> None:
    for path in ("memory/a.md", "memory/b.md"):
        agents.commit("Write\n", {path: f"# {path}\n\n{SECTION}"}, author=Workspace.agent)
        agents.commit("Drop\n", {path: f"# {path}\n"}, author=Workspace.agent)
    assert restored(agents, "Servers").path == "memory/b.md"


def test_the_same_words_under_two_headings_are_two_facts_unless_they_are_a_sentence(agents: Workspace) -> None:
    long = "- The spare key of the cellar hangs behind the boiler"
    text = f"# T\n\n## One <!-- src:agent ts:2026-06-05 -->\n\n- port 8080\n{long}\n\n## Two <!-- src:agent ts:2026-06-05 -->\n\n- port 8080\n{long}\n"
    agents.commit("Write\n", {"memory/a.md": text}, author=Workspace.agent)
    agents.commit(
        "Drop\n",
        {"memory/a.md": "# T\n\n## One <!-- src:agent ts:2026-06-05 -->\n\n- new\n\n## Two <!-- src:agent ts:2026-06-05 -->\n\n- newer\n"},
    )
    assert restored(agents, long.removeprefix("- ")).path == "memory/a.md"
    with pytest.raises(HoardError, match="fits 2 blocks") as caught:
        restored(agents, "port 8080")
    assert "memory/a.md#one  port 8080  (removed from memory/a.md;" in caught.value.hint
    assert "memory/a.md#two  port 8080  (removed from memory/a.md;" in caught.value.hint


def test_it_says_when_the_next_consolidation_will_archive_it_again(agents: Workspace) -> None:
    old = "## Old <!-- src:agent ts:2025-06-05 ttl:90d -->\n\n- Node-9 is old\n- Node-8 is new <!-- src:agent ts:2026-06-05 -->\n"
    agents.commit("Write\n", {"memory/a.md": f"# T\n\n{old}"}, author=Workspace.agent)
    agents.commit("Drop\n", {"memory/a.md": "# T\n"}, author=Workspace.agent)
    assert restored(agents, "Old", commit=False).expired == "1 of 2 entries: 375 days old, past its ttl of 90d"
    agents.git("checkout", "-q", "-f")
    assert restored(agents, "Node-9 is old", commit=False).expired == "375 days old, past its ttl of 90d"
    agents.git("checkout", "-q", "-f")
    assert restored(agents, "Node-8 is new").expired == ""
