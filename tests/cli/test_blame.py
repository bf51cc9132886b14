"""`hoard blame` as a user runs it."""

from __future__ import annotations

import json

import pytest

from hoard_git.cli.commands.blame import parse_lines
from hoard_git.errors import HoardError
from tests.app.history_repos import AGENT, git_blame
from tests.support.repo import MEMORY, Workspace, run_hoard


def _lines(workspace: Workspace, *options: str) -> list[dict[str, object]]:
    result = run_hoard("blame", "MEMORY.md", "--json", *options, cwd=workspace)
    assert result.returncode == 0, result.stderr
    return [json.loads(line) for line in result.stdout.decode().splitlines()]


def test_every_line_has_its_commit_claim_and_verdict(workspace: Workspace) -> None:
    workspace.commit("Agent\n", {"MEMORY.md": MEMORY + "- Node-3 is new.\n"}, author=AGENT)
    found = _lines(workspace)
    assert [line["commit"] for line in found] == git_blame(workspace, "MEMORY.md", "-M")
    assert [line["text"] for line in found] == workspace.read("MEMORY.md").splitlines()
    last = found[-1]
    assert list(last) == ["line", "text", "commit", "date", "author", "src", "ts", "expires", "block", "verdict"]
    assert (last["src"], last["ts"], last["expires"], last["block"]) == ("agent", "2026-06-05", "2026-09-03", "MEMORY.md#infrastructure")
    assert last["verdict"] == "agree"
    assert last["author"] == {"name": "clawd", "email": "clawd@agents.example", "kind": "agent", "verified": False}
    tuesday = next(line for line in found if "Tuesdays" in str(line["text"]))
    assert (tuesday["src"], tuesday["verdict"], tuesday["expires"]) == ("user", "agree", None)


def test_a_user_claim_that_an_agent_wrote_last_disagrees(workspace: Workspace) -> None:
    workspace.commit("Agent\n", {"MEMORY.md": MEMORY.replace("Tuesdays", "Fridays")}, author=AGENT)
    assert next(line for line in _lines(workspace) if "Fridays" in str(line["text"]))["verdict"] == "disagree"
    shown = run_hoard("blame", "MEMORY.md", cwd=workspace).stdout.decode()
    assert any("disagree" in line and "Fridays" in line for line in shown.split("\n"))
    assert "\x1b" not in shown


def test_strangers_and_lying_trailers(workspace: Workspace) -> None:
    workspace.commit("Stranger\n", {"MEMORY.md": MEMORY + "- A stranger says so.\n"}, author="Eve <eve@elsewhere.example>")
    workspace.commit(
        "Liar\n\nMemory-Op: write\nMemory-Source: web\n", {"MEMORY.md": MEMORY + "- A stranger says so.\n- A liar, too.\n"}, author=AGENT
    )
    assert [line["verdict"] for line in _lines(workspace)[-2:]] == ["unverified", "disagree"]


def test_lines_that_are_not_committed_belong_to_nobody(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", MEMORY + "- Not committed.\n")
    last = _lines(workspace)[-1]
    assert (last["commit"], last["author"], last["verdict"]) == (None, None, "unverified")
    assert len(_lines(workspace, "--at", "HEAD")) == len(MEMORY.splitlines())
    assert "not committed" in run_hoard("blame", "MEMORY.md", cwd=workspace).stdout.decode()


def test_some_lines_and_too_many(workspace: Workspace) -> None:
    assert [line["line"] for line in _lines(workspace, "-L", "3,4")] == [3, 4]
    assert run_hoard("blame", "MEMORY.md", "-L", "99,100", cwd=workspace).returncode == 2
    assert run_hoard("blame", "other.md", cwd=workspace).returncode == 2
    assert run_hoard("blame", "../elsewhere.md", cwd=workspace).returncode == 2


@pytest.mark.parametrize(("text", "lines"), [("3,9", (3, 9)), ("3", (3, 0)), ("3,", (3, 0)), (",9", (1, 9)), ("3,+2", (3, 4))])
def test_line_ranges(text: str, lines: tuple[int, int]) -> None:
    assert parse_lines(text) == lines


@pytest.mark.parametrize("text", ["", ",", "a,b", "-1,2", "/re/,3"])
def test_bad_line_ranges(text: str) -> None:
    with pytest.raises(HoardError, match="-L takes"):
        parse_lines(text)


def test_a_file_that_cannot_be_read_from_disk_as_it_was_committed(workspace: Workspace) -> None:
    committed = _lines(workspace, "--at", "HEAD")
    assert [line["text"] for line in committed] == MEMORY.splitlines()
    workspace.git("config", "core.autocrlf", "true")
    workspace.write("MEMORY.md", MEMORY.replace("\n", "\r\n"))
    assert _lines(workspace) == _lines(workspace, "--at", "HEAD") == committed
    file = workspace.path / "MEMORY.md"
    file.unlink()
    assert _lines(workspace, "--at", "HEAD") == committed
    file.symlink_to("elsewhere.md")
    workspace.write("elsewhere.md", MEMORY + "- not this\n")
    assert _lines(workspace, "--at", "HEAD") == committed
    assert run_hoard("blame", "MEMORY.md", cwd=workspace).returncode == 2


def test_an_older_version_is_not_taken_for_what_lies_on_disk(workspace: Workspace) -> None:
    workspace.commit("More\n", {"MEMORY.md": MEMORY + "- Node-3 is new.\n"}, author=AGENT)
    assert [line["text"] for line in _lines(workspace, "--at", "HEAD~1")] == MEMORY.splitlines()
    workspace.write("MEMORY.md", MEMORY)
    assert [line["text"] for line in _lines(workspace, "--at", "HEAD")] == [*MEMORY.splitlines(), "- Node-3 is new."]
    assert [line["text"] for line in _lines(workspace)] == MEMORY.splitlines()
