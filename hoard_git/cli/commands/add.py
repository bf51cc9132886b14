"""`hoard add`: write one fact with its source and commit it."""

from __future__ import annotations

import os

import click

from hoard_git.cli.commands.commit import show_findings, showing_refusal
from hoard_git.cli.context import Context, pass_context
from hoard_git.cli.render.text import path_text


@click.command("add")
@click.argument("text")
@click.option("--src", required=True, type=click.Choice(["user", "agent", "tool", "web", "dig"]), help="Where the fact comes from.")
@click.option("--to", "heading", default="", metavar="HEADING", help="Put it under this heading.")
@click.option("--file", "path", default="", metavar="PATH", help="The memory file; default: the workspace's MEMORY.md.")
@click.option("--ttl", default="", metavar="T", help="How long it holds: 30d, 2w, 1y or never.")
@click.option("--ev", default="", metavar="E", help="Where it was learned; no spaces.")
@click.option("-m", "--message", default="", help="The commit message.")
@click.option("--no-commit", is_flag=True, help="Write the file only.")
@pass_context
def command(context: Context, text: str, src: str, heading: str, path: str, ttl: str, ev: str, message: str, no_commit: bool) -> int:
    """Write one fact with its source and commit it."""
    from hoard_git.app.check import inside_or_gone
    from hoard_git.app.facts import Fact, add_fact
    from hoard_git.app.write import Wish

    reader = context.plumbing
    here, where = inside_or_gone(reader, context.directory, [".", path or "."])
    fact = Fact(text, src, ttl, ev, heading, where if path else "", here)
    with showing_refusal():
        done = add_fact(reader, fact, Wish(message), context.days, os.environ, commit=not no_commit)
    show_findings(done.findings)
    click.echo(f"{done.oid or '-'} {done.id} {path_text(done.path)}:{done.line}")
    return 0
