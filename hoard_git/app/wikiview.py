"""`hoard wiki show` and `links`: what a page says, where it leads, and what leads to it."""

from __future__ import annotations

from hoard_git.app.standing import standing_scenes
from hoard_git.app.wikibook import Book
from hoard_git.core.freshness import expiry_day
from hoard_git.core.record import Record
from hoard_git.core.wikipage import Page, read_page
from hoard_git.lint.backlinks import Backlink, backlinks
from hoard_git.lint.engine import judge
from hoard_git.lint.rules.hg803_orphan_page import is_orphan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.wikibook import Place
    from hoard_git.core.model import Finding
    from hoard_git.lint.scene import FileView, Scene

CODES = frozenset({"HG801", "HG802", "HG803", "HG804", "HG805"})
"""The rules about links and pages."""


class Shown(Record):
    """One page with its surroundings. `links` and `backlinks` are in the order of their places; `expires` is an ISO date or ''."""

    path: str
    page: Page
    lines: tuple[str, ...]
    links: tuple[Backlink, ...]
    backlinks: tuple[Backlink, ...]
    expires: str
    is_orphan: bool


def read_wiki(place: Place, name: str = "") -> tuple[tuple[Shown, ...], tuple[Finding, ...]]:
    """Every page, or the one that a name means, by path; with what the link rules find in them. Raises HoardError for a name of no page."""
    book = Book(place.reader)
    only = [book.find(name, place.directory)] if name else []
    shown: list[Shown] = []
    findings: list[Finding] = []
    for scene in standing_scenes(place.reader, only, place.days):
        shown += [_show(scene, file) for file in scene.files if file.file_class == "wiki"]
        findings += judge(scene, CODES)
    return tuple(sorted(shown, key=lambda page: page.path)), tuple(sorted(findings, key=lambda f: (f.path, f.line, f.column, f.code)))


def _show(scene: Scene, file: FileView) -> Shown:
    page, links = read_page(file.document, file.path, file.default), backlinks(scene)
    expires = expiry_day(page.provenance, scene.policy)
    to, of = tuple(links.to(file.path)), tuple(links.of(file.path))
    return Shown(file.path, page, file.document.lines, of, to, expires, is_orphan(file.path, scene))
