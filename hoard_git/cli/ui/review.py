"""Upkeep in a browser: the proposals there are, a plan action by action, and one commit of what was accepted."""

from __future__ import annotations

import os
from shlex import quote
from time import gmtime, strftime

from hoard_git.app.consolidate import Outcome, Wanted, actor_here, plan_head
from hoard_git.app.review import READY, Changed, days_of, drop, find_proposal, list_proposals, replan, take
from hoard_git.app.workspace import read_policies_of_worktree
from hoard_git.cli.render.cleaning import clean_text
from hoard_git.cli.render.columns import plain
from hoard_git.cli.render.text import path_text, render_finding
from hoard_git.cli.render.upkeep import mass_told
from hoard_git.cli.ui.asking import Goto, Page, Review, address
from hoard_git.cli.ui.portions import left_to_a_person, shown_groups
from hoard_git.core.counted import counted
from hoard_git.core.model import Oid
from hoard_git.core.plan import DEFAULT_STEPS, STEPS
from hoard_git.core.portions import take_apart
from hoard_git.core.record import Record
from hoard_git.errors import HoardError
from hoard_git.gitio.applying import current_ref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.review import Proposal
    from hoard_git.cli.ui.asking import Asked
    from hoard_git.core.policy import Policy


class Replanned(Record):
    """A proposal's plan made again: its commit, the steps, and what came of them, None where its tree is not to be had."""

    commit: Oid
    steps: tuple[str, ...] = ()
    outcome: Outcome | None = None


_NO_HUMAN = " A commit made here would not count as a human's: drop some, or run hoard consolidate, which says how a human takes all of it."

_STATES = {
    "ready": "stands on HEAD: can be looked through and taken",
    "moved": "HEAD has moved on since: plan anew, then drop it",
    "taken": "HEAD holds it already: the branch can be dropped",
    "foreign": "is no proposal of this program's any more: look at it with git",
}


def show_proposals(asked: Asked) -> Page:
    """The proposals on branches, and the way to a fresh plan."""
    reader = asked.context.plumbing
    rows = [(_told(proposal), address("/review/proposal", name=proposal.name)) for proposal in list_proposals(reader)]
    return Page("proposals.html.jinja", {"here": "review", "rows": rows})


def _told(proposal: Proposal) -> dict[str, str]:
    """A proposal in words."""
    subject = proposal.message.split(b"\n", 1)[0].decode("utf-8", "replace")
    return {
        "name": plain(proposal.name),
        "subject": clean_text(subject),
        "author": plain(proposal.author),
        "date": strftime("%Y-%m-%d", gmtime(proposal.date)),
        "commit": proposal.commit,
        "state": proposal.state,
        "words": _STATES[proposal.state],
    }


def show_plan(asked: Asked) -> Page:
    """A plan for HEAD as it is now, nothing of it written."""
    outcome = asked.ahead if isinstance(asked.ahead, Outcome) else plan_ahead(asked)
    return _page(asked, _review(asked, _wanted(asked), outcome), outcome)


def plan_ahead(asked: Asked) -> Outcome:
    """The plan that `show_plan` shows."""
    return plan_head(asked.context.plumbing, _wanted(asked), asked.context.days, os.environ)


def _wanted(asked: Asked) -> Wanted:
    return Wanted(STEPS if asked.flag("promote") else DEFAULT_STEPS)


def _review(asked: Asked, wanted: Wanted, outcome: Outcome, proposal: Proposal | None = None) -> Review:
    """Everything accepted to begin with."""
    portions = {portion.id: portion for plan in outcome.plans for portion in take_apart(plan)}
    days = days_of(proposal, asked.context.days) if proposal is not None else asked.context.days
    return Review(outcome.base, wanted, days, portions, frozenset(portions), proposal)


def show_proposal(asked: Asked) -> Page:
    """A proposal action by action; one that cannot be taken apart, or that HEAD has left behind, as its own message tells of it."""
    reader = asked.context.plumbing
    proposal = find_proposal(reader, asked.text("name"))
    known = asked.ahead if isinstance(asked.ahead, Replanned) and asked.ahead.commit == proposal.commit else replan_ahead(asked)
    if known.outcome is None or proposal.state != READY:
        message = clean_text(proposal.message.decode("utf-8", "replace"))
        return Page("branch.html.jinja", {"here": "review", "told": _told(proposal), "message": message})
    return _page(asked, _review(asked, Wanted(known.steps), known.outcome, proposal), known.outcome)


def replan_ahead(asked: Asked) -> Replanned:
    """The plan of the proposal that `show_proposal` shows."""
    reader = asked.context.plumbing
    proposal = find_proposal(reader, asked.text("name"))
    found = replan(reader, proposal, asked.context.days, os.environ) if proposal.state == READY else None
    return Replanned(proposal.commit, found[0].steps, found[1]) if found is not None else Replanned(proposal.commit)


def _page(asked: Asked, review: Review, outcome: Outcome, status: int = 200) -> Page:
    reader = asked.context.plumbing
    author = reader.author()
    kinds = {actor_here(reader, author, plan_policy, os.environ).kind or "unlisted" for plan_policy in _policies(asked)}
    notes = [clean_text(note) for plan in outcome.plans for note in plan.notes]
    notes += [mass_told(plan) + ("" if kinds == {"human"} else _NO_HUMAN) for plan in outcome.plans if plan.is_mass]
    values = {
        "here": "review",
        "key": asked.desk.put(review),
        "groups": shown_groups(reader, review, outcome),
        "total": len(review.portions),
        "base": outcome.base,
        "day": outcome.plans[0].day if outcome.plans else "",
        "told": _told(review.proposal) if review.proposal is not None else None,
        "said": review.told,
        "notes": notes,
        "left": left_to_a_person(outcome),
        "author": f"{plain(author.name)} <{plain(author.email)}>",
        "kinds": ", ".join(sorted(kinds)),
        "branch": plain(current_ref(reader).removeprefix("refs/heads/")),
    }
    return Page("plan.html.jinja", values, status)


def _policies(asked: Asked) -> list[Policy]:
    policies = read_policies_of_worktree(asked.context.plumbing)
    return [policy for _prefix, policy in policies.by_prefix] or [policies.default]


def apply_accepted(asked: Asked) -> Page | Goto:
    """Commit the accepted actions; where they alone come to something else, show that instead of doing it."""
    key = asked.sent("review")
    review = asked.desk.find(key)
    chosen = asked.form.get("accept", [])
    if any(name not in review.portions for name in chosen):
        raise HoardError("The form names an action that was not on its page.", "Open the page Upkeep again.")
    accepted = [action for name in dict.fromkeys(chosen) for action in review.portions[name].actions]
    reason = asked.sent("reason").strip()
    if not reason.isprintable() or clean_text(reason) != reason or len(reason) > 200:
        raise HoardError(
            "The reason is not one short line of plain text, or holds what looks like a secret.",
            "It stays in history for ever: leave it out.",
        )
    reader = asked.context.plumbing
    try:
        done = take(reader, review.wanted._replace(reason=reason), review.base, accepted, review.days, os.environ)
    except Changed as changed:
        return _page(asked, _again(review, frozenset(chosen), changed.outcome), changed.outcome, 409)
    asked.desk.close(key)
    dropped = len(review.portions) - len(set(chosen))
    asked.desk.say(f"Committed {counted(len(set(chosen)), 'action')}" + (f"; {dropped} dropped." if dropped else "."))
    for path in done.kept:
        asked.desk.say(f"Changed meanwhile, so the file was left as it is: {path_text(path)}")
    for finding in done.findings:
        if finding.severity == "warn":
            asked.desk.say(clean_text(render_finding(finding)))
    if review.proposal is not None and asked.sent("close"):
        _close(asked, review.proposal)
    return Goto(address("/review/done", commit=str(done.commit)))


def _again(review: Review, chosen: frozenset[str], outcome: Outcome) -> Review:
    """The review with what the accepted actions come to, those accepted, and what was dropped, as dropped."""
    now = {portion.id: portion for plan in outcome.plans for portion in take_apart(plan)}
    lost = [name for name in chosen if name not in now]
    fresh = [name for name in now if name not in chosen]
    kept = {name: portion for name, portion in review.portions.items() if name not in chosen and name not in now}
    told = (
        "Nothing was changed: without what you dropped the plan is another one. "
        f"{counted(len(lost), 'accepted action')} fell away, {counted(len(fresh), 'action')} came in place. Look at them once more, then apply."
    )
    return review._replace(portions={**now, **kept}, accepted=frozenset(now), told=told)


def _close(asked: Asked, proposal: Proposal) -> None:
    """Delete a proposal that has been taken; when that cannot be done the commit stands all the same."""
    try:
        drop(asked.context.plumbing, proposal.ref, proposal.commit)
    except HoardError as error:
        asked.desk.say(f"The branch stays: {clean_text(error.message)}")
        return
    asked.desk.say(_undo_drop(proposal))


def _undo_drop(proposal: Proposal) -> str:
    return f"Deleted the branch {plain(proposal.name)}; to have it back: git branch {quote(plain(proposal.name))} {proposal.commit[:12]}"


def drop_proposal(asked: Asked) -> Goto:
    """Delete a proposal's branch, as it was when its page was made."""
    reader = asked.context.plumbing
    proposal = find_proposal(reader, asked.sent("name"))
    if proposal.commit != asked.sent("commit"):
        raise HoardError("The proposal is another one than the page showed; nothing was changed.", "Open the page Upkeep again.")
    drop(reader, proposal.ref, Oid(proposal.commit))
    asked.desk.say(_undo_drop(proposal))
    return Goto("/review")


def show_done(asked: Asked) -> Page:
    """The commit that was made, and how to take it back."""
    oid = asked.commit("commit")
    if not oid:
        raise HoardError("The address names no commit.", "git log -1")
    info = asked.context.plumbing.commit(Oid(oid))
    message = clean_text(info.message.decode("utf-8", "replace"))
    return Page("done.html.jinja", {"here": "review", "commit": oid, "message": message, "author": plain(info.author.name)})
