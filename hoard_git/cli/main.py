"""`hoard`: the command table, loaded lazily, and the one place that turns errors into exit statuses."""

from __future__ import annotations

import contextlib
import errno
import gc
import io
import os
import sys
from importlib import import_module

import click

from hoard_git import __version__
from hoard_git.cli.context import Context
from hoard_git.cli.globals import accept_globals, global_options
from hoard_git.cli.render.text import words_text
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from click.shell_completion import CompletionItem

_COLLECT_EVERY = 100_000
"""New objects between two searches for cycles. A command makes few; at Python's 700 a start spends 3 ms on looking for them."""

COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("Set up", "Make or adopt a workspace: policy, hooks, identities."),
    "tag": ("Set up", "Give untagged memory a source and a date; adds only comments."),
    "hooks": ("Set up", "Install, remove or inspect the git hooks."),
    "tour": ("Set up", "See the gate at work in a throw-away workspace."),
    "add": ("Write", "Write one fact with its source and commit it."),
    "commit": ("Write", "Commit the changed memory files, and nothing else."),
    "check": ("Judge", "Judge memory as it stands, what is staged, a commit or a range."),
    "rule": ("Judge", "Explain a rule, or list them all."),
    "verify": ("Judge", "Tell who was entitled to each change that takes a human, and by what proof."),
    "trailers": ("Judge", "Tell whether commits' Memory trailers say what their trees say."),
    "log": ("History", "Show what happened to memory: one event a block and commit, newest first."),
    "blame": ("History", "Show who wrote each line, from what source, and whether that fits."),
    "show": ("History", "Show a block as it stands, with its provenance and history."),
    "why": ("History", "Tell how a belief came in and what happened to it."),
    "diff": ("History", "Show what changed between two commits, block by block."),
    "restore": ("History", "Bring a removed block back as it was, with its own tag and date."),
    "consolidate": ("Upkeep", "Propose what memory can do without: a commit on a branch, to be looked at, merged or dropped."),
    "tiers": ("Upkeep", "Show which daily logs are hot, warm or cold, and why."),
    "purge": ("Upkeep", "Plan how to take a leaked value out of history; nothing is rewritten."),
    "search": ("Recall", "Find entries of memory by their words, best first, with where they stand and what they are worth."),
    "get": ("Recall", "Print a memory file, or some lines of it, as it stands or at a revision."),
    "context": (
        "Recall",
        "Print what a session begins with: stale notices, SOUL, USER, HEARTBEAT, today's and yesterday's log, MEMORY.md.",
    ),
    "mcp": ("Recall", "Serve memory to an agent's host over MCP on stdin and stdout."),
    "wiki": ("Wiki", "Keep pages about single subjects: make, show, link, check and change them."),
    "status": ("Health", "Show on one screen what the memory takes, what ages in it, and what is to be done."),
    "doctor": ("Health", "Check the workspace: every line says what was seen and what to do about it."),
    "report": ("People", "Write one page about the workspace: changes, sizes, provenance, what expires."),
    "ui": ("People", "Show the memory in a browser, live, on this machine only; review consolidations there."),
    "completion": ("People", "Print the completion script of a shell."),
    "help": ("People", "Explain a command; without a name, list them all."),
}
"""Every command with its group and the first line of its help; a test holds them to the commands themselves."""


_JUDGING = ("check", "trailers", "verify", "wiki lint")


class LazyGroup(click.Group):
    """A group whose commands are imported when they run, so that `hoard --help` costs one import of click."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of the table."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command's module; None for an unknown name."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"hoard_git.cli.commands.{cmd_name.replace('-', '_')}").command
        return accept_globals(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List commands by task without importing them."""
        del ctx
        for group in dict.fromkeys(group for group, _help in COMMANDS.values()):
            with formatter.section(group):
                formatter.write_dl([(name, text) for name, (of, text) in COMMANDS.items() if of == group])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Names of commands from the table, of global options from click: a key press should not import every command."""
        from click.shell_completion import CompletionItem

        if incomplete.startswith("-"):
            return click.Command.shell_complete(self, ctx, incomplete)
        return [CompletionItem(name, help=text) for name, (_group, text) in COMMANDS.items() if name.startswith(incomplete)]

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest commands for a typing slip."""
        name = args[0] if args else ""
        if name and name not in COMMANDS and not name.startswith("-"):
            from hoard_git.cli.arguments import nearest

            raise HoardError(f"There is no command {name[:40]!r}.", nearest(name, COMMANDS, "hoard"))
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True)
@click.version_option(__version__, prog_name="hoard", message="%(prog)s %(version)s")
@click.pass_context
def group(ctx: click.Context) -> None:
    """Memory for AI agents in git: provenance for every line, a gate in front of every change.

    The options below may stand behind the name of a command as well.
    """
    context = ctx.ensure_object(Context)
    context.command = ctx.invoked_subcommand or ""
    if ctx.invoked_subcommand is None and not _showed_status(context):
        click.echo(ctx.get_help())
        click.echo("\nThis is no workspace yet. Make or adopt one: hoard init")
        click.echo("See it work first: hoard tour    Explain a command: hoard help init")


group.params += global_options(hidden=False)


def _showed_status(context: Context) -> bool:
    """In a workspace show its status and how to go on; false outside of one, where the help is the better start."""
    from hoard_git.app.workspace import read_policies_of_worktree
    from hoard_git.gitio.process import GitError

    try:
        if not read_policies_of_worktree(context.plumbing).known:
            return False
    except GitError:
        return False
    from hoard_git.cli.commands.status import show_status

    show_status(context)
    click.echo("\nwrite a fact: hoard add TEXT --src agent    what happened: hoard log")
    click.echo("all checks: hoard doctor    all commands: hoard --help")
    return True


def main(argv: Sequence[str] | None = None) -> int:
    """Run `hoard` and return its exit status: 0, 1 findings, 2 usage, repository or policy, 3 internal, 130 interrupted."""
    if argv is not None:
        return _guarded(argv)
    gc.set_threshold(_COLLECT_EVERY)
    try:
        return _guarded(None)
    finally:
        gc.freeze()  # the process ends here: 6 ms of looking through all its objects once more would find nothing that matters


def _guarded(argv: Sequence[str] | None) -> int:
    """Run with the streams in order, so that every failure to print is told from a failure to work."""
    _open_streams()
    context = Context(words=sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show a character must not stop the gate
    try:
        status = _run(context, argv)
        sys.stdout.flush()
    except BrokenPipeError:
        return _reader_left(context)
    except OSError as error:
        _drop_output()
        return _explain(f"The output could not be written: {error.strerror}.", "Send it somewhere else, or make room.", 2)
    return status


def _run(context: Context, argv: Sequence[str] | None) -> int:
    """Run one command and say what went wrong. Raises OSError, BrokenPipeError among them, only for what it prints."""
    stdout = sys.stdout
    try:
        result = group.main(args=list(argv) if argv is not None else None, prog_name="hoard", standalone_mode=False, obj=context)
    except HoardError as error:
        if "not a git repository" in getattr(error, "output", ""):  # what git itself said, of a GitError
            return _explain("This is not a git repository.", context.typed("make a workspace: hoard init"), 2)
        return _explain(error.message, context.typed(error.hint), error.exit_status, context.words)
    except click.ClickException as error:
        return _explain(" ".join(error.format_message().split()), _hint_for(error, context.command), 2, context.words)
    except (click.Abort, KeyboardInterrupt):
        return 130
    except click.exceptions.Exit as done:
        return done.exit_code
    except SystemExit as stop:
        if sys.stdout is not stdout:  # click has put a wrapper in its place and ends with 1, for the reader of a pipe is gone
            sys.stdout = stdout
            raise BrokenPipeError from None
        return stop.code if isinstance(stop.code, int) else 0
    except Exception as error:  # the one place where a traceback would reach the user
        if isinstance(error, OSError) and _is_full(error):
            raise
        return _crashed(context, error)
    return result if isinstance(result, int) else 0


def _hint_for(error: click.ClickException, command: str) -> str:
    """The next command after a mistake in the words of the command line; click does not always say in which command it was."""
    if not isinstance(error, click.UsageError):
        return ""
    path = error.ctx.command_path if error.ctx is not None else f"hoard {command}".rstrip()
    return f"{path} --help"


def _open_streams() -> None:
    """Give every standard stream that the caller closed a place to go: otherwise the next file that is opened takes its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 -- for the life of the process


def _reader_left(context: Context) -> int:
    """Whoever read the output has seen enough: fine, unless it was a verdict, which then nobody can know."""
    _drop_output()
    return 2 if context.command in _JUDGING else 0


def _drop_output() -> None:
    """Send what is still buffered nowhere, so that the interpreter does not stumble over it at its end."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno())  # type: ignore[union-attr]  # None is an AttributeError


def _is_full(error: OSError) -> bool:
    return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) and error.filename is None


def _crashed(context: Context, error: Exception) -> int:
    if os.environ.get("HOARD_DEBUG"):
        raise error
    from hoard_git.cli.crash import write_crash

    report = write_crash("hoard", error, context.directory)
    return _explain("This is a fault in hoard itself.", f"Please report it with {report}", 3)


def _explain(message: str, hint: str, status: int, words: Sequence[str] = ()) -> int:
    """Print why it did not go and how to go on. Words of the command line come back in both, without what in them is a credential."""
    from hoard_git.cli.echoed import hide_values
    from hoard_git.cli.render.masking import mask_secrets

    first, *lines = (words_text(mask_secrets(hide_values(line, words))) for line in [message, *(hint.split("\n") if hint else [])])
    click.echo(f"hoard: {first}", err=True)
    for number, line in enumerate(lines):
        click.echo(("  next: " if number == 0 else "        ") + line, err=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
