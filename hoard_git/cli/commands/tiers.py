"""`hoard tiers`: what is hot, warm and cold, and why."""

from __future__ import annotations

import json

import click

from hoard_git.cli.context import Context, pass_context


@click.command("tiers")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_context
def command(context: Context, as_json: bool) -> None:
    """Show which daily logs are hot, warm or cold, and why.

    Nothing is changed. Limits stand under tiers: in .hoard.yaml; an age is the day in a log's name against today in the policy's time zone.
    """
    from hoard_git.app.tiers import read_tiers
    from hoard_git.cli.render.columns import terminal_width
    from hoard_git.cli.render.tiers import render_tiers, tiers_data

    spaces = read_tiers(context.plumbing, context.days)
    if as_json:
        click.echo(json.dumps(tiers_data(spaces), indent=2))
        return
    for line in render_tiers(spaces, terminal_width()):
        click.echo(line)
