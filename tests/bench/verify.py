"""How fast `hoard verify` is: `python tests/bench/verify.py [COMMITS]`, one signed change of a user's fact in each commit.

Prints a table in markdown, start of the program included.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.timing import hoard, installed, measure, program, table
from tests.support.environment import hermetic_environment
from tests.support.repo import MEMORY, Repo
from tests.support.signed import Signed
from tests.support.signing import make_key, put_signature, raw_commit, sshsig


def build(folder: Path, commits: int) -> Repo:
    """A line of commits, written as raw objects; every tenth is an agent's and unsigned."""
    ada, bot = make_key(folder, "ada"), make_key(folder, "bot")
    repo = Signed.introduce(folder / "repo", ada, bot)
    policy = repo.line("ls-tree", "HEAD", ".hoard.yaml")
    head, _, _message = raw_commit(repo).decode().partition("\n\n")
    people = [line for line in head.split("\n") if line.startswith(("author", "committer"))]
    parent = repo.head()
    for number in range(commits):
        agent = number % 10 == 9
        text = MEMORY.replace("Tuesdays", f"day {number - agent}")
        text = text.replace("03:30", f"03:30 and {number}") if agent else text
        blob = repo.git("hash-object", "-w", "--stdin", input=text).stdout.decode().strip()
        tree = repo.git("mktree", input=f"{policy}\n100644 blob {blob}\tMEMORY.md\n").stdout.decode().strip()
        raw = "\n".join([f"tree {tree}", f"parent {parent}", *people, "", f"Change {number}\n"]).encode()
        raw = raw if agent else put_signature(raw, sshsig(ada, raw))
        parent = repo.git("hash-object", "-t", "commit", "-w", "--stdin", input=raw).stdout.decode().strip()
    repo.git("update-ref", "HEAD", parent)
    return repo


def main() -> None:
    """Time it beside the range check of the same commits."""
    commits = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as name:
        os.environ.update(hermetic_environment(Path(name)))
        repo = build(Path(name), commits)
        commands = {"`hoard verify`": ["verify", "--json"], "`hoard check --range`": ["check", "--range", "HEAD", "--json"]}
        cases = {shown: program(hoard(*words), repo.path, installed(), ends=(0, 1)) for shown, words in commands.items()}
        found = measure(3, cases, warm=False)
    rows = [[shown, f"{one.wall:.2f} s", f"{one.processor:.2f} s", f"{commits / one.processor:,.0f}"] for shown, one in found.items()]
    print(f"A history of {commits:,} commits, nine of ten signed changes of a user's fact, medians of 3 rounds:\n")
    print(table(["", "by the clock", "processor", "commits a second of processor time"], rows))


if __name__ == "__main__":
    main()
