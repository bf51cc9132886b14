"""How many small faults in hoard_git/core and hoard_git/lint the tests notice.

    python -m tests.mutation.run [--mutants N] [--seed N] [--only TEXT] [--processes N] [--folder DIR] [--write]

A sample of all mutants (tests/mutation/mutants.py) is put, one at a time, into a copy of the project, and the tests of tests/core, tests/lint and
tests/properties that reach its line are run there: those of the module's own test file, then the quickest, as many as took half a minute together. A mutant
that they let pass meets other tests that reach its module, for a shorter time: what one test computes and others find remembered is reached by them
all. `--write` puts the figures and the survivors into docs/explanation/proof.md; why a survivor is none is written down in
tests/mutation/survivors.toml. `--folder` keeps what was found, so that a run that was interrupted goes on, and one after new tests tries only the
survivors without a reason again. `--only` takes mutants whose name (path, function, change) contains TEXT. Exit status 1 if a survivor has no reason in that file, 2 if
the tests fail without any mutant.

Some 20 minutes for 300 mutants on two processors.
"""

from __future__ import annotations

import argparse
import os
import queue
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from pathlib import Path

from tests.mutation.copies import Copy, digest
from tests.mutation.mutants import Mutant, find_mutants
from tests.mutation.outcome import Found, Memory, read_reasons, summary, write_page
from tests.mutation.reach import MUTATED, TESTS, BrokenRunError, Reach, environment, load_reach
from tests.support.environment import ROOT
from tests.support.house import repository_files

# Per test; the plugin allows the same once more for a single one.
_PATIENCE = 4
_START = 60
# A line of the parser is reached by nearly every test; whoever lets a fault there pass for so long lets it pass.
_NEAR, _FAR = 30.0, 10.0


def all_mutants() -> list[Mutant]:
    """Every mutant of core and lint; names with one underscore are data tables."""
    found: list[Mutant] = []
    for path in repository_files():
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(tuple(f"{folder}/" for folder in MUTATED)) and name.endswith(".py") and not path.name.startswith("_"):
            found += find_mutants(name, path.read_text(encoding="utf-8"))
    return found


def run_tests(copy: Copy, reach: Reach, tests: Sequence[str]) -> str:
    """Run these tests in a copy: 'passed', 'failed' or 'timed out'. Raises BrokenRunError when none of them was there to run."""
    wanted = copy.folder / "tests.txt"
    wanted.write_text("\n".join(tests), encoding="utf-8")
    files = sorted({test.partition("::")[0] for test in tests})
    options = ["-q", "-x", "--tb=no", "-p", "no:randomly", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "tests.mutation.plugin"]
    limit = _START + _PATIENCE * sum(reach.seconds.get(test, 0.0) for test in tests)
    running = subprocess.Popen(
        [sys.executable, "-m", "pytest", *options, f"--basetemp={copy.folder / 'temp'}", *files],
        cwd=copy.tree,
        env=environment(MUTATION_TESTS=str(wanted), MUTATION_SECONDS=str(copy.folder.parent / "seconds.json")),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        said, _ = running.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
        return "timed out"
    if running.returncode == 5:
        raise BrokenRunError(said.decode(errors="replace")[-2000:])
    return {0: "passed", 124: "timed out"}.get(running.returncode, "failed")


def judge(copy: Copy, reach: Reach, mutant: Mutant) -> str:
    """What becomes of a mutant: 'failed', 'timed out', 'survived', or 'unreached' when no test reaches its module."""
    places = (mutant.start[0], mutant.statement)
    near = reach.of_line(mutant.path, places)
    far = (reach.of_module(mutant.path) | reach.of_own_file(mutant.path)) - near
    if not near and not far:
        return "unreached"
    with copy.holding(mutant):
        for tests, limit in ((near, _NEAR), (far, _FAR)):
            outcome = run_tests(copy, reach, reach.choose(mutant.path, tests, limit)) if tests else "passed"
            if outcome != "passed":
                return outcome
    return "survived"


def prove_copies(copies: Sequence[Copy], reach: Reach) -> None:
    """Each copy has to pass some tests as it stands, so that a fault is what makes them fail. Raises BrokenRunError."""
    some = sorted(reach.seconds, key=reach.seconds.__getitem__)[len(reach.seconds) // 2 :][:20]
    for copy in copies:
        if run_tests(copy, reach, some) != "passed":
            message = f"tests that passed under coverage fail in {copy.tree}."
            raise BrokenRunError(message)


def judge_all(mutants: Sequence[Mutant], reach: Reach, memory: Memory, folder: Path, processes: int) -> list[Found]:
    """Judge them in several copies at once; what is remembered is not asked again."""
    known = memory.known(read_reasons())
    results = [Found(mutant, known[mutant.key]) for mutant in mutants if mutant.key in known]
    copies = [Copy.make(folder / f"copy-{number}") for number in range(processes)]
    prove_copies(copies, reach)
    free: queue.SimpleQueue[Copy] = queue.SimpleQueue()
    for copy in copies:
        free.put(copy)

    def one(mutant: Mutant) -> Found:
        copy = free.get()
        try:
            return Found(mutant, judge(copy, reach, mutant))
        finally:
            free.put(copy)

    with ThreadPoolExecutor(processes) as pool:
        waiting = [pool.submit(one, mutant) for mutant in mutants if mutant.key not in known]
        for future in as_completed(waiting):
            found = future.result()
            results.append(found)
            memory.add(found)
            print(f"{len(results):>4} of {len(mutants)}  {found.outcome:<10} {found.mutant.start[0]:>4} {found.mutant.key}", flush=True)
    return sorted(results, key=lambda found: (found.mutant.path, found.mutant.start))


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--mutants", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", default="")
    options.add_argument("--processes", type=int, default=2)
    options.add_argument("--folder", type=Path)
    options.add_argument("--write", action="store_true")
    asked = options.parse_args()
    everything = all_mutants()
    among = sorted((mutant for mutant in everything if asked.only in mutant.key), key=lambda mutant: mutant.rank(asked.seed))
    with tempfile.TemporaryDirectory() as temporary:
        folder = (asked.folder or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        try:
            state = digest(*MUTATED, *TESTS)
            reach = load_reach(folder, state, asked.processes)
            found = judge_all(among[: asked.mutants], reach, Memory(folder, state), folder, asked.processes)
        except BrokenRunError as broken:
            print(f"The tests could not be relied on:\n{broken}", file=sys.stderr)
            return 2
    reasons = read_reasons()
    print(summary(found, reasons, len(everything), asked.seed))
    if asked.write:
        write_page(found, reasons, len(everything), asked.seed)
    return int(any(one.passed_by and one.mutant.key not in reasons for one in found))


if __name__ == "__main__":
    sys.exit(main())
