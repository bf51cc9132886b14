"""Searching memory from a page: the same search as `hoard search`."""

from __future__ import annotations

from functools import partial

from hoard_git.cli.commands.search import choose_finder
from hoard_git.cli.render.columns import mask_secrets
from hoard_git.cli.render.search import shown_texts
from hoard_git.cli.render.text import path_text, safe
from hoard_git.cli.ui.asking import Page, address, may_link
from hoard_git.core.record import Record
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.app.recall import Answer
    from hoard_git.cli.ui.asking import Asked

_FEW, _MOST = 20, 100
_MOST_TEXT = 600


class Found(Record):
    """A hit as it is shown; `place` and `block` are addresses, '' where nothing can be linked."""

    where: str
    place: str
    src: str
    ts: str
    flags: str
    text: str
    name: str
    block: str
    commit: str


def show(asked: Asked) -> Page:
    """The search form, with what fits where something was asked for."""
    query = asked.text("q").strip()
    wanted = {"src": asked.text("src"), "archive": asked.flag("archive"), "history": asked.flag("history")}
    values: dict[str, object] = {"here": "search", "query": "", "hits": [], "notes": [], "status": "", **wanted}
    if not query:
        return Page("search.html.jinja", values)
    values["query"] = safe(mask_secrets(query))
    if wanted["src"] not in ("", "user", "agent", "tool", "web", "dig", "untagged"):
        raise HoardError("There is no such source.", "user, agent, tool, web, dig or untagged")
    answer = _search(asked, query)
    hits = list(_found(answer))
    values["hits"] = hits
    values["notes"] = list(_notes(answer))
    values["status"] = _status(answer, len(hits))
    return Page("search.html.jinja", values)


def _search(asked: Asked, query: str) -> Answer:
    from hoard_git.app.recall import Wish, search
    from hoard_git.cli.arguments import repository_path

    context = asked.context
    wish = Wish(query, asked.text("src"), asked.flag("archive"), asked.flag("history"))
    most = max(1, min(asked.number("n") or _FEW, _MOST))
    directory = repository_path(context, ".") or ""
    return search(context.plumbing, wish, context.days, most, directory=directory, finder_for=partial(choose_finder, context, None))


def _found(answer: Answer) -> Iterator[Found]:
    for hit, (text, view) in zip(answer.hits, shown_texts(answer, _MOST_TEXT), strict=True):
        linked = may_link(hit.path)
        name = view.name(hit.block)
        yield Found(
            f"{path_text(hit.path)}:{hit.line}",
            address("/file", path=hit.path, at=hit.commit) + f"#L{hit.line}" if linked else "",
            hit.src or "untagged",
            "" if hit.ts == "unknown" else hit.ts,
            ", ".join(flag for flag in hit.flags if flag != "untagged"),
            "\n".join(safe(line) for line in text.split("\n")),
            safe(view.title(hit.slug)) if hit.slug and not hit.id else safe(hit.id),
            address("/block", name=hit.block) if (hit.slug or hit.id) and name == hit.block and may_link(hit.block) else "",
            hit.commit[:12],
        )


def _status(answer: Answer, count: int) -> str:
    if count:
        return f"{count} entries, best first" if count > 1 else "1 entry"
    return "Nothing fits in what could be read." if answer.unread else "Nothing fits."


def _notes(answer: Answer) -> Iterator[str]:
    for path, reason in answer.unread:
        yield f"Not searched: {path_text(path)}: {safe(reason)}"
    if answer.note:
        yield safe(answer.note)
    if answer.elsewhere:
        yield "1 better match lies in the archive." if answer.elsewhere == 1 else f"{answer.elsewhere} better matches lie in the archive."
