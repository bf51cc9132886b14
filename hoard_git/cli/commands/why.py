"""`hoard why`: how a belief came in and what happened to it."""

from __future__ import annotations

import click

from hoard_git.cli.arguments import DashedCommand, progress_for, repository_path
from hoard_git.cli.context import Context, pass_context
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.gitio.blockindex import BlockIndex

_MOST = 10


@click.command("why", cls=DashedCommand)
@click.argument("what", metavar="TEXT|BLOCK")
@click.option("--at", "rev", metavar="REV", default="HEAD", help="History up to this commit.")
@click.option("--text", "as_text", is_flag=True, help="Take the argument for a text.")
@click.option("-n", "most", type=click.IntRange(min=1), default=_MOST, metavar="N", help=f"Tell at most N stories ({_MOST}).")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@pass_context
def command(context: Context, what: str, rev: str, as_text: bool, most: int, as_json: bool) -> None:
    """Tell how a belief came in and what happened to it.

    First appearance, each change of text, source, date and place, and whether its source ever rose.
    """
    from hoard_git.app.history import with_index
    from hoard_git.app.history_query import TEXT, find_block
    from hoard_git.app.history_story import tell_stories
    from hoard_git.cli.pager import paged
    from hoard_git.cli.render.columns import terminal_width
    from hoard_git.cli.render.story import render_story, story_data
    from hoard_git.cli.render.versions import Versions

    reader = context.plumbing
    del TEXT

    def tell(index: BlockIndex) -> None:
        facts = () if as_text else find_block(index, reader, what, repository_path(context, what))
        facts = facts or index.facts_with_text(what)
        if not facts:
            from shlex import quote

            raise HoardError(f"Nothing in the history of this memory says {what[:80]!r}.", f"hoard search --history {quote(what[:80])}")
        stories = tell_stories(index, reader, facts[-most:])
        versions = Versions(reader, index)
        with paged(context) as write:
            for number, story in enumerate(stories):
                versions.load(chapter.node.oid for chapter in story.chapters)
                if as_json:
                    import json

                    write(json.dumps(story_data(story, versions.of)))
                    continue
                if number:
                    write("")
                for line in render_story(story, terminal_width(), color=context.color, view_of=versions.of):
                    write(line)
        if len(facts) > most:
            context.note(f"hoard: {len(facts) - most} more facts match; -n {len(facts)} tells them all.")

    with_index(reader, tell, rev=rev, progress=progress_for(context))
