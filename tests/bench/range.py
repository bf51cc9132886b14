"""How long `hoard check --range HEAD` takes beside `git log -p --cc`, over a history that is made for it or one that is there.

    python tests/bench/range.py [COMMITS | PATH]
    python tests/bench/range.py --push [COMMITS]     a good push to a bare repository with the gate in it

Prints medians of interleaved runs as markdown: seconds, commits a second, the ratio, and the most memory of one process. Asserts nothing.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.timing import ROOT, hoard, installed, measure, megabytes_of_children, program, table, times

ROUNDS = 3

POLICY = """version: 1
timezone: UTC
actors:
  - {name: Ada Example, kind: human, emails: [ada@example.org]}
  - {name: clawd, kind: agent, emails: [agent@workspace.invalid]}
"""


def make_history(root: Path, commits: int, *, grows: bool = True) -> None:
    """Write a history of daily logs and a MEMORY.md of 30 sections with `git fast-import`; the same for the same number.

    MEMORY.md `grows` by a line in every fifth commit, as nobody should let it; without that it stays at 17 KB, and a policy comes first.
    """
    memory = [[f"- Fact {n}.{k} about a service that runs on node {k}" for k in range(8)] for n in range(30)]
    stream = []
    if not grows:
        stream.append("commit refs/heads/main\ncommitter Ada Example <ada@example.org> 1779999000 +0000\ndata 6\nPolicy\n")
        stream.append(f"M 100644 inline .hoard.yaml\ndata {len(POLICY)}\n{POLICY}\n")
    for number in range(commits):
        topic = memory[number * 7 % 30]
        topic[number % len(topic)] = f"- Service {number % 97} moved to node {number % 13} in change {number}"
        if grows and number % 5 == 0:
            topic.append(f"- Note {number}: the nightly job of team {number % 11} took {number % 60} minutes")
        head = "## Topic {}  <!-- src:agent ts:2026-06-05 ttl:90d -->\n\n"
        text = "# MEMORY.md\n\n" + "\n".join(head.format(n) + "\n".join(facts) + "\n" for n, facts in enumerate(memory))
        log = f"# Log{'' if grows else '  <!-- src:agent ts:2026-06-05 -->'}\n\n" + "".join(
            f"- Step {k} of run {number} ended well\n" for k in range(number % 20 + 1)
        )
        stream.append(
            f"commit refs/heads/main\ncommitter clawd <agent@workspace.invalid> {1780000000 + number * 600} +0000\ndata 7\nA write\n"
        )
        for path, content in (("MEMORY.md", text), (f"memory/2026-{number // 280 % 12 + 1:02d}-{number // 10 % 28 + 1:02d}.md", log)):
            stream.append(f"M 100644 inline {path}\ndata {len(content.encode())}\n{content}\n")
    subprocess.run(["git", "init", "-q", "-b", "main", root], check=True)
    subprocess.run(["git", "fast-import", "--quiet"], cwd=root, input="".join(stream).encode(), check=True)


def time_push(commits: int) -> None:
    """Push a history whose MEMORY.md keeps its size to a server that has its first commit."""
    with tempfile.TemporaryDirectory() as folder:
        work, server = Path(folder) / "work", Path(folder) / "server.git"
        make_history(work, commits, grows=False)
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", server], check=True)
        first = subprocess.run(
            ["git", "rev-list", "--max-parents=0", "main"], cwd=work, capture_output=True, check=True, text=True
        ).stdout.strip()
        subprocess.run(["git", "push", "-q", server, f"{first}:refs/heads/main"], cwd=work, check=True)
        subprocess.run([sys.executable, "-m", "hoard_git", "hooks", "install", "--server"], cwd=server, env=env, check=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        pushing = subprocess.Popen(["git", "push", server, "main"], cwd=work, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        together = 0.0
        while pushing.poll() is None:
            together = max(together, megabytes("pre-receive"))
            time.sleep(0.5)
        wall = time.perf_counter() - start
        said = pushing.communicate()[1]
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    memory = after.ru_maxrss / 1024
    verdict = "passed" if not pushing.returncode else "was refused: " + said.decode(errors="replace")[-400:]
    sys.stdout.write(
        f"a push of {commits} commits {verdict}: {wall:.1f} s, {used:.1f} s of processor time, {memory:.0f} MB at most in one process, "
        f"{together:.0f} MB in all together\n"
    )


def megabytes(word: str) -> float:
    """Memory of all processes that have a word among their arguments; what they share counts once. 0 where /proc does not tell."""
    total = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if word.encode() in (folder / "cmdline").read_bytes().split(b"\0"):
                rows = (folder / "smaps_rollup").read_text().splitlines()
                total += sum(int(row.split()[1]) for row in rows if row.startswith("Pss:"))
        except OSError:
            continue  # it has ended meanwhile
    return total / 1024


def main() -> None:
    """Time a push, or a check beside git's own log."""
    if sys.argv[1:2] == ["--push"]:
        time_push(int(sys.argv[2]) if len(sys.argv) > 2 else 10_000)
        return
    given = sys.argv[1] if len(sys.argv) > 1 else "1000"
    with tempfile.TemporaryDirectory() as folder:
        root = Path(given) if not given.isdigit() else Path(folder) / "history"
        if given.isdigit():
            make_history(root, int(given))
        env = installed()
        count = int(program(["git", "rev-list", "--count", "HEAD"], root, env)())
        log, check = "`git log -p --cc`", "`hoard check --range`"
        checking = program(hoard("check", "--range", "HEAD", "--format", "json"), root, env, ends=(0, 1))
        found = measure(ROUNDS, {log: program(["git", "log", "-p", "--cc", "HEAD"], root, env), check: checking}, warm=False)
    rows = []
    for name, one in found.items():
        ratios = [times(one.wall, found[log].wall), times(one.processor, found[log].processor)]
        rows.append([name, f"{one.wall:.2f} s", f"{one.processor:.2f} s", *ratios, f"{count / one.wall:,.0f}"])
    print(f"A history of {count:,} commits, medians of {ROUNDS} rounds, {megabytes_of_children()} MB at most in one process:\n")
    print(table(["", "by the clock", "processor", "× by the clock", "× processor", "commits a second"], rows))


if __name__ == "__main__":
    main()
