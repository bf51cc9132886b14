"""What each tool does: plain functions from arguments to data, each on a fresh view of the repository."""

from __future__ import annotations

from functools import partial

from hoard_git.cli.context import Context
from hoard_git.core.tagwords import holds_tag_or_comment
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from hoard_git.app.history_log import LogEvent
    from hoard_git.app.write import Wish
    from hoard_git.gitio.blockindex import BlockIndex

    Arguments = Mapping[str, Any]
    Answer = Mapping[str, object]

_FEW_HITS, _FEW_EVENTS = 10, 20


def call(name: str, context: Context, arguments: Arguments) -> Answer:
    """Run a tool whose arguments fit its schema. Raises HoardError, Refused among them, with the next step."""
    fresh = Context(context.directory, context.date, color=False, quiet=True)
    return _TOOLS[name](fresh, arguments)


def _search(context: Context, asked: Arguments) -> Answer:
    from hoard_git.app.recall import Wish as Sought
    from hoard_git.app.recall import search
    from hoard_git.cli.commands.search import choose_finder
    from hoard_git.cli.commands.wiki import place_of
    from hoard_git.cli.render.search import answer_data

    wish = Sought(asked["query"], asked.get("src", ""), asked.get("archive", False), asked.get("history", False), asked.get("at", ""))
    place, most = place_of(context), asked.get("n", _FEW_HITS)
    finder = partial(choose_finder, context, None)
    return answer_data(wish.query, search(place.reader, wish, place.days, most, directory=place.directory, finder_for=finder))


def _get(context: Context, asked: Arguments) -> Answer:
    from hoard_git.app.reading import read_part
    from hoard_git.cli.render.reading import reading_data, shown_lines

    path = _paths(context, [asked["path"]])[0]
    found = read_part(context.plumbing, path, asked.get("at", ""), asked.get("from", 1), asked.get("lines", 0))
    return reading_data(found, shown_lines(found))


def _status(context: Context, asked: Arguments) -> Answer:
    del asked
    from hoard_git.app.checks.base import Look
    from hoard_git.app.status import read_status
    from hoard_git.cli.commands.hooks import LOCAL
    from hoard_git.cli.render.status import status_data

    return status_data(read_status(Look(context.plumbing, context.days, LOCAL)))


def _write(context: Context, asked: Arguments) -> Answer:
    """Write one fact as an agent: whoever git names, whatever the policy's mode."""
    from hoard_git.app.facts import Fact, add_fact
    from hoard_git.cli.commands.wiki import place_of
    from hoard_git.cli.render.json import finding_data

    src, text, heading = asked.get("src", "agent"), asked["text"], asked.get("heading", "")
    for what, words in (("text", text), ("heading", heading)):
        if holds_tag_or_comment(words):
            raise HoardError(f"The {what} holds the words of a provenance tag.", "Give src, ttl and ev as arguments, not in the text.")
    place = place_of(context)
    path = _paths(context, [asked["file"]])[0] if asked.get("file") else ""
    fact = Fact(text, src, asked.get("ttl", ""), asked.get("ev", ""), heading, path, place.directory)
    done = add_fact(place.reader, fact, _wish(asked), place.days, place.environ, commit=True)
    return {
        "schema": 1,
        "commit": done.oid,
        "id": done.id,
        "path": done.path,
        "line": done.line,
        "provenance": {"src": src, "ttl": fact.ttl or None, "ev": fact.evidence or None, "kind": "agent"},
        "warnings": [finding_data(finding) for finding in done.findings if finding.severity == "warn"],
    }


def _log(context: Context, asked: Arguments) -> Answer:
    from hoard_git.app.history import with_index
    from hoard_git.app.history_log import Filter, read_log
    from hoard_git.app.history_query import ALL, Target, find_target
    from hoard_git.app.history_trailers import Verdicts
    from hoard_git.cli.arguments import parse_time, repository_path
    from hoard_git.cli.render.history import change_texts, event_data
    from hoard_git.cli.render.versions import Versions

    reader = context.plumbing
    since, until = (parse_time(reader, asked.get(name), name) for name in ("since", "until"))
    wanted = Filter(asked.get("n", _FEW_EVENTS), since, until, asked.get("src", ""), asked.get("kind", ""))
    what = asked.get("what")
    events: list[dict[str, object]] = []

    def read(index: BlockIndex) -> None:
        events.clear()
        target = Target(ALL) if what is None else find_target(index, reader, what, repository_path(context, what))
        verdicts, versions = Verdicts(reader), Versions(reader, index)
        found: list[LogEvent] = list(
            versions.ahead(
                read_log(index, reader, target, wanted, verdicts), lambda event: event.node.oid, lambda event: change_texts(event.change)
            )
        )
        events.extend(event_data(event, versions.of(event.node.oid)) for event in found)
        verdicts.save()

    with_index(reader, read, rev=asked.get("at") or "HEAD", progress=lambda _done, _all: None)
    return {"schema": 1, "events": events}


def _apply(context: Context, asked: Arguments) -> Answer:
    from hoard_git.app.wikiapply import apply_batch
    from hoard_git.cli.commands.wiki import place_of
    from hoard_git.cli.render.wiki import written_data
    from hoard_git.core.wikiops import batch_from_data

    batch = batch_from_data({"operations": asked["operations"]})
    done = apply_batch(place_of(context), batch, _wish(asked))
    sources = sorted({operation.src for operation in batch.operations if operation.text})
    return {**written_data(done), "provenance": {"sources": sources, "kind": "agent"}}


def _lint(context: Context, asked: Arguments) -> Answer:
    from hoard_git.app.check import check_state, inside
    from hoard_git.app.wikiview import CODES
    from hoard_git.cli.render.json import report_data

    only = inside(context.plumbing, context.directory, asked.get("paths", []))
    return report_data(check_state(context.plumbing, only, context.days, CODES))


def _wish(asked: Arguments) -> Wish:
    """How to commit: as an agent, with a message that gives nothing away."""
    from hoard_git.app.write import Wish
    from hoard_git.cli.render.columns import mask_secrets

    told = {name: asked.get(name, "") for name in ("message", "reason", "session")}
    for name, text in told.items():
        if not all(c.isprintable() for c in text):
            raise HoardError(f"The {name} is more than one line of plain text.", "One line, without control characters.")
        if mask_secrets(text) != text:
            raise HoardError(f"The {name} holds what looks like a secret.", "A commit's message stays in history for ever: leave it out.")
    return Wish(told["message"], reason=told["reason"], session=told["session"], agent=True)


def _paths(context: Context, paths: list[str]) -> list[str]:
    from hoard_git.app.check import inside_or_gone

    if any("\0" in path for path in paths):
        raise HoardError("A path holds a zero byte.", "Give the path from the workspace's folder.")
    return inside_or_gone(context.plumbing, context.directory, paths)


_TOOLS: dict[str, Callable[[Context, Arguments], Answer]] = {
    "memory_search": _search,
    "memory_get": _get,
    "memory_write": _write,
    "memory_log": _log,
    "memory_status": _status,
    "wiki_apply": _apply,
    "wiki_lint": _lint,
}
