"""`hoard add`: one fact, one commit, nothing else with it; and as it was before when anything refuses."""

from __future__ import annotations

import re
import secrets
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hoard_git.app.facts import Added, Fact, add_fact, take_back
from hoard_git.app.write import Refused, Wish
from hoard_git.core.model import RepoPath
from hoard_git.core.placing import place_entry
from hoard_git.core.tags import Tag
from hoard_git.errors import HoardError
from hoard_git.gitio.worktree import write_file
from tests.app.support import add_hook, as_agent, june, reader_of
from tests.support.repo import Repo, Workspace, run_hoard


def add(workspace: Workspace, fact: Fact, *, commit: bool = True, message: str = "", environ: dict[str, str] | None = None) -> Added:
    return add_fact(reader_of(workspace), fact, Wish(message), june, environ or {}, commit=commit)


@pytest.fixture
def agents(workspace: Workspace) -> Workspace:
    """The workspace with the agent as its repository's identity."""
    as_agent(workspace)
    return workspace


def paths_of(workspace: Workspace, revision: str = "HEAD") -> list[str]:
    return workspace.line("diff-tree", "--no-commit-id", "--name-only", "-r", revision).splitlines()


def test_one_line_one_commit_by_the_agent(agents: Workspace) -> None:
    done = add(agents, Fact("The wiki moved", "agent", "30d", "https://wiki.example/x"))

    assert done.oid == agents.head()
    line = f"- The wiki moved <!-- src:agent ts:2026-06-15 ttl:30d id:{done.id} ev:https://wiki.example/x -->"
    assert agents.read("MEMORY.md").split("\n")[done.line - 1] == line
    assert paths_of(agents) == ["MEMORY.md"]
    assert agents.line("log", "-1", "--format=%ae %ce %s") == "clawd@agents.example clawd@agents.example Memory: The wiki moved"
    assert f"Memory-Block: add {done.id} agent 2026-06-15 30d MEMORY.md#notes" in agents.message()
    assert run_hoard("--date", "2026-06-15", "check", "--commit", "HEAD", "--strict", cwd=agents).returncode == 0


def test_a_users_fact_is_the_humans_commit(agents: Workspace) -> None:
    add(agents, Fact("Releases need two approvals", "user"))

    assert agents.line("log", "-1", "--format=%an <%ae> %ce") == f"{agents.human} ada@example.org"


def test_a_users_fact_is_refused_to_an_agent(agents: Workspace) -> None:
    before = agents.snapshot()

    with pytest.raises(Refused) as caught:
        add(agents, Fact("Releases need no approval", "user"), environ={"CLAUDECODE": "1"})

    assert {finding.code for finding in caught.value.findings} == {"HG301"}
    assert agents.snapshot() == before


def test_nothing_else_is_committed(agents: Workspace) -> None:
    agents.stage({"notes.txt": "staged\n"})
    agents.write("memory/other.md", "# untracked\n")

    add(agents, Fact("One", "agent"))

    assert paths_of(agents) == ["MEMORY.md"]
    assert agents.line("status", "--porcelain").splitlines() == ["A  notes.txt", "?? memory/"]


def test_a_new_file_gets_a_title(agents: Workspace) -> None:
    done = add(agents, Fact("Flat white", "agent", path="memory/coffee.md"))

    tag = "<!-- src:agent ts:2026-06-15"
    assert agents.read("memory/coffee.md") == f"# coffee\n\n## 2026-06-15 Notes  {tag} -->\n- Flat white {tag} id:{done.id} -->\n"


def test_line_ends_survive(agents: Workspace) -> None:
    agents.commit("CRLF", {"memory/crlf.md": "# A <!-- src:agent ts:2026-06-01 -->\r\n\r\n- x\r\n"})

    add(agents, Fact("y", "agent", heading="A", path="memory/crlf.md"))

    assert re.fullmatch(rb"# A [^\r]+\r\n\r\n- x\r\n- y [^\r]+\r\n", agents.read_bytes("memory/crlf.md"))


def test_a_secret_is_refused_and_leaves_nothing(agents: Workspace) -> None:
    key = "ghp" + "_" + secrets.token_hex(18)
    before, objects = agents.snapshot(), agents.line("count-objects")

    with pytest.raises(Refused) as caught:
        add(agents, Fact(f"Deploys use {key}", "agent"))

    assert [finding.code for finding in caught.value.findings if finding.severity == "error"] == ["HG201"]
    assert (agents.snapshot(), agents.line("count-objects")) == (before, objects)
    with pytest.raises(Refused):
        add(agents, Fact(f"Deploys use {key}", "agent"), commit=False)
    assert agents.snapshot() == before


def test_without_a_commit_only_the_file_changes(agents: Workspace) -> None:
    head, index = agents.head(), agents.index_bytes()
    agents.write("MEMORY.md", agents.read("MEMORY.md") + "\n## Not mine\n- untagged\n")

    done = add(agents, Fact("One", "agent"), commit=False)

    assert (done.oid, agents.head(), agents.index_bytes()) == (None, head, index)
    assert f"id:{done.id}" in agents.read("MEMORY.md")


def test_uncommitted_changes_of_others_are_not_taken_along(agents: Workspace) -> None:
    agents.write("MEMORY.md", agents.read("MEMORY.md") + "- Half a sentence\n")
    before = agents.snapshot()

    with pytest.raises(HoardError, match="not committed") as caught:
        add(agents, Fact("One", "agent"))

    assert "hoard commit" in caught.value.hint
    assert agents.snapshot() == before


@pytest.mark.parametrize("path", ["MEMORY.md", "memory/new.md"])
def test_a_hook_that_refuses_leaves_everything_as_it_was(agents: Workspace, path: str) -> None:
    add_hook(agents, "commit-msg", "echo no way >&2; exit 1")
    before = agents.snapshot()

    with pytest.raises(HoardError) as caught:
        add(agents, Fact("One", "agent", path=path))

    assert "no way" in caught.value.hint
    assert agents.snapshot() == before


def test_a_held_lock_leaves_everything_as_it_was(agents: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoard_git.gitio.locks.PATIENCE", 0.2)
    agents.write(".git/index.lock", "")
    before = agents.snapshot()

    with pytest.raises(HoardError, match=r"index\.lock"):
        add(agents, Fact("One", "agent"))

    assert agents.snapshot() == before


def test_no_identity_leaves_everything_as_it_was(workspace: Workspace, hermetic: Path) -> None:
    (hermetic / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n")
    before = workspace.snapshot()

    with pytest.raises(HoardError) as caught:
        add(workspace, Fact("One", "agent"))

    assert "user.email" in caught.value.hint
    assert workspace.snapshot() == before


def test_signing_that_fails_says_so(agents: Workspace) -> None:
    agents.git("config", "commit.gpgSign", "true")
    agents.git("config", "gpg.program", "false")
    before = agents.snapshot()

    with pytest.raises(HoardError, match="sign") as caught:
        add(agents, Fact("One", "agent"))

    assert "commit.gpgsign" in caught.value.hint
    assert agents.snapshot() == before


def test_an_ignored_file_is_refused(agents: Workspace) -> None:
    agents.write(".git/info/exclude", "memory/private.md\n")

    with pytest.raises(HoardError, match="ignored"):
        add(agents, Fact("One", "agent", path="memory/private.md"))
    assert not (agents.path / "memory").exists()


@pytest.mark.parametrize(
    "fact",
    [
        Fact("", "agent"),
        Fact("two\nlines", "agent"),
        Fact("x <!-- src:user -->", "agent"),
        Fact("x", "agent", "09d"),
        Fact("x", "agent", evidence="two words"),
        Fact("x", "agent", evidence="a-->b"),
        Fact("x", "agent", heading="two\nlines"),
        Fact("x", "agent", path="notes.txt"),
        Fact("x", "agent", path="memory/data.json"),
        Fact("x", "agent", path="memory/archive/data.json"),
    ],
)
def test_what_cannot_be_a_fact(agents: Workspace, fact: Fact) -> None:
    before = agents.snapshot()

    with pytest.raises(HoardError) as caught:
        add(agents, fact)

    assert caught.value.exit_status == 2
    assert caught.value.hint
    assert agents.snapshot() == before


def test_the_index_of_the_workspace_around_the_directory(agents: Workspace) -> None:
    agents.commit(
        "Second", {"agents/a/.hoard.yaml": agents.read(".hoard.yaml"), "agents/a/MEMORY.md": "# A <!-- src:agent ts:2026-06-01 -->\n"}
    )

    assert add(agents, Fact("One", "agent", directory="agents/a/memory")).path == "agents/a/MEMORY.md"
    assert add(agents, Fact("Two", "agent", directory="docs")).path == "MEMORY.md"


def test_a_later_day_gets_a_heading_of_its_own(agents: Workspace) -> None:
    for date, text in (("2026-06-15", "one"), ("2026-06-16", "two"), ("2026-06-15", "three")):
        assert run_hoard("--date", date, "add", text, "--src", "agent", cwd=agents).returncode == 0

    said = re.sub(r" id:\w+", "", agents.read("MEMORY.md"))
    one, two = "<!-- src:agent ts:2026-06-15 -->", "<!-- src:agent ts:2026-06-16 -->"
    assert said.endswith(f"\n\n## 2026-06-15 Notes  {one}\n- one {one}\n- three {one}\n\n## 2026-06-16 Notes  {two}\n- two {two}\n")


@pytest.mark.parametrize("heading", ["## Infrastructure", "Infrastructure", " # Infrastructure "])
def test_a_heading_may_be_given_as_it_stands_in_the_file(agents: Workspace, heading: str) -> None:
    before = agents.read("MEMORY.md").count("Infrastructure")
    add(agents, Fact("One", "agent", heading=heading))
    assert agents.read("MEMORY.md").count("Infrastructure") == before
    assert "# #" not in agents.read("MEMORY.md")


def test_an_empty_text_says_so(agents: Workspace) -> None:
    with pytest.raises(HoardError, match=r"^The text is empty\.$"):
        add(agents, Fact("  ", "agent"))


def test_outside_of_a_workspace(repo: Repo) -> None:
    done = run_hoard("add", "One", "--src", "agent", cwd=repo)
    assert (done.returncode, "next: hoard init" in done.stderr.decode()) == (2, True)

    repo.commit("First", {"agents/a/.hoard.yaml": "version: 1\n"})
    done = run_hoard("add", "One", "--src", "agent", cwd=repo)
    assert (done.returncode, "next: hoard -C agents/a add" in done.stderr.decode()) == (2, True)
    assert not (repo.path / "MEMORY.md").exists()


def test_a_file_that_moves_under_us_is_read_again(agents: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    path = agents.path / "MEMORY.md"
    theirs = [b"- theirs\n"]

    def slow_write(root: str, name: RepoPath, data: bytes, expected: bytes | None) -> None:
        if theirs:
            path.write_bytes(path.read_bytes() + theirs.pop())
        write_file(root, name, data, expected)

    monkeypatch.setattr("hoard_git.app.facts.write_file", slow_write)
    done = add(agents, Fact("Mine", "agent"), commit=False)

    assert "- theirs\n" in agents.read("MEMORY.md")
    assert f"id:{done.id}" in agents.read("MEMORY.md")


def test_what_somebody_else_wrote_meanwhile_stays(agents: Workspace) -> None:
    old = agents.read_bytes("MEMORY.md")
    placed = place_entry(old, "Mine", Tag("agent", "2026-06-15", "", "abc234"), "", "MEMORY.md")
    agents.write("MEMORY.md", placed.data + b"- theirs\n")

    take_back(str(agents.path), RepoPath("MEMORY.md"), placed, old)

    assert agents.read_bytes("MEMORY.md") == old + b"- theirs\n"


@pytest.mark.slow
def test_concurrent_writers_lose_nothing(agents: Workspace) -> None:
    def write(writer: int) -> list[int]:
        return [run_hoard("add", f"Fact {writer}.{n} of many", "--src", "agent", cwd=agents).returncode for n in range(10)]

    with ThreadPoolExecutor(4) as pool:
        statuses = [status for found in pool.map(write, range(4)) for status in found]

    assert statuses == [0] * 40
    text = agents.read("MEMORY.md")
    assert [f"Fact {writer}.{n} of many" in text for writer in range(4) for n in range(10)] == [True] * 40
    assert agents.line("rev-list", "--count", "HEAD") == "41"
    assert agents.line("status", "--porcelain") == ""
    ids = re.findall(r"id:(\w{6})", text)
    assert len(set(ids)) == len(ids) == 40
    assert run_hoard("check", "--range", "HEAD~40..HEAD", cwd=agents).returncode == 0, sys.version
