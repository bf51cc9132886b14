"""The commands of README, tutorial and how-tos run as they stand, and README's session says what really comes out."""

from __future__ import annotations

import os
import re
import secrets
import shlex
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from hoard_git.cli.main import COMMANDS, group
from tests.support.environment import ROOT
from tests.support.repo import run

README = ROOT / "README.md"
PAGES = sorted([ROOT / "docs/tutorial/first-workspace.md", *(ROOT / "docs/how-to").glob("*.md")])

# Commands that a page announces as refused, and their exit status; every other one succeeds.
REFUSED = {
    "docs/tutorial/first-workspace.md": {
        'git commit -am "A rumour"': 1,
        'git commit -am "Faster releases"': 1,
        'hoard add "db password is Maple4471!x" --src agent': 1,
    },
    "docs/how-to/stay-within-the-window.md": {"hoard doctor": 1},
}
# What has happened before a page begins.
BEFORE = {
    "docs/how-to/judge-in-ci.md": [
        "cd ~/.openclaw/workspace",
        "hoard init",
        'hoard add "Backups run at 03:30" --src agent --file memory/backups.md',
        "git format-patch -1 --stdout > change.mbox",
        "git reset -q --hard HEAD~1",
    ],
    "docs/how-to/trace-a-fact.md": [
        "cd ~/.openclaw/workspace",
        "hoard init",
        "mkdir memory",
        (
            "printf '\\n## Infrastructure <!-- src:agent ts:2026-06-05 -->\\n\\n- deploys run at noon <!-- src:agent ts:2026-06-05 id:k3f9q2 -->\\n'"
            " | tee memory/a.md >> MEMORY.md"
        ),
        "sed -i 's/deploys run at noon.*/It listens on port 8080/' memory/a.md",
        'git add -A && git commit -qm "Infrastructure"',
    ],
    "docs/how-to/find-a-memory.md": [
        "cd ~/.openclaw/workspace",
        "hoard init",
        'hoard add "The boiler is serviced in May" --src agent --file memory/home.md',
        'for fact in "Backups run at 03:30" "The cat takes two pills a day" "Tea is at four"; do hoard add "$fact" --src agent; done',
    ],
    "docs/how-to/see-the-whole.md": ["cd ~/.openclaw/workspace", "hoard init"],
    "docs/how-to/keep-a-wiki.md": ["cd ~/.openclaw/workspace", "hoard init"],
    "docs/how-to/repair-trailers.md": [
        "cd ~/.openclaw/workspace",
        "hoard init",
        "git update-ref refs/remotes/origin/main HEAD",
        "printf '\\n## Plans <!-- src:agent ts:2026-06-05 -->\\n\\n- One\\n' >> MEMORY.md",
        'git commit -qam "No trailers" && git commit -q --amend --no-verify -m "None"',
    ],
    "docs/how-to/restore-a-fact.md": [
        "cd ~/.openclaw/workspace",
        "hoard init",
        "mkdir memory",
        (
            "printf '\\n## Hosts <!-- src:agent ts:2026-06-05 -->\\n\\n- Node-2 serves the wiki.\\n- Backups <!-- src:agent ts:2026-06-05 id:bkp234 -->\\n'"
            " >> MEMORY.md"
        ),
        "echo '- a log' | tee memory/2026-06-01.md > memory/2026-06-02.md",
        'git add -A && git commit -qm "Hosts"',
        "git tag 6a43b7e9ce",
        "sed -i '/Node-2/d;/Backups/d' MEMORY.md && git rm -qr memory",
        'git commit -qam "Drop the old hosts"',
    ],
}
BEFORE["docs/how-to/stay-within-the-window.md"] = [
    "cd ~/.openclaw/workspace",
    "hoard init",
    "seq -f '- fact %.0f of many that nobody has looked at in a long time' 500 >> MEMORY.md",
]
BEFORE |= {
    "docs/how-to/adopt-claude-code.md": [
        "mkdir -p ~/.claude/projects/-home-ada-app/memory && cd ~/.claude/projects/-home-ada-app/memory",
        "printf '# Memory\\n\\n- [Role](user_role.md): what the user does\\n' > MEMORY.md",
        "printf -- '---\\nname: role\\ndescription: what the user does\\ntype: user\\n---\\n\\nKeeps bees.\\n' > user_role.md",
    ],
    "docs/how-to/adopt-codex.md": ["mkdir ~/notes"],
    "docs/how-to/adopt-letta.md": [
        "mkdir -p ~/.letta/agents/agent-1/memory/system && cd ~/.letta/agents/agent-1/memory",
        "git init -q && printf '#!/bin/sh\\n! git diff --cached --name-only --diff-filter=ACM | grep -q ^forbidden\\n' > .git/hooks/pre-commit",
        "chmod +x .git/hooks/pre-commit",
        "printf -- '---\\ndescription: Who I am.\\n---\\n\\nI keep notes.\\n' > system/persona.md",
        "git add -A && git -c user.name=letta -c user.email=letta@agents.invalid commit -qm Start",
    ],
    "docs/how-to/adopt-cline.md": [
        "mkdir -p ~/app/memory-bank && cd ~/app && git init -q && echo 'print(1)' > app.py",
        "printf '# Brief\\n\\nAn app for bees.\\n' > memory-bank/projectbrief.md",
        "printf '# Now\\n\\n- The scanner is next.\\n' > memory-bank/activeContext.md",
        "git add -A && git commit -qm Start",
    ],
    "docs/how-to/adopt-backup-scripts.md": [
        "git init -q --bare ~/backup.git && cd ~/.openclaw/workspace && git init -q",
        "git remote add origin ~/backup.git && git config push.autoSetupRemote true",
    ],
    "docs/how-to/adopt-hook-managers.md": [
        "cd ~/.openclaw/workspace && git init -q && mkdir -p .husky/_ && git config core.hooksPath .husky/_ && touch .husky/_/h",
        "hoard init",
    ],
}
# Programs that are not this project's; what a page does with them is not run.
NOT_OURS = ("pip ", "pipx ", "pre-commit ", "lefthook ", "npx ", ".ci/")

OLD_MEMORY = "# Memory\n\n## Coffee\n\n- 2026-02-14: the grinder was cleaned\n- Beans come from the corner shop\n"


class Ran(NamedTuple):
    command: str
    status: int
    output: str


def consoles(text: str) -> list[str]:
    """The ```console blocks of a page."""
    return re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def commands(block: str) -> list[str]:
    return [line[2:] for line in block.splitlines() if line.startswith("$ ")]


def play(lines: list[str], home: Path, programs: Path) -> list[Ran]:
    """Run command lines in one shell, one after the other, as somebody at a terminal would; output and errors come together."""
    mark = f"mark-{secrets.token_hex(8)}"
    script = [f"cd {shlex.quote(str(home))}"]
    for line in lines:
        script += [f"{{ {line}\n}} 2>&1", f"printf '\\n{mark} %d\\n' $?"]
    env = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "HOME": str(home), "PAGER": "cat", "GIT_PAGER": "cat", "COLUMNS": "100"}
    done = run(["bash", "-c", "\n".join(script)], cwd=home, env=env)
    outputs = re.split(rf"\n{mark} (\d+)\n", done.stdout.decode())
    assert len(outputs) == 2 * len(lines) + 1, (done.stdout, done.stderr)
    return [Ran(line, int(outputs[2 * n + 1]), outputs[2 * n].rstrip("\n")) for n, line in enumerate(lines)]


def plain(text: str) -> str:
    """The text with everything that differs from run to run made equal: object names, ids, fingerprints, dates, masked values."""
    text = re.sub(r"\b[0-9a-f]{64}\b", "<digest>", text)
    text = re.sub(r"\bhgs1:[0-9a-f]{20}\b", "<fingerprint>", text)
    text = re.sub(r"\b[0-9a-f]{40}\b", "<oid>", text)
    text = re.sub(r"\b[0-9a-f]{7,12}\b", "<short>", text)
    text = re.sub(r"\b20[0-9]{2}-[0-9]{2}-[0-9]{2}\b", "<date>", text)
    return re.sub(r"(?<=> )[a-z2-9]{6}(?= [\w/]+\.md:)|(?<=add )[a-z2-9]{6}(?= )", "<id>", text)


def session() -> str:
    text = README.read_text(encoding="utf-8")
    return text.partition("<!-- session:start -->\n")[2].partition("<!-- session:end -->")[0]


def test_readme_is_short() -> None:
    assert README.read_text(encoding="utf-8").count("\n") <= 120


def test_the_session_says_what_comes_out(hermetic: Path, programs: Path) -> None:
    (block,) = consoles(session())
    ran = play(commands(block), hermetic, programs)

    real = "".join(f"$ {it.command}\n{it.output}\n" if it.output else f"$ {it.command}\n" for it in ran)
    assert plain(block) == plain(real)
    assert [it.status for it in ran].count(1) == 2  # a refused secret and a refused edit of a user's fact
    for part in ("HG201", "HG301", "Memory-Block: add"):
        assert part in block


def test_installing_as_readme_says(hermetic: Path, programs: Path) -> None:
    _prepare(hermetic)
    lines = [line for block in consoles(README.read_text(encoding="utf-8").replace(session(), "")) for line in commands(block)]
    ran = play([line for line in lines if not line.startswith(NOT_OURS)], hermetic, programs)

    assert [it for it in ran if it.status] == []
    assert "hoard init" in [it.command for it in ran]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_of_a_page_do_what_it_says(page: Path, hermetic: Path, programs: Path) -> None:
    _prepare(hermetic)
    lines = [line for block in consoles(page.read_text(encoding="utf-8")) for line in commands(block) if not line.startswith(NOT_OURS)]
    name = page.relative_to(ROOT).as_posix()
    ran = play([*BEFORE.get(name, ()), *lines], hermetic, programs)

    refused = REFUSED.get(name, {})
    assert [(it.command, it.status, it.output) for it in ran if it.status != refused.get(it.command, 0)] == []
    assert set(refused) <= set(lines)


@pytest.mark.parametrize(
    "page", [README, ROOT / "CHANGELOG.md", *PAGES, *(ROOT / "docs/explanation").glob("*.md")], ids=lambda page: page.stem
)
def test_options_in_the_text_exist(page: Path) -> None:
    """Every `hoard … --option` of a page, run or not, is one that the command has."""
    for name, rest in re.findall(rf"\bhoard ({'|'.join(COMMANDS)})\b([^`\n|;&]*)", page.read_text(encoding="utf-8")):
        words = re.split(r"\s#\s", rest)[0].split()
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            command = command.commands.get(words[0] if words else "", command)
        assert command is not None
        known = {option for parameter in command.params for option in parameter.opts} | {"--help"}
        assert {word for word in words if re.fullmatch(r"--[a-z][a-z-]*", word)} - known == set(), (name, rest)


def _prepare(home: Path) -> None:
    """The workspace that the pages speak of: files of an agent, no git yet."""
    workspace = home / ".openclaw/workspace"
    workspace.mkdir(parents=True)
    (workspace / "MEMORY.md").write_text(OLD_MEMORY, encoding="utf-8")
