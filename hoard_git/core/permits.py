"""Which actions of a plan may be done: all of them, or those that a person has taken. What was not taken is as if it were not due."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hoard_git.core.actions import Action


class Permits:
    """What the steps of a plan ask before they act; a summariser's answer is not asked about, so a plan with some actions left out has none.

    Places are those of the snapshot: path and 1-based line, 0 for what the plan has written.
    """

    __slots__ = ("_archived", "_colder", "_starts")

    def __init__(self, actions: Iterable[Action] | None = None) -> None:
        """Permit these actions of an earlier plan for the same snapshot, policy and day; None permits everything."""
        taken = None if actions is None else tuple(actions)
        self._starts = None if taken is None else {_start(action.kind, action.path, action.line, action.text) for action in taken}
        self._archived: dict[str, list[tuple[int, int]]] = {}
        for action in taken or ():
            if action.kind == "archive":
                self._archived.setdefault(action.path, []).append((action.line, action.end_line))
        self._colder = {action.to for action in taken or () if action.kind == "cold"}

    def may(self, kind: str, path: str, line: int, text: str = "") -> bool:
        """Whether the action that begins at this place may be done; `text` tells apart those that have no line."""
        return self._starts is None or _start(kind, path, line, text) in self._starts

    def may_do(self, action: Action) -> bool:
        """Whether an action that is made already may be done."""
        return self.may(action.kind, action.path, action.line, action.text)

    def may_archive(self, path: str, line: int) -> bool:
        """Whether the entry at this place may go to the archive, by itself or with its section."""
        return self._starts is None or any(first <= line <= last for first, last in self._archived.get(path, ()))

    def may_chill(self, to: str) -> bool:
        """Whether the log that has its place in the archive at `to` may turn cold: of its files all or none."""
        return self._starts is None or to in self._colder


def _start(kind: str, path: str, line: int, text: str) -> tuple[str, str, int, str]:
    return kind, path, line, "" if line else text


EVERYTHING = Permits()
"""Nothing is kept out."""
