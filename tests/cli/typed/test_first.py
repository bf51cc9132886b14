"""The hints that most people meet: a fact to write, a file to commit, a name that is not there."""

from __future__ import annotations

import pytest

from tests.cli.typed.conftest import Carry
from tests.cli.typed.harness import Case
from tests.support.repo import MEMORY, Repo

TOPIC = "# Tea <!-- src:agent ts:2026-06-05 -->\n\n- Tea is at four.\n"
AWKWARD = 'memory/it\'s $5 "a\\b".md'


def dirty(repo: Repo) -> None:
    repo.write("MEMORY.md", MEMORY + "- Tea is at four.\n")


def untagged(repo: Repo) -> None:
    repo.write("MEMORY.md", MEMORY.replace("\n## Pref", "\n- Tea is at four.\n\n## Pref"))


def topic(repo: Repo) -> None:
    repo.commit("Tea\n", {"memory/tea.md": TOPIC, AWKWARD: TOPIC.replace("Tea", "Salt")})


def removed_topic(repo: Repo) -> None:
    topic(repo)
    repo.commit("No tea\n", {"memory/tea.md": None, AWKWARD: None})


def ignored(repo: Repo) -> None:
    repo.write(".gitignore", "memory/\n")
    repo.write(AWKWARD, TOPIC)
    repo.write("memory/tea.md", TOPIC)


def linked_folder(repo: Repo) -> None:
    (repo.path / "it's elsewhere").mkdir()
    (repo.path / "memory").symlink_to("it's elsewhere")


QUOTED = "@'" + AWKWARD.replace("'", "'\\''") + "'"
NOT_MEMORY = "hoard rule HG412    (what counts stands under memory: in .hoard.yaml; without it MEMORY.md and memory/*.md)"

CASES = [
    *Case("nothing to commit", "commit -m x", "git status", works=False, shows="nothing to commit").everywhere(),
    *Case(
        "a link for a folder",
        "add Salt --src agent --file @memory/tea.md",
        "see where it points: ls -l {}",
        linked_folder,
        works=False,
        shows="->",
    ).everywhere()[:2],
    Case("two forms at once", "log --json --format agent-trace", "hoard log --format agent-trace", works=False, shows='"version"'),
    *Case("no memory file", "commit @notes.txt", NOT_MEMORY, works=False, shows="HG412").everywhere(),
    *Case(
        "commit ignored",
        "commit @memory/tea.md",
        "take that line out of {}; or with it there:\ngit add -f -- {}\nhoard commit {}",
        ignored,
        works=False,
        shows="committed memory/tea.md",
    ).everywhere(),
    Case("only ignored ones", "commit", "git check-ignore -v {}", ignored, works=False, shows=".gitignore:1:memory/"),
    *Case("check what is not there", "check @memory/tae.md", "git status", topic, works=False, shows="On branch").everywhere(),
    *Case(
        "add beside a change", "add 'Salt' --src agent", "hoard commit {}        untagged lines first: hoard tag {}", dirty, only=(0,)
    ).everywhere(),
    Case(
        "add beside an untagged line",
        "add 'Salt' --src agent",
        "hoard commit {}        untagged lines first: hoard tag {}",
        untagged,
        only=(1,),
        works=False,
        shows="added 1 tag",
    ),
    *Case(
        "add to no memory",
        "add 'Salt' --src agent --file @notes.txt",
        "hoard add … --file memory/TOPIC.md",
        fill={"…": "'Salt' --src agent"},
        works=False,
        shows="memory/TOPIC.md:",
    ).everywhere(),
    *Case(
        "add to an ignored file",
        f"add 'Salt' --src agent --file {QUOTED}",
        "take that line out of {}; or with it there:\nhoard add \u2026 --file MEMORY.md",
        ignored,
        fill={"\u2026": "'Salt' --src agent"},
        works=False,
        shows="MEMORY.md:",
    ).everywhere(),
    *Case("an empty fact", "add '' --src agent", "hoard add 'Backups run at 03:30' --src agent", works=False, shows="").everywhere(),
    Case("a fact of two lines", "add 'a\nb' --src agent", "hoard add 'Backups run at 03:30' --src agent", works=False),
    Case("a bad ttl", "add Salt --src agent --ttl 09d", "hoard add --help", works=False, shows="--ttl"),
    *Case("blame a folder", "blame @memory", "hoard log -- {}", topic, works=False, shows="tea.md").everywhere(),
    *Case("blame no lines", f"blame {QUOTED} -L 9,12", "hoard blame {} -L 1,{}", topic, works=False, shows="Salt").everywhere(),
    *Case(
        "blame what is gone",
        f"blame {QUOTED}",
        "the commit that removed it, for --at COMMIT~: hoard log -n 5 -- {}",
        removed_topic,
        works=False,
        shows="remove",
    ).everywhere(),
    *Case(
        "blame what never was", "blame @memory/none.md", "what is not committed yet: git status", works=False, shows="On branch"
    ).everywhere(),
    *Case("diff of a path", f"diff {QUOTED}", "hoard log -n 5 -- {}", topic, works=False, shows="Salt").everywhere(),
    *Case("show a file", f"show {QUOTED}", "hoard log -- {}", topic, works=False, shows="Salt").everywhere(),
    *Case("show nothing", "show 'it'\\''s Backups'", "by its words: hoard log --text {}", works=False, statuses=(2,)).everywhere(),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.name}-{case.where}".replace(" ", "-"))
def test_the_hint_works_when_typed(carry_out: Carry, case: Case) -> None:
    carry_out(case)
