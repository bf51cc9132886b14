"""`hoard mcp`: the memory as tools for an agent's host, over stdio."""

from __future__ import annotations

import sys

import click

from hoard_git.cli.context import Context, pass_context
from hoard_git.errors import HoardError


@click.command("mcp")
@pass_context
def command(context: Context) -> None:
    """Serve memory to an agent's host over MCP on stdin and stdout.

    The tools: memory_search, memory_get, memory_write, memory_log, memory_status, wiki_apply, wiki_lint. What is written counts as an agent's.
    Needs the extra mcp.
    """
    try:
        from hoard_git.cli.mcp.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("mcp", "mcp_types", "anyio", "jsonschema"):
            raise HoardError("The MCP server needs the extra mcp, which is not installed.", "pip install 'hoard-git[mcp]'") from None
        raise
    if sys.stdin.isatty():
        context.note("hoard: waiting for an MCP client on stdin; end with Ctrl-D. A host starts this command itself.")
    serve(context)
