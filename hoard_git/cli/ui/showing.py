"""Filling the templates: what every page has around it, and how an error is told."""

from __future__ import annotations

from hoard_git import __version__
from hoard_git.app.review import Moved
from hoard_git.cli.render.cleaning import clean_text
from hoard_git.cli.render.html import environment
from hoard_git.cli.render.text import render_finding
from hoard_git.cli.ui.asking import Page, address

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.cli.ui.asking import Desk
    from hoard_git.errors import HoardError

VERDICTS = {"agree": "\u2713 agrees", "disagree": "\u2260 disagrees", "unverified": "? unverified"}


def around(csrf: str, desk: Desk, name: str) -> dict[str, object]:
    """What the frame of every page needs."""
    return {"csrf": csrf, "words": desk.hear(), "workspace": name, "version": __version__, "address": address, "verdicts": VERDICTS}


def render(page: Page, csrf: str, desk: Desk, name: str) -> str:
    """A page as HTML."""
    told = page.values.get("ready_made")
    if callable(told):  # the overview is the report's own page
        return str(told(around(csrf, desk, name)))
    return environment().get_template(f"ui/{page.template}").render(**page.values, **around(csrf, desk, name))


def error_page(error: HoardError, status: int) -> Page:
    """What could not be done, and what to do next."""
    findings = [clean_text(render_finding(finding)) for finding in getattr(error, "findings", ()) if finding.severity in ("error", "warn")]
    hint = [clean_text(line) for line in error.hint.split("\n") if line]
    values = {"message": clean_text(error.message), "hint": hint, "findings": findings, "here": "", "moved": isinstance(error, Moved)}
    return Page("error.html.jinja", values, status)
