"""`hoard ui`: the memory in a browser, live, on this machine only."""

from __future__ import annotations

import click

from hoard_git.cli.context import Context, pass_context
from hoard_git.errors import HoardError

PORT = 8377


@click.command("ui")
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65535), metavar="N", help="The port; 0 takes a free one.")
@click.option("--open/--no-open", "opens", default=True, help="Open a browser where there is a display; the address is printed anyway.")
@pass_context
def command(context: Context, port: int, opens: bool) -> None:
    """Show the memory in a browser, live, on this machine only; review consolidations there.

    Pages: the report, each file with the source, end, verdict, author and commit of its lines, the history of a block, search, and proposals of
    consolidation, to be accepted or dropped action by action. Only the address that is printed opens them. Ctrl-C ends it. Needs the extra ui.
    """
    _require_workspace(context)
    try:
        from hoard_git.cli.ui.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("starlette", "uvicorn", "anyio", "h11"):
            raise HoardError("The pages need the extra ui, which is not installed.", "pip install 'hoard-git[ui]'") from None
        raise
    serve(context, port, opens=opens)


def _require_workspace(context: Context) -> None:
    """Raise HoardError where there is nothing to show: no work tree, no commit, neither policy nor memory."""
    from hoard_git.app.workspace import find_memory_files, read_policies_of_worktree
    from hoard_git.gitio.bare import require_files

    reader = context.plumbing
    require_files(reader, "hoard ui")
    policies = read_policies_of_worktree(reader)
    if not policies.known and not find_memory_files(reader.root(), policies):
        raise HoardError("There is neither a policy nor a memory file here.", "hoard init")
    if reader.head() is None:
        raise HoardError("There is no commit yet, so there is no history to show.", "hoard init")
