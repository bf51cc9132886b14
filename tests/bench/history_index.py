"""Times of the block index beside git: build, continue, log, blame; and how many lines agree with `git blame -M`.

    python tests/bench/history_index.py [COMMITS] [DIRECTORY]

Writes a synthetic history (half of the commits change a MEMORY.md of 15 KB and 40 blocks, the others one of 300 files), keeps it in DIRECTORY if one is
given. Prints medians of interleaved runs as markdown, whole processes each; asserts nothing.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.timing import Timing, hoard, installed, measure, megabytes_of_children, milliseconds, program, table, times

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
    # fast-import hangs every version onto the older one; git's own housekeeping hangs older ones onto newer ones, and a repository of this
    # size has gone through that.
    unseen("git", "-C", str(path), "repack", "-q", "-a", "-d", "-f")


def unseen(*words: str) -> None:
    """Run a program whose memory does not count as that of our children: it is waited for, but not collected."""
    found = os.waitid(os.P_PID, os.posix_spawnp(words[0], words, os.environ), os.WEXITED | os.WNOWAIT)
    if found is None or found.si_status:
        sys.exit(f"{' '.join(words)} failed")


ROUNDS, BUILDS = 5, 3
BARE, START = "bare `python -c pass`", "`hoard --version`"
SHOWN, BUILD = "`git log -p -- MEMORY.md`", "build the index"
LOG, BLAME, THEIRS = "`hoard log BLOCK`", "`hoard blame MEMORY.md`", "`git blame -M MEMORY.md`"


def main() -> None:
    commits = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(sys.argv[2] if len(sys.argv) > 2 else temporary).resolve() / f"history-{commits}"
        if not path.exists():
            generate(path, commits)
        measure_all(path, commits)


def measure_all(path: Path, commits: int) -> None:
    """Print everything about one repository."""
    env = {**installed(), "PYTHONPYCACHEPREFIX": str(path.parent / "compiled")}

    def git(*words: str) -> bytes:
        return program(["git", *words], path, env)()

    name = next(line for line in git("show", "HEAD:MEMORY.md").decode().split("id:") if line[0] == "b")[:6]
    log = program(hoard("log", name), path, env)
    blame = program(hoard("blame", "MEMORY.md", "--at", "HEAD"), path, env)

    def build() -> None:
        shutil.rmtree(path / ".git" / "hoard", ignore_errors=True)
        program(hoard("log", "-n", "1"), path, env)()

    program(hoard("--version"), path, env)()
    built = measure(BUILDS, {SHOWN: program(["git", "log", "-p", "--", "MEMORY.md"], path, env), BUILD: build}, warm=False)
    memory = megabytes_of_children()
    first = measure(1, {"": blame}, warm=False)[""]
    warm = measure(
        ROUNDS,
        {
            BARE: program([sys.executable, "-c", "pass"], path, env),
            START: program(hoard("--version"), path, env),
            LOG: log,
            BLAME: blame,
            THEIRS: program(["git", "blame", "-M", "HEAD", "--", "MEMORY.md"], path, env),
        },
    )
    head = git("rev-parse", "HEAD").decode().strip()
    git("-c", "user.name=A", "-c", "user.email=a@b.invalid", "commit", "-q", "--allow-empty", "-m", "one more")
    fresh = measure(1, {"": log}, warm=False)[""]
    git("reset", "-q", "--hard", head)
    same, lines = agreement(git("blame", "-M", "-s", "-l", "--abbrev=40", "--root", "HEAD", "--", "MEMORY.md"), blamed(path, env))
    report(commits, {**built, **warm, "first `hoard blame` after a build": first, f"{LOG} after one more commit": fresh})
    print(f"Building took {memory} MB at most in one process. Lines of MEMORY.md named as `git blame -M` names them: {same} of {lines}.")


def blamed(path: Path, env: Mapping[str, str]) -> list[str]:
    """Our commit of every line."""
    out = program(hoard("blame", "MEMORY.md", "--at", "HEAD", "--json"), path, env)()
    return [json.loads(line)["commit"] for line in out.splitlines()]


def agreement(theirs: bytes, ours: list[str]) -> tuple[int, int]:
    """How many lines two attributions name alike, and how many there are."""
    said = [line[:40] for line in theirs.decode().splitlines()]
    return sum(one == other for one, other in zip(ours, said, strict=True)), len(ours)


def report(commits: int, found: Mapping[str, Timing]) -> None:
    """Print medians, and what they are of the thing that each is held against; blame without the start of the program."""
    start = found[START]
    beyond = Timing(max(0.0, found[BLAME].wall - start.wall), max(0.0, found[BLAME].processor - start.processor))
    rows = {**found, f"{BLAME}, program start taken off": beyond}
    against = {BUILD: SHOWN, LOG: BARE, START: BARE, BLAME: THEIRS, f"{BLAME}, program start taken off": THEIRS}
    shown = []
    for name, timing in rows.items():
        unit = against.get(name, "")
        ratios = [times(timing.wall, found[unit].wall), times(timing.processor, found[unit].processor)] if unit else ["", ""]
        shown.append([name, milliseconds(timing.wall), milliseconds(timing.processor), unit, *ratios])
    print(f"A history of {commits:,} commits, medians of {ROUNDS} rounds, {BUILDS} where something is built:\n")
    print(table(["", "by the clock", "processor", "beside", "× by the clock", "× processor"], shown))


if __name__ == "__main__":
    main()
