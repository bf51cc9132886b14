"""How long the upkeep plan takes and how much memory, as the workspace grows, beside reading the same files once.

    python tests/bench/consolidate.py [ENTRIES ...]

Each size runs in a process of its own: a MEMORY.md over its limit, topic files, and daily logs over a year, 33 entries a file. All wall time.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SIZES = (1000, 3000, 10_000)
WORDS = (ROOT / "docs/explanation/trust.md").read_text(encoding="utf-8").split()
PER_FILE = 33


def build(entries: int) -> dict[str, str]:
    """A workspace of that many entries; the same for the same number."""
    chance = random.Random(entries)
    day = [f"2026-{month:02d}-{number:02d}" for month in range(1, 13) for number in range(1, 29)]
    files = {}
    for number in range(entries // PER_FILE):
        kind = number % 3
        path = f"memory/{day[number % len(day)]}-{number}.md" if kind == 2 else f"memory/topic-{number}.md"
        lines = [f"# {path}", "", f"## Facts <!-- src:{chance.choice(('agent', 'web', 'user'))} ts:{chance.choice(day)} -->", ""]
        for _entry in range(PER_FILE):
            words = [word.strip("`*.,:|<>#[]()") for word in chance.sample(WORDS, 12)]
            tag = f" <!-- src:{chance.choice(('agent', 'web'))} ts:{chance.choice(day)} -->" if chance.random() < 0.2 else ""
            lines.append(f"- {' '.join(words)} {chance.randrange(1000)}{tag}")
        files["MEMORY.md" if number == 0 else path] = "\n".join(lines) + "\n"
    files["MEMORY.md"] *= 12
    return files


def measure(entries: int) -> None:
    """Print one line for one size."""
    sys.path.insert(0, str(ROOT))
    from hoard_git.core.markdown import parse
    from hoard_git.core.plan import make_plan
    from hoard_git.core.policy import DEFAULT
    from tests.support.upkeep import day_number, kept_files

    files = build(entries)
    kept = kept_files(files)
    start = time.perf_counter()
    total = sum(len(parse(file.data).entries) for file in kept)
    read = time.perf_counter() - start
    start = time.perf_counter()
    plan = make_plan(kept, DEFAULT, day_number("2026-12-28"))
    spent = time.perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{total:>7} {len(files):>6} {read:>9.2f} {spent:>9.2f} {spent / read:>7.1f} {memory:>8} {len(plan.actions):>8} {len(plan.review):>7}"
    )


def main() -> None:
    """Measure every size."""
    if len(sys.argv) == 3 and sys.argv[1] == "--one":
        measure(int(sys.argv[2]))
        return
    print(f"{'entries':>7} {'files':>6} {'read s':>9} {'plan s':>9} {'ratio':>7} {'MB':>8} {'actions':>8} {'review':>7}")
    for size in map(int, sys.argv[1:] or SIZES):
        subprocess.run([sys.executable, __file__, "--one", str(size)], check=True)


if __name__ == "__main__":
    main()
