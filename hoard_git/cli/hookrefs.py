"""pre-push and pre-receive: runs them, and says what they found in lines that go through `remote: ` as they are."""

from __future__ import annotations

import os
import sys

from hoard_git.cli.render.text import render_finding, words_text
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hoard_git.app.refupdates import Outcome
    from hoard_git.core.model import Finding

MOST_SHOWN = 50
"""Findings of one push that are printed; the rest are counted."""


def run(name: str, arguments: Sequence[str], say: Callable[[str], None], last_word: str) -> int:
    """Judge a push; returns 0 to let it pass and 1 to refuse it. Raises HoardError when it cannot be judged."""
    given = sys.stdin.buffer.read()
    if name == "pre-receive":
        from hoard_git.app.hookreceive import pre_receive

        return report(pre_receive(given, os.environ), say, last_word)
    if not arguments:
        raise HoardError("pre-push needs the name of the remote that git gives.", "Let git run it: hoard hooks install")
    from hoard_git.app.hookpush import pre_push

    return report(pre_push(arguments[0], given, os.environ), say, last_word)


def report(outcomes: Sequence[Outcome], say: Callable[[str], None], last_word: str) -> int:
    """Print the findings of each ref, errors first, each once and no more than a screen or two, and what to do next."""
    told: set[Finding] = set()
    left = MOST_SHOWN
    hidden = 0
    for outcome in outcomes:
        found = sorted((f for f in outcome.findings if f.severity in ("error", "warn")), key=lambda finding: finding.severity != "error")
        shown = [finding for finding in found if finding not in told]
        told.update(shown)
        if not shown and not outcome.blocks:
            continue
        again = "" if len(shown) == len(found) else ", some of them told above" if shown else ", all told above"
        say(f"hoard: {words_text(outcome.update.ref)}: {_count(found)}{again}")
        for finding in shown[:left]:
            say(render_finding(finding))
        hidden += len(shown[left:])
        left -= len(shown[:left])
    if hidden:
        say(f"hoard: {hidden} more findings are not shown; all of them: hoard check --range A..B")
    blocking = [outcome for outcome in outcomes if outcome.blocks]
    if not blocking:
        if any(finding.severity == "error" for outcome in outcomes for finding in outcome.findings):
            say("hoard: the policy says mode: warn, so the push goes on")
        return 0
    first = next(finding.code for outcome in blocking for finding in outcome.findings if finding.severity == "error")
    say(f"hoard: {last_word}")
    # git puts `remote: ` before each line, so they are kept short.
    say("  next: mend the commits named above and push again")
    say(f"  explain a code: hoard rule {first}")
    return 1


def _count(findings: Sequence[Finding]) -> str:
    errors = sum(finding.severity == "error" for finding in findings)
    warnings = len(findings) - errors
    parts = [f"{errors} error{'s' * (errors != 1)}"] * bool(errors) + [f"{warnings} warning{'s' * (warnings != 1)}"] * bool(warnings)
    return ", ".join(parts)
