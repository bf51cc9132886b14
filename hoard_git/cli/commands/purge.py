"""`hoard purge`: how to take a leaked value out of history."""

from __future__ import annotations

import json
import sys

import click

from hoard_git.cli.context import Context, pass_context
from hoard_git.cli.render.text import words_text
from hoard_git.core.counted import counted
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.purge import Found
    from hoard_git.app.purgeplan import Plan

_FEW = 10


@click.command("purge")
@click.option(
    "--plan", "wanted", required=True, metavar="PATTERN|FINGERPRINT|-", help="The value's fingerprint, - to be asked for it, or a text."
)
@click.option("--regex", is_flag=True, help="Take the text for a regular expression.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@pass_context
def command(context: Context, wanted: str, regex: bool, as_json: bool) -> None:
    """Plan how to take a leaked value out of history; nothing is rewritten.

    Every object that git holds is searched: commits, tags, stashes, reflogs, packed and UTF-16 files. The value is never printed. It is
    written to one file below the git directory, for your eyes only, since git-filter-repo has to know it.
    """
    from hoard_git.app.policies import read_policies
    from hoard_git.app.purge import find_value, is_fingerprint
    from hoard_git.app.purgeplan import make_plan
    from hoard_git.core.dates import format_day

    reader = context.plumbing
    again = wanted if is_fingerprint(wanted) else "- --regex" if regex else "-"
    if wanted == "-":
        wanted = _ask()
    elif not is_fingerprint(wanted):
        context.note("hoard: what you typed may stand in your shell's history now; the fingerprint of a finding, or -, leaves no trace.")
    found = find_value(reader, wanted, regex=regex)
    if not found.hits and found.named_refs:
        raise HoardError("No commit holds it, but the name of a branch or tag does.", "git branch -m OLD NEW, or: git tag -d NAME")
    if not found.hits and not found.worktree:
        _nothing(context, found, as_json=as_json)
        return
    if not found.hits:
        raise HoardError(
            "Only files of the work tree hold it, and no commit does.", "Take it out of the files; history needs no rewriting."
        )
    head = reader.head()
    today = format_day(context.days(read_policies(reader, head, ()).govern("")).today)
    plan = make_plan(reader, found, again, today)
    if as_json:
        click.echo(json.dumps(_data(found, plan)))
        return
    _show(found, plan)


def _ask() -> str:
    """Read a value without showing it, from a pipe its first line."""
    if sys.stdin.isatty():
        value: str = click.prompt("The leaked value (not shown)", hide_input=True, err=True)
        return value
    return sys.stdin.buffer.readline().rstrip(b"\r\n").decode("utf-8", "surrogateescape")


def _nothing(context: Context, found: Found, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"schema": 1, "found": False, "objects": found.objects}))
        return
    click.echo("Nothing found: no commit, tag, stash, reflog or other object of this clone holds it, and no file of the work tree.")
    context.note(f"hoard: {found.objects} objects were searched. Other clones, forks and caches were not.")


def _show(found: Found, plan: Plan) -> None:
    from hoard_git.app.purgeplan import hide

    def line(text: str = "") -> None:
        click.echo(words_text(hide(text, found)))

    def some(title: str, items: list[str]) -> None:
        if items:
            line(f"{title}:")
            for item in items[:_FEW]:
                line(f"  {item}")
            if len(items) > _FEW:
                line(f"  and {len(items) - _FEW} more")

    times = sum(hit.times for hit in found.hits)
    line(
        f"{plan.what}: {counted(times, 'time')} in {len(found.hits)} of {counted(found.objects, 'object')}, "
        f"{counted(len(found.paths), 'path')}, {counted(len(found.commits), 'commit')}"
    )
    some("paths", [f"{path}{'  (still there)' if path in found.head else ''}" for path in found.paths])
    some("brought by", [f"{spot.commit[:12]} {spot.date} {spot.name}: {spot.path}" for spot in found.spots if spot.brings])
    some("in messages of", [oid[:12] for oid in found.messages])
    some("refs that reach it", list(found.refs))
    some("files of the work tree", list(found.worktree))
    line()
    line("Masking or deleting the line does not clean history. In this order:")
    for number, step in enumerate(plan.steps, 1):
        line(f"{number:2}. {step.why}")
        if step.command:
            line(f"      {step.command}")
    line()
    some("copies that these commands do not reach", list(plan.copies))
    some("note", list(plan.notes))
    some("remotes", [f"{name} {url}" for name, url in plan.remotes])
    some("who wrote since and has to clone again", [f"{name} <{email}>" for name, email in found.people])
    line(f"private files with the value, mode 0600: {plan.folder}")


def _data(found: Found, plan: Plan) -> dict[str, object]:
    from hoard_git.app.purgeplan import hide
    from hoard_git.cli.render.history import whole

    def clean(text: str) -> str:
        return whole(hide(text, found)) or ""

    blobs = {hit.oid: hit for hit in found.hits}
    return {
        "schema": 1,
        "found": True,
        "plan": plan.name,
        "what": plan.what,
        "objects": found.objects,
        "hits": [
            {"object": h.oid, "type": h.kind, "times": h.times, "replaceable": h.plain, "reachable": h.reachable} for h in blobs.values()
        ],
        "paths": [{"path": clean(path), "current": path in found.head} for path in found.paths],
        "commits": [
            {
                "commit": s.commit,
                "date": s.date,
                "author": {"name": clean(s.name), "email": clean(s.email)},
                "path": clean(s.path),
                "brings": s.brings,
            }
            for s in found.spots
        ],
        "messages": list(found.messages),
        "refs": [clean(ref) for ref in found.refs],
        "tags": [clean(ref) for ref in found.refs if ref.startswith("refs/tags/")],
        "stashes": list(found.stashes),
        "reflog": list(found.reflog),
        "worktree": [clean(path) for path in found.worktree],
        "folder": clean(plan.folder),
        "files": list(plan.files),
        "in_place": plan.in_place,
        "steps": [{"why": clean(step.why), "command": clean(step.command) or None} for step in plan.steps],
        "copies": [clean(text) for text in plan.copies],
        "notes": list(plan.notes),
        "remotes": [{"name": clean(name), "url": clean(url)} for name, url in plan.remotes],
        "worktrees": [clean(path) for path in plan.worktrees],
        "people": [{"name": clean(name), "email": clean(email)} for name, email in found.people],
        "tombstone": clean(plan.tombstone),
    }
