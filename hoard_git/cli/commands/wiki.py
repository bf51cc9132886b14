"""`hoard wiki`: pages about single subjects, with their source and date, linked to each other."""

from __future__ import annotations

import json
import os
import sys

import click

from hoard_git.cli.commands.commit import show_findings, showing_refusal, tell_undo
from hoard_git.cli.context import Context, pass_context
from hoard_git.cli.render.text import path_text
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.wikibook import Place

_LARGEST_INPUT = 4 << 20


@click.group("wiki", invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Keep pages about single subjects: make, show, link, check and change them."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@command.command("new")
@click.argument("title")
@click.option(
    "--src", default="agent", type=click.Choice(["user", "agent", "tool", "web", "dig"]), help="Where it comes from; default: agent."
)
@click.option("--ttl", default="", metavar="T", help="How long it holds: 30d, 2w, 1y or never.")
@click.option("--ev", default="", metavar="E", help="Where it was learned; no spaces.")
@click.option("--tag", "tags", multiple=True, metavar="WORD", help="A tag of the page; may be given several times.")
@click.option("--text", default="", metavar="TEXT", help="What stands below the title, as markdown; - reads it from stdin.")
@click.option("--file", "path", default="", metavar="PATH", help="Where the page goes; default: a name made of the title.")
@click.option("-m", "--message", default="", help="The commit message.")
@pass_context
def new(context: Context, title: str, src: str, ttl: str, ev: str, tags: tuple[str, ...], text: str, path: str, message: str) -> int:
    """Make a page and commit it."""
    from hoard_git.app.check import inside_or_gone
    from hoard_git.app.wikinew import NewPage, new_page
    from hoard_git.app.write import Wish

    place = place_of(context)
    where = inside_or_gone(context.plumbing, context.directory, [path])[0] if path else ""
    body = _stdin().decode("utf-8", "surrogateescape") if text == "-" else text
    with showing_refusal():
        done = new_page(place, NewPage(title, src, ttl, ev, tags, body, where), Wish(message))
    show_findings(done.findings)
    click.echo(f"{done.oid} {done.id} {path_text(done.pages[0][0])}")
    return 0


@command.command("show")
@click.argument("page")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_context
def show(context: Context, page: str, as_json: bool) -> None:
    """Show a page with its provenance and its links, both ways.

    PAGE is a path, a file name without .md, or a title.
    """
    from hoard_git.app.wikiview import read_wiki
    from hoard_git.cli.pager import paged
    from hoard_git.cli.render.wiki import page_data, render_page

    pages, _findings = read_wiki(place_of(context), page)
    if as_json:
        click.echo(json.dumps({"schema": 1, **page_data(pages[0])}, indent=2))
        return
    with paged(context) as write:
        for line in render_page(pages[0]):
            write(line)


@command.command("links", short_help="Show the links of a page or of all, both ways.")
@click.argument("page", default="")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_context
def links(context: Context, page: str, as_json: bool) -> None:
    """Show the links of one PAGE or of all, both ways, and the broken ones."""
    from hoard_git.app.wikiview import read_wiki
    from hoard_git.cli.pager import paged
    from hoard_git.cli.render.wiki import links_data, render_links

    pages, findings = read_wiki(place_of(context), page)
    if as_json:
        click.echo(json.dumps(links_data(pages, findings), indent=2))
        return
    if not pages:
        context.note("hoard: there are no wiki pages; make one: hoard wiki new TITLE")
    with paged(context) as write:
        for line in render_links(pages, findings):
            write(line)


@command.command("lint", short_help="Check links, pointers, pages and front matter.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, as hoard check does.")
@click.option("--strict", is_flag=True, help="Warnings fail, too.")
@pass_context
def lint(context: Context, paths: tuple[str, ...], as_json: bool, strict: bool) -> int:
    """Check links, pointers, pages and front matter, in all of memory or below PATH."""
    from hoard_git.app.check import check_state, inside
    from hoard_git.app.wikiview import CODES
    from hoard_git.cli.commands.check import show as show_report

    context.command = "wiki lint"  # of all the group's commands this one gives a verdict
    only = inside(context.plumbing, context.directory, paths)
    report = check_state(context.plumbing, only, context.days, CODES)
    return show_report(context, report, "json" if as_json else "text", strict=strict)


@command.command("apply")
@click.argument("file", metavar="FILE|-")
@click.option("-m", "--message", default="", help="The commit message.")
@click.option("--reason", default="", help="Why, for the Memory-Reason trailer.")
@click.option("--session", default="", metavar="ID", help="The session, for the Memory-Session trailer.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_context
def apply(context: Context, file: str, message: str, reason: str, session: str, as_json: bool) -> int:
    """Apply operations on pages, all or none, in one commit.

    FILE holds JSON: {"operations": [...]}, each with "op" and "page": set_front_matter with "values", replace_section and append_section with
    "section" and "text" (and "src", "ttl", "ev"), add_link with "to". Nothing of the user's is changed, and no source is raised.
    """
    from hoard_git.app.wikiapply import apply_batch
    from hoard_git.app.write import Wish
    from hoard_git.cli.render.wiki import written_data
    from hoard_git.core.wikiops import batch_from_data

    batch = batch_from_data(_load(context.directory, file))
    with showing_refusal():
        done = apply_batch(place_of(context), batch, Wish(message, reason=reason, session=session))
    if as_json:
        click.echo(json.dumps(written_data(done), indent=2))
        return 0
    show_findings(done.findings)
    if done.oid is None:
        context.note("hoard: the pages are like that already; nothing was committed")
        return 0
    click.echo(done.oid)
    for path, count in done.pages:
        context.note(f"hoard: {path_text(path)}: {count} operation{'s' * (count != 1)}")
    tell_undo(context, done.oid)
    return 0


def place_of(context: Context) -> Place:
    """Where a command works, and when."""
    from hoard_git.app.check import inside_or_gone
    from hoard_git.app.wikibook import Place

    here = inside_or_gone(context.plumbing, context.directory, ["."])[0]
    return Place(context.plumbing, context.days, os.environ, here)


def _load(directory: str, file: str) -> object:
    """Parse the JSON of a file below the directory that the command runs in, or of stdin; a key that stands twice is refused."""
    if file == "-":
        raw = _stdin()
    else:
        try:
            with open(os.path.join(directory, file), "rb") as handle:  # noqa: PTH118, PTH123 -- pathlib costs 8 ms
                raw = handle.read(_LARGEST_INPUT + 1)
        except OSError as error:
            from hoard_git.app.looking import look_command

            raise HoardError(f"{file!r} cannot be read: {error.strerror}.", look_command(file, directory)) from error
    if len(raw) > _LARGEST_INPUT:
        raise HoardError(f"The operations are larger than {_LARGEST_INPUT >> 20} MB.", "Split them into several files.")
    try:
        return json.loads(raw.decode("utf-8-sig"), object_pairs_hook=_unique)
    except UnicodeDecodeError as error:
        raise HoardError("The operations are not UTF-8.", "Save the file as UTF-8.") from error
    except json.JSONDecodeError as error:
        raise HoardError(
            f"The operations are no JSON: line {error.lineno}, column {error.colno}: {error.msg}.", "hoard wiki apply --help"
        ) from error
    except RecursionError as error:
        raise HoardError("The operations are nested too deep.", "hoard wiki apply --help") from error


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise HoardError("A key stands twice in one object of the operations.", "Write each key once.")
    return found


def _stdin() -> bytes:
    return sys.stdin.buffer.read(_LARGEST_INPUT + 1)
