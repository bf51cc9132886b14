"""`hoard help`: the help of a command by its name, as git users look for it."""

from __future__ import annotations

import click

from hoard_git.cli.arguments import nearest
from hoard_git.errors import HoardError


@click.command("help")
@click.argument("names", nargs=-1, metavar="[COMMAND]...")
@click.pass_context
def command(ctx: click.Context, names: tuple[str, ...]) -> None:
    """Explain a command; without a name, list them all.

    The same as a command's --help. Where hoard-git is installed with its manual pages, man hoard-NAME shows it as well.
    """
    at = ctx.find_root()
    for name in names:
        group = at.command
        known = group.list_commands(at) if isinstance(group, click.Group) else []
        child = group.get_command(at, name) if isinstance(group, click.Group) else None
        if child is None:
            what = f"There is no command {name[:40]!r}." if known else f"{at.command_path} has no commands of its own."
            raise HoardError(what, nearest(name, known, at.command_path))
        at = click.Context(child, info_name=name, parent=at)
    click.echo(at.get_help())
