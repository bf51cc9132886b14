"""A plan taken apart into what a person can accept or drop, each with the lines that it changes: before, and where they are afterwards."""

from __future__ import annotations

from hashlib import sha256

from hoard_git.core.actions import Place
from hoard_git.core.drafts import PACKED
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from hoard_git.core.actions import Action
    from hoard_git.core.plan import Plan

    _Where = Mapping[tuple[str, int], Sequence[Place]]
    _Fresh = Mapping[str, Mapping[int, str]]

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
    fresh = {path: _fresh(data, plan.origins[path]) for path, data in plan.edits.items() if path in plan.origins}
    return [_portion(group, where, fresh) for group in _groups(plan.actions)]


def _groups(actions: Iterable[Action]) -> Iterator[tuple[Action, ...]]:
    """Actions that go together: those of one cold log, and what stands inside of something that goes for the same reason."""
    groups: list[list[Action]] = []
    homes: dict[tuple[str, str, int], list[Action]] = {}
    for action in actions:
        where, line, last = (action.to, 0, 0) if action.kind == "cold" else (action.path, action.line, action.end_line)
        together = action.kind == "cold" or (action.kind == "dedupe" and line > 0)
        home = homes.get((action.kind, where, line)) if together else None
        if home is not None:
            home.append(action)
            continue
        groups.append([action])
        for number in range(line, last + 1) if together else ():
            homes.setdefault((action.kind, where, number), groups[-1])
    return (tuple(group) for group in groups)


def _portion(group: tuple[Action, ...], where: _Where, fresh: _Fresh) -> Portion:
    told = "\0".join(str(part) for action in group for part in action)
    before = [_lines(action) for action in group if action.line and not action.path.lower().endswith(PACKED)]
    twin = next((action.survivor for action in group if action.survivor is not None and action.survivor.line), None)
    return Portion(
        sha256(told.encode("utf-8", "surrogateescape")).hexdigest()[:20],
        group,
        tuple(before),
        tuple(_after(group, where, fresh)),
        twin,
    )


def _lines(action: Action) -> Excerpt:
    return Excerpt(action.path, tuple(range(action.line, max(action.line, action.end_line) + 1)))


def _after(group: Sequence[Action], where: _Where, written: _Fresh) -> Iterator[Excerpt]:
    found: dict[str, set[int]] = {}
    for action in group:
        if action.kind == "promote":
            lines = written.get(action.to, {})
            found.setdefault(action.to, set()).update(number for number, line in lines.items() if action.text in line)
            continue
        for number in _lines(action).numbers if action.line else ():
            for place in where.get((action.path, number), ()):
                found.setdefault(place.path, set()).add(place.line)
    own, targets = {action.path for action in group}, {action.to for action in group}
    for path, numbers in sorted(found.items(), key=lambda item: (item[0] not in own, item[0])):
        fresh = written[path] if group[0].kind not in _ALONE else {}
        around = {near for number in numbers for near in _beside(fresh, number, below=path in own, above=path in targets)}
        yield Excerpt(path, tuple(sorted(numbers | around)))


def _fresh(data: bytes | None, origins: Sequence[tuple[str, int] | None]) -> dict[int, str]:
    """The lines with words that the plan has written itself, by number."""
    lines = (data or b"").decode("utf-8", "surrogateescape").split("\n")
    pairs = zip(lines, origins, strict=False)  # what is packed has other lines
    return {number: line for number, (line, origin) in enumerate(pairs, 1) if origin is None and line.strip()}


def _beside(fresh: Container[int], number: int, *, below: bool, above: bool) -> Iterator[int]:
    """Fresh lines right beside one that was there: the pointer below a heading that stays, the remark above what is archived."""
    at = number + 1
    while below and at in fresh:
        yield at
        at += 1
    at = number - 1
    while above and at in fresh:
        yield at
        at -= 1
