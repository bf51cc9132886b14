"""Two clones and their agents edit, merge and rebase at random: no fact is lost, no trust is raised, every commit passes, both end alike."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from hoard_git.app.check import check_commits, find_range
from hoard_git.core.align import Side, units
from hoard_git.core.markdown import parse
from hoard_git.core.model import RANK
from hoard_git.gitio.mergedriver import ATTRIBUTES, install_driver
from hoard_git.gitio.plumbing import PlumbingReader
from tests.app.support import AS_AGENT, AS_HUMAN, june
from tests.support.environment import ROOT
from tests.support.repo import MEMORY, Repo, Workspace

PATHS = ("MEMORY.md", "memory/notes.md", "memory/2026-06-10.md")
NOTES = "# Notes <!-- src:agent ts:2026-06-05 -->\n\n## Web <!-- src:web ts:2026-06-05 -->\n\n- The mirror is slow.\n"
WORDS = ("node", "wiki", "backup", "mail", "port", "queue", "cache", "disk", "red", "blue", "green", "fast", "slow", "north")


class Loop:
    """The two clones, and what has been written so far: `alive` was never taken back, `highest` is the source that a text was written with."""

    def __init__(self, workspace: Workspace, folder: Path, seed: int) -> None:
        self.random = random.Random(seed)
        files = {".gitattributes": "".join(f"{line}\n" for line in ATTRIBUTES), "memory/notes.md": NOTES, PATHS[2]: "# 2026-06-10\n\n"}
        workspace.git("branch", "-M", "main")
        workspace.commit("Begin\n", files)
        self.root = workspace.head()
        workspace.git("clone", "-q", "--bare", ".", folder / "origin.git")
        self.clones = []
        for name in ("left", "right"):
            workspace.git("clone", "-q", folder / "origin.git", folder / name)
            clone = Repo(folder / name)
            install_driver(PlumbingReader(str(clone.path)), sys.executable, str(ROOT))
            self.clones.append(clone)
        self.count = 0
        self.written: set[str] = set()
        self.alive: set[str] = set()
        self.highest: dict[str, int] = {}
        self.done: dict[str, int] = {}
        for path in PATHS:
            for text, source in facts(self.clones[0], path).items():
                self.note(text, source)

    def note(self, text: str, source: str) -> None:
        self.written.add(text)
        self.alive.add(text)
        self.highest[text] = max(self.highest.get(text, 0), RANK[source])

    def phrase(self) -> str:
        self.count += 1
        return " ".join(self.random.choice(WORDS) for _ in range(self.random.randint(2, 6))) + f" k{self.count}"

    def step(self) -> None:
        clone = self.random.choice(self.clones)
        act = self.random.choice((self.edit,) * 5 + (self.merge,) * 2 + (self.rebase,) + (self.push,) * 2)
        act(clone)
        self.done[act.__name__] = self.done.get(act.__name__, 0) + 1

    def edit(self, clone: Repo) -> None:
        """One to three changes of entries that the author may change, in one commit."""
        human = self.random.random() < 0.15
        path = "MEMORY.md" if human else self.random.choice(PATHS)
        lines = clone.read(path).split("\n")
        known = set(self.written)
        # A fact that goes and a like one that comes in the same commit are an edit to the gate, which may be a raise.
        changes = (self.remove, self.reword) if self.random.random() < 0.3 else (self.add, self.add, self.reword, self.section)
        for _ in range(self.random.randint(1, 3)):
            self.random.choice(changes)(lines, human)
        clone.write(path, "\n".join(lines))
        self.written = known | {text for text in self.written - known if any(line.startswith(text) for line in lines)}
        clone.git("add", "--", path)
        clone.git("commit", "-q", "--allow-empty", "-m", "Edit", env=AS_HUMAN if human else AS_AGENT)

    def mine(self, lines: list[str], *, human: bool) -> dict[int, str]:
        """The lines of entries that an author may change, with their sources."""
        side = Side("memory/2026-06-10.md", "topic", parse("\n".join(lines).encode()))
        entries = [unit for unit in units(side)[1] if unit.kind == "item" and (unit.provenance.src == "user") is human]
        return {unit.line - 1: unit.provenance.src for unit in entries}

    def add(self, lines: list[str], human: bool) -> None:
        source = "user" if human else self.random.choice(("agent", "tool", "web"))
        mine = self.mine(lines, human=human)
        text = f"- {self.phrase()}"
        at = self.random.choice(list(mine)) + 1 if mine else len(lines) - 1
        lines.insert(at, f"{text} <!-- src:{source} ts:2026-06-{self.random.randint(10, 14)} -->")
        self.note(text, source)

    def reword(self, lines: list[str], human: bool) -> None:
        mine = self.mine(lines, human=human)
        if not mine:
            return
        at = self.random.choice(list(mine))
        text = lines[at].partition(" <!-- src:")[0]
        self.alive.discard(text)
        source = mine[at]
        fresh = f"{text} {self.random.choice(WORDS)} k{self.count + 1}"
        self.count += 1
        lines[at] = f"{fresh} <!-- src:{source} ts:2026-06-{self.random.randint(10, 14)} -->"
        self.written.add(fresh)
        self.highest[fresh] = max(self.highest.get(fresh, 0), RANK[source])

    def remove(self, lines: list[str], human: bool) -> None:
        mine = self.mine(lines, human=human)
        if len(mine) > 2:
            self.alive.discard(lines.pop(self.random.choice(list(mine))).partition(" <!-- src:")[0])

    def section(self, lines: list[str], human: bool) -> None:
        if human or self.random.random() < 0.6:
            return
        text = f"- {self.phrase()}"
        lines += [f"## {self.phrase()} <!-- src:tool ts:2026-06-12 -->", "", text, ""]
        self.note(text, "tool")

    def merge(self, clone: Repo) -> None:
        clone.git("fetch", "-q")
        clone.git("merge", "-q", "--no-edit", "origin/main", env=AS_AGENT)

    def rebase(self, clone: Repo) -> None:
        """Rebase; where that stops because both sides changed an entry, merge instead."""
        clone.git("fetch", "-q")
        if clone.git("rebase", "-q", "origin/main", env=AS_AGENT, check=False).returncode:
            clone.git("rebase", "--abort")
            self.merge(clone)
            self.done["stopped"] = self.done.get("stopped", 0) + 1

    def push(self, clone: Repo) -> None:
        clone.git("push", "-q", "origin", "HEAD:main", check=False)


def facts(repo: Repo, path: str) -> dict[str, str]:
    return {u.text: u.provenance.src for u in units(Side(path, "topic", parse(repo.read_bytes(path))))[1]}


@pytest.mark.parametrize(
    ("seed", "steps"), [(1, 40), pytest.param(2, 200, marks=pytest.mark.slow), pytest.param(3, 200, marks=pytest.mark.slow)]
)
def test_two_clones_converge(workspace: Workspace, tmp_path: Path, seed: int, steps: int) -> None:
    loop = Loop(workspace, tmp_path, seed)
    for _ in range(steps):
        loop.step()
    left, right = loop.clones
    for clone in (left, right, left):
        loop.merge(clone)
        loop.push(clone)
    assert left.line("rev-parse", "HEAD^{tree}") == right.line("rev-parse", "HEAD^{tree}")

    reader = PlumbingReader(str(left.path))
    commits = find_range(reader, f"{loop.root}..HEAD")
    report = check_commits(reader, commits, june, "range")
    assert [(f.code, f.commit[:8], f.path, f.message) for f in report.findings if f.severity == "error"] == []

    here: dict[str, str] = {}
    for path in PATHS:
        here |= facts(left, path)
    assert sorted(loop.alive - here.keys()) == []
    assert sorted(text for text, source in here.items() if RANK[source] > loop.highest[text]) == []
    assert sorted(here.keys() - loop.written) == []
    ever = left.git("log", "-p", "-m", "--format=", "--no-color", "--no-ext-diff", loop.root, "HEAD").stdout.decode()
    assert sorted(text for text in loop.written if text not in ever) == []
    assert loop.done["merge"] and loop.done["rebase"]
    assert MEMORY.split("\n", 1)[0] in left.read("MEMORY.md")
