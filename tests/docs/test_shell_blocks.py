"""The ```sh blocks of the how-tos run as they stand, with what a page leaves open put in: a real commit, a real block, an empty passphrase."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.docs.test_readme import Ran, play
from tests.support.environment import ROOT
from tests.support.repo import Repo

HOW_TO = ROOT / "docs/how-to"
ELSEWHERE = {"adopt-backup-scripts.md", "ci-plain-script.md", "purge-a-leaked-value.md"}
"""Pages whose blocks other tests of this folder run."""

HERE = {"pin-the-root.md", "sign-the-users-facts.md"}


def blocks(name: str) -> list[str]:
    text = (HOW_TO / name).read_text(encoding="utf-8")
    return re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def lines_of(name: str) -> list[str]:
    """Every line of the blocks, without what is said behind it."""
    return [re.split(r"\s{2,}#", line)[0] for block in blocks(name) for line in block.splitlines()]


def failed(ran: list[Ran]) -> list[Ran]:
    return [it for it in ran if it.status]


def test_every_page_with_such_a_block_is_run() -> None:
    assert {page.name for page in HOW_TO.glob("*.md") if blocks(page.name)} == ELSEWHERE | HERE


def test_pinning_the_root(hermetic: Path, programs: Path) -> None:
    before = [
        "git init -q --bare there.git && hoard init notes && cd notes",
        "git remote add origin ../there.git && git push -qu origin main",
        "mkdir ~/witness",
    ]
    lines = [line.replace("4f2a91c03d12…", "$(git rev-parse HEAD)") for line in lines_of("pin-the-root.md")]

    ran = play([*before, *lines, "hoard check --range HEAD"], hermetic, programs)

    assert failed(ran) == []
    assert Repo(hermetic / "notes").head()[:12] in ran[3].output


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="OpenSSH is not installed")
def test_signing(hermetic: Path, programs: Path) -> None:
    (hermetic / ".ssh").mkdir(mode=0o700)
    lines = lines_of("sign-the-users-facts.md")
    make, init, human, restore, by_hand, agent, verify, second, bens, new = lines
    assert [human, by_hand, agent] == ["hoard commit --human", "git commit -S", "hoard commit"]
    today = "$(date +%F)"

    def fact(text: str, source: str) -> str:
        return f'printf -- "- {text} <!-- src:{source} ts:{today} -->\\n" >> MEMORY.md'

    ran = play(
        [
            f"{make} -q -N ''",
            "hoard init notes && cd notes",
            init,
            fact("Tea at four", "user"),
            human,
            fact("Node-2 is up", "agent"),
            agent,
            "sed -i '/Node-2/d' MEMORY.md && hoard commit",
            restore.replace("BLOCK", "'Node-2 is up'"),
            fact("No sugar", "user"),
            f"git add -A && {by_hand} -q -m 'By hand' --author='Ada Example <ada@example.org>'",
            verify,
            "ssh-keygen -t ed25519 -f ~/.ssh/ben -q -N '' && cp ~/.ssh/ben.pub .",
            second,
            # Ben has a home of his own.
            "rm ben.pub; mkdir ~/ben && cp -r ~/.ssh ~/ben/ && export ADA=$HOME HOME=$HOME/ben",
            "git config --global user.name 'Ben Sample' && git config --global user.email ben@example.org",
            "git clone -q . ~/notes && cd ~/notes",
            bens,
            fact("Ben is in", "user"),
            human,
            "hoard verify",
            "export HOME=$ADA && cd ~/notes && git pull -q ~/ben/notes",
            "ssh-keygen -t ed25519 -f ~/.ssh/new -q -N ''",
            new,
            "hoard check --range HEAD",
        ],
        hermetic,
        programs,
    )
    assert failed(ran) == []
