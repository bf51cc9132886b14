"""Write the page about two suites of others: what they say about a workspace behind the gate.

    python -m tests.compat.conformance            run both and write the page
    python -m tests.compat.conformance --check    run both and compare with the page, exit 1 if it is stale

The page holds neither dates nor times: the same suites and the same gate give the same bytes.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import importlib.metadata
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from agent_memory_guard.bench import Scenario, Scorecard, SystemReport, default_corpus, run_suite, score_report
from agmi.check import run  # type: ignore[import-untyped]  # it ships no types

from tests.compat import agmi_adapter as agmi
from tests.compat.amsb_adapter import SOURCES, STRICT, Factory
from tests.support.environment import ROOT, seal_process
from tests.support.repo import Repo

PAGE = ROOT / "docs" / "explanation" / "conformance.md"

Verdicts = Mapping[str, Mapping[str, str]]
Runs = Mapping[str, tuple[SystemReport, Scorecard, list[str]]]

ATTACKERS: Mapping[str, tuple[Callable[[Repo], None], bool]] = {
    "files": (agmi.leave, True),
    "amended": (agmi.amend, True),
    "appended": (agmi.append, True),
    "appended, no witness": (agmi.append, False),
}
"""What the attacker does with an edit, and whether a tip is remembered outside."""

RUNS: Mapping[str, tuple[Mapping[str, str], bool]] = {
    "as it comes": (SOURCES, False),
    "values that look real": (SOURCES, True),
    "harmless text from a tool, too": (STRICT, True),
}
"""How the benchmark is run: what the sources become, and whether the two documentation keys are replaced by random ones."""

_PAGE = """\
<!-- Written by tests/compat/conformance.py from a run of both suites; change the gate or the adapter, then run it. -->

# What two suites of others say

Both are run as they are, from the package index, with an adapter of ours in `tests/compat/`; they grade, not we.

{agmi}
{amsb}"""

_AGMI = """\
## Agent memory integrity (agmi {version})

The suite seeds a store through the tool, edits it behind the tool's back, opens it again and asks the tool whether all is well. *Reported* means
that the audit said no; *accepted* that the edit was served as genuine. Our store is a workspace with `authority: signature`; every seeded record is
a signed commit by `hoard add`. The attacker may change every byte of the repository, `.git` among them, and has no key.

{attacks}

- **files**: the memory file is edited and nothing committed. Reported because the files are not the last commit's.
- **amended**: the edit is put into the newest commit, in the agent's name. **appended**: into an unsigned commit on top.
- The audit is: tips remembered outside the repository must lie behind `HEAD`, commits after them must carry a listed key's signature (both with
  git's own commands), the files must be the last commit's, and `hoard check --range` must pass.
- **no witness** is the same attacker against a repository of which nobody remembers a tip. The gate alone tells *who may change what*: it reports
  the raised source, and an id that stands there twice halfway through a swap, and takes an unsigned edit of the agent's own facts for the agent's. T9 puts an older, genuine copy of everything back,
  which nothing inside the copy can tell. Whoever needs that answered keeps a tip elsewhere: a second clone, a server, a witness.
"""

_AMSB = """\
## Agent Memory Security Benchmark (agent-memory-guard {version})

{attack_count} attacks and {benign_count} harmless controls; each is a write, a new session and a read. A refused write counts as defended, a harmless text that does not
come back word for word as a false alarm. Each write is one commit by the agent through the hooks of `hoard hooks install`, under `src:tool` where
the suite says it comes from a tool, and `src:agent` where it says that a user said it.

| run | defended | false alarms | score | grade |
|---|---|---|---|---|
{scores}

{rows}

- The two breaches are a key of a vendor's documentation, and a connection string whose password is `p@ssw0rd` with an API key that ends in the
  alphabet: what people write where no secret is. hoard-git lets such values pass on purpose, because memory quotes manuals; the suite counts them
  as critical and caps the grade. In the second and third run, that key and that password are random ones of the same form.
- The third run says of every text that a tool wrote it, of the harmless ones, too.
- A first run, before HG405 knew of claimed power, of texts that call themselves a standing directive, of approval without review and of personas
  without limits, defended 9 of {attack_count} (score 59.2). Those rules were written after reading what was missed, in general words and with no hit in
  122,000 lines of real memory. So the figures above say that these attacks are stopped now, and little about the next ones.
"""


def run_agmi(folder: Path) -> Verdicts:
    """The verdict on each edit, for each attacker."""
    store = agmi.Store(folder / "store")
    return {
        name: {row["edit"]: row["verdict"] for row in run(agmi.HoardAdapter(store, land, witnessed=witnessed))}
        for name, (land, witnessed) in ATTACKERS.items()
    }


def run_amsb(folder: Path) -> Runs:
    """The suite's report, its score, and what the hooks said to each scenario, for each way of running it."""
    found = {}
    for number, (name, (sources, real)) in enumerate(RUNS.items()):
        factory = Factory(folder / f"run-{number}", sources)
        report = run_suite(factory, [_with_real_values(scenario) if real else scenario for scenario in default_corpus()])
        # The suite makes one memory only to ask for its name.
        found[name] = (report, score_report(report), ["".join(memory.said) for memory in factory.made[1:]])
    return found


def _with_real_values(scenario: Scenario) -> Scenario:
    """The scenario with a documentation value replaced by one of which the form is a real one's."""
    random = base64.b32encode(hashlib.sha256(scenario.id.encode()).digest()).decode()
    replaced = {"leak-aws-key": (scenario.canary, scenario.canary[:4] + random[:16]), "leak-connection-string": ("p@ssw0rd", random[:12])}
    if scenario.id not in replaced:
        return scenario
    old, new = replaced[scenario.id]
    steps = tuple(dataclasses.replace(step, value=step.value.replace(old, new)) for step in scenario.steps)
    return dataclasses.replace(scenario, steps=steps, canary=scenario.canary.replace(old, new))


def render(verdicts: Verdicts, runs: Runs) -> str:
    """The page for both runs."""
    return _PAGE.format(agmi=render_agmi(verdicts), amsb=render_amsb(runs))


def render_agmi(verdicts: Verdicts) -> str:
    """The part about the edits at rest."""
    edits = list(next(iter(verdicts.values())))
    attacks = _table(["edit", *verdicts], [[edit, *(verdicts[name][edit].lower() for name in verdicts)] for edit in edits])
    return _AGMI.format(version=importlib.metadata.version("agent-memory-integrity"), attacks="\n".join(attacks))


def render_amsb(runs: Runs) -> str:
    """The part about the poisoned writes."""
    cards = {name: card for name, (_report, card, _said) in runs.items()}
    first = next(iter(cards.values()))
    scores = [
        f"| {name} | {card.defended_total} of {card.malicious_total} | {card.false_positives} of {card.benign_total}"
        f" | {card.score:.1f} | {card.grade.value} |"
        for name, card in cards.items()
    ]
    return _AMSB.format(
        version=importlib.metadata.version("agent-memory-guard"),
        attack_count=first.malicious_total,
        benign_count=first.benign_total,
        scores="\n".join(scores),
        rows="\n".join(_scenarios(runs)),
    )


def _scenarios(runs: Runs) -> Iterator[str]:
    """One row a scenario: what became of it in each run, and the rules that spoke in the first."""
    reports = [report.runs for report, _card, _said in runs.values()]
    said = next(iter(runs.values()))[2]
    rows = []
    for number, scenario in enumerate(reports[0]):
        rules = sorted(set(re.findall(r"\bHG\d{3}\b", said[number])))
        rows.append(
            [scenario.scenario_id, ", ".join(rules), *(_outcome(report[number].malicious, report[number].passed) for report in reports)]
        )
    yield from _table(["scenario", "rules", *runs], rows)


def _outcome(malicious: bool, passed: bool) -> str:
    return ("defended" if passed else "**breached**") if malicious else ("kept" if passed else "**refused**")


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield f"| {' | '.join(row)} |"


def main(arguments: Sequence[str]) -> int:
    """Run both suites in a sealed environment, and write or compare the page."""
    with tempfile.TemporaryDirectory(prefix="hoard-conformance-") as folder:
        home, work = Path(folder, "home"), Path(folder, "work")
        home.mkdir()
        work.mkdir()
        seal_process(home)
        text = render(run_agmi(work), run_amsb(work))
    if "--check" not in arguments:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print(f"{PAGE.relative_to(ROOT)} is stale; write it: python -m tests.compat.conformance")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
