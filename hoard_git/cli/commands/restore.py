"""`hoard restore`: bring a removed block back as it was."""

from __future__ import annotations

import json
import os
import shlex

import click

from hoard_git.cli.arguments import progress_for, repository_path
from hoard_git.cli.commands.commit import show_findings
from hoard_git.cli.context import Context, pass_context
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.app.restore import Present, Restored
    from hoard_git.app.restore_find import Found, Made

_FEW = 5


@click.command("restore")
@click.argument("block", metavar="BLOCK")
@click.option("--from", "--at", "rev", metavar="REV", default="", help="The version of this commit; default: the newest before it went.")
@click.option("--to", metavar="PATH", default="", help="Bring it back into this file; default: where it stood.")
@click.option("--list", "only_list", is_flag=True, help="Show every version, newest first, and change nothing.")
@click.option("--human", is_flag=True, help="Commit as the human of the policy.")
@click.option("-m", "--message", default="", help="The commit message.")
@click.option("--no-commit", is_flag=True, help="Write the files only.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_context
def command(
    context: Context, block: str, rev: str, to: str, only_list: bool, human: bool, message: str, no_commit: bool, as_json: bool
) -> int:
    """Bring a removed block back as it was, with its own tag and date.

    BLOCK is a file or folder that is gone, an id, the beginning of one, PATH#heading, a heading, or words of an entry. It is looked for in
    the whole history, side branches and deleted archives included, and goes back to where it stood. A copy in the archive is taken out by
    the same commit. Nothing else is committed.
    """
    from hoard_git.app.restore import Present, Wanted, find_lost, restore
    from hoard_git.app.write import Refused, Wish

    reader = context.plumbing
    target = repository_path(context, to) if to else ""
    if target is None or (to and not target):
        raise HoardError(f"{to[:80]!a} is no file of the work tree.", "hoard restore … --to memory/<topic>.md")
    wanted = Wanted(block, repository_path(context, block), reader.resolve(rev) if rev else "", target)
    found = find_lost(reader, wanted, progress_for(context))
    if only_list:
        _list(context, found, as_json=as_json)
        return 0
    try:
        done = restore(reader, wanted, found, Wish(message, human), context.days, os.environ, commit=not no_commit)
    except Refused as refused:
        show_findings(refused.findings)
        raise
    if as_json:
        click.echo(json.dumps(_data(done), ensure_ascii=False, indent=2))
    elif isinstance(done, Present):
        _say_present(context, done)
    else:
        _say_restored(context, done)
    return 0


def _say_restored(context: Context, done: Restored) -> None:
    from hoard_git.cli.render.columns import plain, terminal_width
    from hoard_git.cli.render.history import render_text

    show_findings(done.findings)
    place = f"{plain(done.path)}:{done.line}" if done.found.kept is not None else plain(done.text)
    click.echo(f"{done.oid or '-'} {done.found.name or '-'} {place}")
    if done.found.kept is not None:
        for line in render_text(done.text, "+", terminal_width()):
            click.echo(line)
    for line in _trust(done):
        click.echo(f"  {line}")
    if done.oid is None:
        context.note(f"hoard: written, not committed; commit it: hoard commit {plain(done.path)}")
    else:
        context.note(f"  look: git show {done.oid[:12]}        undo: git revert {done.oid[:12]}")


def _trust(done: Restored) -> Iterator[str]:
    """What the restored text is worth: its claim, who wrote it, whether that is proved, and who took it away."""
    from hoard_git.cli.render.columns import plain
    from hoard_git.cli.render.history import describe

    found = done.found
    if found.kept is not None:
        claim = found.kept.provenance
        origin = {
            "own": "its own tag",
            "item": "from the item above",
            "heading": "from its heading",
            "file": "from its file",
            "class": "from its kind of file",
        }
        yield f"claims   {describe(claim)}" + (f", {origin[claim.origin]}" if claim.origin in origin else "")
    else:
        yield f"from     {found.commit[:12]}, as it was there"
    if found.writer is not None:
        yield f"written  {_who(found.writer)}; no signature was verified"
    if found.others:
        yield "         what stands under it also by " + ", ".join(f"{plain(name)} ({kind})" for name, kind in found.others)
    if found.taken is not None:
        yield f"{'archived' if found.taken.event == 'archive' else 'removed'.ljust(8)} {_who(found.taken)}"
    if done.along:
        yield "with it  " + ", ".join(plain(title) for title in done.along) + ", gone as well"
    if done.tagged:
        yield "tag      added: what it inherits there now differs from what it claimed"
    if done.archive:
        yield f"archive  taken out of {plain(done.archive)}"


def _who(made: Made) -> str:
    from hoard_git.cli.render.columns import plain
    from hoard_git.core.moments import iso_day

    return f"{iso_day(made.date) or '-'} by {plain(made.name)} ({made.kind}) in {made.commit[:10]}"


def _say_present(context: Context, done: Present) -> None:
    from hoard_git.cli.render.columns import plain

    where = plain(done.path) + (f":{done.line}" if done.line else "")
    click.echo(f"'{plain(done.found.title)}' stands in {where}; nothing was restored.")
    if done.gone:
        context.note("hoard: entries that were once in it are gone; bring one back by its words:")
        for words in done.gone[:_FEW]:
            context.note(f"  hoard restore {shlex.quote(plain(words))}")
        if len(done.gone) > _FEW:
            context.note(f"  and {len(done.gone) - _FEW} more: hoard log --op remove {plain(done.path)}")
    elif not done.line:
        context.note(f"hoard: what was taken out of it: hoard log --op remove {plain(done.path)}")


def _list(context: Context, found: Found, *, as_json: bool) -> None:
    from hoard_git.cli.pager import paged
    from hoard_git.cli.render.columns import terminal_width
    from hoard_git.cli.render.history import whole

    versions = found.versions or ((found.taken,) if found.taken is not None else ())
    with paged(context) as write:
        if as_json:
            for made in versions:
                write(json.dumps(_version_data(made, whole(found.title)), ensure_ascii=False))
            return
        for made in versions:
            for line in _render_version(made, terminal_width(), color=context.color):
                write(line)
    if not as_json:
        context.note("hoard: a version comes back with --from COMMIT; of a commit that took it out, the one before.")


def _render_version(made: Made, columns: int, *, color: bool) -> Iterator[str]:
    from hoard_git.cli.render.columns import cut, fill, plain
    from hoard_git.cli.render.history import COLOURS, describe, paint, render_text
    from hoard_git.core.moments import iso_day

    word = paint(fill(made.event, 8), COLOURS.get(made.event, ""), on=color)
    place = plain(made.path) + (f":{made.line}" if made.line else "")
    head = f"{made.commit[:10]}  {iso_day(made.date) or '-':<10}  {word}  "
    yield head + cut(f"{place}  {plain(made.title)}", max(20, columns - 34))
    yield f"    {describe(made.provenance)}; {plain(made.name)} ({made.kind})"
    if made.text:
        sign = " " if not made.line else "-" if made.event == "remove" else "+"
        yield from render_text(made.text, sign, columns)


def _version_data(made: Made, title: str) -> dict[str, object]:
    from hoard_git.cli.render.history import provenance_data, whole
    from hoard_git.core.moments import iso_moment

    return {
        "commit": made.commit,
        "date": iso_moment(made.date),
        "author": {"name": whole(made.name), "email": whole(made.email), "kind": made.kind, "verified": False},
        "event": made.event,
        "title": title,
        "path": whole(made.path),
        "line": made.line or None,
        "heading": whole(made.title) or None,
        "provenance": provenance_data(made.provenance),
        "text": whole(made.text),
    }


def _data(done: Restored | Present) -> dict[str, object]:
    from hoard_git.app.restore import Present
    from hoard_git.cli.render.history import provenance_data, whole

    found = done.found
    title = whole(found.title)
    data: dict[str, object] = {"schema": 1, "restored": not isinstance(done, Present), "title": title, "id": found.name or None}
    data |= {"path": whole(done.path), "line": done.line or None}
    if isinstance(done, Present):
        return {**data, "gone": [whole(words) for words in done.gone]}
    return {
        **data,
        "commit": done.oid,
        "text": whole(done.text),
        "provenance": provenance_data(found.kept.provenance) if found.kept is not None else None,
        "files": [whole(path) for path in found.files],
        "source": found.commit,
        "others": [{"name": whole(name), "kind": kind} for name, kind in found.others],
        "written": _version_data(found.writer, title) if found.writer is not None else None,
        "removed": _version_data(found.taken, title) if found.taken is not None else None,
        "along": [whole(words) for words in done.along],
        "tagged": done.tagged,
        "archive": whole(done.archive) or None,
    }
