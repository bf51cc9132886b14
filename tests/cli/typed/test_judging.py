"""Hints about what cannot be judged: revisions, patches, policies, pins and witnesses."""

from __future__ import annotations

import gzip

import pytest

from tests.cli.typed.conftest import Carry
from tests.cli.typed.harness import Case
from tests.support.repo import MEMORY, POLICY, Repo

TEA = "# Tea <!-- src:agent ts:2026-06-05 -->\n\n- Tea is at four.\n"


def shallow(repo: Repo) -> None:
    repo.commit("Tea\n", {"memory/tea.md": TEA})
    there = repo.path.with_name("a shallow one")
    repo.git("clone", "-q", "--depth=1", f"file://{repo.path}", str(there))
    repo.path = there


def pushed(repo: Repo) -> None:
    repo.git("clone", "-q", "--bare", str(repo.path), "../there.git")
    repo.git("remote", "add", "origin", "../there.git")
    repo.git("fetch", "-q", "origin")
    repo.git("branch", "-q", "--set-upstream-to=origin/main")


def ahead_there(repo: Repo) -> None:
    pushed(repo)
    repo.git("clone", "-q", "../there.git", "../other")
    other = Repo(repo.path.with_name("other"))
    other.commit("Tea\n", {"memory/tea.md": TEA})
    other.git("push", "-q")


def unreachable(repo: Repo) -> None:
    pushed(repo)
    repo.path.with_name("there.git").rename(repo.path.with_name("gone.git"))


def no_diff(repo: Repo) -> None:
    repo.write("MEMORY.md", MEMORY + "- Tea is at four.\n")
    repo.write("change.patch", "This is a letter.\n")


def binary(repo: Repo) -> None:
    repo.write("MEMORY.md", MEMORY + "- Tea\0 is at four.\n")
    repo.write("change.patch", repo.git("diff", "--binary").stdout)


def another_base(repo: Repo) -> None:
    repo.write("MEMORY.md", MEMORY + "- Tea is at four.\n")
    repo.write("change.patch", repo.git("diff").stdout.replace(b"Backups run at 03:30", b"Backups never run"))


def bad_key(repo: Repo) -> None:
    repo.write(".hoard.yaml", POLICY + "acters: []\n")


def bad_rule(repo: Repo) -> None:
    repo.write(".hoard.yaml", POLICY + "rules: {HG999: off}\n")


def good_policy(repo: Repo) -> None:
    repo.write(".hoard.yaml", POLICY)


def broken_head(repo: Repo) -> None:
    repo.write("good", repo.head())
    repo.write(".git/refs/heads/main", "1" * 40 + "\n")


def cut_off(repo: Repo) -> None:
    """A commit-graph file in which the tip has the first commit as its parent, and not the one between."""
    first = repo.head()
    for number in range(2):
        repo.commit("More\n", {"memory/tea.md": f"{TEA}- Cup {number}.\n"})
    repo.git("commit-graph", "write", "--reachable")
    path = repo.path / ".git/objects/info/commit-graph"
    raw = bytearray(path.read_bytes())
    at = raw.index(bytes.fromhex(repo.head("HEAD^{tree}"))) + 20
    raw[at : at + 4] = sorted(repo.line("rev-list", "HEAD").split()).index(first).to_bytes(4, "big")
    path.chmod(0o644)
    path.write_bytes(raw)
    if repo.line("rev-list", "--count", "HEAD") != "2":
        pytest.skip("this git does not take the changed file")


def short_pin(repo: Repo) -> None:
    repo.git("config", "hoard.root", repo.head()[:12])


def short_pin_everywhere(repo: Repo) -> None:
    repo.git("config", "--global", "hoard.root", repo.head()[:12])


def pin_without_policy(repo: Repo) -> None:
    stray = repo.line("commit-tree", repo.line("mktree"), "-m", "Nothing")
    repo.git("config", "hoard.root", stray)


def foreign_pin(repo: Repo) -> None:
    repo.git("config", "hoard.root", "1" * 40)


def damaged_witness(repo: Repo) -> None:
    repo.path.with_name("it's a witness").write_text("rubbish\n")


def file_like_a_ref(repo: Repo) -> None:
    pushed(repo)
    repo.write("origin/main", "x")


def broken_rules(repo: Repo) -> None:
    repo.write(".gitleaks.toml", '[extend]\npath = "base.toml"\n')


def untracked_base(repo: Repo) -> None:
    repo.write("base $1.toml", 'title = "base"\n')
    repo.stage({".gitleaks.toml": '[extend]\npath = "base $1.toml"\n'})


def damaged_gzip(repo: Repo) -> None:
    repo.commit("Archive\n", {"memory/archive/it's old.md.gz": gzip.compress(TEA.encode())[:-12]}, options=["--no-verify"])


PATCH = "git diff --no-color --no-ext-diff > change.patch"
SHALLOW = "git fetch --unshallow"
MEND_PIN = "Names that are cut short can be made to fit another commit; the first policy's: {}"
NEW_WITNESS = "Take it from a backup. To begin anew, knowing that what it remembered is lost: mv {} {}.damaged"

CASES = [
    *Case("a shallow clone, a commit", "check --commit HEAD", SHALLOW, shallow).everywhere(),
    Case("a shallow clone, a log", "log", SHALLOW, shallow),
    Case("a shallow clone, signatures", "verify", SHALLOW, shallow),
    Case("a shallow clone, trailers", "trailers HEAD", SHALLOW, shallow),
    Case("a shallow clone, a purge", "purge --plan 'some value of ours'", SHALLOW, shallow),
    Case("a shallow clone, an older commit", "get MEMORY.md@HEAD~1", SHALLOW, shallow),
    Case("a shallow clone, a witness", "verify --witness ../seen", SHALLOW, shallow),
    *Case(
        "no such revision", "check --commit v9", "List what there is: git log --oneline --all | head", works=False, shows="Introduce"
    ).everywhere(),
    Case(
        "a broken HEAD",
        "log",
        "Run `git fsck`, then point HEAD at a good commit: git update-ref HEAD COMMIT",
        broken_head,
        fill={"COMMIT": "$(cat good)"},
        statuses=(0, 2),
    ),
    *Case("no patch there", "check --patch @none.patch", "ls -la {}", works=False, shows="MEMORY.md").everywhere(),
    Case("a patch that is a folder", "check --patch .git", "ls -ld {}", works=False, shows=".git"),
    Case("no patch but a letter", "check --patch change.patch", PATCH, no_diff),
    Case("a binary patch", "check --patch change.patch", "git diff --text", binary, works=False, shows="+- Tea"),
    Case(
        "a patch of another base",
        "check --patch change.patch",
        "git apply --check FILE",
        another_base,
        fill={"FILE": "change.patch"},
        works=False,
        statuses=(1,),
        shows="patch does not apply",
    ),
    *Case(
        "a report over memory", "check --report sarif=MEMORY.md", "hoard check --report {}=FILE", fill={"FILE": "out.sarif"}, works=False
    ).everywhere(),
    Case("no such rule", "rule HG999", "hoard rule", works=False, shows="HG101"),
    *Case("a policy with a slip", "check", "Mend {}{}, then: hoard check", bad_key, good_policy).everywhere(),
    Case("a policy with a rule that is none", "check", "hoard rule", bad_rule, works=False, shows="HG101"),
    Case("a history cut off", "verify", "Compare with a full clone, and look for what changes history here: {}", cut_off),
    Case("a pin cut short", "verify --root 1234", MEND_PIN, works=False, shows=""),
    Case("a pin cut short, in this repository", "verify", MEND_PIN, short_pin),
    Case("a pin cut short, everywhere", "verify", MEND_PIN, short_pin_everywhere),
    Case("a pin where no policy begins", "verify", "git config --{} --unset-all {} && hoard verify", pin_without_policy),
    Case(
        "a pin of another history",
        "verify",
        "Compare with a clone that you trust: git log --diff-filter=A --format=%H -- .hoard.yaml",
        foreign_pin,
        works=False,
    ),
    *Case("a witness without a folder", "verify --witness '../no one/seen'", "mkdir -p {}").everywhere()[:2],
    Case(
        "a witness in the repository",
        "verify --witness seen",
        "Keep it where the agent cannot write, such as another account's folder: hoard verify --witness /path/outside/NAME",
        fill={"/path/outside/NAME": "../seen"},
        works=False,
    ),
    *Case("a damaged witness", 'verify --witness "../it\'s a witness"', NEW_WITNESS, damaged_witness).everywhere()[:2],
    Case(
        "nothing to accept",
        "verify --witness origin/main --accept",
        "hoard verify --witness FILE --accept",
        pushed,
        fill={"FILE": "../seen"},
        works=False,
    ),
    Case("no such branch there", "verify --witness origin/tea", "git ls-remote {}", pushed, works=False, shows="refs/heads/main"),
    Case("a commit that is only there", "verify --witness origin/main", "git fetch {}", ahead_there),
    Case(
        "a remote that is gone",
        "verify --witness origin/main",
        "git ls-remote {}",
        unreachable,
        works=False,
        statuses=(128,),
        shows="there.git",
    ),
    Case("rules that are not committed", "check --staged", "git add -- {}", untracked_base),
    Case("a damaged archive", "check --commit HEAD", "gzip -t -- {}", damaged_gzip, works=False, statuses=(1,), shows="it's old.md.gz"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.name}-{case.where}".replace(" ", "-"))
def test_the_hint_works_when_typed(carry_out: Carry, case: Case) -> None:
    carry_out(case)
