"""Hints about where the memory is, who writes it, and what has to be in place first."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.typed.conftest import Carry
from tests.cli.typed.harness import OUTSIDE, Case
from tests.support.repo import MEMORY, POLICY, Repo
from tests.support.signing import make_key

ROOTS = POLICY + "memory: {roots: ['agents/a b', agents/c]}\n"


def nobody(_repo: Repo) -> None:
    Path(os.environ["GIT_CONFIG_GLOBAL"]).write_text("[user]\n\tuseConfigOnly = true\n")


def nobody_with_change(repo: Repo) -> None:
    nobody(repo)
    repo.write("MEMORY.md", MEMORY + "- Tea is at four.\n")


def a_stranger(repo: Repo) -> None:
    Path(os.environ["GIT_CONFIG_GLOBAL"]).write_text("[user]\n\tname = Eve\n\temail = eve@example.org\n")
    repo.write("MEMORY.md", MEMORY + "- Tea is at four.\n")


def prepared(repo: Repo) -> None:
    """What `hoard init --no-commit` leaves."""
    repo.write(".hoard.yaml", POLICY)
    repo.write("MEMORY.md", MEMORY)


def not_committed(repo: Repo) -> None:
    prepared(repo)
    repo.commit("Memory alone\n", {"MEMORY.md": MEMORY})


def just_a_folder(repo: Repo) -> None:
    (repo.path / ".git").rename(repo.path / "no-git")


def several(repo: Repo) -> None:
    repo.commit("Several\n", {".hoard.yaml": ROOTS, "agents/a b/MEMORY.md": MEMORY, "agents/c/MEMORY.md": MEMORY})


def below_only(repo: Repo) -> None:
    repo.commit("Below\n", {"my notes/.hoard.yaml": POLICY, "my notes/MEMORY.md": MEMORY, "MEMORY.md": MEMORY})


def a_key(repo: Repo) -> None:
    key = make_key(repo.path.parent, "key")
    assert key.private.exists()


def two_keys(repo: Repo) -> None:
    key = make_key(repo.path.parent, "key")
    (repo.path.parent / "key.pub").write_text(key.line + "\n" + key.line + "\n")


def key_of_another(repo: Repo) -> None:
    key = make_key(repo.path.parent, "key")
    repo.commit(
        "Policy\n",
        {".hoard.yaml": POLICY.replace("emails: [clawd@agents.example]}", f'emails: [clawd@agents.example], keys: ["{key.line}"]}}')},
    )


def shared_hooks(repo: Repo) -> None:
    repo.git("config", "core.bare", "true")
    repo.git("config", "--global", "core.hooksPath", str(repo.path.parent / "shared"))
    (repo.path.parent / "shared").mkdir()


def make_bare(repo: Repo) -> None:
    bare = repo.path.with_name("bare it's.git")
    repo.git("clone", "-q", "--bare", str(repo.path), str(bare))
    repo.path = bare


def bare_beside(repo: Repo) -> None:
    repo.git("clone", "-q", "--bare", str(repo.path), "../server.git")


def inside_git(repo: Repo) -> None:
    repo.path = repo.path / ".git"


def kept_hook(repo: Repo) -> None:
    hooks = repo.path / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("pre-commit", "pre-commit.hoard-chained"):
        (hooks / name).write_text("#!/bin/sh\n")
        (hooks / name).chmod(0o755)


MAKE = "mkdir -p -m 700 ~/.ssh && ssh-keygen -t ed25519 -f ~/.ssh/hoard"
MAKE_KEY = f"{MAKE}, then: hoard init --sign-key ~/.ssh/hoard.pub"
TWO_WAYS = (
    'git config --global user.email "you@example.org" && git config --global user.name "Your Name"\n'
    'or: hoard init --human "Your Name <you@example.org>"'
)
IN_A_CLONE = "git clone {} ../workspace && cd ../workspace && {}\nto guard what is pushed here: hoard hooks install --server"

CASES = [
    Case("no repository", "status", "make a workspace: hoard init", just_a_folder, template="repo"),
    Case("no repository", "status", "make a workspace: hoard init", just_a_folder, template="repo", where=OUTSIDE),
    Case("no workspace to write to", "add Salt --src agent", "hoard init", template="repo"),
    Case("no workspace to write to", "add Salt --src agent", "hoard init", template="repo", where=OUTSIDE),
    Case("no workspace for pages", "wiki new Salt", "hoard init", template="repo"),
    Case("no commit for a log", "log", "hoard init", template="repo"),
    Case("no commit for a log of what is prepared", "log", "hoard init", prepared, template="repo"),
    Case("no commit to consolidate", "consolidate", "hoard init", prepared, template="repo"),
    Case("no policy to verify by", "verify", "hoard commit --human .hoard.yaml", not_committed, template="repo"),
    Case("no commit to repair", "trailers --repair main", "hoard init", prepared, template="repo"),
    Case("no commit to check", "check --commit HEAD", "hoard init", prepared, template="repo"),
    Case("no commit for pages in a browser", "ui", "hoard init", template="repo", works=False),
    Case("nobody here, told to git", "init", TWO_WAYS, nobody, template="repo", only=(0,)),
    Case("nobody here, told to hoard", "init", TWO_WAYS, nobody, template="repo", only=(1,)),
    Case(
        "nobody here, and a change",
        "commit",
        'git config user.email "you@example.org" && git config user.name "Your Name"',
        nobody_with_change,
    ),
    Case(
        "a person without address",
        "init --human Ada",
        'hoard init --{} "Ada Example <ada@example.org>"',
        template="repo",
        works=False,
        shows="committed",
    ),
    Case(
        "one address for two",
        "init --human 'A <a@b.example>' --agent 'B <a@b.example>'",
        'hoard init --human "Your Name <you@example.org>" --agent "clawd <clawd@agents.example>"',
        template="repo",
        works=False,
        shows="committed",
    ),
    Case(
        "a stranger's commit, who is somebody else",
        "commit --human",
        "If you are one of them, say so once: {}\nIf not, one of them lists you: hoard rule HG307",
        a_stranger,
        only=(0,),
    ),
    Case(
        "a stranger's commit, who is nobody else",
        "commit --human",
        "If you are one of them, say so once: {}\nIf not, one of them lists you: hoard rule HG307",
        a_stranger,
        only=(1,),
        works=False,
        shows="HG307",
    ),
    Case(
        "a folder that cannot be made",
        "init MEMORY.md",
        "hoard init DIR",
        fill={"DIR": "elsewhere"},
        works=False,
        shows="next: hoard check",
    ),
    Case(
        "several workspaces, to write to",
        "add Salt --src agent",
        "hoard add … --file {}",
        several,
        fill={"…": "Salt --src agent"},
        works=False,
        shows="agents/a b/MEMORY.md:",
    ),
    Case(
        "several workspaces, to write to",
        "add Salt --src agent",
        "hoard add … --file {}",
        several,
        fill={"…": "Salt --src agent"},
        works=False,
        shows="agents/a b/MEMORY.md:",
        where=OUTSIDE,
    ),
    Case(
        "several workspaces, for a page",
        "wiki new Salt",
        "hoard wiki new TITLE --file {}wiki/NAME.md",
        several,
        fill={"TITLE": "Salt", "NAME": "salt"},
        works=False,
        shows="agents/a b/wiki/salt.md",
    ),
    Case(
        "several workspaces, to begin a session",
        "context",
        "hoard -C DIR context    where DIR is one of {}",
        several,
        fill={"DIR": "'agents/a b'"},
        works=False,
        shows="Backups",
    ),
    Case(
        "several workspaces, to begin a session",
        "context",
        "hoard -C DIR context    where DIR is one of {}",
        several,
        fill={"DIR": "'agents/a b'"},
        works=False,
        shows="Backups",
        where=OUTSIDE,
    ),
    Case(
        "a workspace further below",
        "add Salt --src agent",
        "hoard -C {} add …        or make one here: hoard init",
        below_only,
        fill={"…": "Salt --src agent"},
        only=(0,),
        works=False,
        shows="my notes/MEMORY.md",
        template="repo",
    ),
    Case(
        "a workspace further below, and one here",
        "add Salt --src agent",
        "hoard -C {} add …        or make one here: hoard init",
        below_only,
        only=(1,),
        template="repo",
    ),
    Case("no key there", "init --sign-key nothing.pub", MAKE_KEY, works=False, shows=""),
    Case("a key that is two", "init --sign-key ../key.pub", MAKE_KEY, two_keys, works=False),
    Case("a private key", "init --sign-key ../key", "hoard init --sign-key {}", a_key, works=False),
    Case("a key of somebody else", "init --sign-key ../key.pub", f"Make another key: {MAKE}", key_of_another, works=False),
    Case(
        "a server's hook in a work tree",
        "hooks install --server",
        "hoard -C PATH/TO/REPOSITORY.git hooks install --server",
        bare_beside,
        fill={"PATH/TO/REPOSITORY.git": "../server.git"},
        works=False,
    ),
    Case("a server's hooks that are shared", "hooks install --server", "Give it hooks of its own: {}", shared_hooks),
    Case("a bare repository, to work in", "status", IN_A_CLONE, make_bare, only=(0,), works=False, shows="MEMORY.md"),
    Case("a bare repository, to guard", "check", IN_A_CLONE, make_bare, only=(1,), works=False, shows="pre-receive"),
    Case("inside of .git", "status", "cd {} && {}", inside_git, works=False, shows="MEMORY.md"),
    Case(
        "a hook beside one that was kept",
        "hooks install",
        "Decide which of them to keep, move the other away: ls -l {}",
        kept_hook,
        works=False,
        shows="pre-commit.hoard-chained",
    ),
    Case("no such directory", "-C nowhere status", "hoard -C DIR …", fill={"DIR …": ". status"}, works=False, shows="MEMORY.md"),
    Case("a typing slip", "stauts", "Did you mean: {} {}", works=False, shows="MEMORY.md"),
    Case("no word of ours", "xyzzy", "{} --help", works=False, shows="Set up"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.name}-{case.where}".replace(" ", "-"))
def test_the_hint_works_when_typed(carry_out: Carry, case: Case) -> None:
    carry_out(case)
