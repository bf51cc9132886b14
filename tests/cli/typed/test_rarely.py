"""Hints that few people meet: pages, odd files, refused commits, a repository of somebody else."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.typed.conftest import Carry
from tests.cli.typed.harness import Case
from tests.support.nextsteps import commands_in_hint
from tests.support.repo import MEMORY, Repo, Workspace, run, run_hoard

PAGE = "---\ntitle: Node 2\nsrc: agent\nts: 2026-06-01\n---\n\n# Node 2\n\n## Notes\n\n- Runs the queue\n"
NAME = "wiki/it's node $2.md"


def operations(repo: Repo, *found: dict[str, object]) -> None:
    repo.write("operations.json", json.dumps(list(found)))


def appended(repo: Repo) -> None:
    operations(repo, {"op": "append_section", "page": NAME, "section": "Notes", "text": "- Tea"})


def page(repo: Repo) -> None:
    repo.commit("Page\n", {NAME: PAGE})
    appended(repo)


def page_and_change(repo: Repo) -> None:
    page(repo)
    repo.write(NAME, PAGE + "- Tea at four\n")


def bad_front_matter(repo: Repo) -> None:
    repo.commit("Page\n", {NAME: PAGE.replace("title: Node 2", "title: [Node 2")})
    operations(repo, {"op": "set_front_matter", "page": NAME, "values": {"title": "Node two"}})


def read_otherwise(repo: Repo) -> None:
    repo.commit("Page\n", {NAME: PAGE.replace("ts:", "note: tea\xa0\nts:")})
    operations(repo, {"op": "set_front_matter", "page": NAME, "values": {"tags": ["a"]}})


def in_quotes(repo: Repo) -> None:
    repo.commit("Quotes\n", {NAME: PAGE.replace("ts:", "note: tea\nts:")})


def untagged_page(repo: Repo) -> None:
    repo.commit("Page\n", {NAME: PAGE.replace("src: agent\nts: 2026-06-01\n", "")})
    operations(repo, {"op": "set_front_matter", "page": NAME, "values": {"ttl": "30d"}})


def with_source(repo: Repo) -> None:
    repo.write(NAME, PAGE)


def raised_page(repo: Repo) -> None:
    untagged_page(repo)
    operations(repo, {"op": "set_front_matter", "page": NAME, "values": {"src": "agent"}})


def users_page(repo: Repo) -> None:
    repo.commit("Page\n", {NAME: PAGE.replace("src: agent", "src: user")})
    operations(repo, {"op": "set_front_matter", "page": NAME, "values": {"title": "Node two"}})


def change_it(repo: Repo) -> None:
    repo.write(NAME, PAGE.replace("src: agent", "src: user").replace("title: Node 2", "title: Node two"))


def users_section(repo: Repo) -> None:
    repo.commit("Page\n", {NAME: PAGE.replace("- Runs the queue", "- Runs the queue <!-- src:user ts:2026-06-01 -->")})
    operations(repo, {"op": "replace_section", "page": NAME, "section": "Notes", "text": "- Tea"})


def change_section(repo: Repo) -> None:
    repo.write(NAME, PAGE.replace("- Runs the queue", "- Runs the wiki <!-- src:user ts:2026-06-01 -->"))


def for_the_user(repo: Repo) -> None:
    page(repo)
    operations(repo, {"op": "append_section", "page": NAME, "section": "Notes", "text": "- Tea", "src": "user"})


def ignored_pages(repo: Repo) -> None:
    repo.write(".gitignore", "wiki/\n")


def pipe(repo: Repo) -> None:
    (repo.path / "MEMORY.md").unlink()
    os.mkfifo(repo.path / "MEMORY.md")


def linked_user(repo: Repo) -> None:
    (repo.path / "USER.md").symlink_to("elsewhere.md")


def bad_host(repo: Repo) -> None:
    repo.write("openclaw.json", "{")


def good_host(repo: Repo) -> None:
    repo.write("openclaw.json", "{}")


def cannot_sign(repo: Repo) -> None:
    repo.write("MEMORY.md", MEMORY + "- Tea is at four.\n")
    for key, value in {"commit.gpgsign": "true", "gpg.format": "ssh", "user.signingkey": "/nowhere/key"}.items():
        repo.git("config", key, value)


def refusing(repo: Repo) -> None:
    hook = repo.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)


def refusing_with_change(repo: Repo) -> None:
    refusing(repo)
    repo.write("MEMORY.md", MEMORY + "- Tea is at four.\n")


def fetched_in_part(repo: Repo) -> None:
    repo.commit("Tea\n", {"memory/tea.md": "# Tea <!-- src:agent ts:2026-06-05 -->\n\n- Tea is at four.\n"})
    repo.commit("Salt\n", {"memory/tea.md": "# Tea <!-- src:agent ts:2026-06-05 -->\n\n- Salt is at four.\n"})
    repo.git("config", "uploadpack.allowFilter", "true")
    there = repo.path.with_name("in part")
    repo.git("clone", "-q", "--filter=blob:none", f"file://{repo.path}", str(there))
    repo.path.rename(repo.path.with_name("away"))
    repo.path = there


def online(repo: Repo) -> None:
    repo.path.with_name("away").rename(repo.path.with_name("the workspace"))


def of_another(_repo: Repo) -> None:
    os.environ["GIT_TEST_ASSUME_DIFFERENT_OWNER"] = "1"


def large(repo: Repo) -> None:
    repo.write("memory/large it's.md", "# L <!-- src:agent ts:2026-06-05 -->\n\n" + "- word\n" * 60_000)


SIGNING = "Is the key at hand (ssh-add KEY), and was it touched? To leave the signature out, where no policy asks for it: git config --local commit.gpgsign false\n{}"
PAGE_FILE = "hoard wiki new TITLE --file wiki/NAME.md"
TITLED = {"TITLE": "Tea", "NAME": "tea"}
APPLY = "wiki apply @operations.json"

CASES = [
    *Case(
        "a page that is there", f'wiki new Node --file "@{NAME}"', "hoard wiki show {}", page, works=False, shows="Runs the queue"
    ).everywhere(),
    *Case("no page at all", "wiki new Tea --file @tea.md", PAGE_FILE, fill=TITLED, works=False, shows="wiki/tea.md").everywhere(),
    Case("a title without words", "wiki new '!?'", PAGE_FILE, fill=TITLED, works=False, shows="wiki/tea.md"),
    *Case(
        "a page that is ignored",
        f'wiki new Node --file "@{NAME}"',
        "git check-ignore -v {}",
        ignored_pages,
        works=False,
        shows=".gitignore:1:wiki/",
    ).everywhere(),
    Case("a page without a title", "wiki new ''", "hoard wiki new 'Node 2'", works=False, shows="wiki/node-2.md"),
    Case("a page with a bad ttl", "wiki new Tea --ttl 09d", "hoard wiki new --help", works=False, shows="--ttl"),
    Case(
        "a page with a bad tag",
        "wiki new Tea --tag ''",
        "hoard wiki new TITLE --tag infra --tag hosts",
        fill=TITLED,
        works=False,
        shows="wiki/tea.md",
    ),
    *Case(
        "no such page",
        "wiki show nothing-like-it",
        "The pages: hoard wiki links        a new one: hoard wiki new TITLE",
        page,
        fill=TITLED,
        works=False,
        shows="wiki/tea.md",
    ).everywhere(),
    *Case("no operations", "wiki apply @none.json", "ls -la {}", works=False, shows="MEMORY.md").everywhere(),
    Case("operations that are no JSON", "wiki apply MEMORY.md", "hoard wiki apply --help", works=False, shows="append_section"),
    *Case("a page with changes", APPLY, "hoard commit {}", page_and_change).everywhere(),
    *Case(
        "front matter that is bad", APPLY, "Mend it first: hoard check {}", bad_front_matter, works=False, statuses=(1,), shows="HG804"
    ).everywhere(),
    *Case(
        "front matter that YAML reads otherwise", APPLY, "Put the text in quotes: hoard check {}", read_otherwise, in_quotes
    ).everywhere(),
    *Case(
        "a page without a source", APPLY, "Write src and ts into its front matter, then: hoard commit {}", untagged_page, with_source
    ).everywhere(),
    Case("a page whose source is raised", APPLY, "Untagged pages: hoard tag", raised_page, works=False, shows="added 1 tag"),
    Case("the user's page", APPLY, "The user changes it: hoard commit --human", users_page, change_it, works=False, shows="committed"),
    Case(
        "the user's section",
        APPLY,
        "Append a section of your own, or let the user change it: hoard commit --human",
        users_section,
        change_section,
        works=False,
        shows="committed",
    ),
    Case(
        "a page for the user",
        APPLY,
        "the user says it: hoard add TEXT --src user",
        for_the_user,
        fill={"TEXT": "Tea"},
        works=False,
        shows="MEMORY.md",
    ),
    *Case("a pipe for MEMORY.md", "check", "ls -l {}", pipe, works=False, shows="MEMORY.md").everywhere(),
    Case(
        "a name that is too long",
        f"add Tea --src agent --file memory/{'a' * 300}.md",
        "ls -ld {}",
        lambda repo: repo.write("memory/a.md", ""),
        works=False,
        shows="memory",
    ),
    *Case(
        "a group and a file that nobody can read",
        "context --session group",
        "hoard doctor        by yourself: hoard context",
        linked_user,
        works=False,
        statuses=(0, 1),
        shows="Backups",
    ).everywhere(),
    *Case("a commit that cannot be signed", "commit", SIGNING, cannot_sign).everywhere(),
    *Case("a commit that a hook refuses", "commit", "git status", refusing_with_change, works=False, shows="MEMORY.md").everywhere(),
    Case(
        "a beginning that a hook refuses",
        "init",
        "hoard init --no-commit\n{}",
        refusing,
        template="repo",
        works=False,
        shows="wrote MEMORY.md",
    ),
    *Case(
        "a clone in part", "log", "Go online and fetch the missing objects: git fetch --refetch --no-filter", fetched_in_part, online
    ).everywhere(),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.name}-{case.where}".replace(" ", "-"))
def test_the_hint_works_when_typed(carry_out: Carry, case: Case) -> None:
    carry_out(case)


TOO_LARGE = Case(
    "a file that is too large", "check", "Move it out of the memory: mv {} NEW-PLACE", large, fill={"NEW-PLACE": "../large.md"}
)


@pytest.mark.parametrize("case", TOO_LARGE.everywhere(), ids=lambda case: case.where)
def test_a_file_that_is_too_large(carry_out: Carry, case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoard_git.gitio.worktree.MAX_BYTES", 1 << 17)
    carry_out(case)


OF_OTHERS = Case(
    "a repository of somebody else", "log", "If you trust this repository: git config --global --add safe.directory {}", of_another
)


@pytest.mark.parametrize("case", OF_OTHERS.everywhere(), ids=lambda case: case.where)
def test_a_repository_of_somebody_else(carry_out: Carry, case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "0")
    carry_out(case)


def test_a_hosts_broken_configuration(workspace: Workspace, programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only hoard doctor and hoard status say this one, beside other things."""
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    bad_host(workspace)
    said = run_hoard("doctor", "--json", cwd=workspace).stdout
    fix = next(check["fix"] for check in json.loads(said)["checks"] if check["name"] == "host-config")
    again, look = commands_in_hint(fix)
    assert run(["sh", "-c", look], cwd=workspace).returncode == 0
    good_host(workspace)
    assert b"JSON5" not in run(["sh", "-c", again], cwd=workspace).stdout
