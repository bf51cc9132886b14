"""A consolidation plan for people, and as JSON (INTERFACE, "JSON: consolidate")."""

from __future__ import annotations

import json

import click

from hoard_git.cli.render.columns import indented, mask_secrets, terminal_width
from hoard_git.cli.render.text import path_data, path_text, words_text
from hoard_git.core.counted import counted
from hoard_git.core.discreet import quiet_words
from hoard_git.core.plantext import describe, headings, quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.app.consolidate import Outcome
    from hoard_git.cli.context import Context
    from hoard_git.core.actions import Action, Review, Sighting
    from hoard_git.core.plan import Plan
    from hoard_git.gitio.applying import Finished

_MOST = 40
_MOST_REVIEW = 12
_MOST_OTHERS = 4
_PAIRS = ("near", "conflict")
KINDS = {
    "near": "look alike",
    "conflict": "contradict each other",
    "undated": "have no date or no tag",
    "malformed": "have a tag that cannot be read",
    "expired": "are past their ttl and not the tool's to retire",
}
"""What is left to a person, by kind: said of several entries."""


def plan_json(outcome: Outcome) -> str:
    """The whole outcome on one line of JSON; secrets are masked, and nothing is cut."""
    told = {
        "schema": 1,
        "base": outcome.base,
        "date": outcome.plans[0].day if outcome.plans else None,
        "branch": _branch(outcome) or None,
        "commit": outcome.commit,
        "actions": [_action(action) for plan in outcome.plans for action in plan.actions],
        "review": [_review(item) for plan in outcome.plans for item in plan.review],
        "notes": [quiet_words(note) for plan in outcome.plans for note in plan.notes],
    }
    return json.dumps(told, ensure_ascii=True)


def _branch(outcome: Outcome) -> str:
    return (outcome.ref or "").removeprefix("refs/heads/")


def _action(action: Action) -> dict[str, object]:
    return {
        "kind": action.kind,
        "path": path_data(action.path),
        "line": action.line,
        "block": quiet_words(action.block),
        "text": mask_secrets(action.text),
        "to": path_data(action.to) or None,
        "src": action.src,
        "src_after": action.src_after,
        "survivor": {"path": path_data(action.survivor.path), "line": action.survivor.line} if action.survivor is not None else None,
        "reason": quiet_words(action.reason),
    }


def _review(item: Review) -> dict[str, object]:
    entries = [{"path": path_data(e.path), "line": e.line, "text": mask_secrets(e.text), "src": e.src, "ts": e.ts} for e in item.entries]
    return {"kind": item.kind, "reason": quiet_words(item.reason), "entries": entries}


def show_outcome(context: Context, outcome: Outcome, *, applies: bool, dry_run: bool) -> None:
    """Print what was done or would be done, what is left to a person, and the next commands."""
    for line in _lines(outcome, applies=applies, dry_run=dry_run):
        click.echo(line)
    for line in _hints(outcome, applies=applies, dry_run=dry_run):
        context.note(line)


def _lines(outcome: Outcome, *, applies: bool, dry_run: bool) -> Iterator[str]:
    width = terminal_width()
    if outcome.finished is not None:
        yield from indented(f"An earlier run was interrupted; {_how_settled(outcome.finished)}.", width, 0, 2)
    if outcome.is_empty:
        yield "Nothing to consolidate."
    elif not dry_run:
        yield _what_was_done(outcome, applies=applies)
    plans = [plan for plan in outcome.plans if plan.actions]
    for plan in plans:
        yield from _plan_lines(plan, width)
    yield from _review_lines([item for plan in outcome.plans for item in plan.review], width)
    for plan in outcome.plans:
        for note in plan.notes:
            yield from indented(words_text(note), width, 0, 2)
        if plan.is_mass:
            yield from indented(mass_told(plan), width, 0, 2)


def mass_told(plan: Plan) -> str:
    """How much a plan takes out of active memory, more than an agent may, in a sentence."""
    share = round(100 * plan.leaving / max(1, plan.active))
    told = f"{plan.leaving} of {counted(plan.active, 'active entry')} leave ({share} %, the policy lets {round(plan.max_loss * 100)} % go)"
    return f"{told}: a human has to take this."


def _how_settled(finished: Finished) -> str:
    if finished.elsewhere:
        return f"its commit {finished.journal.commit[:12]} is on {finished.journal.ref.removeprefix('refs/heads/')}, which is not checked out here now"
    return "its files were brought along" if finished.moved else "it had changed nothing"


def _what_was_done(outcome: Outcome, *, applies: bool) -> str:
    commit = (outcome.commit or "")[:12]
    if applies:
        return f"Consolidated on {_branch(outcome) or 'HEAD'}: commit {commit}"
    if outcome.known:
        return f"Proposed already on branch {_branch(outcome)}: commit {commit}"
    again = f", in place of {outcome.replaced[:12]}" if outcome.replaced else ""
    return f"Proposed on branch {_branch(outcome)}: commit {commit}{again}"


def _plan_lines(plan: Plan, width: int) -> Iterator[str]:
    for heading in headings(plan.actions):
        yield ""
        yield f"{heading.number} {heading.words}"
        mine = [action for action in plan.actions if action.kind == heading.kind]
        for action in mine[:_MOST]:
            yield from indented(describe(action._replace(text=mask_secrets(action.text))), width)
        if len(mine) > _MOST:
            yield f"  and {len(mine) - _MOST} more (all of them: --json)"


def _review_lines(items: Sequence[Review], width: int) -> Iterator[str]:
    for kind, words in KINDS.items():
        mine = [item for item in items if item.kind == kind]
        if not mine:
            continue
        yield ""
        yield f"{len(mine)} to look at, which {words}" if len(mine) > 1 else f"1 to look at: {words}"
        for item in mine[:_MOST_REVIEW]:
            pair = len(item.entries) > 1 and kind in _PAIRS
            more = f" and {len(item.entries) - 1} more" if len(item.entries) > 1 and not pair else ""
            yield from indented(f"{_sighting(item.entries[0])}{more}: {words_text(item.reason)}", width)
            for other in item.entries[1:_MOST_OTHERS] if pair else ():
                yield from (f"  {line}" for line in indented(_sighting(other), width - 2))
        if len(mine) > _MOST_REVIEW:
            yield f"  and {len(mine) - _MOST_REVIEW} more (all of them: --json)"


def _sighting(entry: Sighting) -> str:
    return f"{path_text(entry.path)}:{entry.line} {quote(mask_secrets(entry.text))}"


def _hints(outcome: Outcome, *, applies: bool, dry_run: bool) -> Iterator[str]:
    for path in outcome.kept:
        yield f"Changed meanwhile, so the file was left as it is: {path_text(path)}"
    if outcome.is_empty or outcome.commit is None:
        if dry_run and not outcome.is_empty:
            yield ""
            yield "Nothing was written."
            yield "propose:  hoard consolidate"
            if not any(plan.is_mass for plan in outcome.plans):
                yield "do it:    hoard consolidate --apply"
        return
    yield ""
    short = outcome.commit[:12]
    if applies:
        yield f"look:  git show {short}     hoard diff {short}^..{short}"
        yield f"undo:  git revert {short}"
        return
    branch = _branch(outcome)
    yield f"look:  git diff HEAD...{branch}"
    yield f"       hoard diff HEAD..{branch}"
    if any(finding.code == "HG310" and finding.severity == "error" for finding in outcome.findings):
        # the commit is the agent's, and as such a range check refuses it; the same change is fine as the human's own
        yield f"take:  git merge --squash {branch}"
        yield "       hoard commit --human -m 'Consolidate memory'     (says how to undo it)"
        yield f"drop:  git branch -D {branch}"
        return
    yield f"take:  git merge --ff-only {branch}"
    yield "       (HEAD has moved on? once more: hoard consolidate)"
    yield f"drop:  git branch -D {branch}"
    yield f"undo:  git revert {short}     (once it is merged)"
