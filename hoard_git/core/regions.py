"""Managed regions: what stands between another tool's start and end comments."""

from __future__ import annotations

from hoard_git.core.document import Comment, Region

_OPENING = ("start", "begin")
_EDGES = ("start", "begin", "end")
_LONGEST_NAME = 200


def region_edge(inner: str) -> tuple[str, str] | None:
    """Read the text of a comment as a region's marker: the name in lower case, and `start`, `begin` or `end`.

    `name:start`, `name start`, `BEGIN name` and `begin:name` are known (OpenClaw, README generators, dotfile managers); the name may
    hold colons and blanks of its own.
    """
    text = inner.strip()
    if len(text) > _LONGEST_NAME + 8 or "\n" in text:
        return None
    folded = text.lower()
    for edge in _EDGES:
        if folded.endswith(edge):
            name = folded[: -len(edge)]
        elif folded.startswith(edge):
            name = folded[len(edge) :][::-1]
        else:
            continue
        if name and (name[-1] == ":" or name[-1].isspace()):
            name = name[:-1].rstrip(" \t:")
            name = name if folded.endswith(edge) else name[::-1]
            if name:
                return name.strip(), edge
    return None


def find_regions(comments: list[Comment]) -> tuple[Region, ...]:
    """Pair start and end markers by name, in the order of the file; markers without a partner make no region."""
    found: list[Region] = []
    opened: dict[str, int] = {}
    for comment in sorted(comments, key=lambda comment: (comment.line, comment.column)):
        marker = region_edge(comment.inner) if comment.closed else None
        if marker is None:
            continue
        name, edge = marker
        if edge in _OPENING:
            opened.setdefault(name, comment.line)
        elif name in opened:
            found.append(Region(opened.pop(name), comment.end_line, name))
    return tuple(sorted(found))
