"""Wiki pages and their links: as lines for people, and as JSON (INTERFACE, "Wiki"). Credentials are masked, control characters escaped."""

from __future__ import annotations

from hoard_git.cli.render.columns import plain
from hoard_git.cli.render.json import finding_data
from hoard_git.cli.render.masking import mask_lines
from hoard_git.cli.render.text import path_data, path_text, render_finding, safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.app.wikiapply import Written
    from hoard_git.app.wikiview import Shown
    from hoard_git.core.model import Finding
    from hoard_git.core.provenance import Provenance
    from hoard_git.lint.backlinks import Backlink


def page_data(shown: Shown) -> dict[str, object]:
    """One page with its text, sections, links and backlinks."""
    page = shown.page
    return {
        "path": path_data(shown.path),
        "title": plain(page.title),
        "tags": [plain(tag) for tag in page.tags],
        "provenance": {**provenance_data(page.provenance), "id": page.id},
        "expires": shown.expires,
        "sections": [
            {
                "name": plain(section.name),
                "title": plain(section.title),
                "level": section.level,
                "line": section.line,
                "provenance": provenance_data(section.provenance),
            }
            for section in page.sections
        ],
        "links": [_link(link, to=True) for link in shown.links],
        "backlinks": [_link(link, to=False) for link in shown.backlinks],
        "orphan": shown.is_orphan,
        "text": "\n".join(_text(shown)),
    }


def provenance_data(found: Provenance) -> dict[str, str]:
    """What something claims to be; '' for untagged."""
    return {"src": found.src, "ts": found.ts, "ttl": found.ttl, "id": found.id}


def links_data(pages: Sequence[Shown], findings: Sequence[Finding]) -> dict[str, object]:
    """Which page leads where, and what leads to it; `broken` are the findings about links."""
    return {
        "schema": 1,
        "pages": [
            {
                "path": path_data(shown.path),
                "title": plain(shown.page.title),
                "src": shown.page.provenance.src,
                "links": [_link(link, to=True) for link in shown.links],
                "backlinks": [_link(link, to=False) for link in shown.backlinks],
                "orphan": shown.is_orphan,
            }
            for shown in pages
        ],
        "broken": [finding_data(finding) for finding in findings if finding.code in ("HG801", "HG802", "HG805")],
    }


def written_data(written: Written) -> dict[str, object]:
    """What was written."""
    pages = [{"path": path_data(path), "operations": count} for path, count in written.pages]
    return {"schema": 1, "commit": written.oid, "pages": pages, "findings": [finding_data(finding) for finding in written.findings]}


def render_page(shown: Shown) -> Iterator[str]:
    """A page: what it says about itself, its text, and its neighbours."""
    page = shown.page
    yield f"{plain(page.title)}  ({path_text(shown.path)})"
    yield f"  {_told(page.provenance)}{f', fresh until {shown.expires}' if shown.expires else ''}"
    if page.tags:
        yield f"  tags: {', '.join(plain(tag) for tag in page.tags)}"
    yield ""
    first = shown.page.sections[0].line if shown.page.sections else 1
    yield from (safe(line) for line in _text(shown)[first - 1 if _is_front(shown) else 0 :])
    for label, links, to in (("links to", shown.links, True), ("linked from", shown.backlinks, False)):
        if links:
            yield ""
            yield f"{label}:"
            yield from (f"  {line}" for line in _ends(links, to=to))
    if shown.is_orphan:
        yield ""
        yield "Nothing links to this page."


def render_links(pages: Sequence[Shown], findings: Sequence[Finding]) -> Iterator[str]:
    """The pages with what they lead to and what leads to them, then what is broken."""
    for shown in pages:
        yield f"{path_text(shown.path)}  {plain(shown.page.title)}"
        yield from (f"  -> {line}" for line in _ends(shown.links, to=True))
        yield from (f"  <- {line}" for line in _ends(shown.backlinks, to=False))
        if shown.is_orphan:
            yield "  nothing links to it"
    for finding in findings:
        if finding.code in ("HG801", "HG802"):
            yield render_finding(finding)


def _ends(links: Sequence[Backlink], *, to: bool) -> list[str]:
    """The other end of each link, each file once, with the lines of where the links stand."""
    places: dict[str, list[int]] = {}
    for link in links:
        places.setdefault(link.target if to else link.source, []).append(link.line)
    return [
        f"{path_text(path)} (line{'s' * (len(set(lines)) > 1)} {', '.join(map(str, sorted(set(lines))))})" for path, lines in places.items()
    ]


def _link(link: Backlink, *, to: bool) -> dict[str, object]:
    return {"path": path_data(link.target if to else link.source), "kind": link.kind, "line": link.line, "column": link.column}


def _text(shown: Shown) -> list[str]:
    lines = [line.removesuffix("\r") for line in shown.lines]
    return [safe(line.replace("\t", "    ")) for line in mask_lines(lines[:-1] if lines[-1] == "" else lines)]


def _is_front(shown: Shown) -> bool:
    return bool(shown.page.sections) and shown.lines[0].removeprefix("\ufeff").startswith("---")


def _told(found: Provenance) -> str:
    return f"src:{found.src} ts:{found.ts}{f' ttl:{found.ttl}' if found.ttl else ''}" if found.src else "untagged"
