"""`hoard status`: the state of the memory on one screen."""

from __future__ import annotations

import json

import click

from hoard_git.cli.commands.hooks import LOCAL
from hoard_git.cli.context import Context, pass_context


@click.command("status")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_context
def command(context: Context, as_json: bool) -> None:
    """Show on one screen what the memory takes, what ages in it, and what is to be done.

    Each line ends in the command that tells more or does something about it. Nothing is changed, and the exit status says nothing: for that there is
    hoard doctor.
    """
    show_status(context, as_json=as_json)


def show_status(context: Context, *, as_json: bool = False) -> None:
    """Print the status, for `hoard status` and for `hoard` alone in a workspace."""
    from hoard_git.app.checks.base import Look
    from hoard_git.app.status import read_status
    from hoard_git.cli.render.status import render_status, status_data
    from hoard_git.gitio.bare import require_files

    require_files(context.plumbing, "hoard status")
    facts = read_status(Look(context.plumbing, context.days, LOCAL))
    if as_json:
        click.echo(json.dumps(status_data(facts), indent=2))
        return
    for line in render_status([fact._replace(fix=context.typed(fact.fix)) for fact in facts], color=context.color):
        click.echo(line)
