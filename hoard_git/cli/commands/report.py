"""`hoard report`: one page about the workspace, complete in itself."""

# ruff: noqa: PTH105, PTH108, PTH110, PTH112, PTH113, PTH118, PTH119, PTH123 -- paths stay as the user typed them, and pathlib costs 8 ms

from __future__ import annotations

import os
from contextlib import contextmanager

import click

from hoard_git.cli.arguments import progress_for
from hoard_git.cli.context import Context, pass_context
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hoard_git.cli.render.report import Links
    from hoard_git.gitio.blockindex import BlockIndex


_DEFAULT = "hoard-report.html"
_ELSEWHERE = "hoard report --out FILE.html"


@click.command("report")
@click.option("--out", "out", metavar="FILE.html", default="", help="Where to write it; - is standard output.")
@pass_context
def command(context: Context, out: str) -> None:
    """Write one page about the workspace: changes, sizes, provenance, what expires.

    The page needs no network and no script, and holds no credential that the scanner finds. It does hold memory: send it only to people who
    may read that. The default is hoard-report.html at the top of the workspace, which this clone's info/exclude keeps out of commits.
    """
    from hoard_git.app.outfiles import check_output
    from hoard_git.gitio.bare import require_files
    from hoard_git.gitio.excludes import exclude

    require_files(context.plumbing, "hoard report")
    if out == "-":
        click.echo(make_page(context), nl=False)
        return
    path = os.path.join(context.directory, out) if out else os.path.join(context.plumbing.root(), _DEFAULT)
    with _told(path):
        check_output(context.plumbing, path, _ELSEWHERE, (b"<!doctype html",))
    page = make_page(context)
    if not out:
        exclude(context.plumbing, "/" + _DEFAULT)
    _write(path, page)
    context.note(f"hoard: wrote {path} ({len(page.encode()):,} bytes); open it in a browser.")


def make_page(
    context: Context, links: Links | None = None, template: str = "report.html.jinja", more: Mapping[str, object] | None = None
) -> str:
    """The page as it is now; `links`, `template` and `more` as in `render_report`."""
    from hoard_git.app.history import with_index
    from hoard_git.app.report import gather
    from hoard_git.cli.render.report import render_report
    from hoard_git.cli.render.versions import Versions

    reader = context.plumbing
    name = os.path.basename(reader.root()) or "workspace"

    def show(index: BlockIndex | None) -> str:
        return render_report(gather(reader, index, context.days, name), Versions(reader, index), links, template, more)

    if reader.head() is None:
        return show(None)
    return with_index(reader, show, rev="HEAD", progress=progress_for(context))


def _write(path: str, page: str) -> None:
    """Write the page whole or not at all, a reader never sees half of it; into what is no file, such as a pipe, as it comes."""
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        with _told(path), open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(page)
        return
    beside = f"{path}.{os.getpid()}"
    with _told(path):
        try:
            with open(beside, "x", encoding="utf-8", newline="\n") as file:
                file.write(page)
            os.replace(beside, path)
        except OSError:
            if os.path.lexists(beside):
                os.unlink(beside)
            raise


@contextmanager
def _told(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise HoardError(f"{path!r} could not be written: {error.strerror}.", _ELSEWHERE) from None
