"""How long the upkeep plan takes and how much memory, as the workspace grows, beside reading the same files once.

    python tests/bench/consolidate.py [--set mixed|near|tables] [ENTRIES ...]

Each size runs in a process of its own, 33 entries a file. `mixed` is a MEMORY.md over its limit, topic files, and daily logs over a year; in `near`
most entries are variants of a few sentences, and in `tables` most are table rows with tags of their own. All wall time.
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


def build_near(entries: int) -> dict[str, str]:
    """Variants of a few sentences in topic files: with another number, name or word, with a negation or a word more."""
    chance = random.Random(entries)
    subjects = ["The backup of host", "The invoice for customer", "The sensor in room", "The certificate of domain", "The lease of flat"]
    verbs = ["runs on", "is checked on", "was moved to", "is not sent on", "must be renewed by"]
    ends = ["Monday at noon", "Tuesday night", "the first of March", "the new server", "the old server"]
    files = {}
    for number in range(entries // PER_FILE):
        lines = [f"# Topic {number}", "", f"## Facts <!-- src:{chance.choice(('agent', 'web'))} ts:2026-12-{1 + number % 27:02d} -->", ""]
        for _entry in range(PER_FILE):
            words = [
                chance.choice(subjects),
                str(chance.randrange(400)),
                chance.choice(verbs),
                chance.choice(ends),
                chance.choice(WORDS).strip("`*.,:|<>#[]()"),
            ]
            lines.append(f"- {' '.join(words)}")
        files[f"memory/topic-{number}.md"] = "\n".join(lines) + "\n"
    return files


def build_tables(entries: int) -> dict[str, str]:
    """Tables in topic files and logs; some rows have tags of their own and are past their ttl."""
    chance = random.Random(entries)
    files = {}
    for number in range(entries // PER_FILE):
        day = f"2026-{1 + number % 12:02d}-{1 + number % 28:02d}"
        path = f"memory/{day}-{number}.md" if number % 3 == 2 else f"memory/table-{number}.md"
        lines = [f"# Table {number} <!-- src:agent ts:{day} -->", "", "| host | what | when |", "|---|---|---|"]
        for _entry in range(PER_FILE - 1):
            tag = f" <!-- src:web ts:{day} -->" if chance.random() < 0.3 else ""
            lines.append(
                f"| node-{chance.randrange(500)} | {' '.join(chance.sample(WORDS, 6)).replace('|', '')} | {chance.randrange(24)}:00 |{tag}"
            )
        files[path] = "\n".join(lines) + "\n"
    return files


SETS = {"mixed": build, "near": build_near, "tables": build_tables}


def measure(entries: int, name: str) -> None:
    """Print one line for one size."""
    sys.path.insert(0, str(ROOT))
    from hoard_git.core.markdown import parse
    from hoard_git.core.plan import make_plan
    from hoard_git.core.policy import DEFAULT
    from tests.support.upkeep import day_number, kept_files

    files = SETS[name](entries)
    kept = kept_files(files)
    start = time.perf_counter()
    total = sum(len(parse(file.data).entries) for file in kept)
    read = time.perf_counter() - start
    start = time.perf_counter()
    plan = make_plan(kept, DEFAULT, day_number("2026-12-28"))
    spent = time.perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{name:<7}{total:>7} {len(files):>6} {read:>9.2f} {spent:>9.2f} {spent / read:>7.1f} {memory:>8} {len(plan.actions):>8} {len(plan.review):>7}"
    )


def main() -> None:
    """Measure every size."""
    given = sys.argv[1:]
    if len(given) == 3 and given[0] == "--one":
        measure(int(given[2]), given[1])
        return
    names = [given[1]] if given[:1] == ["--set"] else list(SETS)
    sizes = [int(word) for word in (given[2:] if given[:1] == ["--set"] else given)] or list(SIZES)
    print(f"{'set':<7}{'entries':>7} {'files':>6} {'read s':>9} {'plan s':>9} {'ratio':>7} {'MB':>8} {'actions':>8} {'review':>7}")
    for name in names:
        for size in sizes:
            subprocess.run([sys.executable, __file__, "--one", name, str(size)], check=True)


if __name__ == "__main__":
    main()
