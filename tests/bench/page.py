"""The benchmark page: which programs fill its parts, how they are run, and how their output gets between its marks.

Each benchmark is a program of its own in this folder that prints markdown. It is run in a fresh process with a limit of time; what it cannot
measure, for want of a peer or because it failed, becomes a sentence in its place and never ends the run.
"""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.bench.machine import describe, load
from tests.bench.peers import find_peers
from tests.bench.timing import ROOT
from tests.support.environment import hermetic_environment
from tests.support.pages import put_between

PAGE = ROOT / "docs/explanation/measurements.md"
HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Bench:
    """One part of the page: its name there, the program and its arguments, those of a short pass, and the seconds that it may take."""

    name: str
    script: str
    full: tuple[str, ...]
    quick: tuple[str, ...]
    limit: int


BENCHES = (
    Bench("hooks", "hooks.py", ("31",), ("3",), 120),
    Bench("secrets", "secrets_peers.py", ("--rounds", "9"), ("--rounds", "1"), 150),
    Bench("ranges", "range.py", ("1000",), ("50",), 100),
    Bench("history", "history_index.py", ("20000",), ("200",), 240),
    Bench("upkeep", "consolidate.py", ("1000", "3000", "10000"), ("--rounds", "1", "330"), 120),
    Bench("search", "search.py", ("1000", "10000", "100000"), ("500",), 90),
    Bench("signatures", "signatures.py", ("300",), ("20",), 45),
    Bench("verify", "verify.py", ("300",), ("20",), 35),
)
"""In the order of the page; the limits together are the 15 minutes that a run may take."""


def run_bench(bench: Bench, *, quick: bool, patience: float = 1.0) -> tuple[str, bool]:
    """The part of the page that a benchmark writes, and whether it could; `patience` stretches its limit.

    It sees none of this machine's git configuration and identities, and keeps compiled modules, as where hoard-git is installed.
    """
    words = [sys.executable, str(HERE / bench.script), *(bench.quick if quick else bench.full)]
    limit = bench.limit * patience
    with tempfile.TemporaryDirectory() as home:
        env = hermetic_environment(Path(home))
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        running = subprocess.Popen(
            words, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
        try:
            out, err = running.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            _end(running)
            return f"Not measured: `{bench.script}` took longer than {limit:.0f} s.", False
        except BaseException:
            _end(running)
            raise
    said = out.decode("utf-8", errors="replace").strip()
    if running.returncode or not said:
        sys.stderr.write(err.decode("utf-8", errors="replace"))
        return f"Not measured: `{bench.script}` ended with status {running.returncode}.", False
    return said, True


def _end(running: subprocess.Popen[bytes]) -> None:
    """End a benchmark with all that it has started."""
    with suppress(ProcessLookupError):
        os.killpg(running.pid, signal.SIGKILL)
    running.communicate()


def command(bench: Bench) -> str:
    """How to repeat one part by hand."""
    return shlex.join(["python", f"tests/bench/{bench.script}", *bench.full])


def fill(page: str, parts: Mapping[str, str]) -> str:
    """The page with its parts put between their marks. Raises ValueError when a mark is missing."""
    for name, text in parts.items():
        page = put_between(page, name, text)
    return page


def chosen(names: Sequence[str]) -> list[Bench]:
    return [bench for bench in BENCHES if not names or bench.name in names]


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="tests/bench/run",
        description="Measure everything on the benchmark page and write it there, within 15 minutes. Exit status 1 if something was not measured.",
    )
    parser.add_argument("--quick", action="store_true", help="a short pass, printed; the page stays as it is")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", choices=[bench.name for bench in BENCHES])
    parser.add_argument("--page", type=Path, help="write there instead (with --quick: write there at all)")
    parser.add_argument("--patience", type=float, default=1.0, metavar="FACTOR", help="for slow machines: stretches the limits of time")
    asked = parser.parse_args()
    target: Path | None = asked.page or (None if asked.quick else PAGE)
    try:
        text = (target if target is not None and target.exists() else PAGE).read_text(encoding="utf-8")
        fill(text, dict.fromkeys(("machine", *(bench.name for bench in BENCHES)), ""))
    except (OSError, ValueError) as problem:  # told before the wait, not after it
        print(f"The page cannot be written: {problem}.\nTry: git checkout -- docs/explanation/measurements.md", file=sys.stderr)
        return 2
    before = load()
    parts, missed = measure_parts(chosen(asked.only), quick=asked.quick, patience=asked.patience)
    if not asked.only:
        parts = {"machine": describe(find_peers()[0], (before, load())), **parts}
    if target is None:
        print("\n\n".join(f"## {name}\n\n{part.strip()}" for name, part in parts.items()))
    else:
        target.write_text(fill(text, parts), encoding="utf-8", newline="\n")
        print(f"written: {target}", file=sys.stderr)
    if missed:
        print(f"not measured: {', '.join(missed)}", file=sys.stderr)
    return int(bool(missed))


def measure_parts(benches: Sequence[Bench], *, quick: bool, patience: float) -> tuple[dict[str, str], list[str]]:
    """Run the benchmarks one after the other: the text of each part, and the names of those that could not measure."""
    parts, missed = {}, []
    for bench in benches:
        start = time.perf_counter()
        print(f"{bench.name} ...", end=" ", file=sys.stderr, flush=True)
        said, measured = run_bench(bench, quick=quick, patience=patience)
        parts[bench.name] = f"{said}\n\nMeasured by `{command(bench)}`." if measured and not quick else said
        missed += [] if measured else [bench.name]
        print(f"{time.perf_counter() - start:.0f} s{'' if measured else ', not measured'}", file=sys.stderr, flush=True)
    return parts, missed
