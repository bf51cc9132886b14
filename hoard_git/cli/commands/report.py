"""`hoard report`: one page about the workspace, complete in itself."""

# ruff: noqa: PTH105, PTH108, PTH118, PTH119, PTH123 -- paths stay as the user typed them, and pathlib costs 8 ms

from __future__ import annotations

import os

import click

from hoard_git.cli.arguments import progress_for
from hoard_git.cli.context import Context, pass_context
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.gitio.blockindex import BlockIndex


_DEFAULT = "hoard-report.html"


@click.command("report")
@click.option("--out", "out", metavar="FILE.html", default="", help="Where to write it; - is standard output.")
@pass_context
def command(context: Context, out: str) -> None:
    """Write one page about the workspace: changes, sizes, provenance, what expires.

    The page needs no network and no script, and holds no credential that the scanner finds. It does hold memory: send it only to people who
    may read that. The default is hoard-report.html at the top of the workspace, which this clone's info/exclude keeps out of commits.
    """
    from hoard_git.gitio.excludes import exclude

    page = make_page(context)
    if out == "-":
        click.echo(page, nl=False)
        return
    path = os.path.join(context.directory, out)
    if not out:
        path = os.path.join(context.plumbing.root(), _DEFAULT)
        exclude(context.plumbing, "/" + _DEFAULT)
    _write(path, page)
    context.note(f"hoard: wrote {path} ({len(page.encode()):,} bytes); open it in a browser.")


def make_page(context: Context) -> str:
    """The page as it is now."""
    from hoard_git.app.history import with_index
    from hoard_git.app.report import gather
    from hoard_git.cli.render.report import render_report
    from hoard_git.cli.render.versions import Versions

    reader = context.plumbing
    name = os.path.basename(reader.root()) or "workspace"

    def show(index: BlockIndex | None) -> str:
        return render_report(gather(reader, index, context.days, name), Versions(reader, index))

    if reader.head() is None:
        return show(None)
    return with_index(reader, show, rev="HEAD", progress=progress_for(context))


def _write(path: str, page: str) -> None:
    """Write the page whole or not at all; a reader never sees half of it."""
    beside = f"{path}.{os.getpid()}"
    try:
        with open(beside, "x", encoding="utf-8", newline="\n") as file:
            file.write(page)
        os.replace(beside, path)
    except OSError as error:
        if os.path.lexists(beside):
            os.unlink(beside)
        raise HoardError(f"{path!a} could not be written: {error.strerror}.", "hoard report --out FILE.html") from None
