"""`hoard get`: some lines of a memory file, as it stands or at a revision."""

from __future__ import annotations

import os

import click

from hoard_git.cli.arguments import repository_path
from hoard_git.cli.context import Context, pass_context
from hoard_git.cli.render.text import safe, words_text
from hoard_git.errors import HoardError

TYPE_CHECKING = False


@click.command("get")
@click.argument("path", metavar="PATH[@REV]")
@click.option("--from", "first", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="Begin at line N.")
@click.option("--lines", "count", type=click.IntRange(min=1), metavar="N", help="At most N lines; without it all that follow.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_context
def command(context: Context, path: str, first: int, count: int | None, as_json: bool) -> None:
    """Print a memory file, or some lines of it, as it stands or at a revision.

    Where a tag above them says whose these lines are, a line in brackets repeats it. Packed logs (.md.gz) are unpacked. A file that is not there
    gives an empty answer and a note. Nothing but memory files is read, and no link is followed.
    """
    from hoard_git.app.reading import read_part, split_revision
    from hoard_git.cli.render.reading import reading_data, shown_lines
    from hoard_git.cli.render.whose import whose_lines

    named, rev = (path, "") if os.path.lexists(os.path.join(context.directory, path)) else split_revision(path)  # noqa: PTH118 - text
    inside = repository_path(context, named)
    if not inside:
        raise HoardError(f"{named!r} lies outside the workspace, or is all of it.", "hoard get MEMORY.md")
    found = read_part(context.plumbing, inside, rev, first, count or 0)
    lines = shown_lines(found)
    if as_json:
        import json

        click.echo(json.dumps(reading_data(found, lines), indent=2))
    else:
        for line in whose_lines(found.claims, found.first, found.last):
            click.echo(line)
        for line in lines:
            click.echo(safe(line.removesuffix("\r")))
    if found.note:
        context.note(f"hoard: {words_text(found.note)}.")
