"""The page about a run over real workspaces: names of public repositories and counts, no text of theirs."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

from tests.real.promises import MEGABYTES, SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tests.real.records import Result, Step

_SEVERITIES = ("error", "warn", "info")

_HEAD = """\
<!-- Written by tests/real/run.py from a run; change that, then run it. -->

# Ten real workspaces

Public repositories in which an agent keeps its memory, as their owners left them. `tests/real/run.py FOLDER` takes a folder of clones, copies each
aside, replays its history (`hoard check --range HEAD` under the default policy, as if every author were an agent), adopts it (`hoard init --yes`) and
runs what a user runs. Nothing of these repositories is kept here but their names and these counts. To them, an error or a warning is no reproach: their
authors never asked for this gate, and a history without tags breaks the rule about tags in every commit.

The program checks, for each workspace and command: no traceback, no exit status but 0, 1 and 2; with 2 a next command; no control character
in what is printed; no line wider than 80 columns where output is laid out for a screen; that tagging added provenance tags and nothing else, that a second
`hoard tag` changes nothing, and that what only reads changes neither a commit nor a file. It reports what takes more than {seconds:.0f} s of processor time or
{megabytes:.0f} MB.
"""

_LEGEND = """\
*Files* and *entries* are memory by the default policy, *tags* those that `init --yes` gave. *Now* are the findings of `hoard check` after adoption, *in history*
those of the replay: errors / warnings / notes. A dash: the snapshot at hand lacks objects, so whatever needs them ends with 2 and says so (where the newest
commit lacks some, one more commit leaves them out). *Slowest* is the command
that took most processor time, and *peak* the most memory of one process. *Status 1* and *2* count commands, of {number}: `check` and the replay end with 1 where they
find errors, `doctor` where a check fails; `why` and `wiki` end with 2 where there is nothing to tell.
"""


def _findings(counts: dict[str, int]) -> str:
    return " / ".join(f"{counts[name]:,}" for name in _SEVERITIES) if counts else "\u2013"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _line(result: Result) -> str:
    slowest = max(result.steps, key=lambda step: step.seconds)
    ends = [step.status for step in result.steps]
    counts = (result.commits, result.files, result.entries, result.tags)
    return _row(
        (
            result.name,
            *(f"{count:,}" for count in counts),
            _findings(result.standing),
            _findings(result.replayed),
            f"`{slowest.name}` {slowest.seconds:.1f}",
            f"{sum(step.seconds for step in result.steps):.0f}",
            f"{max(step.megabytes for step in result.steps):.0f}",
            str(ends.count(1)),
            str(ends.count(2)),
        )
    )


def _of_command(name: str, results: Sequence[Result]) -> str:
    steps: list[Step] = [step for result in results for step in result.steps if step.name == name]
    seconds = sorted(step.seconds for step in steps)
    statuses = sorted({step.status for step in steps})
    ends = ", ".join(f"{status} ({sum(step.status == status for step in steps)})" for status in statuses)
    most = max(step.megabytes for step in steps)
    return _row((f"`{name}`", f"{seconds[len(seconds) // 2]:.1f}", f"{seconds[-1]:.1f}", f"{most:.0f}", ends))


def page(results: Sequence[Result], date: str) -> str:
    """The page as markdown. `date` is the day that the commands took as today."""
    results = sorted(results, key=lambda result: result.name.lower())
    names = list(dict.fromkeys(step.name for result in results for step in result.steps))
    most = max(len(result.steps) for result in results)
    text = _HEAD.format(seconds=SECONDS, megabytes=MEGABYTES) + "\n## By workspace\n\n" + _LEGEND.format(number=most) + "\n"
    text += _row(
        (
            "workspace",
            "commits",
            "files",
            "entries",
            "tags",
            "now",
            "in history",
            "slowest, s",
            "all, s",
            "peak, MB",
            "status 1",
            "status 2",
        )
    )
    text += _row(("---", *["---:"] * 4, "---", "---", "---", *["---:"] * 4))
    text += "".join(map(_line, results))
    text += "\n## By command\n\nProcessor time in seconds: the middle and the longest of all workspaces; exit statuses with how many ended so.\n\n"
    text += _row(("command", "middle, s", "longest, s", "peak, MB", "status")) + _row(("---", "---:", "---:", "---:", "---"))
    text += "".join(_of_command(name, results) for name in names)
    broken = [f"- {result.name}: {line}\n" for result in results for line in result.broken]
    text += "\n## What was not kept\n\n" + ("".join(broken) or "Nothing: every promise above held in every workspace.\n")
    return text + f"\nThe day was {date}; Python {platform.python_version()} on {platform.system()}, {platform.machine()}.\n"
