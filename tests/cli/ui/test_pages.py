"""The pages that only read: what they say, what they mask, and what they answer when they cannot look."""

from __future__ import annotations

import shlex
from collections.abc import Callable

import pytest

from tests.app.consolidating import DAY
from tests.cli.render.leaks import layouts, leaked
from tests.cli.ui.visiting import Visitor
from tests.support.repo import Repo, Workspace, run_hoard

Visit = Callable[..., Visitor]

EVIL = "</pre><script>alert(1)</script> <img src=x onerror=alert(1)> \"'> \x1b[2J {{ 7*7 }} \u202e"


def test_the_overview_is_the_report_and_leads_to_files_and_blocks(grown: Workspace, visit: Visit) -> None:
    page = visit(grown).see("/")
    assert "Changes over time" in page.text
    assert "Infrastructure agent said 2026-06-05" in page.text
    assert "/file?path=MEMORY.md" in page.links
    assert any(link.startswith("/file?path=MEMORY.md#L") for link in page.links)
    assert ("a", "aria-current", "page") in page.attributes


def test_every_link_of_the_overview_opens(grown: Workspace, visit: Visit) -> None:
    heading = "## 2026-06-01 The Office (2nd floor)  <!-- src:agent ts:2026-06-01 -->"
    for round_ in range(3):
        body = f"Words above all headings {round_} <!-- src:agent ts:2026-06-01 -->\n\n{heading}\n\n- Room {round_}\n\n{heading}\n\n- Desk {round_}\n"
        grown.commit("Move\n", {"memory/places.md": body, "memory/gone.md": f"{heading}\n\n- Chair {round_}\n"}, author=Workspace.agent)
    grown.commit("Remove\n", {"memory/gone.md": None})
    visitor = visit(grown)
    page = visitor.see("/")
    movers = [link for link in page.links if link.startswith("/block?name=memory/")]
    assert "/block?name=memory/places.md%23the-office-2nd-floor" in movers
    assert "/block?name=memory/places.md%23the-office-2nd-floor-1" in movers
    for link in page.links:
        if link.startswith("/"):
            visitor.see(link)


def test_a_removed_block_is_brought_back_by_the_command_on_its_page(grown: Workspace, visit: Visit) -> None:
    grown.commit("Learn\n", {"memory/o'hare & co.md": "# Fleet <!-- src:agent ts:2026-12-01 -->\n\n- Two vans\n"}, author=Workspace.agent)
    grown.commit("Forget\n", {"memory/o'hare & co.md": None}, author=Workspace.agent)
    text = visit(grown).see("/block?name=Fleet").text
    command = shlex.split(text.partition("It was removed; ")[2].partition(" brings it back")[0])
    done = run_hoard(*command[1:], cwd=grown, env={"HOARD_DATE": DAY})
    assert done.returncode == 0, done.stderr
    assert "Two vans" in grown.read("memory/o'hare & co.md")


def test_every_line_is_told_in_words(grown: Workspace, visit: Visit) -> None:
    text = visit(grown).see("/file?path=MEMORY.md").text
    assert "agent , said 2026-06-05, ended 2026-09-03" in text
    assert "user , said 2026-06-01, never expires" in text
    assert f"by Ada Example (human), {grown.line('log', '-1', '--format=%as')}, commit {grown.head()[:12]}" in text
    assert "✓ agrees : its author may write it" in text
    assert "History of MEMORY.md#infrastructure" in text


def test_a_line_that_says_user_and_is_an_agents_disagrees(grown: Workspace, visit: Visit) -> None:
    grown.commit(
        "Sneak\n", {"MEMORY.md": grown.read("MEMORY.md").replace("- Answers are short", "- Answers are long")}, author=Workspace.agent
    )
    assert "≠ disagrees" in visit(grown).see("/file?path=MEMORY.md").text


def test_lines_and_files_that_are_not_committed_are_shown_as_such(grown: Workspace, visit: Visit) -> None:
    grown.write("MEMORY.md", grown.read("MEMORY.md") + "\n- Brand new\n")
    grown.write("memory/fresh.md", "# Fresh <!-- src:web ts:2026-12-29 -->\n\n- A page said so\n")
    visitor = visit(grown)
    text = visitor.see("/file?path=MEMORY.md").text
    assert "Brand new" in text
    assert "not committed yet" in text
    text = visitor.see("/file?path=memory/fresh.md").text
    assert "This file is not committed yet" in text
    assert "web , said 2026-12-29, fresh" in text


def test_a_file_as_it_was_at_a_commit(grown: Workspace, visit: Visit) -> None:
    page = visit(grown).see(f"/file?path=MEMORY.md&at={grown.head('HEAD^')}")
    assert "As it was at commit" in page.text
    assert "The newsletter goes out on Tuesdays." in page.text
    assert "/file?path=MEMORY.md" in page.links


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("/file?path=README.md", "is no memory file here"),
        ("/file?path=../../etc/passwd", "is no memory file here"),
        ("/file?path=.git/config", "is no memory file here"),
        ("/file?path=MEMORY.md%00", "zero byte"),
        ("/file", "is no memory file here"),
        ("/file?path=MEMORY.md&at=HEAD", "no full commit id"),
        ("/file?path=MEMORY.md&at=--output=x", "no full commit id"),
        (f"/file?path=MEMORY.md&at={'0' * 40}", "nknown revision"),
        ("/block", "names no block"),
        ("/block?name=Nowhere", "No block in the history of this memory is called 'Nowhere'"),
        ("/search?q=!!!", "holds no word"),
        ("/search?q=a&src=evil", "no such source"),
        ("/review/proposal?name=main", "There is no proposal 'main'"),
        ("/review/done", "names no commit"),
    ],
)
def test_what_cannot_be_shown_says_why_and_what_next(grown: Workspace, visit: Visit, place: str, said: str) -> None:
    grown.write("README.md", "# Secret plans\n")
    page = visit(grown).see(place, 400)
    assert said in page.text
    assert "What to do next" in page.text
    assert ("section", "role", "alert") in page.attributes


def test_an_address_that_leads_nowhere(grown: Workspace, visit: Visit) -> None:
    assert "There is no such page." in visit(grown).see("/wp-admin", 404).text


def test_the_history_of_a_block(grown: Workspace, visit: Visit) -> None:
    grown.commit("Change\n", {"MEMORY.md": grown.read("MEMORY.md").replace("03:30", "04:30")}, author=Workspace.agent)
    page = visit(grown).see("/block?name=MEMORY.md%23infrastructure")
    assert "As it stands agent 2026-06-05" in page.text
    assert "edit" in page.text
    assert "− before - Backups run at 03:30. + after - Backups run at 04:30." in page.text
    assert "Its source never rose." in page.text
    assert any(link.startswith("/file?path=MEMORY.md#L") for link in page.links)


def test_a_block_that_was_removed_and_one_whose_source_rose(grown: Workspace, visit: Visit) -> None:
    text = grown.read("MEMORY.md")
    grown.commit("Raise\n", {"MEMORY.md": text.replace("## Web <!-- src:web", "## Web <!-- src:agent")})
    grown.commit("Remove\n", {"MEMORY.md": text.partition("## Web")[0]})
    page = visit(grown).see("/block?name=Web")
    assert "As it last stood" in page.text
    assert "It was removed; hoard restore" in page.text
    assert "Its source rose:" in page.text
    assert any(f"at={grown.head('HEAD^')}" in link for link in page.links)


def test_an_ambiguous_name_lists_the_blocks(grown: Workspace, visit: Visit) -> None:
    grown.commit("Twice\n", {"memory/a.md": "# A\n\n## Web\n\n- x\n"})
    text = visit(grown).see("/block?name=Web", 400).text
    assert "is the name of 2 blocks" in text
    assert "memory/a.md#web" in text


def test_search_finds_and_says_how_much(grown: Workspace, visit: Visit) -> None:
    visitor = visit(grown)
    page = visitor.see("/search?q=backups")
    assert "1 entry" in page.text
    assert "Backups run at 03:30." in page.text
    assert "/block?name=MEMORY.md%23infrastructure" in page.links
    assert ("p", "aria-live", "polite") in page.attributes
    assert "Nothing fits." in visitor.see("/search?q=zebra").text
    assert "Words to look for" in visitor.see("/search").text
    assert "Backups" not in visitor.see("/search?q=backups&src=user").text


def test_search_finds_what_was_removed_and_links_to_where_it_stood(grown: Workspace, visit: Visit) -> None:
    grown.commit("Remove\n", {"MEMORY.md": grown.read("MEMORY.md").replace("- Backups run at 03:30.\n", "")}, author=Workspace.agent)
    visitor = visit(grown)
    assert "Nothing fits." in visitor.see("/search?q=backups").text
    page = visitor.see("/search?q=backups&history=1")
    (link,) = [link for link in page.links if "at=" in link]
    assert "Backups run at 03:30." in visitor.see(link.partition("#")[0]).text


def test_search_says_what_it_did_not_look_into_and_what_lies_elsewhere(grown: Workspace, visit: Visit) -> None:
    grown.commit("Archive\n", {"memory/archive/2026-01-01.md": "# Archive\n\n- The boiler was serviced by the plumber in the cellar\n"})
    grown.commit("Mention\n", {"memory/a.md": "# A\n\n- The boiler\n"})
    (grown.path / "memory/link.md").symlink_to("../MEMORY.md")
    text = visit(grown).see("/search?q=boiler+serviced+plumber+cellar").text
    assert "Not searched: memory/link.md" in text
    assert "1 better match lies in the archive." in text


def test_memory_is_text_and_never_markup(grown: Workspace, visit: Visit) -> None:
    block = f"\n## Notes {EVIL}  <!-- src:agent ts:2026-12-20 -->\n\n- zebra {EVIL}\n"
    grown.commit(f"Write {EVIL}\n", {"MEMORY.md": grown.read("MEMORY.md") + block}, author="<b>Eve</b>\u202e <clawd@agents.example>")
    visitor = visit(grown)
    places = [
        "/",
        "/file?path=MEMORY.md",
        "/search?q=zebra",
        "/search?q=%3Cscript%3Ealert(1)%3C/script%3E+zebra",
        "/block?name=%3Cscript%3E",
    ]
    places += [link for link in visitor.see("/file?path=MEMORY.md").links if link.startswith("/block?name=MEMORY.md%23notes")]
    assert len(places) > 5
    for place in places:
        answer = visitor.get(place)
        assert answer.status_code in (200, 400)
        for raw in ("<script>alert", "<img", "\x1b", "\u202e", "<b>Eve"):
            assert raw not in answer.text, (place, raw)


def test_credentials_are_masked_on_every_page_and_in_no_address(grown: Workspace, visit: Visit) -> None:
    (inline,) = [layout for layout in layouts("ui") if layout.name == "inline"]
    (key,) = inline.values
    block = f"\n## Key {key}  <!-- src:agent ts:2026-06-05 ttl:30d -->\n\n- zebra key {key}\n- token:\n\n  {key}\n"
    grown.commit("Write\n", {"MEMORY.md": grown.read("MEMORY.md") + block, f"memory/{key}.md": f"# K\n\n- zebra {key}\n"})
    grown.commit("Again\n", {"MEMORY.md": grown.read("MEMORY.md").replace("zebra key", "zebra word")})
    visitor = visit(grown)
    slug = f"key-{key.lower()}"
    places = ["/", "/files", "/file?path=MEMORY.md", "/search?q=zebra", "/search?q=zebra&history=1", "/review/plan", f"/search?q={key}"]
    places += [f"/block?name={key}", f"/block?name=MEMORY.md%23{slug}", f"/file?path=memory/{key}.md", f"/review/proposal?name={key}"]
    for place in places:
        answer = visitor.get(place)
        assert answer.status_code in (200, 400), place
        assert key not in answer.text, place
        assert slug not in answer.text, place


def test_credentials_are_masked_in_every_layout(grown: Workspace, visit: Visit) -> None:
    found = layouts("ui")
    values = tuple(value for layout in found for value in layout.values)
    heads = ["src:agent ts:2026-01-01", "src:agent ts:2026-09-01 ttl:90d", "src:web ts:2026-12-01"]
    text = "".join(
        f"\n## {layout.name} <!-- {heads[number % 3]} -->\n\n- zebra {layout.name}\n\n{layout.text}\n"
        for number, layout in enumerate(found)
    )
    grown.commit("Write\n", {"MEMORY.md": grown.read("MEMORY.md") + text})
    visitor = visit(grown)
    places = ["/", "/file?path=MEMORY.md", "/review/plan", "/search?q=zebra", "/search?q=password+token+key+codes&n=100"]
    places += [f"/block?name=MEMORY.md%23{layout.name}" for layout in found]
    for place in places:
        answer = visitor.get(place)
        assert answer.status_code == 200, place
        assert leaked(answer.text, values) == [], place


def test_odd_names_are_found_again(grown: Workspace, visit: Visit) -> None:
    grown.commit(
        "Odd\n", {"memory/a b#c?d&e%.md": "# Odd\n\n- zebra\n", "memory/\u57fa\u7840.md": "# CJK\n\n- zebra\n"}, author=Workspace.agent
    )
    visitor = visit(grown)
    links = [link for link in visitor.see("/files").links if link.startswith("/file?path=memory/")]
    assert len(links) == 2
    for link in links:
        assert "zebra" in visitor.see(link).text


def test_a_link_among_the_files_is_named_and_the_others_are_shown(grown: Workspace, visit: Visit) -> None:
    grown.write("memory/a.md", "# A\n\n- zebra\n")
    (grown.path / "memory/link.md").symlink_to("../MEMORY.md")
    visitor = visit(grown)
    for place, words in (("/", "Not in what follows:"), ("/files", "Left out:")):
        text = visitor.see(place).text
        assert f"{words} memory/link.md cannot be read" in text
        assert "memory/a.md" in text
    assert "symlink" in visitor.see("/file?path=memory/link.md", 400).text


def test_a_file_of_no_class_and_bytes_that_are_no_text(grown: Workspace, visit: Visit) -> None:
    grown.commit("Data\n", {"memory/data.txt": b"zebra \xff\x00 end\n"})
    (grown.path / b"memory/od\xffd.md".decode("utf-8", "surrogateescape")).write_bytes(b"# Odd\n\n- zebra \xff\n")
    visitor = visit(grown)
    assert "is of no class of memory" in visitor.see("/file?path=memory/data.txt").text
    (link,) = [link for link in visitor.see("/files").links if "%FF" in link]
    assert "zebra \\udcff" in visitor.see(link).text


def test_names_of_blocks_are_the_repositorys_wherever_the_server_was_started(grown: Workspace, visit: Visit) -> None:
    grown.commit("Nested\n", {"memory/MEMORY.md": "# N\n\n## Web\n\n- another one\n"})
    page = visit(Repo(grown.path / "memory")).see("/block?name=MEMORY.md%23web")
    assert "The library is at version 3." in page.text


def test_what_git_or_the_policy_cannot_tell_is_an_error_and_no_empty_page(grown: Workspace, visit: Visit) -> None:
    visitor = visit(grown)
    grown.write(".hoard.yaml", "version: 1\nunknown_key: 1\n")
    for place in ("/", "/files", "/file?path=MEMORY.md", "/search?q=wiki"):
        assert "unknown_key" in visitor.see(place, 400).text


def test_a_fault_of_the_program_is_told_without_its_data(grown: Workspace, visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    visitor = visit(grown)

    def broken(*_: object) -> None:
        message = "zebra"
        raise RuntimeError(message)

    monkeypatch.setattr("hoard_git.cli.ui.files.measure", broken)
    page = visitor.see("/files", 500)
    assert "This is a fault in hoard itself." in page.text
    assert "hoard-crash-" in page.text
    assert "zebra" not in page.text


def test_a_workspace_without_memory_and_one_without_policy(repo: Repo, visit: Visit) -> None:
    repo.commit("Begin\n", {"MEMORY.md": ""})
    visitor = visit(repo)
    assert "No policy here." in visitor.see("/").text
    assert "The file is empty." in visitor.see("/file?path=MEMORY.md").text
    assert "Nothing fits." in visitor.see("/search?q=wiki").text
    assert "There is nothing to do." in visitor.see("/review/plan").text
    repo.commit("Empty\n", {"MEMORY.md": None})
    assert "There is no memory file yet." in visitor.see("/files").text


def test_every_page_has_landmarks_one_heading_and_labels(grown: Workspace, visit: Visit) -> None:
    visitor = visit(grown)
    for place in ("/", "/files", "/file?path=MEMORY.md", "/block?name=Web", "/search?q=wiki", "/review", "/review/plan", "/nowhere"):
        page = Visitor.see(visitor, place, 404 if place == "/nowhere" else 200)
        raw = visitor.get(place).text
        assert raw.count("<h1") == raw.count("<main") == 1, place
        assert raw.count("<header") == 1, place
        assert ("nav", "aria-label", "Pages") in page.attributes
        assert ("a", "href", "#main") in page.attributes
        labelled = {value for tag, name, value in page.attributes if (tag, name) == ("label", "for")}
        fields = {value for tag, name, value in page.attributes if tag in ("input", "select") and name == "id"} - {"all"}
        assert fields <= labelled, place


def test_a_name_that_is_a_secret_is_on_no_page_and_in_no_address(grown: Workspace, visit: Visit) -> None:
    token = "gh" + "p_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z12"
    page = "# Fleet <!-- src:agent ts:2026-06-01 -->\n\n- Two vans\n"
    grown.commit("Learn\n", {f"memory/{token}.md": page, f"wiki/{token}.md": page}, author=Workspace.agent)
    visitor = visit(grown)
    places = ["/", "/files", "/review", "/find?q=vans", "/block?name=Fleet", f"/file?path=memory/{token}.md", f"/file?path={token}"]
    for place in places:
        answer = visitor.get(place)
        assert leaked(answer.text, (token,)) == []
    assert "ghp_\u2026(40 characters).md" in visitor.see("/files").text
