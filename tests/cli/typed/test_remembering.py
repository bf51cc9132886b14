"""Hints about what is, was or shall be in memory: history, search, restoring and upkeep."""

from __future__ import annotations

import pytest

from tests.cli.typed.conftest import Carry
from tests.cli.typed.harness import Case
from tests.support.environment import AGENT
from tests.support.repo import MEMORY, Repo

OLD = "# Old <!-- src:agent ts:2025-01-01 ttl:30d -->\n\n- An old thing that was so.\n"
TEA = "# Tea <!-- src:agent ts:2026-06-05 -->\n\n- Tea is at four in the garden.\n"
AWKWARD = "memory/it's $5.md"


def old(repo: Repo) -> None:
    repo.commit("Old\n", {"memory/old.md": OLD, AWKWARD: TEA}, author=AGENT)


def old_and_change(repo: Repo) -> None:
    old(repo)
    repo.write("memory/old.md", OLD + "- Tea is at four.\n")


def branch_in_the_way(repo: Repo) -> None:
    old(repo)
    repo.git("branch", "hoard")


def merging(repo: Repo) -> None:
    old(repo)
    repo.git("switch", "-q", "-c", "other")
    repo.commit("Other\n", {AWKWARD: TEA.replace("four", "five")}, author=AGENT)
    repo.git("switch", "-q", "main")
    repo.commit("Ours\n", {AWKWARD: TEA.replace("four", "six")}, author=AGENT)
    repo.git("merge", "-q", "other", check=False)


def merged_by_hand(repo: Repo) -> None:
    merging(repo)
    repo.stage({AWKWARD: TEA.replace("four", "seven")})


def picking(repo: Repo) -> None:
    old(repo)
    repo.git("switch", "-q", "-c", "other")
    repo.commit("Other\n", {AWKWARD: TEA.replace("four", "five")}, author=AGENT)
    repo.git("switch", "-q", "main")
    repo.commit("Ours\n", {AWKWARD: TEA.replace("four", "six")}, author=AGENT)
    repo.git("cherry-pick", "other", check=False)


def picked_by_hand(repo: Repo) -> None:
    picking(repo)
    repo.stage({AWKWARD: TEA.replace("four", "seven")})
    repo.write("MEMORY.md", MEMORY + "- Tea is at four.\n")


def settle(repo: Repo) -> None:
    repo.write(AWKWARD, TEA)


def removed(repo: Repo) -> None:
    old(repo)
    repo.commit("Away\n", {AWKWARD: None, "memory/old.md": None}, author=AGENT)


def entry_removed(repo: Repo) -> None:
    repo.commit("More\n", {"memory/tea.md": TEA + "- Cups are blue and white.\n"}, author=AGENT)
    repo.commit("Less\n", {"memory/tea.md": TEA}, author=AGENT)


def entry_removed_and_change(repo: Repo) -> None:
    entry_removed(repo)
    repo.write("memory/tea.md", TEA.replace("four", "five"))


def removed_and_ignored(repo: Repo) -> None:
    removed(repo)
    repo.write(".gitignore", "memory/\n")


def no_text(repo: Repo) -> None:
    repo.write(AWKWARD, b"# T\n\n- caf\xe9\n")


def as_text(repo: Repo) -> None:
    repo.write(AWKWARD, "# T\n\n- café\n")


def a_folder(repo: Repo) -> None:
    (repo.path / "MEMORY.md").unlink()
    (repo.path / "MEMORY.md").mkdir()


def a_link(repo: Repo) -> None:
    old(repo)
    (repo.path / AWKWARD).unlink()
    (repo.path / AWKWARD).symlink_to("old.md")
    repo.commit("A link\n", {}, options=["-a"])


def lacks_trailers(repo: Repo) -> None:
    old(repo)


def on_a_remote(repo: Repo) -> None:
    old(repo)
    repo.git("clone", "-q", "--bare", str(repo.path), "../there.git")
    repo.git("remote", "add", "origin", "../there.git")
    repo.git("fetch", "-q", "origin")
    repo.git("branch", "-q", "--set-upstream-to=origin/main")


def detached(repo: Repo) -> None:
    old(repo)
    repo.git("switch", "-q", "--detach")


def on_another_branch(repo: Repo) -> None:
    repo.git("switch", "-q", "-c", "other")
    old(repo)
    repo.git("switch", "-q", "main")


def stale_lock(repo: Repo) -> None:
    repo.write("MEMORY.md", MEMORY + "- Tea is at four.\n")
    repo.write(".git/index.lock", "")


def bare(repo: Repo) -> None:
    there = repo.path.with_name("bare.git")
    repo.git("clone", "-q", "--bare", str(repo.path), str(there))
    repo.path = there


def strangers(repo: Repo) -> None:
    repo.git("switch", "-q", "--orphan", "other")
    repo.commit("Other\n")


ASKS = "hoard purge --plan -    (it asks for the value)"
NO_MATCH = "hoard log        one block, by its id, its heading or PATH#heading: hoard show BLOCK"
NOT_FOUND = "hoard log --text WORDS    behind another commit, such as one of git reflog: --from REV"
REMOTE = "If you may rewrite what others have fetched: hoard trailers --repair --force RANGE, then: git push --force-with-lease"
TO = "hoard restore {} --to memory/TOPIC.md"
LOCKED = "Let it end and run the command again. If no git process is running (ps -A | grep git), it is left over from a crash: rm {}"

CASES = [
    *Case("a log of nothing", "log 'no such thing'", NO_MATCH, works=False, fill={"BLOCK": "Infrastructure"}, shows="Node-2").everywhere(),
    Case("a log of no path", "log -- nothing.md", "hoard log", works=False, shows="Infrastructure"),
    Case(
        "a log since never",
        "log --since soon",
        "hoard log --{}=2026-06-01    or: hoard log --{}='2 weeks ago'",
        works=False,
        shows="Infrastructure",
    ),
    *Case("why nothing", 'why "it\'s nothing"', "hoard search --history {}", works=False).everywhere(),
    Case("why what search finds", "why 'nightly backups'", "hoard search --history {}", works=False, shows="Backups run at 03:30"),
    *Case(
        "show what is no block but words",
        "show 'Backups run'",
        "by its words: hoard log --text {}",
        works=False,
        shows="Backups run at 03:30",
    ).everywhere(),
    Case(
        "lines that are none",
        "blame MEMORY.md -L x",
        "hoard blame PATH -L 10,20",
        fill={"PATH": "MEMORY.md", "10,20": "3,5"},
        works=False,
        shows="Preferences",
    ),
    *Case("search for nothing", "search '!?'", "hoard search 'backup schedule'", works=False, shows="Backups").everywhere(),
    *Case(
        "get what is no memory",
        "get @notes.txt",
        "hoard get MEMORY.md        what counts as memory stands under memory: in .hoard.yaml",
        lambda repo: repo.write("notes.txt", "x"),
        works=False,
        shows="Backups",
    ).everywhere(),
    *Case("get what lies outside", "get ../other.md", "hoard get MEMORY.md", works=False, shows="Backups").everywhere()[:2],
    *Case("get a link", f'get "@{AWKWARD}@HEAD"', "git ls-tree {} -- {}", a_link, works=False, shows="120000").everywhere(),
    Case("a diff in a bare repository", "diff", "hoard diff --at HEAD", bare, works=False, shows="Infrastructure"),
    Case(
        "a diff of strangers",
        "diff main...other",
        "hoard diff A..B",
        strangers,
        fill={"A..B": "main..other"},
        works=False,
        shows="Infrastructure",
    ),
    *Case("restore nothing", "restore 'no such thing'", NOT_FOUND, works=False, fill={"WORDS": "Backups"}, shows="Backups").everywhere(),
    *Case(
        "restore a file elsewhere",
        f'restore "@{AWKWARD}" --to @memory/b.md',
        "hoard restore {} && git mv {} PATH",
        removed,
        fill={" PATH": " ./b.md"},
        works=False,
    ).everywhere(),
    *Case("restore to no memory", "restore 'Cups are blue' --to @notes.txt", TO, entry_removed, works=False).everywhere(),
    *Case(
        "restore beside a change", "restore 'Cups are blue'", "hoard commit {}, or see it: git diff HEAD -- {}", entry_removed_and_change
    ).everywhere(),
    *Case(
        "restore an ignored file",
        f'restore "@{AWKWARD}"',
        "take that line out of {}; or with it there:\ngit checkout {} -- {}\nhoard commit {}",
        removed_and_ignored,
        works=False,
        shows="committed memory/",
    ).everywhere(),
    *Case("tag what is no text", f'tag "@{AWKWARD}"', "Mend it, then: hoard tag {}", no_text, as_text).everywhere(),
    Case("tag no memory", "tag README.md", "git status", works=False, shows="On branch"),
    *Case("a folder for MEMORY.md", "check", "ls -la {}", a_folder, works=False, shows="total").everywhere(),
    Case("a step that is none", "consolidate --steps tidy", "hoard consolidate --steps {}    (known: {})", works=False),
    Case("apply and dry run", "consolidate --apply --dry-run", "hoard consolidate --dry-run", works=False),
    *Case("apply beside a change", "consolidate --apply", "hoard commit   (or without --apply: a proposal)", old_and_change).everywhere(),
    *Case("a branch in the way", "consolidate", "git branch -m {} NEW-NAME", branch_in_the_way, fill={"NEW-NAME": "aside"}).everywhere(),
    *Case(
        "apply within a merge",
        "consolidate --apply",
        "Finish or abort it first: git status",
        merging,
        works=False,
        shows="git merge --abort",
    ).everywhere(),
    *Case(
        "commit unmerged paths",
        "commit",
        "Resolve them, then: git add PATH",
        merging,
        settle,
        fill={"PATH": f"'{AWKWARD[:9]}'*"},
        works=False,
    ).everywhere()[:1],
    *Case(
        "commit within a merge", "commit", "how to finish or leave it: git status", merged_by_hand, works=False, shows="git commit"
    ).everywhere(),
    *Case(
        "commit within a cherry-pick",
        "commit",
        "how to finish or leave it: git status",
        picked_by_hand,
        works=False,
        shows="cherry-pick --abort",
    ).everywhere(),
    Case(
        "check unmerged paths",
        "check --staged",
        "Resolve them, then: git add PATH    how to leave it all: git status",
        merging,
        settle,
        fill={"PATH": f"'{AWKWARD[:9]}'*"},
    ),
    Case("trailers of an empty range", "trailers --repair HEAD..HEAD", "hoard trailers", lacks_trailers, works=False, statuses=(0, 1)),
    Case(
        "a repair of nothing",
        "trailers --repair",
        "all of this branch, shown first: hoard trailers --repair --dry-run HEAD",
        lacks_trailers,
        works=False,
        statuses=(0, 1),
    ),
    Case(
        "a repair within a merge",
        "trailers --repair HEAD",
        "Finish or abort it first: git status",
        merging,
        works=False,
        shows="git merge --abort",
    ),
    Case("a repair of what others have", "trailers --repair HEAD~1..HEAD", REMOTE, on_a_remote, fill={"RANGE": "HEAD~1..HEAD"}),
    Case(
        "a repair off a branch",
        "trailers --repair HEAD",
        "git switch BRANCH    or a new one: git switch -c NAME",
        detached,
        fill={"BRANCH": "main", "NAME": "fresh"},
    ),
    Case(
        "a repair of another branch",
        "trailers --repair other",
        "Switch to the branch that holds it, or end the range at HEAD: git branch --contains {}",
        on_another_branch,
        works=False,
        shows="other",
    ),
    *Case("a lock of git's", "commit", LOCKED, stale_lock, only=(1,)).everywhere(),
    Case(
        "a page that is memory",
        "report --out MEMORY.md",
        "hoard report --out FILE.html",
        fill={"FILE": "page"},
        works=False,
        shows="page.html",
    ),
    Case(
        "a page nowhere",
        "report --out nowhere/page.html",
        "hoard report --out FILE.html",
        fill={"FILE": "page"},
        works=False,
        shows="page.html",
    ),
    Case(
        "a baseline where a policy is",
        "init --baseline",
        "hoard tag && hoard commit",
        lambda repo: repo.write("memory/a.md", "- Tea is at four.\n"),
        works=False,
    ),
    Case("a fingerprint that is none", "purge --plan hgs1:12", "hoard check", works=False),
    Case("a value too short", "purge --plan abc", ASKS, works=False, typing="a value of ours\n", shows=""),
    Case(
        "a fingerprint and no salt",
        "purge --plan hgs1:" + "0" * 20,
        ASKS,
        works=False,
        typing="a value of ours\n",
        shows="",
    ),
]


@pytest.fixture(autouse=True)
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for no other git process: there is none."""
    monkeypatch.setattr("hoard_git.gitio.locks.PATIENCE", 0.1)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.name}-{case.where}".replace(" ", "-"))
def test_the_hint_works_when_typed(carry_out: Carry, case: Case) -> None:
    carry_out(case)
