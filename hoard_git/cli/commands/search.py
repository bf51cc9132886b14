"""`hoard search`: find entries of memory by their words, and by their meaning where there are vectors."""

from __future__ import annotations

import os
from functools import partial

import click

from hoard_git.cli.arguments import progress_for, repository_path
from hoard_git.cli.context import Context, pass_context
from hoard_git.cli.render.text import path_text, words_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.recall import Answer, Finder, Wish
    from hoard_git.core.policy import Policy


@click.command("search")
@click.argument("query", nargs=-1, required=True)
@click.option("-n", "most", type=click.IntRange(1, 100), default=6, show_default=True, metavar="N", help="Show at most N hits.")
@click.option("--at", "rev", metavar="REV", default="", help="Memory as it stood at this commit.")
@click.option("--history", is_flag=True, help="What was removed or replaced, too; takes in the archive.")
@click.option("--archive", is_flag=True, help="The archive, too.")
@click.option("--src", type=click.Choice(["user", "agent", "tool", "web", "dig", "untagged"]), help="Entries of this source only.")
@click.option("--embedder", metavar="use|fastembed|CMD|off", help="What finds by meaning, for this search; it embeds all that is missing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_context
def command(
    context: Context,
    query: tuple[str, ...],
    most: int,
    rev: str,
    history: bool,
    archive: bool,
    src: str | None,
    embedder: str | None,
    as_json: bool,
) -> int:
    """Find entries of memory by their words, best first, with where they stand and what they are worth.

    Files are read as they lie in the work tree, committed or not. An entry need not hold every word; rare words count more, and so do entries
    that are trusted and fresh. Exit 2 when nothing is found and a file could not be read.
    """
    from hoard_git.app.recall import Wish, search

    wish = Wish(" ".join(query), src or "", archive, history, rev)
    directory = repository_path(context, ".") or ""
    answer = search(context.plumbing, wish, context.days, most, directory=directory, finder_for=partial(choose_finder, context, embedder))
    _show(context, wish, answer, as_json=as_json)
    return 2 if answer.unread and not answer.hits else 0


def choose_finder(context: Context, choice: str | None, policy: Policy) -> Finder:
    """What finds by meaning: as asked, else as the policy says, else what is installed."""
    from hoard_git.app.vectors import open_finder

    progress = progress_for(context, "Embedding entries")
    return open_finder(context.plumbing, choice, policy.embedder, os.environ, directory=context.directory, progress=progress)


def _show(context: Context, wish: Wish, answer: Answer, *, as_json: bool) -> None:
    if as_json:
        import json

        from hoard_git.cli.render.search import answer_data

        click.echo(json.dumps(answer_data(wish.query, answer), indent=2))
    elif answer.hits:
        from hoard_git.cli.pager import paged
        from hoard_git.cli.render.columns import terminal_width
        from hoard_git.cli.render.search import render_answer

        with paged(context) as write:
            for line in render_answer(answer, terminal_width(), color=context.color):
                write(line)
    for path, reason in answer.unread:
        click.echo(f"hoard: not searched: {path_text(path)}: {words_text(reason)}", err=True)
    if answer.note:
        context.note(f"hoard: {words_text(answer.note)}")
    if answer.elsewhere:
        what = "1 better match" if answer.elsewhere == 1 else f"{answer.elsewhere} better matches"
        context.note(f"hoard: {what} in the archive: hoard search --archive …")
    if not answer.hits and not as_json:
        _explain_nothing(context, wish, answer)


def _explain_nothing(context: Context, wish: Wish, answer: Answer) -> None:
    if answer.unread:
        context.note("hoard: nothing fits in what could be read.")
    elif wish.history:
        context.note("hoard: nothing fits.")
    else:
        context.note(
            f"hoard: nothing fits. {'Removed memory, too' if wish.archive else 'The archive and removed memory, too'}: hoard search --history …"
        )
