"""How long the upkeep plan takes and how much memory, as the workspace grows, beside reading the same files once.

    python tests/bench/consolidate.py [--set mixed|near|tables] [--rounds N] [ENTRIES ...]

Each size runs in a process of its own, 33 entries a file. `mixed` is a MEMORY.md over its limit, topic files, and daily logs over a year; in `near`
most entries are variants of a few sentences, and in `tables` most are table rows with tags of their own. Processor times, medians of interleaved
runs, as markdown.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.timing import ROOT, table, times

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
    """Print the figures of one size as JSON."""
    from hoard_git.core.markdown import parse
    from hoard_git.core.plan import make_plan
    from hoard_git.core.policy import DEFAULT
    from tests.support.upkeep import day_number, kept_files

    files = SETS[name](entries)
    kept = kept_files(files)
    start = time.process_time()
    total = sum(len(parse(file.data).entries) for file in kept)
    read = time.process_time() - start
    start = time.process_time()
    plan = make_plan(kept, DEFAULT, day_number("2026-12-28"))
    spent = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    figures = {"entries": total, "files": len(files), "read": read, "plan": spent, "memory": memory}
    print(json.dumps({**figures, "actions": len(plan.actions), "review": len(plan.review)}))


def run_one(entries: int, name: str) -> dict[str, float]:
    """The same in a process of its own, so that no size finds what another has computed."""
    words = [sys.executable, __file__, "--one", "--set", name, str(entries)]
    found: dict[str, float] = json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)
    return found


def main() -> None:
    """Measure every size of every set."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--set", choices=sorted(SETS))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("entries", type=int, nargs="*")
    options = parser.parse_args()
    if options.one:
        measure(options.entries[0], options.set)
        return
    cases = [(name, size) for name in ([options.set] if options.set else SETS) for size in options.entries or SIZES]
    found: dict[tuple[str, int], list[dict[str, float]]] = {case: [] for case in cases}
    for _round in range(options.rounds):
        for name, size in cases:
            found[name, size].append(run_one(size, name))
    rows = []
    for (name, _size), runs in found.items():
        one = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
        spent = [f"{one['read']:.2f} s", f"{one['plan']:.2f} s", times(one["plan"], one["read"])]
        counts = [f"{one[key]:,.0f}" for key in ("actions", "review")]
        rows.append([f"`{name}`", f"{one['entries']:,.0f}", f"{one['files']:,.0f}", *spent, f"{one['memory']:.0f} MB", *counts])
    print(table(["set", "entries", "files", "read them", "plan", "× reading", "memory at most", "actions", "to review"], rows))


if __name__ == "__main__":
    main()
