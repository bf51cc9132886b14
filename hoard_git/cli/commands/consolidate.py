"""`hoard consolidate`: expiry, duplicates, compression and tiers as one commit that can be reviewed and undone."""

from __future__ import annotations

import os

import click

from hoard_git.cli.commands.commit import showing_refusal
from hoard_git.cli.context import Context, pass_context


@click.command("consolidate")
@click.option("--apply", "applies", is_flag=True, help="Commit on the current branch instead of proposing on one of its own.")
@click.option("--dry-run", is_flag=True, help="Show the plan and write nothing at all.")
@click.option("--steps", default="", metavar="NAMES", help="Some of expire,dedupe,compress,promote,tiers; all but promote by default.")
@click.option("--promote", is_flag=True, help="Also copy recurring and marked facts from daily logs to MEMORY.md.")
@click.option("--summarizer", default="", metavar="CMD", help="A program that shortens logs and index; its answer is checked.")
@click.option(
    "--summarizer-timeout", default=60, show_default=True, metavar="SECONDS", type=click.IntRange(1, 3600), help="How long to wait for it."
)
@click.option("--reason", default="", help="Why, for the Memory-Reason trailer.")
@click.option("--json", "as_json", is_flag=True, help="Print the plan as JSON.")
@pass_context
def command(
    context: Context,
    applies: bool,
    dry_run: bool,
    steps: str,
    promote: bool,
    summarizer: str,
    summarizer_timeout: int,
    reason: str,
    as_json: bool,
) -> int:
    """Propose what memory can do without: a commit on a branch, to be looked at, merged or dropped.

    Marks what is past its ttl, archives what is past twice its ttl, removes exact repeats, moves sections out of a MEMORY.md over its size and
    shortens old daily logs. The user's facts are never touched, and every removal says in the commit where to find it.
    """
    from hoard_git.app.consolidate import Wanted, apply, plan_head, propose, read_steps
    from hoard_git.app.summarizer import open_summarizer, refuse_inside
    from hoard_git.cli.render.upkeep import plan_json, show_outcome
    from hoard_git.core.plan import DEFAULT_STEPS, STEPS
    from hoard_git.errors import HoardError

    if applies and dry_run:
        raise HoardError("--apply and --dry-run exclude each other.", "hoard consolidate --dry-run")
    refuse_inside(os.environ)
    chosen = read_steps(steps) if steps else DEFAULT_STEPS
    if promote:
        chosen = tuple(name for name in STEPS if name in chosen or name == "promote")
    reader = context.plumbing
    summarise = (
        open_summarizer(summarizer, reader.root(), os.environ, directory=context.directory, seconds=summarizer_timeout)
        if summarizer
        else None
    )
    wanted = Wanted(chosen, summarise, reason)
    with showing_refusal():
        if dry_run:
            outcome = plan_head(reader, wanted, context.days, os.environ)
        elif applies:
            outcome = apply(reader, wanted, context.days, os.environ)
        else:
            outcome = propose(reader, wanted, context.days, os.environ)
    if as_json:
        click.echo(plan_json(outcome))
    else:
        show_outcome(context, outcome, applies=applies, dry_run=dry_run)
    return 0
