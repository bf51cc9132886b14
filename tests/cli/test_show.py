"""`hoard show`, `hoard why` and `hoard diff` as a user runs them."""

from __future__ import annotations

import json

from tests.app.history_repos import AGENT, block, memory
from tests.support.environment import HUMAN
from tests.support.repo import MEMORY, Workspace, run_hoard

TEXT = block("Deploys", "The deploy job runs at noon every weekday.", src="web", name="depl01")


def _grown(workspace: Workspace) -> Workspace:
    workspace.commit("Add\n", {"memory/d.md": memory(TEXT)}, author=AGENT)
    workspace.commit("Raise\n", {"memory/d.md": memory(TEXT.replace("src:web", "src:agent"))}, author=AGENT)
    workspace.commit("Edit\n", {"memory/d.md": memory(TEXT.replace("src:web", "src:agent").replace("noon", "dusk"))}, author=AGENT)
    return workspace


def test_show_prints_the_block_as_it_stands(workspace: Workspace) -> None:
    out = run_hoard("show", "depl01", cwd=_grown(workspace)).stdout.decode()
    assert "memory/d.md:3-5" in out
    assert "runs at dusk" in out and "runs at noon" not in out
    data = json.loads(run_hoard("show", "memory/d.md#deploys", "--json", cwd=workspace).stdout)
    assert (data["alive"], data["line"], data["end_line"], data["block"]["id"]) == (True, 3, 5, "depl01")
    assert data["text"].split("\n")[0] == "## Deploys <!-- src:agent ts:2026-06-05 ttl:90d id:depl01 -->"
    assert (data["expires"], data["events"]) == ("2026-09-03", 3)


def test_show_prints_a_removed_block_as_it_last_stood(workspace: Workspace) -> None:
    _grown(workspace)
    before = workspace.head()
    workspace.commit("Remove\n", {"memory/d.md": None}, author=AGENT)
    data = json.loads(run_hoard("show", "depl01", "--json", cwd=workspace).stdout)
    assert (data["alive"], data["commit"], data["line"], data["end_line"]) == (False, before, 3, 5)
    assert "runs at dusk" in data["text"]
    assert run_hoard("show", "no such block", cwd=workspace).returncode == 2


def test_each_of_several_candidates_can_be_typed(workspace: Workspace) -> None:
    one, two = (block("Email", words) for words in ("Replied to the first letter.", "Replied to the second letter."))
    workspace.commit("Add\n", {"memory/d.md": memory(one, two)}, author=AGENT)
    done = run_hoard("show", "email", cwd=workspace)
    assert done.returncode == 2
    assert [line.strip() for line in done.stderr.decode().splitlines()[2:]] == ["memory/d.md#email  Email", "memory/d.md#email-1  Email"]
    assert "second letter" in run_hoard("show", "memory/d.md#email-1", cwd=workspace).stdout.decode()

    workspace.commit("Remove\n", {"memory/d.md": None}, author=AGENT)
    told = run_hoard("show", "email", cwd=workspace).stderr.decode()
    assert f"memory/d.md#email-1  Email  (removed from memory/d.md: --at {workspace.head()[:12]}~)" in told
    shown = run_hoard("show", "memory/d.md#email-1", "--at", workspace.head()[:12] + "~", cwd=workspace)
    assert "second letter" in shown.stdout.decode()


def test_blocks_of_one_id_are_told_apart_by_place(workspace: Workspace) -> None:
    workspace.commit("Add\n", {"memory/d.md": memory(TEXT)}, author=AGENT)
    assert run_hoard("show", "depl01", cwd=workspace).returncode == 0
    workspace.commit("Copy\n", {"memory/e.md": memory(TEXT)}, author=AGENT)
    told = run_hoard("show", "depl01", cwd=workspace).stderr.decode()
    for name in ("memory/d.md#deploys", "memory/e.md#deploys"):
        assert name in told
        assert run_hoard("show", name, cwd=workspace).returncode == 0
    workspace.commit("Copy goes\n", {"memory/e.md": None}, author=AGENT)
    assert "memory/d.md:3-5" in run_hoard("show", "depl01", cwd=workspace).stdout.decode()


def test_show_at_an_older_commit(workspace: Workspace) -> None:
    out = run_hoard("show", "depl01", "--at", "HEAD~2", "--json", cwd=_grown(workspace)).stdout
    assert "runs at noon" in json.loads(out)["text"]


def test_why_tells_the_whole_story_and_that_the_source_rose(workspace: Workspace) -> None:
    _grown(workspace)
    (line,) = run_hoard("why", "the deploy job", "--json", cwd=workspace).stdout.decode().splitlines()
    told = json.loads(line)
    assert [chapter["event"] for chapter in told["events"]] == ["add", "retag", "edit"]
    assert (told["rose"], told["rises"], told["alive"]) == (True, [workspace.head("HEAD~1")], True)
    assert told["first"]["after"]["provenance"]["src"] == "web"
    out = run_hoard("why", "depl01", cwd=workspace).stdout.decode()
    assert "Its source rose" in out
    assert run_hoard("why", "nobody ever said this", cwd=workspace).returncode == 2


def test_why_of_a_heading_tells_each_commit_in_the_order_of_the_file_and_once(workspace: Workspace) -> None:
    text = block("Deploys", "The deploy job runs at noon every weekday.", "It needs the token of the month.", src="web", name="depl01")
    workspace.commit("Add\n", {"memory/d.md": memory(text)}, author=AGENT)
    workspace.commit("Raise\n", {"memory/d.md": memory(text.replace("src:web", "src:agent"))}, author=AGENT)
    (line,) = run_hoard("why", "depl01", "--json", cwd=workspace).stdout.decode().splitlines()
    told = [(event["event"], event["after"]["text"]) for event in json.loads(line)["events"]]
    assert told == [
        ("add", "## Deploys"),
        ("add", "- The deploy job runs at noon every weekday."),
        ("add", "- It needs the token of the month."),
        ("retag", "## Deploys"),
    ]
    out = run_hoard("why", "depl01", cwd=workspace).stdout.decode()
    assert out.count("first seen in") == 3 and "back in" not in out
    assert " ".join(out.split()).count("its source rose") == 1 and f"Its source rose once: look at {workspace.head()[:10]}." in out


def test_why_counts_a_first_tag_beyond_what_its_author_may_vouch_for(workspace: Workspace) -> None:
    cases = (
        ("The mirror lies in Bergen", "user", AGENT, True),
        ("Backups run by night", "agent", AGENT, False),
        ("No mail today", "user", HUMAN, False),
    )
    for number, (words, src, author, rose) in enumerate(cases):
        path = f"memory/d{number}.md"
        workspace.commit("Add\n", {path: f"# D\n\n- {words}\n"}, author=AGENT)
        workspace.commit("Tag\n", {path: f"# D\n\n- {words} <!-- src:{src} ts:2026-06-01 -->\n"}, author=author)
        (line,) = run_hoard("why", words, "--json", cwd=workspace).stdout.decode().splitlines()
        assert json.loads(line)["rises"] == [workspace.head()] * rose


def test_why_counts_a_copy_under_a_higher_source(workspace: Workspace) -> None:
    web, agent = (f"# D\n\n- The mirror for packages is pkg.fast.example <!-- src:{src} ts:2026-06-01 -->\n" for src in ("web", "agent"))
    workspace.commit("Add\n", {"memory/d.md": web}, author=AGENT)
    workspace.commit("Copy\n", {"memory/e.md": agent}, author=AGENT)
    first, second = map(json.loads, run_hoard("why", "the mirror for packages", "--json", cwd=workspace).stdout.decode().splitlines())
    assert (first["path"], first["rises"]) == ("memory/d.md", [])
    assert (second["path"], second["rises"]) == ("memory/e.md", [workspace.head()])
    out = " ".join(run_hoard("why", "the mirror for packages", cwd=workspace).stdout.decode().split())
    assert "the same words were web 2026-06-01 in memory/d.md; its source rose" in out
    workspace.commit("Copy of the copy\n", {"memory/f.md": agent}, author=AGENT)  # no higher than the best of those that stand
    *_, third = map(json.loads, run_hoard("why", "the mirror for packages", "--json", cwd=workspace).stdout.decode().splitlines())
    assert (third["path"], third["rises"]) == ("memory/f.md", [])


def test_short_words_are_no_copy(workspace: Workspace) -> None:
    workspace.commit("Add\n", {"memory/d.md": "# D\n\n- Status: open <!-- src:web ts:2026-06-01 -->\n"}, author=AGENT)
    workspace.commit("Add\n", {"memory/e.md": "# E\n\n- Status: open <!-- src:agent ts:2026-06-01 -->\n"}, author=AGENT)
    out = run_hoard("why", "status: open", cwd=workspace).stdout.decode()
    assert out.count("Its source never rose.") == 2


def test_why_keeps_to_the_width(workspace: Workspace) -> None:
    path = "memory/" + "-".join(["pages"] * 11) + ".md"
    workspace.commit("Add\n", {path: memory(TEXT)}, author=AGENT)
    out = run_hoard("why", "the deploy job", cwd=workspace).stdout.decode()
    assert "Its source never rose." in " ".join(out.split())
    assert max(map(len, out.splitlines())) <= 80


def test_why_of_a_fact_that_never_rose(workspace: Workspace) -> None:
    out = run_hoard("why", "Tuesdays", cwd=workspace).stdout.decode()
    assert "Its source never rose." in out and "first seen in MEMORY.md under Preferences" in out


def test_a_tag_without_a_date_is_told_in_words(workspace: Workspace) -> None:
    workspace.commit("Add\n", {"memory/d.md": "# D\n\n- The gate is green\n"}, author=AGENT)
    workspace.commit("Tag\n", {"memory/d.md": "# D\n\n- The gate is green <!-- src:agent ts:unknown -->\n"}, author=AGENT)
    assert "was untagged, became agent undated" in " ".join(run_hoard("why", "the gate is", cwd=workspace).stdout.decode().split())
    assert "; agent undated" in run_hoard("log", "-n", "1", "--op", "retag", cwd=workspace).stdout.decode()


def test_why_finds_what_was_read_in_the_rendered_page(workspace: Workspace) -> None:
    page = "# Hosts\n\n- **Place**: `~/photos_2026/` of the [wiki](wiki/photos.md), see snake_case\n"
    workspace.commit("Add\n", {"memory/hosts.md": page}, author=AGENT)

    for words in ("Place: ~/photos_2026/ of the wiki", "**Place**: `~/photos_2026/`", "the wiki, see snake_case"):
        assert "first seen in memory/hosts.md" in run_hoard("why", "--text", words, cwd=workspace).stdout.decode(), words
    for words in ("Place: ~/photos_2027/", "**``**"):
        gone = run_hoard("why", "--text", words, cwd=workspace)
        assert gone.returncode == 2
        assert f"next: hoard search --history '{words}'" in gone.stderr.decode()


def test_diff_of_two_commits_and_of_the_work_tree(workspace: Workspace) -> None:
    _grown(workspace)

    def events(*options: str) -> list[tuple[str, str]]:
        result = run_hoard("diff", "--json", *options, cwd=workspace)
        assert result.returncode == 0, result.stderr
        return [(found["event"], found["block"]["title"]) for found in map(json.loads, result.stdout.decode().splitlines())]

    assert events("HEAD~1..HEAD") == events("--at", "HEAD") == [("edit", "Deploys")]
    assert events("HEAD~2..HEAD") == [("retag", "Deploys")]
    assert events() == []
    workspace.write("MEMORY.md", MEMORY.replace("Tuesdays", "Mondays"))
    assert events() == [("edit", "Preferences")]
    shown = run_hoard("diff", cwd=workspace).stdout.decode()
    assert "- - The newsletter goes out on Tuesdays." in shown
    assert run_hoard("diff", "HEAD..nowhere", cwd=workspace).returncode == 2
