"""`hoard tour`: see the gate at work."""

from __future__ import annotations

import click

from hoard_git.cli.context import Context, pass_context
from hoard_git.cli.render.text import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.tour import Shown


@click.command("tour")
@pass_context
def command(context: Context) -> int:
    """See the gate at work in a throw-away workspace."""
    from hoard_git.app.tour import take_tour
    from hoard_git.core.dates import format_day
    from hoard_git.core.policy import DEFAULT
    from hoard_git.errors import HoardError

    def show(step: Shown) -> None:
        click.echo(click.style(step.about, bold=True) if context.color else step.about)
        click.echo(f"  $ {step.command}")
        for line in step.output.splitlines():
            click.echo(f"    {safe(line)}".rstrip())
        click.echo()

    today = format_day(context.days(DEFAULT).today)
    if not take_tour(show, today):
        raise HoardError("This step of the tour did not do what it should; the tour ends here.", "Please report what it printed.")
    click.echo("The workspace was temporary and is gone. Start your own: hoard init")
    return 0
