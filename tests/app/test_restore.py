"""`hoard restore`: whatever history or the archive still has comes back as it was, in one commit, or everything stays as it is."""

from __future__ import annotations

import pytest

from hoard_git.app.restore import Present, Wanted, find_lost
from hoard_git.app.write import Refused
from hoard_git.errors import HoardError
from tests.app.restoring import ARCHIVE, BACKUP, NEWS, NODE, bring, change, restored
from tests.app.support import reader_of
from tests.support.repo import MEMORY, Workspace


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


def test_into_a_file_over_its_limit_it_comes_back_to_be_shortened(agents: Workspace) -> None:
    change(agents, NODE, "")
    change(agents, NEWS, NEWS + "".join(f"- The reading room {n} opens at nine and shuts at five, Sundays too.\n" for n in range(400)))
    with pytest.raises(Refused) as refused:
        bring(agents, "Node-2 serves the wiki")
    assert {finding.code for finding in refused.value.findings if finding.severity == "error"} == {"HG502"}
    assert "--no-commit" in refused.value.hint
    assert NODE not in agents.read("MEMORY.md")
    assert restored(agents, "Node-2 serves the wiki", commit=False).oid is None
    assert NODE in agents.read("MEMORY.md")


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
