"""`hoard trailers`: hold commits' trailers against their trees, and repair them."""

from __future__ import annotations

import json

import click

from hoard_git.cli.context import Context, pass_context
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hoard_git.app.trailers import Judged, Repair

_COLOURS = {"ok": "32", "missing": "33", "mismatch": "31"}
_FEW = 20


@click.command("trailers")
@click.argument("range_", metavar="[RANGE]", required=False)
@click.option("--repair", is_flag=True, help="Derive missing and wrong trailers anew; rewrites commits of the current branch.")
@click.option("--dry-run", "-n", is_flag=True, help="With --repair: show what would be done, and do nothing.")
@click.option("--force", is_flag=True, help="With --repair: rewrite commits that are on a remote branch, too.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: one object a commit, with --repair one in all.")
@pass_context
def command(context: Context, range_: str | None, repair: bool, dry_run: bool, force: bool, as_json: bool) -> int:
    """Tell whether commits' Memory trailers say what their trees say.

    RANGE is A..B, A...B, or B for all that it reaches; default: HEAD. Lists each commit that touches memory, newest first, as ok, missing
    or mismatch, and fails on a mismatch.

    --repair gives the commits that lack trailers, or have wrong ones, new messages, and what follows them new parents. Trees, authors and
    dates stay; index and files are not touched. Session and reason lines anywhere in a message are kept. One command undoes it.
    """
    from hoard_git.app.history import find_tip
    from hoard_git.app.trailers import plan_repair

    if (dry_run or force) and not repair:
        raise click.UsageError(f"{'--dry-run' if dry_run else '--force'} goes with --repair.")
    if not repair:
        if range_ is None:
            find_tip(context.plumbing, "HEAD")  # says it in plain words when there is no commit yet
        return _list(context, range_ or "HEAD", as_json=as_json)
    if range_ is None:
        raise HoardError("--repair takes a range of commits.", "all of this branch, shown first: hoard trailers --repair --dry-run HEAD")
    plan = plan_repair(context.plumbing, context.batch, range_, context.days)
    return _repair(context, plan, dry_run=dry_run, force=force, as_json=as_json)


def _list(context: Context, range_: str, *, as_json: bool) -> int:
    from hoard_git.app.check import find_range
    from hoard_git.app.trailers import judge_trailers
    from hoard_git.cli.pager import paged

    counts = dict.fromkeys(_COLOURS, 0)
    oids = find_range(context.batch, range_)
    told: set[str] = set()
    with paged(context) as write:
        for judged in judge_trailers(context.batch, oids[::-1], context.days):
            counts[judged.verdict] += 1
            if as_json:
                write(json.dumps(_judged_data(judged), ensure_ascii=False))
            else:
                _write_judged(judged, write, told, color=context.color)
    total = sum(counts.values())
    context.note(
        f"hoard: {total} of {len(oids)} commit{'s' * (len(oids) != 1)} touch{'es' * (total == 1)} memory: "
        f"{counts['ok']} ok, {counts['missing']} missing, {counts['mismatch']} mismatch"
    )
    if counts["missing"] or counts["mismatch"]:
        context.note(f"  next: hoard trailers --repair --dry-run {range_}")
    return 1 if counts["mismatch"] else 0


def _write_judged(judged: Judged, write: Callable[[str], None], told: set[str], *, color: bool) -> None:
    """Print one commit. What `missing` means is said once: an adopted workspace has a thousand such commits."""
    from hoard_git.cli.render.columns import cut, plain, terminal_width, wrap
    from hoard_git.cli.render.history import paint
    from hoard_git.core.moments import iso_day

    author, columns = judged.info.author, terminal_width()
    word = paint(f"{judged.verdict:<8}", _COLOURS[judged.verdict], on=color)
    day = iso_day(f"{author.time} {author.zone}") or "-"
    write(f"{word}  {judged.info.oid[:10]}  {day:<10}  " + cut(plain(_subject(judged)), max(20, columns - 34)))
    for problem in judged.problems:
        if judged.verdict == "missing" and problem.message in told:
            continue
        told.add(problem.message)
        for part in wrap(plain(problem.message), columns - 4):
            write("    " + part)


def _subject(judged: Judged) -> str:
    return judged.info.message.lstrip(b"\n").split(b"\n", 1)[0].decode("utf-8", "backslashreplace")


def _judged_data(judged: Judged) -> dict[str, object]:
    from hoard_git.cli.render.history import whole
    from hoard_git.core.moments import iso_moment

    author = judged.info.author
    return {
        "commit": judged.info.oid,
        "date": iso_moment(f"{author.time} {author.zone}"),
        "author": {"name": whole(author.name), "email": whole(author.email)},
        "subject": whole(_subject(judged)),
        "trailers": judged.verdict,
        "problems": [problem.message for problem in judged.problems],
    }


def _repair(context: Context, plan: Repair, *, dry_run: bool, force: bool, as_json: bool) -> int:
    from hoard_git.app.trailers import apply_repair, undo_command
    from hoard_git.cli.render.columns import plain

    if not as_json:
        _show(context, plan)
    if plan.rewrites and not dry_run:
        if plan.remote and not force:
            names = ", ".join(plain(ref.removeprefix("refs/remotes/")) for ref in plan.remote[:3])
            raise HoardError(
                f"Commits of this range are on a remote branch ({names}); nothing was rewritten.",
                "If you may rewrite what others have fetched: hoard trailers --repair --force RANGE, then: git push --force-with-lease",
            )
        apply_repair(context.plumbing, plan)
    if as_json:
        click.echo(json.dumps(_plan_data(plan, dry_run=dry_run), ensure_ascii=False, indent=2))
    elif plan.rewrites and not dry_run:
        click.echo(f"{plan.branch.removeprefix('refs/heads/')}: {plan.old[:12]} -> {plan.new[:12]}")
        context.note("hoard: index and files are as they were; the old commits are kept under " + plan.undo_ref)
        context.note(f"  look: hoard trailers        undo: {undo_command(plan)}")
    elif plan.rewrites:
        context.note("hoard: nothing was changed; run it without --dry-run to do this")
    return 0


def _show(context: Context, plan: Repair) -> None:
    from hoard_git.cli.render.columns import cut, plain, terminal_width

    verdicts = {judged.info.oid: judged.verdict for judged in plan.judged}
    if not plan.rewrites:
        count = len(plan.judged)
        which = "1 commit that touches" if count == 1 else f"{count} commits that touch"
        context.note(f"hoard: the trailers of {which} memory are right; there is nothing to repair")
        return
    repaired = [each for each in plan.rewrites if each.repaired]
    others = len(plan.rewrites) - len(repaired)
    for each in reversed(repaired):
        head = f"repair  {each.old[:10]} -> {each.new[:10]}  {verdicts[each.old]:<8}  "
        click.echo(head + cut(plain(each.subject), max(20, terminal_width() - len(head))))
    if others:
        click.echo(
            f"and {others} commit{'s' * (others != 1)} after {'them' if len(repaired) > 1 else 'it'} get{'s' * (others == 1)} new parents only"
        )
    signed = [each for each in plan.rewrites if each.signed]
    if signed:
        names = ", ".join(each.old[:10] for each in signed[:_FEW]) + (f" and {len(signed) - _FEW} more" if len(signed) > _FEW else "")
        click.echo(f"warning: {len(signed)} signature{'s' * (len(signed) != 1)} will be lost, since the commits change: {names}")
    if plan.held:
        names = ", ".join(plain(ref.removeprefix("refs/heads/").removeprefix("refs/")) for ref in plan.held[:_FEW])
        click.echo(f"warning: these keep the old commits: {names}")
    if plan.remote:
        names = ", ".join(plain(ref.removeprefix("refs/remotes/")) for ref in plan.remote[:_FEW])
        click.echo(f"warning: old commits are on a remote branch: {names}")


def _plan_data(plan: Repair, *, dry_run: bool) -> dict[str, object]:
    from hoard_git.app.trailers import undo_command
    from hoard_git.cli.render.history import whole

    verdicts = {judged.info.oid: judged.verdict for judged in plan.judged}
    done = bool(plan.rewrites) and not dry_run
    return {
        "schema": 1,
        "dry_run": dry_run,
        "branch": whole(plan.branch),
        "old": plan.old,
        "new": plan.new,
        "commits": [
            {
                "commit": each.old,
                "new": each.new,
                "repaired": each.repaired,
                "trailers": verdicts.get(each.old),
                "signature_lost": each.signed,
            }
            for each in plan.rewrites
        ],
        "held": [whole(ref) for ref in plan.held],
        "remote": [whole(ref) for ref in plan.remote],
        "undo_ref": plan.undo_ref if done else None,
        "undo": undo_command(plan) if done else None,
    }
