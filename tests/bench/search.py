"""What search costs by the number of entries: build, one edit, a question, the whole process, memory; and recall beside plain grep.

    python tests/bench/search.py [COUNT…] [--set FACTS.jsonl QUERIES.jsonl WORKSPACE]

Times are processor times, for a machine is seldom quiet; that of the whole command is given over that of a bare interpreter. `--set` measures recall on
facts and queries (one JSON object a line: `id`, `file`, `line`, and `query`, `type`, `expected`) of a workspace.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.timing import hoard, installed, measure, program, table, times

PARTS = [f"{a}{b}" for a in ("ba", "do", "ki", "lu", "me", "ra", "so", "ti") for b in "bdfgklmnprstvz"]
WORDS = [f"{one}{other}" for one in PARTS for other in PARTS]
WEIGHTS = list(accumulate(1 / (number + 10) for number in range(len(WORDS))))


def entry(chance: random.Random) -> str:
    return "- " + " ".join(chance.choices(WORDS, cum_weights=WEIGHTS, k=40)) + f" {chance.randrange(10**6)}"


def fill(root: Path, count: int) -> None:
    """Write entries, 50 to a file."""
    chance = random.Random(count)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / "memory").mkdir()
    for number in range(0, count, 50):
        lines = "\n".join(entry(chance) for _ in range(min(50, count - number)))
        (root / f"memory/t{number:06d}.md").write_text(f"# Topic {number}\n\n{lines}\n", encoding="utf-8")


def ask(root: Path, query: str) -> float:
    """Processor milliseconds of one question, the look at the files included."""
    from hoard_git.app.clock import read_days
    from hoard_git.app.recall import Wish, search
    from hoard_git.gitio.plumbing import PlumbingReader

    start = time.process_time()
    search(PlumbingReader(str(root)), Wish(query), lambda policy: read_days(policy, "2026-06-15", {}), 6)
    return (time.process_time() - start) * 1000


def inside(root: Path, queries: list[str]) -> list[float]:
    """The same on an index that is open and up to date, in order of size."""
    from hoard_git.app.policies import Policies
    from hoard_git.app.recall import Wish, _Asker
    from hoard_git.core.policy import DEFAULT
    from hoard_git.core.terms import query_terms
    from hoard_git.gitio.cachefiles import connect
    from hoard_git.gitio.searchindex import SearchIndex

    where = str(root / ".git/hoard/search.sqlite")
    index = SearchIndex(connect(where), where)
    spent = []
    for query in queries:
        start = time.process_time()
        _Asker(index, Wish(query), query_terms(query), ("live",), Policies(default=DEFAULT), {"": 739000}).run()
        spent.append((time.process_time() - start) * 1000)
    return sorted(spent)


def whole(root: Path) -> str:
    """What the whole command takes, git included, of a bare interpreter's time."""
    bare, asking = [sys.executable, "-c", "pass"], hoard("search", "--embedder", "off", "babbab dobdob kibkib")
    found = measure(7, {"bare": program(bare, root, installed()), "whole": program(asking, root, installed())})
    return f"{times(found['whole'].processor, found['bare'].processor)} ×"


def row(count: int) -> list[str]:
    """One row of the table."""
    chance = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        fill(root, count)
        build = ask(root, "babbab") / 1000
        queries = [" ".join(chance.choices(WORDS, cum_weights=WEIGHTS, k=4)) for _ in range(40)]
        path = root / "memory/t000000.md"
        path.write_text(path.read_text(encoding="utf-8") + entry(chance) + "\n", encoding="utf-8")
        edit = ask(root, queries[0])
        spent = inside(root, queries)
        ratio = whole(root)
        size = sum(file.stat().st_size for file in (root / ".git/hoard").glob("search.sqlite*")) >> 20
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    return [f"{count:,}", f"{build:.1f} s", f"{edit:.0f} ms", f"{spent[20]:.1f} / {spent[38]:.1f} ms", ratio, f"{size} MB", f"{peak} MB"]


def show_recall(
    name: str, queries: list[dict[str, Any]], rank: Callable[[str], list[tuple[str, int]]], facts: dict[str, tuple[str, int]]
) -> None:
    """Print recall at 1 and 5, by kind of query, and the time of a question."""
    kinds: dict[str, list[int]] = {}
    start = time.perf_counter()
    for query in queries:
        hits = rank(str(query["query"]))
        wanted = facts[query["expected"][0]]
        kinds.setdefault(str(query["type"]), []).append(hits.index(wanted) if wanted in hits else 99)
    spent = (time.perf_counter() - start) / len(queries) * 1000
    shown = "  ".join(
        f"{kind} {sum(p == 0 for p in at) / len(at):.3f}/{sum(p < 5 for p in at) / len(at):.3f}" for kind, at in kinds.items()
    )
    print(f"{name:<12} R@1/R@5  {shown}  {spent:.0f} ms a question")


def grep(root: Path, query: str) -> list[tuple[str, int]]:
    """What `grep -i` for any word of a query finds, most words first."""
    found: dict[tuple[str, int], int] = {}
    for word in set(re.findall(r"\w+", query.lower())):
        done = subprocess.run(["grep", "-rniwIF", "--include=*.md", "-e", word, "."], cwd=root, capture_output=True, check=False)
        for line in done.stdout.decode("utf-8", "replace").split("\n"):
            if match := re.match(r"\./([^:]+):(\d+):", line):
                place = match[1], int(match[2])
                found[place] = found.get(place, 0) + 1
    return sorted(found, key=lambda place: (-found[place], place))


def compare(facts_file: Path, queries_file: Path, root: Path) -> None:
    """Recall of words, of words and meaning, and of grep, in one run."""
    from hoard_git.app.clock import read_days
    from hoard_git.app.recall import Wish, search
    from hoard_git.app.vectors import open_finder
    from hoard_git.gitio.plumbing import PlumbingReader

    rows = [json.loads(line) for line in facts_file.read_text(encoding="utf-8").splitlines()]
    facts = {row["id"]: (row["file"], row["line"]) for row in rows}
    queries = [json.loads(line) for line in queries_file.read_text(encoding="utf-8").splitlines()]
    finder = open_finder(PlumbingReader(str(root)), "use", "", os.environ)

    def hoard(query: str, *, meaning: bool) -> list[tuple[str, int]]:
        wish = Wish(query, archive=True)
        chosen = (lambda _policy: finder) if meaning else None
        answer = search(PlumbingReader(str(root)), wish, lambda policy: read_days(policy, "2026-06-15", {}), 5, finder_for=chosen)
        return [(hit.path, hit.line) for hit in answer.hits]

    show_recall("grep", queries, lambda query: grep(root, query)[:5], facts)
    show_recall("words", queries, lambda query: hoard(query, meaning=False), facts)
    show_recall(f"vector {finder.state}", queries, lambda query: hoard(query, meaning=True), facts)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    options.add_argument("counts", type=int, nargs="*")
    options.add_argument("--set", type=Path, nargs=3, metavar=("FACTS", "QUERIES", "WORKSPACE"))
    asked = options.parse_args()
    if asked.set:
        compare(*asked.set)
    head = [
        "entries",
        "build",
        "one edit and a question",
        "a question, 50 % / 95 % below",
        "whole command over bare Python",
        "index",
        "memory at most",
    ]
    if asked.counts:
        print(table(head, [row(count) for count in asked.counts]))


if __name__ == "__main__":
    main()
