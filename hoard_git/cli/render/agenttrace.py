"""Events as agent-trace records (RFC 0.1.0): one JSON object a commit, with the lines that it wrote and what kind of author wrote them."""

from __future__ import annotations

import json
from itertools import groupby
from uuid import NAMESPACE_URL, uuid5

from hoard_git import __version__
from hoard_git.cli.render.history import whole
from hoard_git.cli.render.masking import ALONE
from hoard_git.cli.render.text import path_data
from hoard_git.core.moments import iso_moment
from hoard_git.core.murmur import murmur3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hoard_git.app.history_log import LogEvent
    from hoard_git.cli.render.masking import View

VERSION = "0.1.0"
_CONTRIBUTORS = {"human": "human", "agent": "ai", "tool": "ai"}


def render_traces(events: Iterable[LogEvent], view_of: Callable[[str], View] = lambda _oid: ALONE) -> Iterator[str]:
    """One record for each commit that wrote lines, in the order of the events; lines are those of the commit's own files.

    `view_of` gives what may be shown of a commit. A text with a credential has no hash: short ones could be guessed from it.
    """
    for oid, group in groupby(events, key=lambda event: event.node.oid):
        listed = list(group)
        record = _record(oid, listed, view_of(oid))
        if record["files"]:
            yield json.dumps(record)


def _record(oid: str, events: list[LogEvent], view: View) -> dict[str, object]:
    node, actor = events[0].node, events[0].actor
    ranges: dict[str, dict[tuple[int, int], dict[str, object]]] = {}
    for event in events:
        for found in event.change.written:
            value: dict[str, object] = {"start_line": found.line, "end_line": found.end}
            if view.hide(found.text) == found.text:
                value["content_hash"] = f"murmur3:{murmur3(found.text.encode('utf-8', 'surrogateescape')):08x}"
            ranges.setdefault(found.path, {})[found.line, found.end] = value
    contributor = {"type": _CONTRIBUTORS[actor.kind] if node.policy else "unknown"}
    files = [
        {"path": path_data(path), "conversations": [{"contributor": contributor, "ranges": [lines[key] for key in sorted(lines)]}]}
        for path, lines in sorted(ranges.items())
    ]
    return {
        "version": VERSION,
        "id": str(uuid5(NAMESPACE_URL, f"git:{oid}")),
        "timestamp": iso_moment(node.date),
        "vcs": {"type": "git", "revision": oid},
        "tool": {"name": "hoard-git", "version": __version__},
        "files": files,
        "metadata": {"author": whole(node.name), "sources": sorted({event.change.provenance.src or "untagged" for event in events})},
    }
