"""`hoard restore`: bring a removed block back as it was."""

from __future__ import annotations

import json
import os

import click

from hoard_git.cli.arguments import progress_for, repository_path
from hoard_git.cli.commands.commit import show_findings, showing_refusal, tell_undo
from hoard_git.cli.context import Context, pass_context
from hoard_git.cli.render.text import path_text
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.restore import Present, Restored
    from hoard_git.app.restore_find import Found


@click.command("restore")
@click.argument("block", metavar="BLOCK")
@click.option("--from", "--at", "rev", metavar="REV", default="", help="The version of this commit; default: the newest before it went.")
@click.option("--to", metavar="PATH", default=None, help="Bring it back into this file; default: where it stood.")
@click.option("--list", "only_list", is_flag=True, help="Show every version, newest first, and change nothing.")
@click.option("--human", is_flag=True, help="Commit as the human of the policy.")
@click.option("-m", "--message", default="", help="The commit message.")
@click.option("--no-commit", is_flag=True, help="Write the files only.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_context
def command(
    context: Context, block: str, rev: str, to: str | None, only_list: bool, human: bool, message: str, no_commit: bool, as_json: bool
) -> int:
    """Bring a removed block back as it was, with its own tag and date.

    BLOCK is a file or folder that is gone, an id, the beginning of one, PATH#heading, a heading, or words of an entry. It is looked for in
    the whole history, side branches and deleted archives included, and goes back to where it stood. A copy in the archive is taken out by
    the same commit. Nothing else is committed.
    """
    from hoard_git.app.restore import Present, Wanted, find_lost, restore
    from hoard_git.app.write import Wish

    reader = context.plumbing
    target = repository_path(context, to) if to else to
    if to is not None and not target:
        raise HoardError(f"{to[:80]!r} is no file of the work tree.", "Name a memory file below the top folder: --to memory/restored.md")
    wanted = Wanted(block, repository_path(context, block), reader.resolve(rev) if rev else "", target or "")
    found = find_lost(reader, wanted, progress_for(context))
    if only_list:
        _list(context, found, as_json=as_json)
        return 0
    with showing_refusal():
        done = restore(reader, wanted, found, Wish(message, human), context.days, os.environ, commit=not no_commit)
    if as_json:
        from hoard_git.cli.render.restored import present_data, restored_data

        click.echo(json.dumps(present_data(done) if isinstance(done, Present) else restored_data(done), indent=2))
    elif isinstance(done, Present):
        _say_present(context, done)
    else:
        _say_restored(context, done, human=human)
    return 0


def _say_restored(context: Context, done: Restored, *, human: bool) -> None:
    from hoard_git.cli.render.columns import terminal_width
    from hoard_git.cli.render.restored import render_restored

    show_findings(done.findings)
    for line in render_restored(done, terminal_width()):
        click.echo(line)
    if done.oid is None:
        wrong = any(finding.severity == "error" for finding in done.findings)
        context.note(
            f"hoard: written, not committed; {'mend what is said above, then' if wrong else 'commit it'}: hoard commit {path_text(done.path)}"
        )
    else:
        tell_undo(context, done.oid, human=human)


def _say_present(context: Context, done: Present) -> None:
    from hoard_git.cli.render.restored import present_hints, render_present

    click.echo(render_present(done))
    for line in present_hints(done):
        context.note(line)


def _list(context: Context, found: Found, *, as_json: bool) -> None:
    from hoard_git.cli.pager import paged
    from hoard_git.cli.render.columns import terminal_width
    from hoard_git.cli.render.restored import render_version, version_data, view_of
    from hoard_git.cli.render.versions import Versions

    listed = found.versions or ((found.taken,) if found.taken is not None else ())
    versions = Versions(context.plumbing, paths={made.path for made in listed})
    title = view_of(found).title(found.title)
    with paged(context) as write:
        for made in versions.ahead(listed, lambda made: made.commit, lambda made: [made.text]):
            view = versions.of(made.commit)
            if as_json:
                write(json.dumps(version_data(made, title, view)))
                continue
            for line in render_version(made, terminal_width(), color=context.color, view=view):
                write(line)
    if not as_json:
        context.note("hoard: bring a version back with --from COMMIT; of a removal, the one before: --from COMMIT~")
