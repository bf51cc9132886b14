"""`hoard init`: make or adopt a workspace."""

# ruff: noqa: PTH111, PTH118 -- repository paths are text, and these functions keep odd bytes as they are

from __future__ import annotations

import os

import click

from hoard_git.cli.context import Context, pass_context


@click.command("init")
@click.argument("directory", required=False, metavar="[DIR]")
@click.option("--human", default="", metavar='"N <e>"', help="The human; default: your global git identity.")
@click.option("--agent", default="", metavar='"N <e>"', help="The agent's own identity in this repository.")
@click.option("--sign-key", metavar="KEY.pub", default="", help="The human's SSH key: list it, ask for signatures, sign with it.")
@click.option("--warn", is_flag=True, help="Report and never block, to begin with.")
@click.option("--baseline", is_flag=True, help="Record memory that git does not know as found, also where there are commits.")
@click.option("--no-hooks", is_flag=True, help="Install no hooks.")
@click.option("--no-commit", is_flag=True, help="Write the files only.")
@pass_context
def command(
    context: Context,
    directory: str | None,
    human: str,
    agent: str,
    sign_key: str,
    warn: bool,
    baseline: bool,
    no_hooks: bool,
    no_commit: bool,
) -> int:
    """Make or adopt a workspace: policy, hooks, identities."""
    from hoard_git.app.setup import Choices, set_up
    from hoard_git.cli.commands.hooks import install_hooks
    from hoard_git.cli.render.text import safe

    target = os.path.join(context.directory, directory) if directory else context.directory
    key = os.path.normpath(os.path.join(context.directory, os.path.expanduser(sign_key))) if sign_key else ""
    choices = Choices(human, agent, warn=warn, commit=not no_commit, baseline=baseline, sign_key=key)
    outcome = set_up(target, choices, context.days, os.environ)

    def tell(line: str) -> None:
        if not context.quiet:
            click.echo(safe(line))

    for line in outcome.done:
        tell(line)
    if no_hooks:
        tell("no hooks installed; later: hoard hooks install")
    else:
        install_hooks(Context(outcome.root, context.date, color=context.color, quiet=context.quiet))
    for line in outcome.left:
        tell(f"left alone: {line}")
    for number, step in enumerate(outcome.next):
        context.note(("next: " if number == 0 else "      ") + step)
    return 0
