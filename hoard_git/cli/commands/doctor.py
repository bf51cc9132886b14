"""`hoard doctor`: every check of a workspace, with the next command."""

from __future__ import annotations

import click

from hoard_git.cli.commands.hooks import LOCAL
from hoard_git.cli.context import Context, pass_context


@click.command("doctor")
@click.option("--fix", is_flag=True, help="Do what is safe: finish what was interrupted, refresh our own hooks, drop a damaged cache.")
@click.option("--json", "as_json", is_flag=True, help="Print the checks and the budgets as JSON.")
@pass_context
def command(context: Context, fix: bool, as_json: bool) -> int:
    """Check the workspace: every line says what was seen and what to do about it.

    Below the checks stands what the host loads at the start of a session, in load order, and what of it is lost. The host's limits come from an
    openclaw.json in or above the workspace, else from the policy. Exit 1 if a check fails. --fix never deletes a lock.
    """
    from hoard_git.app.checks.base import Look
    from hoard_git.app.doctor import diagnose
    from hoard_git.cli.render.health import diagnosis_json, render_diagnosis
    from hoard_git.gitio.bare import require_files

    require_files(context.plumbing, "hoard doctor")
    found = diagnose(lambda: Look(context.plumbing, context.days, LOCAL), fix=fix)
    if as_json:
        click.echo(diagnosis_json(found))
    else:
        found = found._replace(
            checks=tuple(check._replace(detail=context.typed(check.detail), fix=context.typed(check.fix)) for check in found.checks)
        )
        for line in render_diagnosis(found, context.plumbing.root()):
            click.echo(line)
    return 1 if found.has_failed else 0
