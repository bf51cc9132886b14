"""`hoard log`: what happened to memory, block by block, newest first."""

from __future__ import annotations

import click

from hoard_git.cli.arguments import DashedCommand, after_dashes, parse_time, progress_for, repository_path
from hoard_git.cli.context import Context, pass_context
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hoard_git.app.history_log import LogEvent
    from hoard_git.cli.render.masking import View
    from hoard_git.cli.render.versions import Versions
    from hoard_git.gitio.blockindex import BlockIndex

_EVENTS = ("add", "restore", "archive", "move", "retag", "edit", "retime", "remove")
_OPS = ("write", "consolidate", "archive", "restore", "adopt", "merge", "policy")


@click.command("log", cls=DashedCommand)
@click.argument("what", metavar="[PATH|BLOCK|TEXT]", required=False)
@click.option("-n", "most", type=click.IntRange(min=0), default=None, metavar="N", help="Show at most N events.")
@click.option("--since", metavar="DATE", help="Events of commits after a date, in git's words.")
@click.option("--until", metavar="DATE", help="Events of commits before a date.")
@click.option("--src", type=click.Choice(["user", "agent", "tool", "web", "dig", "untagged"]), help="Events of blocks with this source.")
@click.option("--kind", type=click.Choice(["human", "agent", "tool"]), help="Events by authors of this kind.")
@click.option("--op", type=click.Choice(list(dict.fromkeys((*_EVENTS, *_OPS)))), help="Events, or commits' Memory-Op, of this name.")
@click.option("--at", "rev", metavar="REV", default="HEAD", help="History up to this commit.")
@click.option("--text", "as_text", is_flag=True, help="Take the argument for a text.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--format", "form", type=click.Choice(["text", "json", "agent-trace"]), default="text", help="How to print.")
@pass_context
def command(
    context: Context,
    what: str | None,
    most: int | None,
    since: str | None,
    until: str | None,
    src: str | None,
    kind: str | None,
    op: str | None,
    rev: str,
    as_text: bool,
    as_json: bool,
    form: str,
) -> None:
    """Show what happened to memory: one event a block and commit, newest first.

    WHAT is tried as a path, then as a block (an id, the beginning of one, PATH#heading or a heading), then as a text. `--` makes it a
    path, --text a text.
    """
    from hoard_git.app.history import with_index
    from hoard_git.app.history_log import Filter, read_log
    from hoard_git.app.history_query import ALL, PATH, TEXT, Target, find_target
    from hoard_git.app.history_trailers import Verdicts
    from hoard_git.cli.pager import paged
    from hoard_git.cli.render.history import change_texts
    from hoard_git.cli.render.versions import Versions

    reader = context.plumbing
    wanted = Filter(most or 0, parse_time(reader, since, "since"), parse_time(reader, until, "until"), src or "", kind or "", op or "")
    if most == 0:
        return
    forced = PATH if after_dashes() else TEXT if as_text else ""
    if as_json and form == "agent-trace":
        raise HoardError("--json and --format agent-trace are two forms.", "hoard log --format agent-trace")
    form = "json" if as_json else form

    def show(index: BlockIndex) -> None:
        target = Target(ALL) if what is None else find_target(index, reader, what, repository_path(context, what), kind=forced)
        verdicts = Verdicts(reader)
        versions = Versions(reader, index)
        events = versions.ahead(
            read_log(index, reader, target, wanted, verdicts), lambda event: event.node.oid, lambda event: change_texts(event.change)
        )
        try:
            if form == "agent-trace":
                _print_traces(context, events, versions)
                return
            with paged(context) as write:
                printer = _printer(context, write, form, versions)
                count = 0
                for event in events:
                    printer(event)
                    count += 1
                if not count:
                    context.note("hoard: no event fits.")
        finally:
            verdicts.save()

    with_index(reader, show, rev=rev, progress=progress_for(context))


def _print_traces(context: Context, events: Iterable[LogEvent], versions: Versions) -> None:
    from hoard_git.cli.render.agenttrace import render_traces

    told = False
    for line in render_traces(events, versions.of):
        click.echo(line)
        told = True
    if not told:
        context.note("hoard: no event fits that wrote a line; a trace tells of nothing else.")


def _printer(context: Context, write: Callable[[str], None], form: str, versions: Versions) -> Callable[[LogEvent], None]:
    from hoard_git.cli.render.columns import terminal_width
    from hoard_git.cli.render.history import event_data, render_event

    columns = terminal_width()

    def view_of(event: LogEvent) -> View:
        return versions.of(event.node.oid)

    def as_text(event: LogEvent) -> None:
        for line in render_event(event, columns, color=context.color, view=view_of(event)):
            write(line)

    if form != "json":
        return as_text
    import json

    return lambda event: write(json.dumps(event_data(event, view_of(event))))
