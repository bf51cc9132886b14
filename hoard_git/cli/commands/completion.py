"""`hoard completion`: what a shell needs to complete commands and options."""

from __future__ import annotations

import click

from hoard_git.cli.context import Context, pass_context

_HOW = {
    "bash": "hoard completion bash > ~/.local/share/bash-completion/completions/hoard",
    "zsh": 'hoard completion zsh > "${fpath[1]}/_hoard"',
    "fish": "hoard completion fish > ~/.config/fish/completions/hoard.fish",
}


@click.command("completion")
@click.argument("shell", type=click.Choice(list(_HOW)))
@pass_context
def command(context: Context, shell: str) -> None:
    """Print the completion script of a shell.

    \b
    hoard completion bash > ~/.local/share/bash-completion/completions/hoard
    hoard completion zsh > "${fpath[1]}/_hoard"
    hoard completion fish > ~/.config/fish/completions/hoard.fish
    """
    from click.shell_completion import get_completion_class

    from hoard_git.cli.main import group

    found = get_completion_class(shell)
    if found is None:  # pragma: no cover -- the choice above names what click knows
        raise click.UsageError(f"There is no completion for {shell}.")
    script = found(group, {}, "hoard", "_HOARD_COMPLETE").source_template % {
        "complete_func": "_hoard_completion",
        "complete_var": "_HOARD_COMPLETE",
        "prog_name": "hoard",
    }
    click.echo(script.strip())
    context.note(f"hoard: to keep it: {_HOW[shell]}, then start a new shell.")
