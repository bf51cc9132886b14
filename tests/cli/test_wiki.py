from __future__ import annotations

import json
import secrets

import pytest

from tests.app.support import as_agent
from tests.support.repo import Workspace, run_hoard

NODE = "---\ntitle: Node 2\nsrc: agent\nts: 2026-06-01\ntags: [infra]\n---\n\n# Node 2\n\n- Serves [[queue]] and [[gone]]\n"
DAY = ("--date", "2026-06-15")


@pytest.fixture
def wiki(workspace: Workspace) -> Workspace:
    workspace.commit("Pages\n", {"wiki/node-2.md": NODE, "wiki/queue.md": "# Queue  <!-- src:agent ts:2026-06-01 -->\n\n- Nine jobs\n"})
    as_agent(workspace)
    return workspace


def test_show(wiki: Workspace) -> None:
    done = run_hoard(*DAY, "wiki", "show", "Node 2", cwd=wiki)
    assert done.stdout.decode().splitlines() == [
        "Node 2  (wiki/node-2.md)",
        "  src:agent ts:2026-06-01, fresh until 2026-08-30",
        "  tags: infra",
        "",
        "# Node 2",
        "",
        "- Serves [[queue]] and [[gone]]",
        "",
        "links to:",
        "  wiki/queue.md (line 10)",
        "",
        "Nothing links to this page.",
    ]
    data = json.loads(run_hoard(*DAY, "wiki", "show", "wiki/queue.md", "--json", cwd=wiki).stdout)
    assert (data["schema"], data["title"], data["orphan"]) == (1, "Queue", False)
    assert data["provenance"] == {"src": "agent", "ts": "2026-06-01", "ttl": "", "id": ""}
    assert data["backlinks"] == [{"path": "wiki/node-2.md", "kind": "wikilink", "line": 10, "column": 10}]


def test_links(wiki: Workspace) -> None:
    done = run_hoard(*DAY, "wiki", "links", cwd=wiki)
    assert done.stdout.decode().splitlines()[:5] == [
        "wiki/node-2.md  Node 2",
        "  -> wiki/queue.md (line 10)",
        "  nothing links to it",
        "wiki/queue.md  Queue",
        "  <- wiki/node-2.md (line 10)",
    ]
    data = json.loads(run_hoard(*DAY, "wiki", "links", "--json", cwd=wiki).stdout)
    assert [(page["path"], page["orphan"]) for page in data["pages"]] == [("wiki/node-2.md", True), ("wiki/queue.md", False)]
    assert [(one["code"], one["line"]) for one in data["broken"]] == [("HG802", 10)]


def test_lint(wiki: Workspace) -> None:
    done = run_hoard(*DAY, "wiki", "lint", cwd=wiki)
    assert done.returncode == 0
    assert "wiki/node-2.md:10:24: HG802 warning: there is no page gone" in done.stdout.decode()
    assert run_hoard(*DAY, "wiki", "lint", "--strict", cwd=wiki).returncode == 1
    assert run_hoard(*DAY, "wiki", "lint", "--strict", "wiki/queue.md", cwd=wiki).returncode == 0
    data = json.loads(run_hoard(*DAY, "wiki", "lint", "--json", cwd=wiki).stdout)
    assert {one["code"] for one in data["findings"]} == {"HG802", "HG803"}


def test_new_and_apply(wiki: Workspace) -> None:
    made = run_hoard(*DAY, "wiki", "new", "Mail", "--tag", "infra", "--text", "-", cwd=wiki, input="- Sends reports\n")
    assert (made.returncode, made.stdout.decode().split()[2]) == (0, "wiki/mail.md")
    operations = '{"operations": [{"op": "add_link", "page": "queue", "to": "Mail"}], "message": "Link them"}'
    done = run_hoard(*DAY, "wiki", "apply", "-", "--json", cwd=wiki, input=operations)
    data = json.loads(done.stdout)
    assert data == {"schema": 1, "commit": wiki.head(), "pages": [{"path": "wiki/queue.md", "operations": 1}], "findings": []}
    assert wiki.message().startswith("Link them\n")
    again = run_hoard(*DAY, "wiki", "apply", "-", cwd=wiki, input=operations)
    assert (again.returncode, again.stdout) == (0, b"")
    assert b"nothing was committed" in again.stderr


def test_what_a_replaced_section_said_can_be_restored(wiki: Workspace) -> None:
    wiki.commit("Load\n", {"wiki/node-2.md": NODE + "\n## Load\n\n- Five jobs an hour\n- The disk is full on Mondays\n"}, author=wiki.agent)
    operations = '[{"op": "replace_section", "page": "node-2", "section": "Load", "text": "- Nine jobs an hour"}]'
    assert run_hoard(*DAY, "wiki", "apply", "-", cwd=wiki, input=operations).returncode == 0
    assert "full on Mondays" not in wiki.read("wiki/node-2.md")
    done = run_hoard(*DAY, "restore", "The disk is full on Mondays", cwd=wiki)
    assert done.returncode == 0, done.stderr
    assert wiki.read("wiki/node-2.md").endswith("- Nine jobs an hour\n- The disk is full on Mondays <!-- src:agent ts:2026-06-01 -->\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "no JSON: line 1"),
        ('[{"op": "add_link", "op": "x"}]', "stands twice"),
        ("\xff", "no JSON"),
        ("[" * 100_000, "nested too deep"),
        ('[{"op": "delete_page", "page": "queue"}]', "Operation 1 is none of set_front_matter"),
    ],
)  # fmt: skip
def test_operations_that_cannot_be_read(wiki: Workspace, text: str, message: str) -> None:
    done = run_hoard("wiki", "apply", "-", cwd=wiki, input=text)
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert run_hoard("wiki", "apply", "absent.json", cwd=wiki).returncode == 2


def test_secrets_and_control_characters_never_show(workspace: Workspace) -> None:
    key = "ghp" + "_" + secrets.token_hex(18)
    text = f"---\ntitle: {key}\nsrc: agent\nts: 2026-06-01\ntags: [{key}]\n---\n# {key}\n\n- token {key} \x1b[2J [[{key}]] [x]({key}.md)\n"
    workspace.commit("Bad\n", {"wiki/x.md": text})
    for arguments in (["show", "x"], ["show", "x", "--json"], ["links"], ["links", "--json"], ["lint"], ["lint", "--json"]):
        done = run_hoard(*DAY, "wiki", *arguments, cwd=workspace)
        assert key not in (done.stdout + done.stderr).decode()
        assert b"\x1b" not in done.stdout
