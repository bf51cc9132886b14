"""`hoard diff`: what changed between two commits, block by block."""

from __future__ import annotations

import click

from hoard_git.cli.arguments import repository_path
from hoard_git.cli.context import Context, pass_context

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.model import Oid


@click.command("diff")
@click.argument("ends", metavar="[A..B]", nargs=-1)
@click.option("--at", "rev", metavar="REV", help="What this commit changed against its first parent.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@pass_context
def command(context: Context, ends: tuple[str, ...], rev: str | None, as_json: bool) -> None:
    """Show what changed between two commits, block by block.

    Without an argument, HEAD against the work tree; with one commit, that one against the work tree.
    """
    from hoard_git.app.history_diff import find_ends, read_diff
    from hoard_git.cli.pager import paged
    from hoard_git.cli.render.columns import terminal_width
    from hoard_git.cli.render.history import change_data, change_texts, render_change
    from hoard_git.cli.render.versions import Versions

    if rev is not None and ends:
        raise click.UsageError("--at takes no range.")
    if len(ends) > 2 or (len(ends) == 2 and any(".." in end for end in ends)):
        raise click.UsageError("Two commits at most: A..B, or A B.")
    reader = context.plumbing
    if rev is not None:
        info = reader.commit(reader.resolve(rev))
        between: tuple[Oid | None, Oid | None] = (info.parents[0] if info.parents else None), info.oid
    else:
        range_ = "..".join(ends) if ends else None
        inside = repository_path(context, range_) if range_ else None
        between = find_ends(reader, range_, inside or "")
    before, after = between
    changes = read_diff(reader, before, after)
    view = Versions(reader).between(before, after)
    view.look(text for change in changes for text in change_texts(change))
    with paged(context) as write:
        for change in changes:
            if as_json:
                import json

                write(json.dumps(change_data(change, view)))
                continue
            for line in render_change(change, "", [], terminal_width(), color=context.color, view=view):
                write(line)
    if not changes:
        context.note("hoard: no memory changed.")
