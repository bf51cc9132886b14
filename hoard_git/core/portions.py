"""A plan taken apart into what a person can accept or drop, each with the lines that it changes: before, and where they are afterwards."""

from __future__ import annotations

from hashlib import sha256

from hoard_git.core.actions import Place
from hoard_git.core.drafts import PACKED
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hoard_git.core.actions import Action
    from hoard_git.core.plan import Plan

    _Where = Mapping[tuple[str, int], Sequence[Place]]

_ALONE = ("stale", "promote")
"""Kinds of actions that change or write single lines: what stands beside them is no part of it."""


class Excerpt(Record):
    """Some lines of one file: 1-based numbers in rising order, of the snapshot or of the file as the plan leaves it."""

    path: str
    numbers: tuple[int, ...]


class Portion(Record):
    """The smallest part of a plan that can be left out: mostly one action, or those that go together or not at all.

    `id` tells it from every other of any plan. `before` are lines of the snapshot, `after` those that are left of them or were written in their
    place, `stays` is the twin of a duplicate, in the snapshot. What is packed with gzip has no lines.
    """

    id: str
    actions: tuple[Action, ...]
    before: tuple[Excerpt, ...]
    after: tuple[Excerpt, ...]
    stays: Place | None = None


def take_apart(plan: Plan) -> list[Portion]:
    """The portions of a plan, in the order of its actions."""
    where: dict[tuple[str, int], list[Place]] = {}
    for path, origins in plan.origins.items():
        if not path.lower().endswith(PACKED):
            for number, origin in enumerate(origins, 1):
                if origin is not None:
                    where.setdefault(origin, []).append(Place(path, number))
    return [_portion(group, plan, where) for group in _groups(plan.actions)]


def _groups(actions: Iterable[Action]) -> Iterator[tuple[Action, ...]]:
    """Actions that go together: those of one cold log, and what stands inside of something that goes for the same reason."""
    groups: list[list[Action]] = []
    for action in actions:
        home = next((group for group in groups if _belongs(action, group[0])), None)
        if home is None:
            groups.append([action])
        else:
            home.append(action)
    return (tuple(group) for group in groups)


def _belongs(action: Action, first: Action) -> bool:
    if action.kind != first.kind:
        return False
    if action.kind == "cold":
        return action.to == first.to
    return action.kind == "dedupe" and action.path == first.path and 0 < first.line <= action.line <= first.end_line


def _portion(group: tuple[Action, ...], plan: Plan, where: _Where) -> Portion:
    told = "\0".join(str(part) for action in group for part in action)
    before = [_lines(action) for action in group if action.line and not action.path.lower().endswith(PACKED)]
    twin = next((action.survivor for action in group if action.survivor is not None and action.survivor.line), None)
    return Portion(
        sha256(told.encode("utf-8", "surrogateescape")).hexdigest()[:20],
        group,
        tuple(before),
        tuple(_after(group, plan, where)),
        twin,
    )


def _lines(action: Action) -> Excerpt:
    return Excerpt(action.path, tuple(range(action.line, max(action.line, action.end_line) + 1)))


def _after(group: Sequence[Action], plan: Plan, where: _Where) -> Iterator[Excerpt]:
    found: dict[str, set[int]] = {}
    for action in group:
        if action.kind == "promote":
            found.setdefault(action.to, set()).update(_written(plan, action))
            continue
        for number in _lines(action).numbers if action.line else ():
            for place in where.get((action.path, number), ()):
                found.setdefault(place.path, set()).add(place.line)
    own, targets = {action.path for action in group}, {action.to for action in group}
    for path, numbers in sorted(found.items(), key=lambda item: (item[0] not in own, item[0])):
        data = plan.edits.get(path)
        fresh = _fresh(data, plan.origins[path]) if group[0].kind not in _ALONE else set()
        around = {near for number in numbers for near in _beside(fresh, number, below=path in own, above=path in targets)}
        yield Excerpt(path, tuple(sorted(numbers | around)))


def _written(plan: Plan, action: Action) -> Iterator[int]:
    """The lines that the plan has written with the words of an action."""
    data = plan.edits.get(action.to)
    lines = (data or b"").decode("utf-8", "surrogateescape").split("\n")
    for number, (line, origin) in enumerate(zip(lines, plan.origins.get(action.to, ()), strict=False), 1):
        if origin is None and action.text in line:
            yield number


def _fresh(data: bytes | None, origins: Sequence[tuple[str, int] | None]) -> set[int]:
    """The lines with words that the plan has written itself."""
    lines = (data or b"").split(b"\n")
    return {number for number, (line, origin) in enumerate(zip(lines, origins, strict=True), 1) if origin is None and line.strip()}


def _beside(fresh: set[int], number: int, *, below: bool, above: bool) -> Iterator[int]:
    """Fresh lines right beside one that was there: the pointer below a heading that stays, the remark above what is archived."""
    at = number + 1
    while below and at in fresh:
        yield at
        at += 1
    at = number - 1
    while above and at in fresh:
        yield at
        at -= 1
