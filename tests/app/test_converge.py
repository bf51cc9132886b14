"""Two clones and their agents edit, merge and rebase at random: no fact is lost, no trust is raised, every state passes, both end alike.

python -m tests.app.test_converge [SEED…]     run these seeds, 200 steps each, and say what was done
"""

from __future__ import annotations

import random
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest

from hoard_git.app.check import check_commits, find_range
from hoard_git.app.netresult import ends_of_range
from hoard_git.core.align import Side, units
from hoard_git.core.markdown import parse
from hoard_git.core.model import RANK
from hoard_git.gitio.mergedriver import ATTRIBUTES, install_driver
from hoard_git.gitio.plumbing import PlumbingReader
from tests.app.support import AS_AGENT, AS_HUMAN, june
from tests.support.environment import ROOT, seal_process
from tests.support.repo import MEMORY, Repo, Workspace, run_hoard

PATHS = ("MEMORY.md", "memory/notes.md", "memory/2026-06-10.md")
NOTES = "# Notes <!-- src:agent ts:2026-06-05 -->\n\n## Web <!-- src:web ts:2026-06-05 -->\n\n- The mirror is slow.\n"
WORDS = ("node", "wiki", "backup", "mail", "port", "queue", "cache", "disk", "red", "blue", "green", "fast", "slow", "north")


class Loop:
    """The two clones, and what has been written so far.

    `highest` is the source that a text was written with, `before` what a reworded text was, `gone` the first wordings of facts that somebody
    deleted. After every step the clone is judged: its new commits and their net result by the gate, its facts against those it came from.
    """

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
        self.before: dict[str, str] = {}
        self.gone: set[str] = set()
        self.judged = 0
        self.highest: dict[str, int] = {}
        self.done: dict[str, int] = {}
        for path in PATHS:
            for text, source in facts(self.clones[0], path).items():
                self.note(text, source)

    def note(self, text: str, source: str) -> None:
        self.written.add(text)
        self.highest[text] = max(self.highest.get(text, 0), RANK[source])

    def phrase(self) -> str:
        self.count += 1
        return " ".join(self.random.choice(WORDS) for _ in range(self.random.randint(2, 6))) + f" k{self.count}"

    def step(self) -> None:
        clone = self.random.choice(self.clones)
        act = self.random.choice((self.edit,) * 5 + (self.merge,) * 2 + (self.rebase, self.crossed) + (self.push,) * 2)
        since = clone.head()
        act(clone)
        self.done[act.__name__] = self.done.get(act.__name__, 0) + 1
        self.judge(clone, since)

    def judge(self, clone: Repo, since: str) -> None:
        """`hoard check --range` on what is new in a clone, and every source against what the text was written with.

        After a rebase the question is a push's: what comes on top of the origin.
        """
        reader = PlumbingReader(str(clone.path))
        grown = clone.git("merge-base", "--is-ancestor", since, "HEAD", check=False).returncode == 0
        text = f"{since if grown else 'origin/main'}..HEAD"
        report = check_commits(reader, find_range(reader, text), june, text, ends=ends_of_range(reader, text))
        assert [(f.code, f.commit, f.path, f.message) for f in report.findings if f.severity == "error"] == []
        self.judged += report.commits
        here = all_facts(clone)
        assert sorted(text for text, source in here.items() if RANK[source] > self.highest[text]) == []
        assert sorted(here.keys() - self.written) == []

    def wordings(self, text: str) -> Iterator[str]:
        """Yield the text, then what it was before each rewording."""
        yield text
        while text in self.before:
            text = self.before[text]
            yield text

    def first(self, text: str) -> str:
        return list(self.wordings(text))[-1]

    def find_lost(self, sides: set[str], after: set[str], base: set[str]) -> list[str]:
        """The texts of either side that are missing after they came together, for no reason that the table of docs/explanation/merging.md knows.

        A fact that somebody deleted may be gone. Of two wordings that are both new since `base`, the facts that both sides come from, one may stay;
        a rebase makes a second commit of a rewording, and what was reworded on from the first stands against it. What the base has gives way.
        """
        return sorted(text for text in sides - after if self.first(text) not in self.gone and not self._is_replaced(text, after, base))

    def _is_replaced(self, text: str, after: set[str], base: set[str]) -> bool:
        first, older = self.first(text), set(self.wordings(text)) & base
        return any(self.first(other) == first and other not in older for other in after)

    def joined(self, clone: Repo, other: str) -> tuple[set[str], set[str]]:
        """The facts of a clone and of another revision, and those of what both come from."""
        bases = clone.line("merge-base", "--all", "HEAD", other).split()
        base = set.intersection(*(set(all_facts(clone, oid)) for oid in bases))
        return set(all_facts(clone)) | set(all_facts(clone, other)), base

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
        source = mine[at]
        fresh = f"{text} {self.random.choice(WORDS)} k{self.count + 1}"
        self.count += 1
        lines[at] = f"{fresh} <!-- src:{source} ts:2026-06-{self.random.randint(10, 14)} -->"
        self.written.add(fresh)
        self.before[fresh] = text
        self.highest[fresh] = max(self.highest.get(fresh, 0), RANK[source])

    def remove(self, lines: list[str], human: bool) -> None:
        mine = self.mine(lines, human=human)
        if len(mine) > 2:
            self.gone.add(self.first(lines.pop(self.random.choice(list(mine))).partition(" <!-- src:")[0]))

    def section(self, lines: list[str], human: bool) -> None:
        if human or self.random.random() < 0.6:
            return
        text = f"- {self.phrase()}"
        lines += [f"## {self.phrase()} <!-- src:tool ts:2026-06-12 -->", "", text, ""]
        self.note(text, "tool")

    def merge(self, clone: Repo) -> None:
        clone.git("fetch", "-q")
        sides, base = self.joined(clone, "origin/main")
        clone.git("merge", "-q", "--no-edit", "origin/main", env=AS_AGENT)
        assert self.find_lost(sides, set(all_facts(clone)), base) == []

    def rebase(self, clone: Repo) -> None:
        """Rebase; where that stops because both sides changed an entry, merge instead."""
        clone.git("fetch", "-q")
        sides, base = self.joined(clone, "origin/main")
        if clone.git("rebase", "-q", "origin/main", env=AS_AGENT, check=False).returncode:
            clone.git("rebase", "--abort")
            self.merge(clone)
            self.done["stopped"] = self.done.get("stopped", 0) + 1
        assert self.find_lost(sides, set(all_facts(clone)), base) == []

    def crossed(self, clone: Repo) -> None:
        """Merge straight from the other clone, past the origin: later merges have several bases."""
        other = self.clones[clone is self.clones[0]]
        clone.git("fetch", "-q", other.path, "+HEAD:refs/crossed")
        sides, base = self.joined(clone, "refs/crossed")
        clone.git("merge", "-q", "--no-edit", "refs/crossed", env=AS_AGENT)
        assert self.find_lost(sides, set(all_facts(clone)), base) == []

    def push(self, clone: Repo) -> None:
        clone.git("push", "-q", "origin", "HEAD:main", check=False)


def facts(repo: Repo, path: str, revision: str = "HEAD") -> dict[str, str]:
    return {u.text: u.provenance.src for u in units(Side(path, "topic", parse(repo.show(revision, path))))[1]}


def all_facts(repo: Repo, revision: str = "HEAD") -> dict[str, str]:
    """The texts of all files with their sources; of two that are alike the more trusted counts."""
    here: dict[str, str] = {}
    for path in PATHS:
        for text, source in facts(repo, path, revision).items():
            if text not in here or RANK[source] > RANK[here[text]]:
                here[text] = source
    return here


def run_seed(workspace: Workspace, folder: Path, seed: int, steps: int) -> Loop:
    """Do the steps, bring both clones together, and hold the end to what was written."""
    loop = Loop(workspace, folder, seed)
    for _ in range(steps):
        loop.step()
    left, right = loop.clones
    for clone in (left, right, left):
        since = clone.head()
        loop.merge(clone)
        loop.push(clone)
        loop.judge(clone, since)
    assert left.line("rev-parse", "HEAD^{tree}") == right.line("rev-parse", "HEAD^{tree}")
    done = run_hoard("--date", "2026-06-15", "check", "--range", f"{loop.root}..HEAD", cwd=left)
    assert done.returncode == 0, done.stdout

    here = all_facts(left)
    firsts = {loop.first(text) for text in here}
    assert sorted(text for text in loop.written if loop.first(text) not in firsts | loop.gone) == []
    assert loop.done["merge"] and loop.done["rebase"] and loop.done["crossed"]
    assert MEMORY.split("\n", 1)[0] in left.read("MEMORY.md")
    return loop


@pytest.mark.parametrize(
    ("seed", "steps"), [(1, 40), pytest.param(2, 200, marks=pytest.mark.slow), pytest.param(3, 200, marks=pytest.mark.slow)]
)
def test_two_clones_converge(workspace: Workspace, tmp_path: Path, seed: int, steps: int) -> None:
    run_seed(workspace, tmp_path, seed, steps)


def test_a_loss_is_seen(workspace: Workspace, tmp_path: Path) -> None:
    loop = Loop(workspace, tmp_path, 1)
    loop.note("- one", "agent")
    loop.before |= {"- one b": "- one", "- one c": "- one"}
    base = {"- one"}
    assert loop.find_lost({"- one"}, set(), base) == ["- one"]
    assert loop.find_lost({"- one b", "- one c"}, {"- one c"}, base) == []
    assert loop.find_lost({"- one b", "- one"}, {"- one"}, base) == ["- one b"]
    loop.gone.add("- one")
    assert loop.find_lost({"- one"}, set(), base) == []


def main(seeds: list[str]) -> None:
    """Run seeds by hand."""
    for seed in seeds or map(str, range(1, 21)):
        with tempfile.TemporaryDirectory(prefix="hoard-converge-") as folder:
            home = Path(folder, "home")
            home.mkdir()
            seal_process(home)
            try:
                loop = run_seed(Workspace.create(Path(folder, "workspace")), Path(folder), int(seed), 200)
            except AssertionError:
                print(f"seed {seed}:\n{traceback.format_exc()}", flush=True)
            else:
                print(f"seed {seed}: {loop.done}, {len(loop.written)} texts, {loop.judged} commits judged", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
