"""`hoard context`: what a session begins with."""

from __future__ import annotations

import click

from hoard_git.cli.arguments import repository_path
from hoard_git.cli.context import Context, pass_context
from hoard_git.cli.render.text import path_text, words_text


@click.command("context")
@click.option("--session", type=click.Choice(["main", "group"]), default="main", show_default=True, help="Whom the session is with.")
@click.option(
    "--budget", type=click.IntRange(min=1000), metavar="CHARS", help="Characters at most; without it the total of the policy's budgets."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_context
def command(context: Context, session: str, budget: int | None, as_json: bool) -> None:
    """Print what a session begins with: stale notices, SOUL, USER, HEARTBEAT, today's and yesterday's log, MEMORY.md.

    Each part stands under its cost in characters; what does not fit is cut or left out, and named. A group session gets nothing of MEMORY.md,
    USER.md and pages about people, no entry whose source is the user, and none that repeats one of those.
    """
    from hoard_git.app.bundle import read_bundle
    from hoard_git.cli.render.bundle import bundle_data, fit_bundle, render_bundle

    bundle = read_bundle(context.plumbing, session, context.days, repository_path(context, ".") or "")
    most = budget or bundle.budget
    fitted = fit_bundle(bundle, most, escaped=not as_json)
    if as_json:
        import json

        click.echo(json.dumps(bundle_data(bundle, fitted, most), indent=2))
    else:
        for line in render_bundle(fitted):
            click.echo(line)
    for path, reason in bundle.absent:
        click.echo(f"hoard: not read: {path_text(path)}: {words_text(reason)}", err=True)
    if not bundle.parts:
        context.note("hoard: there is nothing to begin with: no SOUL.md, USER.md, HEARTBEAT.md, MEMORY.md or log of these days.")
