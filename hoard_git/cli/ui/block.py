"""One block: how it stands, how it came in, and everything that happened to it."""

from __future__ import annotations

from shlex import quote

from hoard_git.app.history import with_index
from hoard_git.app.history_query import find_block
from hoard_git.app.history_story import find_standing, tell_story
from hoard_git.cli.render.cleaning import clean
from hoard_git.cli.render.history import shown_rows
from hoard_git.cli.render.story import standing_data, story_data
from hoard_git.cli.render.versions import Versions
from hoard_git.cli.ui.asking import Page, address, may_link
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.cli.ui.asking import Asked
    from hoard_git.gitio.blockindex import BlockIndex

_MOST = 200
"""Chapters that are shown, the latest."""


def show(asked: Asked) -> Page:
    """The block that the address names, by what `hoard log` takes for it."""
    name = asked.text("name")
    if not name:
        raise HoardError("The address names no block.", "Open a file, and follow a line's history from there.")
    reader = asked.context.plumbing

    def look(index: BlockIndex) -> dict[str, object]:
        facts = find_block(index, reader, name, name)  # paths on pages are the repository's, wherever the server was started
        if not facts:
            raise HoardError(f"No block in the history of this memory is called {name[:80]!r}.", f"hoard log --text {quote(name[:80])}")
        versions = Versions(reader, index)
        story = tell_story(index, reader, facts[0])
        left = max(0, len(story.chapters) - _MOST)
        story = story._replace(chapters=story.chapters[left:])
        versions.load(chapter.node.oid for chapter in story.chapters)
        told = story_data(story, versions.of)
        standing = find_standing(index, reader, facts[0])
        shown = standing_data(standing, "", len(story.chapters) + left, versions.standing(standing.commit, standing.path))
        place = _place(standing.path, standing.line, "" if standing.alive else standing.commit)
        return {"standing": clean(shown), "story": clean(told), "left": left, "place": place}

    values = with_index(reader, look)
    return Page("block.html.jinja", {"here": "files", "rows": _rows, **values})


def _place(path: str, line: int, commit: str) -> str:
    return address("/file", path=path, at=commit) + f"#L{line}" if may_link(path) else ""


def _rows(text: str) -> list[str]:
    """The rows of a cleaned text; of a credential over several rows the first only."""
    return list(shown_rows(text))
