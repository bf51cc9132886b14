"""What HG501 to HG504 share: the files that a host loads at the start, how large they are, and whether a change makes them larger."""

from __future__ import annotations

from hoard_git.core.budget import budget_from
from hoard_git.core.files import bootstrap_name
from hoard_git.core.markdown import render
from hoard_git.core.record import Record
from hoard_git.core.window import Size, measure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.budget import Budget, Limit
    from hoard_git.core.document import TagMark
    from hoard_git.lint.scene import FileView, Scene


class Sized(Record):
    """One loaded file of the scene: the name under which it is loaded, its content, its size, and what it was before the change (None: not there)."""

    view: FileView
    name: str
    data: bytes
    size: Size
    before: Size | None = None

    def exceeds(self, limit: Limit, scene: Scene) -> bool:
        """Whether the file is over a limit and, in a change, was not or was smaller: what is too large already is not the fault of every change."""
        now = self.size.of(limit.unit)
        if now <= limit.amount:
            return False
        old = self.before.of(limit.unit) if self.before is not None else 0
        return not scene.change or now > old or old <= limit.amount

    def told(self, limit: Limit) -> str:
        """The size in the limit's unit, in words."""
        return limit._replace(amount=self.size.of(limit.unit)).text()


def budget_of(scene: Scene) -> Budget:
    """The budget that holds for a scene."""
    return scene.budget or budget_from(scene.policy.budgets)


def sized_files(scene: Scene) -> Iterator[Sized]:
    """Yield the files that are loaded, those alone that the change touches."""
    for view in scene.files:
        name = bootstrap_name(view.path, view.file_class, scene.policy)
        if not name:
            continue
        old = scene.before.get(view.path)
        data = render(view.document)
        yield Sized(view, name, data, measure(data), measure(render(old.document)) if old is not None else None)


def words_of(view: FileView) -> int:
    """Characters of a file without its provenance tags, the blanks before them, and lines that hold nothing else.

    A file that is only being tagged has neither more nor less of these.
    """
    marks: dict[int, list[TagMark]] = {}
    for mark in view.document.marks:
        if mark.end_line == mark.line:
            marks.setdefault(mark.line, []).append(mark)
    count = 0
    for number, line in enumerate(view.document.lines, 1):
        text = line
        for mark in sorted(marks.get(number, ()), key=lambda mark: -mark.column):
            text = text[: mark.column - 1] + text[mark.end_column - 1 :]
        text = text.rstrip()
        count += len(text) + 1 if text or number not in marks else 0
    return count
