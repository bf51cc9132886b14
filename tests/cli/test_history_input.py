"""What a git user types at the history commands, and what they say where there is no answer: every hint can be typed."""

from __future__ import annotations

import pytest

from tests.app.history_repos import AGENT, block, memory
from tests.support.repo import Repo, Workspace, run_hoard

TEXT = block("Deploys", "The deploy job runs at noon every weekday.", name="depl01")


@pytest.fixture
def grown(workspace: Workspace) -> Workspace:
    workspace.commit("Add\n", {"memory/d.md": memory(TEXT)}, author=AGENT)
    workspace.commit("Edit\n", {"memory/d.md": memory(TEXT.replace("noon", "dusk"))}, author=AGENT)
    return workspace


def test_diff_takes_two_commits_as_git_does(grown: Workspace) -> None:
    dots = run_hoard("diff", "HEAD~1..HEAD", cwd=grown).stdout
    assert b"dusk" in dots and run_hoard("diff", "HEAD~1", "HEAD", cwd=grown).stdout == dots
    for words in (("HEAD~1..HEAD", "HEAD"), ("a", "b", "c")):
        assert run_hoard("diff", *words, cwd=grown).returncode == 2


def test_diff_of_a_path_says_how_to_see_it(grown: Workspace) -> None:
    done = run_hoard("diff", "memory/d.md", cwd=grown)
    assert (done.returncode, done.stderr.decode()) == (
        2,
        "hoard: 'memory/d.md' is a path; hoard diff compares commits.\n  next: hoard log -n 5 -- 'memory/d.md'\n",
    )
    assert run_hoard("log", "-n", "5", "--", "memory/d.md", cwd=grown).returncode == 0


def test_a_commit_that_is_called_like_a_file_is_a_commit(grown: Workspace) -> None:
    grown.git("branch", "memory", "HEAD~1")
    assert b"dusk" in run_hoard("diff", "memory", cwd=grown).stdout


def test_diff_without_a_work_tree(grown: Workspace) -> None:
    grown.git("clone", "-q", "--bare", ".", "bare.git")
    bare = grown.path / "bare.git"
    for words in ((), ("HEAD~1",)):
        done = run_hoard("diff", *words, cwd=bare)
        assert done.returncode == 2 and "the repository is bare" in done.stderr.decode()
    assert b"dusk" in run_hoard("diff", "HEAD~1..HEAD", cwd=bare).stdout


def test_no_events_were_asked_for(grown: Workspace) -> None:
    done = run_hoard("log", "-n", "0", cwd=grown)
    assert (done.returncode, done.stdout) == (0, b"")


def test_show_of_a_file_and_of_what_is_past(grown: Workspace) -> None:
    assert "hoard log -- 'memory/d.md'" in run_hoard("show", "memory/d.md", cwd=grown).stderr.decode()
    assert ", fresh until 2026-09-03" in run_hoard("show", "depl01", "--date", "2026-09-03", cwd=grown).stdout.decode()
    assert ", was fresh until 2026-09-03" in run_hoard("show", "depl01", "--date", "2026-09-04", cwd=grown).stdout.decode()


def test_blame_says_why_there_are_no_lines(grown: Workspace) -> None:
    assert "'memory' is a folder." in run_hoard("blame", "memory", cwd=grown).stderr.decode()
    assert "'.' is a folder." in run_hoard("blame", ".", cwd=grown).stderr.decode()
    grown.commit("Remove\n", {"memory/d.md": None}, author=AGENT)
    told = run_hoard("blame", "memory/d.md", cwd=grown).stderr.decode()
    assert "it was removed or has moved" in told and told.endswith(": hoard log -n 5 -- 'memory/d.md'\n")
    assert grown.head()[:7] in run_hoard("log", "-n", "5", "--", "memory/d.md", cwd=grown).stdout.decode()
    assert run_hoard("blame", "memory/d.md", "--at", "HEAD~", cwd=grown).returncode == 0


def test_trailers_before_the_first_commit(repo: Repo) -> None:
    done = run_hoard("trailers", cwd=repo)
    assert done.returncode == 2 and done.stderr.decode().startswith("hoard: There is no commit yet")


@pytest.mark.parametrize(
    "words", [("show",), ("log",), ("log", "--at"), ("why",), ("blame",), ("diff",), ("restore",), ("search",), ("get",), ()]
)
def test_a_value_that_is_looked_for_does_not_come_back(grown: Workspace, words: tuple[str, ...]) -> None:
    """Whoever asks where a leaked value came in has it in the command, and what is printed lands in a log or a transcript."""
    digits = "0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT" * 4
    for value in ("gh" + "p_" + digits[:36], "sk-" + "ant-api03-" + digits[:93] + "AA"):
        done = run_hoard(*words, value, cwd=grown)
        told = (done.stdout + done.stderr).decode()
        assert done.returncode == (0 if words in {("search",), ("get",)} else 2)
        assert value[:30] not in told


def test_a_path_is_typed_as_it_was_printed_in_a_folder_too(grown: Workspace) -> None:
    """From below the top, a path is the folder's own; one that never was memory there is one of the top."""
    grown.commit("Drop\n", {"memory/d.md": None, "memory/e.md": memory(TEXT)}, author=AGENT)
    below = grown.path / "memory"
    (line,) = [line for line in run_hoard("blame", "d.md", cwd=below).stderr.decode().splitlines() if "next:" in line]
    assert "hoard -C .. log -n 5 -- 'memory/d.md'" in line
    assert (
        run_hoard("log", "-n", "5", "--", "memory/d.md", cwd=below).stdout
        == run_hoard("log", "-n", "5", "--", "d.md", cwd=below).stdout
        != b""
    )
    for words in (("blame", "memory/e.md"), ("blame", "MEMORY.md", "-L", "1"), ("log", "MEMORY.md"), ("restore", "memory/d.md", "--list")):
        done = run_hoard(*words, cwd=below)
        assert (done.returncode, done.stdout) == (0, run_hoard(*words, cwd=grown).stdout)
    assert run_hoard("blame", "nosuch.md", cwd=below).returncode == 2
    grown.commit("Own\n", {"memory/MEMORY.md": "- The folder has its own.\n"}, author=AGENT)
    assert b"its own" in run_hoard("blame", "MEMORY.md", cwd=below).stdout


def test_a_trace_without_lines_says_so(grown: Workspace) -> None:
    grown.commit("Raise\n", {"memory/d.md": memory(TEXT.replace("noon", "dusk").replace("90d", "80d"))}, author=AGENT)
    done = run_hoard("log", "--format", "agent-trace", "-n", "1", cwd=grown)
    assert (done.returncode, done.stdout) == (0, b"") and "no event fits that wrote a line" in done.stderr.decode()
    assert run_hoard("log", "--format", "agent-trace", "--json", cwd=grown).returncode == 2
