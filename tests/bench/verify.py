"""How fast `hoard verify` is: `python tests/bench/verify.py [COMMITS]`, one signed change of a user's fact in each commit."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.support.environment import ROOT, hermetic_environment
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
    """Time it once, start of the program included."""
    commits = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as name:
        os.environ.update(hermetic_environment(Path(name)))
        repo = build(Path(name), commits)
        for command in (["verify", "--json"], ["check", "--range", "HEAD", "--json"]):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            start = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-m", "hoard_git", *command],
                cwd=repo.path,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                capture_output=True,
                check=False,
            )
            wall = time.perf_counter() - start
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            sys.stdout.write(
                f"hoard {command[0]}: {commits / used:.0f} commits a second of processor time ({wall:.2f} s by the clock, status {done.returncode})\n"
            )


if __name__ == "__main__":
    main()
