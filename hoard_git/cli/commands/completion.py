"""`hoard completion`: what a shell needs to complete commands and options."""

from __future__ import annotations

import click

from hoard_git.cli.context import Context, pass_context

_PLACES = {
    "bash": "~/.local/share/bash-completion/completions/hoard",
    "zsh": "~/.zfunc/_hoard",
    "fish": "~/.config/fish/completions/hoard.fish",
}
"""Files in the user's own home: of a shell's other directories many can only be written by root, and none has to be there."""


@click.command("completion")
@click.argument("shell", type=click.Choice(list(_PLACES)))
@pass_context
def command(context: Context, shell: str) -> None:
    """Print the completion script of a shell.

    \b
    mkdir -p ~/.local/share/bash-completion/completions &&
      hoard completion bash > ~/.local/share/bash-completion/completions/hoard
    mkdir -p ~/.zfunc && hoard completion zsh > ~/.zfunc/_hoard
    mkdir -p ~/.config/fish/completions &&
      hoard completion fish > ~/.config/fish/completions/hoard.fish

    zsh looks there with fpath+=(~/.zfunc) above compinit in ~/.zshrc.
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
    place = _PLACES[shell]
    context.note(
        f"hoard: to keep it, and use it in every new shell:\n  mkdir -p {place.rpartition('/')[0]} &&\n  hoard completion {shell} > {place}"
    )
    if shell == "zsh":
        context.note("  and in ~/.zshrc: fpath+=(~/.zfunc); autoload -Uz compinit; compinit")
