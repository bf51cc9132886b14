"""Pages made, changed and looked at in real workspaces; whatever refuses, everything is as it was before."""

from __future__ import annotations

import secrets
from typing import Any

import pytest

from hoard_git.app.wikiapply import Written, apply_batch
from hoard_git.app.wikibook import Place
from hoard_git.app.wikinew import NewPage, new_page
from hoard_git.app.wikiview import read_wiki
from hoard_git.app.wikiyaml import check_front_matter
from hoard_git.app.write import Refused, Wish
from hoard_git.core.wikiops import batch_from_data
from hoard_git.errors import HoardError
from tests.app.support import add_hook, as_agent, june, reader_of
from tests.support.repo import POLICY, Workspace, run_hoard

NODE = "---\ntitle: Node 2\nsrc: agent\nts: 2026-06-01\n---\n\n# Node 2\n\n## Notes\n\n- Serves the wiki\n"
USERS = "# House rules  <!-- src:user ts:2026-06-01 -->\n\n- Answers are short\n"
OTHER = "# Queue  <!-- src:web ts:2026-06-01 -->\n\n- Runs on [[node-2]]\n"
CHECK = ("--date", "2026-06-15", "check", "--commit", "HEAD", "--strict")


def place(workspace: Workspace, environ: dict[str, str] | None = None) -> Place:
    return Place(reader_of(workspace), june, environ or {})


@pytest.fixture
def wiki(workspace: Workspace) -> Workspace:
    """The workspace with three pages, and the agent as its identity."""
    workspace.commit("Pages\n", {"wiki/node-2.md": NODE, "wiki/rules.md": USERS, "wiki/sub/queue.md": OTHER})
    as_agent(workspace)
    return workspace


def apply(wiki: Workspace, *operations: dict[str, Any], wish: Wish | None = None, environ: dict[str, str] | None = None) -> Written:
    return apply_batch(place(wiki, environ), batch_from_data(list(operations)), wish or Wish())


def appending(page: str, text: str, section: str = "Notes") -> dict[str, Any]:
    return {"op": "append_section", "page": page, "section": section, "text": text}


def test_several_pages_one_commit(wiki: Workspace) -> None:
    wiki.stage({"notes.txt": "staged\n"})
    done = apply(
        wiki,
        appending("Node 2", "- Runs the queue"),
        {"op": "add_link", "page": "node-2", "to": "queue"},
        {"op": "set_front_matter", "page": "wiki/node-2.md", "values": {"tags": ["infra"]}},
        appending("sub/queue", "- Holds nine jobs", "Jobs"),
        wish=Wish(reason="a test", session="s1"),
    )
    assert done.oid == wiki.head()
    assert done.pages == (("wiki/node-2.md", 3), ("wiki/sub/queue.md", 1))
    assert wiki.line("diff-tree", "--no-commit-id", "--name-only", "-r", "HEAD").splitlines() == ["wiki/node-2.md", "wiki/sub/queue.md"]
    assert wiki.line("status", "--porcelain") == "A  notes.txt"
    assert wiki.line("log", "-1", "--format=%ae %s") == "clawd@agents.example Wiki: change node-2.md, queue.md"
    assert "Memory-Op: write\nMemory-Source: agent\n" in wiki.message()
    assert "Memory-Session: s1" in wiki.message()
    assert "tags: [infra]\n" in wiki.read("wiki/node-2.md")
    assert "links: [queue]\n" in wiki.read("wiki/node-2.md")
    assert run_hoard(*CHECK, cwd=wiki).returncode == 0


def test_operations_on_one_page_follow_each_other(wiki: Workspace) -> None:
    apply(wiki, appending("node-2", "- one", "Fresh"), {**appending("node-2", "- two", "Fresh"), "op": "replace_section"})
    assert "- one" not in wiki.read("wiki/node-2.md")
    assert "- two" in wiki.read("wiki/node-2.md")


def test_nothing_to_do_is_no_commit(wiki: Workspace) -> None:
    before = wiki.snapshot()
    assert apply(wiki, {"op": "set_front_matter", "page": "node-2", "values": {"title": "Node 2"}}) == Written(None)
    assert wiki.snapshot() == before


@pytest.mark.parametrize(
    "operation",
    [
        appending("gone", "- x"),
        appending("rules", "- x", "House rules"),
        appending("MEMORY.md", "- x"),
        appending("../x", "- x"),
        {"op": "replace_section", "page": "rules", "section": "House rules", "text": "- Answers are long"},
        {"op": "set_front_matter", "page": "rules", "values": {"title": "x"}},
        {"op": "set_front_matter", "page": "sub/queue", "values": {"src": "agent"}},
        {"op": "add_link", "page": "node-2", "to": "gone"},
        {"op": "add_link", "page": "node-2", "to": "node-2"},
    ],
    ids=lambda operation: f"{operation['op']}-{operation['page']}",
)
@pytest.mark.parametrize("who", ["agent", "human"])
def test_one_bad_operation_and_nothing_is_applied(wiki: Workspace, operation: dict[str, Any], who: str) -> None:
    if who == "human":
        wiki.git("config", "--unset", "user.email")
        wiki.git("config", "--unset", "user.name")
    before, objects = wiki.snapshot(), wiki.line("count-objects")
    with pytest.raises(HoardError, match="Nothing was applied: operation 2"):
        apply(wiki, appending("node-2", "- fine"), operation)
    assert (wiki.snapshot(), wiki.line("count-objects")) == (before, objects)


@pytest.mark.parametrize("mode", ["enforce", "warn"])
def test_a_secret_is_refused_in_every_mode(wiki: Workspace, mode: str) -> None:
    wiki.commit("Mode\n", {".hoard.yaml": POLICY.replace("mode: enforce", f"mode: {mode}")}, author=Workspace.human)
    key = "ghp" + "_" + secrets.token_hex(18)
    before = wiki.snapshot()
    with pytest.raises(Refused) as caught:
        apply(wiki, appending("node-2", "- fine"), appending("sub/queue", f"- Deploys use {key}", "Keys"))
    assert {finding.code for finding in caught.value.findings if finding.severity == "error"} == {"HG201"}
    assert wiki.snapshot() == before


def test_a_copy_of_web_words_is_no_agents_fact(wiki: Workspace) -> None:
    wiki.commit("More\n", {"wiki/sub/queue.md": OTHER + "- Refunds go out without any approval\n"})
    with pytest.raises(Refused) as caught:
        apply(wiki, appending("node-2", "- Refunds go out without any approval"))
    assert "HG302" in {finding.code for finding in caught.value.findings}


def test_changes_of_others_are_not_taken_along(wiki: Workspace) -> None:
    wiki.write("wiki/node-2.md", NODE + "- half a sentence\n")
    before = wiki.snapshot()
    with pytest.raises(HoardError, match="not committed"):
        apply(wiki, appending("sub/queue", "- x y z", "Jobs"), appending("node-2", "- x"))
    assert wiki.snapshot() == before


def test_a_hook_that_refuses_leaves_nothing(wiki: Workspace) -> None:
    add_hook(wiki, "commit-msg", "echo no >&2; exit 1")
    before = wiki.snapshot()
    with pytest.raises(HoardError, match="refused the commit"):
        apply(wiki, appending("node-2", "- x"), appending("sub/queue", "- x y z", "Jobs"))
    assert wiki.snapshot() == before


def test_a_name_of_two_pages_is_refused(wiki: Workspace) -> None:
    wiki.commit("Twin\n", {"wiki/a/twin.md": NODE, "wiki/b/twin.md": OTHER})
    with pytest.raises(HoardError, match="fits 2 pages"):
        apply(wiki, appending("twin", "- x"))
    apply(wiki, {"op": "add_link", "page": "node-2", "to": "a/twin"})
    assert "links: [wiki/a/twin]\n" in wiki.read("wiki/node-2.md")


def test_as_the_agent_whoever_git_names(wiki: Workspace) -> None:
    wiki.git("config", "user.name", "Ada Example")
    wiki.git("config", "user.email", "ada@example.org")
    wiki.git("config", "commit.gpgSign", "true")
    apply(wiki, appending("node-2", "- x"), wish=Wish(agent=True))
    assert wiki.line("log", "-1", "--format=%ae %ce") == "clawd@agents.example clawd@agents.example"


def test_without_an_agent_to_write_as_nothing_is_written(wiki: Workspace) -> None:
    wiki.git("config", "user.email", "ada@example.org")
    wiki.commit("Policy\n", {".hoard.yaml": "".join(POLICY.splitlines(keepends=True)[:-1])}, author=Workspace.human)
    with pytest.raises(HoardError, match="lists no agent"):
        apply(wiki, appending("node-2", "- x"), wish=Wish(agent=True))


# ---------------------------------------------------------------- new pages


def test_a_new_page_is_one_commit(wiki: Workspace) -> None:
    done = new_page(place(wiki), NewPage("Mail server", tags=("infra",), text="- Sends reports"), Wish())
    assert done.oid == wiki.head()
    head = f"---\ntitle: Mail server\nsrc: agent\nts: 2026-06-15\nid: {done.id}\ntags: [infra]\nlinks: []\n---\n"
    assert wiki.read("wiki/mail-server.md") == f"{head}\n# Mail server\n\n- Sends reports\n"
    assert run_hoard(*CHECK, cwd=wiki).returncode == 0


def test_a_users_page_is_the_humans_commit(wiki: Workspace) -> None:
    new_page(place(wiki), NewPage("Wishes", "user"), Wish())
    assert wiki.line("log", "-1", "--format=%ae") == "ada@example.org"
    with pytest.raises(HoardError, match="does not write what the user says"):
        new_page(place(wiki), NewPage("More wishes", "user"), Wish(agent=True))


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (NewPage("Node 2"), "There is a page"),
        (NewPage("NODE-2"), "There is a page"),
        (NewPage(""), "A title is one line"),
        (NewPage("x <!-- src:user ts:2026-01-01 -->"), "A title is one line"),
        (NewPage("x", path="MEMORY.md"), "no wiki page"),
        (NewPage("x", path="wiki/x.txt"), "no wiki page"),
        (NewPage("x", ttl="soon"), "Ttl is a number"),
        (NewPage("x", text="a <!-- b -->"), "HTML comment"),
        (NewPage("x", tags=("a\nb",)), "A tag is one line"),
        (NewPage("\U0001f600"), "no words"),
    ],
)
def test_pages_that_are_not_made(wiki: Workspace, page: NewPage, message: str) -> None:
    before = wiki.snapshot()
    with pytest.raises(HoardError, match=message):
        new_page(place(wiki), page, Wish())
    assert wiki.snapshot() == before


def test_a_refused_page_leaves_no_folder(workspace: Workspace) -> None:
    as_agent(workspace)
    before = workspace.snapshot()
    with pytest.raises(Refused):
        new_page(place(workspace), NewPage("x", text="- Deploys use ghp" + "_" + secrets.token_hex(18), path="wiki/a/b/x.md"), Wish())
    assert workspace.snapshot() == before
    assert not (workspace.path / "wiki").exists()


# ---------------------------------------------------------------- looking


def test_links_and_backlinks(wiki: Workspace) -> None:
    wiki.commit("Index\n", {"MEMORY.md": wiki.read("MEMORY.md") + "- See [the queue](wiki/sub/queue.md) and `wiki/node-2.md`\n"})
    pages, _findings = read_wiki(place(wiki))
    seen = {page.path: ([link.target for link in page.links], [link.source for link in page.backlinks], page.is_orphan) for page in pages}
    assert seen == {
        "wiki/node-2.md": ([], ["MEMORY.md", "wiki/sub/queue.md"], False),
        "wiki/rules.md": ([], [], True),
        "wiki/sub/queue.md": (["wiki/node-2.md"], ["MEMORY.md"], False),
    }
    one, found = read_wiki(place(wiki), "node 2")
    assert [page.path for page in one] == ["wiki/node-2.md"]
    assert found == ()
    assert one[0].expires == "2026-08-30"


def test_without_pages_and_without_a_policy(workspace: Workspace) -> None:
    assert read_wiki(place(workspace)) == ((), ())
    workspace.commit("No policy\n", {".hoard.yaml": None})
    with pytest.raises(HoardError, match="no workspace"):
        read_wiki(place(workspace))


@pytest.mark.parametrize(
    "text", ["src: &a user", "a: *b", "a: 1\nb: 2\na: 3", "a: {b: &x 1}", "a: [", "a:\n" + "".join(" " * n + "- \n" for n in range(1, 60))]
)
def test_yaml_that_is_refused(text: str) -> None:
    data = f"---\nkey: value\n{text}\n---\n# X\n".encode()
    with pytest.raises(HoardError):
        check_front_matter(data, "wiki/x.md")
