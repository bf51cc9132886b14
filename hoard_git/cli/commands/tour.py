"""`hoard tour`: see the gate at work."""

from __future__ import annotations

import signal

import click

from hoard_git.cli.context import Context, pass_context
from hoard_git.cli.render.text import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.tour import Shown


def _stop(*_: object) -> None:
    """End as at Ctrl-C, so that the workspace goes as well where a terminal is closed or the program is told to end."""
    raise KeyboardInterrupt


@click.command("tour")
@pass_context
def command(context: Context) -> int:
    """See the gate at work in a throw-away workspace."""
    from hoard_git.app.tour import take_tour
    from hoard_git.core.dates import format_day
    from hoard_git.core.policy import DEFAULT
    from hoard_git.errors import HoardError
    from hoard_git.gitio.process import run

    def show(step: Shown) -> None:
        click.echo(click.style(step.about, bold=True) if context.color else step.about)
        click.echo(f"  $ {step.command}")
        for line in step.output.splitlines():
            click.echo(f"    {safe(line)}".rstrip())
        click.echo()

    run(("--version",))  # without git no step can go right, and that is no fault of the tour's
    signal.signal(signal.SIGTERM, _stop)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, _stop)
    today = format_day(context.days(DEFAULT).today)
    if not take_tour(show, today):
        raise HoardError("This step of the tour did not do what it should; the tour ends here.", "Please report what it printed.")
    click.echo("The workspace was temporary and is gone. Start your own: hoard init")
    return 0
