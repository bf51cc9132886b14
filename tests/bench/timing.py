"""Times of several things in turn, so that a machine that gets slower meanwhile is slower for all of them."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

Name = TypeVar("Name", bound=Hashable)
ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Timing:
    """Medians in seconds: by the clock, and of the processor, this process and the children that it waited for together."""

    wall: float
    processor: float


def measure(rounds: int, cases: Mapping[Name, Callable[[], object]], *, warm: bool = True) -> dict[Name, Timing]:
    """Run every case once a round, in turn, after one round that only fills caches (unless not `warm`)."""
    spent: dict[Name, list[Timing]] = {name: [] for name in cases}
    for turn in range(-int(warm), rounds):
        for name, case in cases.items():
            before, start = processor_seconds(), time.perf_counter()
            case()
            wall = time.perf_counter() - start
            if turn >= 0:
                spent[name].append(Timing(wall, processor_seconds() - before))
    return {
        name: Timing(statistics.median(one.wall for one in rows), statistics.median(one.processor for one in rows))
        for name, rows in spent.items()
    }


def processor_seconds() -> float:
    """Of this process and of all children that have ended and been waited for."""
    total = 0.0
    for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        used = resource.getrusage(whose)
        total += used.ru_utime + used.ru_stime
    return total


def megabytes_of_children() -> int:
    """The most memory of any one child so far."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10


def installed() -> dict[str, str]:
    """This environment with our package on the path and bytecode kept, as where it is installed."""
    kept = {name: value for name, value in os.environ.items() if name not in {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}}
    return {**kept, "PYTHONPATH": str(ROOT)}


def program(words: Sequence[str | Path], folder: Path, env: Mapping[str, str], *, ends: Sequence[int] = (0,)) -> Callable[[], bytes]:
    """A case that runs a program to its end and returns its output. It raises RuntimeError for a status that is not among `ends`."""

    def run() -> bytes:
        done = subprocess.run(words, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if done.returncode not in ends:
            message = f"{Path(words[0]).name} ended with status {done.returncode}: {done.stderr[-300:].decode(errors='replace')}"
            raise RuntimeError(message)
        return done.stdout

    return run


def hoard(*words: str) -> list[str]:
    """The command line of this checkout in a fresh process."""
    return [sys.executable, "-m", "hoard_git", *words]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A markdown table."""
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)) + "\n"


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:,.1f} ms" if seconds < 0.1 else f"{seconds * 1000:,.0f} ms"


def times(one: float, other: float) -> str:
    """A ratio, two figures of it; a dash where the unit was too short for the clock."""
    if not other:
        return "–"
    ratio = one / other
    return f"{ratio:.2f}" if ratio < 1 else f"{ratio:.1f}" if ratio < 10 else f"{ratio:,.0f}"
