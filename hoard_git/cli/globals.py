"""The global options of `hoard`: one definition, taken before the name of a command and behind it."""

# ruff: noqa: PTH112, PTH118 -- click does without pathlib, and so does this: it costs 5 ms where a bare interpreter starts in 9

from __future__ import annotations

import os

import click

from hoard_git.cli.context import Context
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Taken = Callable[[click.Context, click.Parameter, object], None]


def _take_directory(ctx: click.Context, _parameter: click.Parameter, value: object) -> None:
    """Several directories count one behind the other, as with git: each from the one before it."""
    context = ctx.ensure_object(Context)
    for one in value if isinstance(value, tuple) else ():
        directory = os.path.join(context.directory, str(one)) if context.directory != "." else str(one)
        if not os.path.isdir(directory):
            raise HoardError(f"{str(one)!r} is no directory.", "hoard -C DIR …")
        context.directory = directory


def _take_colour(ctx: click.Context, _parameter: click.Parameter, value: object) -> None:
    context = ctx.ensure_object(Context)
    context.color = context.color and not value


def _take_date(ctx: click.Context, _parameter: click.Parameter, value: object) -> None:
    if value:
        from hoard_git.app.clock import read_day

        read_day(str(value), "")
        ctx.ensure_object(Context).date = str(value)
        os.environ["HOARD_DATE"] = str(value)  # for the hooks of the commits that this run makes


def _take_quiet(ctx: click.Context, _parameter: click.Parameter, value: object) -> None:
    context = ctx.ensure_object(Context)
    context.quiet = context.quiet or bool(value)


def global_options(*, hidden: bool) -> list[click.Parameter]:
    """Fresh options that put what they say into the run's context."""

    def option(*names: str, take: Taken, help: str, metavar: str | None = None, multiple: bool = False) -> click.Option:  # noqa: A002 -- click's own word
        return click.Option(
            names,
            is_flag=metavar is None,
            multiple=multiple,
            metavar=metavar,
            default=None if metavar else False,
            help=help,
            hidden=hidden,
            expose_value=False,
            callback=take,
        )

    return [
        option("-C", take=_take_directory, help="Run as if started in DIR.", metavar="DIR", multiple=True),
        option("--no-color", take=_take_colour, help="Print without colour; NO_COLOR does the same."),
        option("--date", take=_take_date, help="Take this day as today; HOARD_DATE does the same.", metavar="YYYY-MM-DD"),
        option("--quiet", "-q", take=_take_quiet, help="Print findings and data only."),
    ]


def accept_globals(command: click.Command) -> click.Command:
    """Let a command, and what stands below it, take the global options behind its name; an option of its own of that name stays its own."""
    taken = {name for parameter in command.params for name in parameter.opts}
    command.params += [parameter for parameter in global_options(hidden=True) if taken.isdisjoint(parameter.opts)]
    if isinstance(command, click.Group):
        for below in command.commands.values():
            accept_globals(below)
    return command
