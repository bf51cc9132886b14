"""What `hoard context` prints."""

from __future__ import annotations

import hashlib
import json

import pytest

from tests.support.repo import POLICY, Repo, Workspace, run_hoard

SECRET = "gh" + "p_" + hashlib.sha256(b"context").hexdigest()[:36]


def context(repo: Repo, *args: str, folder: str = "") -> tuple[int, str, str]:
    done = run_hoard("--date", "2026-06-15", "context", *args, cwd=repo.path / folder)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def filled(workspace: Workspace) -> Workspace:
    workspace.write("SOUL.md", "# Soul\n\nCalm and short.\n")
    workspace.write("USER.md", "# User\n\n- Likes tea\n")
    workspace.write("HEARTBEAT.md", "# HEARTBEAT.md\n\n- Look at the mail\n")
    workspace.write("memory/2026-06-15.md", "# 2026-06-15\n\n- Deployed the wiki\n- Tea again <!-- src:user ts:2026-06-15 -->\n")
    workspace.write("memory/2026-06-14.md", "# 2026-06-14\n\n- Mended the boiler\n")
    workspace.write("memory/old.md", "# Old\n\n- The queue is slow <!-- src:web ts:2026-05-01 -->\n")
    workspace.git("add", "-A")
    workspace.commit("Memory of the day\n", options=["--no-verify"])
    return workspace


def test_the_parts_of_a_main_session_in_order_with_their_cost(filled: Workspace) -> None:
    status, out, err = context(filled)
    assert (status, err) == (0, "")
    assert [line for line in out.split("\n") if line.startswith("===")] == [
        "=== May be stale: verify or remove: 62 chars",
        "=== SOUL.md: 24 chars",
        "=== USER.md: 20 chars",
        "=== HEARTBEAT.md: 35 chars",
        "=== memory/2026-06-15.md: 78 chars",
        "=== memory/2026-06-14.md: 34 chars",
        f"=== MEMORY.md: {len(filled.read('MEMORY.md'))} chars",
    ]
    assert "- stale since 2026-05-31: The queue is slow (memory/old.md:3)\n" in out


def test_a_group_gets_nothing_of_the_user(filled: Workspace) -> None:
    status, out, _err = context(filled, "--session", "group")
    assert status == 0
    assert out == (
        "=== SOUL.md: 24 chars\n# Soul\n\nCalm and short.\n"
        "=== HEARTBEAT.md: 35 chars\n# HEARTBEAT.md\n\n- Look at the mail\n"
        "=== memory/2026-06-15.md: 34 chars, 1 withheld\n# 2026-06-15\n\n- Deployed the wiki\n"
        "=== memory/2026-06-14.md: 34 chars\n# 2026-06-14\n\n- Mended the boiler\n"
    )


def test_what_does_not_fit_is_cut_and_named(filled: Workspace) -> None:
    filled.write("memory/2026-06-15.md", "# 2026-06-15\n\n" + "".join(f"- Step {number} of the day\n" for number in range(300)))
    filled.write("USER.md", "# User\n\n" + "x" * 5000 + "\n")
    status, out, _err = context(filled, "--budget", "3000")
    assert status == 0
    assert len(out) <= 3000
    assert "=== USER.md: left out, 5,009 chars; hoard get USER.md\n" in out
    assert "earlier lines, below: agent 2026-06-15; hoard get memory/2026-06-15.md]\n" in out
    assert "- Step 299 of the day\n" in out
    assert "- Step 1 of the day\n" not in out


def test_json(filled: Workspace) -> None:
    data = json.loads(context(filled, "--json", "--session", "group", "--budget", "9000")[1])
    assert (data["schema"], data["session"], data["budget"], data["unread"]) == (1, "group", 9000, [])
    assert [(part["name"], part["path"], part["outcome"], part["withheld"]) for part in data["parts"]] == [
        ("SOUL.md", "SOUL.md", "whole", 0),
        ("HEARTBEAT.md", "HEARTBEAT.md", "whole", 0),
        ("today", "memory/2026-06-15.md", "whole", 1),
        ("yesterday", "memory/2026-06-14.md", "whole", 0),
    ]
    assert data["chars"] == sum(part["shown"] for part in data["parts"]) == sum(len(part["text"]) for part in data["parts"])


@pytest.mark.parametrize("args", [(), ("--json",), ("--session", "group")])
def test_secrets_and_control_characters_stay_in(workspace: Workspace, args: tuple[str, ...]) -> None:
    workspace.write("HEARTBEAT.md", f"# HEARTBEAT.md\n\n- The deploy token:\n\n  {SECRET}\n- Bell \x07\n")
    status, out, err = context(workspace, *args)
    assert (status, err) == (0, "")
    assert "Bell" in out
    assert SECRET[6:20] not in out
    assert "\x07" not in out


def test_an_empty_workspace_a_link_and_several_workspaces(workspace: Workspace, repo: Repo) -> None:
    status, out, err = context(repo)
    assert (status, out, err.startswith("hoard: there is nothing to begin with")) == (0, "", True)
    (workspace.path / "SOUL.md").symlink_to("MEMORY.md")
    status, _out, err = context(workspace)
    assert (status, err) == (0, "hoard: not read: SOUL.md: is a symlink, which is not followed\n")
    repo.write(".hoard.yaml", POLICY + "memory: {roots: [agents/a, agents/b]}\n")
    repo.write("agents/a/MEMORY.md", "# A\n\n- of a\n")
    repo.write("agents/b/MEMORY.md", "# B\n\n- of b\n")
    assert context(repo)[0] == 2
    assert context(repo, folder="agents/b")[1] == "=== agents/b/MEMORY.md: 12 chars, not committed\n# B\n\n- of b\n"


def test_a_groups_files_tell_nothing_by_their_names(filled: Workspace) -> None:
    filled.write("memory/2026-06-15-likes-tea.md", "# Log\n\n- Mended the roof\n")
    (filled.path / "memory/2026-06-15-she-likes-tea.md").symlink_to("/dev/null")
    status, out, err = context(filled, "--session", "group")
    assert status == 0
    assert "tea" not in out + err


@pytest.mark.parametrize(
    ("path", "named"), [("USER.md", "USER.md"), ("MEMORY.md", "MEMORY.md"), ("memory/people/clara.md", "A page about people")]
)
def test_a_private_file_that_cannot_be_read_stops_a_group(filled: Workspace, path: str, named: str) -> None:
    link = filled.path / path
    link.unlink(missing_ok=True)
    link.parent.mkdir(exist_ok=True)
    link.symlink_to("/dev/null")
    status, out, err = context(filled, "--session", "group")
    assert (status, out) == (2, "")
    assert err.startswith(f"hoard: {named} is a symlink, which is not followed, so what repeats it cannot be kept back from a group.\n")
    assert "clara" not in err
    assert context(filled)[0] == 0


def test_what_is_about_a_person_with_a_page_stays_out_of_a_group(filled: Workspace) -> None:
    filled.write("memory/people/clara.md", "# Clara <!-- src:agent ts:2026-06-01 -->\n\n- Allergic to nuts\n")
    filled.write("memory/2026-06-15.md", "# 2026-06-15\n\n- Clara came by\n- The roof is mended\n")
    _status, out, _err = context(filled, "--session", "group")
    assert "Clara" not in out
    assert "- The roof is mended" in out


def test_a_title_that_memory_mentions_hides_nothing_below_it(filled: Workspace) -> None:
    filled.write(
        "MEMORY.md",
        "# Memory\n\n## 2026-06-01 Rules <!-- src:agent ts:2026-06-01 -->\n- HEARTBEAT.md is read first\n- On 2026-06-15 it rained\n",
    )
    _status, out, _err = context(filled, "--session", "group")
    assert "=== HEARTBEAT.md: 19 chars\n- Look at the mail\n" in out
    assert "- Deployed the wiki\n" in out


@pytest.mark.parametrize("title", ["People", "Family & friends", "About the user", "2026-06-15 Personal notes", "User preferences"])
def test_a_section_about_people_stays_out_of_a_group_whatever_its_tags(filled: Workspace, title: str) -> None:
    filled.write(
        "memory/2026-06-15.md",
        f"# 2026-06-15\n\n## {title}\n\n- Clara keeps geese <!-- src:agent ts:2026-06-15 -->\n\n### More\n\n- Otto is deaf\n\n"
        "## User feedback on the API\n\n- It is slow\n",
    )
    filled.write("HEARTBEAT.md", "# HEARTBEAT.md\n\n- Look at the mail\n- Otto is deaf\n")
    _status, out, _err = context(filled, "--session", "group")
    assert "geese" not in out
    assert "Otto" not in out
    assert f"## {title}" not in out
    lines = [line for line in out.split("\n") if line]
    assert lines[lines.index("## User feedback on the API") + 1] == "- It is slow"


def test_a_group_hears_what_is_not_the_agents(filled: Workspace) -> None:
    told = "<!-- src:{} ts:2026-06-14 -->"
    filled.write(
        "memory/2026-06-15.md",
        f"# Log\n\n{told.format('tool')}\nThe pump\nruns.\n\n{told.format('web')}\n| a | b |\n|---|---|\n| c | d |\n\n"
        f"- [agent 2026-06-15] an item {told.format('dig')}\n  - below it\n- of the agent\n\n{told.format('web')}\n```sh\nls\n```\n",
    )
    _status, out, _err = context(filled, "--session", "group")
    assert out[out.index("# Log") : out.index("=== memory/2026-06-14.md")] == (
        "# Log\n\nThe pump [tool 2026-06-14]\nruns.\n\n| a | b [web 2026-06-14] |\n|---|---|\n| c | d [web 2026-06-14] |\n\n"
        "- [agent 2026-06-15] an item [dig 2026-06-14]\n  - below it [dig 2026-06-14]\n- of the agent\n\n[web 2026-06-14]\n```sh\nls\n```\n"
    )


def test_a_cut_log_says_whose_the_rest_is(filled: Workspace) -> None:
    steps = "".join(f"- Step {number} of the page\n" for number in range(300))
    filled.write("memory/2026-06-15.md", f"# 2026-06-15 <!-- src:web ts:2026-06-15 -->\n\n{steps}")
    _status, out, _err = context(filled, "--budget", "3000")
    assert len(out) <= 3000
    assert "earlier lines, below: web 2026-06-15; hoard get memory/2026-06-15.md]\n" in out
    today = next(part for part in json.loads(context(filled, "--budget", "3000", "--json")[1])["parts"] if part["name"] == "today")
    assert {entry["src"] for entry in today["provenance"]} == {"web"}
    assert today["text"].count("\n") == len(today["provenance"])
    assert today["provenance"][-1]["line"] == 302


def test_what_git_does_not_have_is_told(filled: Workspace) -> None:
    assert {part["committed"] for part in json.loads(context(filled, "--json")[1])["parts"] if part["path"]} == {True}
    filled.write("SOUL.md", "# Soul\n\nLoud.\n")
    filled.write(".git/info/exclude", "HEARTBEAT.md\n")
    filled.git("rm", "-q", "--cached", "HEARTBEAT.md")
    out = context(filled)[1]
    assert [line for line in out.split("\n") if "not committed" in line] == [
        "=== SOUL.md: 14 chars, not committed",
        "=== HEARTBEAT.md: 35 chars, not committed",
    ]
    assert [part["committed"] for part in json.loads(context(filled, "--json", "--session", "group")[1])["parts"]] == [
        False,
        False,
        True,
        True,
    ]
