"""`hoard hooks`: install, remove and inspect the git hooks."""

# ruff: noqa: PTH120 -- repository paths are text, and these functions keep odd bytes as they are

from __future__ import annotations

import os
import sys

import click

import hoard_git
from hoard_git.app.people import undo_identity
from hoard_git.app.workspace import read_policies_of_worktree
from hoard_git.cli.context import Context, pass_context
from hoard_git.cli.render.text import words_text
from hoard_git.errors import HoardError
from hoard_git.gitio import hookfiles
from hoard_git.gitio.bare import require_files
from hoard_git.gitio.mergedriver import driver_state, install_driver, remove_driver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

LOCAL = ("pre-commit", "pre-merge-commit", "prepare-commit-msg", "commit-msg", "pre-push", "post-rewrite")
"""The hooks that a workspace gets."""

SERVER = ("pre-receive",)
"""The hook that a bare repository gets: the gate that nobody can skip."""

_server = click.option("--server", is_flag=True, help="The pre-receive hook of a repository that others push to.")

_PLACED = ("install", "chain", "update", "append")


@click.group("hooks", invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Install, remove or inspect the git hooks.

    With --server, the one of a bare repository that others push to.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(status, server=False)


@command.command("install")
@click.option("--husky", "edit_husky", is_flag=True, help="Add our line to husky's own files.")
@_server
@pass_context
def install(context: Context, edit_husky: bool, server: bool) -> None:
    """Install the hooks; an existing hook is kept and run first. Exit 1 when another program has to be told first."""
    if server and edit_husky:
        raise click.UsageError("--husky is for a work tree and --server for a repository without one.")
    if not install_hooks(context, edit_husky=edit_husky, server=server):
        raise click.exceptions.Exit(1)


def install_hooks(context: Context, *, edit_husky: bool = False, server: bool = False) -> bool:
    """Install the local hooks, or the server's, and say what was done; false when another program has to be told, which is then printed as one block."""
    package = _package()
    if server:
        actions = hookfiles.plan_server(context.reader, SERVER, sys.executable, package)
    else:
        require_files(context.plumbing, "hoard hooks install")
        actions = hookfiles.plan_install(context.reader, LOCAL, sys.executable, package, edit_husky=edit_husky)
    hookfiles.apply_install(actions)
    if not server and install_driver(context.plumbing, sys.executable, package) and not context.quiet:
        click.echo("merge-driver: memory files are now merged by heading and entry")
    manual = [action for action in actions if action.kind == "print"]
    if not context.quiet:
        _tell([action for action in actions if action.kind in ("chain", "append")])
        for label, kinds in (("hooks installed", _PLACED), ("hooks in place already", ("keep",))):
            names = [action.name for action in actions if action.kind in kinds]
            if names:
                click.echo(f"{label}: {', '.join(names)}")
    for action in manual:
        click.echo(f"hooks not installed: {action.name}")
        for line in action.text.split("\n"):
            click.echo(context.typed(words_text(line)))
    return not manual


def _package() -> str:
    return os.path.dirname(os.path.dirname(os.path.realpath(hoard_git.__file__)))


def _tell(actions: Sequence[hookfiles.HookAction]) -> None:
    for action in actions:
        click.echo(f"{action.name}: {words_text(action.text)}")


@command.command("uninstall", short_help="Remove the hooks; those that were there before come back.")
@_server
@pass_context
def uninstall(context: Context, server: bool) -> None:
    """Remove the hooks; a hook that was there before comes back as it was."""
    done = hookfiles.uninstall(context.reader, SERVER if server else LOCAL)
    _tell(done)
    if not server and remove_driver(context.plumbing):
        click.echo("merge-driver: it was removed; memory is merged by lines")
    elif not done:
        click.echo("Nothing of hoard-git is installed here.")
    if not server:
        _tell_identity(context)


def _tell_identity(context: Context) -> None:
    """Whoever takes the hooks away may go on writing as the agent without knowing it."""
    try:
        policies = [policy for _prefix, policy in read_policies_of_worktree(context.plumbing).by_prefix]
    except HoardError:  # the hooks are gone all the same, and a bare repository or a broken policy names nobody
        return
    undo = undo_identity(context.plumbing, policies)
    if undo:
        context.note(
            f"hoard: git commits here are still the agent's; to have your own identity back:\n  {undo.replace(' && ', ' &&' + chr(10) + '  ')}"
        )


@command.command("status")
@_server
@pass_context
def status(context: Context, server: bool) -> None:
    """Say for every hook whether it runs; exit 1 when one does not."""
    bad = False
    for row in hookfiles.status(context.reader, SERVER if server else LOCAL):
        bad = bad or bool(row.fix)
        detail = f" - {words_text(row.detail)}" if row.detail else ""
        click.echo(f"{row.name}: {row.state}{detail}")
        if row.fix:
            click.echo(f"    {context.typed(row.fix)}")
    state = "installed" if server else driver_state(context.plumbing, sys.executable, _package())
    if not server:
        click.echo(f"merge-driver: {state}")
    if state != "installed":
        bad = True
        click.echo(context.typed("    hoard hooks install"))
    if bad:
        raise click.exceptions.Exit(1)
