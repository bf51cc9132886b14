"""The secret detector beside other scanners, over generated corpora, in one interleaved run.

    python tests/bench/secrets_peers.py [--rounds N] [--seed N] [--generator FILE.py] [--gitleaks PROGRAM]

Each program starts anew for every measurement and reads one file; medians by the clock, and their ratio to a bare interpreter.
A snippet counts as found when any finding touches one of its lines. `--generator` names a script that writes MEMORY.md, corpus.jsonl and
spans.json with `--seed N --out DIR`. Nothing is verified live. Which scanners there are is told by tests/bench/peers.py.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from hoard_git import __version__
from tests.bench.peers import Scanner, Spans, find_peers
from tests.bench.timing import ROOT, Timing, measure, milliseconds, program, table, times
from tests.core.secrets.second_set import as_page, build

OURS = """\
import sys
sys.path.insert(0, {root!r})
from hoard_git.core.secrets import find_secrets
with open(sys.argv[1], encoding="utf-8", errors="surrogateescape", newline="\\n") as file:
    lines = file.read().split("\\n")
for match in find_secrets(lines):
    if match.certain:
        print(match.line, match.end_line)
"""
ONE_LINE = "- The build runs at 03:30 on node 2\n"
PYTHON = [sys.executable, "-I", "-S"]


@dataclass(frozen=True, slots=True)
class Corpus:
    """One page with the places of its snippets: `secret` says which hold one, `mangled` which of these hide it."""

    name: str
    text: str
    spans: dict[str, tuple[int, int]]
    secret: frozenset[str]
    mangled: frozenset[str]


def main() -> None:
    """Measure, and print two tables a corpus as markdown."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--generator", type=Path)
    parser.add_argument("--gitleaks", type=Path)
    options = parser.parse_args()
    peers, missing = find_peers(options.gitleaks)
    scanners = [ours(), *peers]
    with tempfile.TemporaryDirectory() as folder:
        corpora = list(make_corpora(options.seed, options.generator, Path(folder)))
        pages = {"one line": ONE_LINE, **{corpus.name: corpus.text for corpus in corpora}}
        answers, found = run_all(scanners, pages, options.rounds, Path(folder))
    for corpus in corpora:
        report_finds(corpus, scanners, answers)
    report_times([scanner.name for scanner in scanners], pages, found, options.rounds)
    print("\n".join(missing))


def ours() -> Scanner:
    """The detector alone, in an interpreter of its own."""

    def command(name: str) -> list[str]:
        return [*PYTHON, "-c", OURS.format(root=str(ROOT)), name]

    def read(out: bytes) -> Spans:
        return [(int(first), int(last)) for first, last in (line.split() for line in out.splitlines())]

    return Scanner("hoard-git", __version__, command, command, read)


def make_corpora(seed: int, generator: Path | None, folder: Path) -> Iterator[Corpus]:
    """The second set, and what the generator writes."""
    items = build(seed)
    lines, spans = as_page(items, seed)
    secret = frozenset(item.kind for item in items if item.secret)
    yield Corpus("second set", "\n".join(lines) + "\n", spans, secret, frozenset(item.kind for item in items if item.mangled))
    if generator is None:
        return
    out = folder / "generated"
    subprocess.run([sys.executable, str(generator), "--seed", str(seed), "--out", str(out)], check=True, stdout=subprocess.DEVNULL)
    rows = [json.loads(line) for line in (out / "corpus.jsonl").read_text(encoding="utf-8").splitlines()]
    places = {name: (first, last) for name, (first, last) in json.loads((out / "spans.json").read_text()).items()}
    secret = frozenset(row["id"] for row in rows if row["label"] == "secret")
    mangled = frozenset(row["id"] for row in rows if row["obf"])
    yield Corpus(generator.stem, (out / "MEMORY.md").read_text(encoding="utf-8"), places, secret, mangled)


def run_all(
    scanners: list[Scanner], pages: Mapping[str, str], rounds: int, folder: Path
) -> tuple[dict[tuple[str, str], Spans], dict[tuple[str, str], Timing]]:
    """Run every scanner, and a bare interpreter under the name '', over every page; what each said last, and its times."""
    home = folder / "home"
    home.mkdir()
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    said: dict[tuple[str, str], Spans] = {}
    cases: dict[tuple[str, str], Callable[[], object]] = {}

    def case(scanner: Scanner, page: str, file: str) -> Callable[[], None]:
        run = program(scanner.scan(file), folder, environment)

        def once() -> None:
            said[scanner.name, page] = scanner.read(run())

        return once

    for number, (page, text) in enumerate(pages.items()):
        file = f"page-{number}.md"
        (folder / file).write_text(text, encoding="utf-8")
        cases["", page] = program([*PYTHON, "-c", "pass"], folder, environment)
        cases |= {(scanner.name, page): case(scanner, page, file) for scanner in scanners}
    return said, measure(rounds, cases)


def report_finds(corpus: Corpus, scanners: list[Scanner], answers: dict[tuple[str, str], Spans]) -> None:
    """Print recall and precision."""
    plain, clean = corpus.secret - corpus.mangled, corpus.spans.keys() - corpus.secret
    count = f"{len(corpus.secret)} secrets, {len(corpus.mangled)} of them disguised, {len(clean)} look-alikes"
    rows = []
    for scanner in scanners:
        found = answers[scanner.name, corpus.name]
        hit = {name for name, (first, last) in corpus.spans.items() if any(a <= last and first <= b for a, b in found)}
        right, wrong = len(hit & corpus.secret), len(hit & clean)
        shares = [right / len(corpus.secret), len(hit & plain) / len(plain), len(hit & corpus.mangled) / max(1, len(corpus.mangled))]
        row = [scanner.name, scanner.version, *(f"{share:.3f}" for share in shares), str(wrong), f"{right / max(1, right + wrong):.3f}"]
        rows.append(row)
    head = ["scanner", "version", "recall", "plain", "disguised", "false alarms", "precision"]
    print(f"The {corpus.name}: {count}, {corpus.text.count(chr(10)):,} lines.\n\n{table(head, rows)}")


def report_times(names: list[str], pages: Mapping[str, str], found: Mapping[tuple[str, str], Timing], rounds: int) -> None:
    """Print milliseconds by the clock and the ratio to a bare interpreter's."""
    rows = []
    for name in ("", *names):
        cells = [(found[name, page].wall, found["", page].wall) for page in pages]
        rows.append([name or "bare `python -I -S -c pass`", *(f"{milliseconds(one)}, {times(one, unit)} ×" for one, unit in cells)])
    print(f"A fresh process for each file, the median of {rounds}, and multiples of a bare interpreter:\n")
    print(table(["program", *pages], rows))


if __name__ == "__main__":
    main()
