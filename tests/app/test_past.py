"""The rules that ask history, through real ranges: replays, laundering, side branches, renames, entries of several lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hoard_git.app.check import check_commits, find_range
from hoard_git.app.past import History
from hoard_git.core.policy import DEFAULT
from hoard_git.gitio.opening import open_reader
from tests.app.support import june
from tests.support.repo import Workspace

K1 = "The deploy key is kept in the blue safe"
K2 = "The deploy key is kept in the red safe"


def found(workspace: Workspace, *codes: str, revisions: str = "HEAD") -> list[tuple[str, str]]:
    """(code, short subject of the commit) of every finding of these codes."""
    reader = open_reader(str(workspace.path), batch=True)
    report = check_commits(reader, find_range(reader, revisions), june, revisions)
    return [(f.code, workspace.line("log", "-1", "--format=%s", f.commit)) for f in report.findings if f.code in codes]


def memory(*lines: str) -> dict[str, str | bytes | None]:
    return {"MEMORY.md": "# Memory\n\n" + "".join(f"{line}\n" for line in lines)}


def user(text: str) -> str:
    return f"- {text} <!-- src:user ts:2026-06-01 -->"


def agent(text: str, src: str = "agent") -> str:
    return f"- {text} <!-- src:{src} ts:2026-06-15 -->"


def replaced(workspace: Workspace) -> None:
    """Ada says one thing, then another."""
    workspace.commit("say", memory(user(K1)))
    workspace.commit("replace", memory(user(K2)))


@pytest.mark.parametrize("path", ["MEMORY.md", "memory/other.md", "memory/archive/2026-06-15.md"])
@pytest.mark.parametrize("spelling", [K1, f"{K1} <!-- note -->", f"  {K1}"])
def test_a_users_replaced_fact_comes_back(workspace: Workspace, path: str, spelling: str) -> None:
    workspace.commit("say", memory(user(spelling.strip())))
    workspace.commit("replace", memory(user(K2)))
    base = str(memory(user(K2))["MEMORY.md"]) if path == "MEMORY.md" else ""
    workspace.commit("replay", {path: f"{base}{agent(spelling)}\n"}, author=workspace.agent)

    assert found(workspace, "HG309") == [("HG309", "replay")]
    assert found(workspace, "HG309", revisions="HEAD~1..HEAD") == [("HG309", "replay")]


def test_what_the_user_still_says_may_be_said_again(workspace: Workspace) -> None:
    workspace.commit("say", memory(user(K1), user(K2)))
    workspace.commit("quote", {"memory/a.md": agent(K1) + "\n"}, author=workspace.agent)

    assert found(workspace, "HG309") == []


def test_the_user_may_bring_it_back(workspace: Workspace) -> None:
    replaced(workspace)
    workspace.commit("back", memory(user(K2), user(K1)))

    assert found(workspace, "HG309", "HG302") == []


def test_a_fact_that_is_gone_on_another_branch_only(workspace: Workspace) -> None:
    """What happened on a branch that is not behind the commit does not count for it."""
    workspace.commit("say", memory(user(K1)))
    workspace.git("checkout", "-q", "-b", "side")
    workspace.commit("remove", memory(user(K2)))
    workspace.git("checkout", "-q", "main")
    workspace.commit("quote", {"memory/a.md": agent(K1) + "\n"}, author=workspace.agent)
    workspace.git("merge", "-q", "--no-ff", "-m", "merge", "side")

    assert found(workspace, "HG309") == []


def test_a_removal_that_came_by_a_merge_counts_behind_it(workspace: Workspace) -> None:
    workspace.commit("say", memory(user(K1)))
    workspace.git("checkout", "-q", "-b", "side")
    workspace.commit("remove", memory(user(K2)))
    workspace.git("checkout", "-q", "main")
    workspace.commit("elsewhere", {"memory/a.md": agent("Something else entirely") + "\n"}, author=workspace.agent)
    workspace.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    workspace.commit("replay", {"memory/b.md": agent(K1) + "\n"}, author=workspace.agent)

    assert found(workspace, "HG309") == [("HG309", "replay")]


def test_laundering_by_delete_and_add(workspace: Workspace) -> None:
    workspace.commit("read", memory(agent(K1, "web")), author=workspace.agent)
    workspace.commit("drop", memory(), author=workspace.agent)
    workspace.commit("raise", memory(agent(K1, "agent")), author=workspace.agent)

    assert found(workspace, "HG302") == [("HG302", "raise")]
    assert found(workspace, "HG302", revisions="HEAD~1..HEAD") == [("HG302", "raise")]


def test_laundering_through_another_file_and_a_first_tag(workspace: Workspace) -> None:
    workspace.commit("read", {"memory/web.md": agent(K1, "web") + "\n"}, author=workspace.agent)
    workspace.git("mv", "memory/web.md", "memory/renamed.md")
    workspace.commit("rename", author=workspace.agent)
    workspace.commit("drop", {"memory/renamed.md": "# Nothing\n"}, author=workspace.agent)
    workspace.commit("untagged", memory(f"- {K1}"))
    workspace.commit("raise", memory(agent(K1)), author=workspace.agent)

    assert found(workspace, "HG302") == [("HG302", "raise")]


def test_a_lower_or_equal_source_is_no_raise(workspace: Workspace) -> None:
    workspace.commit("write", memory(agent(K1)), author=workspace.agent)
    workspace.commit("drop", memory(), author=workspace.agent)
    workspace.commit("again", memory(agent(K1)), author=workspace.agent)
    workspace.commit("drop 2", memory(), author=workspace.agent)
    workspace.commit("lower", memory(agent(K1, "web")), author=workspace.agent)

    assert found(workspace, "HG302") == []


def test_an_entry_of_several_lines(workspace: Workspace) -> None:
    several = "- The deploy key is kept <!-- src:user ts:2026-06-01 -->\n  in the blue\n  safe"
    workspace.commit("say", memory(several))
    workspace.commit("replace", memory(user(K2)))
    workspace.commit("replay", memory(user(K2), agent(K1)), author=workspace.agent)

    assert found(workspace, "HG309") == [("HG309", "replay")]


def test_a_paragraph_and_a_table_row(workspace: Workspace) -> None:
    heading = "## Rules <!-- src:user ts:2026-06-01 -->\n\n"
    workspace.commit("say", memory(f"{heading}{K1}.\n\n| a | b |\n|---|---|\n| port of the backup host | 8443 |"))
    workspace.commit("replace", memory(f"{heading}{K2}."))
    workspace.commit(
        "replay",
        {"memory/a.md": f"# A <!-- src:agent ts:2026-06-15 -->\n\n{K1}.\n\n| a | b |\n|---|---|\n| port of the backup host | 8443 |\n"},
        author=workspace.agent,
    )

    assert found(workspace, "HG309") == [("HG309", "replay")] * 3  # the paragraph and both rows


def test_retired_words_that_come_back_as_news(workspace: Workspace) -> None:
    workspace.commit("write", memory(agent(K1).replace("06-15", "06-01")), author=workspace.agent)
    workspace.commit("drop", memory(), author=workspace.agent)
    workspace.commit("news", {"memory/a.md": agent(K1) + "\n"}, author=workspace.agent)

    assert found(workspace, "HG314") == [("HG314", "news")]


@pytest.mark.parametrize("ts", ["2026-06-15", "unknown"])
def test_retired_words_that_come_back_with_the_date_that_they_had(workspace: Workspace, ts: str) -> None:
    """`git revert` of the day's own clean-up is no news."""
    line = agent(K1).replace("2026-06-15", ts)
    workspace.commit("write", memory(line), author=workspace.agent)
    workspace.commit("drop", memory(), author=workspace.agent)
    workspace.commit("revert", memory(line), author=workspace.agent)

    assert found(workspace, "HG314") == []


def test_each_policy_asks_about_its_own_files(workspace: Workspace) -> None:
    """A workspace below has globs of its own, and a past of its own."""
    policy = workspace.read(".hoard.yaml")
    workspace.commit("second", {"b/.hoard.yaml": policy + "memory: {topic: ['notes/*.md']}\n"})
    workspace.commit("say", {"b/notes/x.md": user(K1) + "\n", **memory(user(K2))})
    workspace.commit("replace", {"b/notes/x.md": "# Nothing\n", **memory(user("Something else entirely"))})
    workspace.commit(
        "replay", {"b/notes/y.md": agent(K1) + "\n", **memory(user("Something else entirely"), agent(K2))}, author=workspace.agent
    )

    assert found(workspace, "HG309") == [("HG309", "replay"), ("HG309", "replay")]


def test_the_past_costs_the_same_for_few_and_for_many_commits(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = tmp_path / "trace"

    def processes(commits: int) -> list[str]:
        for n in range(commits):
            workspace.commit(f"write {n}", memory(*(agent(f"Fact number {m} of the list") for m in range(n + 1))), author=workspace.agent)
        reader = open_reader(str(workspace.path))
        oids = find_range(reader, f"HEAD~{commits}..HEAD")
        history = History(reader, oids[-1:])
        trace.write_text("")
        monkeypatch.setenv("GIT_TRACE2_EVENT", str(trace))
        for oid in oids:
            history.past(oid, [K1, "Fact number 1 of the list"], DEFAULT)
        monkeypatch.delenv("GIT_TRACE2_EVENT")
        starts = (json.loads(line) for line in trace.read_text().splitlines() if '"event":"start"' in line)
        return sorted(word for start in starts for word in start["argv"] if word in {"log", "rev-list", "cat-file"})

    few = ["cat-file", "log", "rev-list"]
    assert processes(3) == few
    assert processes(30) == few
