"""The first page: the report, live, its files and blocks leading to their own pages."""

from __future__ import annotations

import os

from hoard_git.cli.commands.report import make_page
from hoard_git.cli.render.columns import plain
from hoard_git.cli.render.report import Links
from hoard_git.cli.render.text import path_text
from hoard_git.cli.ui.asking import Page, address, may_link

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hoard_git.cli.context import Context
    from hoard_git.cli.ui.asking import Asked


def show(asked: Asked) -> Page:
    """The report's own template in the frame of these pages."""

    def ready_made(frame: Mapping[str, object]) -> str:
        return make_page(asked.context, PageLinks(), "ui/overview.html.jinja", {**frame, "here": "overview"})

    return Page("", {"ready_made": ready_made})


def name_of(context: Context) -> str:
    """What the workspace is called: its directory."""
    return plain(os.path.basename(context.plumbing.root()) or "workspace")  # noqa: PTH119 - text paths


class PageLinks(Links):
    """Files and blocks lead to their pages, unless their names hold what must not stand in an address."""

    def place(self, path: str, line: int = 0) -> str:
        """A file, or a line of it."""
        where = path_text(path) + (f":{line}" if line else "")
        return _link(address("/file", path=path) + (f"#L{line}" if line else ""), where) if may_link(path) else path_text(path)

    def block(self, name: str, words: str) -> str:
        """A block, by what `hoard log` takes for it."""
        return _link(address("/block", name=name), words) if may_link(name) else words

    def more(self, path: str) -> str:
        """What leads to a file's lines, beside its blocks."""
        from markupsafe import Markup

        if not may_link(path):
            return ""
        return Markup("<p>{}</p>").format(_link(address("/file", path=path), "Line by line, with who wrote each"))


def _link(place: str, words: str) -> str:
    from markupsafe import Markup

    return Markup('<a href="{}">{}</a>').format(place, words)
