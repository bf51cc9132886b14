"""Times of the block index beside git: build, continue, log, blame; and how many lines agree with `git blame -M`.

    python tests/bench/history_index.py [COMMITS] [DIRECTORY]

Writes a synthetic history (half of the commits change a MEMORY.md of 15 KB and 40 blocks, the others one of 300 files), keeps it in DIRECTORY if one is
given. Run it on a quiet machine: everything is wall time, best of three where it is short.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORDS = [
    "node",
    "gateway",
    "backup",
    "wiki",
    "port",
    "deploy",
    "server",
    "queue",
    "token",
    "build",
    "cache",
    "nightly",
    "report",
    "weather",
    "garden",
    "meeting",
    "invoice",
    "train",
    "router",
    "disk",
    "memory",
    "agent",
    "user",
    "summary",
    "index",
    "archive",
    "folder",
    "bucket",
    "cluster",
    "region",
    "zone",
    "batch",
    "worker",
    "budget",
    "limit",
]


def sentence(chance: random.Random) -> str:
    """A bullet of about 60 characters."""
    return "- " + " ".join(chance.choice(WORDS) for _ in range(chance.randrange(6, 12))) + f" {chance.randrange(10000)}"


def block(chance: random.Random, number: int) -> list[str]:
    """A block with an id."""
    tag = f"<!-- src:agent ts:2026-06-{chance.randrange(1, 29):02d} ttl:90d id:b{number:05d} -->"
    return [f"## Topic {number} {tag}", "", *(sentence(chance) for _ in range(chance.randrange(3, 6))), ""]


def change_memory(chance: random.Random, blocks: list[list[str]], count: int) -> int:
    """One change of MEMORY.md; returns how many blocks there were so far."""
    act, one = chance.random(), chance.choice(blocks)
    if act < 0.5:
        one[chance.randrange(2, len(one) - 1)] = sentence(chance)
    elif act < 0.65:
        one.insert(chance.randrange(2, len(one)), sentence(chance))
    elif act < 0.8 and len(one) > 5:
        del one[chance.randrange(2, len(one) - 1)]
    elif act < 0.88:
        blocks.remove(one)
        blocks.insert(chance.randrange(len(blocks) + 1), one)
    elif act < 0.94:
        blocks.remove(one)
        blocks.insert(chance.randrange(len(blocks) + 1), block(chance, count))
        return count + 1
    else:
        one[0] = one[0].replace("ttl:90d", "ttl:60d") if "ttl:90d" in one[0] else one[0].replace("ttl:60d", "ttl:90d")
    return count


def generate(path: Path, commits: int) -> None:
    """Write the history with one `git fast-import`."""
    chance = random.Random(1)
    blocks = [block(chance, number) for number in range(40)]
    sides = {
        n: [f"# Side {n} <!-- src:agent ts:2026-06-01 ttl:90d -->", "", *(sentence(chance) for _ in range(10)), ""] for n in range(300)
    }
    subprocess.run(["git", "init", "-q", "-b", "main", str(path)], check=True)
    process = subprocess.Popen(["git", "-C", str(path), "fast-import", "--quiet"], stdin=subprocess.PIPE)
    assert process.stdin is not None
    count = 40
    for number in range(commits):
        files: dict[str, list[str]] = {}
        if not number:
            files = {f"memory/s{n:03d}.md": lines for n, lines in sides.items()}
        if not number or chance.random() < 0.5:
            count = change_memory(chance, blocks, count) if number else count
            files["MEMORY.md"] = ["# Memory", "", *(line for one in blocks for line in one)]
        else:
            side = chance.randrange(300)
            lines = sides[side]
            if chance.random() < 0.6 or len(lines) < 5:
                lines.insert(chance.randrange(2, len(lines)), sentence(chance))
            else:
                del lines[chance.randrange(2, len(lines) - 1)]
            files[f"memory/s{side:03d}.md"] = lines
        who = b"clawd <clawd@agents.example>" if number % 3 else b"Ada Example <ada@example.org>"
        when = b"%d +0000" % (1780000000 + number * 60)
        text = b"commit %d\n" % number
        process.stdin.write(b"commit refs/heads/main\nauthor %s %s\ncommitter %s %s\ndata %d\n%s" % (who, when, who, when, len(text), text))
        for name, lines in files.items():
            data = "\n".join(lines).encode()
            process.stdin.write(b"M 100644 inline %s\ndata %d\n%s\n" % (name.encode(), len(data), data))
    process.stdin.close()
    if process.wait():
        sys.exit("git fast-import failed")
    subprocess.run(["git", "-C", str(path), "reset", "-q", "--hard"], check=True)


def timed(action: Callable[[], object], times: int = 3) -> float:
    """The best of several wall times, in seconds."""
    best = 1e9
    for _ in range(times):
        start = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    commits = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    path = Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp()) / f"history-{commits}"
    if not path.exists():
        generate(path, commits)

    def git(*args: str) -> bytes:
        return subprocess.run(["git", "-C", str(path), *args], check=True, capture_output=True).stdout

    # As installed, with compiled modules: where a shell forbids to keep them, every run would compile the package anew, some 30 ms.
    installed = {name: value for name, value in os.environ.items() if name not in {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}}
    installed["PYTHONPYCACHEPREFIX"] = str(path.parent / "compiled")

    def hoard(*args: str) -> bytes:
        command = [
            sys.executable,
            "-c",
            "import sys; sys.path.insert(0, sys.argv.pop(1)); from hoard_git.cli.main import main; sys.exit(main())",
        ]
        return subprocess.run([*command, str(ROOT), "-C", str(path), *args], check=True, capture_output=True, env=installed).stdout

    shutil.rmtree(path / ".git" / "hoard", ignore_errors=True)
    shown = timed(lambda: git("log", "-p", "--", "MEMORY.md"), 1)
    build = timed(lambda: hoard("log", "-n", "1"), 1)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    bare = timed(lambda: subprocess.run([sys.executable, "-I", "-c", "pass"], check=True), 10)
    start = timed(lambda: hoard("--version"), 5)
    name = next(line for line in git("show", "HEAD:MEMORY.md").decode().split("id:") if line[0] == "b")[:6]
    query = timed(lambda: hoard("log", name), 5)
    first = timed(lambda: hoard("blame", "MEMORY.md", "--at", "HEAD"), 1)
    blame = timed(lambda: hoard("blame", "MEMORY.md", "--at", "HEAD"), 5)
    theirs = timed(lambda: git("blame", "-M", "HEAD", "--", "MEMORY.md"))
    head = git("rev-parse", "HEAD").decode().strip()
    git("commit", "-q", "--allow-empty", "-m", "one more")
    fresh = timed(lambda: hoard("log", name), 1)
    git("reset", "-q", "--hard", head)
    ours = [line.split('"commit": "')[1][:40] for line in hoard("blame", "MEMORY.md", "--at", "HEAD", "--json").decode().splitlines()]
    said = git("blame", "-M", "-s", "-l", "--abbrev=40", "--root", "HEAD", "--", "MEMORY.md").decode().splitlines()
    same = sum(one == other[:40] for one, other in zip(ours, said, strict=True))
    print(f"{commits} commits; bare python {bare * 1000:.1f} ms, hoard --version {start * 1000:.0f} ms")
    print(f"build           {build:.2f} s = {build / shown:.1f} x git log -p ({shown:.2f} s), {memory:.0f} MB at most")
    print(f"log BLOCK       {query * 1000:.0f} ms = {query / bare:.1f} x bare python; after one more commit {fresh * 1000:.0f} ms")
    print(
        f"blame 15 KB     {blame * 1000:.0f} ms, {(blame - start) / theirs:.2f} x git blame -M ({theirs * 1000:.0f} ms) beyond program start"
    )
    print(f"first blame     {first:.2f} s, which finds whose all lines of all files are")
    print(f"lines as git    {same} of {len(ours)}")


if __name__ == "__main__":
    main()
