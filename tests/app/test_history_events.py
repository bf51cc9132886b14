"""The events of a block are those of the script that made its history, whichever way commits travel."""

from __future__ import annotations

import pytest

from hoard_git.app.history import with_index
from hoard_git.app.history_log import Filter, read_log
from hoard_git.app.history_query import BLOCK, Target, find_target
from hoard_git.gitio.blockindex import BlockIndex
from hoard_git.gitio.plumbing import PlumbingReader
from tests.app.history_repos import AGENT, block, log, memory, story
from tests.support.repo import Repo

PLAIN = block("Deploys", "The deploy job runs at noon every weekday.", "It needs the release token of the month.")
TAGGED = block("Deploys", "The deploy job runs at noon every weekday.", "It needs the release token of the month.", name="depl01")
OTHER = block("Garden", "Tomatoes are watered on Monday and Thursday.", name="gard01")


def script(repo: Repo, text: str) -> str:
    """One block through its whole life; returns the last form of it."""
    repo.commit("root", {"MEMORY.md": memory(OTHER)})
    repo.commit("add", {"MEMORY.md": memory(OTHER, text)})
    text = text.replace("at noon", "at one o'clock")
    repo.commit("edit", {"MEMORY.md": memory(OTHER, text)})
    repo.commit("reorder", {"MEMORY.md": memory(text, OTHER)})
    text = text.replace("ts:2026-06-05", "ts:2026-07-01")
    repo.commit("retime", {"MEMORY.md": memory(text, OTHER)})
    text = text.replace("src:agent", "src:web")
    repo.commit("retag", {"MEMORY.md": memory(text, OTHER)})
    text = text.replace("## Deploys", "## Deploys and releases")
    repo.commit("rename", {"MEMORY.md": memory(text, OTHER)})
    repo.commit("offload", {"MEMORY.md": memory(OTHER), "memory/deploys.md": memory(text)})
    repo.commit("archive", {"memory/deploys.md": None, "memory/archive/2026-12-01.md": memory(text)})
    repo.commit("unarchive", {"memory/archive/2026-12-01.md": None, "MEMORY.md": memory(OTHER, text)})
    repo.commit("remove", {"MEMORY.md": memory(OTHER)})
    repo.commit("back", {"MEMORY.md": memory(OTHER, text)})
    return text


EXPECTED = [
    ("add", "add"), ("edit", "edit"), ("retime", "retime"), ("retag", "retag"), ("rename", "edit"), ("offload", "move"), ("archive", "archive"),
    ("unarchive", "restore"), ("remove", "remove"), ("back", "restore"),
]  # fmt: skip


@pytest.mark.parametrize("text", [PLAIN, TAGGED], ids=["without-id", "with-id"])
def test_the_events_of_a_block_are_those_of_its_script(repo: Repo, text: str) -> None:
    script(repo, text)
    name = "depl01" if text is TAGGED else "MEMORY.md#deploys-and-releases"
    assert story(repo, name) == EXPECTED


def test_reordering_is_no_event(repo: Repo) -> None:
    script(repo, TAGGED)
    assert [event.node.subject for event in log(repo)].count("reorder") == 0


def test_an_event_tells_what_came_and_what_went(repo: Repo) -> None:
    script(repo, TAGGED)
    edit = next(event for event in log(repo, "depl01") if event.node.subject == "edit").change
    assert edit.added == ("- The deploy job runs at one o'clock every weekday.",)
    assert edit.removed == ("- The deploy job runs at noon every weekday.",)
    assert (edit.block.id, edit.block.path, edit.provenance.src, edit.provenance.ts) == ("depl01", "MEMORY.md", "agent", "2026-06-05")


def test_an_edited_offload_says_move_and_edit(repo: Repo) -> None:
    repo.commit("root", {"MEMORY.md": memory(OTHER, TAGGED)})
    repo.commit("offload", {"MEMORY.md": memory(OTHER), "memory/d.md": memory(TAGGED.replace("at noon", "at ten"))})
    change = log(repo, "depl01")[-1].change
    assert (change.event, "edit" in change.also) == ("move", True)


def test_an_id_wins_over_likeness(repo: Repo) -> None:
    repo.commit("root", {"MEMORY.md": memory(block("Topic 1", "One fact about the first node.", name="aaaaa1"))})
    repo.commit("swap", {"MEMORY.md": memory(block("Topic 2", "Quite another thing altogether.", name="bbbbb2"))})
    assert story(repo, "aaaaa1") == [("root", "add"), ("swap", "remove")]
    assert story(repo, "bbbbb2") == [("swap", "add")]


def test_an_entry_with_an_id_is_a_block_of_its_own(repo: Repo) -> None:
    entry = "- Node-2 is online <!-- src:web ts:2026-06-07 id:node22 -->\n"
    repo.commit("root", {"MEMORY.md": memory(TAGGED)})
    repo.commit("add", {"MEMORY.md": memory(TAGGED.rstrip("\n") + "\n" + entry)})
    repo.commit("edit", {"MEMORY.md": memory(TAGGED.rstrip("\n") + "\n" + entry.replace("online", "offline"))})
    assert story(repo, "node22") == [("add", "add"), ("edit", "edit")]
    assert story(repo, "depl01") == [("root", "add")]


# ---------------------------------------------------------------- merges and rewritten commits


def _branches(repo: Repo) -> None:
    repo.commit("root", {"MEMORY.md": memory(OTHER)})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side adds", {"memory/d.md": memory(TAGGED)}, author=AGENT)
    repo.git("checkout", "-q", "main")
    repo.commit("main edits", {"MEMORY.md": memory(OTHER.replace("Monday", "Tuesday"))})


def test_an_entry_that_gets_a_tag_of_its_own_leaves_no_block(repo: Repo) -> None:
    entry = "- Since 2026-03-15 the queue has two workers"
    plain = f"## Queue\n\n{entry}\n- It holds a week of jobs\n"
    tagged = plain.replace(entry, f"{entry} <!-- src:agent ts:2026-03-15 -->")
    repo.commit("root", {"MEMORY.md": plain})
    repo.commit("tag", {"MEMORY.md": tagged})
    repo.commit("edit", {"MEMORY.md": tagged.replace("two workers", "three workers")})
    repo.commit("bare", {"MEMORY.md": plain.replace("two workers", "three workers")})
    repo.commit("both", {"MEMORY.md": tagged.replace("two workers", "four workers")})
    four = plain.replace("two workers", "four workers")
    repo.commit("bare again", {"MEMORY.md": four})
    moved = entry.replace("two", "four")
    away = four.replace(f"{moved}\n", "") + f"\n## Old\n\n{moved} <!-- src:agent ts:2026-03-15 -->\n"
    repo.commit("away", {"MEMORY.md": away})

    told = {event.node.subject: event.change for event in log(repo, "MEMORY.md#queue")}

    assert (told["tag"].event, told["tag"].also, told["tag"].added, told["tag"].removed) == ("retag", ("retime",), (), ())
    assert (told["bare"].event, told["bare"].added, told["bare"].removed) == ("retag", (), ())
    assert (told["both"].added, told["both"].removed) == ((entry.replace("two", "four"),), (entry.replace("two", "three"),))
    assert "edit" in told["both"].also
    assert (told["away"].event, told["away"].removed) == ("edit", (moved,))


def test_a_clean_merge_adds_nothing_of_its_own(repo: Repo) -> None:
    _branches(repo)
    repo.git("merge", "-q", "--no-edit", "side")
    assert story(repo, "depl01") == [("side adds", "add")]
    assert story(repo, "gard01") == [("root", "add"), ("main edits", "edit")]
    assert all(len(repo.line("rev-list", "--parents", "-1", event.node.oid).split()) < 3 for event in log(repo))


def test_a_merge_that_drops_a_side_says_so(repo: Repo) -> None:
    _branches(repo)
    repo.git("merge", "-q", "-s", "ours", "-m", "ours", "side")
    assert story(repo, "depl01") == [("side adds", "add"), ("ours", "remove")]


def test_a_merge_that_drops_what_both_sides_made_alike_tells_it_of_both(repo: Repo) -> None:
    """The same file by two commits that do not know each other: two facts, and neither is in memory any more."""
    repo.commit("root", {"MEMORY.md": memory(OTHER)})
    for name in ("one", "two"):
        repo.git("checkout", "-q", "-b", name, "main")
        repo.commit(name, {"memory/d.md": memory(TAGGED)})
    repo.git("merge", "-q", "--no-commit", "one")
    repo.git("rm", "-q", "-f", "memory/d.md")
    repo.git("commit", "-q", "-m", "neither")
    reader = PlumbingReader(str(repo.path))

    def ask(index: BlockIndex) -> list[list[str]]:
        facts = find_target(index, reader, text := "It needs the release token of the month.", text).facts
        stories = [read_log(index, reader, Target(BLOCK, (fact,)), Filter(), lambda _index, _node: "") for fact in facts]
        return [[f"{event.node.subject}: {event.change.event}" for event in events][::-1] for events in stories]

    assert sorted(with_index(reader, ask)) == [["one: add", "neither: remove"], ["two: add", "neither: remove"]]


def test_a_merge_that_gives_up_what_a_side_changed_says_so(repo: Repo) -> None:
    _branches(repo)
    repo.git("checkout", "-q", "side")
    other = OTHER.replace("Thursday", "Saturday").replace("src:agent", "src:web")
    repo.commit("side edits", {"MEMORY.md": memory(other)}, author=AGENT)
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "-s", "ours", "-m", "ours", "side")
    assert story(repo, "gard01") == [("root", "add"), ("main edits", "edit"), ("side edits", "retag"), ("ours", "retag")]
    last = log(repo, "gard01")[-1].change
    assert last.provenance.src == "agent"
    assert last.added == ("- Tomatoes are watered on Tuesday and Thursday.",)
    assert last.removed == ("- Tomatoes are watered on Monday and Saturday.",)


def test_a_merge_that_gives_up_a_move_says_so(repo: Repo) -> None:
    repo.commit("root", {"MEMORY.md": memory(OTHER, TAGGED)})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side offloads", {"MEMORY.md": memory(OTHER), "memory/d.md": memory(TAGGED)})
    repo.git("checkout", "-q", "main")
    repo.commit("elsewhere", {"memory/x.md": memory(block("X", "Something else entirely."))})
    repo.git("merge", "-q", "-s", "ours", "-m", "ours", "side")
    assert story(repo, "depl01") == [("root", "add"), ("side offloads", "move"), ("ours", "move")]
    assert log(repo, "depl01")[-1].change.block.path == "MEMORY.md"


def test_a_merge_that_takes_the_newer_of_two_words_adds_nothing(repo: Repo) -> None:
    _branches(repo)
    repo.git("merge", "-q", "--no-edit", "side")
    repo.git("checkout", "-q", "side")
    repo.git("merge", "-q", "--ff-only", "main")
    repo.commit("side edits", {"MEMORY.md": memory(OTHER.replace("Monday", "Friday"))})
    repo.git("checkout", "-q", "main")
    repo.commit("elsewhere", {"memory/x.md": memory(block("X", "Something else entirely."))})
    repo.git("merge", "-q", "--no-edit", "side")
    assert story(repo, "gard01") == [("root", "add"), ("main edits", "edit"), ("side edits", "edit")]


def test_a_block_that_came_and_went_on_a_merged_branch_is_found(repo: Repo) -> None:
    _branches(repo)
    repo.git("checkout", "-q", "side")
    repo.commit("side removes", {"memory/d.md": None})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-edit", "side")
    assert story(repo, "depl01") == [("side adds", "add"), ("side removes", "remove")]


def test_an_evil_merge_is_an_event(repo: Repo) -> None:
    _branches(repo)
    repo.git("merge", "-q", "--no-commit", "side")
    repo.commit("evil", {"memory/d.md": memory(TAGGED.replace("at noon", "at midnight"))})
    assert story(repo, "depl01") == [("side adds", "add"), ("evil", "edit")]


def test_a_removal_on_one_side_is_told_once(repo: Repo) -> None:
    repo.commit("root", {"MEMORY.md": memory(OTHER, TAGGED)})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side removes", {"MEMORY.md": memory(OTHER)})
    repo.git("checkout", "-q", "main")
    repo.commit("elsewhere", {"memory/x.md": memory(block("X", "Something else entirely."))})
    repo.git("merge", "-q", "--no-edit", "side")
    assert story(repo, "depl01") == [("root", "add"), ("side removes", "remove")]


def test_an_octopus_joins_what_its_arms_brought(repo: Repo) -> None:
    repo.commit("root", {"MEMORY.md": memory(OTHER)})
    for name in ("one", "two", "three"):
        repo.git("checkout", "-q", "-b", name, "main")
        repo.commit(name, {f"memory/{name}.md": memory(block(name.title(), f"The fact of arm {name}.", name=f"{name}000000"[:8]))})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "-m", "octopus", "one", "two", "three")
    assert story(repo, "three000") == [("three", "add")]
    assert {event.node.subject for event in log(repo)} == {"root", "one", "two", "three"}


def test_a_criss_cross_tells_each_change_once(repo: Repo) -> None:
    _branches(repo)
    repo.git("branch", "old-main", "main")
    repo.git("merge", "-q", "--no-edit", "side")
    repo.git("checkout", "-q", "side")
    repo.git("merge", "-q", "--no-edit", "old-main")
    repo.commit("later", {"memory/d.md": memory(TAGGED.replace("at noon", "at dawn"))})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-edit", "side")
    assert story(repo, "depl01") == [("side adds", "add"), ("later", "edit")]
    assert story(repo, "gard01") == [("root", "add"), ("main edits", "edit")]


def test_a_cherry_pick_is_the_same_fact(repo: Repo) -> None:
    _branches(repo)
    repo.git("cherry-pick", "side")
    assert story(repo, "depl01") == [("side adds", "add")]
    repo.git("merge", "-q", "-m", "merge", "side")
    assert story(repo, "depl01") == [("side adds", "add"), ("side adds", "add")]


def test_a_rebase_keeps_events_and_leaves_the_old_commits_out(repo: Repo) -> None:
    _branches(repo)
    repo.git("checkout", "-q", "side")
    before = story(repo, "depl01")
    repo.git("rebase", "-q", "main")
    assert story(repo, "depl01") == before == [("side adds", "add")]
    assert {event.node.oid for event in log(repo)} <= set(repo.line("rev-list", "HEAD").split())


def test_a_squash_keeps_the_text_and_its_trailers_are_missing(repo: Repo) -> None:
    _branches(repo)
    repo.git("merge", "-q", "--squash", "side")
    repo.git("commit", "-q", "-m", "squashed")
    event = log(repo, "depl01")[-1]
    assert (event.node.subject, event.change.event, event.trailers) == ("squashed", "add", "missing")


def test_a_revert_brings_the_same_fact_back(repo: Repo) -> None:
    repo.commit("root", {"MEMORY.md": memory(OTHER, TAGGED)})
    repo.commit("gone", {"MEMORY.md": memory(OTHER)})
    repo.git("revert", "--no-edit", "HEAD")
    assert [event for _subject, event in story(repo, "depl01")] == ["add", "remove", "restore"]


def test_several_roots_are_one_history(repo: Repo) -> None:
    repo.commit("root", {"MEMORY.md": memory(OTHER)})
    repo.git("checkout", "-q", "--orphan", "second")
    repo.git("rm", "-rfq", ".")
    repo.commit("second root", {"memory/d.md": memory(TAGGED)})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-edit", "--allow-unrelated-histories", "second")
    assert story(repo, "depl01") == [("second root", "add")]
    assert story(repo, "gard01") == [("root", "add")]


def test_trailers_are_judged(workspace: Repo) -> None:
    workspace.commit("wrong\n\nMemory-Op: write\nMemory-Source: user\n", {"memory/d.md": memory(TAGGED)}, author=AGENT)
    event = log(workspace, "depl01")[-1]
    assert (event.trailers, event.node.op, event.actor.kind) == ("mismatch", "write", "agent")
    assert log(workspace, "depl01")[-1].trailers == "mismatch"
    assert log(workspace)[0].actor.kind == "human"
