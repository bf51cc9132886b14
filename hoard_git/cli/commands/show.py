"""`hoard show`: one block as it stands, or as it stood before it was removed."""

from __future__ import annotations

import click

from hoard_git.cli.arguments import progress_for, repository_path
from hoard_git.cli.context import Context, pass_context
from hoard_git.core.shellwords import shell_word
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.gitio.blockindex import BlockIndex


@click.command("show")
@click.argument("block", metavar="BLOCK")
@click.option("--at", "rev", metavar="REV", default="HEAD", help="As of this commit.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_context
def command(context: Context, block: str, rev: str, as_json: bool) -> None:
    """Show a block as it stands, with its provenance and history.

    BLOCK is an id, the beginning of one, PATH#heading or a heading.
    """
    from hoard_git.app.history import Authors, with_index
    from hoard_git.app.history_log import Filter, read_log
    from hoard_git.app.history_query import BLOCK, Target, find_block
    from hoard_git.app.history_story import find_standing
    from hoard_git.cli.pager import paged
    from hoard_git.cli.render.columns import terminal_width
    from hoard_git.cli.render.story import render_standing, standing_data
    from hoard_git.cli.render.versions import Versions
    from hoard_git.core.dates import format_day
    from hoard_git.core.freshness import expiry_day
    from hoard_git.core.policy import DEFAULT

    reader = context.plumbing

    def show(index: BlockIndex) -> None:
        path = repository_path(context, block)
        facts = find_block(index, reader, block, path)
        if not facts:
            raise _unknown(index, block, path)
        found = find_standing(index, reader, facts[0])
        events = list(read_log(index, reader, Target(BLOCK, facts), Filter(), lambda _index, _node: ""))
        policies = Authors(reader).policies(index.node(index.seq).policy)
        policy = policies.govern(found.path) if policies is not None else DEFAULT
        expires = expiry_day(found.provenance, policy)
        over = expires < format_day(context.days(policy).today) if expires else False
        view = Versions(reader, index).standing(found.commit, found.path)
        if as_json:
            import json

            click.echo(json.dumps(standing_data(found, expires, len(events), view), indent=2))
            return
        with paged(context) as write:
            for line in render_standing(found, expires, events, terminal_width(), color=context.color, view=view, over=over):
                write(line)

    with_index(reader, show, rev=rev, progress=progress_for(context))


def _unknown(index: BlockIndex, block: str, path: str | None) -> HoardError:
    """A file is no block; what is neither may be words."""
    if path and index.knows_path(path):
        return HoardError(f"{block[:80]!r} is a file or folder, not a block.", f"hoard log -- {shell_word(path)}")
    return HoardError(
        f"No block in the history of this memory is called {block[:80]!r}.", f"by its words: hoard log --text {shell_word(block[:80])}"
    )
