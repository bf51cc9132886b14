"""Write the page about the suite: what each gate does about each shape.

    python -m tests.poison.matrix            run every shape through every gate and write the page
    python -m tests.poison.matrix --check    run them and compare with the page, exit 1 if it is stale

The page holds neither dates nor times: the same suite and the same gate give the same bytes.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.poison import recalling
from tests.poison.bench import Bench
from tests.poison.lanes import FullBench
from tests.poison.shapes import GATES, Gate, Outcome, Shape, outcome, wanted
from tests.poison.suite import GROUPS, MUTATIONS, SHAPES
from tests.support.environment import ROOT, seal_process

PAGE = ROOT / "docs" / "explanation" / "poisoning-matrix.md"

Outcomes = Mapping[str, Mapping[Gate, Outcome]]

_ORDER: tuple[Outcome, ...] = ("blocked", "warned", "noted", "other", "missed", "unasked")
_COLUMNS: Mapping[Gate, str] = {gate: gate for gate in GATES} | {"signed": "range, signed"}

_HEAD = """\
<!-- Written by tests/poison/matrix.py from a run of the suite; change the suite, then run it. -->

# What the gate does about poisoning

`tests/poison/` holds {shapes} shapes of an attack on a memory in git. Each is a script: a real repository with a policy (one human, one
agent) and a memory by a user, an agent and the web, then one commit, a few, or a push by the attacker. Each has a benign twin, the same without
the attack. A gate has stopped a shape only when it refused the attack (or warned, where the rule is a warning), *the rule that is meant for the
shape* said why, and the twin passed without that rule. A refusal for another reason is a miss. A gate that refuses everything would score zero.

**Where the policy asks for signatures, `hoard check --range` blocks {blocked} of {shapes} scripted commit shapes that we wrote ourselves, and reports
{reported} more as warnings or notes; without signatures it blocks {unsigned}.** That is a statement about this suite, not about attacks in the world: the
rules and the shapes come from one catalogue, none was held out, and a fact that is false, plausible and tagged with its true source looks like any
other fact. What provenance does about those is to keep them at the rank of their source until they expire.

## Gates

| gate | what runs |
|---|---|
| none | git alone |
| grep | a hook that wants a tag in each added heading and in each new file, found with `grep` in `git diff --cached` |
| parser | `hoard check` on the files as they stand: no commit before, no author |
| pre-commit | `git commit`, or the shape's own git commands, with the hooks that `hoard hooks install` puts in place |
| range | `hoard check --range BASE..TIP` on the same commits, made without hooks where a hook refused them |
| pre-receive | `git push` to a bare repository with the hook of `hoard hooks install --server`; for groups other than *Commits and refs* and *Policy and hooks* the hook's own code is called with the same update |
| range, signed | `hoard check --range` under a policy with `authority: signature`, where the human's commits carry the human's signature |

| outcome | meaning |
|---|---|
| blocked | refused, and the intended rule is among the errors |
| warned | let through with a warning of the intended rule, which `--strict` refuses |
| noted | let through with a note of the intended rule, which the range check prints and the hook does not |
| other | refused by other rules only: counted as a miss |
| missed | let through in silence, or the twin was refused as well |
| unasked | the gate cannot meet this shape |

## Totals

"""

_TAIL = """
## Mutations

The same attacks in other spellings and places: letter case, spacing, code points, order, another file class, another construct. Each runs
against the range check, or against the first gate behind it that has to stop it. {stopped} of {mutations} are stopped by the intended rule.
"""

_RECALL = """
## What is found and loaded

Poison that no gate could tell from memory is there to be searched and loaded. Each row has spellings of one attack and a benign twin, and the commands
are asked about both. {held} of {asked} give the answers that are wanted, by words alone, without vectors.

"""

_BOUNDS = """
A newer date wins only between two entries that contradict each other and are trusted alike; there search asks history since when the words are in memory.
For everything else it takes the tag's word: a moved date takes the `expired` off a hit, which HG306 reports where it is committed. Vectors
count a quarter, and a text made for their likeness can gain that much. Daily logs weigh less with age, and MEMORY.md does not: a trusted line of an old
log may come behind a page's line that answers as well. A file with git's skip-worktree or assume-unchanged flag is told by `hoard doctor` alone.
"""

_SCOPE = """
## What is not in here

What lies where git does not look (`hoard doctor` has tests of its own for that), and wording that only a reader can judge. The columns differ where
a question needs history, which a local hook does not read, a signature, which does not exist yet when the hook runs, or a ref, which only a server
sees. A local hook is an early warning in any case: `--no-verify`, cherry-pick, rebase and others pass it by, and
the range check and the server do not depend on it. What `grep` blocks by itself is mostly a heading or a file without a tag.
"""


def run(bench: Bench) -> Outcomes:
    """Measure every shape at every gate, and every mutation at its own."""
    found: dict[str, dict[Gate, Outcome]] = {}
    for shape in SHAPES:
        measured = bench.measure(shape)
        found[shape.id] = {gate: outcome(shape, measured, gate) for gate in GATES}
    for shape in MUTATIONS:
        found[shape.id] = {shape.measured_at: outcome(shape, bench.measure_mutation(shape), shape.measured_at)}
    return found


def render(outcomes: Outcomes, recalled: Mapping[str, Sequence[str]]) -> str:
    """The page for a run's outcomes; `recalled` names the failed attacks of each row of `recalling`."""
    counts = {gate: Counter(outcomes[shape.id][gate] for shape in SHAPES) for gate in GATES}
    stopped = [shape for shape in MUTATIONS if not shape.accepted and outcomes[shape.id][shape.measured_at] == wanted(shape)]
    numbers = {
        "shapes": len(SHAPES),
        "blocked": counts["signed"]["blocked"],
        "reported": counts["signed"]["warned"] + counts["signed"]["noted"],
        "unsigned": counts["range"]["blocked"],
        "mutations": len(MUTATIONS),
        "stopped": len(stopped),
    }
    lines = [
        *_table(["gate", *_ORDER], [[_COLUMNS[gate], *(str(counts[gate][name]) for name in _ORDER)] for gate in GATES]),
        "",
        *_misses(outcomes),
        "",
        "By design, or a known limit:",
        "",
        *(f"- {shape.id}, {shape.title[0].lower()}{shape.title[1:]}: {shape.accepted}." for shape in SHAPES if shape.accepted),
    ]
    for group, shapes in GROUPS.items():
        rows = [[shape.id, shape.title, _rules(shape), *(outcomes[shape.id][gate] for gate in GATES)] for shape in shapes]
        lines += ["", f"## {group}", "", *_table(["id", "shape", "intended rule", *(_COLUMNS[gate] for gate in GATES)], rows)]
    tail = [*_mutations(outcomes), "", f"Suite: `{_digest()}` (the scripts of all shapes, SHA-256, first 16 digits)."]
    return (
        _HEAD.format(**numbers)
        + "\n".join(lines)
        + "\n"
        + _TAIL.format(**numbers)
        + "\n"
        + "\n".join(tail)
        + "\n"
        + _recall(recalled)
        + _SCOPE
    )


def _recall(recalled: Mapping[str, Sequence[str]]) -> str:
    """The table of what is found and loaded."""
    rows = []
    for row in recalling.ROWS:
        failed = recalled[row.id]
        spellings = f"{len(row.attacks) - sum(name != recalling.TWIN for name in failed)} of {len(row.attacks)}"
        rows.append([row.id, row.title, row.asked, row.rule, spellings, "no" if recalling.TWIN in failed else "yes", ", ".join(failed)])
    asked = sum(len(row.attacks) + 1 for row in recalling.ROWS)
    table = _table(["id", "attack", "asked", "wanted", "spellings", "twin", "missed"], rows)
    held = asked - sum(len(failed) for failed in recalled.values())
    return _RECALL.format(held=held, asked=asked) + "\n".join(table) + "\n" + _BOUNDS


def _misses(outcomes: Outcomes) -> Iterator[str]:
    """What the gates of ours do not stop by the intended rule, by id; what is accepted by design stands below."""
    yield "Not stopped by the intended rule, without those that are accepted by design:"
    yield ""
    for gate in GATES[3:]:
        missed = [
            f"{shape.id} ({outcomes[shape.id][gate]})"
            for shape in SHAPES
            if not shape.accepted and outcomes[shape.id][gate] in {"other", "missed"}
        ]
        yield f"- {_COLUMNS[gate]}: {', '.join(missed) or 'none'}."


def _mutations(outcomes: Outcomes) -> Iterator[str]:
    rows = []
    for shape in SHAPES:
        variants = list(shape.variants())
        if variants:
            missed = [v for v in variants if outcomes[v.id][v.measured_at] in {"other", "missed"}]
            rows.append([shape.id, f"{len(variants) - len(missed)} of {len(variants)}", ", ".join(v.id.partition(".")[2] for v in missed)])
    yield from _table(["shape", "stopped", "missed"], rows)
    accepted = [shape for shape in MUTATIONS if shape.accepted]
    if accepted:
        yield ""
        yield "By design, or a known limit:"
        yield ""
        yield from (f"- {shape.id}: {shape.accepted}." for shape in accepted)


def _rules(shape: Shape) -> str:
    return " or ".join(shape.codes) or (f"cannot look: {shape.says}" if shape.says else "none, by design")


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _digest() -> str:
    return hashlib.sha256(repr(SHAPES).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def main(arguments: Sequence[str]) -> int:
    """Run the suite in a sealed environment, and write or compare the page."""
    with tempfile.TemporaryDirectory(prefix="hoard-poison-") as folder:
        home, work, results = (Path(folder, name) for name in ("home", "work", "results"))
        for place in (home, work, results):
            place.mkdir()
        seal_process(home)
        text = render(run(FullBench(work, results)), recalling.run(work / "recalled"))
    if "--check" not in arguments:
        PAGE.parent.mkdir(parents=True, exist_ok=True)
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print(f"{PAGE.relative_to(ROOT)} is stale; write it: python -m tests.poison.matrix")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
