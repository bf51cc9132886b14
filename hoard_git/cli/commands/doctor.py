"""`hoard doctor`: every check of a workspace, with the next command."""

from __future__ import annotations

import click

from hoard_git.cli.commands.hooks import LOCAL
from hoard_git.cli.context import Context, pass_context
from hoard_git.cli.render.text import safe


@click.command("doctor")
@click.option("--fix", is_flag=True, help="Do what is safe: finish what was interrupted. Never deletes a lock.")
@click.option("--json", "as_json", is_flag=True, help="Print the checks as JSON.")
@pass_context
def command(context: Context, fix: bool, as_json: bool) -> int:
    """Check the workspace: every line says what was seen and what to do about it.

    Exit 1 if a check fails.
    """
    from hoard_git.app.doctor import diagnose

    found = diagnose(context.plumbing, context.days, LOCAL, fix=fix)
    if as_json:
        import json

        rows = [{"name": c.name, "status": c.status, "detail": c.detail, "fix": c.fix} for c in found.checks]
        click.echo(json.dumps({"schema": 1, "checks": rows}))
    else:
        for line in found.done:
            click.echo(f"fixed: {safe(line)}")
        width = max(len(check.name) for check in found.checks)
        for check in found.checks:
            click.echo(f"{check.status:<5} {check.name:<{width}}  {safe(check.detail)}")
            if check.fix:
                click.echo(f"{'':<5} {'':<{width}}  -> {safe(check.fix)}")
    return 1 if found.has_failed else 0
