"""`hoard blame`: who wrote each line, from what source, and whether the two fit."""

from __future__ import annotations

import re

import click

from hoard_git import __version__
from hoard_git.cli.arguments import progress_for, repository_path
from hoard_git.cli.context import Context, pass_context
from hoard_git.errors import HoardError

TYPE_CHECKING = False
_WIDE = 1_000_000
"""Columns where nobody looks at them: a program that reads our lines gets them whole."""

if TYPE_CHECKING:
    from hoard_git.app.history_blame import BlameLine
    from hoard_git.cli.render.masking import View
    from hoard_git.gitio.blockindex import BlockIndex


@click.command("blame")
@click.argument("path", metavar="PATH")
@click.option("-L", "lines", metavar="A,B", help="Lines A to B only; A,+N is N lines; ,B and A, are open ends.")
@click.option("--at", "rev", metavar="REV", default="", help="The file as it stood at this commit.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@pass_context
def command(context: Context, path: str, lines: str | None, rev: str, as_json: bool) -> None:
    """Show who wrote each line, from what source, and whether that fits.

    The verdict is agree, disagree (a line says user, and an agent wrote it last) or unverified. Without --at, lines that are not
    committed yet are shown as such.
    """
    from hoard_git.app.history import with_index
    from hoard_git.app.history_blame import read_blame
    from hoard_git.app.history_query import meant_path
    from hoard_git.cli.pager import paged

    reader = context.plumbing
    inside = repository_path(context, path)
    if inside is None:
        raise HoardError(f"{path!r} lies outside the work tree.", f"Give a path below {reader.root()}")
    first, last = parse_lines(lines)
    at_disk = not rev and reader.root() != reader.git_dir()

    def show(index: BlockIndex) -> tuple[tuple[BlameLine, ...], View, list[str]]:
        at = meant_path(index, inside, path) or ""
        found = read_blame(index, reader, at, work_tree=at_disk, first=first, last=last)
        whole = found if lines is None else read_blame(index, reader, at, work_tree=at_disk)
        view, texts = _masked(index, [line.text for line in whole.lines], whole.oid)  # what a line hides may be decided above it
        return found.lines, view, texts if lines is None else texts[first - 1 : first - 1 + len(found.lines)]

    found, view, texts = with_index(reader, show, rev=rev or "HEAD", progress=progress_for(context))
    with paged(context) as write:
        if as_json:
            import json

            from hoard_git.cli.render.blame import lines_data

            for data in lines_data(found, texts, view):
                write(json.dumps(data))
            return
        from hoard_git.cli.render.blame import render_lines
        from hoard_git.cli.render.columns import terminal_width

        for text in render_lines(found, texts, terminal_width(piped=_WIDE), color=context.color):
            write(text)


def _masked(index: BlockIndex, texts: list[str], oid: str) -> tuple[View, list[str]]:
    """The lines of a whole file without credentials. That a blob holds none is remembered: looking costs more than all the rest."""
    from hoard_git.cli.render.masking import Sheet, View

    mark = f"{__version__} {oid}"
    if oid and index.is_clean(mark):
        return View(()), texts
    sheet = Sheet(texts)
    if sheet.scan():
        return View([sheet]), [sheet.line(number) for number in range(1, len(texts) + 1)]
    if oid:
        index.note_clean(mark)
    return View(()), texts


def parse_lines(text: str | None) -> tuple[int, int]:
    """Read `A,B`, `A,+N`, `A,`, `,B` or `A` as first and last line, 0 for the end. Raises HoardError."""
    if text is None:
        return 1, 0
    match = re.fullmatch(r"([0-9]{0,9})(?:,(\+?)([0-9]{0,9}))?", text, re.ASCII)
    if match is None or not (match[1] or match[3]):
        raise HoardError(f"-L takes A,B, not {text[:40]!r}.", "hoard blame PATH -L 10,20")
    first = int(match[1] or 1)
    if match[2]:
        return first, first + int(match[3] or 1) - 1
    return first, int(match[3] or 0) if "," in text else 0
