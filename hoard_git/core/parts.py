"""Entries and headings while a file is being read."""

from __future__ import annotations

from hoard_git.core import starts
from hoard_git.core.document import NO_PARENT, Heading


class Part:
    """An entry while it is being read: mutable, local to a scan."""

    __slots__ = ("end", "heading", "kind", "line", "parent")

    def __init__(self, what: str, line: int, heading: int, parent: int) -> None:
        """Start an entry at a 1-based line."""
        self.kind = what
        self.line = self.end = line
        self.heading = heading
        self.parent = parent


class Parts:
    """What a scan has found so far, in the order of the file, and the outline that new entries stand under."""

    def __init__(self) -> None:
        self.entries: list[Part] = []
        self.headings: list[Heading] = []
        self._outline: list[int] = []

    def add(self, what: str, line: int, parent: int) -> Part:
        """Start an entry under the innermost heading."""
        part = Part(what, line, self._outline[-1] if self._outline else NO_PARENT, parent)
        self.entries.append(part)
        return part

    def add_heading(self, line: int, level: int, title: str) -> None:
        """Add a heading; it ends the sections of its own level and below."""
        while self._outline and self.headings[self._outline[-1]].level >= level:
            self._outline.pop()
        self.headings.append(Heading(line, level, title, self._outline[-1] if self._outline else NO_PARENT))
        self._outline.append(len(self.headings) - 1)


def name_transcripts(lines: list[str], parts: list[Part]) -> None:
    """Call paragraphs of a chat `transcript`: under one heading two or more lines have a speaker, one of them an assistant."""
    talk: dict[int, list[Part]] = {}
    for part in parts:
        if part.kind == "text" and starts.role_of(lines[part.line - 1]):
            talk.setdefault(part.heading, []).append(part)
    for told in talk.values():
        roles = [role for part in told for line in lines[part.line - 1 : part.end] if (role := starts.role_of(line))]
        if len(roles) > 1 and "assistant" in roles:
            for part in told:
                part.kind = "transcript"
